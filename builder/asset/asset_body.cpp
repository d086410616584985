// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/asset_body.h"

#include "builder/body/utf8.h"

namespace espalier {
namespace {

constexpr std::size_t kAlignment = 64;

Error unplaced(const Asset& asset, std::uint32_t only, Status status) {
    if (asset.part_count() > kMaxBodyParts)
        return {ErrorKind::kUnsupported, std::to_string(asset.part_count()) +
                                             " parts are more than a body has, " +
                                             std::to_string(kMaxBodyParts)};
    const std::string what = only == kNoIndex ? "its parts make no body"
                                              : "part '" + shown_part_name(asset, only) + "' cannot be used";
    return {ErrorKind::kInvalidInput, what + ": " + status_text(status)};
}

}  // namespace

std::string shown_part_name(const Asset& asset, std::uint32_t part) {
    const std::string name = as_utf8_name(asset.part_name(part));
    return name.empty() ? "part " + std::to_string(part) : name;
}

std::string shown_joint_name(const Asset& asset, std::uint32_t part) {
    PartNode node;
    const bool named = asset.part_node(part, &node) == Status::kOk && node.joint_name != kNoIndex;
    const std::string name = named ? as_utf8_name(asset.name(node.joint_name)) : "";
    return name.empty() ? "the joint of part '" + shown_part_name(asset, part) + "'" : "joint '" + name + "'";
}

std::vector<std::string> configuration_names(const Asset& asset) {
    constexpr const char* kFreeValues[] = {" qw", " qx", " qy", " qz", " x", " y", " z"};
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartNode node;
        if (asset.part_node(i, &node) != Status::kOk) continue;
        std::string name = node.joint_name == kNoIndex ? "" : as_utf8_name(asset.name(node.joint_name));
        if (name.empty()) name = shown_part_name(asset, i);
        const bool is_free = node.value_count() == std::size(kFreeValues);
        for (std::uint32_t k = 0; k < node.value_count(); ++k)
            names.push_back(is_free ? name + kFreeValues[k] : name);
    }
    return names;
}

std::vector<Eigen::Isometry3d> rest_placements(const Asset& asset) {
    std::vector<Eigen::Isometry3d> placements(asset.part_count(), Eigen::Isometry3d::Identity());
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartNode node;
        if (asset.part_node(i, &node) != Status::kOk) continue;
        if (node.parent != kNoIndex) placements[i] = placements[node.parent];
        const auto& [w, x, y, z] = node.rotation;
        placements[i].translate(Eigen::Map<const Eigen::Vector3d>(node.translation));
        placements[i].rotate(Eigen::Quaterniond(w, x, y, z).normalized());
    }
    return placements;
}

void AssetBody::Memory::take(std::size_t wanted) {
    size = wanted;
    bytes = std::make_unique<std::byte[]>(wanted + kAlignment);
}

void* AssetBody::Memory::aligned() const {
    void* at = bytes.get();
    std::size_t space = size + kAlignment;
    return std::align(kAlignment, size, at, space);
}

Status AssetBody::begin(std::uint32_t only) {
    const std::size_t size = Body::memory_size(asset_);
    if (size == 0) return Status::kInvalidArgument;
    memory_.take(size);
    const Status status = body_.begin(asset_, memory_.aligned(), size);
    if (status != Status::kOk || only == kNoIndex) return status;
    Pose pose;
    ShapeView part;
    Status found = asset_.part(only, &part);
    if (found == Status::kOk) found = body_.pose(only, &pose);
    if (found != Status::kOk) return found;
    only_ = only;
    memory_.take(Body::kPartMemory);
    const Status begun = body_.begin_part(part, memory_.aligned(), Body::kPartMemory);
    return begun == Status::kOk ? body_.set_poses(&pose, 1) : begun;
}

Result<AssetBody> AssetBody::make(const Asset& asset, std::uint32_t only) {
    AssetBody made;
    made.asset_ = asset;
    const Status status = made.begin(only);
    if (status != Status::kOk) return unplaced(asset, only, status);
    return made;
}

Status AssetBody::place(std::span<const double> values, BeyondLimits* beyond) {
    poses_.resize(asset_.part_count());
    const auto count = static_cast<std::uint32_t>(values.size());
    const Status status =
        forward_kinematics(asset_, Pose(), values.data(), count, poses_.data(), asset_.part_count(), beyond);
    if (status != Status::kOk) return status;
    return only_ == kNoIndex ? body_.set_poses(poses_.data(), poses_.size())
                             : body_.set_poses(&poses_[only_], 1);
}

}  // namespace espalier
