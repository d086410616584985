// SPDX-License-Identifier: MIT
// Broad phase: which pairs of many moving objects deserve a query. Sweep and prune on boxes (Baraff 1992;
// Cohen, Lin, Manocha and Ponamgi 1995) and Hubbard's space-time bounds on spheres (Hubbard 1995; 1996,
// section 2.2). All state is in memory that the caller gives once; nothing allocates. A capacity that is
// exceeded is reported, never hidden.
#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/status.h"

namespace espalier {

/// A closed box; sides may be infinite, but not NaN, and lo <= hi.
struct BroadBox {
    double lo[3] = {0, 0, 0};  ///< lower corner
    double hi[3] = {0, 0, 0};  ///< upper corner
};

/// Two objects, a < b, that may touch.
struct BroadPair {
    std::uint32_t a = 0;  ///< the first of the two
    std::uint32_t b = 0;  ///< the second
    double time = 0;      ///< earliest possible contact; set by SpaceTimeBounds alone
};

/// Keeps the pairs of overlapping boxes while the boxes move. Three lists of box ends stay sorted by
/// insertion, so a frame costs about as much as what has changed since the last one; a frame in which
/// everything has moved far is sorted anew instead, in O(n log n) plus the pairs that overlap on the best
/// axis.
class SweepAndPrune {
  public:
    /// Most objects.
    static constexpr std::uint32_t kMaxObjects = 1u << 24;
    /// Most pairs.
    static constexpr std::uint32_t kMaxPairs = 1u << 28;

    /// Bytes that `begin` needs: 160 an object, 24 to 32 a pair, and less than 200 more; 0 for a capacity out
    /// of range.
    static std::size_t memory_size(std::uint32_t max_objects, std::uint32_t max_pairs);

    /// Takes the memory and forgets everything. Fails with kInvalidArgument: null, not 16-byte aligned, too
    /// small, or a capacity of 0 or above the limits.
    /// @param memory      the caller's, to be left alone as long as the object is used
    /// @param max_objects ids are 0 .. max_objects - 1
    /// @param max_pairs   overlapping pairs that can be kept
    Status begin(void* memory, std::size_t size, std::uint32_t max_objects, std::uint32_t max_pairs);

    /// Adds an object or moves it; counts at the next `update`. Fails with kInvalidArgument: no such id, or
    /// not a box.
    Status set(std::uint32_t id, const BroadBox& box);

    /// Takes an object out; counts at the next `update`. Fails with kInvalidArgument if it is not in.
    Status remove(std::uint32_t id);

    /// Brings the pairs up to date. kBufferFull: more pairs overlap than fit; then pair_total() tells how
    /// many, and the pairs kept are true ones but not all. The next update tries again from the start.
    Status update();

    /// Pairs kept, in an order that depends on the calls made so far and on nothing else.
    std::uint32_t pair_count() const { return pair_count_; }
    /// By its index.
    const BroadPair& pair(std::uint32_t index) const { return pairs_[index]; }
    /// Pairs that overlap; more than pair_count() after kBufferFull.
    std::uint64_t pair_total() const { return pair_total_; }
    /// Whether the object is there.
    bool contains(std::uint32_t id) const { return id < max_objects_ && (flags_[id] & 1u) != 0; }
    /// Of an object that is there.
    const BroadBox& box(std::uint32_t id) const { return boxes_[id]; }

    /// Work of the last update: places that box ends moved by, and whether everything was sorted anew.
    std::uint64_t moves() const { return moves_; }
    /// Whether the last update sorted anew.
    bool rebuilt() const { return rebuilt_; }

  private:
    friend class SpaceTimeBounds;
    struct End;
    struct Work;

