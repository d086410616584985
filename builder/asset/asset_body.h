// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's body of an asset, in memory of its own.
#pragma once

#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "builder/base/result.h"
#include "espalier/body.h"
#include "espalier/kinematics.h"

namespace espalier {

/// What messages and reports call a part: its name with U+FFFD for what is no text, or "part 3" without one.
std::string shown_part_name(const Asset& asset, std::uint32_t part);

/// The same for the joint of a part: "joint 'elbow'", or "the joint of part 'forearm'" without a name.
std::string shown_joint_name(const Asset& asset, std::uint32_t part);

/// Of each number of a configuration: the name of its joint (or of its part), and of a free joint which
/// number it is.
std::vector<std::string> configuration_names(const Asset& asset);

/// Where every part is at rest, in the body's frame: no joint is moved. Precondition: verified.
std::vector<Eigen::Isometry3d> rest_placements(const Asset& asset);

/// A body of all parts of an asset, or of one of them where the whole body has it. At rest until it is
/// placed.
class AssetBody {
  public:
    /// @param asset a view of verified bytes that outlive the body
    /// @param only  the one part; kNoIndex: all
    /// Fails with kUnsupported (more than kMaxBodyParts parts) or kInvalidInput (a part without a shape, a
    /// place out of reach; the message names the part where one is to blame).
    static Result<AssetBody> make(const Asset& asset, std::uint32_t only = kNoIndex);

    /// At rest until poses are set.
    const Body& body() const { return body_; }
    /// The asset's number of a part of `body()`.
    std::uint32_t part(std::uint32_t of_body) const { return only_ == kNoIndex ? of_body : only_; }

    /// Puts the parts where forward kinematics has them for these values. Fails as forward_kinematics and
    /// Body::set_poses do.
    Status place(std::span<const double> values, BeyondLimits* beyond = nullptr);

  private:
    struct Memory {
        std::unique_ptr<std::byte[]> bytes;
        std::size_t size = 0;
        void take(std::size_t wanted);
        void* aligned() const;
    };
    Status begin(std::uint32_t only);

    Asset asset_;
    std::uint32_t only_ = kNoIndex;
    Memory memory_;
    Body body_;
    std::vector<Pose> poses_;
};

}  // namespace espalier
