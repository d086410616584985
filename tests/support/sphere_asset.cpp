// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sphere_asset.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>

#include "builder/aabb/row.h"
#include "builder/asset/write_asset.h"
#include "builder/base/progress.h"
#include "builder/box/row.h"
#include "builder/surface/connected_pieces.h"
#include "espalier_generated.h"
#include "runtime/src/triangle/triangle_pair.h"
#include "tests/support/baked_mesh.h"

namespace espalier::testing {
namespace {

namespace fb = flatbuffers;

Triangle3 triangle_of(const TriangleMesh& mesh, std::size_t i) {
    Triangle3 t;
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) t.p[c][k] = mesh.corner(i, static_cast<std::size_t>(c))[k];
    return t;
}

double distance_to(const TriangleMesh& mesh, const Eigen::Vector3d& q) {
    double least = INFINITY;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        Eigen::Vector3d nearest;
        closest_point_on_triangle(triangle_of(mesh, i), q.data(), nearest.data());
        least = std::min(least, (nearest - q).norm());
    }
    return least;
}

/// Sum of the triangles' solid angles (van Oosterom and Strackee 1983) in turns.
double winding(const TriangleMesh& mesh, const Eigen::Vector3d& q) {
    double sum = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Eigen::Vector3d a = mesh.corner(i, 0) - q, b = mesh.corner(i, 1) - q, c = mesh.corner(i, 2) - q;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        sum += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return sum / (2 * M_PI);
}

float up(double x) {
    return static_cast<float>(x * (1 + 1e-6));
}

/// A bound of the distance from the solid of any point of a ball: the radius and the centre's distance, less
/// the depth of a centre that lies inside.
float error_of(const TriangleMesh& mesh, const SphereNode& s, bool closed) {
    const Eigen::Vector3d center(double(s.center[0]), double(s.center[1]), double(s.center[2]));
    const double distance = distance_to(mesh, center);
    const double radius = double(s.radius);
    if (closed && std::fabs(winding(mesh, center)) > 0.5)
        return up(std::max(0.0, radius - distance * (1 - 1e-9)));
    return up(radius + distance);
}

/// Octants of one level: cells of a grid over the cube around the mesh.
using Cell = std::array<std::uint32_t, 3>;

struct Grid {
    Eigen::Vector3d lo;
    double side = 0;

    SphereNode sphere(const Cell& cell, std::uint32_t level) const {
        const double step = std::ldexp(side, -static_cast<int>(level));
        SphereNode s;
        Eigen::Vector3d center;
        for (int k = 0; k < 3; ++k) center[k] = lo[k] + (cell[static_cast<std::size_t>(k)] + 0.5) * step;
        for (int k = 0; k < 3; ++k) s.center[k] = static_cast<float>(center[k]);
        const double extent = center.cwiseAbs().maxCoeff() + side;
        s.radius = up(std::sqrt(3.0) / 2 * step + 4e-7 * extent);
        return s;
    }
};

Grid grid_of(const TriangleMesh& mesh) {
    Eigen::Vector3d lo = mesh.corner(0, 0), hi = lo;
    for (const Eigen::Vector3f& p : mesh.positions) {
        lo = lo.cwiseMin(p.cast<double>());
        hi = hi.cwiseMax(p.cast<double>());
    }
    Grid grid;
    grid.side = (hi - lo).maxCoeff() * 1.001 + 1e-30;
    grid.lo = (lo + hi) / 2 - Eigen::Vector3d::Constant(grid.side / 2);
    return grid;
}

bool ball_meets(const TriangleMesh& mesh, std::size_t triangle, const SphereNode& s) {
    const double center[3] = {double(s.center[0]), double(s.center[1]), double(s.center[2])};
    double nearest[3];
    closest_point_on_triangle(triangle_of(mesh, triangle), center, nearest);
    const double d = std::hypot(nearest[0] - center[0], nearest[1] - center[1], nearest[2] - center[2]);
    return d <= double(s.radius) * (1 + 1e-9);
}

/// Does a triangle come near an octant? By boxes and the octant's sphere: more octants than needed only make
/// a larger tree.
bool occupied(const TriangleMesh& mesh, std::size_t triangle, const Grid& grid, const Cell& cell,
              std::uint32_t level) {
    const double step = std::ldexp(grid.side, -static_cast<int>(level)), grown = 1e-6 * grid.side;
    for (int k = 0; k < 3; ++k) {
        double lo = INFINITY, hi = -INFINITY;
        for (std::size_t c = 0; c < 3; ++c) {
            lo = std::min(lo, mesh.corner(triangle, c)[k]);
            hi = std::max(hi, mesh.corner(triangle, c)[k]);
        }
        const double begin = grid.lo[k] + cell[static_cast<std::size_t>(k)] * step;
        if (hi < begin - grown || lo > begin + step + grown) return false;
    }
    return ball_meets(mesh, triangle, grid.sphere(cell, level));
}

