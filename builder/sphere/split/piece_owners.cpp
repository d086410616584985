// SPDX-License-Identifier: GPL-3.0-or-later
// Owners by the nearest sample, and covering by them alone.
#include "builder/sphere/split/piece_owners.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace espalier {
namespace {

using Eigen::Vector3d;
using SampleChild = std::pair<std::uint32_t, std::uint32_t>;

std::vector<SampleChild> sample_children(const MedialSet& set, const std::vector<MergedSphere>& children) {
    std::vector<SampleChild> pairs;
    for (std::uint32_t c = 0; c < children.size(); ++c)
        for (const std::uint32_t m : children[c].members)
            for (const std::uint32_t s : set.balls[m].forming) pairs.emplace_back(s, c);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

std::vector<Vector3d> places(const MedialSet& set, const std::vector<SampleChild>& pairs) {
    std::vector<Vector3d> points;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (i == 0 || pairs[i].first != pairs[i - 1].first)
            points.push_back(set.samples[pairs[i].first].point);
    return points;
}

/// The owner that the piece is deepest in; none: a number beyond all.
std::size_t deepest_owner(const std::vector<Ball>& balls, std::span<const std::uint32_t> owners,
                          const Piece& piece, double slack) {
    std::size_t best = balls.size();
    double deepest = 0.0;
    for (const std::uint32_t b : owners) {
        const double depth = balls[b].radius - slack - farthest_corner(piece, balls[b].center);
        if (depth >= deepest) {
            deepest = depth;
            best = b;
        }
    }
    return best;
}

/// The owner that would grow least in volume to contain the piece.
std::size_t cheapest_owner(const std::vector<Ball>& balls, std::span<const std::uint32_t> owners,
                           const Piece& piece) {
    std::size_t best = owners.front();
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t b : owners) {
        const double radius = balls[b].radius;
        const double needed = std::max(farthest_corner(piece, balls[b].center), radius);
        const double growth = needed * needed * needed - radius * radius * radius;
        if (growth < least) {
            least = growth;
            best = b;
        }
    }
    return best;
}

}  // namespace

PieceOwners::PieceOwners(const MedialSet& set, const std::vector<MergedSphere>& children)
    : PieceOwners(set, sample_children(set, children)) {}

PieceOwners::PieceOwners(const MedialSet& set, std::vector<SampleChild> sample_children)
    : nearest_(places(set, sample_children)) {
    for (std::size_t i = 0; i < sample_children.size(); ++i) {
        if (i == 0 || sample_children[i].first != sample_children[i - 1].first)
            first_.push_back(static_cast<std::uint32_t>(i));
        owners_.push_back(sample_children[i].second);
    }
    first_.push_back(static_cast<std::uint32_t>(sample_children.size()));
}

std::span<const std::uint32_t> PieceOwners::of(const Piece& piece) const {
    const Vector3d middle = (piece.corner[0] + piece.corner[1] + piece.corner[2]) / 3.0;
    const std::uint32_t s = nearest_.nearest(middle).point;
    return std::span(owners_).subspan(first_[s], first_[s + 1] - first_[s]);
}

std::vector<std::vector<Piece>> cover_by_owners(std::vector<Ball>& balls, const std::vector<Piece>& pieces,
                                                const PieceOwners& owners, double smallest, double slack) {
    assert(!balls.empty());
    std::vector<std::vector<Piece>> owned(balls.size());
    std::vector<Piece> stack;
    for (const Piece& piece : pieces) {
        stack.assign(1, piece);
        while (!stack.empty()) {
            const Piece top = stack.back();
            stack.pop_back();
            const auto candidates = owners.of(top);
            std::size_t owner = deepest_owner(balls, candidates, top, slack);
            if (owner == balls.size()) {
                if (longest_edge_squared(top) > smallest * smallest) {
                    const auto halves = bisect(top);
                    stack.push_back(halves[1]);
                    stack.push_back(halves[0]);
                    continue;
                }
                owner = cheapest_owner(balls, candidates, top);
                balls[owner].radius = farthest_corner(top, balls[owner].center) * (1.0 + 1e-12) + slack;
            }
            owned[owner].push_back(top);
        }
    }
    return owned;
}

}  // namespace espalier
