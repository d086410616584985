// SPDX-License-Identifier: GPL-3.0-or-later
// Gradient descent with steps of even length (Adam: Kingma and Ba 2015). How well a patch is covered is a
// norm of how well each sphere covers it, so the coverage gradient of one between several spheres moves all
// of them; the volume gradient of what is outside the solid moves the spheres whose surface is there, unless
// another one covers it too.
#include "builder/sphere/optimize/gradient_descent.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "builder/sphere/optimize/tuning.h"

namespace espalier {
namespace {

/// Groups of points that one task works on, with the spheres near them. Sums of chunks are added up in order,
/// so that the number of threads makes no difference.
struct Chunk {
    struct Group {
        std::size_t first_point;
        std::size_t first;  ///< in `near`
        std::size_t count;
    };
    std::vector<std::uint32_t> spheres;  ///< by their numbers in the chunk
    std::vector<Group> groups;
    std::vector<std::uint32_t> near;  ///< numbers in the chunk, nearest first
    std::vector<kernels::MovingSphere> moving;
    std::vector<kernels::Gradient> gradients;
    std::vector<float> scratch;
};

class Descent {
  public:
    Descent(const DescentScene& scene, std::vector<CandidateSphere>& candidates,
            const DescentOptions& options)
        : scene_(scene), candidates_(candidates), options_(options), moving_(candidates.size()) {
        assert(scene.per_blur_width.size() == scene.samples.size());
    }

    void run(const Progress& progress) {
        for (int k = 0; k < options_.steps && !progress.cancelled(); ++k) {
            const double left = 1.0 - double(k) / options_.steps;
            margin_ = static_cast<float>(options_.last_margin +
                                         (options_.first_margin - options_.last_margin) * left * left);
            const double step = options_.step * (tuning::kLastStep + (1.0 - tuning::kLastStep) * left * left *
                                                                         (3.0 - 2.0 * left));
            if (k == 0 || moved_far()) {
                travel_ = tuning::kTravel * static_cast<float>(step);
                look_around();
            }
            add_gradients();
            move(step);
        }
    }

  private:
    /// One number each for x, y, z and the radius.
    using Numbers = std::array<double, 4>;

    struct Moving {
        Numbers gradient{};
        Numbers mean{};
        Numbers square{};
        SearchSphere from;  ///< where it was when groups were looked for
    };

    // ---- which spheres are near which points ----

    bool moved_far() const {
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const SearchSphere& sphere = candidates_[i].sphere;
            const SearchSphere& from = moving_[i].from;
            const float travel = travel_ - std::abs(sphere.radius - from.radius);
            if (travel < 0.0F || squared_distance(sphere, from) > travel * travel) return true;
        }
        return false;
    }

    void look_around() {
        patches_ = chunks(scene_.patches, tuning::kMarginRange * margin_);
        samples_ = chunks(scene_.samples, 0.5F * scene_.widest_blur);
        for (std::size_t i = 0; i < candidates_.size(); ++i) moving_[i].from = candidates_[i].sphere;
    }

    /// Spheres have gradients at points up to `around` outside them.
    std::vector<Chunk> chunks(const CoverCounts& points, float around) const {
        std::vector<std::vector<std::uint32_t>> near(points.size() / kernels::kGroup);
        std::vector<std::uint32_t> met;
        for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
            SearchSphere sphere = candidates_[i].sphere;
            sphere.radius = candidates_[i].sphere.radius + travel_ + around;
            points.groups_near(sphere, met);
            for (const std::uint32_t group : met) near[group].push_back(i);
        }
        std::vector<std::uint32_t> groups;
        for (std::uint32_t group = 0; group < near.size(); ++group)
            if (!near[group].empty()) groups.push_back(group);
        std::vector<Chunk> chunks((groups.size() + tuning::kChunk - 1) / tuning::kChunk);
        tbb::parallel_for(std::size_t(0), chunks.size(), [&](std::size_t c) {
            const std::size_t first = c * tuning::kChunk;
            chunks[c] =
                chunk_of(points, near,
                         std::span(groups).subspan(first, std::min(tuning::kChunk, groups.size() - first)));
        });
        return chunks;
    }

    Chunk chunk_of(const CoverCounts& points, std::vector<std::vector<std::uint32_t>>& near,
                   std::span<const std::uint32_t> groups) const {
        Chunk chunk;
        for (const std::uint32_t group : groups)
            chunk.spheres.insert(chunk.spheres.end(), near[group].begin(), near[group].end());
        std::sort(chunk.spheres.begin(), chunk.spheres.end());
        chunk.spheres.erase(std::unique(chunk.spheres.begin(), chunk.spheres.end()), chunk.spheres.end());
        std::size_t most = 0;
        for (const std::uint32_t group : groups) {
            const std::size_t point = group * kernels::kGroup;
            nearest_first(points.at(point), near[group]);
            chunk.groups.push_back({point, chunk.near.size(), near[group].size()});
            for (const std::uint32_t i : near[group]) {
                const auto number = std::lower_bound(chunk.spheres.begin(), chunk.spheres.end(), i);
                chunk.near.push_back(static_cast<std::uint32_t>(number - chunk.spheres.begin()));
            }
            most = std::max(most, near[group].size());
        }
        chunk.moving.resize(chunk.spheres.size());
        chunk.gradients.resize(chunk.spheres.size());
        chunk.scratch.resize(most * kernels::kScratch);
        return chunk;
    }

