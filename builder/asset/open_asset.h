// SPDX-License-Identifier: GPL-3.0-or-later
// An asset opened once for all that is asked of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/asset.h"

namespace espalier {

/// A fully verified asset and its parts: views of the caller's bytes.
struct OpenedAsset {
    Asset asset;                  ///< a view of the bytes
    std::vector<PartView> parts;  ///< all of them
};

/// Opens with full verification.
/// @param bytes  aligned as the runtime wants them: mapped, or in AlignedBytes; they stay the caller's
/// @param opened receives the views; untouched on failure
Status open_asset(std::span<const std::uint8_t> bytes, OpenedAsset* opened);

}  // namespace espalier
