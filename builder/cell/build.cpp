// SPDX-License-Identifier: GPL-3.0-or-later
// Top-down construction of the BoxTree (Zachmann 1997, "Constructing the BoxTree"). Entries carry the bounds
// of what lies inside their cell, rounded outward, so that a cell lists only what meets it; every cell is
// derived with the runtime's own functions, so what is proved of it here holds in every query.
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "builder/cell/clip.h"
#include "builder/cell/cut.h"

namespace espalier {
namespace {

/// Cells with fewer entries are not worth a task.
constexpr std::size_t kTaskEntries = 4096;
/// What clipping in double may be off by, in the largest coordinate; far below float's rounding.
constexpr double kClipSlack = 1e-12;

struct Contents {
    std::vector<CellEntry> triangles, edges;
    bool empty() const { return triangles.empty() && edges.empty(); }
};

/// A cell of the growing tree. Neither children nor lists: an empty cell.
struct Cell {
    CellCut cut;
    std::unique_ptr<Cell> child[2];
    std::vector<std::uint32_t> triangles, edges;

    bool inner() const { return child[0] || child[1]; }
};

class CellTreeBuilder {
  public:
    CellTreeBuilder(const TriangleMesh& mesh, const CellTreeOptions& options, float delta, double slack,
                    Progress& progress)
        : mesh_(mesh), options_(options), delta_(delta), slack_(slack), progress_(progress) {}

    /// Null for an empty cell. `levels` balanced cuts may still lie on a path from here, and `room` cuts at
    /// all.
    std::unique_ptr<Cell> build(Contents contents, const CellVolume& volume, std::uint32_t levels,
                                std::uint32_t room) const {
        if (contents.empty()) return nullptr;
        auto cell = std::make_unique<Cell>();
        std::optional<CellCut> cut;
        // Chipping off an empty cell uses up no level, but must leave room for those that are due. Cells that
        // are to become leaves are trimmed as well.
        if (options_.empty_share < 1 && room > levels && !contents.triangles.empty())
            cut = empty_cut(contents.triangles, volume, delta_, options_.empty_share);
        const bool chipped = cut.has_value();
        const bool small = levels == 0 || contents.triangles.size() <= options_.min_triangles;
        if (!cut && !small && !progress_.cancelled())
            cut = balanced_cut(contents.triangles, volume, delta_, options_.gamma, options_.lambda);
        if (!cut) {
            fill_leaf(contents, *cell);
            return cell;
        }
        cell->cut = *cut;
        const std::size_t size = contents.triangles.size() + contents.edges.size();
        std::array<Contents, 2> parts;
        std::array<CellVolume, 2> volumes;
        divide(contents, volume, *cut, parts, volumes);
        contents = Contents();
        const auto build_child = [&](unsigned i) {
            cell->child[i] = build(std::move(parts[i]), volumes[i], chipped ? levels : levels - 1, room - 1);
        };
        if (size < kTaskEntries) {
            build_child(0);
            build_child(1);
        } else {
            tbb::parallel_invoke([&] { build_child(0); }, [&] { build_child(1); });
        }
        return cell;
    }

    CellEntry triangle_entry(std::uint32_t triangle) const {
        return whole(triangle, triangle_corners(triangle));
    }
    CellEntry edge_entry(std::uint32_t edge) const { return whole(edge, edge_corners(edge)); }

  private:
    std::array<Eigen::Vector3d, 3> triangle_corners(std::uint32_t triangle) const {
        return {mesh_.corner(triangle, 0), mesh_.corner(triangle, 1), mesh_.corner(triangle, 2)};
    }
    std::array<Eigen::Vector3d, 2> edge_corners(std::uint32_t edge) const {
        const CellEdge e = cell_edge(edge);
        return {mesh_.corner(e.triangle, e.corner), mesh_.corner(e.triangle, (e.corner + 1) % 3)};
    }

    template <std::size_t kCorners>
    static CellEntry whole(std::uint32_t id, const std::array<Eigen::Vector3d, kCorners>& corners) {
        Eigen::Vector3d lo = corners[0], hi = lo;
        for (const Eigen::Vector3d& p : corners) {
            lo = lo.cwiseMin(p);
            hi = hi.cwiseMax(p);
        }
        return {lo.cast<float>(), hi.cast<float>(), id};  // corners are floats: nothing is rounded
    }

    static void fill_leaf(const Contents& contents, Cell& cell) {
        for (const CellEntry& entry : contents.triangles) cell.triangles.push_back(entry.id);
        for (const CellEntry& entry : contents.edges) cell.edges.push_back(entry.id);
    }

    void divide(const Contents& contents, const CellVolume& volume, const CellCut& cut,
                std::array<Contents, 2>& parts, std::array<CellVolume, 2>& volumes) const {
        for (unsigned i = 0; i < 2; ++i) volumes[i] = child_cell(node_of(cut, 0), delta_, volume, i);
        for (const CellEntry& entry : contents.triangles)
            distribute(
                entry, cut, volumes, [&] { return triangle_corners(entry.id); },
                [&](unsigned i) -> std::vector<CellEntry>& { return parts[i].triangles; });
        for (const CellEntry& entry : contents.edges)
            distribute(
                entry, cut, volumes, [&] { return edge_corners(entry.id); },
                [&](unsigned i) -> std::vector<CellEntry>& { return parts[i].edges; });
    }

