// SPDX-License-Identifier: GPL-3.0-or-later
// Assets of several parts for the tests of the command, and what is true of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "builder/asset/aligned_bytes.h"
#include "espalier/asset.h"
#include "espalier/pose.h"
#include "tests/support/part_asset.h"

namespace espalier::test {

/// A mesh in OFF text, moved.
std::string moved_off(const std::string& off, double x, double y, double z);

/// The box from lo to hi as OBJ text: closed, 12 triangles.
std::string box_obj(const double (&lo)[3], const double (&hi)[3]);

/// Bakes each mesh (OFF text) to a shape, and writes an asset that has these parts of them.
void bake_parts(const std::vector<std::string>& shapes, const testing::HandParts& parts,
                const std::string& asset, const std::vector<std::string>& options);

/// An asset file in memory, opened with full verification. Throws when that fails.
class OpenFile {
  public:
    explicit OpenFile(const std::string& path);
    const Asset& asset() const { return asset_; }

  private:
    AlignedBytes bytes_;
    Asset asset_;
};

/// Where the parts are by the runtime's forward kinematics.
std::vector<Pose> poses_of(const Asset& asset, const std::vector<double>& configuration);

/// B's frame in A's, if both are placed in a third.
Pose relative(const Pose& a, const Pose& b);

/// A list of numbers as a line of a file.
std::string line_of(const std::vector<double>& numbers);

/// A turntable with an arm on it: "base" (box), "arm" (box; joint "lift", revolute about y, -1 to 1), "tool"
/// (a frame), "jaw" (box; joint "grip", prismatic along x, 0 to 0.5) and "follower" (box; follows "grip" with
/// the factor -1). base and arm are a pair without a test.
testing::HandParts arm_parts();
/// Its three shapes as OBJ.
std::vector<std::string> arm_shapes();

}  // namespace espalier::test
