// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/fit_samples.h"

#include <algorithm>
#include <cmath>

namespace espalier {
namespace {

using Eigen::Vector3f;

/// What errors cost where they begin to cost more than volume.
constexpr float kErrorPrice = 10.0F;
/// What is farther out, in usual errors, costs every ball that holds it. If only the first one paid, nobody
/// would leave a narrow room that others fill too.
constexpr float kFarOut = 1.5F;
/// A sample is held in part in a layer of so many widths of its cell, which counts as at most so many of the
/// smallest.
constexpr float kSoftness = 1.5F;
constexpr float kSoftest = 2.0F;

double sum_of_held(HeldPoints points, std::span<const Member> members) {
    double sum = 0.0;
    for (const Member& member : members) {
        sum += points.add(member.ball);
    }
    return sum;
}

}  // namespace

FitSamples::FitSamples(const LaneFrame& frame, const InsideTest& inside, const SurfaceQuery& query)
    : frame_(frame), inside_(inside), query_(query) {}

void FitSamples::take(double near, double reach, double count) {
    samples_ = sample_outside(inside_, query_, near * frame_.scale, reach * frame_.scale,
                              static_cast<std::size_t>(count));
    places_.clear();
    for (const Eigen::Vector3d& point : samples_.point) {
        places_.push_back(frame_.to_lanes(point));
    }
}

void FitSamples::weigh(float usual_error) {
    weights_.resize(samples_.point.size());
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const float distance = samples_.distance[i] / static_cast<float>(frame_.scale);
        const float square = distance / usual_error * (distance / usual_error);
        const float price = kErrorPrice * square * square * square;
        weights_[i] = (distance > kFarOut * usual_error ? -1.0F : 1.0F) * (1.0F + price) * samples_.volume[i];
    }
    all_ = HeldPoints(places_, weights_);
    // From one cell to seven, its width is not its cube root, but near enough.
    per_softness_.assign(all_.size(), 0.0F);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const float cells = std::min((samples_.volume[i] + 5.0F) / 6.0F, kSoftest);
        per_softness_[i] = 1.0F / (kSoftness * cells * static_cast<float>(width()));
    }
}

float FitSamples::softest() const {
    return kSoftness * kSoftest * static_cast<float>(width());
}

HeldPoints FitSamples::in_box(const Eigen::AlignedBox3f& box) const {
    std::vector<std::uint32_t> near;
    const Vector3f middle = box.center();
    all_.find({middle.x(), middle.y(), middle.z(), 0.5F * box.diagonal().norm() * kLaneSafe}, 0, {}, near);
    std::vector<Vector3f> places;
    std::vector<float> weights;
    for (const std::uint32_t s : near) {
        if (box.contains(places_[s])) {
            places.push_back(places_[s]);
            weights.push_back(weights_[s]);
        }
    }
    return {places, weights};
}

double FitSamples::cost(std::span<const Member> members) const {
    return sum_of_held(all_, members);
}

double FitSamples::volume(std::span<const Member> members) const {
    return sum_of_held({places_, samples_.volume}, members);
}

double FitSamples::own_cost(const LaneBall& ball) const {
    std::vector<std::uint32_t> found;
    all_.find(ball, 0, {}, found);
    double cost = 0.0;
    for (const std::uint32_t i : found) {
        cost += std::abs(double(weights_[i]));
    }
    return cost;
}

float FitSamples::error_of(const LaneBall& ball) const {
    std::vector<std::uint32_t> found;
    all_.find(ball, 0, {}, found);
    float most = 0.0F;
    for (const std::uint32_t i : found) {
        most = std::max(most, samples_.distance[i]);
    }
    return most / static_cast<float>(frame_.scale);
}

double FitSamples::mean_error(std::span<const Member> members) const {
    double sum = 0.0;
    for (const Member& member : members) {
        sum += error_of(member.ball);
    }
    return std::max(sum / double(members.size()), 0.5 * width());
}

double FitSamples::mean_cap(std::span<const Member> members) const {
    double sum = 0.0;
    for (const Member& member : members) {
        sum += double(member.ball.radius) * std::max(double(error_of(member.ball)), 0.5 * width());
    }
    return sum / double(members.size());
}

double FitSamples::largest_error(std::span<const Member> members) const {
    float most = 0.0F;
    for (const Member& member : members) {
        most = std::max(most, error_of(member.ball));
    }
    return double(most) + width();
}

}  // namespace espalier
