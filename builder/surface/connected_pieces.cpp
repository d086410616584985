// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/connected_pieces.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace espalier {
namespace {

/// Disjoint sets of vertices, the least index of a set being its root.
class VertexSets {
  public:
    explicit VertexSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
    std::uint32_t root(std::uint32_t v) {
        while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
        return v;
    }
    void join(std::uint32_t v, std::uint32_t w) {
        v = root(v);
        w = root(w);
        parent_[std::max(v, w)] = std::min(v, w);
    }

  private:
    std::vector<std::uint32_t> parent_;
};

void enclose(StoredBox* box, const Eigen::Vector3f& p) {
    for (int k = 0; k < 3; ++k) {
        box->lo[k] = std::min(box->lo[k], p[k]);
        box->hi[k] = std::max(box->hi[k], p[k]);
    }
}

}  // namespace

std::vector<StoredBox> shells_of(const TriangleMesh& mesh) {
    constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();
    VertexSets sets(mesh.positions.size());
    for (const Triangle& t : mesh.triangles) {
        sets.join(t[0], t[1]);
        sets.join(t[0], t[2]);
    }
    std::vector<StoredBox> shells;
    std::vector<std::uint32_t> number(mesh.positions.size(), kUnseen);
    for (const Triangle& t : mesh.triangles) {
        std::uint32_t& shell = number[sets.root(t[0])];
        if (shell == kUnseen) {
            if (shells.size() == kMostShells) return {};
            shell = static_cast<std::uint32_t>(shells.size());
            const Eigen::Vector3f& p = mesh.positions[t[0]];
            shells.push_back({{p.x(), p.y(), p.z()}, {p.x(), p.y(), p.z()}});
        }
        for (const std::uint32_t corner : t) enclose(&shells[shell], mesh.positions[corner]);
    }
    return shells;
}

}  // namespace espalier
