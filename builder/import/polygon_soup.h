// SPDX-License-Identifier: GPL-3.0-or-later
// What a mesh file holds, before anything is repaired: points in double precision and polygons over them.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "builder/base/finding.h"
#include "builder/import/provenance.h"

namespace espalier {

/// Points and polygons as read. `import_mesh` guarantees indices in range and at least one polygon; nothing
/// else: coordinates may be non-finite, polygons may have any number of corners (also 0), be concave, repeat
/// corners ...
struct PolygonSoup {
    std::vector<Eigen::Vector3d> points;  ///< already multiplied by `scale`
    /// Corners of all polygons, one polygon after the other.
    std::vector<std::uint32_t> corners;
    /// Polygon i has the corners [first_corner[i], first_corner[i + 1]); one entry more than there are
    /// polygons.
    std::vector<std::size_t> first_corner{0};

    double scale = 1.0;             ///< the factor that was applied to the file's coordinates
    std::string unit;               ///< unit of `points` as far as known, e.g. "metre"; empty: unknown
    Provenance provenance;          ///< the file that this came from
    std::vector<Finding> findings;  ///< what the import noticed

    /// Number of polygons.
    std::size_t polygon_count() const { return first_corner.size() - 1; }
    /// Corners of one polygon.
    std::span<const std::uint32_t> polygon(std::size_t index) const {
        return std::span(corners).subspan(first_corner[index], first_corner[index + 1] - first_corner[index]);
    }

    /// Appends a polygon.
    template <class Range>
    void add_polygon(const Range& indices) {
        corners.insert(corners.end(), indices.begin(), indices.end());
        first_corner.push_back(corners.size());
    }
};

}  // namespace espalier
