// SPDX-License-Identifier: GPL-3.0-or-later
// Follows every triangle and every edge down the tree, cut by cut, together with the piece of it that is
// inside the cell, and asks of every cut that what lies beyond its thickness goes on to be listed there.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "builder/cell/clip.h"
#include "builder/cell/row.h"
#include "runtime/src/cell/codec.h"

namespace espalier {
namespace {

/// Clipping in double is off by less than this share of the largest coordinate; every query's margin is a
/// million times larger (pair_frame.cpp).
constexpr double kTolerance = 1e-11;

struct Piece {
    std::uint32_t id;
    ClippedPolygon polygon;
};

/// One kind of entry: triangles, or edges.
class CellCoverage {
  public:
    CellCoverage(const CellTreeView& tree, const std::uint32_t* entries, bool edges, std::size_t ids,
                 double tolerance, CheckItem& covered, CheckItem& once)
        : tree_(tree),
          entries_(entries),
          edges_(edges),
          tolerance_(tolerance),
          covered_(covered),
          once_(once) {
        for (auto& stamps : seen_) stamps.assign(ids, 0);
    }

    void run(std::vector<Piece> pieces) { visit(CellRange{0, tree_.unit_count}, std::move(pieces)); }

  private:
    /// Entries of all leaves below a node: they follow each other.
    std::pair<std::uint32_t, std::uint32_t> span_of(CellRange range) const {
        if (range.empty()) return {0, 0};
        const auto outermost = [&](unsigned first) {
            CellRange r = range;
            while (!r.leaf()) {
                const CellRange child = cell_child(tree_.nodes, r, first);
                r = child.empty() ? cell_child(tree_.nodes, r, 1 - first) : child;
            }
            return cell_leaf_lists(tree_.nodes, r);
        };
        const CellLists begin = outermost(0), end = outermost(1);
        return edges_ ? std::pair(begin.first_edge, end.first_edge + end.edge_count)
                      : std::pair(begin.first_triangle, end.first_triangle + end.triangle_count);
    }

    /// Marks what is listed below a node; the mark is new every time.
    std::uint32_t mark(const CellRange& range, unsigned side) {
        ++stamp_;
        const auto [begin, end] = span_of(range);
        for (std::uint32_t i = begin; i < end; ++i) seen_[side][entries_[i]] = stamp_;
        return stamp_;
    }

    void visit(const CellRange& range, std::vector<Piece> pieces) {
        covered_.count += pieces.size();
        if (range.leaf()) {
            test_leaf(range, pieces);
            return;
        }
        const CellNode& node = tree_.nodes[range.node];
        const int axis = static_cast<int>(cell_axis(node));
        const double end = double(left_end(cell_cut(node), tree_.delta));
        const double begin = double(right_begin(cell_cut(node), tree_.delta));
        const CellRange child[2] = {cell_child(tree_.nodes, range, 0), cell_child(tree_.nodes, range, 1)};
        const std::uint32_t stamp[2] = {mark(child[0], 0), mark(child[1], 1)};
        std::vector<Piece> below[2];
        for (Piece& piece : pieces) {
            const bool left = seen_[0][piece.id] == stamp[0], right = seen_[1][piece.id] == stamp[1];
            if (!left && extends_past(piece, axis, begin - tolerance_, false)) fail(piece.id, range.node);
            if (!right && extends_past(piece, axis, end + tolerance_, true)) fail(piece.id, range.node);
            if (left && right) {
                add(piece.id, clip_polygon(piece.polygon, axis, end, true), below[0]);
                add(piece.id, clip_polygon(piece.polygon, axis, begin, false), below[1]);
            } else if (left || right) {
                below[left ? 0 : 1].push_back(std::move(piece));
            }
        }
        pieces = {};
        for (unsigned i = 0; i < 2; ++i)
            if (!child[i].empty()) visit(child[i], std::move(below[i]));
    }

    void test_leaf(const CellRange& range, const std::vector<Piece>& pieces) {
        const auto [begin, end] = span_of(range);
        ++stamp_;
        for (std::uint32_t i = begin; i < end; ++i) {
            ++once_.count;
            if (seen_[0][entries_[i]] == stamp_)
                note(once_, entries_[i], "is listed twice in the leaf at unit " + std::to_string(range.node));
            seen_[0][entries_[i]] = stamp_;
        }
        for (const Piece& piece : pieces)
            if (seen_[0][piece.id] != stamp_) fail(piece.id, range.node);
    }

    static void add(std::uint32_t id, ClippedPolygon polygon, std::vector<Piece>& pieces) {
        if (!polygon.empty()) pieces.push_back({id, std::move(polygon)});
    }

    static bool extends_past(const Piece& piece, int axis, double bound, bool above) {
        return std::any_of(piece.polygon.begin(), piece.polygon.end(), [&](const Eigen::Vector3d& p) {
            return above ? p[axis] > bound : p[axis] < bound;
        });
    }

