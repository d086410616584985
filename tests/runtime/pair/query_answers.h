// SPDX-License-Identifier: GPL-3.0-or-later
// Running contact queries and looking at what they say.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/brute_force.h"

namespace espalier::testing {

/// All contacting pairs that a query for contacts reports, sorted; repeated ones stay.
template <class Contacts, class... Options>
std::vector<TrianglePair> pairs_found(const ShapeView& a, const ShapeView& b, const Pose& pose,
                                      Options... options) {
    static std::vector<Contact> buffer(200000);
    static Contacts query;
    EXPECT_EQ(query.begin(a, b, pose, buffer.data(), buffer.size(), options...), Status::kOk);
    query.step();
    EXPECT_EQ(query.status(), Status::kOk);
    EXPECT_EQ(query.verdict(), query.count() > 0 ? Verdict::kColliding : Verdict::kDisjoint);
    std::vector<TrianglePair> pairs;
    for (std::size_t i = 0; i < query.count(); ++i)
        pairs.emplace_back(buffer[i].triangle_a, buffer[i].triangle_b);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

inline std::vector<TrianglePair> all_contacts(const ShapeView& a, const ShapeView& b, const Pose& pose,
                                              Overlap overlap) {
    return overlap == Overlap::kSat ? pairs_found<Contacts<AabbTreeView, Overlap::kSat>>(a, b, pose)
                                    : pairs_found<Contacts<AabbTreeView>>(a, b, pose);
}

/// A query for the first contact agrees with the known ones: one of them, and a point of both triangles.
template <class Query, class... Options>
void expect_contact_of(const ShapeView& a, const ShapeView& b, const Pose& pose, const BruteForce& brute,
                       const std::vector<TrianglePair>& expected, Options... options) {
    static Query query;
    ASSERT_EQ(query.begin(a, b, pose, options...), Status::kOk);
    query.step();
    ASSERT_EQ(query.verdict(), expected.empty() ? Verdict::kDisjoint : Verdict::kColliding);
    if (expected.empty()) return;
    const TrianglePair pair(query.contact().triangle_a, query.contact().triangle_b);
    ASSERT_TRUE(std::binary_search(expected.begin(), expected.end(), pair));
    double squared = 0;
    for (int k = 0; k < 3; ++k) squared += query.contact().normal[k] * query.contact().normal[k];
    ASSERT_NEAR(squared, 1, 1e-9);
    double local[3], size = 0;
    for (int k = 0; k < 3; ++k) {
        local[k] = query.contact().point[k] - a.origin[k];
        size = std::max({size, std::fabs(double(a.lo[k])), std::fabs(double(a.hi[k])), std::fabs(local[k])});
    }
    for (const Triangle3* t : {&brute.a(pair.first), &brute.b(pair.second)})
        ASSERT_LE(point_gap(*t, local), 1e-7 * size);
}

inline void expect_first(const ShapeView& a, const ShapeView& b, const Pose& pose, Overlap overlap,
                         const BruteForce& brute, const std::vector<TrianglePair>& expected) {
    if (overlap == Overlap::kSat)
        expect_contact_of<Collide<AabbTreeView, Overlap::kSat>>(a, b, pose, brute, expected);
    else
        expect_contact_of<Collide<AabbTreeView>>(a, b, pose, brute, expected);
}

/// Runs a query in steps of one node test; fails when a step does more than a visit, or nothing at all for
/// ever.
template <class Query>
void run_in_steps(Query& query) {
    Budget one;
    one.node_tests = 1;
    for (;;) {
        const std::uint64_t before = query.counters().node_tests;
        if (query.step(one) != Verdict::kUnresolved) return;
        const std::uint64_t done = query.counters().node_tests - before;
        ASSERT_GE(done, 1u);
        ASSERT_LE(done, 4u);
    }
}

/// A pose at which two meshes just part when B moves along `direction`.
struct Touching {
    Pose pose;
    Eigen::Vector3d direction;

    /// Moved on by `offset`: apart if positive, at least for a while.
    Pose at(double offset) const {
        Pose moved = pose;
        for (int k = 0; k < 3; ++k) moved.translation[k] += offset * direction[k];
        return moved;
    }
};

inline Touching find_touching(Draw& draw, const ShapeView& a, const ShapeView& b) {
    Touching found;
    found.direction = draw.direction();
    const auto collides = [&](double offset) {
        Collide<AabbTreeView> query;
        EXPECT_EQ(query.begin(a, b, found.at(offset)), Status::kOk);
        return query.step() == Verdict::kColliding;
    };
    do {
        found.pose = random_pose(draw, a, b, 0.3);
    } while (!collides(0));
    double size = 0;
    for (int k = 0; k < 3; ++k) size += double(a.hi[k]) - double(a.lo[k]) + double(b.hi[k]) - double(b.lo[k]);
    double inside = 0, outside = 2 * size;
    for (int i = 0; i < 50; ++i) {
        const double middle = (inside + outside) / 2;
        (collides(middle) ? inside : outside) = middle;
    }
    found.pose = found.at(outside);
    return found;
}

}  // namespace espalier::testing
