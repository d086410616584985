// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/transforms.h"

#include <Eigen/SVD>
#include <cmath>

namespace espalier::import_formats::gltf {
namespace {

// Least stretch of a transform, as a share of the largest. Zero scales leave 1e-8 in float32; flat but real
// ones are far above.
constexpr double kLeastStretch = 1e-7;
// How far the last row of a matrix may be from 0 0 0 1: what multiplying float32 matrices leaves.
constexpr double kNotAffine = 1e-5;

const double* data_or_null(const std::vector<double>& values) {
    return values.empty() ? nullptr : values.data();
}

}  // namespace

Eigen::Affine3d affine_of(const double* columns, const std::string& where) {
    const Eigen::Map<const Eigen::Matrix4d> matrix(columns);
    if (!matrix.allFinite()) fail(where + " holds what is not a finite number");
    if ((matrix.row(3) - Eigen::RowVector4d(0, 0, 0, 1)).cwiseAbs().maxCoeff() > kNotAffine)
        fail(where + " has a last row that is not 0 0 0 1");
    Eigen::Affine3d result = Eigen::Affine3d::Identity();
    result.matrix().topRows<3>() = matrix.topRows<3>();
    return result;
}

Eigen::Affine3d composed(const double* translation, const double* rotation, const double* scale,
                         const std::string& where) {
    Eigen::Affine3d result = Eigen::Affine3d::Identity();
    if (rotation != nullptr) {
        // Files round quaternions; turned into unit ones, they rotate and do not stretch.
        Eigen::Quaterniond turn(rotation[3], rotation[0], rotation[1], rotation[2]);
        const double length = turn.norm();
        if (!(length > 0) || !std::isfinite(length)) fail(where + " has a rotation of length 0");
        turn.coeffs() /= length;
        const bool turns = turn.vec() != Eigen::Vector3d::Zero();
        if (turns) result.linear() = turn.toRotationMatrix();
    }
    for (int k = 0; k < 3 && scale != nullptr; ++k) result.linear().col(k) *= scale[k];
    for (int k = 0; k < 3 && translation != nullptr; ++k) result.translation()[k] = translation[k];
    if (!result.matrix().allFinite()) fail(where + " has a transform that is not finite");
    return result;
}

Eigen::Affine3d node_transform(const Json& node, const std::string& where) {
    const auto matrix = numbers(node, "matrix", 16, where);
    const auto translation = numbers(node, "translation", 3, where);
    const auto rotation = numbers(node, "rotation", 4, where);
    const auto scale = numbers(node, "scale", 3, where);
    if (!matrix.empty()) return affine_of(matrix.data(), where + ": \"matrix\"");
    return composed(data_or_null(translation), data_or_null(rotation), data_or_null(scale), where);
}

bool is_singular(const Eigen::Affine3d& transform) {
    const Eigen::Vector3d stretches = Eigen::JacobiSVD<Eigen::Matrix3d>(transform.linear()).singularValues();
    return !(stretches[2] > kLeastStretch * stretches[0]);
}

}  // namespace espalier::import_formats::gltf
