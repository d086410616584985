// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/report/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace espalier::tools {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 24;
constexpr std::size_t kLongestName = 40;
constexpr const char* kEraseLine = "\r\033[K";

bool can_draw() {
    const char* kind = std::getenv("TERM");
    return ::isatty(STDERR_FILENO) && kind && std::strcmp(kind, "dumb") != 0;
}

void write_error_stream(const std::string& text) {
    // A line that is not drawn is no loss.
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    static_cast<void>(written);
}

std::string bar_text(std::size_t done, std::size_t total) {
    if (total == 0) return "";
    done = std::min(done, total);
    const std::size_t filled = kBarWidth * done / total;
    return " [" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "] " +
           std::to_string(100 * done / total) + " %";
}

/// The end of a path tells more than its start.
std::string shortened(std::string_view name) {
    if (name.size() <= kLongestName) return std::string(name);
    return "..." + std::string(name.substr(name.size() - kLongestName));
}

}  // namespace

ProgressBar::ProgressBar(std::size_t inputs, bool quiet) : visible_(!quiet && can_draw()), inputs_(inputs) {}

void ProgressBar::draw(std::string_view name, std::string_view stage, std::size_t done, std::size_t total) {
    if (!visible_) return;
    const Clock::rep now = Clock::now().time_since_epoch().count();
    Clock::rep due = next_draw_.load();
    const Clock::rep next = now + std::chrono::duration_cast<Clock::duration>(kInterval).count();
    if (now < due || !next_draw_.compare_exchange_strong(due, next)) return;
    std::string line = kEraseLine;
    if (inputs_ > 1) line += std::to_string(finished_.load()) + "/" + std::to_string(inputs_) + " ";
    line += shortened(name) + ": " + std::string(stage) + bar_text(done, total);
    const std::lock_guard lock(mutex_);
    write_error_stream(line);
    drawn_ = true;
}

void ProgressBar::clear() {
    const std::lock_guard lock(mutex_);
    if (drawn_) write_error_stream(kEraseLine);
    drawn_ = false;
}

void InputProgress::begin_stage(std::string_view name, std::size_t total) {
    {
        const std::lock_guard lock(mutex_);
        stage_ = name;
    }
    total_ = total;
    done_ = 0;
    advance(0);
}

void InputProgress::advance(std::size_t steps) {
    const std::size_t done = done_ += steps;
    const std::lock_guard lock(mutex_);
    bar_.draw(name_, stage_, done, total_);
}

}  // namespace espalier::tools
