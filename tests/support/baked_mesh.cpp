// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/baked_mesh.h"

#include <Eigen/Geometry>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "builder/aabb/row.h"
#include "builder/base/progress.h"
#include "builder/box/row.h"
#include "runtime/src/format/checksum.h"
#include "runtime/src/format/flatbuffer_reader.h"

namespace espalier::testing {
namespace {

Eigen::Vector3d source_center(const ShapeView& part) {
    Eigen::Vector3d center;
    for (int k = 0; k < 3; ++k) center[k] = (double(part.lo[k]) + double(part.hi[k])) / 2 + part.origin[k];
    return center;
}

double half_diagonal(const ShapeView& part) {
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const double side = double(part.hi[k]) - double(part.lo[k]);
        squared += side * side;
    }
    return std::sqrt(squared) / 2;
}

Eigen::Vector3d rotated(const double* quaternion, const Eigen::Vector3d& v) {
    const Eigen::Vector3d axis(quaternion[1], quaternion[2], quaternion[3]);
    const double squared = quaternion[0] * quaternion[0] + axis.squaredNorm();
    return v + 2 / squared * axis.cross(axis.cross(v) + quaternion[0] * v);
}

}  // namespace

std::vector<std::uint8_t> bake_bytes(const TriangleMesh& mesh, const AabbTreeOptions& options,
                                     const Eigen::Vector3d& origin, const BoxTreeOptions* box) {
    Progress progress;
    AssetContents contents;
    contents.provenance.source_name = "made-in-memory.off";
    for (std::size_t i = 0; i < contents.provenance.sha256.size(); ++i)
        contents.provenance.sha256[i] = static_cast<std::uint8_t>(i * 7 + 1);
    contents.unit = "metre";
    contents.options = {{"aabb-leaf", std::to_string(options.leaf_triangles)}, {"trees", "aabb"}};
    BakedShape& part = contents.shapes.emplace_back();
    part.name = "part";
    part.origin = origin;
    part.mesh = mesh;
    part.trees.push_back(built_tree(build_aabb_tree(mesh, options, progress)));
    if (box) part.trees.push_back(built_tree(build_box_tree(mesh, *box, progress)));
    Result<std::vector<std::uint8_t>> bytes = write_asset(contents);
    if (!bytes) throw std::runtime_error(bytes.error().message);
    return std::move(bytes).value();
}

void repair_checksum(std::span<std::uint8_t> bytes) {
    const Buffer buffer{bytes.data(), static_cast<std::uint32_t>(bytes.size())};
    if (!buffer.holds(0, 8, 4)) return;
    const Table root(buffer, buffer.read<std::uint32_t>(0));
    const std::uint32_t header = root.field(field::kHeader, kHeaderBytes, 8);
    if (!header) return;
    const std::uint64_t sum = checksum(bytes.data(), bytes.size(), header + kChecksumOffset);
    std::memcpy(bytes.data() + header + kChecksumOffset, &sum, sizeof(sum));
}

BakedMesh::BakedMesh(std::string name, const TriangleMesh& mesh, const AabbTreeOptions& options,
                     const Eigen::Vector3d& origin, const BoxTreeOptions* box)
    : name_(std::move(name)), bytes_(bake_bytes(mesh, options, origin, box)) {
    Asset asset;
    Status status = open(bytes_.data(), bytes_.size(), Verify::kFull, &asset);
    if (status == Status::kOk) status = asset.part(0, &part_);
    if (status != Status::kOk) throw std::runtime_error(name_ + ": " + status_text(status));
}

double BakedMesh::diagonal() const {
    return 2 * half_diagonal(part_);
}

Pose random_pose(Draw& draw, const ShapeView& a, const ShapeView& b, double spread) {
    Pose pose;
    draw.quaternion(pose.rotation);
    const double distance = draw.unit() * spread * (half_diagonal(a) + half_diagonal(b));
    const Eigen::Vector3d translation =
        source_center(a) + draw.direction() * distance - rotated(pose.rotation, source_center(b));
    for (int k = 0; k < 3; ++k) pose.translation[k] = translation[k];
    return pose;
}

std::string text_of(const Pose& pose) {
    char text[400];
    std::snprintf(text, sizeof(text), "rotation {%a, %a, %a, %a} translation {%a, %a, %a} scale {%a, %a, %a}",
                  pose.rotation[0], pose.rotation[1], pose.rotation[2], pose.rotation[3], pose.translation[0],
                  pose.translation[1], pose.translation[2], pose.scale[0], pose.scale[1], pose.scale[2]);
    return text;
}

}  // namespace espalier::testing
