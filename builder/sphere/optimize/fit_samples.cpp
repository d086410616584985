// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/fit_samples.h"

#include <algorithm>
#include <cmath>

#include "builder/sphere/optimize/tuning.h"

namespace espalier {
namespace {

using Eigen::Vector3f;

double sum_of_covered(CoverCounts points, std::span<const CandidateSphere> candidates) {
    double sum = 0.0;
    for (const CandidateSphere& candidate : candidates) sum += points.add(candidate.sphere);
    return sum;
}

}  // namespace

FitSamples::FitSamples(const SearchFrame& frame, const Solid& solid, const SurfaceQuery& query)
    : frame_(frame), solid_(solid), query_(query) {}

void FitSamples::take(double near, double max_distance, double count) {
    samples_ = sample_outside(solid_, query_, near * frame_.scale, max_distance * frame_.scale,
                              static_cast<std::size_t>(count), samples_);
    places_.clear();
    for (const Eigen::Vector3d& point : samples_.point) places_.push_back(frame_.to_search(point));
}

void FitSamples::weigh(float error_knee) {
    weights_.resize(samples_.point.size());
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const float distance = samples_.distance[i] / static_cast<float>(frame_.scale);
        const float square = distance / error_knee * (distance / error_knee);
        const float penalty = tuning::kErrorPenalty * square * square * square;
        weights_[i] =
            (distance > tuning::kFarOut * error_knee ? -1.0F : 1.0F) * (1.0F + penalty) * samples_.volume[i];
    }
    all_ = CoverCounts(places_, weights_, gap_);
    // From one cell to seven, its width is not its cube root, but near enough.
    per_blur_width_.assign(all_.size(), 0.0F);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const float cells = std::min((samples_.volume[i] + 5.0F) / 6.0F, tuning::kWidestBlur);
        per_blur_width_[i] = 1.0F / (tuning::kBlurWidth * cells * static_cast<float>(width()));
    }
}

float FitSamples::widest_blur() const {
    return tuning::kBlurWidth * tuning::kWidestBlur * static_cast<float>(width());
}

CoverCounts FitSamples::in_box(const Eigen::AlignedBox3f& box) const {
    std::vector<std::uint32_t> near;
    const Vector3f middle = box.center();
    all_.find({middle.x(), middle.y(), middle.z(), 0.5F * box.diagonal().norm() * kSearchSafe + gap_}, 0, {},
              near);
    std::vector<Vector3f> places;
    std::vector<float> weights;
    for (const std::uint32_t s : near) {
        if (box.contains(places_[s])) {
            places.push_back(places_[s]);
            weights.push_back(weights_[s]);
        }
    }
    return {places, weights, gap_};
}

double FitSamples::cost(std::span<const CandidateSphere> candidates) const {
    return sum_of_covered(all_, candidates);
}

double FitSamples::volume(std::span<const CandidateSphere> candidates) const {
    return sum_of_covered({places_, samples_.volume, gap_}, candidates);
}

double FitSamples::own_cost(const SearchSphere& sphere) const {
    std::vector<std::uint32_t> found;
    all_.find(sphere, 0, {}, found);
    double cost = 0.0;
    for (const std::uint32_t i : found) cost += std::abs(double(weights_[i]));
    return cost;
}

float FitSamples::error_of(const SearchSphere& sphere) const {
    std::vector<std::uint32_t> found;
    all_.find(sphere, 0, {}, found);
    float most = 0.0F;
    for (const std::uint32_t i : found) most = std::max(most, samples_.distance[i]);
    return most / static_cast<float>(frame_.scale);
}

double FitSamples::mean_error(std::span<const CandidateSphere> candidates) const {
    double sum = 0.0;
    for (const CandidateSphere& candidate : candidates) sum += error_of(candidate.sphere);
    return std::max(sum / double(candidates.size()), 0.5 * width());
}

double FitSamples::mean_cap(std::span<const CandidateSphere> candidates) const {
    double sum = 0.0;
    for (const CandidateSphere& candidate : candidates)
        sum += double(candidate.sphere.radius) * std::max(double(error_of(candidate.sphere)), 0.5 * width());
    return sum / double(candidates.size());
}

double FitSamples::largest_error(std::span<const CandidateSphere> candidates) const {
    float most = 0.0F;
    for (const CandidateSphere& candidate : candidates) most = std::max(most, error_of(candidate.sphere));
    return double(most) + width();
}

}  // namespace espalier