    void fail(std::uint32_t id, std::uint32_t unit) {
        note(covered_, id, "meets a cell below unit " + std::to_string(unit) + " that does not list it");
    }

    void note(CheckItem& item, std::uint32_t id, const std::string& what) const {
        if (item.ok)
            item.message =
                (edges_ ? "edge " + std::to_string(id % 3) + " of triangle " + std::to_string(id / 3)
                        : "triangle " + std::to_string(id)) +
                " " + what;
        item.ok = false;
    }

    const CellTreeView& tree_;
    const std::uint32_t* entries_;
    bool edges_;
    double tolerance_;
    CheckItem& covered_;
    CheckItem& once_;
    std::vector<std::uint32_t> seen_[2];
    std::uint32_t stamp_ = 0;
};

Eigen::Vector3d point(const float* p) {
    return {double(p[0]), double(p[1]), double(p[2])};
}

/// The name of every edge: the code under which the leaves list it. `item` fails where an edge has none or
/// two.
std::vector<std::uint32_t> listed_edges(const ShapeView& part, CheckItem& item) {
    constexpr std::uint32_t kUnlisted = ~0u;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> codes;
    const auto ends = [&](std::uint32_t code) {
        const CellEdge e = cell_edge(code);
        const std::uint32_t a = part.mesh.index(e.triangle, e.corner),
                            b = part.mesh.index(e.triangle, (e.corner + 1) % 3);
        return std::pair(std::min(a, b), std::max(a, b));
    };
    for (std::uint32_t code = 0; code < 3 * part.mesh.triangle_count; ++code) codes[ends(code)] = kUnlisted;
    const auto note = [&](std::uint32_t code, const char* what) {
        if (item.ok)
            item.message =
                "edge " + std::to_string(code % 3) + " of triangle " + std::to_string(code / 3) + what;
        item.ok = false;
    };
    for (std::uint32_t i = 0; i < part.cell.edge_entries; ++i) {
        std::uint32_t& code = codes[ends(part.cell.edges[i])];
        if (code != kUnlisted && code != part.cell.edges[i]) note(part.cell.edges[i], " has two names");
        code = part.cell.edges[i];
    }
    std::vector<std::uint32_t> listed;
    for (const auto& [vertices, code] : codes) {
        ++item.count;
        if (code == kUnlisted) {
            if (item.ok)
                item.message = "the edge of vertices " + std::to_string(vertices.first) + " and " +
                               std::to_string(vertices.second) + " is in no leaf";
            item.ok = false;
        } else {
            listed.push_back(code);
        }
    }
    return listed;
}

double tolerance_of(const ShapeView& part) {
    double largest = 0;
    for (int k = 0; k < 3; ++k)
        largest = std::max({largest, std::fabs(double(part.lo[k])), std::fabs(double(part.hi[k]))});
    return kTolerance * largest;
}

}  // namespace

std::vector<CheckItem> check_cell_tree(const ShapeView& part) {
    CheckItem bounds{"cell tree bounds are the part's", true, 1, ""};
    for (int k = 0; k < 3; ++k)
        bounds.ok = bounds.ok && part.cell.lo[k] <= part.lo[k] && part.cell.hi[k] >= part.hi[k];
    if (!bounds.ok) bounds.message = "the root's cell does not hold the part";
    CheckItem triangles{"cells list every triangle that they meet", true, 0, ""};
    CheckItem edges{"cells list every edge that they meet", true, 0, ""};
    CheckItem once{"cell tree leaves list nothing twice", true, 0, ""};
    CheckItem names{"cell tree edges have one name", true, 0, ""};
    const double tolerance = tolerance_of(part);
    std::vector<Piece> pieces;
    for (std::uint32_t t = 0; t < part.mesh.triangle_count; ++t)
        pieces.push_back(
            {t,
             {point(part.mesh.corner(t, 0)), point(part.mesh.corner(t, 1)), point(part.mesh.corner(t, 2))}});
    CellCoverage(part.cell, part.cell.triangles, false, part.mesh.triangle_count, tolerance, triangles, once)
        .run(std::move(pieces));
    pieces.clear();
    for (const std::uint32_t code : listed_edges(part, names)) {
        const CellEdge e = cell_edge(code);
        pieces.push_back({code,
                          {point(part.mesh.corner(e.triangle, e.corner)),
                           point(part.mesh.corner(e.triangle, (e.corner + 1) % 3))}});
    }
    CellCoverage(part.cell, part.cell.edges, true, std::size_t{3} * part.mesh.triangle_count, tolerance,
                 edges, once)
        .run(std::move(pieces));
    return {bounds, triangles, edges, once, names};
}

}  // namespace espalier
