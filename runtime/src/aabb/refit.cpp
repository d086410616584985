// SPDX-License-Identifier: MIT
// Refit in array order (van den Bergen 1998, section 4: children come after their parents, so walking the
// array backward is bottom up). Three passes: true boxes upward, quantized boxes downward, slabs upward.
#include "espalier/refit.h"

#include "quantize.h"

namespace espalier {
namespace {

/// Working memory of one node.
struct RefitNode {
    float lo[4][3], hi[4][3];  ///< true boxes of the children
    float normal[4][3];        ///< sums of their triangles' normals
    AabbVolume decoded;        ///< the node's own volume as queries will see it
};

class Refit {
  public:
    Refit(const ShapeView& part, AabbNode* nodes, RefitNode* work)
        : mesh_(part.mesh), tree_(part.aabb), nodes_(nodes), work_(work) {}

    void run(float* lo, float* hi) {
        for (std::uint32_t i = tree_.node_count; i-- > 0;) gather_boxes(i);
        unite(work_[0], tree_.nodes[0], lo, hi);
        AabbTreeView root = tree_;
        for (int k = 0; k < 3; ++k) {
            root.lo[k] = lo[k];
            root.hi[k] = hi[k];
        }
        work_[0].decoded = root_volume(root);
        for (std::uint32_t i = 0; i < tree_.node_count; ++i) quantize_boxes(i);
        for (std::uint32_t i = tree_.node_count; i-- > 0;) fit_slabs(i);
    }

  private:
    /// Box of all children of a node.
    static void unite(const RefitNode& work, const AabbNode& node, float* lo, float* hi) {
        bool first = true;
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (node.kind[lane] == kChildNone) continue;
            for (int k = 0; k < 3; ++k) {
                lo[k] = first || work.lo[lane][k] < lo[k] ? work.lo[lane][k] : lo[k];
                hi[k] = first || work.hi[lane][k] > hi[k] ? work.hi[lane][k] : hi[k];
            }
            first = false;
        }
    }

    void gather_boxes(std::uint32_t index) {
        const AabbNode& node = tree_.nodes[index];
        RefitNode& work = work_[index];
        for (unsigned lane = 0; lane < 4; ++lane) {
            const ChildPlace child = place_of_child(node, lane);
            float* normal = work.normal[lane];
            normal[0] = normal[1] = normal[2] = 0;
            if (child.kind == kChildNone) continue;
            if (child.kind == kChildInner) {
                const AabbNode& below = tree_.nodes[child.first];
                unite(work_[child.first], below, work.lo[lane], work.hi[lane]);
                for (unsigned j = 0; j < 4; ++j)
                    for (int k = 0; k < 3; ++k) normal[k] += work_[child.first].normal[j][k];
            } else {
                gather_leaf(child, work.lo[lane], work.hi[lane], normal);
            }
        }
    }

    void gather_leaf(const ChildPlace& leaf, float* lo, float* hi, float* normal) const {
        for (std::uint32_t i = 0; i < leaf.kind; ++i) {
            const std::uint32_t triangle = tree_.triangle_at(leaf.first + i);
            const float* p[3] = {mesh_.corner(triangle, 0), mesh_.corner(triangle, 1),
                                 mesh_.corner(triangle, 2)};
            for (int k = 0; k < 3; ++k) {
                for (int c = 0; c < 3; ++c) {
                    const bool first = i == 0 && c == 0;
                    lo[k] = first || p[c][k] < lo[k] ? p[c][k] : lo[k];
                    hi[k] = first || p[c][k] > hi[k] ? p[c][k] : hi[k];
                }
                const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
                normal[k] += (p[1][k1] - p[0][k1]) * (p[2][k2] - p[0][k2]) -
                             (p[1][k2] - p[0][k2]) * (p[2][k1] - p[0][k1]);
            }
        }
    }

    void quantize_boxes(std::uint32_t index) {
        AabbNode& node = nodes_[index];
        node = tree_.nodes[index];
        const RefitNode& work = work_[index];
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (node.kind[lane] == kChildNone) continue;
            quantize_box(work.lo[lane], work.hi[lane], work.decoded, lane, &node);
            const double direction[3] = {double(work.normal[lane][0]), double(work.normal[lane][1]),
                                         double(work.normal[lane][2])};
            quantize_direction(direction, lane, &node);
            if (node.kind[lane] == kChildInner)
                work_[place_of_child(node, lane).first].decoded = decode_child(node, work.decoded, lane);
        }
    }

