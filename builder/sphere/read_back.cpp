// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/read_back.h"

namespace espalier {

SolidKind stored_solid(const SphereTreeView& tree) {
    return tree.open ? SolidKind::kShell : tree.capped ? SolidKind::kCapped : SolidKind::kClosed;
}

SphereTree stored_sphere_tree(const ShapeView& part) {
    const SphereTreeView& view = part.sphere;
    SphereTree tree;
    tree.dag = view.dag();
    tree.spheres.resize(view.sphere_count);
    for (std::uint32_t i = 0; i < view.sphere_count; ++i) {
        Sphere& s = tree.spheres[i];
        s.center = {view.spheres[i].center[0], view.spheres[i].center[1], view.spheres[i].center[2]};
        s.radius = view.spheres[i].radius;
        s.error = view.errors[i];
        std::uint32_t first = 0, end = 0;
        if (i < view.inner_count()) {
            view.children(i, &first, &end);
            s.first_child = first;
            s.child_count = end - first;
            view.shared(i, &first, &end);
            s.first_shared = first;
            s.shared_count = end - first;
        } else {
            view.leaf(i, &first, &end);
            s.first_triangle = first;
            s.triangle_count = end - first;
        }
    }
    for (std::uint32_t l = 0; l < view.level_count; ++l) {
        const SphereLevelNode& stored = view.levels[l];
        SphereLevel level;
        level.first = stored.first;
        level.count = stored.count;
        level.error_mean = double(stored.error_mean);
        level.error_max = double(stored.error_max);
        level.union_volume = stored.union_volume;
        level.outside_volume = stored.outside_volume;
        level.volume_ratio = view.solid_volume > 0 ? stored.outside_volume / view.solid_volume : 0;
        tree.levels.push_back(level);
    }
    if (view.child_list) tree.child_list.assign(view.child_list, view.child_list + view.child_list_count);
    if (view.shared_list)
        tree.shared_list.assign(view.shared_list, view.shared_list + view.shared_list_count);
    tree.leaf_triangles.assign(view.leaf_triangles, view.leaf_triangles + view.leaf_triangle_count);
    tree.certificate.policy = static_cast<CoveragePolicy>(view.coverage);
    tree.certificate.proved = view.proved;
    tree.certificate.volume_proved = view.volume_proved;
    tree.certificate.gap = view.gap;
    tree.solid = stored_solid(view);
    tree.filling = view.filling;
    tree.solid_volume = view.solid_volume;
    tree.limit = view.limit == 0 ? SphereLimit::kCount : SphereLimit::kError;
    tree.method = view.method == 1   ? SphereMethod::kHubbard
                  : view.method == 2 ? SphereMethod::kOctree
                                     : SphereMethod::kBest;
    tree.branch = view.branch;
    return tree;
}

}  // namespace espalier
