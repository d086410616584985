// SPDX-License-Identifier: GPL-3.0-or-later
// The scheduler on queries made up for the test: who is served when, by how much, and what is kept between
// frames.
#include "espalier/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "tests/runtime/frames/broad_memory.h"
#include "tests/support/draw.h"

namespace espalier {
namespace {

using testing::CallerMemory;
using testing::Draw;

/// A query that needs `work` node tests, `level_work` of them for level 1.
struct FakeQuery {
    std::uint64_t work = 0, level_work = 0, spent = 0;
    std::uint32_t a = 0, b = 0, begun = 0, went_on = 0;

    Verdict step(const Budget& budget) {
        for (std::uint64_t used = 0; used < budget.node_tests && spent < work; ++used) {
            if (budget.expired && budget.expired(budget.user)) break;
            ++spent;
        }
        return verdict();
    }
    Verdict verdict() const { return done() ? Verdict::kDisjoint : Verdict::kUnresolved; }
    bool done() const { return spent == work; }
    double lower() const { return 0; }
    double upper() const { return static_cast<double>(work - spent); }
    std::uint32_t level() const { return spent >= level_work ? 1 : 0; }
    Counters counters() const {
        Counters c;
        c.node_tests = spent;
        return c;
    }
};

struct Bench {
    explicit Bench(std::uint32_t pairs) : queries(pairs), memory(Scheduler::memory_size(pairs)) {
        const PairQueryOps ops = pair_query_ops<FakeQuery>(&Bench::start, this);
        EXPECT_EQ(
            scheduler.begin(memory.data(), memory.size(), pairs, queries.data(), sizeof(FakeQuery), ops),
            Status::kOk);
    }
    static Status start(void* memory, std::uint32_t a, std::uint32_t b, bool again, void* user) {
        auto* query = static_cast<FakeQuery*>(memory);
        const Bench& bench = *static_cast<Bench*>(user);
        if (again) {
            EXPECT_EQ(query->a, a);
            EXPECT_EQ(query->b, b);
            ++query->went_on;
        } else {
            *query = FakeQuery();
        }
        ++query->begun;
        query->a = a;
        query->b = b;
        query->spent = 0;
        query->work = bench.work;
        query->level_work = bench.level_work;
        return a == bench.broken ? Status::kNoTree : Status::kOk;
    }
    std::uint64_t spent(std::uint32_t a, std::uint32_t b) const {
        std::uint32_t index = 0;
        EXPECT_TRUE(scheduler.find(a, b, &index));
        return static_cast<const FakeQuery*>(scheduler.query(index))->spent;
    }

