// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of bodies: random joint trees, robots, the parts of a scene file; and the poses of the parts.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "builder/asset/aligned_bytes.h"
#include "espalier/asset.h"
#include "espalier/pose.h"

namespace espalier_bench {

/// A baked body.
struct BakedBody {
    explicit BakedBody(const std::vector<std::uint8_t>& asset_bytes);
    espalier::AlignedBytes bytes;
    espalier::Asset asset;
};

/// One body and itself, or two; at each frame the parts of the first are put anew, and so are those of the
/// second where it has poses.
struct Scene {
    std::string name;
    std::shared_ptr<const BakedBody> a, b;  ///< b null: a with itself
    struct Frame {
        std::vector<espalier::Pose> a, b;
    };
    std::vector<Frame> frames;
};

/// Two joint trees of as many parts, each bent anew in each frame.
Scene random_trees(std::uint32_t parts, std::uint64_t seed, int frames);

/// A robot from a list that urdf_parts.py wrote: with itself, and beside a table with things on it.
std::vector<Scene> robot_scenes(const std::filesystem::path& list, int frames);

/// The parts of a scene file, drawn apart and turned a little: with themselves, and against another of it.
std::vector<Scene> file_scenes(const std::filesystem::path& file, int frames);

/// A body of small shapes here and there, without joints.
std::shared_ptr<const BakedBody> scattered(std::uint32_t parts, std::uint64_t seed);
std::vector<espalier::Pose> scattered_poses(std::uint32_t parts, std::uint64_t seed);

}  // namespace espalier_bench
