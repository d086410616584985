// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bodies/scene.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "bench/protocols/random.h"
#include "builder/aabb/options.h"
#include "builder/bake.h"
#include "corpus/registry.h"
#include "espalier/body.h"
#include "espalier/kinematics.h"

namespace espalier_bench {
namespace {

using namespace espalier;
using Eigen::Isometry3d;
using Eigen::Vector3d;
using Draws = espalier_bench::Draw;

BakeOptions aabb_only() {
    BakeOptions options;
    options.trees = {aabb_tree()};
    return options;
}

template <class Value>
Value need(Result<Value> result) {
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(result).value();
}

std::shared_ptr<const BakedBody> baked(const BodyDescription& body) {
    Progress silent;
    return std::make_shared<BakedBody>(need(bake_body(body, aabb_only(), silent)).bytes);
}

/// A corpus mesh of about `triangles` triangles, its box centred, its longest side `size`.
PolygonSoup corpus_soup(const std::string& kind, std::uint32_t triangles, double size) {
    const TriangleMesh mesh = corpus::find_corpus_mesh(kind)->make_near(triangles);
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3f& p : mesh.positions) box.extend(p.cast<double>());
    PolygonSoup soup;
    for (const Eigen::Vector3f& p : mesh.positions)
        soup.points.emplace_back((p.cast<double>() - box.center()) * (size / box.sizes().maxCoeff()));
    for (const Triangle& triangle : mesh.triangles) soup.add_polygon(triangle);
    return soup;
}

PolygonSoup slab(const Vector3d& sides) {
    PolygonSoup soup;
    for (int i = 0; i < 8; ++i)
        soup.points.emplace_back(sides.cwiseProduct(Vector3d(i & 1, i >> 1 & 1, i >> 2)) - sides / 2);
    const std::array<std::array<std::uint32_t, 4>, 6> faces = {
        {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
    for (const auto& face : faces) soup.add_polygon(face);
    return soup;
}

void add_shapes(BodyDescription* body, std::uint32_t triangles, double size) {
    for (const char* kind : {"torus", "slender-craft", "gear", "desk-lamp"}) {
        if (!corpus::find_corpus_mesh(kind)) continue;
        BodyShape& shape = body->shapes.emplace_back();
        shape.name = kind;
        shape.soup = corpus_soup(kind, triangles, size);
    }
}

Eigen::Quaterniond turned(Draws& draw) {
    double q[4];
    draw.rotation(q);
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
}

Vector3d way(Draws& draw) {
    double v[3];
    draw.direction(v);
    return Vector3d(v);
}

Pose pose_of(const Eigen::Quaterniond& rotation, const Vector3d& translation) {
    Pose pose;
    const Eigen::Quaterniond q = rotation.normalized();
    const double wxyz[4] = {q.w(), q.x(), q.y(), q.z()};
    std::copy(wxyz, wxyz + 4, pose.rotation);
    std::copy(translation.data(), translation.data() + 3, pose.translation);
    return pose;
}

/// Every joint somewhere within its limits.
std::vector<Pose> bent(const BakedBody& body, const Pose& base, Draws& draw) {
    std::vector<double> values;
    for (std::uint32_t i = 0; i < body.asset.part_count(); ++i) {
        PartNode node;
        if (body.asset.part_node(i, &node) != Status::kOk || node.value_count() != 1) continue;
        values.push_back(draw.between(std::max(node.lower, -3.14), std::min(node.upper, 3.14)));
    }
    std::vector<Pose> poses(body.asset.part_count());
    const Status status =
        forward_kinematics(body.asset, base, values.data(), static_cast<std::uint32_t>(values.size()),
                           poses.data(), static_cast<std::uint32_t>(poses.size()));
    if (status != Status::kOk) throw std::runtime_error(status_text(status));
    return poses;
}

std::vector<Pose> resting(const BakedBody& body) {
    std::vector<unsigned char> memory(Body::memory_size(body.asset) + 16);
    void* aligned = memory.data();
    std::size_t size = memory.size();
    std::align(16, size - 16, aligned, size);
    Body placed;
    if (placed.begin(body.asset, aligned, size) != Status::kOk) throw std::runtime_error("no body");
    std::vector<Pose> poses(body.asset.part_count());
    for (std::uint32_t i = 0; i < poses.size(); ++i) static_cast<void>(placed.pose(i, &poses[i]));
    return poses;
}

Eigen::AlignedBox3d box_at_rest(const BakedBody& body) {
    Eigen::AlignedBox3d box;
    const std::vector<Pose> poses = resting(body);
    for (std::uint32_t i = 0; i < poses.size(); ++i) {
        ShapeView view;
        if (body.asset.part(i, &view) != Status::kOk) continue;
        const Eigen::Quaterniond q(poses[i].rotation[0], poses[i].rotation[1], poses[i].rotation[2],
                                   poses[i].rotation[3]);
        for (int corner = 0; corner < 8; ++corner) {
            Vector3d p;
            for (int k = 0; k < 3; ++k)
                p[k] = view.origin[k] + double(corner >> k & 1 ? view.hi[k] : view.lo[k]);
            box.extend(q * p + Vector3d(poses[i].translation));
        }
    }
    return box;
}

BodyDescription joint_tree(std::uint32_t parts, Draws& draw) {
    BodyDescription body;
    add_shapes(&body, 1000, 1);
    for (std::uint32_t i = 0; i < parts; ++i) {
        BodyPart& part = body.parts.emplace_back();
        part.name = "part" + std::to_string(i);
        part.parent = i == 0 ? kNoIndex : i - 1 - static_cast<std::uint32_t>(draw.unit() * std::min(i, 4u));
        part.rotation = turned(draw);
        part.translation = 1.3 * way(draw);
        part.shape = i % static_cast<std::uint32_t>(body.shapes.size());
        part.joint.kind = i % 3 == 0 ? Joint::kPrismatic : Joint::kRevolute;
        part.joint.axis = way(draw);
        part.joint.lower = i % 3 == 0 ? -0.5 : -3;
        part.joint.upper = i % 3 == 0 ? 0.5 : 3;
    }
    return body;
}

BodyDescription read_list(const std::filesystem::path& list) {
    BodyDescription body;
    std::ifstream file(list);
    for (std::string line, kind; std::getline(file, line);) {
        std::istringstream words(line);
        words >> kind;
        if (kind == "shape") {
            std::string path;
            Vector3d scale;
            words >> path >> scale[0] >> scale[1] >> scale[2];
            BodyShape& shape = body.shapes.emplace_back();
            shape.name = std::filesystem::path(path).stem().string();
            shape.soup = need(import_mesh(std::filesystem::path(path)));
            for (Vector3d& p : shape.soup.points) p = p.cwiseProduct(scale);
        } else if (kind == "part") {
            BodyPart& part = body.parts.emplace_back();
            long parent = 0, shape = 0;
            std::string joint;
            Vector3d axis, at;
            double lower = 0, upper = 0, q[4];
            words >> part.name >> parent >> shape >> joint >> axis[0] >> axis[1] >> axis[2] >> lower >>
                upper >> at[0] >> at[1] >> at[2] >> q[0] >> q[1] >> q[2] >> q[3];
            part.parent = parent < 0 ? kNoIndex : static_cast<std::uint32_t>(parent);
            part.shape = shape < 0 ? kNoIndex : static_cast<std::uint32_t>(shape);
            part.translation = at;
            part.rotation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
            if (joint == "fixed") continue;
            part.joint.kind = joint == "prismatic" ? Joint::kPrismatic : Joint::kRevolute;
            part.joint.axis = axis.normalized();
            part.joint.lower = lower;
            part.joint.upper = upper;
        } else if (kind == "pair") {
            PartPair& pair = body.pairs.emplace_back();
            words >> pair.a >> pair.b;
        }
        if (!words) throw std::runtime_error(list.string() + ": cannot read the line: " + line);
    }
    return body;
}

/// A table of about the height of `reach`, beside what stands at the origin, with things on it.
BodyDescription table_scene(double reach) {
    BodyDescription body;
    add_shapes(&body, 1000, 0.2 * reach);
    const auto things = static_cast<std::uint32_t>(body.shapes.size());
    body.shapes.push_back({"top", slab({0.8 * reach, 1.2 * reach, 0.04 * reach})});
    body.shapes.push_back({"leg", slab({0.05 * reach, 0.05 * reach, 0.4 * reach})});
    const auto add = [&](std::uint32_t shape, double x, double y, double z) {
        BodyPart& part = body.parts.emplace_back();
        part.name = "part" + std::to_string(body.parts.size());
        part.shape = shape;
        part.translation = reach * Vector3d(x, y, z);
    };
    add(things, 0.75, 0, 0);
    for (const double x : {0.4, 1.1})
        for (const double y : {-0.55, 0.55}) add(things + 1, x, y, -0.22);
    for (std::uint32_t i = 0; i < 12; ++i)
        add(i % things, 0.45 + 0.2 * double(i % 4), -0.4 + 0.35 * double(i / 4), 0.12);
    return body;
}

}  // namespace

BakedBody::BakedBody(const std::vector<std::uint8_t>& asset_bytes) : bytes(asset_bytes) {
    const Status status = open(bytes.data(), bytes.size(), Verify::kFull, &asset);
    if (status != Status::kOk) throw std::runtime_error(status_text(status));
}

Scene random_trees(std::uint32_t parts, std::uint64_t seed, int frames) {
    Draws draw(seed);
    Scene scene{"two trees of " + std::to_string(parts) + " parts",
                baked(joint_tree(parts, draw)),
                baked(joint_tree(parts, draw)),
                {}};
    const double reach = std::cbrt(double(parts)) * 1.6;
    for (int i = 0; i < frames; ++i) {
        Scene::Frame& frame = scene.frames.emplace_back();
        frame.a = bent(*scene.a, Pose(), draw);
        frame.b = bent(*scene.b, pose_of(turned(draw), draw.between(0.2, 1.2) * reach * way(draw)), draw);
    }
    return scene;
}

std::vector<Scene> robot_scenes(const std::filesystem::path& list, int frames) {
    const auto robot = baked(read_list(list));
    const auto table = baked(table_scene(box_at_rest(*robot).sizes().maxCoeff()));
    const std::string name = list.stem().string();
    std::vector<Scene> scenes = {{name + " with itself", robot, nullptr, {}},
                                 {name + " and a table", robot, table, {}}};
    Draws draw(7);
    for (int i = 0; i < frames; ++i)
        for (Scene& scene : scenes) scene.frames.push_back({bent(*robot, Pose(), draw), {}});
    scenes[1].frames[0].b = resting(*table);
    return scenes;
}

std::vector<Scene> file_scenes(const std::filesystem::path& file, int frames) {
    Progress silent;
    const auto body = std::make_shared<BakedBody>(need(bake(file, aabb_only(), silent)).bytes);
    const std::string name = file.stem().string();
    std::vector<Scene> scenes = {{name + " with itself", body, nullptr, {}},
                                 {name + " and another", body, body, {}}};
    const Eigen::AlignedBox3d box = box_at_rest(*body);
    const std::vector<Pose> rest = resting(*body);
    Draws draw(8);
    for (int i = 0; i < frames; ++i) {
        std::vector<Pose> apart = rest;
        const double stretch = draw.between(1, 8);
        for (Pose& pose : apart)
            for (int k = 0; k < 3; ++k)
                pose.translation[k] += (stretch - 1) * (pose.translation[k] - box.center()[k]) +
                                       draw.between(-0.2, 0.2) * (stretch - 1) * box.sizes().maxCoeff();
        scenes[0].frames.push_back({apart, {}});
        std::vector<Pose> other = rest;
        const Eigen::Quaterniond turn = turned(draw);
        const Vector3d shift = draw.between(0.2, 1.2) * box.sizes().norm() * way(draw);
        for (Pose& pose : other) {
            const Eigen::Quaterniond q(pose.rotation[0], pose.rotation[1], pose.rotation[2],
                                       pose.rotation[3]);
            pose =
                pose_of(turn * q, turn * (Vector3d(pose.translation) - box.center()) + box.center() + shift);
        }
        scenes[1].frames.push_back({rest, other});
    }
    return scenes;
}

std::shared_ptr<const BakedBody> scattered(std::uint32_t parts, std::uint64_t seed) {
    BodyDescription body;
    add_shapes(&body, 200, 1);
    const std::vector<Pose> poses = scattered_poses(parts, seed);
    for (std::uint32_t i = 0; i < parts; ++i) {
        BodyPart& part = body.parts.emplace_back();
        part.name = "part" + std::to_string(i);
        part.shape = i % static_cast<std::uint32_t>(body.shapes.size());
        part.translation = Vector3d(poses[i].translation);
    }
    return baked(body);
}

std::vector<Pose> scattered_poses(std::uint32_t parts, std::uint64_t seed) {
    Draws draw(seed);
    std::vector<Pose> poses;
    for (std::uint32_t i = 0; i < parts; ++i)
        poses.push_back(pose_of(turned(draw), 2 * std::cbrt(double(parts)) * draw.unit() * way(draw)));
    return poses;
}

}  // namespace espalier_bench
