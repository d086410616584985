// SPDX-License-Identifier: GPL-3.0-or-later
// Bake from memory: a mesh that a program made itself, to the bytes of an asset, without a file. The runtime
// queries such bytes where they are (16-byte aligned), or maps them from the file that they were written to.
//
//   example_bake_memory [OUT.espl]
#include <array>
#include <cstdio>
#include <vector>

#include "builder/aabb/options.h"
#include "builder/asset/atomic_file.h"
#include "builder/bake.h"
#include "builder/box/options.h"

namespace {

int fail(const espalier::Error& error) {
    std::fprintf(stderr, "example_bake_memory: %s\n", error.message.c_str());
    return static_cast<int>(error.kind);
}

}  // namespace

int main(int argc, char** argv) {
    // A pyramid: four triangles over a square, each counterclockwise from outside.
    const std::vector<std::array<double, 3>> points = {
        {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 0.7}};
    const std::vector<std::uint32_t> corners = {0, 3, 2, 1, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    const std::vector<std::uint32_t> sizes = {4, 3, 3, 3, 3};

    espalier::BakeOptions options;
    options.trees = {espalier::aabb_tree(), espalier::box_tree()};
    espalier::Progress silent;
    const espalier::Result<espalier::Baked> baked =
        espalier::bake(espalier::MemoryMesh{"pyramid", points, corners, sizes}, options, silent);
    if (!baked) return fail(baked.error());

    std::printf("%zu bytes with", baked.value().bytes.size());
    for (const espalier::TreeReport& tree : baked.value().report.trees) std::printf(" %s", tree.name.c_str());
    std::printf(" trees of %llu triangles\n",
                static_cast<unsigned long long>(baked.value().report.sanitize.triangles));
    if (argc > 1)
        if (const auto written = espalier::write_file_atomically(argv[1], baked.value().bytes); !written)
            return fail(written.error());
    return 0;
}