    void fit_slabs(std::uint32_t index) {
        AabbNode& node = nodes_[index];
        const AabbVolume& own = work_[index].decoded;
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (node.kind[lane] == kChildNone) continue;
            const ChildPlace child = place_of_child(node, lane);
            const AabbVolume volume = decode_child(node, own, lane);
            const SlabFit fit =
                child.kind == kChildInner ? fit_below(child.first, volume) : fit_leaf(child, volume);
            quantize_slab(fit, circumradius_of(volume), lane, &node);
        }
    }

    SlabFit fit_leaf(const ChildPlace& leaf, const AabbVolume& volume) const {
        SlabFitter fitter(volume);
        for (std::uint32_t i = 0; i < leaf.kind; ++i)
            for (std::uint32_t c = 0; c < 3; ++c)
                fitter.add(mesh_.corner(tree_.triangle_at(leaf.first + i), c));
        return fitter.fit();
    }

    /// Slab around the slabs and boxes of a node's children: looser than a fit of all the triangles below,
    /// but constant work. A child reaches along the direction no farther than its box does, nor than its own
    /// interval times the cosine of the two directions plus its radius times the sine.
    SlabFit fit_below(std::uint32_t index, const AabbVolume& volume) const {
        const AabbNode& node = nodes_[index];
        SlabFit fit = box_fit(volume);
        double lo = 1e300, hi = -1e300;
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (node.kind[lane] == kChildNone) continue;
            const AabbVolume v = decode_child(node, work_[index].decoded, lane);
            double c = 0, offset = 0, box = 0;
            for (int k = 0; k < 3; ++k) {
                const double n = double(volume.normal[k]);
                c += n * double(v.normal[k]);
                offset +=
                    n * (double((v.lo[k] + v.hi[k]) * 0.5F) - double((volume.lo[k] + volume.hi[k]) * 0.5F));
                box += std::fabs(n) * double((v.hi[k] - v.lo[k]) * 0.5F) * (1 + 1e-6);
            }
            const double s2 = 1 - c * c;
            const double across = std::sqrt((s2 > 0 ? s2 : 0) + 1e-6) * double(v.radius);
            const double p = c * double(v.slab_lo), q = c * double(v.slab_hi);
            const double below = (p < q ? p : q) - across, above = (p < q ? q : p) + across;
            const double from = offset + (below > -box ? below : -box),
                         to = offset + (above < box ? above : box);
            lo = from < lo ? from : lo;
            hi = to > hi ? to : hi;
        }
        fit.lo = lo > fit.lo ? lo : fit.lo;
        fit.hi = hi < fit.hi ? hi : fit.hi;
        return fit;
    }

    MeshView mesh_;
    AabbTreeView tree_;
    AabbNode* nodes_;
    RefitNode* work_;
};

/// Coordinates up to this keep every product of the refit within float's range; a bake accepts no more
/// either.
constexpr float kLargestCoordinate = 1e15F;

bool usable_positions(const float* positions, std::size_t count) {
    bool usable = true;
    for (std::size_t i = 0; i < count; ++i)
        usable &= positions[i] >= -kLargestCoordinate && positions[i] <= kLargestCoordinate;
    return usable;
}

}  // namespace

std::size_t refit_scratch_size(const ShapeView& part) {
    return std::size_t{part.aabb.node_count} * sizeof(RefitNode);
}

Status refit(const ShapeView& part, const float* positions, AabbNode* nodes, void* scratch,
             std::size_t scratch_size, ShapeView* refitted) {
    if (!part.aabb.nodes) return Status::kNoTree;
    if (!positions || !nodes || !scratch || !refitted) return Status::kInvalidArgument;
    if (scratch_size < refit_scratch_size(part)) return Status::kBufferFull;
    if (!usable_positions(positions, std::size_t{3} * part.mesh.vertex_count))
        return Status::kInvalidArgument;
    ShapeView result;
    result.name = part.name;
    result.closed = part.closed;
    result.mesh = part.mesh;
    result.mesh.positions = positions;
    result.aabb = part.aabb;
    for (int k = 0; k < 3; ++k) result.origin[k] = part.origin[k];
    Refit(result, nodes, static_cast<RefitNode*>(scratch)).run(result.aabb.lo, result.aabb.hi);
    result.aabb.nodes = nodes;
    for (int k = 0; k < 3; ++k) {
        result.lo[k] = result.aabb.lo[k];
        result.hi[k] = result.aabb.hi[k];
    }
    *refitted = result;
    return Status::kOk;
}

}  // namespace espalier
