// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/brute_force.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "runtime/src/pair_frame.h"

namespace espalier::testing {

void BruteForce::Boxes::add(const Triangle3& t) {
    for (int k = 0; k < 3; ++k) {
        lo[k].push_back(std::min({t.p[0][k], t.p[1][k], t.p[2][k]}));
        hi[k].push_back(std::max({t.p[0][k], t.p[1][k], t.p[2][k]}));
    }
}

BruteForce::BruteForce(const PartView& a, const PartView& b, const Pose& pose) {
    PairFrame frame;
    if (make_pair_frame(a, b, pose, &frame) != Status::kOk) throw std::invalid_argument("pose");
    for (std::uint32_t i = 0; i < a.mesh.triangle_count; ++i) {
        Triangle3& t = a_.emplace_back();
        for (std::uint32_t c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k) t.p[c][k] = double(a.mesh.corner(i, c)[k]);
        boxes_a_.add(t);
    }
    for (std::uint32_t i = 0; i < b.mesh.triangle_count; ++i) {
        Triangle3& t = b_.emplace_back();
        for (std::uint32_t c = 0; c < 3; ++c) frame.place(b.mesh.corner(i, c), t.p[c]);
        boxes_b_.add(t);
    }
    for (const std::vector<Triangle3>* side : {&a_, &b_})
        for (const Triangle3& t : *side)
            for (const auto& p : t.p)
                for (const double x : p) size_ = std::max(size_, std::fabs(x));
}

std::vector<TrianglePair> BruteForce::contacts() const {
    std::vector<TrianglePair> found;
    for (std::uint32_t i = 0; i < a_.size(); ++i)
        for (std::uint32_t j = 0; j < b_.size(); ++j)
            if (triangles_intersect(a_[i], b_[j])) found.emplace_back(i, j);
    return found;
}

std::vector<TrianglePair> BruteForce::near_contacts() const {
    const double margin = 1e-7 * size_;
    const std::size_t count = b_.size();
    std::vector<std::uint8_t> near(count);
    std::vector<TrianglePair> found;
    for (std::uint32_t i = 0; i < a_.size(); ++i) {
        std::fill(near.begin(), near.end(), std::uint8_t{1});
        for (int k = 0; k < 3; ++k) {
            const double lo = boxes_a_.lo[k][i] - margin, hi = boxes_a_.hi[k][i] + margin;
            const double* b_lo = boxes_b_.lo[k].data();
            const double* b_hi = boxes_b_.hi[k].data();
            for (std::size_t j = 0; j < count; ++j)
                near[j] = static_cast<std::uint8_t>(near[j] & (b_lo[j] <= hi) & (b_hi[j] >= lo));
        }
        for (std::uint32_t j = 0; j < count; ++j)
            if (near[j] && triangles_intersect(a_[i], b_[j])) found.emplace_back(i, j);
    }
    return found;
}

double BruteForce::distance() const {
    double least = INFINITY;
    for (std::size_t i = 0; i < a_.size(); ++i)
        for (std::size_t j = 0; j < b_.size(); ++j) {
            if (box_gap(i, j) > least * (1 + 1e-9)) continue;
            double on_a[3], on_b[3];
            if (triangles_intersect(a_[i], b_[j])) return 0;
            least = std::min(least, triangle_distance(a_[i], b_[j], on_a, on_b));
        }
    return least;
}

double BruteForce::box_gap(std::size_t i, std::size_t j) const {
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const double gap =
            std::max({boxes_b_.lo[k][j] - boxes_a_.hi[k][i], boxes_a_.lo[k][i] - boxes_b_.hi[k][j], 0.0});
        squared += gap * gap;
    }
    return std::sqrt(squared);
}

}  // namespace espalier::testing