    /// Most groups are in one sphere, and the others need not be looked at if that one comes first.
    void nearest_first(const Eigen::Vector3f& place, std::vector<std::uint32_t>& spheres) const {
        std::vector<std::pair<float, std::uint32_t>> order;
        for (const std::uint32_t i : spheres) {
            const SearchSphere& sphere = candidates_[i].sphere;
            order.emplace_back(std::sqrt(squared_distance(place, sphere)) - sphere.radius, i);
        }
        std::sort(order.begin(), order.end());
        std::transform(order.begin(), order.end(), spheres.begin(),
                       [](const auto& entry) { return entry.second; });
    }

    // ---- gradients ----

    void add_gradients() {
        tbb::parallel_for(std::size_t(0), patches_.size() + samples_.size(), [&](std::size_t c) {
            if (c < patches_.size())
                add_coverage_gradients(patches_[c]);
            else
                add_volume_gradients(samples_[c - patches_.size()]);
        });
        for (Moving& moving : moving_) moving.gradient = {};
        for (const std::vector<Chunk>* chunks : {&patches_, &samples_}) {
            for (const Chunk& chunk : *chunks) {
                for (std::size_t b = 0; b < chunk.spheres.size(); ++b) {
                    const kernels::Gradient& gradient = chunk.gradients[b];
                    Numbers& sum = moving_[chunk.spheres[b]].gradient;
                    sum[0] += double(gradient.x);
                    sum[1] += double(gradient.y);
                    sum[2] += double(gradient.z);
                    sum[3] += double(gradient.radius);
                }
            }
        }
    }

    /// Of points for which spheres count as smaller by `gap`.
    void prepare(Chunk& chunk, float gap) const {
        for (std::size_t b = 0; b < chunk.spheres.size(); ++b) {
            const CandidateSphere& candidate = candidates_[chunk.spheres[b]];
            const std::vector<std::uint8_t>& allowed = scene_.allowed[candidate.parent];
            chunk.moving[b] = {candidate.sphere.x, candidate.sphere.y, candidate.sphere.z,
                               candidate.sphere.radius - gap, allowed.empty() ? nullptr : allowed.data()};
        }
        std::fill(chunk.gradients.begin(), chunk.gradients.end(), kernels::Gradient{});
    }

    void add_coverage_gradients(Chunk& chunk) const {
        prepare(chunk, scene_.patches.gap());
        for (const Chunk::Group& group : chunk.groups) {
            kernels::table().coverage_gradient(scene_.patches.groups(), group.first_point,
                                               {chunk.near.data() + group.first, group.count},
                                               chunk.moving.data(), margin_, options_.penalty_weight,
                                               chunk.scratch.data(), chunk.gradients.data());
        }
    }

    void add_volume_gradients(Chunk& chunk) const {
        prepare(chunk, scene_.samples.gap());
        for (const Chunk::Group& group : chunk.groups) {
            kernels::table().volume_gradient(scene_.samples.groups(), group.first_point,
                                             {chunk.near.data() + group.first, group.count},
                                             chunk.moving.data(), scene_.per_blur_width.data(),
                                             chunk.scratch.data(), chunk.gradients.data());
        }
    }

    // ---- steps ----

    void move(double step) {
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            if (candidates_[i].fixed) continue;
            SearchSphere& sphere = candidates_[i].sphere;
            Moving& moving = moving_[i];
            Numbers by{};
            for (std::size_t k = 0; k < by.size(); ++k) {
                const double gradient = moving.gradient[k];
                moving.mean[k] =
                    tuning::kGradientMemory * moving.mean[k] + (1.0 - tuning::kGradientMemory) * gradient;
                moving.square[k] = tuning::kSquareMemory * moving.square[k] +
                                   (1.0 - tuning::kSquareMemory) * gradient * gradient;
                if (moving.square[k] > 0.0) {
                    by[k] = -std::min(step, tuning::kLongestStep * double(sphere.radius)) * moving.mean[k] /
                            std::sqrt(moving.square[k]);
                }
            }
            sphere.x = static_cast<float>(sphere.x + by[0]);
            sphere.y = static_cast<float>(sphere.y + by[1]);
            sphere.z = static_cast<float>(sphere.z + by[2]);
            sphere.radius = static_cast<float>(sphere.radius + by[3]);
        }
    }

    const DescentScene& scene_;
    std::vector<CandidateSphere>& candidates_;
    const DescentOptions& options_;
    std::vector<Moving> moving_;
    float margin_ = 0.0F;
    float travel_ = 0.0F;
    std::vector<Chunk> patches_;
    std::vector<Chunk> samples_;
};

}  // namespace

void gradient_descent(const DescentScene& scene, std::vector<CandidateSphere>& candidates,
                      const DescentOptions& options, const Progress& progress) {
    Descent(scene, candidates, options).run(progress);
}

}  // namespace espalier
