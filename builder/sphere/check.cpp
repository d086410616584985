// SPDX-License-Identifier: GPL-3.0-or-later
// The geometric part of a check for sphere trees: proves again, from the stored spheres and triangles alone,
// the coverage that the file promises, every error bound, the leaf lists, the volume coverage if claimed, and
// the levels' statistics.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "builder/base/number_text.h"
#include "builder/hierarchy/stored_mesh.h"
#include "builder/sphere/coverage/sphere_error.h"
#include "builder/sphere/read_back.h"
#include "builder/sphere/row.h"
#include "builder/surface/connected_pieces.h"

namespace espalier {
namespace {

CheckItem coverage_item(const SphereTree& tree, const Result<CoverageReport>& report) {
    if (tree.certificate.policy == CoveragePolicy::kSampled)
        return {"sphere coverage is sampled: nothing is promised", !tree.certificate.proved, 0,
                tree.certificate.proved ? "sampled coverage cannot be proved, but the file says it is" : ""};
    const float gap = tree.certificate.gap;
    CheckItem item{"sphere coverage (" + std::string(name_of(tree.certificate.policy)) +
                       (gap > 0 ? ", within " + number_text(gap) : "") + ")",
                   true, 0, ""};
    if (!report) {
        item.ok = false;
        item.message = report.error().message;
        return item;
    }
    const CoverageReport& found = report.value();
    item.count = found.pieces;
    item.ok = found.proved && tree.certificate.proved;
    if (!found.proved)
        item.message = "level " + std::to_string(found.level) + ": triangle " +
                       std::to_string(found.triangle) + " is not covered below sphere " +
                       std::to_string(found.sphere);
    else if (!item.ok)
        item.message = "it holds, but the file does not say so";
    return item;
}

/// The leaf lists are complete if every triangle that meets a sphere is listed.
CheckItem leaves_item(const SphereTree& tree, const Result<CoverageReport>& report) {
    CheckItem item{"sphere leaves list every triangle that they meet", true, tree.leaf_triangles.size(), ""};
    item.ok = report && report.value().leaves_complete;
    if (!item.ok) item.message = "a triangle meets a sphere of the last level and is not in its list";
    return item;
}

/// The triangles can be taken for what the file says, and no filling of a hole is farther from them.
CheckItem solid_item(const Result<Solid>& solid, const SphereTree& tree) {
    CheckItem item{"sphere solid (" + std::string(name_of(tree.solid)) + ")", true, 1, ""};
    if (!solid)
        item.message = solid.error().message;
    else if (!(solid.value().filling() <= double(tree.filling)))
        item.message = "a filled hole is wider than the file says";
    item.ok = item.message.empty();
    return item;
}

CheckItem errors_item(const Solid& solid, const SphereTree& tree) {
    CheckItem item{"sphere errors are upper bounds", true, tree.spheres.size(), ""};
    const SurfaceQuery query(solid.boundary());
    const ErrorContext context{query, solid};
    std::vector<std::uint8_t> wrong(tree.spheres.size(), 0);
    tbb::parallel_for(std::size_t{0}, tree.spheres.size(), [&](std::size_t i) {
        const Sphere& s = tree.spheres[i];
        wrong[i] =
            !sphere_error_at_most(context, {s.center.cast<double>(), double(s.radius)}, double(s.error));
    });
    const auto first = std::find(wrong.begin(), wrong.end(), 1);
    if (first != wrong.end()) {
        item.ok = false;
        item.message =
            "sphere " + std::to_string(first - wrong.begin()) + " protrudes farther than its error";
    }
    return item;
}

CheckItem statistics_item(const ShapeView& part) {
    const SphereTreeView& view = part.sphere;
    CheckItem item{"sphere statistics follow from the errors", true, view.level_count, ""};
    for (std::uint32_t l = 0; l < view.level_count; ++l) {
        const SphereLevelNode& level = view.levels[l];
        double sum = 0;
        float most = 0;
        for (std::uint32_t i = level.first; i < level.first + level.count; ++i) {
            sum += double(view.errors[i]);
            most = std::max(most, view.errors[i]);
        }
        const double mean = sum / level.count;
        if (most != level.error_max || std::fabs(mean - double(level.error_mean)) > 1e-6 * mean) {
            item.ok = false;
            item.message = "the mean or the largest error of level " + std::to_string(l) + " is wrong";
            break;
        }
    }
    return item;
}

CheckItem shells_item(const ShapeView& part, const TriangleMesh& mesh) {
    const std::vector<StoredBox> shells = connected_pieces(mesh);
    CheckItem item{"shells are the boxes of the connected pieces", true, part.sphere.shell_count, ""};
    item.ok = part.sphere.shell_count == shells.size() &&
              std::equal(shells.begin(), shells.end(), part.sphere.shells,
                         [](const StoredBox& a, const StoredBox& b) {
                             return std::equal(a.lo, a.lo + 3, b.lo) && std::equal(a.hi, a.hi + 3, b.hi);
                         });
    if (!item.ok) item.message = "they are not those of the triangles";
    return item;
}

}  // namespace

std::vector<CheckItem> check_sphere_tree(const ShapeView& part) {
    const TriangleMesh mesh = stored_mesh(part);
    const SphereTree tree = stored_sphere_tree(part);
    SphereTreeSpans spans = view_of(tree);
    spans.volume = tree.certificate.volume_proved;
    const Result<CoverageReport> report = check_sphere_coverage(mesh, spans, tree.leaf_triangles);
    std::vector<CheckItem> items = {coverage_item(tree, report), leaves_item(tree, report)};
    if (tree.certificate.volume_proved) {
        const bool ok = report && report.value().volume_proved;
        items.push_back({"sphere volume coverage", ok, tree.levels.back().count,
                         ok ? "" : "the last level leaves a part of the inside uncovered"});
    }
    const Result<Solid> solid = Solid::of(mesh, choice_of(tree.solid));
    items.push_back(solid_item(solid, tree));
    if (solid) items.push_back(errors_item(solid.value(), tree));
    items.push_back(statistics_item(part));
    if (part.sphere.shells) items.push_back(shells_item(part, mesh));
    return items;
}

}  // namespace espalier