    End* ends_[3] = {nullptr, nullptr, nullptr};
    BroadBox* boxes_ = nullptr;
    BroadPair* pairs_ = nullptr;
    std::uint32_t* buckets_ = nullptr;
    std::uint8_t* flags_ = nullptr;
    std::uint32_t bucket_mask_ = 0;
    std::uint32_t max_objects_ = 0;
    std::uint32_t max_pairs_ = 0;
    std::uint32_t end_count_ = 0;
    std::uint32_t pair_count_ = 0;
    std::uint32_t added_ = 0;    // objects whose ends are not in the lists yet
    std::uint32_t removed_ = 0;  // objects whose ends are still in the lists
    std::uint64_t pair_total_ = 0;
    std::uint64_t moves_ = 0;
    bool complete_ = false;  // the pairs are all that overlapped at the last update
    bool rebuilt_ = false;
};

/// How an object's bounding sphere moves: centre and velocity now, and how much it may accelerate at most
/// from now on. The radius holds the object however it turns about the centre. Every value is finite and
/// below 1e100.
struct Motion {
    double position[3] = {0, 0, 0};  ///< of the centre
    double velocity[3] = {0, 0, 0};  ///< of the centre
    double radius = 0;               ///< not negative
    double max_acceleration = 0;     ///< length of the vector, not negative
};

/// Time from now until which two spheres cannot touch, whatever they do within their limits of acceleration:
/// 0 if they may touch now, infinite if they never can. Rounded down; the true earliest time is above it by a
/// millionth at most, save where it lies beyond `limit`: then the answer is some safe time not below `limit`,
/// or less.
double earliest_contact(const Motion& a, const Motion& b, double limit = __builtin_huge_val());

/// The box that a sphere cannot leave during `duration`, whatever it does within its limit. Rounded outward.
BroadBox reach_box(const Motion& motion, double duration);

/// Predicts which pairs of spheres may touch during the next frame. Each object reports where it is and how
/// fast it moves; its space-time bound is the ball about position + velocity t that grows as max_acceleration
/// t^2 / 2. Pairs are examined only when their earliest possible contact time has come, and an object's box
/// in the sweep and prune below covers a whole horizon of time, so most objects cost nothing in most frames.
///
/// A report that the last one and the limit do not explain (a bounce, a teleport, a changed radius or limit)
/// is noticed and the object is predicted anew: the caller promises nothing about the past. The promise about
/// the future is the limit itself: from a report on, until the next one, the object keeps it. Integrators
/// keep it when they move by v t + a t^2 / 2; semi-implicit Euler does not, and costs the savings, never a
/// pair.
class SpaceTimeBounds {
  public:
    /// Bytes that `begin` needs; 0 for a capacity out of range.
    static std::size_t memory_size(std::uint32_t max_objects, std::uint32_t max_pairs);

    /// Takes the memory and forgets everything. Fails as SweepAndPrune::begin does, or for a horizon that is
    /// not above 0.
    /// @param horizon time that an object's box covers: longer ones are renewed less often and overlap more
    Status begin(void* memory, std::size_t size, std::uint32_t max_objects, std::uint32_t max_pairs,
                 double horizon);

    /// Reports an object's motion at a time not before its last report. Fails with kInvalidArgument: no such
    /// id, a value out of range, a time that goes back.
    Status set(std::uint32_t id, double time, const Motion& motion);

    /// Takes an object out. Fails with kInvalidArgument if it is not in.
    Status remove(std::uint32_t id);

    /// Finds all pairs that may touch between the later of their last reports and `until`. kBufferFull: more
    /// pairs came near each other within the horizon than fit, and some that are due may be missing;
    /// kInvalidArgument: a time that is not finite or below 1e100 in size.
    Status advance(double until);

    /// Pairs due: they may touch before or at `until`; `time` is the earliest. All others cannot.
    std::uint32_t due_count() const { return due_count_; }
    /// By its index.
    const BroadPair& due(std::uint32_t index) const { return sweep_.pairs_[due_[index]]; }

    /// Before this time no two objects touch if none breaks its limit; minus infinity when pairs are missing.
    double quiet_until() const { return quiet_until_; }
    /// Pairs whose contact time was computed by the last advance, of pair_count() near each other.
    std::uint32_t examined() const { return examined_; }
    /// Number of pairs.
    std::uint32_t pair_count() const { return sweep_.pair_count(); }
    /// Objects predicted anew by the last advance.
    std::uint32_t renewed() const { return renewed_; }

  private:
    struct Object;
    void renew_boxes(double until);
    static double pair_time(const Object& a, const Object& b);

    SweepAndPrune sweep_;
    Object* objects_ = nullptr;
    std::uint32_t* due_ = nullptr;
    std::uint32_t due_count_ = 0;
    std::uint32_t examined_ = 0;
    std::uint32_t renewed_ = 0;
    double horizon_ = 0;
    double quiet_until_ = 0;
};

}  // namespace espalier
