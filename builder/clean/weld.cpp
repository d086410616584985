// SPDX-License-Identifier: GPL-3.0-or-later
// Welding by sorting (exact) or by a grid of cells as large as the tolerance.
#include "builder/clean/weld.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace espalier {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellHash {
    std::size_t operator()(const Cell& cell) const {
        std::uint64_t hash = 0;
        for (const std::int64_t part : cell) {
            hash ^= static_cast<std::uint64_t>(part);
            hash *= 0x9E37'79B9'7F4A'7C15;
            hash ^= hash >> 32;
        }
        return hash;
    }
};

struct Key {
    std::array<std::uint32_t, 3> bits;
    std::uint32_t index;
    bool operator<(const Key& other) const {
        return bits != other.bits ? bits < other.bits : index < other.index;
    }
};

std::vector<std::uint32_t> weld_equal(const std::vector<Eigen::Vector3f>& positions) {
    std::vector<Key> keys(positions.size());
    tbb::parallel_for(std::size_t{0}, positions.size(), [&](std::size_t i) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            keys[i].bits[axis] = std::bit_cast<std::uint32_t>(positions[i][static_cast<Eigen::Index>(axis)]);
        keys[i].index = static_cast<std::uint32_t>(i);
    });
    tbb::parallel_sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> representative(positions.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool same = i > 0 && keys[i].bits == keys[i - 1].bits;
        representative[keys[i].index] = same ? representative[keys[i - 1].index] : keys[i].index;
    }
    return representative;
}

Cell cell_of(const Eigen::Vector3d& point, double size) {
    return {static_cast<std::int64_t>(std::floor(point[0] / size)),
            static_cast<std::int64_t>(std::floor(point[1] / size)),
            static_cast<std::int64_t>(std::floor(point[2] / size))};
}

// Representatives are farther apart than the tolerance, so that a cell holds a bounded number of them.
std::vector<std::uint32_t> weld_close(const std::vector<Eigen::Vector3f>& positions, double tolerance) {
    std::vector<std::uint32_t> representative(positions.size());
    std::unordered_map<Cell, std::vector<std::uint32_t>, CellHash> cells;
    for (std::uint32_t i = 0; i < positions.size(); ++i) {
        const Eigen::Vector3d point = positions[i].cast<double>();
        const Cell home = cell_of(point, tolerance);
        std::uint32_t found = i;
        for (int neighbour = 0; neighbour < 27; ++neighbour) {
            const auto cell = cells.find(
                {home[0] + neighbour % 3 - 1, home[1] + neighbour / 3 % 3 - 1, home[2] + neighbour / 9 - 1});
            if (cell == cells.end()) continue;
            for (const std::uint32_t candidate : cell->second) {
                const double distance = (positions[candidate].cast<double>() - point).squaredNorm();
                if (distance <= tolerance * tolerance) found = std::min(found, candidate);
            }
        }
        representative[i] = found;
        if (found == i) cells[home].push_back(i);
    }
    return representative;
}

}  // namespace

std::vector<std::uint32_t> weld(const std::vector<Eigen::Vector3f>& positions, double tolerance) {
    double largest = 0;
    for (const auto& position : positions)
        largest = std::max<double>(largest, position.cwiseAbs().maxCoeff());
    // In cells along an axis. With more, the tolerance is far below the spacing of float32 at the largest
    // coordinate and welds nothing that equality does not; beyond 9e18, cell numbers would overflow.
    constexpr double kMostCells = 1e15;
    if (tolerance <= 0 || largest / tolerance > kMostCells) return weld_equal(positions);
    return weld_close(positions, tolerance);
}

}  // namespace espalier