    template <class Corners, class Part>
    void distribute(const CellEntry& entry, const CellCut& cut, const std::array<CellVolume, 2>& volumes,
                    Corners corners, Part part) const {
        const CellSide side = side_of(entry.lo[cut.axis], entry.hi[cut.axis], cut.at, delta_);
        if (side != CellSide::kBoth) {
            part(side == CellSide::kLeft ? 0 : 1).push_back(entry);
            return;
        }
        for (unsigned i = 0; i < 2; ++i) {
            CellEntry piece = entry;
            if (!clipped_bounds(corners(), volumes[i], slack_, &piece.lo, &piece.hi)) continue;
            piece.lo = piece.lo.cwiseMax(entry.lo);
            piece.hi = piece.hi.cwiseMin(entry.hi);
            if ((piece.lo.array() <= piece.hi.array()).all()) part(i).push_back(piece);
        }
    }

  public:
    /// The unit of an inner node whose left subtree has `left` units.
    static CellNode node_of(const CellCut& cut, std::uint32_t left) {
        CellNode node;
        std::memcpy(&node.first, &cut.at, sizeof(node.first));
        node.second = cut.axis << 30 | left;
        return node;
    }

  private:
    const TriangleMesh& mesh_;
    const CellTreeOptions& options_;
    float delta_;
    double slack_;
    Progress& progress_;
};

/// Writes a subtree in preorder; returns its depth.
std::uint32_t emit(const Cell* cell, CellTree& tree) {
    if (!cell) return 0;
    if (!cell->inner()) {
        const auto entries = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
        tree.nodes.push_back({entries(tree.triangles.size()), entries(cell->triangles.size())});
        tree.nodes.push_back({entries(tree.edges.size()), entries(cell->edges.size())});
        tree.triangles.insert(tree.triangles.end(), cell->triangles.begin(), cell->triangles.end());
        tree.edges.insert(tree.edges.end(), cell->edges.begin(), cell->edges.end());
        return 0;
    }
    const std::size_t at = tree.nodes.size();
    tree.nodes.emplace_back();
    const std::uint32_t left_depth = emit(cell->child[0].get(), tree);
    tree.nodes[at] =
        CellTreeBuilder::node_of(cell->cut, static_cast<std::uint32_t>(tree.nodes.size() - at - 1));
    return 1 + std::max(left_depth, emit(cell->child[1].get(), tree));
}

/// Triangles by their first leaf: what is queried together lies together.
std::vector<std::uint32_t> first_leaf_order(const std::vector<std::uint32_t>& lists, std::size_t count) {
    std::vector<std::uint32_t> order;
    order.reserve(count);
    std::vector<bool> seen(count, false);
    for (const std::uint32_t triangle : lists) {
        if (seen[triangle]) continue;
        seen[triangle] = true;
        order.push_back(triangle);
    }
    return order;
}

CellTreeOptions clamped(CellTreeOptions options, std::size_t triangles) {
    if (options.depth == 0) options.depth = default_cell_depth(triangles);
    options.depth = std::min(options.depth, kMaxCellDepth);
    options.min_triangles = std::max(options.min_triangles, 1u);
    options.gamma = std::max(options.gamma, 0.0);
    options.empty_share = std::clamp(options.empty_share, 0.0, 1.0);
    options.lambda = std::clamp(options.lambda, 0.0, 1.0);
    options.delta = std::clamp(options.delta, 0.0, 0.01);
    return options;
}

}  // namespace

std::uint32_t default_cell_depth(std::uint64_t triangles) {
    constexpr std::uint64_t kTable[] = {100, 300, 700, 1300, 2000, 3000};
    std::uint32_t depth = 4;
    for (const std::uint64_t most : kTable) {
        if (triangles <= most) return depth;
        ++depth;
    }
    for (std::uint64_t most = 6000; triangles > most; most *= 2) ++depth;
    return std::min(depth, kMaxCellDepth);
}

CellTree build_cell_tree(const TriangleMesh& mesh, const CellTreeOptions& options, Progress& progress) {
    progress.begin_stage("cell tree", 1);
    CellTree tree;
    tree.lo = tree.hi = mesh.positions.front();
    for (const Eigen::Vector3f& p : mesh.positions) {
        tree.lo = tree.lo.cwiseMin(p);
        tree.hi = tree.hi.cwiseMax(p);
    }
    const CellTreeOptions used = clamped(options, mesh.triangles.size());
    tree.delta = static_cast<float>(used.delta * double((tree.hi - tree.lo).maxCoeff()));
    const double reach = double(std::max(tree.lo.cwiseAbs().maxCoeff(), tree.hi.cwiseAbs().maxCoeff()));
    const CellTreeBuilder builder(mesh, used, tree.delta, kClipSlack * reach, progress);
    Contents all;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        all.triangles.push_back(builder.triangle_entry(t));
    for (const std::uint32_t edge : unique_edges(mesh)) all.edges.push_back(builder.edge_entry(edge));
    CellVolume root;
    for (int k = 0; k < 3; ++k) {
        root.lo[k] = tree.lo[k];
        root.hi[k] = tree.hi[k];
    }
    const std::unique_ptr<Cell> cells = builder.build(std::move(all), root, used.depth, kMaxCellDepth);
    if (progress.cancelled()) return CellTree();
    tree.depth = emit(cells.get(), tree);
    tree.order = first_leaf_order(tree.triangles, mesh.triangles.size());
    progress.advance();
    return tree;
}

}  // namespace espalier