    std::uint64_t work = 1000, level_work = 30;
    std::uint32_t broken = ~0u;
    std::vector<FakeQuery> queries;
    CallerMemory memory;
    Scheduler scheduler;
};

Budget tests(std::uint64_t n) {
    Budget budget;
    budget.node_tests = n;
    return budget;
}

TEST(Scheduler, SharesTheBudgetEvenlyAmongPairs) {
    Bench bench(10);
    bench.scheduler.start_frame();
    for (std::uint32_t i = 0; i < 10; ++i) ASSERT_EQ(bench.scheduler.want(i, 100), Status::kOk);
    const ScheduleReport report = bench.scheduler.run(tests(5000));
    EXPECT_EQ(report.end, ScheduleEnd::kNodeTests);
    EXPECT_EQ(report.node_tests, 5000u);
    for (std::uint32_t i = 0; i < 10; ++i) EXPECT_NEAR(double(bench.spent(i, 100)), 500, 64) << "pair " << i;
}

TEST(Scheduler, BringsEveryPairToLevelOneWhateverTheBudget) {
    Bench bench(10);
    bench.scheduler.start_frame();
    for (std::uint32_t i = 0; i < 10; ++i) ASSERT_EQ(bench.scheduler.want(i, 100), Status::kOk);
    Budget none = tests(0);
    none.expired = [](void*) { return true; };
    ScheduleReport report = bench.scheduler.run(none);
    EXPECT_NE(report.end, ScheduleEnd::kAllDone);
    for (std::uint32_t i = 0; i < 10; ++i) EXPECT_GE(bench.spent(i, 100), 30u) << "pair " << i;

    bench.scheduler.start_frame();
    ASSERT_EQ(bench.scheduler.want(3, 4), Status::kOk);
    ScheduleOptions strict;
    strict.least_level = 0;
    report = bench.scheduler.run(none, strict);
    EXPECT_EQ(report.node_tests, 0u) << "a strict budget is kept";
    EXPECT_FALSE(bench.scheduler.pair(0).started);
    EXPECT_EQ(bench.scheduler.pair(0).progress.verdict, Verdict::kUnresolved);
}

TEST(Scheduler, AsksNothingMoreOfPairsThatStartAtLevelOne) {
    Bench bench(4);
    bench.work = 100;
    bench.level_work = 0;  // as of a front that is kept from the last frame
    bench.scheduler.start_frame();
    for (std::uint32_t b = 1; b <= 4; ++b) ASSERT_EQ(bench.scheduler.want(0, b), Status::kOk);
    Budget nothing;
    nothing.node_tests = 0;
    const ScheduleReport report = bench.scheduler.run(nothing);
    EXPECT_EQ(report.node_tests, 0u);
    for (std::uint32_t b = 1; b <= 4; ++b) {
        std::uint32_t index = 0;
        ASSERT_TRUE(bench.scheduler.find(0, b, &index));
        EXPECT_TRUE(bench.scheduler.pair(index).started);
        EXPECT_EQ(bench.scheduler.pair(index).progress.upper, 100);  // it still tells what it knows
    }
}

TEST(Scheduler, GivesWeightedPairsTheirShare) {
    Bench bench(4);
    bench.work = 100000;
    bench.scheduler.start_frame();
    ASSERT_EQ(bench.scheduler.want(0, 9, 1), Status::kOk);
    ASSERT_EQ(bench.scheduler.want(1, 9, 3), Status::kOk);
    ASSERT_EQ(bench.scheduler.want(2, 9, 0), Status::kOk);
    bench.scheduler.run(tests(20000));
    EXPECT_NEAR(double(bench.spent(1, 9)) / double(bench.spent(0, 9)), 3, 0.1);
    EXPECT_LT(bench.spent(2, 9), 65u) << "weight 0 stops at the least level";
}

TEST(Scheduler, StopsWhenTheClockSays) {
    Bench bench(3);
    bench.scheduler.start_frame();
    for (std::uint32_t i = 0; i < 3; ++i) ASSERT_EQ(bench.scheduler.want(i, 5), Status::kOk);
    int asked = 0;
    Budget budget;
    budget.expired = [](void* user) { return ++*static_cast<int*>(user) > 500; };
    budget.user = &asked;
    const ScheduleReport report = bench.scheduler.run(budget);
    EXPECT_EQ(report.end, ScheduleEnd::kClock);
    EXPECT_LE(report.node_tests, 3 * 64 + 500u);
    EXPECT_GE(report.node_tests, 490u);
}

TEST(Scheduler, GoesOnWhereItStoppedWithinAFrameAndTellsWhenAllIsDone) {
    Bench bench(3);
    bench.scheduler.start_frame();
    for (std::uint32_t i = 0; i < 3; ++i) ASSERT_EQ(bench.scheduler.want(i, 5), Status::kOk);
    std::uint64_t total = 0;
    ScheduleReport report;
    int runs = 0;
    do {
        report = bench.scheduler.run(tests(100));
        total += report.node_tests;
        ASSERT_LT(++runs, 100);
    } while (report.end != ScheduleEnd::kAllDone);
    EXPECT_EQ(total, 3000u);
    EXPECT_EQ(report.done, 3u);
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(bench.scheduler.pair(i).progress.verdict, Verdict::kDisjoint);
        EXPECT_EQ(static_cast<FakeQuery*>(bench.scheduler.query(i))->begun, 1u) << "started once a frame";
    }
}

TEST(Scheduler, RotatesWhoIsFirstSoThatNobodyStarves) {
    Bench bench(6);
    ScheduleOptions strict;
    strict.least_level = 0;
    std::map<std::uint32_t, std::uint64_t> served;
    for (int frame = 0; frame < 60; ++frame) {
        bench.scheduler.start_frame();
        for (std::uint32_t i = 0; i < 6; ++i) ASSERT_EQ(bench.scheduler.want(i, 9), Status::kOk);
        bench.scheduler.run(tests(128), strict);  // two turns for six pairs
        for (std::uint32_t i = 0; i < 6; ++i) {
            const ScheduledPair& pair = bench.scheduler.pair(i);
            served[pair.a] += pair.progress.node_tests;
        }
    }
    for (const auto& [pair, spent] : served) EXPECT_EQ(spent, 60 * 128 / 6u) << "pair " << pair;
}

TEST(Scheduler, KeepsTheQueryOfAPairThatComesBackAndOfNoOther) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Draw draw(seed);
        const std::uint32_t capacity = 12;
        Bench bench(capacity);
        bench.work = 10;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> age;  // frames in a row
        for (int frame = 0; frame < 300; ++frame) {
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> next;
            bench.scheduler.start_frame();
            for (std::uint32_t k = draw.below(20); k > 0; --k) {
                const auto a = static_cast<std::uint32_t>(draw.below(5)),
                           b = static_cast<std::uint32_t>(draw.below(5));
                const Status status = bench.scheduler.want(a, b);
                if (a == b) {
                    EXPECT_EQ(status, Status::kInvalidArgument);
                    continue;
                }
                const std::pair key(std::min(a, b), std::max(a, b));
                ASSERT_EQ(status,
                          next.count(key) || next.size() < capacity ? Status::kOk : Status::kBufferFull);
                if (status == Status::kOk) next[key] = age.count(key) ? age[key] + 1 : 0;
            }
            age = next;
            bench.scheduler.run(tests(1000));
            ASSERT_EQ(bench.scheduler.pair_count(), age.size());
            for (std::uint32_t i = 0; i < bench.scheduler.pair_count(); ++i) {
                const ScheduledPair& pair = bench.scheduler.pair(i);
                ASSERT_EQ(static_cast<FakeQuery*>(bench.scheduler.query(i))->went_on,
                          age.at({pair.a, pair.b}))
                    << "seed " << seed << " frame " << frame;
            }
        }
    }
}

