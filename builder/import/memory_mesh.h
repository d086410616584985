// SPDX-License-Identifier: GPL-3.0-or-later
// A mesh that is no file: points and polygons in the caller's memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "builder/import/import.h"

namespace espalier {

/// A mesh in the caller's memory.
struct MemoryMesh {
    std::string name;                               ///< recorded as that of the source
    std::span<const std::array<double, 3>> points;  ///< x y z
    std::span<const std::uint32_t> corners;         ///< of all polygons, one polygon after the other; from 0
    /// Corners of each polygon; empty: triangles.
    std::span<const std::uint32_t> polygon_sizes = {};
    /// SHA-256 of the source, if the caller knows it; else that of the arrays above is recorded: points as
    /// little-endian doubles, then the corners of each polygon as little-endian 32-bit numbers behind their
    /// count.
    std::optional<std::array<std::uint8_t, 32>> sha256 = {};
};

/// The mesh as `import_mesh` would read it from a file. Fails with
///  - kUsage: the scale is not finite and positive;
///  - kInvalidInput: there is no polygon, sizes and corners do not fit, or a corner is no point (counted from
///    0).
Result<PolygonSoup> import_mesh(const MemoryMesh& mesh, const ImportOptions& options = {});

}  // namespace espalier
