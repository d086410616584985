// SPDX-License-Identifier: GPL-3.0-or-later
// An asset opened once for all that is asked of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/asset.h"

namespace espalier {

/// A fully verified asset, its shapes and parts: views of the caller's bytes.
struct OpenedAsset {
    Asset asset;                    ///< a view of the bytes
    std::vector<ShapeView> shapes;  ///< all of them, under their own names
    std::vector<ShapeView> parts;   ///< those that have a shape, in their order, under their names
};

/// Opens with full verification.
/// @param bytes  aligned as the runtime wants them: mapped, or in AlignedBytes; they stay the caller's
/// @param opened receives the views; untouched on failure
Status open_asset(std::span<const std::uint8_t> bytes, OpenedAsset* opened);

}  // namespace espalier
