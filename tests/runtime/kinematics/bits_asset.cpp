// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the asset that bits.cpp computes poses of: a part with each type of joint, followers, and a chain;
// its numbers are written down rather than drawn, so that every compiler stores the same.
#include <cstdio>
#include <fstream>

#include "tests/support/baked_mesh.h"
#include "tests/support/meshes.h"
#include "tests/support/part_asset.h"

namespace {

using espalier::Joint;
using espalier::kNoIndex;
using espalier::PartNode;
using espalier::testing::HandParts;

PartNode joint(std::uint32_t parent, Joint type, double x, double y, double z) {
    PartNode part;
    part.shape = 0;
    part.parent = parent;
    part.joint = type;
    const double axis[3] = {x, y, z};
    for (int k = 0; k < 3; ++k) {
        part.axis[k] = axis[k];
        part.translation[k] = 0.375 * (k + 1) - 0.1 * static_cast<double>(parent % 7);
    }
    const double rotation[4] = {0.1, -0.7, 0.5, 0.5};
    for (int k = 0; k < 4; ++k) part.rotation[k] = rotation[(k + parent) % 4];
    return part;
}

HandParts parts() {
    HandParts hand;
    hand.add("frame", PartNode());
    hand.add("shoulder", joint(0, Joint::kRevolute, 0, 0, 1));
    hand.add("elbow", joint(1, Joint::kContinuous, 0.6, 0, -0.8));
    hand.add("slide", joint(2, Joint::kPrismatic, 0, 0.28, 0.96));
    hand.add("bracket", joint(3, Joint::kFixed, 0, 0, 0));
    hand.add("ball", joint(4, Joint::kFree, 0, 0, 0));
    PartNode finger = joint(5, Joint::kRevolute, 0.48, 0.6, 0.64);
    finger.mimic = 2;
    finger.multiplier = -0.7;
    finger.offset = 0.3;
    const std::uint32_t first = hand.add("finger", finger);
    finger.parent = first;
    finger.mimic = first;
    hand.add("tip", finger);
    for (std::uint32_t i = 8; i < 20; ++i)
        hand.add("link" + std::to_string(i), joint(i - 1, Joint::kContinuous, 0.64, -0.48, 0.6));
    return hand;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 1;
    using namespace espalier::testing;
    const std::vector<std::uint8_t> bytes = with_parts(bake_bytes(ten_small_meshes(12)[0].mesh), parts());
    std::ofstream file(argv[1], std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return file ? 0 : 1;
}
