// SPDX-License-Identifier: GPL-3.0-or-later
// One line on the terminal that says how far a bake is.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "builder/base/progress.h"

namespace espalier::tools {

/// The line. Drawn on stderr at most ten times a second, and only if stderr is a terminal. Thread-safe.
class ProgressBar {
  public:
    /// @param inputs how many there are to do
    /// @param quiet  never draw
    ProgressBar(std::size_t inputs, bool quiet);
    ~ProgressBar() { clear(); }

    /// Draws, if it is time: work on `name`, in its stage `stage`, which is `done` of `total` steps far.
    void draw(std::string_view name, std::string_view stage, std::size_t done, std::size_t total);
    /// One more input is done.
    void finish_input() { ++finished_; }
    /// Removes the line, so that text can be printed in its place.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;
    bool visible_;
    std::size_t inputs_;
    std::atomic<std::size_t> finished_{0};
    std::atomic<Clock::rep> next_draw_{0};
    std::mutex mutex_;  // of the terminal's line
    bool drawn_ = false;
};

/// Progress of one input at a time, drawn on a shared bar.
class InputProgress : public Progress {
  public:
    explicit InputProgress(ProgressBar& bar) : bar_(bar) {}

    /// The next input. Not while work on another one is running.
    void begin_input(std::string name) { name_ = std::move(name); }
    void begin_stage(std::string_view name, std::size_t total) override;
    void advance(std::size_t steps) override;

  private:
    ProgressBar& bar_;
    std::string name_;
    std::mutex mutex_;  // of the stage's name: workers may still report the last one when the next begins
    std::string stage_;
    std::atomic<std::size_t> total_{0};
    std::atomic<std::size_t> done_{0};
};

}  // namespace espalier::tools