struct Occupied {
    Cell cell;
    std::vector<std::uint32_t> triangles;
};

std::vector<Occupied> children_of(const TriangleMesh& mesh, const Grid& grid, const Occupied& parent,
                                  std::uint32_t level) {
    std::vector<Occupied> children;
    for (std::uint32_t octant = 0; octant < 8; ++octant) {
        Occupied child;
        for (std::uint32_t k = 0; k < 3; ++k) child.cell[k] = 2 * parent.cell[k] + (octant >> k & 1u);
        for (const std::uint32_t t : parent.triangles)
            if (occupied(mesh, t, grid, child.cell, level)) child.triangles.push_back(t);
        if (!child.triangles.empty()) children.push_back(std::move(child));
    }
    // A triangle may come near an octant and near none of its children; every inner sphere has a child.
    if (children.empty())
        children.push_back({{2 * parent.cell[0], 2 * parent.cell[1], 2 * parent.cell[2]}, parent.triangles});
    return children;
}

void add_level(HandSphereTree& tree, const TriangleMesh& mesh, const Grid& grid,
               const std::vector<Occupied>& cells, std::uint32_t level, bool closed) {
    SphereLevelNode node{};
    node.first = static_cast<std::uint32_t>(tree.spheres.size());
    node.count = static_cast<std::uint32_t>(cells.size());
    for (const Occupied& o : cells) {
        tree.spheres.push_back(grid.sphere(o.cell, level));
        tree.errors.push_back(error_of(mesh, tree.spheres.back(), closed));
        node.error_max = std::max(node.error_max, tree.errors.back());
        node.error_mean += tree.errors.back() / static_cast<float>(cells.size());
    }
    tree.levels.push_back(node);
}

bool balls_meet(const SphereNode& a, const SphereNode& b) {
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = double(a.center[k]) - double(b.center[k]);
        squared += d * d;
    }
    const double radii = double(a.radius) + double(b.radius);
    return squared <= radii * radii;
}

/// Spheres of the next level that meet each sphere and that `keep(sphere, child)`, as ends and list.
template <class Keep>
void list_meeting(const HandSphereTree& tree, std::vector<std::uint32_t>& ends,
                  std::vector<std::uint32_t>& list, Keep keep) {
    for (std::size_t l = 0; l + 1 < tree.levels.size(); ++l)
        for (std::uint32_t k = 0; k < tree.levels[l].count; ++k) {
            const std::uint32_t i = tree.levels[l].first + k;
            const SphereLevelNode& next = tree.levels[l + 1];
            for (std::uint32_t j = next.first; j < next.first + next.count; ++j)
                if (balls_meet(tree.spheres[i], tree.spheres[j]) && keep(i, j)) list.push_back(j);
            ends.push_back(static_cast<std::uint32_t>(list.size()));
        }
}

/// Children by overlap instead of by octant.
void make_dag(HandSphereTree& tree) {
    tree.dag = true;
    tree.child_ends.clear();
    list_meeting(tree, tree.child_ends, tree.child_list, [](std::uint32_t, std::uint32_t) { return true; });
}

/// Children by octant, and those of others by overlap.
void share_children(HandSphereTree& tree) {
    const auto of_another = [&](std::uint32_t i, std::uint32_t j) {
        return j < (i == 0 ? 1u : tree.child_ends[i - 1]) || j >= tree.child_ends[i];
    };
    list_meeting(tree, tree.shared_ends.emplace(), tree.shared_list.emplace(), of_another);
}

fb::Offset<fb::Vector<std::uint32_t>> written(fb::FlatBufferBuilder& builder,
                                              const std::optional<std::vector<std::uint32_t>>& values) {
    return values ? builder.CreateVector(*values) : fb::Offset<fb::Vector<std::uint32_t>>();
}

std::vector<schema::Box> boxes(const std::vector<StoredBox>& stored) {
    std::vector<schema::Box> result;
    for (const StoredBox& b : stored)
        result.emplace_back(schema::Vec3(b.lo[0], b.lo[1], b.lo[2]), schema::Vec3(b.hi[0], b.hi[1], b.hi[2]));
    return result;
}

