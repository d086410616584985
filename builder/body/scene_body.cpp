// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/body/scene_body.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "builder/body/utf8.h"

namespace espalier {
namespace {

/// In units of the mesh's diagonal: how far a shared shape's points may be from where a placement's own
/// transform puts them. Transforms in files are float32 and miss by 1e-7; a larger number would move surfaces
/// by more than the rounding of positions (espalier's answers hold to 1e-6), a smaller one would store meshes
/// once a placement.
constexpr double kSharedShape = 4e-7;

/// Least of the stretches of a transform, as a share of the largest, of what can be turned into a rigid pose.
/// Zero scales leave 1e-8 in float32; flat but real ones are far above.
constexpr double kLeastStretch = 1e-7;

/// Corners of all shapes together: those of 100 million triangles, as of a merged scene.
constexpr std::uint64_t kMostCorners = 300'000'000;

/// linear = rotation * stretch, and * -1 where it mirrors: the polar decomposition.
struct Polar {
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    Eigen::Matrix3d stretch = Eigen::Matrix3d::Identity();  ///< symmetric, positive
    bool mirrors = false;
    bool sound = true;  ///< neither singular nor of numbers that are not finite
};

Polar polar(const Eigen::Matrix3d& linear) {
    Polar result;
    // What is not moved keeps its bits.
    if (linear == Eigen::Matrix3d::Identity()) return result;
    const double largest = linear.cwiseAbs().maxCoeff();
    result.sound = largest > 0 && std::isfinite(largest) && linear.allFinite();
    if (!result.sound) return result;
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(linear / largest, Eigen::ComputeFullU | Eigen::ComputeFullV);
    // GCC 12 takes a reference for one to something unset.
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const Eigen::Vector3d stretches = svd.singularValues();
    result.sound = stretches[2] > kLeastStretch * stretches[0];
    result.rotation = svd.matrixU() * svd.matrixV().transpose();
    result.mirrors = result.rotation.determinant() < 0;
    if (result.mirrors) result.rotation = -result.rotation;
    result.stretch = largest * (svd.matrixV() * stretches.asDiagonal() * svd.matrixV().transpose());
    return result;
}

/// What a stretch may differ by if the shape is to be shared: see kSharedShape.
double tolerance_of(const PolygonSoup& soup) {
    Eigen::AlignedBox3d box;
    double reach = 0;
    for (const Eigen::Vector3d& point : soup.points) {
        if (!point.allFinite()) continue;
        box.extend(point);
        reach = std::max(reach, point.cwiseAbs().maxCoeff());
    }
    const double diagonal = box.isEmpty() ? 0 : box.diagonal().norm();
    return reach > 0 ? kSharedShape * std::min(1.0, diagonal / reach) : kSharedShape;
}

/// The stretched shapes of one mesh: found by the sum of the stretches, so that many are no trouble.
struct MeshShapes {
    struct Entry {
        Polar polar;
        std::uint32_t shape;
    };
    double tolerance = 0;
    std::multimap<double, Entry> by_trace;

    const Entry* find(const Polar& wanted) const {
        const double trace = wanted.stretch.trace(), most = tolerance * wanted.stretch.cwiseAbs().maxCoeff();
        const Entry* found = nullptr;
        for (auto at = by_trace.lower_bound(trace - 3 * most); at != by_trace.end(); ++at) {
            if (at->first > trace + 3 * most) break;
            const Entry& entry = at->second;
            const double difference = (entry.polar.stretch - wanted.stretch).cwiseAbs().maxCoeff();
            const bool fits = entry.polar.mirrors == wanted.mirrors && difference <= most;
            if (fits && (!found || entry.shape < found->shape)) found = &entry;
        }
        return found;
    }
};

class SceneBody {
  public:
    SceneBody(Scene& scene, const std::vector<ScenePart>& parts)
        : scene_(scene), parts_(parts), world_(world_transforms(scene)), meshes_(scene.meshes.size()) {}

    Result<BodyDescription> run() {
        for (const ScenePart& part : parts_) {
            const Result<Success> added = add_part(part);
            if (!added) return added.error();
        }
        if (const Result<Success> size = check_size(); !size) return size.error();
        make_shapes();
        if (stretched_ > 0)
            body_.findings.push_back({"B04", Severity::kInfo, "transforms in shapes", stretched_,
                                      std::to_string(stretched_) +
                                          " shapes have the scale, shear or mirror of their nodes in their "
                                          "triangles, since parts are rigid"});
        return std::move(body_);
    }

  private:
    /// A shape to make: a mesh, stretched.
    struct Wanted {
        std::uint32_t mesh;
        Polar polar;
        std::string part;  ///< the first that has it
    };

    Result<Success> add_part(const ScenePart& part) {
        const Eigen::Affine3d& world = world_[part.node];
        const Polar turn = polar(world.linear());
        if (!turn.sound || !world.translation().allFinite())
            return Error{ErrorKind::kInvalidInput,
                         "part '" + part.name +
                             "': the transforms of its nodes are singular or not finite, so it has no pose"};
        rotations_.push_back(Eigen::Quaterniond(turn.rotation).normalized());
        translations_.push_back(world.translation());
        BodyPart& made = body_.parts.emplace_back();
        made.name = part.name;
        made.parent = part.parent;
        made.rotation = rotations_.back();
        made.translation = translations_.back();
        if (part.parent != kNoIndex) {
            const Eigen::Quaterniond back = rotations_[part.parent].conjugate();
            made.rotation = (back * made.rotation).normalized();
            made.translation = back * (made.translation - translations_[part.parent]);
        }
        if (part.placed) made.shape = shape_of(scene_.nodes[part.node].mesh, turn, part.name);
        return Success{};
    }

