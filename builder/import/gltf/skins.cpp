// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/skins.h"

#include <Eigen/LU>
#include <cmath>

#include "builder/import/gltf/transforms.h"

namespace espalier::import_formats::gltf {
namespace {

const AccessorKind kInverseBinds{"inverse bind matrices", "MAT4", {kFloat}, "5126 (float)"};
const AccessorKind kJoints{"joints", "VEC4", {kUnsignedByte, kUnsignedShort}, "5121 or 5123"};
const AccessorKind kWeights{"weights", "VEC4", {kUnsignedByte, kUnsignedShort, kFloat}, "5121, 5123 or 5126"};

/// Joints and weights of a primitive's points: four of each a set.
struct Influences {
    Numbers joints, weights;
};

std::vector<Influences> read_influences(const PrimitiveReader& reader) {
    std::vector<Influences> sets;
    for (int i = 0;; ++i) {
        const std::string joints = "JOINTS_" + std::to_string(i), weights = "WEIGHTS_" + std::to_string(i);
        if (i > 0 && !reader.has(joints)) return sets;
        sets.push_back({reader.attribute(joints, kJoints), reader.attribute(weights, kWeights)});
    }
}

/// The weighted mean of the joints that `point` follows.
Eigen::Affine3d blended(const JointMatrices& joints, const std::vector<Influences>& sets, std::uint64_t point,
                        const std::string& where) {
    Eigen::Matrix<double, 3, 4> sum = Eigen::Matrix<double, 3, 4>::Zero();
    double total = 0;
    const auto joint_at = [&](const Influences& set, std::uint64_t k) -> const Eigen::Affine3d& {
        const auto index = static_cast<std::size_t>(set.joints.at(point)[k]);
        if (index >= joints.size())
            fail(where + ": point " + std::to_string(point) + " follows joint " + std::to_string(index) +
                 ", but there are " + std::to_string(joints.size()) + " (counted from 0)");
        return joints[index];
    };
    for (const Influences& set : sets) {
        for (std::uint64_t k = 0; k < 4; ++k) {
            const double weight = set.weights.at(point)[k];
            if (!std::isfinite(weight) || weight < 0)
                fail(where + ": point " + std::to_string(point) + " has a weight that is not 0 or more");
            // A joint without weight may be any number.
            if (weight == 0) continue;
            sum += weight * joint_at(set, k).matrix().topRows<3>();
            total += weight;
        }
    }
    // Files round weights, or leave out those of points that follow one joint.
    if (total == 0) return joint_at(sets.front(), 0);
    Eigen::Affine3d result = Eigen::Affine3d::Identity();
    result.matrix().topRows<3>() = sum / total;
    return result;
}

}  // namespace

JointMatrices joint_matrices(const Json& root, std::uint64_t skin, const std::vector<Node>& nodes,
                             Accessors& accessors) {
    const std::string where = "skin " + std::to_string(skin);
    const Json& json = element(root, "skins", skin, "the file");
    const Json& list = array(json, "joints", where);
    if (list.empty()) fail(where + " has no joints");
    JointMatrices joints;
    for (const Json& joint : list) {
        const std::uint64_t node = integer(joint, where, "joints");
        element(root, "nodes", node, where);
        joints.push_back(nodes[node].to_world);
    }
    const Json* index = member(json, "inverseBindMatrices");
    if (index == nullptr) return joints;
    const Numbers binds =
        accessors.numbers(integer(*index, where, "inverseBindMatrices"), kInverseBinds, where);
    if (binds.count < joints.size())
        fail(where + " has " + std::to_string(binds.count) + " inverse bind matrices for " +
             std::to_string(joints.size()) + " joints");
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const std::string what = where + ": inverse bind matrix " + std::to_string(i);
        const Eigen::Affine3d bind = affine_of(binds.at(i), what);
        if (is_singular(bind)) fail(what + " is singular");
        joints[i] = joints[i] * bind;
    }
    return joints;
}

bool apply_skin(const JointMatrices& joints, const PrimitiveReader& reader, const std::string& where,
                Numbers& points) {
    const std::vector<Influences> sets = read_influences(reader);
    std::uint64_t mirrored = 0;
    for (std::uint64_t i = 0; i < points.count; ++i) {
        const Eigen::Affine3d moved = blended(joints, sets, i, where);
        mirrored += moved.linear().determinant() < 0;
        Eigen::Map<Eigen::Vector3d> point(points.at(i));
        point = moved * Eigen::Vector3d(point);
    }
    return 2 * mirrored > points.count;
}

}  // namespace espalier::import_formats::gltf
