// SPDX-License-Identifier: MIT
// Round robin refinement of many pairs (Hubbard 1996, section 3.2).
#include "espalier/scheduler.h"

#include "../base/memory_layout.h"
#include "pair_table.h"

namespace espalier {
namespace {

constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
/// Bytes of a query that are worth asking for ahead.
constexpr std::size_t kFetched = 3072;

bool expired(const Budget& budget) {
    return budget.expired && budget.expired(budget.user);
}

}  // namespace

struct Scheduler::Work {
    Scheduler& s;
    PairTable<ScheduledPair> table;

    // The table holds last frame's pairs beside this frame's until they are told apart.
    explicit Work(Scheduler* scheduler)
        : s(*scheduler), table{s.pairs_, &s.pair_count_, 2 * s.max_pairs_, s.buckets_, s.bucket_mask_} {}

    static std::size_t lay_out(MemoryLayout layout, std::uint32_t pairs, Scheduler* scheduler) {
        Scheduler measured;
        Scheduler& out = scheduler ? *scheduler : measured;
        out.pairs_ = layout.take<ScheduledPair>(std::size_t{2} * pairs);
        out.bucket_mask_ = power_of_two(2 * pairs + pairs / 2 + 1) - 1;
        out.buckets_ = layout.take<std::uint32_t>(std::size_t{out.bucket_mask_} + 1);
        out.free_slots_ = layout.take<std::uint32_t>(pairs);
        out.turns_ = layout.take<std::uint32_t>(pairs);
        return layout.used();
    }

    /// Frees the queries of pairs that nobody wants any more.
    void forget_unwanted() {
        for (std::uint32_t i = s.pair_count_; i > 0; --i) {
            const ScheduledPair& pair = s.pairs_[i - 1];
            if (pair.frame == s.frame_) continue;
            if (pair.slot != kNoSlot) s.free_slots_[s.free_count_++] = pair.slot;
            table.remove(i - 1);
        }
    }

    void give_slots() {
        for (std::uint32_t i = 0; i < s.pair_count_; ++i) {
            if (s.pairs_[i].slot != kNoSlot) continue;
            s.pairs_[i].slot = s.free_slots_[--s.free_count_];
            s.pairs_[i].again = false;
        }
    }

    /// Asks for the beginning of a query that comes soon: many queries do not stay in the cache from one
    /// frame to the next.
    void fetch(std::uint32_t index) const {
        const unsigned char* query = s.queries_ + s.stride_ * s.pairs_[index].slot;
        const std::size_t most = s.stride_ < kFetched ? s.stride_ : kFetched;
        for (std::size_t i = 0; i < most; i += 64) __builtin_prefetch(query + i);
    }

    void start(std::uint32_t index) {
        ScheduledPair& pair = s.pairs_[index];
        pair.started = true;
        pair.progress = PairProgress();
        pair.status = s.ops_.start(s.query(index), pair.a, pair.b, pair.again, s.ops_.user);
        pair.progress.done = pair.status != Status::kOk;
    }

    /// One slice; returns the node tests that it took.
    std::uint64_t serve(std::uint32_t index, const Budget& budget) {
        ScheduledPair& pair = s.pairs_[index];
        const std::uint64_t before = pair.progress.node_tests;
        pair.progress = s.ops_.step(s.query(index), budget, s.ops_.user);
        return pair.progress.node_tests - before;
    }

    /// Brings a pair to the least level, whatever it costs. A query that is there already, from last frame's
    /// front, only tells what it knows.
    void reach_level(std::uint32_t index, const ScheduleOptions& options, ScheduleReport* report) {
        ScheduledPair& pair = s.pairs_[index];
        Budget slice;
        slice.node_tests = options.slice;
        if (pair.progress.node_tests > 0 || pair.progress.done) return;
        if (s.ops_.level(s.query(index), s.ops_.user) >= options.least_level) {
            slice.node_tests = 0;
            report->node_tests += serve(index, slice);
            return;
        }
        for (std::uint32_t i = 0; i < options.most_slices && !pair.progress.done; ++i) {
            report->node_tests += serve(index, slice);
            ++report->slices;
            if (s.ops_.level(s.query(index), s.ops_.user) >= options.least_level) return;
        }
    }

    /// Lists the pairs with work left, the one whose turn it is first.
    std::uint32_t list_turns() {
        std::uint32_t first = table.find(s.first_a_, s.first_b_);
        if (first == kNoPair) first = 0;
        std::uint32_t count = 0;
        for (std::uint32_t k = 0; k < s.pair_count_; ++k) {
            const std::uint32_t index = first + k < s.pair_count_ ? first + k : first + k - s.pair_count_;
            if (!s.pairs_[index].progress.done && s.pairs_[index].weight > 0) s.turns_[count++] = index;
        }
        return count;
    }

    /// Whether another slice may begin; otherwise says why not.
    static bool may_go_on(const Budget& budget, ScheduleReport* report) {
        if (report->node_tests >= budget.node_tests) {
            report->end = ScheduleEnd::kNodeTests;
            return false;
        }
        if (expired(budget)) {
            report->end = ScheduleEnd::kClock;
            return false;
        }
        return true;
    }

