// SPDX-License-Identifier: GPL-3.0-or-later
// An asset of parts made by hand, opened, and its poses in a configuration.
#pragma once

#include <Eigen/Geometry>
#include <stdexcept>
#include <vector>

#include "espalier/kinematics.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/joint_tree.h"
#include "tests/support/meshes.h"

namespace espalier::testing {

class PosedAsset {
  public:
    explicit PosedAsset(const HandParts& parts) : bytes_(with_parts(shape(), parts)) {
        const Status status = open(bytes_.data(), bytes_.size(), Verify::kFull, &asset_);
        if (status != Status::kOk) throw std::runtime_error(status_text(status));
    }

    const Asset& asset() const { return asset_; }

    /// Throws when the runtime refuses.
    std::vector<Pose> poses(const std::vector<double>& values, const Pose& base = {},
                            BeyondLimits* beyond = nullptr) const {
        std::vector<Pose> poses(asset_.part_count());
        const Status status =
            forward_kinematics(asset_, base, values.data(), static_cast<std::uint32_t>(values.size()),
                               poses.data(), asset_.part_count(), beyond);
        if (status != Status::kOk) throw std::runtime_error(status_text(status));
        return poses;
    }

    /// A few triangles that all parts share.
    static const std::vector<std::uint8_t>& shape() {
        static const std::vector<std::uint8_t> bytes = bake_bytes(ten_small_meshes(12)[0].mesh);
        return bytes;
    }

  private:
    ExactBytes bytes_;
    Asset asset_;
};

inline Eigen::Isometry3d isometry(const double* q, const double* t) {
    Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
    result.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    result.translation() = Eigen::Vector3d(t[0], t[1], t[2]);
    return result;
}
inline Eigen::Isometry3d isometry(const Pose& pose) {
    return isometry(pose.rotation, pose.translation);
}

/// The largest difference of two matrices' entries.
inline double difference(const Eigen::Isometry3d& a, const Eigen::Isometry3d& b) {
    return (a.matrix() - b.matrix()).cwiseAbs().maxCoeff();
}

}  // namespace espalier::testing
