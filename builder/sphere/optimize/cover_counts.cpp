// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/cover_counts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "builder/sphere/optimize/tuning.h"

namespace espalier {

using kernels::kGroup;
using kernels::kLanes;

namespace {

/// A sphere that both are in, up to rounding; the other one if one is empty.
SearchSphere sphere_around(const SearchSphere& a, const SearchSphere& b) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    const Eigen::Vector3f from(a.x, a.y, a.z);
    const Eigen::Vector3f along = Eigen::Vector3f(b.x, b.y, b.z) - from;
    const float distance = along.norm();
    const float radius = 0.5F * (distance + a.radius + b.radius);
    if (radius <= std::max(a.radius, b.radius)) return a.radius > b.radius ? a : b;
    const Eigen::Vector3f center = from + (radius - a.radius) / distance * along;
    return {center.x(), center.y(), center.z(), radius * (1.0F + 1e-6F)};
}

}  // namespace

CoverCounts::CoverCounts(std::span<const Eigen::Vector3f> points, std::span<const float> weights, float gap)
    : gap_(gap), value_(weights.begin(), weights.end()) {
    assert(points.size() == weights.size());
    place(points);
}

CoverCounts::CoverCounts(std::span<const Surfel> surfels) {
    std::vector<Eigen::Vector3f> centers;
    for (const Surfel& surfel : surfels) {
        centers.push_back(surfel.center);
        value_.push_back(surfel.radius);
        normal_x_.push_back(surfel.normal.x());
        normal_y_.push_back(surfel.normal.y());
        normal_z_.push_back(surfel.normal.z());
    }
    place(centers);
    for (std::vector<float>* values : {&normal_x_, &normal_y_, &normal_z_}) values->resize(x_.size(), 0.0F);
}

void CoverCounts::place(std::span<const Eigen::Vector3f> points) {
    real_ = points.size();
    const std::size_t groups = (points.size() + kGroup - 1) / kGroup;
    const std::size_t size = groups * kGroup;
    // So far that no sphere meets them, and that their distances can still be squared.
    x_.assign(size, 1e9F);
    y_.assign(size, 1e9F);
    z_.assign(size, 1e9F);
    counts_.assign(size, 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        x_[i] = points[i].x();
        y_[i] = points[i].y();
        z_[i] = points[i].z();
    }
    value_.resize(size, 0.0F);
    for (std::size_t first = 0; first < points.size(); first += kGroup) {
        Eigen::AlignedBox3f box;
        for (std::size_t i = first; i < std::min(first + kGroup, points.size()); ++i) box.extend(points[i]);
        group_x_.push_back(box.center().x());
        group_y_.push_back(box.center().y());
        group_z_.push_back(box.center().z());
        group_radius_.push_back(0.5F * box.diagonal().norm() * (1.0F + 1e-5F));
    }
    while (group_x_.size() % kLanes != 0) {
        for (std::vector<float>* values : {&group_x_, &group_y_, &group_z_}) values->push_back(1e9F);
        group_radius_.push_back(0.0F);
    }
}

kernels::Groups CoverCounts::groups(std::span<const std::uint8_t> allowed) const {
    const bool surfels = !normal_x_.empty();
    return {{x_.data(), y_.data(), z_.data()},
            value_.data(),
            {surfels ? normal_x_.data() : nullptr, normal_y_.data(), normal_z_.data()},
            allowed.empty() ? nullptr : allowed.data()};
}

kernels::List CoverCounts::groups_meeting(const SearchSphere& sphere) const {
    assert(!sphere.empty());
    thread_local std::vector<std::uint32_t> met;
    if (met.size() < group_x_.size()) met.resize(group_x_.size());
    // A little more than the tolerance of cover_limit.
    const float radius = sphere.radius * (1.0F + 1e-5F);
    const std::size_t count =
        kernels::table().meet(group_x_.size(), {group_x_.data(), group_y_.data(), group_z_.data()},
                              group_radius_.data(), range_of(sphere), radius, met.data());
    return {met.data(), count};
}

void CoverCounts::groups_near(const SearchSphere& sphere, std::vector<std::uint32_t>& found) const {
    found.clear();
    if (!sphere.empty()) {
        const kernels::List list = groups_meeting(sphere);
        std::copy_if(list.index, list.index + list.count, std::back_inserter(found),
                     [&](std::uint32_t group) { return group * kGroup < size(); });
    }
}

double CoverCounts::replace(const SearchSphere& one_leaves, const SearchSphere& one_comes,
                            std::span<const std::uint8_t> allowed) {
    assert(allowed.empty() || allowed.size() >= size());
    return replace_as_is(without_gap(one_leaves), without_gap(one_comes), allowed);
}

double CoverCounts::replace_as_is(const SearchSphere& leaves, const SearchSphere& comes,
                                  std::span<const std::uint8_t> allowed) {
    const SearchSphere both = sphere_around(leaves, comes);
    if (both.empty()) return 0.0;
    if (both.radius > tuning::kTogether * std::max(leaves.radius, comes.radius))
        return replace_as_is(leaves, {}, allowed) + replace_as_is({}, comes, allowed);
    return kernels::table().replace(groups_meeting(both), groups(allowed), range_of(leaves), range_of(comes),
                                    counts_.data());
}

bool CoverCounts::covers(const SearchSphere& one, std::size_t i) const {
    const SearchSphere sphere = without_gap(one);
    const Surfel surfel = normal_x_.empty() ? Surfel{at(i), Eigen::Vector3f::Zero(), 0.0F} : this->surfel(i);
    return !sphere.empty() && squared_radius_to_cover(sphere, surfel) <= cover_limit(sphere);
}

void CoverCounts::find(const SearchSphere& one, std::int32_t count, std::span<const std::uint8_t> allowed,
                       std::vector<std::uint32_t>& found) const {
    const SearchSphere sphere = without_gap(one);
    if (sphere.empty()) return;
    const kernels::List list = groups_meeting(sphere);
    const std::size_t before = found.size();
    found.resize(before + list.count * kGroup);
    const std::size_t more = kernels::table().find(list, groups(allowed), range_of(sphere), count,
                                                   counts_.data(), found.data() + before);
    found.resize(before + more);
}

void CoverCounts::find_uncovered(const SearchSphere& around, const SearchSphere& own,
                                 PointBatch& found) const {
    if (around.empty()) return;
    const kernels::List list = groups_meeting(around);
    found.make_room(list.count * kGroup);
    found.count_ += kernels::table().gather(
        list, groups({}), range_of(around), range_of(without_gap(own)), counts_.data(),
        {found.x_.data() + found.count_, found.y_.data() + found.count_, found.z_.data() + found.count_,
         found.weight_.data() + found.count_});
}

}  // namespace espalier
