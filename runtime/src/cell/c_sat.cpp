// SPDX-License-Identifier: MIT
#include "../c_api/cell_kinds.h"

const espalier_collide_kind espalier_collide_cell_sat =
    espalier::c_api::collide_kind<espalier::CellTreeView, espalier::Overlap::kSat>();
const espalier_contacts_kind espalier_contacts_cell_sat =
    espalier::c_api::contacts_kind<espalier::CellTreeView, espalier::Overlap::kSat>();
const espalier_cell_witnesses_kind espalier_cell_witnesses_sat =
    espalier::c_api::cell_witnesses_kind<espalier::Overlap::kSat>();
const espalier_cell_walk_kind espalier_cell_walk_sat =
    espalier::c_api::cell_walk_kind<espalier::Overlap::kSat>();
