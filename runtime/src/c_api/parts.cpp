// SPDX-License-Identifier: MIT
// Reading the parts of an asset.
#include "convert.h"
#include "espalier/espalier_body.h"

using namespace espalier::c_api;
using espalier::Asset;
using espalier::PartNode;
using espalier::PartPair;
using espalier::Status;

namespace {

static_assert(sizeof(PartNode) == sizeof(espalier_part_node) &&
                  offsetof(PartNode, joint) == offsetof(espalier_part_node, joint),
              "the C part mirrors the C++ one");
static_assert(sizeof(PartPair) == sizeof(espalier_part_pair) &&
                  offsetof(PartPair, proved) == offsetof(espalier_part_pair, proved),
              "the C pairs are those of the file");

}  // namespace

extern "C" {

espalier_status espalier_get_part_node(const espalier_asset* asset, uint32_t index,
                                       espalier_part_node* node) {
    if (!asset || !node) return code(Status::kInvalidArgument);
    PartNode found;
    const Status status = from_c<Asset>(asset).part_node(index, &found);
    if (status == Status::kOk) *node = to_c<espalier_part_node>(found);
    return code(status);
}

uint32_t espalier_part_value_count(const espalier_part_node* node) {
    return from_c<PartNode>(node).value_count();
}

const char* espalier_get_name(const espalier_asset* asset, uint32_t index) {
    return from_c<Asset>(asset).name(index);
}

const char* espalier_get_part_name(const espalier_asset* asset, uint32_t index) {
    return from_c<Asset>(asset).part_name(index);
}

const espalier_part_pair* espalier_get_part_pairs(const espalier_asset* asset) {
    return reinterpret_cast<const espalier_part_pair*>(from_c<Asset>(asset).pairs());
}

}  // extern "C"
