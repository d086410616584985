// SPDX-License-Identifier: GPL-3.0-or-later
// Quantizes a split tree outward into the stored nodes and fits the slabs. Every byte is chosen by decoding
// it with the runtime's own functions, so containment holds for what queries see.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "builder/aabb/build_node.h"
#include "runtime/src/aabb/quantize.h"

namespace espalier {
namespace {

/// Slabs of larger ranges would never reject anything that the boxes do not.
constexpr std::uint32_t kSlabTriangles = 8192;
constexpr std::uint32_t kTaskTriangles = 4096;

class Emitter {
  public:
    Emitter(const TriangleMesh& mesh, const std::vector<TriangleBounds>& boxes, AabbTree& tree)
        : mesh_(mesh), boxes_(boxes), tree_(tree) {}

    /// Writes node `index` and its subtree; `next_node` and `next_triangle` are where its descendants begin.
    void emit(const BuildNode& build, const AabbVolume& volume, std::uint32_t index, std::uint32_t next_node,
              std::uint32_t next_triangle) {
        AabbNode& node = tree_.nodes[index];
        node = AabbNode{};
        node.first_child = next_node;
        node.first_triangle = next_triangle;
        std::uint32_t inner = 0;
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (lane >= build.child_count) {
                quantize_absent(lane, &node);
                continue;
            }
            const BuildChild& child = build.children[lane];
            quantize_box(child.box.min().data(), child.box.max().data(), volume, lane, &node);
            fit_slab(child, volume, lane, node);
            if (child.node) {
                node.kind[lane] = kChildInner;
                ++inner;
            } else {
                node.kind[lane] = static_cast<std::uint8_t>(child.count());
                for (std::uint32_t i = child.begin; i < child.end; ++i)
                    tree_.order[next_triangle++] = boxes_[i].triangle;
            }
        }
        emit_children(build, volume, node, next_node + inner, next_triangle);
    }

  private:
    void emit_children(const BuildNode& build, const AabbVolume& volume, const AabbNode& node,
                       std::uint32_t next_node, std::uint32_t next_triangle) {
        struct Place {
            std::uint32_t index, next_node, next_triangle;
        };
        std::array<Place, 4> places{};
        std::uint32_t index = node.first_child;
        std::uint32_t total = 0;
        for (unsigned lane = 0; lane < build.child_count; ++lane) {
            const BuildChild& child = build.children[lane];
            total += child.count();
            if (!child.node) continue;
            places[lane] = {index++, next_node, next_triangle};
            next_node += child.node->subtree_nodes - 1;
            next_triangle += child.count();
        }
        const auto emit_child = [&](unsigned lane) {
            if (!build.children[lane].node) return;
            const Place& p = places[lane];
            emit(*build.children[lane].node, decode_child(node, volume, lane), p.index, p.next_node,
                 p.next_triangle);
        };
        if (total < kTaskTriangles)
            for (unsigned lane = 0; lane < build.child_count; ++lane) emit_child(lane);
        else
            tbb::parallel_for(0u, build.child_count, emit_child);
    }

    /// Chooses the thinnest of a few directions. A slab holds for whatever direction the bytes decode to.
    void fit_slab(const BuildChild& child, const AabbVolume& parent, unsigned lane, AabbNode& node) const {
        std::array<Eigen::Vector3d, 5> directions = {Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY(),
                                                     Eigen::Vector3d::UnitZ()};
        std::size_t count = 3;
        const bool box_only = child.count() > kSlabTriangles;
        if (!box_only) add_mean_normals(child, directions, &count);
        double thinnest = 0;
        AabbNode trial = node;
        bool chosen = false;
        for (std::size_t i = count; i-- > 0;) {
            quantize_direction(directions[i].data(), lane, &trial);
            const AabbVolume decoded = decode_child(trial, parent, lane);
            const SlabFit fit = box_only || i < 3 ? box_fit(decoded) : fit_corners(child, decoded);
            if (chosen && fit.hi - fit.lo >= thinnest) continue;
            chosen = true;
            thinnest = fit.hi - fit.lo;
            quantize_slab(fit, circumradius_of(decoded), lane, &trial);
            node = trial;
        }
    }

    /// Area-weighted mean normal, and the same with normals flipped to the largest triangle's side: thin
    /// sheets and soups have no consistent orientation.
    void add_mean_normals(const BuildChild& child, std::array<Eigen::Vector3d, 5>& directions,
                          std::size_t* count) const {
        Eigen::Vector3d mean = Eigen::Vector3d::Zero(), aligned = Eigen::Vector3d::Zero(),
                        largest = Eigen::Vector3d::Zero();
        for (std::uint32_t i = child.begin; i < child.end; ++i) {
            const Eigen::Vector3d n = normal(boxes_[i].triangle);
            mean += n;
            if (n.squaredNorm() > largest.squaredNorm()) largest = n;
        }
        for (std::uint32_t i = child.begin; i < child.end; ++i) {
            const Eigen::Vector3d n = normal(boxes_[i].triangle);
            aligned += n.dot(largest) < 0 ? Eigen::Vector3d(-n) : n;
        }
        if (mean.squaredNorm() > 0) directions[(*count)++] = mean;
        if (aligned != mean && aligned.squaredNorm() > 0) directions[(*count)++] = aligned;
    }

    Eigen::Vector3d normal(std::uint32_t triangle) const {
        const Eigen::Vector3d a = mesh_.corner(triangle, 0);
        return (mesh_.corner(triangle, 1) - a).cross(mesh_.corner(triangle, 2) - a);
    }

    SlabFit fit_corners(const BuildChild& child, const AabbVolume& volume) const {
        SlabFitter fitter(volume);
        for (std::uint32_t i = child.begin; i < child.end; ++i)
            for (const std::uint32_t corner : mesh_.triangles[boxes_[i].triangle])
                fitter.add(mesh_.positions[corner].data());
        return fitter.fit();
    }

    const TriangleMesh& mesh_;
    const std::vector<TriangleBounds>& boxes_;
    AabbTree& tree_;
};

}  // namespace

AabbTree emit_aabb_tree(const TriangleMesh& mesh, const BuildNode& root,
                        const std::vector<TriangleBounds>& boxes) {
    AabbTree tree;
    Eigen::AlignedBox3f box;
    for (const BuildChild& child : root.children) box.extend(child.box);
    tree.lo = box.min();
    tree.hi = box.max();
    tree.depth = root.depth;
    tree.nodes.resize(root.subtree_nodes);
    tree.order.resize(boxes.size());
    AabbTreeView view;
    for (int k = 0; k < 3; ++k) {
        view.lo[k] = tree.lo[k];
        view.hi[k] = tree.hi[k];
    }
    Emitter(mesh, boxes, tree).emit(root, root_volume(view), 0, 1, 0);
    return tree;
}

}  // namespace espalier