    std::uint32_t shape_of(std::uint32_t mesh, const Polar& polar, const std::string& part) {
        MeshShapes& shapes = meshes_[mesh];
        if (shapes.tolerance == 0) shapes.tolerance = tolerance_of(scene_.meshes[mesh].soup);
        if (const MeshShapes::Entry* entry = shapes.find(polar)) return entry->shape;
        // Noise on a rigid transform is left out: then the mesh itself is the shape.
        Polar kept = polar;
        const double noise = (polar.stretch - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
        if (noise <= shapes.tolerance) kept.stretch.setIdentity();
        const auto shape = static_cast<std::uint32_t>(wanted_.size());
        wanted_.push_back({mesh, kept, part});
        shapes.by_trace.emplace(kept.stretch.trace(), MeshShapes::Entry{kept, shape});
        return shape;
    }

    Result<Success> check_size() const {
        std::uint64_t corners = 0;
        for (const Wanted& wanted : wanted_) corners += scene_.meshes[wanted.mesh].soup.corners.size();
        if (corners <= kMostCorners) return Success{};
        return Error{ErrorKind::kUnsupported, "the shapes have more than " +
                                                  std::to_string(kMostCorners / 3) +
                                                  " triangles together: " + std::to_string(wanted_.size()) +
                                                  " differ by more than rotation and translation"};
    }

    void make_shapes() {
        std::vector<std::size_t> uses(scene_.meshes.size(), 0);
        for (const Wanted& wanted : wanted_) ++uses[wanted.mesh];
        for (const Wanted& wanted : wanted_) {
            SceneMesh& mesh = scene_.meshes[wanted.mesh];
            BodyShape& shape = body_.shapes.emplace_back();
            shape.name = as_utf8_name(mesh.name.empty() ? wanted.part : mesh.name);
            shape.may_vanish = true;
            Eigen::Affine3d transform = Eigen::Affine3d::Identity();
            transform.linear() =
                wanted.polar.mirrors ? Eigen::Matrix3d(-wanted.polar.stretch) : wanted.polar.stretch;
            const bool plain = transform.linear() == Eigen::Matrix3d::Identity();
            stretched_ += !plain;
            if (--uses[wanted.mesh] == 0 && plain)
                shape.soup = std::move(mesh.soup);
            else
                append_transformed(mesh.soup, transform, shape.soup);
        }
    }

    Scene& scene_;
    const std::vector<ScenePart>& parts_;
    const std::vector<Eigen::Affine3d> world_;
    std::vector<MeshShapes> meshes_;
    std::vector<Wanted> wanted_;
    std::vector<Eigen::Quaterniond> rotations_;  // of the parts, in the scene's frame
    std::vector<Eigen::Vector3d> translations_;
    std::uint64_t stretched_ = 0;
    BodyDescription body_;
};

}  // namespace

BodyDescription single_part_body(std::string name, PolygonSoup soup) {
    BodyDescription body;
    body.unit = std::exchange(soup.unit, {});
    body.scale = soup.scale;
    body.provenance = std::exchange(soup.provenance, {});
    body.findings = std::exchange(soup.findings, {});
    name = as_utf8_name(name);
    if (name.empty()) name = "part0";
    body.parts.emplace_back().name = name;
    body.parts[0].shape = 0;
    body.shapes.push_back({std::move(name), std::move(soup)});
    return body;
}

Result<BodyDescription> body_of_scene(Scene scene, const SceneChoice& choice) {
    std::vector<Finding> findings = std::move(scene.findings);
    const Result<std::vector<ScenePart>> parts = scene_parts(scene, choice, findings);
    if (!parts) return parts.error();
    Result<BodyDescription> body = SceneBody(scene, parts.value()).run();
    if (!body) return body;
    BodyDescription& made = body.value();
    made.findings.insert(made.findings.begin(), findings.begin(), findings.end());
    made.unit = scene.unit;
    made.scale = scene.scale;
    made.provenance = scene.provenance;
    // Alone, a shape is called as its part: then the file needs no list of parts.
    if (made.parts.size() == 1) {
        made.shapes[0].name = made.parts[0].name;
        made.shapes[0].may_vanish = false;
    }
    return body;
}

Result<PolygonSoup> merge_chosen(Scene scene, const SceneChoice& choice) {
    if (!choice.parts.empty()) {
        std::vector<Finding> unused;
        const Result<std::vector<ScenePart>> parts = scene_parts(scene, {false, choice.parts}, unused);
        if (!parts) return parts.error();
        std::vector<std::uint32_t> meshes(scene.nodes.size(), kNone);
        for (const ScenePart& part : parts.value()) meshes[part.node] = scene.nodes[part.node].mesh;
        for (std::size_t i = 0; i < meshes.size(); ++i) scene.nodes[i].mesh = meshes[i];
    }
    return merge_scene(scene);
}

}  // namespace espalier
