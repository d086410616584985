// SPDX-License-Identifier: GPL-3.0-or-later
// Bake a scene: each mesh that a file places becomes a named part, and placements of one mesh share its
// triangles. Then ask which of the parts touch.
//
//   example_bake_scene OUT.espl SCENE.gltf|MESH...
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "builder/aabb/options.h"
#include "builder/asset/atomic_file.h"
#include "builder/bake.h"
#include "espalier/body_collide.h"
#include "espalier/map_file.h"

namespace {

int fail(const char* file, const char* message, int code) {
    std::fprintf(stderr, "example_bake_scene: %s: %s\n", file, message);
    return code;
}

int fail(const char* file, const espalier::Error& error) {
    return fail(file, error.message.c_str(), static_cast<int>(error.kind));
}

int bake_scene(const char* output, const std::vector<std::filesystem::path>& inputs) {
    espalier::BakeOptions options;
    options.trees = {espalier::aabb_tree()};
    espalier::Progress silent;
    const espalier::Result<espalier::Baked> baked = espalier::bake(inputs, options, silent);
    if (!baked) return fail(inputs[0].c_str(), baked.error());
    const espalier::BakeReport& report = baked.value().report;
    std::printf("%llu parts of %zu shapes, %llu triangles placed\n",
                static_cast<unsigned long long>(report.parts), report.shapes.size(),
                static_cast<unsigned long long>(report.placed_triangles));
    const auto written = espalier::write_file_atomically(output, baked.value().bytes);
    return written ? 0 : fail(output, written.error());
}

/// The parts where they are at rest, in memory of the program's, and one contact between two of them.
int query_scene(const char* path) {
    espalier::MappedFile file;
    espalier::Asset asset;
    espalier::Status status = file.map(path);
    if (status == espalier::Status::kOk)
        status = espalier::open(file.data(), file.size(), espalier::Verify::kFull, &asset);
    if (status != espalier::Status::kOk) return fail(path, espalier::status_text(status), 3);

    std::vector<std::max_align_t> memory(espalier::Body::memory_size(asset) / sizeof(std::max_align_t) + 1);
    espalier::Body body;
    status = body.begin(asset, memory.data(), memory.size() * sizeof(std::max_align_t));
    espalier::BodyCollide<espalier::AabbTreeView> collide;
    if (status == espalier::Status::kOk) status = collide.begin_self(body);
    if (status != espalier::Status::kOk) return fail(path, espalier::status_text(status), 3);

    for (std::uint32_t part = 0; part < body.part_count(); ++part) {
        espalier::BroadBox box;
        if (body.part_box(part, &box) != espalier::Status::kOk) continue;  // a frame only
        std::printf("%s: from %g %g %g to %g %g %g\n", asset.part_name(part), box.lo[0], box.lo[1], box.lo[2],
                    box.hi[0], box.hi[1], box.hi[2]);
    }
    if (collide.step() == espalier::Verdict::kColliding)
        std::printf("%s touches %s\n", asset.part_name(collide.contact().part_a),
                    asset.part_name(collide.contact().part_b));
    else
        std::printf("no two parts touch\n");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: example_bake_scene OUT.espl SCENE.gltf|MESH...\n");
        return 1;
    }
    const int code = bake_scene(argv[1], {argv + 2, argv + argc});
    return code == 0 ? query_scene(argv[1]) : code;
}
