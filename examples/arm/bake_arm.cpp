// SPDX-License-Identifier: GPL-3.0-or-later
// Bakes an arm from memory: shapes, parts that place them, joints, and the pairs that always touch; and a box
// to run into. On the machine where assets are made; arm.cpp and arm.c are for the one that uses them.
//
//   example_bake_arm ARM.espl OBSTACLE.espl
#include <cstdio>

#include "builder/aabb/options.h"
#include "builder/asset/atomic_file.h"
#include "builder/bake.h"
#include "builder/sphere/options.h"

namespace {

/// A box with its middle at (0, 0, height / 2).
espalier::BodyShape box(const char* name, double width, double depth, double height) {
    espalier::BodyShape shape;
    shape.name = name;
    for (unsigned i = 0; i < 8; ++i)
        shape.soup.points.emplace_back(width * ((i & 1u) - 0.5), depth * ((i >> 1 & 1u) - 0.5),
                                       height * (i >> 2));
    const std::array<std::array<std::uint32_t, 4>, 6> faces = {
        {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
    for (const auto& face : faces) shape.soup.add_polygon(face);
    return shape;
}

/// A part whose frame is `height` above that of its parent and turns about y.
espalier::BodyPart link(const char* name, std::uint32_t parent, std::uint32_t shape, double height) {
    espalier::BodyPart part;
    part.name = name;
    part.parent = parent;
    part.shape = shape;
    part.translation.z() = height;
    part.joint.kind = espalier::Joint::kRevolute;
    part.joint.name = std::string(name) + " joint";
    part.joint.axis.y() = 1;
    part.joint.lower = -3;
    part.joint.upper = 3;
    return part;
}

espalier::BodyDescription arm() {
    espalier::BodyDescription body;
    body.unit = "metre";
    body.shapes = {box("base", 0.5, 0.5, 0.3), box("link", 0.12, 0.1, 0.8), box("hand", 0.25, 0.08, 0.2)};
    espalier::BodyPart base;
    base.name = "base";
    base.shape = 0;
    // Both links have the same shape, which is stored once.
    body.parts = {base, link("upper arm", 0, 1, 0.3), link("forearm", 1, 1, 0.8), link("hand", 2, 2, 0.8)};
    for (std::uint32_t i = 0; i < 3; ++i) {
        espalier::PartPair& pair = body.pairs.emplace_back();
        pair.a = i;
        pair.b = i + 1;
        pair.reason = espalier::PairReason::kAdjacent;
    }
    return body;
}

espalier::BodyDescription obstacle() {
    espalier::BodyDescription body;
    body.unit = "metre";
    body.shapes = {box("obstacle", 0.4, 1, 0.6)};
    espalier::BodyPart& part = body.parts.emplace_back();
    part.name = "obstacle";
    part.shape = 0;
    part.translation.x() = 1.2;
    return body;
}

int bake(const espalier::BodyDescription& body, const char* path) {
    espalier::BakeOptions options;
    espalier::SphereTreeOptions spheres;
    spheres.levels = 3;
    options.trees = {espalier::aabb_tree(), espalier::sphere_tree(spheres)};
    espalier::Progress silent;
    const espalier::Result<espalier::Baked> baked = espalier::bake_body(body, options, silent);
    const espalier::Error* error = baked ? nullptr : &baked.error();
    const auto written = baked ? espalier::write_file_atomically(path, baked.value().bytes)
                               : espalier::Result<espalier::Success>(espalier::Success());
    if (!error && !written) error = &written.error();
    if (!error) return 0;
    std::fprintf(stderr, "example_bake_arm: %s\n", error->message.c_str());
    return static_cast<int>(error->kind);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: example_bake_arm ARM.espl OBSTACLE.espl\n");
        return 1;
    }
    const int failed = bake(arm(), argv[1]);
    return failed ? failed : bake(obstacle(), argv[2]);
}
