// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/held_points.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace espalier {

using lanes::kGroup;
using lanes::kLanes;

namespace {

lanes::Range range_of(const LaneBall& ball) {
    return {ball.x, ball.y, ball.z, ball.empty() ? -1.0F : held_limit(ball)};
}

/// Two balls are looked at together unless one around both would be so much larger.
constexpr float kFarther = 1.3F;

/// A ball that both are in, up to rounding; the other one if one is empty.
LaneBall ball_around(const LaneBall& a, const LaneBall& b) {
    if (a.empty() || b.empty()) {
        return a.empty() ? b : a;
    }
    const Eigen::Vector3f from(a.x, a.y, a.z);
    const Eigen::Vector3f along = Eigen::Vector3f(b.x, b.y, b.z) - from;
    const float distance = along.norm();
    const float radius = 0.5F * (distance + a.radius + b.radius);
    if (radius <= std::max(a.radius, b.radius)) {
        return a.radius > b.radius ? a : b;
    }
    const Eigen::Vector3f center = from + (radius - a.radius) / distance * along;
    return {center.x(), center.y(), center.z(), radius * (1.0F + 1e-6F)};
}

}  // namespace

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
    return std::sqrt(lanes::loops().farthest(count_, places(), weight_.data(), range_of(center)));
}

float LanePoints::weight_within(const LaneBall& ball, float soft, float limit) const {
    // A half at the ball's surface, and from 1 to 0 over the soft layer: straight in squared distances, which
    // is near enough.
    const float slope = 1.0F / (2.0F * std::max(ball.radius, soft) * soft);
    const float middle = 0.5F + slope * ball.radius * ball.radius;
    return lanes::loops().weigh(count_, places(), weight_.data(), range_of(ball), middle, slope, limit);
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
    while (group_x_.size() % kLanes != 0) {
        for (std::vector<float>* values : {&group_x_, &group_y_, &group_z_}) {
            values->push_back(1e9F);
        }
        group_radius_.push_back(0.0F);
    }
}

lanes::Groups HeldPoints::groups(std::span<const std::uint8_t> allowed) const {
    const bool discs = !normal_x_.empty();
    return {{x_.data(), y_.data(), z_.data()},
            value_.data(),
            {discs ? normal_x_.data() : nullptr, normal_y_.data(), normal_z_.data()},
            allowed.empty() ? nullptr : allowed.data()};
}

lanes::List HeldPoints::reached(const LaneBall& ball) const {
    thread_local std::vector<std::uint32_t> met;
    if (met.size() < group_x_.size()) {
        met.resize(group_x_.size());
    }
    // A little more than the tolerance of held_limit.
    const float radius = ball.radius * (1.0F + 1e-5F);
    const std::size_t count =
        lanes::loops().meet(group_x_.size(), {group_x_.data(), group_y_.data(), group_z_.data()},
                            group_radius_.data(), range_of(ball), radius, met.data());
    return {met.data(), count};
}

void HeldPoints::groups_near(const LaneBall& ball, std::vector<std::uint32_t>& found) const {
    found.clear();
    if (!ball.empty()) {
        const lanes::List list = reached(ball);
        std::copy_if(list.index, list.index + list.count, std::back_inserter(found),
                     [&](std::uint32_t group) { return group * kGroup < size(); });
    }
}

double HeldPoints::exchange(const LaneBall& leaves, const LaneBall& comes,
                            std::span<const std::uint8_t> allowed) {
    const LaneBall both = ball_around(leaves, comes);
    if (both.empty()) {
        return 0.0;
    }
    if (both.radius > kFarther * std::max(leaves.radius, comes.radius)) {
        return exchange(leaves, {}, allowed) + exchange({}, comes, allowed);
    }
    return lanes::loops().exchange(reached(both), groups(allowed), range_of(leaves), range_of(comes),
                                   held_.data());
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
    const lanes::List list = reached(ball);
    const std::size_t before = found.size();
    found.resize(before + list.count * kGroup);
    const std::size_t more = lanes::loops().find(list, groups(allowed), range_of(ball), holders, held_.data(),
                                                 found.data() + before);
    found.resize(before + more);
}

void HeldPoints::find_free(const LaneBall& around, const LaneBall& own, LanePoints& found) const {
    if (around.empty()) {
        return;
    }
    const lanes::List list = reached(around);
    found.make_room(list.count * kGroup);
    found.count_ +=
        lanes::loops().gather(list, groups({}), range_of(around), range_of(own), held_.data(),
                              {found.x_.data() + found.count_, found.y_.data() + found.count_,
                               found.z_.data() + found.count_, found.weight_.data() + found.count_});
}

}  // namespace espalier
