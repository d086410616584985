// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere_tree/held_points.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

// The widest vectors that the processor has; without fused multiply-add the results are the same on all.
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define ESPALIER_WIDE_LANES __attribute__((target_clones("avx2", "default")))
#else
#define ESPALIER_WIDE_LANES
#endif

namespace espalier {

// With internal linkage there are no clones.
namespace lanes {

constexpr std::size_t kLanes = LanePoints::kLanes;
constexpr std::size_t kGroup = HeldPoints::kGroup;
/// Sums are compared with their limit after so many points.
constexpr std::size_t kStretch = 16 * kLanes;

// The compilers' own vectors: true is -1 in every bit.
typedef float Floats __attribute__((vector_size(4 * kLanes)));
typedef std::int32_t Ints __attribute__((vector_size(4 * kLanes)));
// The same anywhere in memory.
struct __attribute__((packed, may_alias)) FloatsAt {
    Floats v;
};
struct __attribute__((packed, may_alias)) IntsAt {
    Ints v;
};

inline const FloatsAt* floats(const float* values) {
    return reinterpret_cast<const FloatsAt*>(values);
}
inline FloatsAt* floats(float* values) {
    return reinterpret_cast<FloatsAt*>(values);
}
inline const IntsAt* ints(const std::int32_t* values) {
    return reinterpret_cast<const IntsAt*>(values);
}
inline IntsAt* ints(std::int32_t* values) {
    return reinterpret_cast<IntsAt*>(values);
}

struct Coordinates {
    const float* x;
    const float* y;
    const float* z;
};

#define ESPALIER_SQUARED(points, i, ball)                                                  \
    ((floats((points).x + (i))->v - (ball).x) * (floats((points).x + (i))->v - (ball).x) + \
     (floats((points).y + (i))->v - (ball).y) * (floats((points).y + (i))->v - (ball).y) + \
     (floats((points).z + (i))->v - (ball).z) * (floats((points).z + (i))->v - (ball).z))

ESPALIER_WIDE_LANES
void farthest_squared(std::size_t count, Coordinates points, const float* more, const LaneBall& from,
                      float* result) {
    Floats most = {};
    for (std::size_t i = 0; i < count; i += kLanes) {
        const Floats squared = ESPALIER_SQUARED(points, i, from) + floats(more + i)->v;
        most = most > squared ? most : squared;
    }
    floats(result)->v = most;
}

ESPALIER_WIDE_LANES
void add_weights(std::size_t first, std::size_t last, Coordinates points, const float* weight,
                 const LaneBall& ball, float middle, float slope, float* result) {
    Floats sums = {};
    const Floats zero = {};
    const Floats one = zero + 1.0F;
    for (std::size_t i = first; i < last; i += kLanes) {
        Floats part = middle - slope * ESPALIER_SQUARED(points, i, ball);
        part = part < one ? part : one;
        part = part > zero ? part : zero;
        sums += part * floats(weight + i)->v;
    }
    floats(result)->v = sums;
}

/// For each point of a group, -1 if it is in the ball.
ESPALIER_WIDE_LANES
void in_ball(Coordinates points, const LaneBall& ball, float limit, std::int32_t* in) {
    for (std::size_t i = 0; i < kGroup; i += kLanes) {
        ints(in + i)->v = ESPALIER_SQUARED(points, i, ball) <= limit;
    }
}

/// The same for discs; see squared_reach.
ESPALIER_WIDE_LANES
void discs_in_ball(Coordinates discs, Coordinates normals, const float* radius, const LaneBall& ball,
                   float limit, std::int32_t* __restrict in) {
    for (std::size_t i = 0; i < kGroup; ++i) {
        const float dx = discs.x[i] - ball.x;
        const float dy = discs.y[i] - ball.y;
        const float dz = discs.z[i] - ball.z;
        const float squared = dx * dx + dy * dy + dz * dz;
        const float height = normals.x[i] * dx + normals.y[i] * dy + normals.z[i] * dz;
        const float left = squared - height * height;
        const float across = std::sqrt(left > 0.0F ? left : 0.0F);
        in[i] = squared + radius[i] * (radius[i] + 2.0F * across) <= limit ? -1 : 0;
    }
}

/// Adds `change` to the holders of the points of a group that are in, and the weights of those that had
/// `turning` holders to the sums.
ESPALIER_WIDE_LANES
void count_group(const std::int32_t* in, const float* weight, std::int32_t change, std::int32_t turning,
                 std::int32_t* held, float* sums) {
    Floats sum = floats(sums)->v;
    for (std::size_t i = 0; i < kGroup; i += kLanes) {
        const Ints turned = ints(in + i)->v & (ints(held + i)->v == turning);
        sum += (Floats)(turned & (Ints)floats(weight + i)->v);
        ints(held + i)->v += ints(in + i)->v & change;
    }
    floats(sums)->v = sum;
}

/// For each point of a group, -1 if it is in and nobody holds it but those who are counted in `own`.
ESPALIER_WIDE_LANES
void free_in_group(const std::int32_t* held, const std::int32_t* own, std::int32_t* in) {
    for (std::size_t i = 0; i < kGroup; i += kLanes) {
        ints(in + i)->v &= ints(held + i)->v + ints(own + i)->v == 0;
    }
}

/// Groups whose ball the other one reaches: -1, others 0. Precondition: whole lanes.
ESPALIER_WIDE_LANES
void groups_reached(std::size_t count, Coordinates groups, const float* radius, const LaneBall& ball,
                    std::int32_t* reached) {
    for (std::size_t i = 0; i < count; i += kLanes) {
        const Floats far = floats(radius + i)->v + ball.radius;
        ints(reached + i)->v = ESPALIER_SQUARED(groups, i, ball) <= far * far;
    }
}

#undef ESPALIER_SQUARED

}  // namespace lanes

void LanePoints::make_room(std::size_t more) {
    const std::size_t needed = count_ + more + kLanes;
    if (needed > x_.size()) {
        for (std::vector<float>* values : {&x_, &y_, &z_, &weight_}) {
            values->resize(2 * needed);
        }
    }
}

void LanePoints::push_back(float x, float y, float z, float weight) {
    make_room(1);
    x_[count_] = x;
    y_[count_] = y;
    z_[count_] = z;
    weight_[count_++] = weight;
}

void LanePoints::close() {
    for (std::size_t i = count_; count_ > 0 && i % kLanes != 0; ++i) {
        x_[i] = x_[0];
        y_[i] = y_[0];
        z_[i] = z_[0];
        weight_[i] = 0.0F;
    }
}

float LanePoints::radius_around(const LaneBall& center) const {
    std::array<float, kLanes> most = {};
    lanes::farthest_squared(count_, {x_.data(), y_.data(), z_.data()}, weight_.data(), center, most.data());
    return std::sqrt(*std::max_element(most.begin(), most.end()));
}

float LanePoints::weight_within(const LaneBall& ball, float soft, float limit) const {
    // A half at the ball's surface, and from 1 to 0 over the soft layer: straight in squared distances, which
    // is near enough.
    const float slope = 1.0F / (2.0F * std::max(ball.radius, soft) * soft);
    const float middle = 0.5F + slope * ball.radius * ball.radius;
    float sum = 0.0F;
    for (std::size_t first = 0; first < count_ && sum <= limit; first += lanes::kStretch) {
        std::array<float, kLanes> sums = {};
        lanes::add_weights(first, std::min(first + lanes::kStretch, count_),
                           {x_.data(), y_.data(), z_.data()}, weight_.data(), ball, middle, slope,
                           sums.data());
        for (const float part : sums) {
            sum += part;
        }
    }
    return sum;
}

HeldPoints::HeldPoints(std::span<const Eigen::Vector3f> points, std::span<const float> weights)
    : value_(weights.begin(), weights.end()) {
    place(points);
}

HeldPoints::HeldPoints(std::span<const LaneDisc> discs) {
    std::vector<Eigen::Vector3f> centers;
    for (const LaneDisc& disc : discs) {
        centers.push_back(disc.center);
        value_.push_back(disc.radius);
        normal_x_.push_back(disc.normal.x());
        normal_y_.push_back(disc.normal.y());
        normal_z_.push_back(disc.normal.z());
    }
    place(centers);
    for (std::vector<float>* values : {&normal_x_, &normal_y_, &normal_z_}) {
        values->resize(x_.size(), 0.0F);
    }
}

void HeldPoints::place(std::span<const Eigen::Vector3f> points) {
    real_ = points.size();
    const std::size_t groups = (points.size() + kGroup - 1) / kGroup;
    const std::size_t size = groups * kGroup;
    // So far that no ball reaches them, and that their distances can still be squared.
    x_.assign(size, 1e9F);
    y_.assign(size, 1e9F);
    z_.assign(size, 1e9F);
    held_.assign(size, 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        x_[i] = points[i].x();
        y_[i] = points[i].y();
        z_[i] = points[i].z();
    }
    value_.resize(size, 0.0F);
    for (std::size_t first = 0; first < points.size(); first += kGroup) {
        Eigen::AlignedBox3f box;
        for (std::size_t i = first; i < std::min(first + kGroup, points.size()); ++i) {
            box.extend(points[i]);
        }
        group_x_.push_back(box.center().x());
        group_y_.push_back(box.center().y());
        group_z_.push_back(box.center().z());
        group_radius_.push_back(0.5F * box.diagonal().norm() * (1.0F + 1e-5F));
    }
    while (group_x_.size() % LanePoints::kLanes != 0) {
        for (std::vector<float>* values : {&group_x_, &group_y_, &group_z_}) {
            values->push_back(1e9F);
        }
        group_radius_.push_back(0.0F);
    }
    reached_.reserve(groups);
}

void HeldPoints::reach(const LaneBall& ball) const {
    constexpr std::size_t kBlock = 256;
    std::array<std::int32_t, kBlock> is_reached;
    reached_.clear();
    if (ball.empty()) {
        return;
    }
    // A little more than the tolerance of held_limit.
    const LaneBall wider{ball.x, ball.y, ball.z, ball.radius * (1.0F + 1e-5F)};
    for (std::size_t first = 0; first < group_x_.size(); first += kBlock) {
        const std::size_t count = std::min(kBlock, group_x_.size() - first);
        lanes::groups_reached(count,
                              {group_x_.data() + first, group_y_.data() + first, group_z_.data() + first},
                              group_radius_.data() + first, wider, is_reached.data());
        for (std::size_t i = 0; i < count; ++i) {
            if (is_reached[i] != 0) {
                reached_.push_back(static_cast<std::uint32_t>(first + i));
            }
        }
    }
}

namespace {

bool none_of(const std::int32_t* in) {
    std::int32_t any = 0;
    for (std::size_t l = 0; l < LanePoints::kLanes; ++l) {
        any |= in[l];
    }
    return any == 0;
}

}  // namespace

/// -1 for those points of a group that the ball holds and may hold.
void HeldPoints::look(std::size_t first, const LaneBall& ball, std::span<const std::uint8_t> allowed,
                      std::int32_t* in) const {
    const lanes::Coordinates points{x_.data() + first, y_.data() + first, z_.data() + first};
    if (normal_x_.empty()) {
        lanes::in_ball(points, ball, held_limit(ball), in);
    } else {
        lanes::discs_in_ball(points,
                             {normal_x_.data() + first, normal_y_.data() + first, normal_z_.data() + first},
                             value_.data() + first, ball, held_limit(ball), in);
    }
    if (!allowed.empty()) {
        for (std::size_t i = 0; i < kGroup; ++i) {
            in[i] &= -static_cast<std::int32_t>(allowed[first + i]);
        }
    }
}

double HeldPoints::count(const LaneBall& ball, std::int32_t change, std::span<const std::uint8_t> allowed) {
    if (ball.empty()) {
        return 0.0;
    }
    const std::int32_t turning = change > 0 ? 0 : 1;  // holders of a point that turns
    std::array<std::int32_t, kGroup> in;
    std::array<float, LanePoints::kLanes> sums = {};
    reach(ball);
    for (const std::uint32_t group : reached_) {
        const std::size_t first = group * kGroup;
        look(first, ball, allowed, in.data());
        lanes::count_group(in.data(), value_.data() + first, change, turning, held_.data() + first,
                           sums.data());
    }
    double sum = 0.0;
    for (const float part : sums) {
        sum += static_cast<double>(part);
    }
    return sum;
}

bool HeldPoints::holds(const LaneBall& ball, std::size_t i) const {
    const LaneDisc disc = normal_x_.empty() ? LaneDisc{at(i), Eigen::Vector3f::Zero(), 0.0F} : this->disc(i);
    return !ball.empty() && squared_reach(ball, disc) <= held_limit(ball);
}

void HeldPoints::find(const LaneBall& ball, std::int32_t holders, std::span<const std::uint8_t> allowed,
                      std::vector<std::uint32_t>& found) const {
    if (ball.empty()) {
        return;
    }
    std::array<std::int32_t, kGroup> in;
    reach(ball);
    for (const std::uint32_t group : reached_) {
        const std::size_t first = group * kGroup;
        look(first, ball, allowed, in.data());
        for (std::size_t i = 0; i < kGroup; ++i) {
            if (in[i] != 0 && held_[first + i] == holders) {
                found.push_back(static_cast<std::uint32_t>(first + i));
            }
        }
    }
}

void HeldPoints::find_free(const LaneBall& around, const LaneBall& own, LanePoints& found) const {
    std::array<std::int32_t, kGroup> in;
    std::array<std::int32_t, kGroup> in_own = {};
    reach(around);
    found.make_room(reached_.size() * kGroup);
    for (const std::uint32_t group : reached_) {
        const std::size_t first = group * kGroup;
        look(first, around, {}, in.data());
        if (!own.empty()) {
            look(first, own, {}, in_own.data());
        }
        lanes::free_in_group(held_.data() + first, in_own.data(), in.data());
        std::size_t next = found.count_;
        for (std::size_t i = 0; i < kGroup; ++i) {
            if (i % LanePoints::kLanes == 0 && none_of(in.data() + i)) {
                i += LanePoints::kLanes - 1;
                continue;
            }
            // Written whether it is free or not: what comes next cannot be foreseen, so a branch would cost
            // more.
            found.x_[next] = x_[first + i];
            found.y_[next] = y_[first + i];
            found.z_[next] = z_[first + i];
            found.weight_[next] = value_[first + i];
            next += static_cast<std::size_t>(in[i] & 1);
        }
        found.count_ = next;
    }
}

}  // namespace espalier
