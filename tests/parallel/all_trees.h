// SPDX-License-Identifier: GPL-3.0-or-later
// A mesh baked with every hierarchy, by the builder's one call.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "builder/bake.h"
#include "builder/sphere/options.h"
#include "corpus/registry.h"

namespace espalier::testing {

/// The bytes of a torus of about `triangles` triangles, baked with `jobs` threads.
inline std::vector<std::uint8_t> bake_all_trees(std::uint32_t triangles, unsigned jobs) {
    const TriangleMesh torus = corpus::find_corpus_mesh("torus")->make_near(triangles);
    std::vector<std::array<double, 3>> points;
    for (const auto& p : torus.positions) points.push_back({p.x(), p.y(), p.z()});
    std::vector<std::uint32_t> corners;
    for (const auto& t : torus.triangles) corners.insert(corners.end(), {t[0], t[1], t[2]});

    BakeOptions options;
    options.jobs = jobs;
    options.trees.clear();
    SphereTreeOptions spheres;
    spheres.levels = 3;
    spheres.effort = SphereEffort::kFast;
    for (const Hierarchy* hierarchy : all_hierarchies())
        options.trees.push_back({hierarchy, hierarchy->default_options()});
    for (TreeRequest& tree : options.trees)
        if (tree.hierarchy == find_hierarchy("sphere")) tree.options = spheres;
    MemoryMesh mesh;
    mesh.name = "torus";
    mesh.points = points;
    mesh.corners = corners;
    Progress silent;
    Result<Baked> baked = bake(mesh, options, silent);
    EXPECT_TRUE(baked.ok()) << (baked.ok() ? "" : baked.error().message);
    return baked.ok() ? std::move(baked).value().bytes : std::vector<std::uint8_t>();
}

}  // namespace espalier::testing
