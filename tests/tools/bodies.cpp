// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/bodies.h"

#include <Eigen/Geometry>
#include <sstream>
#include <stdexcept>

#include "builder/base/number_text.h"
#include "espalier/kinematics.h"
#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

std::string moved_off(const std::string& off, double x, double y, double z) {
    std::istringstream in(off);
    std::string word;
    std::size_t vertices = 0, faces = 0, edges = 0;
    in >> word >> vertices >> faces >> edges;
    std::string text = "OFF\n" + std::to_string(vertices) + " " + std::to_string(faces) + " 0\n";
    for (std::size_t i = 0; i < vertices; ++i) {
        double p[3];
        in >> p[0] >> p[1] >> p[2];
        text += line_of({p[0] + x, p[1] + y, p[2] + z});
    }
    return text + std::string(std::istreambuf_iterator<char>(in), {});
}

std::string box_obj(const double (&lo)[3], const double (&hi)[3]) {
    std::string text;
    for (int corner = 0; corner < 8; ++corner) {
        text += 'v';
        for (int k = 0; k < 3; ++k) text += ' ' + number_text(corner >> k & 1 ? hi[k] : lo[k]);
        text += '\n';
    }
    return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

void bake_parts(const std::vector<std::string>& shapes, const testing::HandParts& parts,
                const std::string& asset, const std::vector<std::string>& options) {
    const TemporaryFolder folder;
    std::vector<std::string> words = {"bake", "-o", folder / "shapes.espl", "--quiet"};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        words.push_back(folder /
                        ("shape" + std::to_string(i) + (shapes[i].starts_with("OFF") ? ".off" : ".obj")));
        write_text(words.back(), shapes[i]);
    }
    words.insert(words.end(), options.begin(), options.end());
    const CommandResult result = espalier(words);
    if (result.exit_code != 0) throw std::runtime_error("the test's own bake fails: " + result.error);
    const std::vector<std::uint8_t> bytes =
        testing::with_parts(bytes_of(read_text(folder / "shapes.espl")), parts);
    write_text(asset, std::string(bytes.begin(), bytes.end()));
}

OpenFile::OpenFile(const std::string& path) : bytes_(bytes_of(read_text(path))) {
    const Status status = open(bytes_.data(), bytes_.size(), Verify::kFull, &asset_);
    if (status != Status::kOk) throw std::runtime_error(status_text(status));
}

std::vector<Pose> poses_of(const Asset& asset, const std::vector<double>& configuration) {
    std::vector<Pose> poses(asset.part_count());
    const Status status = forward_kinematics(asset, Pose(), configuration.data(),
                                             static_cast<std::uint32_t>(configuration.size()), poses.data(),
                                             asset.part_count());
    if (status != Status::kOk) throw std::runtime_error(status_text(status));
    return poses;
}

Pose relative(const Pose& a, const Pose& b) {
    const auto rotation = [](const Pose& pose) {
        return Eigen::Quaterniond(pose.rotation[0], pose.rotation[1], pose.rotation[2], pose.rotation[3])
            .normalized();
    };
    const Eigen::Quaterniond back = rotation(a).conjugate(), turn = back * rotation(b);
    const Eigen::Map<const Eigen::Vector3d> from(a.translation), to(b.translation);
    const Eigen::Vector3d shift = back * (to - from);
    return {{turn.w(), turn.x(), turn.y(), turn.z()}, {shift.x(), shift.y(), shift.z()}};
}

std::string line_of(const std::vector<double>& numbers) {
    std::string text;
    for (const double number : numbers) {
        if (!text.empty()) text += ' ';
        text += number_text(number);
    }
    return text + '\n';
}

testing::HandParts arm_parts() {
    using testing::hand_part;
    testing::HandParts arm;
    arm.add("base", hand_part(0, kNoIndex, {0, 0, 0}));
    PartNode lift = hand_part(1, 0, {0, 0, 1}, Joint::kRevolute, {0, 1, 0});
    lift.lower = -1;
    lift.upper = 1;
    arm.add("arm", lift);
    arm.add("tool", hand_part(kNoIndex, 1, {4, 0, 0}));
    PartNode grip = hand_part(2, 2, {0.25, 0.5, 0}, Joint::kPrismatic, {1, 0, 0});
    grip.lower = 0;
    grip.upper = 0.5;
    arm.add("jaw", grip);
    PartNode follower = hand_part(2, 2, {0.25, -0.5, 0}, Joint::kPrismatic, {1, 0, 0});
    follower.mimic = 3;
    follower.multiplier = -1;
    arm.add("follower", follower);
    arm.parts[1].joint_name = static_cast<std::uint32_t>(arm.names.size());
    arm.names.push_back("lift");
    arm.parts[3].joint_name = static_cast<std::uint32_t>(arm.names.size());
    arm.names.push_back("grip");
    arm.pairs.push_back({.a = 0, .b = 1, .reason = PairReason::kAdjacent});
    return arm;
}

std::vector<std::string> arm_shapes() {
    return {box_obj({-1, -1, -1}, {1, 1, 1}), box_obj({0, -0.25, -0.25}, {4, 0.25, 0.25}),
            box_obj({-0.125, -0.125, -0.125}, {0.125, 0.125, 0.125})};
}

}  // namespace espalier::test
