// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/open_asset.h"

namespace espalier {

Status open_asset(std::span<const std::uint8_t> bytes, OpenedAsset* opened) {
    OpenedAsset result;
    Status status = open(bytes.data(), bytes.size(), Verify::kFull, &result.asset);
    if (status != Status::kOk) return status;
    result.parts.resize(result.asset.part_count());
    for (std::uint32_t i = 0; i < result.asset.part_count(); ++i) {
        status = result.asset.part(i, &result.parts[i]);
        if (status != Status::kOk) return status;
    }
    *opened = std::move(result);
    return Status::kOk;
}

}  // namespace espalier
