// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/cell/cut.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace espalier {
namespace {

/// Probes an axis; 2^-20 of a side is finer than any balance needs.
constexpr int kMaxProbes = 20;

/// The extents of all triangles along one axis, side by side so that counting is one vectorised loop.
class Extents {
  public:
    Extents(std::span<const CellEntry> triangles, unsigned axis)
        : lo_(triangles.size()), hi_(triangles.size()) {
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            lo_[i] = triangles[i].lo[axis];
            hi_[i] = triangles[i].hi[axis];
        }
    }

    /// How many lie left and right of a cut; the others cross it.
    void count(float cut, float delta, std::uint32_t* left, std::uint32_t* right) const {
        const float end = left_end(cut, delta), begin = right_begin(cut, delta), twice = cut + cut;
        std::uint32_t l = 0, r = 0;
        for (std::size_t i = 0; i < lo_.size(); ++i) {
            const unsigned is_left = hi_[i] <= end, is_right = lo_[i] >= begin,
                           low = lo_[i] + hi_[i] <= twice;
            l += is_left & (~is_right | low);
            r += is_right & (~is_left | (low ^ 1u));
        }
        *left = l;
        *right = r;
    }

  private:
    std::vector<float> lo_, hi_;
};

/// Balance to this share of the triangles is as good as perfect: on all three axes bisection nearly always
/// finds a cut that is off by one or two, and which axis happens to be off by none must not decide.
constexpr double kBalanceStep = 1.0 / 16;

/// Cells of no more triangles than this are leaves soon. Cutting them saves few tests, so that they must pay
/// less for it: a side may keep only this much of lambda. Without it as many triangles would be listed twice
/// as are kept apart, for no faster query; with it for larger cells, meshes with triangles of all sizes would
/// end in large leaves.
constexpr std::size_t kSmallCell = 64;
constexpr double kSmallCellLambda = 0.75;

struct Candidate {
    double penalty = 0;  ///< in steps
    double cost = 0;     ///< decides between equal ones
    CellCut cut;

    bool better_than(const Candidate& other) const {
        return std::tuple(penalty, cost) < std::tuple(other.penalty, other.cost);
    }
};

/// Few crossing triangles are good, but counted alone they lead to long thin cells, which meet many others:
/// a torus of 30,000 triangles then takes five times as many tests. So the side that is cut counts as well.
double crossing_cost(std::uint32_t crossing, double side) {
    return (static_cast<double>(crossing) + 1) / (side * side);
}

}  // namespace

std::optional<CellCut> empty_cut(std::span<const CellEntry> triangles, const CellVolume& cell, float delta,
                                 double share) {
    Eigen::Vector3f lo = triangles.front().lo, hi = triangles.front().hi;
    for (const CellEntry& entry : triangles) {
        lo = lo.cwiseMin(entry.lo);
        hi = hi.cwiseMax(entry.hi);
    }
    std::optional<CellCut> best;
    // Beyond the contents by more than delta, so that what lies flat at the cut is on its filled side.
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    double largest = share;
    for (unsigned k = 0; k < 3; ++k) {
        const double side = double(cell.hi[k]) - double(cell.lo[k]);
        if (!(side > 0)) continue;
        const double below = (double(lo[k]) - double(cell.lo[k])) / side;
        const double above = (double(cell.hi[k]) - double(hi[k])) / side;
        if (below > largest) {
            largest = below;
            best = CellCut{k, std::nextafter(lo[k] - delta, -kInfinity)};
        }
        if (above > largest) {
            largest = above;
            best = CellCut{k, std::nextafter(hi[k] + delta, kInfinity)};
        }
    }
    return best;
}

std::optional<CellCut> balanced_cut(std::span<const CellEntry> triangles, const CellVolume& cell, float delta,
                                    double gamma, double lambda) {
    const double limit = triangles.size() <= kSmallCell ? kSmallCellLambda * lambda : lambda;
    const double most = limit * static_cast<double>(triangles.size());
    std::optional<Candidate> best;
    for (unsigned k = 0; k < 3; ++k) {
        const float side = cell.hi[k] - cell.lo[k];
        if (!(side > 8 * delta)) continue;
        const Extents extents(triangles, k);
        float lo = cell.lo[k] + 2 * delta, hi = cell.hi[k] - 2 * delta;
        for (int probe = 0; probe < kMaxProbes; ++probe) {
            const float cut = lo + (hi - lo) * 0.5F;
            if (!(lo < cut && cut < hi)) break;
            std::uint32_t left, right;
            extents.count(cut, delta, &left, &right);
            const auto crossing = static_cast<std::uint32_t>(triangles.size()) - left - right;
            const double penalty =
                std::abs(double(left) - double(right)) + gamma * static_cast<double>(crossing);
            const double steps = std::floor(penalty / (kBalanceStep * static_cast<double>(triangles.size())));
            const Candidate candidate{steps, crossing_cost(crossing, double(side)), {k, cut}};
            if (std::max(left, right) + crossing <= most && (!best || candidate.better_than(*best)))
                best = candidate;
            if (left == right) break;
            (left < right ? lo : hi) = cut;
        }
    }
    return best ? std::optional<CellCut>(best->cut) : std::nullopt;
}

}  // namespace espalier
