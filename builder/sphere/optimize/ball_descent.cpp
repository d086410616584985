// SPDX-License-Identifier: GPL-3.0-or-later
// Gradient descent with steps of even length (Adam: Kingma and Ba 2015). How well a patch is held is a norm
// of how well each ball holds it, so one between several balls pulls at all of them; what is outside the
// solid pushes at the balls whose surface is there, unless another one holds it too.
#include "builder/sphere/optimize/ball_descent.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace espalier {
namespace {

/// Groups of points that are worked on together. Their sums are added up in order, so that the number of
/// threads makes no difference.
constexpr std::size_t kChunk = 48;
/// Balls may move so far, in steps, until the groups near them are looked for again.
constexpr float kRoom = 16.0F;
/// Shares of the old in the running means of slopes and of their squares.
constexpr double kSlopeMemory = 0.85;
constexpr double kSquareMemory = 0.95;
/// Longest step, in radii.
constexpr double kMostStep = 0.03;
/// The last step, as a share of the first.
constexpr double kLastStep = 0.02;

/// Groups of points with the balls near them.
struct Chunk {
    struct Group {
        std::size_t first_point;
        std::size_t first;  ///< in `near`
        std::size_t count;
    };
    std::vector<std::uint32_t> balls;  ///< by their numbers in the chunk
    std::vector<Group> groups;
    std::vector<std::uint32_t> near;  ///< numbers in the chunk, nearest first
    std::vector<lanes::Mover> movers;
    std::vector<lanes::Slope> slopes;
    std::vector<float> scratch;
};

class Descent {
  public:
    Descent(const DescentScene& scene, std::vector<Member>& members, const DescentOptions& options)
        : scene_(scene), members_(members), options_(options), moving_(members.size()) {}

    void run(const Progress& progress) {
        for (int k = 0; k < options_.steps && !progress.cancelled(); ++k) {
            const double left = 1.0 - double(k) / options_.steps;
            gap_ = static_cast<float>(options_.last_gap +
                                      (options_.first_gap - options_.last_gap) * left * left);
            const double step =
                options_.step * (kLastStep + (1.0 - kLastStep) * left * left * (3.0 - 2.0 * left));
            if (k == 0 || moved_far()) {
                room_ = kRoom * static_cast<float>(step);
                look_around();
            }
            add_slopes();
            move(step);
        }
    }

  private:
    /// One number each for x, y, z and the radius.
    using Numbers = std::array<double, 4>;

    struct Moving {
        Numbers slope{};
        Numbers mean{};
        Numbers square{};
        LaneBall from;  ///< where it was when groups were looked for
    };

    // ---- which balls are near which points ----

    bool moved_far() const {
        for (std::size_t i = 0; i < members_.size(); ++i) {
            const LaneBall& ball = members_[i].ball;
            const LaneBall& from = moving_[i].from;
            const float room = room_ - std::abs(ball.radius - from.radius);
            if (room < 0.0F || squared_distance({ball.x, ball.y, ball.z}, from) > room * room) {
                return true;
            }
        }
        return false;
    }

    void look_around() {
        patches_ = chunks(scene_.patches, lanes::kGaps * gap_);
        samples_ = chunks(scene_.samples, 0.5F * scene_.softest);
        for (std::size_t i = 0; i < members_.size(); ++i) {
            moving_[i].from = members_[i].ball;
        }
    }

    /// Balls have to do with points up to `around` outside them.
    std::vector<Chunk> chunks(const HeldPoints& points, float around) const {
        std::vector<std::vector<std::uint32_t>> near(points.size() / lanes::kGroup);
        std::vector<std::uint32_t> met;
        for (std::uint32_t i = 0; i < members_.size(); ++i) {
            LaneBall ball = members_[i].ball;
            ball.radius = members_[i].ball.radius + room_ + around;
            points.groups_near(ball, met);
            for (const std::uint32_t group : met) {
                near[group].push_back(i);
            }
        }
        std::vector<std::uint32_t> groups;
        for (std::uint32_t group = 0; group < near.size(); ++group) {
            if (!near[group].empty()) {
                groups.push_back(group);
            }
        }
        std::vector<Chunk> chunks((groups.size() + kChunk - 1) / kChunk);
        tbb::parallel_for(std::size_t(0), chunks.size(), [&](std::size_t c) {
            const std::size_t first = c * kChunk;
            chunks[c] = chunk_of(points, near,
                                 std::span(groups).subspan(first, std::min(kChunk, groups.size() - first)));
        });
        return chunks;
    }