fb::Offset<schema::SphereTree> write_tree(fb::FlatBufferBuilder& builder, const HandSphereTree& tree) {
    builder.ForceVectorAlignment(tree.spheres.size(), sizeof(SphereNode), 64);
    const auto spheres = builder.CreateVectorOfStructs(
        reinterpret_cast<const schema::SphereNode*>(tree.spheres.data()), tree.spheres.size());
    const auto levels = builder.CreateVectorOfStructs(
        reinterpret_cast<const schema::SphereLevel*>(tree.levels.data()), tree.levels.size());
    const auto errors = builder.CreateVector(tree.errors);
    const auto child_ends = builder.CreateVector(tree.child_ends);
    const auto child_list =
        tree.dag ? builder.CreateVector(tree.child_list) : fb::Offset<fb::Vector<std::uint32_t>>();
    const auto leaf_ends = builder.CreateVector(tree.leaf_ends);
    const auto triangles = builder.CreateVector(tree.leaf_triangles);
    const auto shared_ends = written(builder, tree.shared_ends);
    const auto shared_list = written(builder, tree.shared_list);
    const auto shells = builder.CreateVectorOfStructs(boxes(tree.shells));
    schema::SphereTreeBuilder table(builder);
    table.add_spheres(spheres);
    table.add_errors(errors);
    table.add_levels(levels);
    table.add_child_ends(child_ends);
    if (tree.dag) table.add_child_list(child_list);
    table.add_leaf_ends(leaf_ends);
    table.add_leaf_triangles(triangles);
    table.add_coverage(tree.coverage);
    table.add_proved(tree.proved);
    table.add_solid(tree.solid);
    table.add_gap(tree.gap);
    table.add_filling(tree.filling);
    table.add_branch(8);
    table.add_method(2);
    if (!tree.shells.empty()) table.add_shells(shells);
    if (tree.shared_ends) table.add_shared_ends(shared_ends);
    if (tree.shared_list) table.add_shared_list(shared_list);
    return table.Finish();
}

/// A vector of another buffer, copied.
template <class T>
fb::Offset<fb::Vector<T>> copied(fb::FlatBufferBuilder& builder, const fb::Vector<T>* from) {
    return from ? builder.CreateVector(from->data(), from->size()) : fb::Offset<fb::Vector<T>>();
}

template <class T>
fb::Offset<fb::Vector<const T*>> copied_structs(fb::FlatBufferBuilder& builder,
                                                const fb::Vector<const T*>* from, std::size_t alignment) {
    builder.ForceVectorAlignment(from->size(), sizeof(T), alignment);
    if (from->size() == 0) builder.Align(alignment);
    return builder.CreateVectorOfStructs(reinterpret_cast<const T*>(from->Data()), from->size());
}

fb::Offset<schema::AabbTree> copied_aabb(fb::FlatBufferBuilder& builder, const schema::AabbTree& from) {
    const auto nodes = copied_structs(builder, from.nodes(), 64);
    schema::AabbTreeBuilder table(builder);
    table.add_bounds(from.bounds());
    table.add_depth(from.depth());
    table.add_nodes(nodes);
    return table.Finish();
}

fb::Offset<schema::BoxTree> copied_box(fb::FlatBufferBuilder& builder, const schema::BoxTree& from) {
    const auto nodes = copied_structs(builder, from.nodes(), 64);
    const auto order = copied(builder, from.triangle_order());
    schema::BoxTreeBuilder table(builder);
    table.add_bounds(from.bounds());
    table.add_depth(from.depth());
    table.add_leaf_triangles(from.leaf_triangles());
    table.add_nodes(nodes);
    if (!order.IsNull()) table.add_triangle_order(order);
    return table.Finish();
}

/// The mesh as a part stores it.
TriangleMesh stored_mesh(const schema::Shape& part) {
    TriangleMesh mesh;
    for (const schema::Vec3* p : *part.positions()) mesh.positions.emplace_back(p->x(), p->y(), p->z());
    const std::size_t indices = part.indices16() ? part.indices16()->size() : part.indices32()->size();
    const auto index = [&](std::size_t i) {
        const auto at = static_cast<fb::uoffset_t>(i);
        return part.indices16() ? std::uint32_t{part.indices16()->Get(at)} : part.indices32()->Get(at);
    };
    for (std::size_t i = 0; i < indices; i += 3)
        mesh.triangles.push_back({index(i), index(i + 1), index(i + 2)});
    return mesh;
}

