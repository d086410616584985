// SPDX-License-Identifier: MIT
// The frame loop: fly, broad phase, detection in what is left of the frame, response, a stand-in for drawing.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "espalier/broad_phase.h"
#include "espalier/frame_governor.h"
#include "examples/ships/detector.h"
#include "examples/ships/world.h"

namespace ships {

enum class Mode { kExact, kTimeCritical };

struct SimulationOptions {
    WorldOptions world;
    Mode mode = Mode::kTimeCritical;
    ExactWork exact = ExactWork::kContacts;
    std::uint32_t frames = 300;
    std::uint64_t node_tests = espalier::Budget::kUnlimited;  ///< budget of a frame
    double target_ms = 0;  ///< frame time to keep by the clock; 0: no clock, the node tests alone decide
    std::uint32_t measure_every = 1;    ///< frames of which the exact separation of ships that bounce is
                                        ///< measured, after the last frame; 0: none
    std::uint32_t draw_points = 20000;  ///< work of drawing a frame, in points
    TimeCriticalOptions time_critical;
};

/// One frame. Times are 0 without a clock, so that records compare byte by byte.
struct FrameRecord {
    std::uint32_t frame = 0;
    double frame_ms = 0, before_ms = 0, granted_ms = 0, detection_ms = 0, least_ms = 0, rest_ms = 0,
           slack_ms = 0;
    double cpu_ms = 0;  ///< of the frame, in which the processor worked for it; 0 where it is not known
    double detection_cpu_ms = 0;   ///< and of detection
    std::uint32_t preempted = 0;   ///< times that the processor was taken away, where it is known
    std::uint32_t near_pairs = 0;  ///< kept by the broad phase
    std::uint32_t examined = 0;    ///< of those, whose contact time was computed
    std::uint32_t due = 0;         ///< of those, that may touch in the frame
    bool missed = false;           ///< the broad phase had no room for all pairs
    DetectionCount detection;
    std::uint32_t responses = 0;
    std::uint32_t measured = 0;  ///< of those, whose exact separation is known
    double level_sum = 0;
    std::uint32_t level_min = 0;
    double bound_sum = 0, bound_max = 0;            ///< separation at response at most, in bounding radii
    double separation_sum = 0, separation_max = 0;  ///< and exactly
};

/// A response, for histograms.
struct ResponseRecord {
    std::uint32_t frame = 0, a = 0, b = 0, level = 0;
    bool exact = false;
    double bound = 0, separation = 0;
};

/// A response whose exact separation is asked for after the last frame.
struct AnsweredPair {
    std::uint32_t frame = 0;
    Collision hit;
    espalier::Pose pose;
};

class Simulation {
  public:
    Simulation(const std::vector<Hull>& hulls, const SimulationOptions& options);

    /// Runs all frames. False when a runtime function failed, with a message on stderr.
    bool run();

    const std::vector<FrameRecord>& frames() const { return frames_; }
    const std::vector<ResponseRecord>& responses() const { return responses_; }

  private:
    bool run_frame(std::uint32_t index);
    bool find_pairs(FrameRecord* record);
    void respond(FrameRecord* record);
    void remember_answered(std::uint32_t frame);
    void measure();
    void draw();

    SimulationOptions options_;
    World world_;
    std::unique_ptr<Detector> detector_;
    std::unique_ptr<Ruler> ruler_;
    espalier::SpaceTimeBounds bounds_;
    espalier::FrameGovernor governor_;
    std::vector<std::uint64_t> memory_;
    std::vector<PairIds> pairs_;
    std::vector<Collision> collisions_, answered_;
    std::vector<AnsweredPair> to_measure_;
    std::vector<float> depth_;
    std::vector<FrameRecord> frames_;
    std::vector<ResponseRecord> responses_;
};

}  // namespace ships
