// SPDX-License-Identifier: MIT
// How much of a frame collision detection may take (Hubbard 1996, section 3.2): the frame's target less what
// the rest is predicted to take, by a running average over the last frames. The clock is the caller's
// function, in ticks of any unit.
#pragma once

#include <cstdint>

#include "espalier/query.h"
#include "espalier/status.h"

namespace espalier {

/// What a frame is to take.
struct GovernorOptions {
    std::uint64_t target = 0;   ///< ticks that a frame should take; at most 2^48
    std::uint32_t window = 16;  ///< frames to average over: 1 .. FrameGovernor::kMaxWindow
    std::uint32_t deviations =
        2;  ///< mean absolute deviations added to the average: 0 is the paper's plain average
    std::uint64_t reserve = 0;     ///< ticks kept back in every frame, e.g. for a coarse clock
    std::uint64_t first_rest = 0;  ///< prediction while there is no frame to learn from
};

/// What became of a frame, in ticks.
struct FrameReport {
    std::uint64_t frame = 0;           ///< all of it
    std::uint64_t before = 0;          ///< until detection started
    std::uint64_t granted = 0;         ///< what detection was given
    std::uint64_t detection = 0;       ///< what it took
    std::uint64_t rest = 0;            ///< from its end to the frame's
    std::uint64_t predicted_rest = 0;  ///< what was expected of the rest
    std::int64_t slack = 0;            ///< target - frame: to idle away if positive, an overrun if negative
    std::uint64_t least = 0;  ///< of detection, before it asked the clock: done whatever the clock says
};

/// In each frame call start_frame, start_detection, end_detection, end_frame, in this order.
class FrameGovernor {
  public:
    static constexpr std::uint32_t kMaxWindow = 64;  ///< frames that an average may span

    /// Fails with kInvalidArgument: no clock, a target of 0 or above 2^48, a window out of range.
    /// @param now ticks that never go back
    Status begin(const GovernorOptions& options, std::uint64_t (*now)(void* user), void* user);

    void start_frame();  ///< call it first in every frame

    /// Hands out the remainder of the frame. The budget's clock points to this object, which must stay where
    /// it is until detection ends.
    /// @param node_tests a further limit
    Budget start_detection(std::uint64_t node_tests = Budget::kUnlimited);
    void end_detection();  ///< call it when the queries have ended

    /// Learns from the frame. The caller idles away a positive slack.
    FrameReport end_frame();

    /// Ticks that the rest of a frame is expected to take, from the end of detection.
    std::uint64_t predicted_rest() const;
    /// Ticks left of the frame's target now; 0 if it is over.
    std::uint64_t remaining() const;

  private:
    static bool expired(void* governor);

    GovernorOptions options_;
    std::uint64_t (*now_)(void* user) = nullptr;
    void* user_ = nullptr;
    std::uint64_t rests_[kMaxWindow] = {};
    std::uint32_t known_ = 0;  // frames learnt from, at most the window
    std::uint32_t next_ = 0;   // which of rests_ is overwritten next
    std::uint64_t frame_start_ = 0, detection_start_ = 0, detection_end_ = 0, deadline_ = 0, predicted_ = 0;
    std::uint64_t first_asked_ = 0;  // when detection asked the clock first
    bool asked_ = false;
};

}  // namespace espalier