fb::Offset<schema::Shape> copied_part(fb::FlatBufferBuilder& builder, const schema::Shape& from,
                                      const HandSphereOptions& options) {
    const TriangleMesh mesh = stored_mesh(from);
    fb::Offset<schema::SphereTree> sphere;
    if (options.sphere) {
        HandSphereTree tree = octree_spheres(mesh, options);
        if (options.change) options.change(tree);
        sphere = write_tree(builder, tree);
    }
    const auto aabb =
        from.aabb_tree() ? copied_aabb(builder, *from.aabb_tree()) : fb::Offset<schema::AabbTree>();
    const auto box = from.box_tree() ? copied_box(builder, *from.box_tree()) : fb::Offset<schema::BoxTree>();
    const auto positions = copied_structs(builder, from.positions(), 4);
    const auto narrow = copied(builder, from.indices16());
    const auto wide = copied(builder, from.indices32());
    schema::ShapeBuilder table(builder);
    table.add_origin(from.origin());
    table.add_bounds(from.bounds());
    table.add_positions(positions);
    if (!narrow.IsNull()) table.add_indices16(narrow);
    if (!wide.IsNull()) table.add_indices32(wide);
    table.add_closed(options.closed && options.caps.empty());
    if (!aabb.IsNull()) table.add_aabb_tree(aabb);
    if (!box.IsNull()) table.add_box_tree(box);
    if (!sphere.IsNull()) table.add_sphere_tree(sphere);
    return table.Finish();
}

}  // namespace

HandSphereTree octree_spheres(const TriangleMesh& mesh, const HandSphereOptions& options) {
    const Grid grid = grid_of(mesh);
    HandSphereTree tree;
    tree.proved = options.proved;
    tree.solid = !options.caps.empty() ? 2 : options.closed ? 0 : 1;
    tree.gap = options.gap;
    tree.filling = options.filling;
    TriangleMesh solid = mesh;
    solid.triangles.insert(solid.triangles.end(), options.caps.begin(), options.caps.end());
    std::vector<Occupied> cells(1);
    cells[0].cell = {0, 0, 0};
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) cells[0].triangles.push_back(t);
    add_level(tree, solid, grid, cells, 0, options.closed);
    for (std::uint32_t level = 1; level < options.levels; ++level) {
        std::vector<Occupied> next;
        for (const Occupied& parent : cells) {
            for (Occupied& child : children_of(mesh, grid, parent, level)) next.push_back(std::move(child));
            tree.child_ends.push_back(static_cast<std::uint32_t>(tree.spheres.size() + next.size()));
        }
        cells = std::move(next);
        add_level(tree, solid, grid, cells, level, options.closed);
    }
    for (std::uint32_t i = tree.levels.back().first; i < tree.spheres.size(); ++i) {
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
            if (ball_meets(mesh, t, tree.spheres[i])) tree.leaf_triangles.push_back(t);
        tree.leaf_ends.push_back(static_cast<std::uint32_t>(tree.leaf_triangles.size()));
    }
    if (options.dag) make_dag(tree);
    if (options.share) share_children(tree);
    // Leaf lists, children and errors stay as they are: they hold for the larger spheres.
    for (SphereNode& s : tree.spheres) s.radius = std::max(0.0F, s.radius - options.gap * (1.0F - 1e-5F));
    if (options.shells) tree.shells = connected_pieces(mesh);
    return tree;
}

std::vector<std::uint8_t> sphere_asset(const TriangleMesh& mesh, const HandSphereOptions& options) {
    Progress progress;
    AssetContents contents;
    BakedShape& part = contents.shapes.emplace_back();
    part.mesh = mesh;
    part.origin = options.origin;
    part.closed = options.closed && options.caps.empty();
    if (options.aabb) {
        part.trees.push_back(built_tree(build_aabb_tree(mesh, {}, progress)));
        part.trees.push_back(built_tree(build_box_tree(mesh, {}, progress)));
    }
    const std::vector<std::uint8_t> plain = write_asset(contents).value();
    fb::FlatBufferBuilder builder;
    const auto copy = copied_part(builder, *schema::GetAsset(plain.data())->shapes()->Get(0), options);
    const auto parts = builder.CreateVector(std::vector<fb::Offset<schema::Shape>>(options.named, copy));
    const schema::Header header(kFormatMajor, kFormatMinor, kBuilderRevision, 0, 0);
    schema::AssetBuilder asset(builder);
    asset.add_header(&header);
    asset.add_shapes(parts);
    schema::FinishAssetBuffer(builder, asset.Finish());
    std::vector<std::uint8_t> bytes(builder.GetBufferPointer(),
                                    builder.GetBufferPointer() + builder.GetSize());
    const auto* at = reinterpret_cast<const std::uint8_t*>(schema::GetAsset(bytes.data())->header());
    const std::uint64_t size = bytes.size();
    std::memcpy(bytes.data() + (at - bytes.data()) + 8, &size, 8);
    repair_checksum(bytes);
    return bytes;
}

}  // namespace espalier::testing
