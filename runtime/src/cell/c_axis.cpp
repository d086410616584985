// SPDX-License-Identifier: MIT
#include "../c_api/cell_kinds.h"

const espalier_collide_kind espalier_collide_cell_axis =
    espalier::c_api::collide_kind<espalier::CellTreeView, espalier::Overlap::kAxis>();
const espalier_contacts_kind espalier_contacts_cell_axis =
    espalier::c_api::contacts_kind<espalier::CellTreeView, espalier::Overlap::kAxis>();
const espalier_cell_witnesses_kind espalier_cell_witnesses_axis =
    espalier::c_api::cell_witnesses_kind<espalier::Overlap::kAxis>();
const espalier_cell_walk_kind espalier_cell_walk_axis =
    espalier::c_api::cell_walk_kind<espalier::Overlap::kAxis>();
