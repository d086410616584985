// SPDX-License-Identifier: GPL-3.0-or-later
// Box with subdivided sides: six grids that share the vertices on their borders.
#include "corpus/box.h"

#include <array>
#include <map>

namespace espalier::corpus {

Shape box_shape(const BoxOptions& options) {
    using Cell = std::array<std::uint32_t, 3>;
    const std::uint32_t n = options.divisions;
    Shape shape;
    std::map<Cell, std::uint32_t> index;
    const auto vertex = [&](const Cell& cell) {
        const auto [slot, fresh] = index.try_emplace(cell, 0);
        if (fresh) {
            const Eigen::Vector3d unit(cell[0], cell[1], cell[2]);
            const Eigen::Vector3d from_centre = unit * (2.0 / n) - Eigen::Vector3d::Ones();
            slot->second = shape.add_vertex(from_centre.cwiseProduct(options.half_size));
        }
        return slot->second;
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t u = (axis + 1) % 3;
        const std::size_t v = (axis + 2) % 3;
        for (const bool upper : {false, true})
            for (std::uint32_t i = 0; i < n; ++i)
                for (std::uint32_t j = 0; j < n; ++j) {
                    const auto at = [&](std::uint32_t a, std::uint32_t b) {
                        Cell cell{};
                        cell[axis] = upper ? n : 0;
                        cell[u] = i + (upper ? a : b);
                        cell[v] = j + (upper ? b : a);
                        return vertex(cell);
                    };
                    const std::uint32_t a = at(0, 0), b = at(1, 0), c = at(1, 1), d = at(0, 1);
                    shape.add_quad(a, b, c, d);
                }
    }
    return shape;
}

TriangleMesh make_box(const BoxOptions& options) {
    return rounded(box_shape(options));
}

}  // namespace espalier::corpus
