// SPDX-License-Identifier: GPL-3.0-or-later
// The part of oneTBB's interface that the builder uses, on plain threads, for ThreadSanitizer: Debian's TBB
// is compiled without it, so that every hand-over of a task would look like a race. Loops are divided among
// threads that live as long as the loop; nested ones run where they are once all threads are taken.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace tbb {

/// How many threads there may be at most, by the narrowest global_control alive; 4 without one, on any
/// machine: races show with more threads than processors too.
class global_control {
  public:
    enum parameter { max_allowed_parallelism };
    global_control(parameter, std::size_t most) : before_(limit().exchange(most)) {}
    ~global_control() { limit().store(before_); }
    global_control(const global_control&) = delete;
    global_control& operator=(const global_control&) = delete;

    static std::atomic<std::size_t>& limit() {
        static std::atomic<std::size_t> most{4};
        return most;
    }

  private:
    std::size_t before_;
};

namespace stand_in {

inline std::atomic<std::size_t>& extra_threads() {
    static std::atomic<std::size_t> running{0};
    return running;
}

/// Runs body(0) to body(count - 1) on as many threads as are free. Each thread has its share from the start,
/// so that a race shows however fast the first of them is.
template <class Body>
void run(std::size_t count, const Body& body) {
    std::size_t helper_count = 0;
    while (helper_count + 1 < count) {
        std::size_t running = extra_threads().load();
        if (running + 1 >= global_control::limit().load()) break;
        if (extra_threads().compare_exchange_weak(running, running + 1)) ++helper_count;
    }
    std::exception_ptr failure;
    std::mutex failure_lock;
    const auto work = [&](std::size_t first) {
        try {
            for (std::size_t i = first; i < count; i += helper_count + 1) body(i);
        } catch (...) {
            const std::lock_guard<std::mutex> guard(failure_lock);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::thread> helpers;
    for (std::size_t i = 0; i < helper_count; ++i) helpers.emplace_back(work, i + 1);
    work(0);
    for (std::thread& helper : helpers) helper.join();
    extra_threads().fetch_sub(helper_count);
    if (failure) std::rethrow_exception(failure);
}

}  // namespace stand_in

struct simple_partitioner {};
struct auto_partitioner {};
struct static_partitioner {};

template <class Value>
class blocked_range {
  public:
    using const_iterator = Value;
    blocked_range(Value begin, Value end, std::size_t grain = 1) : begin_(begin), end_(end), grain_(grain) {}
    [[nodiscard]] Value begin() const { return begin_; }
    [[nodiscard]] Value end() const { return end_; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
    [[nodiscard]] std::size_t grainsize() const { return grain_; }

  private:
    Value begin_, end_;
    std::size_t grain_;
};

template <class Value, class Body, class Partitioner = auto_partitioner>
void parallel_for(const blocked_range<Value>& range, const Body& body, const Partitioner& = {}) {
    const std::size_t grain = std::max<std::size_t>(range.grainsize(), range.size() / 64);
    const std::size_t pieces = (range.size() + grain - 1) / std::max<std::size_t>(grain, 1);
    stand_in::run(pieces, [&](std::size_t i) {
        const Value begin = range.begin() + static_cast<Value>(i * grain);
        const std::size_t left = static_cast<std::size_t>(range.end() - begin);
        body(blocked_range<Value>(begin, begin + static_cast<Value>(std::min(grain, left)),
                                  range.grainsize()));
    });
}

template <class Index, class Body, class Partitioner = auto_partitioner,
          class = std::enable_if_t<std::is_integral_v<Index>>>
void parallel_for(Index begin, Index end, const Body& body, const Partitioner& = {}) {
    if (end <= begin) return;
    const auto each = [&](const blocked_range<Index>& piece) {
        for (Index i = piece.begin(); i != piece.end(); ++i) body(i);
    };
    parallel_for(blocked_range<Index>(begin, end), each);
}

template <class... Bodies>
void parallel_invoke(const Bodies&... bodies) {
    const std::function<void()> all[] = {std::function<void()>(std::cref(bodies))...};
    stand_in::run(sizeof...(bodies), [&](std::size_t i) { all[i](); });
}

/// Sorted halves on two threads, merged: enough for a race between comparisons to show.
template <class Iterator, class Less = std::less<>>
void parallel_sort(Iterator begin, Iterator end, const Less& less = {}) {
    const Iterator middle = begin + (end - begin) / 2;
    parallel_invoke([&] { std::sort(begin, middle, less); }, [&] { std::sort(middle, end, less); });
    std::inplace_merge(begin, middle, end, less);
}

class task_group {
  public:
    template <class Body>
    void run(const Body& body) {
        tasks_.emplace_back(body);
    }
    void wait() {
        std::vector<std::function<void()>> tasks;
        tasks.swap(tasks_);
        stand_in::run(tasks.size(), [&](std::size_t i) { tasks[i](); });
    }

  private:
    std::vector<std::function<void()>> tasks_;
};

namespace this_task_arena {

template <class Body>
auto isolate(const Body& body) {
    return body();
}

inline int max_concurrency() {
    return static_cast<int>(global_control::limit().load());
}

}  // namespace this_task_arena

namespace info {

inline int default_concurrency() {
    return this_task_arena::max_concurrency();
}

}  // namespace info

}  // namespace tbb
