// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/connected_pieces.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "builder/base/disjoint_sets.h"

namespace espalier {
namespace {

void enclose(StoredBox* box, const Eigen::Vector3f& p) {
    for (int k = 0; k < 3; ++k) {
        box->lo[k] = std::min(box->lo[k], p[k]);
        box->hi[k] = std::max(box->hi[k], p[k]);
    }
}

}  // namespace

std::vector<StoredBox> connected_pieces(const TriangleMesh& mesh) {
    constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();
    DisjointSets sets(mesh.positions.size());
    for (const Triangle& t : mesh.triangles) {
        sets.join(t[0], t[1]);
        sets.join(t[0], t[2]);
    }
    std::vector<StoredBox> pieces;
    std::vector<std::uint32_t> number(mesh.positions.size(), kUnseen);
    for (const Triangle& t : mesh.triangles) {
        std::uint32_t& piece = number[sets.root(t[0])];
        if (piece == kUnseen) {
            if (pieces.size() == kMaxPieces) return {};
            piece = static_cast<std::uint32_t>(pieces.size());
            const Eigen::Vector3f& p = mesh.positions[t[0]];
            pieces.push_back({{p.x(), p.y(), p.z()}, {p.x(), p.y(), p.z()}});
        }
        for (const std::uint32_t corner : t) enclose(&pieces[piece], mesh.positions[corner]);
    }
    return pieces;
}

}  // namespace espalier
