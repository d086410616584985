// SPDX-License-Identifier: MIT
// Predicts the rest of a frame by a running average (Hubbard 1996, section 3.2). Integers only: ticks of the
// caller's clock.
#include "espalier/frame_governor.h"

#include "../base/assert.h"

namespace espalier {
namespace {

constexpr std::uint64_t kLargestTarget = std::uint64_t{1} << 48;

/// Frames that were held up by something else (a debugger, a page fault) must not overflow a sum of 64.
std::uint64_t limited(std::uint64_t ticks) {
    return ticks < kLargestTarget ? ticks : kLargestTarget;
}

}  // namespace

Status FrameGovernor::begin(const GovernorOptions& options, std::uint64_t (*now)(void* user), void* user) {
    if (!now || options.target == 0 || options.target > kLargestTarget) return Status::kInvalidArgument;
    if (options.window == 0 || options.window > kMaxWindow) return Status::kInvalidArgument;
    *this = FrameGovernor();
    options_ = options;
    now_ = now;
    user_ = user;
    return Status::kOk;
}

void FrameGovernor::start_frame() {
    if (!now_) return;
    frame_start_ = detection_start_ = detection_end_ = deadline_ = now_(user_);
    asked_ = false;
}

std::uint64_t FrameGovernor::predicted_rest() const {
    if (known_ == 0) return limited(options_.first_rest);
    std::uint64_t sum = 0, spread = 0;
    for (std::uint32_t i = 0; i < known_; ++i) sum += rests_[i];
    const std::uint64_t mean = sum / known_;
    for (std::uint32_t i = 0; i < known_; ++i)
        spread += rests_[i] > mean ? rests_[i] - mean : mean - rests_[i];
    return limited(mean + limited(spread / known_ * options_.deviations));
}

std::uint64_t FrameGovernor::remaining() const {
    if (!now_) return 0;
    const std::uint64_t passed = now_(user_) - frame_start_;
    return passed < options_.target ? options_.target - passed : 0;
}

bool FrameGovernor::expired(void* governor) {
    FrameGovernor& g = *static_cast<FrameGovernor*>(governor);
    const std::uint64_t now = g.now_(g.user_);
    if (!g.asked_) g.first_asked_ = now;
    g.asked_ = true;
    return now >= g.deadline_;
}

Budget FrameGovernor::start_detection(std::uint64_t node_tests) {
    Budget budget;
    budget.node_tests = node_tests;
    if (!now_) return budget;
    detection_start_ = now_(user_);
    predicted_ = predicted_rest();
    const std::uint64_t kept = predicted_ + limited(options_.reserve);
    const std::uint64_t due = frame_start_ + (kept < options_.target ? options_.target - kept : 0);
    deadline_ = due > detection_start_ ? due : detection_start_;
    budget.expired = &FrameGovernor::expired;
    budget.user = this;
    return budget;
}

void FrameGovernor::end_detection() {
    if (now_) detection_end_ = now_(user_);
}

FrameReport FrameGovernor::end_frame() {
    FrameReport report;
    if (!now_) return report;
    const std::uint64_t end = now_(user_);
    ESPALIER_ASSERT(end >= frame_start_ && detection_end_ >= detection_start_);  // a clock never goes back
    report.frame = end - frame_start_;
    report.before = detection_start_ - frame_start_;
    report.granted = deadline_ - detection_start_;
    report.detection = detection_end_ - detection_start_;
    report.rest = end - detection_end_;
    report.predicted_rest = predicted_;
    report.slack = static_cast<std::int64_t>(options_.target) - static_cast<std::int64_t>(report.frame);
    // What detection took after it was told to stop is learnt as part of the rest. What it does before it
    // asks at all (every pair's least level) is not: no deadline makes it shorter, and once learnt it would
    // be taken off the time of the coming frames for nothing.
    const std::uint64_t asked = asked_ ? first_asked_ : detection_end_;
    report.least = asked - detection_start_;
    const std::uint64_t told = asked > deadline_ ? asked : deadline_;
    const std::uint64_t learnt = end - (detection_end_ < told ? detection_end_ : told);
    ESPALIER_ASSERT(next_ < options_.window && options_.window <= kMaxWindow);
    rests_[next_] = limited(learnt);
    next_ = next_ + 1 < options_.window ? next_ + 1 : 0;
    if (known_ < options_.window) ++known_;
    return report;
}

}  // namespace espalier