TEST(Scheduler, ReportsAPairWhoseQueryCannotStart) {
    Bench bench(3);
    bench.broken = 1;
    for (int frame = 0; frame < 2; ++frame) {
        bench.scheduler.start_frame();
        ASSERT_EQ(bench.scheduler.want(1, 2), Status::kOk);
        ASSERT_EQ(bench.scheduler.want(0, 2), Status::kOk);
        const ScheduleReport report = bench.scheduler.run(Budget());
        EXPECT_EQ(report.end, ScheduleEnd::kAllDone);
        std::uint32_t index = 0;
        ASSERT_TRUE(bench.scheduler.find(2, 1, &index));
        EXPECT_EQ(bench.scheduler.pair(index).status, Status::kNoTree);
        EXPECT_EQ(bench.scheduler.pair(index).progress.verdict, Verdict::kUnresolved);
        EXPECT_FALSE(bench.scheduler.pair(index).again) << "a failed query is not gone on with";
        EXPECT_EQ(bench.spent(0, 2), 1000u);
    }
}

TEST(Scheduler, RefusesBadMemoryAndMissingFunctions) {
    FakeQuery query;
    const std::size_t size = Scheduler::memory_size(1);
    CallerMemory memory(size);
    PairQueryOps ops = pair_query_ops<FakeQuery>(&Bench::start, nullptr);
    Scheduler scheduler;
    EXPECT_EQ(scheduler.want(1, 2), Status::kInvalidArgument);
    EXPECT_EQ(scheduler.run(Budget()).done, 0u);
    EXPECT_EQ(scheduler.begin(memory.data(), size - 1, 1, &query, sizeof query, ops),
              Status::kInvalidArgument);
    EXPECT_EQ(scheduler.begin(nullptr, size, 1, &query, sizeof query, ops), Status::kInvalidArgument);
    EXPECT_EQ(scheduler.begin(memory.data(), size, 1, nullptr, sizeof query, ops), Status::kInvalidArgument);
    EXPECT_EQ(scheduler.begin(memory.data(), size, 0, &query, sizeof query, ops), Status::kInvalidArgument);
    ops.level = nullptr;
    EXPECT_EQ(scheduler.begin(memory.data(), size, 1, &query, sizeof query, ops), Status::kInvalidArgument);
    for (const std::uint32_t n : {1u, 10u, 5000u}) EXPECT_LE(Scheduler::memory_size(n), 192u * n + 64u) << n;
}

}  // namespace
}  // namespace espalier
