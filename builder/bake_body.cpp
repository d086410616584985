// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of a body, several at a time; then the asset.
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <optional>

#include "builder/bake.h"
#include "builder/bake_shape.h"
#include "builder/bake_totals.h"

namespace espalier {
namespace {

/// Counts shapes on the caller's bar in place of the stages of each, and hands on that it was cancelled.
class ShapeProgress : public Progress {
  public:
    explicit ShapeProgress(Progress& all) : all_(all) {}
    void begin_stage(std::string_view, std::size_t) override { look(); }
    void advance(std::size_t) override { look(); }

    void look() {
        if (all_.cancelled()) cancel();
    }

  private:
    Progress& all_;
};

using BakedShapes = std::vector<std::optional<Result<BakedShapeReport>>>;

/// All shapes up to the first that fails, whatever the order in which they are done.
BakedShapes bake_shapes(const BodyDescription& body, const BakeOptions& options, HierarchyRows list,
                        Progress& progress) {
    BakedShapes baked(body.shapes.size());
    if (baked.size() == 1) {
        baked[0] = bake_shape(body.shapes[0], options, list, progress);
        return baked;
    }
    progress.begin_stage("shapes", baked.size());
    std::atomic<std::size_t> first_failure{baked.size()};
    tbb::parallel_for(std::size_t{0}, baked.size(), [&](std::size_t i) {
        if (i > first_failure.load()) return;
        // Isolated: a thread that waits inside one shape must not start another one on top of it.
        tbb::this_task_arena::isolate([&] {
            ShapeProgress mine(progress);
            mine.look();
            baked[i] = bake_shape(body.shapes[i], options, list, mine);
        });
        progress.advance();
        if (*baked[i]) return;
        std::size_t first = first_failure.load();
        while (i < first && !first_failure.compare_exchange_weak(first, i)) {
        }
    });
    return baked;
}

/// "shape 3 (wheel): " in a body of several.
Error naming(const BodyDescription& body, std::size_t shape, Error error) {
    if (body.shapes.size() > 1)
        error.message.insert(0, "shape " + std::to_string(shape) + " (" + body.shapes[shape].name + "): ");
    return error;
}

/// Moves what was baked into the contents and the report. The parts' shapes are renumbered if some vanished.
Result<Success> collect(const BodyDescription& body, BakedShapes baked, AssetContents& contents,
                        BakeReport& report) {
    std::vector<std::uint32_t> stored(baked.size(), kNoIndex);
    for (std::size_t i = 0; i < baked.size(); ++i) {
        if (!*baked[i]) return naming(body, i, baked[i]->error());
        BakedShapeReport done = std::move(*baked[i]).value();
        report.shapes.push_back(std::move(done.report));
        if (report.shapes.back().vanished) continue;
        stored[i] = static_cast<std::uint32_t>(contents.shapes.size());
        contents.shapes.push_back(std::move(done.shape));
    }
    if (contents.shapes.empty())
        return Error{ErrorKind::kInvalidInput,
                     "no triangles left in any of " + std::to_string(baked.size()) + " shapes"};
    for (PartNode& part : contents.body.parts)
        if (part.shape != kNoIndex) part.shape = stored[part.shape];
    for (const BodyPart& part : body.parts)
        if (part.shape != kNoIndex && stored[part.shape] != kNoIndex)
            report.placed_triangles += contents.shapes[stored[part.shape]].mesh.triangles.size();
    report.parts = body.parts.size();
    return Success{};
}

/// Options of shapes that have requests of their own: "sphere-levels@2" for shape 2.
void record_shape_options(const BodyDescription& body, HierarchyRows list,
                          std::vector<std::pair<std::string, std::string>>& recorded) {
    for (std::size_t i = 0; i < body.shapes.size(); ++i) {
        if (!body.shapes[i].trees) continue;
        for (auto& [name, value] : recorded_trees(*body.shapes[i].trees, list))
            recorded.emplace_back(name + "@" + std::to_string(i), std::move(value));
    }
}

Result<Baked> bake_checked(const BodyDescription& body, StoredParts stored, const BakeOptions& options,
                           HierarchyRows list, Progress& progress) {
    AssetContents contents;
    contents.provenance = body.provenance;
    contents.unit = body.unit;
    contents.scale = body.scale;
    contents.options = recorded_options(options, list);
    contents.options.insert(contents.options.end(), body.options.begin(), body.options.end());
    record_shape_options(body, list, contents.options);
    std::sort(contents.options.begin(), contents.options.end());
    contents.body = std::move(stored);
    BakedShapes shapes = bake_shapes(body, options, list, progress);
    if (progress.cancelled()) return cancelled_bake();
    Baked baked;
    const Result<Success> collected = collect(body, std::move(shapes), contents, baked.report);
    if (!collected) return collected.error();
    add_totals(body.findings, baked.report);
    Result<std::vector<std::uint8_t>> bytes = write_asset(contents, list);
    if (!bytes) return bytes.error();
    baked.bytes = std::move(bytes).value();
    baked.report.file_bytes = baked.bytes.size();
    return baked;
}

}  // namespace

Result<Baked> bake_body(const BodyDescription& body, const BakeOptions& options, Progress& progress,
                        HierarchyRows list) {
    std::optional<tbb::global_control> threads;
    if (options.jobs > 0) threads.emplace(tbb::global_control::max_allowed_parallelism, options.jobs);
    Result<StoredParts> stored = stored_parts(body);
    if (!stored) return stored.error();
    std::optional<Result<Baked>> baked;
    const double seconds =
        seconds_of([&] { baked = bake_checked(body, std::move(stored).value(), options, list, progress); });
    if (*baked) baked->value().report.seconds = seconds;
    return *std::move(baked);
}

std::vector<Result<Baked>> bake_bodies(std::span<const BodyDescription> bodies, const BakeOptions& options,
                                       Progress& progress, HierarchyRows list) {
    std::vector<Result<Baked>> baked;
    for (const BodyDescription& body : bodies) baked.push_back(bake_body(body, options, progress, list));
    return baked;
}

}  // namespace espalier
