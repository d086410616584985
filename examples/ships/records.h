// SPDX-License-Identifier: MIT
// What a run leaves behind: a table of frames, a table of responses, a summary and a picture.
#pragma once

#include <string>
#include <vector>

#include "examples/ships/simulation.h"

namespace ships {

/// Numbers of a whole run. The first frames, in which the governor learns, are left out of the times.
struct Summary {
    std::uint32_t frames = 0;
    double frame_mean = 0, frame_p50 = 0, frame_p99 = 0, frame_max = 0;                  ///< milliseconds
    double detection_mean = 0, detection_p50 = 0, detection_p99 = 0, detection_max = 0;  ///< milliseconds
    double detection_cpu_mean = 0;        ///< milliseconds by processor time; 0 where it is not known
    double kept = 0;                      ///< share of frames that were not above the target by more than 5 %
    double cpu_kept = 0;                  ///< the same by the processor time of the thread
    double cpu_p99 = 0, cpu_max = 0;      ///< milliseconds
    std::uint32_t preempted = 0;          ///< frames in which the processor was taken away
    std::uint32_t preempted_late = 0;     ///< of those, above the target by more than 5 %
    double before_p50 = 0, rest_p50 = 0;  ///< milliseconds
    double least_p50 = 0, least_p99 = 0;  ///< milliseconds: detection before it asks the clock
    std::uint32_t cpu_late = 0;           ///< frames above the target by more than 5 % by processor time,
    double late_before = 0, late_least = 0, late_rest = 0;  ///< and what took how long in them, means, ms
    double pairs_mean = 0;                                  ///< looked at in a frame
    double node_tests_mean = 0;                             ///< of a frame
    std::uint64_t responses = 0;
    std::uint64_t measured = 0;  ///< of those, whose exact separation is known
    double exact_share = 0;      ///< of responses: triangles touched
    double level_mean = 0;
    double bound_mean = 0, bound_max = 0;            ///< separation at response at most, in bounding radii
    double separation_mean = 0, separation_max = 0;  ///< and exactly
    bool missed = false;                             ///< the broad phase ran out of room at some time
};

Summary summarize(const Simulation& simulation, double target_ms);

/// One line a frame. False when the file cannot be written.
bool write_frames(const std::string& path, const Simulation& simulation);

/// Frame time with its target, level at response, separation at response, over the frames.
bool write_picture(const std::string& path, const std::string& title, const Simulation& simulation,
                   double target_ms);

}  // namespace ships
