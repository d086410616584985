// SPDX-License-Identifier: GPL-3.0-or-later
// Greedy set cover with bit sets, and bisection of the inflation.
#include "builder/sphere_tree/greedy_cover.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

namespace espalier {
namespace {

using Eigen::Vector3d;

class GreedyCover {
  public:
    GreedyCover(const std::vector<Ball>& candidates, const std::vector<Piece>& pieces)
        : candidates_(candidates), words_((pieces.size() + 63) / 64) {
        area_.resize(pieces.size());
        for (std::size_t p = 0; p < pieces.size(); ++p) {
            const auto& c = pieces[p].corner;
            // A little for each piece, so that slivers count too.
            area_[p] = 0.5 * (c[1] - c[0]).cross(c[2] - c[0]).norm() + 1e-6 * longest_edge_squared(pieces[p]);
        }
        excess_.resize(candidates.size() * pieces.size());
        for (std::size_t b = 0; b < candidates.size(); ++b) {
            for (std::size_t p = 0; p < pieces.size(); ++p) {
                const double excess = farthest_corner(pieces[p], candidates[b].center) - candidates[b].radius;
                excess_[b * pieces.size() + p] = static_cast<float>(excess);
                largest_ = std::max(largest_, excess);
            }
        }
        bits_.resize(candidates.size() * words_);
        // Pieces that are points (sampled coverage) count too.
        const double least_area = 1e-9 * largest_ * largest_ + std::numeric_limits<double>::min();
        for (double& area : area_) {
            area += least_area;
        }
        largest_ *= 1.0 + 1e-6;  // the excesses are rounded to float
    }

    std::vector<Ball> run(std::uint32_t count) {
        double low = 0.0;
        double high = largest_;
        std::vector<std::size_t> best = select(high, count);
        double inflation = high;
        while (high - low > 0.04 * high) {
            const double middle = low > 0.0 ? std::sqrt(low * high) : 0.5 * high;
            const std::vector<std::size_t> chosen = select(middle, count);
            if (chosen.empty()) {
                low = middle;
            } else {
                high = middle;
                inflation = middle;
                best = chosen;
            }
            if (high < 1e-6 * largest_) {
                break;
            }
        }
        std::vector<Ball> balls;
        for (const std::size_t b : best) {
            balls.push_back({candidates_[b].center, (candidates_[b].radius + inflation) * (1.0 + 1e-6)});
        }
        return balls;
    }

  private:
    /// Candidates that cover everything at this inflation, or none if `count` do not suffice.
    std::vector<std::size_t> select(double inflation, std::uint32_t count) {
        const std::size_t pieces = area_.size();
        const auto limit = static_cast<float>(inflation);
        std::fill(bits_.begin(), bits_.end(), 0);
        for (std::size_t b = 0; b < candidates_.size(); ++b) {
            for (std::size_t p = 0; p < pieces; ++p) {
                bits_[b * words_ + p / 64] |= std::uint64_t(excess_[b * pieces + p] <= limit) << (p % 64);
            }
        }
        std::vector<std::uint64_t> left(words_, ~std::uint64_t(0));
        if (pieces % 64 != 0) {
            left.back() = (std::uint64_t(1) << (pieces % 64)) - 1;
        }
        // Gains only shrink as more is covered, so an old gain bounds the new one: look again only at what is
        // on top.
        using Entry = std::pair<double, std::size_t>;
        const auto worse = [](const Entry& a, const Entry& b) {
            return a.first < b.first || (a.first == b.first && a.second > b.second);
        };
        std::priority_queue<Entry, std::vector<Entry>, decltype(worse)> queue(worse);
        for (std::size_t b = 0; b < candidates_.size(); ++b) {
            queue.emplace(gain_of(b, left), b);
        }
        std::vector<std::size_t> chosen;
        while (chosen.size() < count && !queue.empty()) {
            const std::size_t b = queue.top().second;
            queue.pop();
            const double gain = gain_of(b, left);
            if (!queue.empty() && worse({gain, b}, queue.top())) {
                queue.emplace(gain, b);
                continue;
            }
            if (gain <= 0.0) {
                return {};
            }
            chosen.push_back(b);
            bool any = false;
            for (std::size_t w = 0; w < words_; ++w) {
                left[w] &= ~bits_[b * words_ + w];
                any = any || left[w] != 0;
            }
            if (!any) {
                return chosen;
            }
        }
        return {};
    }

    double gain_of(std::size_t b, const std::vector<std::uint64_t>& left) const {
        double sum = 0.0;
        for (std::size_t w = 0; w < words_; ++w) {
            for (std::uint64_t bits = left[w] & bits_[b * words_ + w]; bits != 0; bits &= bits - 1) {
                sum += area_[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
            }
        }
        return sum;
    }

    const std::vector<Ball>& candidates_;
    std::size_t words_;
    std::vector<double> area_;
    std::vector<float> excess_;
    std::vector<std::uint64_t> bits_;
    double largest_ = 0.0;
};

}  // namespace

std::vector<Ball> greedy_cover(const std::vector<Ball>& candidates, const std::vector<Piece>& pieces,
                               std::uint32_t count) {
    if (candidates.empty() || pieces.empty()) {
        return {};
    }
    return GreedyCover(candidates, pieces).run(count);
}

std::vector<Ball> spread_subset(const std::vector<Ball>& candidates, std::size_t most) {
    if (candidates.size() <= most) {
        return candidates;
    }
    std::vector<double> distance(candidates.size(), std::numeric_limits<double>::infinity());
    std::vector<Ball> chosen;
    std::size_t next = 0;
    while (chosen.size() < most) {
        chosen.push_back(candidates[next]);
        const Ball& last = candidates[next];
        double farthest = -1.0;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            distance[i] = std::min(distance[i], (candidates[i].center - last.center).squaredNorm());
            if (distance[i] > farthest) {
                farthest = distance[i];
                next = i;
            }
        }
    }
    return chosen;
}

}  // namespace espalier
