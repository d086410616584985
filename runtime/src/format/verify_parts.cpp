// SPDX-License-Identifier: MIT
// Full verification of parts, names and pairs: what kinematics and queries of bodies trust without looking
// again.
#include "../base/rounding.h"
#include "verify.h"

namespace espalier {
namespace {

/// How far the squared length of a unit quaternion or axis may be from 1. Writers normalise in double, to
/// about 1e-15; more than this would scale the parts below it by what a reader notices.
constexpr double kUnitTolerance = 1e-9;

/// Whether a squared length is that of a unit vector; NaN is not.
bool unit(double squared) {
    return squared >= 1 - kUnitTolerance && squared <= 1 + kUnitTolerance;
}

double squared3(const double* v) {
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

bool finite(double x) {
    return x - x == 0;
}

/// Joints with one number.
bool single_valued(Joint joint) {
    return joint_value_count(joint) == 1;
}

bool proper_joint(const PartNode& part) {
    if (part.joint > Joint::kFree || (part.reserved[0] | part.reserved[1] | part.reserved[2]) != 0)
        return false;
    const double* axis = part.axis;
    const bool none = axis[0] == 0 && axis[1] == 0 && axis[2] == 0;
    if (single_valued(part.joint) ? !unit(squared3(axis)) : !none) return false;
    // Not NaN, in order, and some finite value between them.
    constexpr double kUnlimited = __builtin_huge_val();
    return part.lower <= part.upper && part.lower < kUnlimited && part.upper > -kUnlimited;
}

/// Follows the chain to its end: what ends within the limit has no cycle.
bool proper_mimic(const Asset& asset, const PartNode& part) {
    if (!finite(part.multiplier) || !finite(part.offset)) return false;
    if (part.mimic == kNoIndex) return part.multiplier == 1 && part.offset == 0;
    PartNode leader = part;
    for (std::uint32_t links = 0; links < kMaxMimicChain; ++links) {
        if (!single_valued(leader.joint)) return false;
        if (leader.mimic == kNoIndex) return true;
        if (asset.part_node(leader.mimic, &leader) != Status::kOk) return false;
    }
    return false;
}

bool proper_part(const Asset& asset, const PartNode& part) {
    const double* q = part.rotation;
    if (!unit(squared3(q) + q[3] * q[3]) || !finite3(part.translation)) return false;
    if (part.name >= asset.name_count()) return false;
    if (part.joint_name != kNoIndex && part.joint_name >= asset.name_count()) return false;
    return proper_joint(part) && proper_mimic(asset, part);
}

bool proper_pairs(const Asset& asset) {
    for (std::uint32_t i = 0; i < asset.pair_count(); ++i) {
        const PartPair& pair = asset.pairs()[i];
        if (pair.a >= pair.b || pair.b >= asset.part_count()) return false;
        if (!(pair.share >= 0 && pair.share <= 1)) return false;
        if (pair.reason > PairReason::kUser || pair.proved > 1 || pair.reserved != 0) return false;
        if (i == 0) continue;
        const PartPair& before = asset.pairs()[i - 1];
        if (before.a > pair.a || (before.a == pair.a && before.b >= pair.b)) return false;
    }
    return true;
}

/// A sound name lies in the file; a broken one is answered by a constant elsewhere.
bool proper_names(const Asset& asset) {
    const auto first = reinterpret_cast<std::uintptr_t>(asset.data());
    for (std::uint32_t i = 0; i < asset.name_count(); ++i)
        if (reinterpret_cast<std::uintptr_t>(asset.name(i)) - first >= asset.size()) return false;
    return true;
}

}  // namespace

Status verify_parts(const Asset& asset) {
    if (!proper_names(asset)) return Status::kCorrupt;
    if (asset.has_parts())
        for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
            PartNode part;
            if (asset.part_node(i, &part) != Status::kOk || !proper_part(asset, part))
                return Status::kCorruptParts;
        }
    return proper_pairs(asset) ? Status::kOk : Status::kCorruptParts;
}

}  // namespace espalier
