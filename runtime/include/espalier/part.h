// SPDX-License-Identifier: MIT
// The parts of an asset as they lie in the file: where each is at rest, what joint moves it, and which pairs
// need no test.
#pragma once

#include <cstddef>
#include <cstdint>

namespace espalier {

/// In fields that number parts, shapes or names: there is none.
constexpr std::uint32_t kNoIndex = 0xFFFFFFFFu;

/// Most joints in a chain of joints that follow each other (PartNode::mimic); a full verification refuses a
/// longer one.
constexpr std::uint32_t kMaxMimicChain = 64;

/// How a part moves against its parent: pose = parent's pose * rest * motion of the joint.
enum class Joint : std::uint8_t {
    kFixed = 0,       ///< not at all
    kRevolute = 1,    ///< turns about its axis, within limits, in radians
    kContinuous = 2,  ///< turns about its axis without limits
    kPrismatic = 3,   ///< moves along its axis, in units of length
    kFree = 4,        ///< any rotation and translation
};

/// Joint values that a joint of its own takes in a configuration: rotation w x y z and translation of a free
/// one.
constexpr std::uint32_t joint_value_count(Joint joint) {
    return joint == Joint::kFixed ? 0 : joint == Joint::kFree ? 7 : 1;
}

/// One part, as stored (schema: Part).
struct PartNode {
    double rotation[4] = {1, 0, 0, 0};  ///< byte 0: at rest in the parent's frame, unit quaternion w x y z
    double translation[3] = {0, 0, 0};  ///< byte 32: at rest in the parent's frame
    double axis[3] = {0, 0, 0};         ///< byte 56: unit length, in the part's own frame; 0 if fixed or free
    double lower = -__builtin_huge_val();  ///< byte 80: least value of the joint
    double upper = __builtin_huge_val();   ///< byte 88: and largest
    double multiplier = 1;                 ///< byte 96: of the value of the joint that is followed
    double offset = 0;                     ///< byte 104: and what is added to it
    std::uint32_t name = 0;                ///< byte 112: Asset::name
    std::uint32_t joint_name = kNoIndex;   ///< byte 116: Asset::name, or kNoIndex
    std::uint32_t shape = kNoIndex;        ///< byte 120: Asset::shape, or kNoIndex: a frame only
    std::uint32_t parent = kNoIndex;       ///< byte 124: an earlier part, or kNoIndex: the body's own frame
    std::uint32_t mimic = kNoIndex;        ///< byte 128: part whose joint this one follows, or kNoIndex
    Joint joint = Joint::kFixed;           ///< byte 132: how it moves
    std::uint8_t reserved[3] = {0, 0, 0};  ///< byte 133: 0

    /// Numbers in a configuration that are this part's own: none if it follows another.
    std::uint32_t value_count() const { return mimic == kNoIndex ? joint_value_count(joint) : 0; }
};
static_assert(sizeof(PartNode) == 136, "schema/espalier.fbs and FORMAT.md say the same");

/// Why two parts need no test against each other.
enum class PairReason : std::uint8_t {
    kAdjacent = 0,  ///< a joint connects them
    kDefault = 1,   ///< they touch at rest
    kAlways = 2,    ///< they touch in every state
    kNever = 3,     ///< they touch in none
    kUser = 4,      ///< somebody said so
};

/// Two parts that need no test, as stored (schema: PartPair).
struct PartPair {
    std::uint32_t a = 0;                        ///< byte 0: the lower part
    std::uint32_t b = 0;                        ///< byte 4: the higher one
    std::uint32_t samples = 0;                  ///< byte 8: states of the joints that were tried
    float share = 0;                            ///< byte 12: of them in which they touched, 0 to 1
    PairReason reason = PairReason::kAdjacent;  ///< byte 16: why
    std::uint8_t proved = 0;                    ///< byte 17: 1: for every state within the limits
    std::uint16_t reserved = 0;                 ///< byte 18: 0
};
static_assert(sizeof(PartPair) == 20, "schema/espalier.fbs and FORMAT.md say the same");

}  // namespace espalier