    Chunk chunk_of(const HeldPoints& points, std::vector<std::vector<std::uint32_t>>& near,
                   std::span<const std::uint32_t> groups) const {
        Chunk chunk;
        for (const std::uint32_t group : groups) {
            chunk.balls.insert(chunk.balls.end(), near[group].begin(), near[group].end());
        }
        std::sort(chunk.balls.begin(), chunk.balls.end());
        chunk.balls.erase(std::unique(chunk.balls.begin(), chunk.balls.end()), chunk.balls.end());
        std::size_t most = 0;
        for (const std::uint32_t group : groups) {
            const std::size_t point = group * lanes::kGroup;
            nearest_first(points.at(point), near[group]);
            chunk.groups.push_back({point, chunk.near.size(), near[group].size()});
            for (const std::uint32_t i : near[group]) {
                const auto number = std::lower_bound(chunk.balls.begin(), chunk.balls.end(), i);
                chunk.near.push_back(static_cast<std::uint32_t>(number - chunk.balls.begin()));
            }
            most = std::max(most, near[group].size());
        }
        chunk.movers.resize(chunk.balls.size());
        chunk.slopes.resize(chunk.balls.size());
        chunk.scratch.resize(most * lanes::kScratch);
        return chunk;
    }

    /// Most groups are in one ball, and the others need not be looked at if that one comes first.
    void nearest_first(const Eigen::Vector3f& place, std::vector<std::uint32_t>& balls) const {
        std::vector<std::pair<float, std::uint32_t>> order;
        for (const std::uint32_t i : balls) {
            const LaneBall& ball = members_[i].ball;
            order.emplace_back(std::sqrt(squared_distance(place, ball)) - ball.radius, i);
        }
        std::sort(order.begin(), order.end());
        std::transform(order.begin(), order.end(), balls.begin(),
                       [](const auto& entry) { return entry.second; });
    }

    // ---- slopes ----

    void add_slopes() {
        tbb::parallel_for(std::size_t(0), patches_.size() + samples_.size(), [&](std::size_t c) {
            if (c < patches_.size()) {
                pull(patches_[c]);
            } else {
                push(samples_[c - patches_.size()]);
            }
        });
        for (Moving& moving : moving_) {
            moving.slope = {};
        }
        for (const std::vector<Chunk>* chunks : {&patches_, &samples_}) {
            for (const Chunk& chunk : *chunks) {
                for (std::size_t b = 0; b < chunk.balls.size(); ++b) {
                    const lanes::Slope& slope = chunk.slopes[b];
                    Numbers& sum = moving_[chunk.balls[b]].slope;
                    sum[0] += double(slope.x);
                    sum[1] += double(slope.y);
                    sum[2] += double(slope.z);
                    sum[3] += double(slope.radius);
                }
            }
        }
    }

    void prepare(Chunk& chunk) const {
        for (std::size_t b = 0; b < chunk.balls.size(); ++b) {
            const Member& member = members_[chunk.balls[b]];
            const std::vector<std::uint8_t>& allowed = scene_.allowed[member.parent];
            chunk.movers[b] = {member.ball.x, member.ball.y, member.ball.z, member.ball.radius,
                               allowed.empty() ? nullptr : allowed.data()};
        }
        std::fill(chunk.slopes.begin(), chunk.slopes.end(), lanes::Slope{});
    }

    void pull(Chunk& chunk) const {
        prepare(chunk);
        for (const Chunk::Group& group : chunk.groups) {
            lanes::loops().pull(scene_.patches.groups(), group.first_point,
                                {chunk.near.data() + group.first, group.count}, chunk.movers.data(), gap_,
                                options_.stiffness, chunk.scratch.data(), chunk.slopes.data());
        }
    }

    void push(Chunk& chunk) const {
        prepare(chunk);
        for (const Chunk::Group& group : chunk.groups) {
            lanes::loops().push(scene_.samples.groups(), group.first_point,
                                {chunk.near.data() + group.first, group.count}, chunk.movers.data(),
                                scene_.per_softness.data(), chunk.scratch.data(), chunk.slopes.data());
        }
    }

    // ---- steps ----

    void move(double step) {
        for (std::size_t i = 0; i < members_.size(); ++i) {
            if (members_[i].fixed) {
                continue;
            }
            LaneBall& ball = members_[i].ball;
            Moving& moving = moving_[i];
            Numbers by{};
            for (std::size_t k = 0; k < by.size(); ++k) {
                const double slope = moving.slope[k];
                moving.mean[k] = kSlopeMemory * moving.mean[k] + (1.0 - kSlopeMemory) * slope;
                moving.square[k] = kSquareMemory * moving.square[k] + (1.0 - kSquareMemory) * slope * slope;
                if (moving.square[k] > 0.0) {
                    by[k] = -std::min(step, kMostStep * double(ball.radius)) * moving.mean[k] /
                            std::sqrt(moving.square[k]);
                }
            }
            ball.x = static_cast<float>(ball.x + by[0]);
            ball.y = static_cast<float>(ball.y + by[1]);
            ball.z = static_cast<float>(ball.z + by[2]);
            ball.radius = static_cast<float>(ball.radius + by[3]);
        }
    }

    const DescentScene& scene_;
    std::vector<Member>& members_;
    const DescentOptions& options_;
    std::vector<Moving> moving_;
    float gap_ = 0.0F;
    float room_ = 0.0F;
    std::vector<Chunk> patches_;
    std::vector<Chunk> samples_;
};

}  // namespace

void descend(const DescentScene& scene, std::vector<Member>& members, const DescentOptions& options,
             const Progress& progress) {
    Descent(scene, members, options).run(progress);
}

}  // namespace espalier
