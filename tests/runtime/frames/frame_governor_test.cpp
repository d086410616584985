// SPDX-License-Identifier: GPL-3.0-or-later
// The governor on a clock that the test moves.
#include "espalier/frame_governor.h"

#include <gtest/gtest.h>

#include "tests/support/draw.h"

namespace espalier {
namespace {

using testing::Draw;

/// Time passes only as the test says, and by `per_question` at each look at the clock during detection.
struct FakeClock {
    std::uint64_t time = 1000, per_question = 0;
    static std::uint64_t now(void* user) {
        auto& clock = *static_cast<FakeClock*>(user);
        clock.time += clock.per_question;
        return clock.time;
    }
};

GovernorOptions options(std::uint64_t target) {
    GovernorOptions o;
    o.target = target;
    return o;
}

FrameReport run_frame(FrameGovernor* governor, FakeClock* clock, std::uint64_t before, std::uint64_t rest) {
    governor->start_frame();
    clock->time += before;
    const Budget budget = governor->start_detection();
    clock->per_question = 1;
    while (!budget.expired(budget.user)) {
    }
    clock->per_question = 0;
    governor->end_detection();
    clock->time += rest;
    return governor->end_frame();
}

TEST(FrameGovernor, FillsTheFrameUpToTheTarget) {
    FakeClock clock;
    FrameGovernor governor;
    ASSERT_EQ(governor.begin(options(1000), &FakeClock::now, &clock), Status::kOk);
    for (int frame = 0; frame < 50; ++frame) {
        const FrameReport report = run_frame(&governor, &clock, 100, 300);
        EXPECT_EQ(report.before, 100u);
        EXPECT_EQ(report.rest, 300u);
        EXPECT_EQ(report.frame, report.before + report.detection + report.rest);
        EXPECT_EQ(report.slack, 1000 - static_cast<std::int64_t>(report.frame));
        if (frame > 0) {
            EXPECT_NEAR(double(report.frame), 1000, 4) << "frame " << frame;
            EXPECT_NEAR(double(report.granted), 600, 4) << "frame " << frame;
        }
    }
    EXPECT_EQ(governor.predicted_rest(), 300u);
}

TEST(FrameGovernor, FollowsARestThatChanges) {
    FakeClock clock;
    FrameGovernor governor;
    GovernorOptions o = options(1000);
    o.window = 8;
    o.deviations = 0;
    ASSERT_EQ(governor.begin(o, &FakeClock::now, &clock), Status::kOk);
    for (int frame = 0; frame < 20; ++frame) run_frame(&governor, &clock, 0, 200);
    EXPECT_EQ(governor.predicted_rest(), 200u);
    for (int frame = 0; frame < 4; ++frame) run_frame(&governor, &clock, 0, 400);
    EXPECT_EQ(governor.predicted_rest(), 300u) << "half of the window is old";
    for (int frame = 0; frame < 4; ++frame) run_frame(&governor, &clock, 0, 400);
    EXPECT_EQ(governor.predicted_rest(), 400u);
}

TEST(FrameGovernor, KeepsDeviationsAndReserveBackForARestThatVaries) {
    Draw draw(4);
    FakeClock clock;
    FrameGovernor governor;
    GovernorOptions o = options(10000);
    o.deviations = 2;
    o.reserve = 50;
    ASSERT_EQ(governor.begin(o, &FakeClock::now, &clock), Status::kOk);
    int late = 0;
    for (int frame = 0; frame < 500; ++frame) {
        const FrameReport report = run_frame(&governor, &clock, draw.below(500), 2000 + draw.below(800));
        if (frame >= 16) late += report.slack < -100 ? 1 : 0;
    }
    EXPECT_LE(late, 2) << "by more than a hundredth of the target";
}

TEST(FrameGovernor, LearnsWhatDetectionOverran) {
    FakeClock clock;
    FrameGovernor governor;
    GovernorOptions o = options(1000);
    o.deviations = 0;
    ASSERT_EQ(governor.begin(o, &FakeClock::now, &clock), Status::kOk);
    FrameReport report;
    for (int frame = 0; frame < 40; ++frame) {
        governor.start_frame();
        const Budget budget = governor.start_detection();
        while (!budget.expired(budget.user)) clock.time += 10;
        clock.time += 70;  // a step that could not be stopped in time
        governor.end_detection();
        clock.time += 100;
        report = governor.end_frame();
    }
    EXPECT_NEAR(double(report.slack), 0, 12);
    EXPECT_EQ(report.rest, 100u);
}

TEST(FrameGovernor, DoesNotLearnWhatDetectionDoesBeforeItAsksTheClock) {
    FakeClock clock;
    FrameGovernor governor;
    ASSERT_EQ(governor.begin(options(1000), &FakeClock::now, &clock), Status::kOk);
    for (int frame = 0; frame < 40; ++frame) {
        const std::uint64_t least = frame % 4 == 0 ? 1500 : 200;  // now and then it exceeds the frame
        governor.start_frame();
        const Budget budget = governor.start_detection();
        clock.time += least;
        while (!budget.expired(budget.user)) clock.time += 10;
        clock.time += 20;  // reports what it has found
        governor.end_detection();
        clock.time += 100;
        const FrameReport report = governor.end_frame();
        EXPECT_EQ(report.least, least);
        EXPECT_NEAR(double(governor.predicted_rest()), 130, 12) << "frame " << frame;
        if (frame > 0 && least == 200) EXPECT_NEAR(double(report.slack), 0, 30) << "frame " << frame;
    }
}

TEST(FrameGovernor, CountsAllDetectionAsLeastThatNeverAsksTheClock) {
    FakeClock clock;
    FrameGovernor governor;
    ASSERT_EQ(governor.begin(options(1000), &FakeClock::now, &clock), Status::kOk);
    governor.start_frame();
    governor.start_detection();
    clock.time += 3000;
    governor.end_detection();
    clock.time += 100;
    EXPECT_EQ(governor.end_frame().least, 3000u);
    EXPECT_EQ(governor.predicted_rest(), 100u);
}

TEST(FrameGovernor, GrantsNothingWhenTheFrameIsOverAlready) {
    FakeClock clock;
    FrameGovernor governor;
    ASSERT_EQ(governor.begin(options(100), &FakeClock::now, &clock), Status::kOk);
    governor.start_frame();
    EXPECT_EQ(governor.remaining(), 100u);
    clock.time += 250;
    EXPECT_EQ(governor.remaining(), 0u);
    const Budget budget = governor.start_detection(77);
    EXPECT_EQ(budget.node_tests, 77u);
    EXPECT_TRUE(budget.expired(budget.user));
    governor.end_detection();
    const FrameReport report = governor.end_frame();
    EXPECT_EQ(report.granted, 0u);
    EXPECT_EQ(report.slack, -150);
}

TEST(FrameGovernor, RefusesOptionsOutOfRange) {
    FakeClock clock;
    FrameGovernor governor;
    EXPECT_EQ(governor.begin(options(0), &FakeClock::now, &clock), Status::kInvalidArgument);
    EXPECT_EQ(governor.begin(options(100), nullptr, &clock), Status::kInvalidArgument);
    EXPECT_EQ(governor.begin(options(std::uint64_t{1} << 49), &FakeClock::now, &clock),
              Status::kInvalidArgument);
    GovernorOptions o = options(100);
    o.window = FrameGovernor::kMaxWindow + 1;
    EXPECT_EQ(governor.begin(o, &FakeClock::now, &clock), Status::kInvalidArgument);
    EXPECT_EQ(governor.end_frame().frame, 0u) << "not begun";
}

}  // namespace
}  // namespace espalier
