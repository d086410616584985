// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/open_asset.h"

namespace espalier {

Status open_asset(std::span<const std::uint8_t> bytes, OpenedAsset* opened) {
    OpenedAsset result;
    Status status = open(bytes.data(), bytes.size(), Verify::kFull, &result.asset);
    if (status != Status::kOk) return status;
    result.shapes.resize(result.asset.shape_count());
    for (std::uint32_t i = 0; i < result.asset.shape_count(); ++i) {
        status = result.asset.shape(i, &result.shapes[i]);
        if (status != Status::kOk) return status;
    }
    for (std::uint32_t i = 0; i < result.asset.part_count(); ++i) {
        ShapeView part;
        status = result.asset.part(i, &part);
        if (status == Status::kNoShape) continue;
        if (status != Status::kOk) return status;
        result.parts.push_back(part);
    }
    *opened = std::move(result);
    return Status::kOk;
}

}  // namespace espalier
