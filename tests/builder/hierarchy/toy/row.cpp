// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/builder/hierarchy/toy/row.h"

#include <algorithm>
#include <numeric>

#include "builder/hierarchy/part_writer.h"
#include "tests/support/brute_force.h"

namespace espalier::test {
namespace {

constexpr TreeOption kOptions[] = {
    choice_option<&ToyOptions::axis>("toy-axis", "AXIS", "along which the triangles are sorted"),
    count_option<&ToyOptions::page>("toy-page", "N", "triangles of a page", 1, 1000),
};

class BuiltToy final : public BuiltTree {
  public:
    explicit BuiltToy(std::vector<std::uint32_t> order) : order_(std::move(order)) {}

    const Hierarchy& hierarchy() const override { return kToyHierarchy; }
    std::span<const std::uint32_t> leaf_order() const override { return order_; }
    std::size_t payload_bytes() const override { return 4 * order_.size(); }
    TreeReport report() const override {
        TreeReport report{kToyHierarchy.name, order_.size(), 1, payload_bytes()};
        report.facts = {"toy", {{"sorted", true}}, {}};
        report.sentence = "sorted";
        return report;
    }
    WrittenTree write(const PartWriter& part) const override {
        return {kToyField, part.builder.CreateVector(order_).Union()};
    }

  private:
    std::vector<std::uint32_t> order_;
};

Result<BuiltTreePtr> build(const TriangleMesh& mesh, const std::any& options, Progress&) {
    const int axis = static_cast<int>(std::any_cast<const ToyOptions&>(options).axis);
    std::vector<std::uint32_t> order(mesh.triangles.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t t) { return mesh.corner(t, 0)[axis]; });
    return BuiltTreePtr(std::make_shared<BuiltToy>(std::move(order)));
}

std::vector<CheckItem> check(const ShapeView& part) {
    CheckItem item{"toy triangles are sorted along an axis", false, part.mesh.triangle_count, "along none"};
    for (int axis = 0; axis < 3; ++axis) {
        bool sorted = true;
        for (std::uint32_t t = 1; t < part.mesh.triangle_count; ++t)
            sorted = sorted && part.mesh.corner(t - 1, 0)[axis] <= part.mesh.corner(t, 0)[axis];
        item.ok = item.ok || sorted;
    }
    if (item.ok) item.message.clear();
    return {item};
}

TreeDescription describe(const ShapeView& part) {
    const std::uint64_t triangles = part.mesh.triangle_count;
    TreeDescription tree;
    tree.name = kToyHierarchy.name;
    tree.depth = 1;
    tree.leaves = triangles;
    tree.levels = {{0, triangles, triangles}};
    tree.leaf_fill = {0, triangles};
    tree.sections = {{"toy list", 4 * triangles}};
    tree.facts = {"toy", {{"triangles", triangles}}, {}};
    tree.sentences = {"a list of " + std::to_string(triangles) + " triangles"};
    return tree;
}

std::vector<VolumeLevel> volumes(const ShapeView& part) {
    std::vector<VolumeLevel> levels(1);
    for (std::uint32_t t = 0; t < part.mesh.triangle_count; ++t) {
        DecodedBox box;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [lo, hi] = std::minmax(
                {part.mesh.corner(t, 0)[k], part.mesh.corner(t, 1)[k], part.mesh.corner(t, 2)[k]});
            box[k] = lo;
            box[3 + k] = hi;
        }
        levels[0].leaves.boxes.push_back(box);
    }
    return levels;
}

Status run_all(const ShapeView& a, const ShapeView& b, const Pose& pose, const QueryRequest&,
               QueryOutcome& outcome) {
    outcome.contacts = testing::BruteForce(a, b, pose).contacts().size();
    outcome.verdict = outcome.contacts > 0 ? Verdict::kColliding : Verdict::kDisjoint;
    if (outcome.contacts > 0) outcome.upper = 0;
    return Status::kOk;
}

std::span<const QueryMethod> query_methods() {
    static constexpr QueryVariant kAll[] = {{"", "", run_all}};
    static constexpr QueryMethod kMethods[] = {{QueryMode::kAll, "overlap", kAll}};
    return kMethods;
}

}  // namespace

const Hierarchy kToyHierarchy = {
    .name = "toy",
    .summary = "a list of triangles",
    .paper = "nobody's",
    .ranks = {.shown = 5, .built = 5, .checked = 5},
    .by_default = false,
    .default_options = [] { return std::any(ToyOptions()); },
    .options = kOptions,
    .build = build,
    // A list of triangles is what every part has.
    .present = [](const ShapeView& part) { return part.mesh.triangle_count > 0; },
    .check = check,
    .describe = describe,
    .shape = VolumeShape::kBoxes,
    .volumes = volumes,
    .query_methods = query_methods,
};

TreeRequest toy_tree(const ToyOptions& options) {
    return {&kToyHierarchy, options};
}

HierarchyRows with_toy() {
    static const std::vector<const Hierarchy*> rows = [] {
        std::vector<const Hierarchy*> all(all_hierarchies().begin(), all_hierarchies().end());
        all.push_back(&kToyHierarchy);
        return all;
    }();
    return rows;
}

}  // namespace espalier::test