    void go_round(const Budget& budget, std::uint32_t slice, ScheduleReport* report) {
        std::uint32_t count = list_turns();
        while (count > 0) {
            std::uint32_t kept = 0;
            for (std::uint32_t k = 0; k < count; ++k) {
                const std::uint32_t index = s.turns_[k];
                const ScheduledPair& pair = s.pairs_[index];
                if (!may_go_on(budget, report)) {
                    s.first_a_ = pair.a;
                    s.first_b_ = pair.b;
                    return;
                }
                if (!pair.started) {
                    start(index);
                    if (pair.progress.done) continue;
                }
                Budget turn = budget;
                turn.node_tests = std::uint64_t{slice} * pair.weight;
                const std::uint64_t left = budget.node_tests - report->node_tests;
                if (turn.node_tests > left) turn.node_tests = left;
                report->node_tests += serve(index, turn);
                ++report->slices;
                if (!pair.progress.done) s.turns_[kept++] = index;
            }
            count = kept;
        }
    }
};

std::size_t Scheduler::memory_size(std::uint32_t max_pairs) {
    if (max_pairs == 0 || max_pairs > kMaxPairs) return 0;
    return Work::lay_out(MemoryLayout(nullptr), max_pairs, nullptr);
}

Status Scheduler::begin(void* memory, std::size_t size, std::uint32_t max_pairs, void* queries,
                        std::size_t stride, const PairQueryOps& ops) {
    const std::size_t needed = memory_size(max_pairs);
    if (!memory || !is_aligned(memory) || needed == 0 || size < needed || !queries)
        return Status::kInvalidArgument;
    if (!ops.start || !ops.step || !ops.level) return Status::kInvalidArgument;
    *this = Scheduler();
    max_pairs_ = max_pairs;
    queries_ = static_cast<unsigned char*>(queries);
    stride_ = stride;
    ops_ = ops;
    Work::lay_out(MemoryLayout(memory), max_pairs, this);
    Work(this).table.clear();
    for (std::uint32_t i = 0; i < max_pairs; ++i) free_slots_[i] = max_pairs - 1 - i;
    free_count_ = max_pairs;
    return Status::kOk;
}

void Scheduler::start_frame() {
    if (max_pairs_ == 0) return;
    Work work(this);
    work.forget_unwanted();  // a frame that was never run
    ++frame_;
    wanted_ = 0;
    settled_ = false;
}

Status Scheduler::want(std::uint32_t a, std::uint32_t b, std::uint32_t weight) {
    if (a == b || max_pairs_ == 0) return Status::kInvalidArgument;
    if (a > b) {
        const std::uint32_t swapped = a;
        a = b;
        b = swapped;
    }
    Work work(this);
    std::uint32_t index = work.table.find(a, b);
    const bool known = index != kNoPair;
    if (known && pairs_[index].frame == frame_) {
        pairs_[index].weight = weight;
        return Status::kOk;
    }
    if (wanted_ == max_pairs_) return Status::kBufferFull;
    if (!known) {
        index = work.table.insert(a, b);
        pairs_[index].slot = kNoSlot;
    }
    ScheduledPair& pair = pairs_[index];
    pair.weight = weight;
    pair.frame = frame_;
    pair.again = known && pair.slot != kNoSlot && pair.started && pair.status == Status::kOk;
    pair.started = false;
    pair.status = Status::kOk;
    pair.progress = PairProgress();
    ++wanted_;
    settled_ = false;
    return Status::kOk;
}

ScheduleReport Scheduler::run(const Budget& budget, const ScheduleOptions& options) {
    ScheduleReport report;
    if (max_pairs_ == 0) return report;
    Work work(this);
    if (!settled_) {
        work.forget_unwanted();
        work.give_slots();
        settled_ = true;
    }
    const std::uint32_t slice = options.slice > 0 ? options.slice : 1;
    ScheduleOptions checked = options;
    checked.slice = slice;
    for (std::uint32_t i = 0; i < pair_count_ && options.least_level > 0; ++i) {
        if (i + 1 < pair_count_) work.fetch(i + 1);
        if (!pairs_[i].started) work.start(i);
        work.reach_level(i, checked, &report);
    }
    work.go_round(budget, slice, &report);
    for (std::uint32_t i = 0; i < pair_count_; ++i) report.done += pairs_[i].progress.done ? 1 : 0;
    return report;
}

bool Scheduler::find(std::uint32_t a, std::uint32_t b, std::uint32_t* index) const {
    if (max_pairs_ == 0 || !index) return false;
    const PairTable<ScheduledPair> table{pairs_, nullptr, 2 * max_pairs_, buckets_, bucket_mask_};
    *index = table.find(a < b ? a : b, a < b ? b : a);
    return *index != kNoPair && pairs_[*index].frame == frame_;
}

}  // namespace espalier
