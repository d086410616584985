// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a golden file, which has every tree, through both interfaces.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "espalier/asset.h"
#include "espalier/espalier.h"
#include "espalier/map_file.h"
#include "espalier/pose.h"
#include "espalier/query.h"
#include "tests/support/draw.h"

namespace espalier::testing {

class GoldenPart {
  public:
    explicit GoldenPart(const std::string& name) {
        const std::string path = std::string(ESPALIER_GOLDEN_DIR) + "/" + name + ".espl";
        EXPECT_EQ(file_.map(path.c_str()), Status::kOk);
        Asset asset;
        EXPECT_EQ(open(file_.data(), file_.size(), Verify::kFull, &asset), Status::kOk);
        EXPECT_EQ(asset.part(0, &part_), Status::kOk);
        EXPECT_EQ(espalier_map_file(path.c_str(), &c_file_), ESPALIER_STATUS_OK);
        EXPECT_EQ(espalier_open(c_file_.data, c_file_.size, ESPALIER_VERIFY_FULL, &c_asset_),
                  ESPALIER_STATUS_OK);
        EXPECT_EQ(espalier_get_part(&c_asset_, 0, &c_part_), ESPALIER_STATUS_OK);
    }
    ~GoldenPart() { espalier_unmap_file(&c_file_); }
    GoldenPart(const GoldenPart&) = delete;
    GoldenPart& operator=(const GoldenPart&) = delete;

    const ShapeView& part() const { return part_; }
    const espalier_asset* c_asset() const { return &c_asset_; }
    const espalier_shape* c_part() const { return &c_part_; }

  private:
    MappedFile file_;
    ShapeView part_;
    espalier_mapped_file c_file_{};
    espalier_asset c_asset_{};
    espalier_shape c_part_{};
};

inline espalier_pose c_pose(const Pose& pose) {
    espalier_pose c = espalier_pose_identity();
    std::copy_n(pose.rotation, 4, c.rotation);
    std::copy_n(pose.translation, 3, c.translation);
    std::copy_n(pose.scale, 3, c.scale);
    return c;
}

/// A random turn, and a shift that lets two copies of the part meet more often than not. Every other pose has
/// another scale along each axis.
inline Pose drawn_pose(Draw& draw, const ShapeView& part, int i) {
    Pose pose;
    draw.quaternion(pose.rotation);
    for (int k = 0; k < 3; ++k)
        pose.translation[k] = draw.between(-0.8, 0.8) * (double(part.hi[k]) - double(part.lo[k]));
    if (i % 2 == 1)
        for (double& s : pose.scale) s = draw.between(0.5, 1.5);
    return pose;
}

inline Budget node_tests(std::uint64_t count) {
    Budget budget;
    budget.node_tests = count;
    return budget;
}

inline espalier_budget c_node_tests(std::uint64_t count) {
    espalier_budget budget = espalier_budget_unlimited();
    budget.node_tests = count;
    return budget;
}

inline void expect_counters(const espalier_query* query, const Counters& counters) {
    const espalier_counters c = espalier_get_counters(query);
    EXPECT_EQ(c.node_tests, counters.node_tests);
    EXPECT_EQ(c.leaf_pairs, counters.leaf_pairs);
    EXPECT_EQ(c.triangle_tests, counters.triangle_tests);
    EXPECT_EQ(c.exact_tests, counters.exact_tests);
}

}  // namespace espalier::testing
