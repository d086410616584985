// SPDX-License-Identifier: MIT
// Full verification of parts, names and pairs: what kinematics and queries of bodies trust without looking
// again.
#include <cmath>
#include <cstring>

#include "verify.h"

namespace espalier {
namespace {

/// How far the squared length of a unit quaternion or axis may be from 1. Writers normalise in double, to
/// about 1e-15; more than this would scale the parts below it by what a reader notices.
constexpr double kUnitTolerance = 1e-9;

/// Whether numbers are those of a unit vector; NaN is none.
__attribute__((noinline)) bool unit(const double* v, int count) {
    double off = -1;
    for (int i = 0; i < count; ++i) off += v[i] * v[i];
    return std::fabs(off) <= kUnitTolerance;
}

/// By the exponent: arithmetic on doubles is code that small processors lack.
bool finite(const double* v, int count) {
    constexpr std::uint64_t kInfinity = 0x7ff0000000000000u;
    std::uint64_t bits;
    for (int i = 0; i < count; ++i) {
        std::memcpy(&bits, v + i, 8);
        if ((bits & kInfinity) == kInfinity) return false;
    }
    return true;
}

/// Joints with one number.
bool single_valued(Joint joint) {
    return joint_value_count(joint) == 1;
}

bool proper_joint(const PartNode& part) {
    if (part.joint > Joint::kFree || (part.reserved[0] | part.reserved[1] | part.reserved[2]) != 0)
        return false;
    bool none = true;
    for (const double x : part.axis) none = none && x == 0;
    if (!(single_valued(part.joint) ? unit(part.axis, 3) : none)) return false;
    // Not NaN, in order, and some finite value between them.
    constexpr double kUnlimited = __builtin_huge_val();
    return part.lower <= part.upper && part.lower < kUnlimited && part.upper > -kUnlimited;
}

/// Follows the chain to its end: what ends within the limit has no cycle.
bool proper_mimic(const Asset& asset, const PartNode& part) {
    if (!finite(&part.multiplier, 1) || !finite(&part.offset, 1)) return false;
    if (part.mimic == kNoIndex) return part.multiplier == 1 && part.offset == 0;
    PartNode leader = part;
    std::uint32_t links = 0;
    while (single_valued(leader.joint) && leader.mimic != kNoIndex && ++links < kMaxMimicChain)
        if (asset.part_node(leader.mimic, &leader) != Status::kOk) return false;
    return single_valued(leader.joint) && leader.mimic == kNoIndex;
}

bool proper_part(const Asset& asset, const PartNode& part) {
    if (!unit(part.rotation, 4) || !finite(part.translation, 3)) return false;
    if (part.name >= asset.name_count()) return false;
    if (part.joint_name != kNoIndex && part.joint_name >= asset.name_count()) return false;
    return proper_joint(part) && proper_mimic(asset, part);
}

bool proper_pairs(const Asset& asset) {
    std::uint64_t before = 0;  // below the first pair, for its b is above its a
    for (std::uint32_t i = 0; i < asset.pair_count(); ++i) {
        const PartPair& pair = asset.pairs()[i];
        const std::uint64_t place = std::uint64_t{pair.a} << 32 | pair.b;
        if (pair.a >= pair.b || pair.b >= asset.part_count() || place <= before) return false;
        if (!(pair.share >= 0 && pair.share <= 1)) return false;
        if (pair.reason > PairReason::kUser || pair.proved > 1 || pair.reserved != 0) return false;
        before = place;
    }
    return true;
}

/// A part to be read into. Defaults would be filled in for nothing, from as many bytes of constants.
union PartToRead {
    PartToRead() {}
    PartNode part;
};

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
            PartToRead read;
            if (asset.part_node(i, &read.part) != Status::kOk || !proper_part(asset, read.part))
                return Status::kCorruptParts;
        }
    return proper_pairs(asset) ? Status::kOk : Status::kCorruptParts;
}

}  // namespace espalier
