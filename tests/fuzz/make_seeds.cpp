// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the small assets that the fuzzer starts from. usage: fuzz_make_seeds DIR
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "builder/aabb/row.h"
#include "builder/asset/atomic_file.h"
#include "builder/box/row.h"
#include "builder/cell/row.h"
#include "builder/sphere/row.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/joint_tree.h"
#include "tests/support/meshes.h"

namespace {

using namespace espalier;

std::vector<std::uint8_t> with_trees(const TriangleMesh& mesh, std::uint32_t leaf, bool aabb, bool box) {
    Progress progress;
    AssetContents contents;
    contents.provenance.source_name = "seed";
    BakedShape& part = contents.shapes.emplace_back();
    part.name = "seed";
    part.closed = true;
    part.mesh = mesh;
    if (aabb) part.trees.push_back(built_tree(build_aabb_tree(mesh, {AabbSplit::kBinned, leaf}, progress)));
    if (box) part.trees.push_back(built_tree(build_box_tree(mesh, {BoxSplit::kBinned, leaf}, progress)));
    return write_asset(contents).value();
}

/// Two shapes with every tree, placed by parts with joints of every kind, some pairs listed.
std::vector<std::uint8_t> with_joints(std::uint64_t seed, std::uint32_t parts) {
    Progress progress;
    AssetContents contents;
    const auto meshes = testing::ten_small_meshes(12);
    for (std::size_t i = 0; i < 2; ++i) {
        const TriangleMesh& mesh = meshes[i].mesh;
        SphereTreeOptions spheres;
        spheres.method = SphereMethod::kOctree;
        spheres.levels = 2;
        BakedShape& shape = contents.shapes.emplace_back();
        shape.name = meshes[i].name;
        shape.closed = true;
        shape.mesh = mesh;
        shape.trees = {built_tree(build_aabb_tree(mesh, {}, progress)),
                       built_tree(build_box_tree(mesh, {}, progress)),
                       built_tree(build_cell_tree(mesh, {}, progress)),
                       built_tree(build_sphere_tree(mesh, spheres, progress).value())};
    }
    testing::Draw draw(seed);
    testing::HandParts hand = testing::random_joint_tree(draw, parts, 2);
    for (std::uint32_t a = 0; a + 1 < parts; a += 2) {
        PartPair& pair = hand.pairs.emplace_back();
        pair.a = a;
        pair.b = a + 1;
    }
    return testing::with_parts(write_asset(contents).value(), hand);
}

void write_seeds(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    const auto write = [&](const char* name, const std::vector<std::uint8_t>& bytes) {
        const Result<Success> written = write_file_atomically(folder / name, bytes);
        if (!written) throw std::runtime_error(written.error().message);
    };
    write("one", with_trees(testing::random_soup(1, 1), 1, true, true));
    write("aabb", with_trees(testing::random_soup(2, 12), 1, true, false));
    write("box", with_trees(testing::random_soup(3, 12), 2, false, true));
    write("both", with_trees(testing::random_soup(4, 20), 4, true, true));
    write("none", with_trees(testing::random_soup(5, 3), 4, false, false));
    write("joints", with_joints(6, 5));
    write("arm", with_joints(7, 3));
    write("closed", with_trees(testing::ten_small_meshes(12)[0].mesh, 3, true, true));
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: fuzz_make_seeds DIR\n");
        return 1;
    }
    try {
        write_seeds(arguments[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "fuzz_make_seeds: %s\n", error.what());
        return 2;
    }
}
