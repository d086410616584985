// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/touching_pairs.h"

#include <algorithm>

namespace espalier {
namespace {

/// A part with a shape, where it is.
struct Placed {
    std::uint32_t part;
    ShapeView shape;
    Pose pose;
    BroadBox box;
};

std::vector<Placed> placed_parts(const Body& body) {
    std::vector<Placed> placed;
    for (std::uint32_t i = 0; i < body.part_count(); ++i) {
        Placed part{i, {}, {}, {}};
        if (body.shape(i, &part.shape) != Status::kOk) continue;  // a frame only
        static_cast<void>(body.pose(i, &part.pose));
        static_cast<void>(body.part_box(i, &part.box));
        placed.push_back(part);
    }
    std::ranges::sort(placed, {}, [](const Placed& part) { return part.box.lo[0]; });
    return placed;
}

bool overlap(const BroadBox& a, const BroadBox& b) {
    for (int k = 0; k < 3; ++k)
        if (a.lo[k] > b.hi[k] || b.lo[k] > a.hi[k]) return false;
    return true;
}

Eigen::Quaterniond rotation(const Pose& pose) {
    return {pose.rotation[0], pose.rotation[1], pose.rotation[2], pose.rotation[3]};
}

/// B's frame in A's.
Pose relative(const Pose& a, const Pose& b) {
    const Eigen::Quaterniond back = rotation(a).conjugate();
    const Eigen::Quaterniond turn = back * rotation(b);
    const Eigen::Map<const Eigen::Vector3d> from(a.translation), to(b.translation);
    const Eigen::Vector3d shift = back * (to - from);
    return {{turn.w(), turn.x(), turn.y(), turn.z()}, {shift.x(), shift.y(), shift.z()}};
}

/// A query of mode first that every part can be asked.
RunQuery first_contact(const std::vector<Placed>& parts, HierarchyRows list) {
    for (const Hierarchy* row : ranked(list, &HierarchyRanks::checked)) {
        if (!std::ranges::all_of(parts, row->present, &Placed::shape)) continue;
        for (const QueryMethod& method : row->query_methods())
            if (method.mode == QueryMode::kFirst) return method.variants.front().run;
    }
    return nullptr;
}

}  // namespace

std::optional<std::vector<PartNumbers>> touching_pairs(const Body& body, HierarchyRows list) {
    const std::vector<Placed> parts = placed_parts(body);
    const RunQuery touch = first_contact(parts, list);
    if (!touch) return std::nullopt;
    std::vector<PartNumbers> pairs;
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t j = i + 1; j < parts.size() && parts[j].box.lo[0] <= parts[i].box.hi[0]; ++j) {
            const auto [a, b] = std::minmax(parts[i].part, parts[j].part);
            if (!overlap(parts[i].box, parts[j].box) || body.pair_listed(a, b)) continue;
            QueryOutcome outcome;
            const Pose pose = relative(parts[i].pose, parts[j].pose);
            const Status status = touch(parts[i].shape, parts[j].shape, pose, QueryRequest(), outcome);
            if (status != Status::kOk) return std::nullopt;
            if (outcome.verdict == Verdict::kColliding) pairs.emplace_back(a, b);
        }
    std::ranges::sort(pairs);
    return pairs;
}

}  // namespace espalier
