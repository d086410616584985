// SPDX-License-Identifier: MIT
#include "examples/ships/simulation.h"

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>

namespace ships {
namespace {

constexpr std::uint32_t kPairsPerShip = 64;
/// Seconds that the broad phase looks ahead.
constexpr double kHorizon = 0.25;
constexpr int kWide = 320, kHigh = 240;

std::uint64_t nanoseconds(void*) {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
}

/// What the frame took by another count than the clock on the wall.
struct ThreadUse {
    double cpu_ms = 0;
    std::uint32_t preempted = 0;
};

double thread_cpu_ms() {
#if defined(__linux__)
    timespec spent;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent) == 0)
        return static_cast<double>(spent.tv_sec) * 1e3 + static_cast<double>(spent.tv_nsec) * 1e-6;
#endif
    return 0;
}

ThreadUse thread_use() {
    ThreadUse use;
#if defined(__linux__)
    rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) == 0) use.preempted = static_cast<std::uint32_t>(usage.ru_nivcsw);
#endif
    use.cpu_ms = thread_cpu_ms();
    return use;
}

double ms(std::uint64_t ticks) {
    return static_cast<double>(ticks) * 1e-6;
}

}  // namespace

Simulation::Simulation(const std::vector<Hull>& hulls, const SimulationOptions& options)
    : options_(options), world_(hulls, options.world), ruler_(new Ruler), depth_(kWide * kHigh) {
    if (options.mode == Mode::kExact)
        detector_.reset(new ExactDetector(options.exact));
    else
        detector_.reset(new TimeCriticalDetector(options.time_critical));
    const std::uint32_t ships = options.world.ships;
    const std::size_t size = espalier::SpaceTimeBounds::memory_size(ships, kPairsPerShip * ships);
    memory_.resize(size / sizeof(std::uint64_t) + 2);
    void* start = memory_.data();
    std::size_t room = memory_.size() * sizeof(std::uint64_t);
    std::align(16, size, start, room);
    bounds_.begin(start, size, ships, kPairsPerShip * ships, kHorizon);
    if (options.target_ms > 0) {
        espalier::GovernorOptions governed;
        governed.target = static_cast<std::uint64_t>(options.target_ms * 1e6);
        governed.first_rest = governed.target / 4;
        // To miss far less than one frame of a hundred, one must aim a little lower than at the mean.
        governed.deviations = 3;
        governed.reserve = governed.target / 25;
        governor_.begin(governed, &nanoseconds, nullptr);
    }
    pairs_.reserve(kPairsPerShip * ships);
    collisions_.reserve(kPairsPerShip * ships);
    answered_.reserve(kPairsPerShip * ships);
    frames_.reserve(options.frames);
}

bool Simulation::run() {
    for (std::uint32_t i = 0; i < options_.frames; ++i)
        if (!run_frame(i)) return false;
    measure();
    return true;
}

bool Simulation::run_frame(std::uint32_t index) {
    FrameRecord record;
    record.frame = index;
    const bool timed = options_.target_ms > 0;
    const ThreadUse before = timed ? thread_use() : ThreadUse();
    governor_.start_frame();
    if (!find_pairs(&record)) return false;
    espalier::Budget budget = governor_.start_detection(options_.node_tests);
    collisions_.clear();
    const double started = timed ? thread_cpu_ms() : 0;
    record.detection = detector_->detect(world_, pairs_, budget, &collisions_);
    governor_.end_detection();
    record.detection_cpu_ms = timed ? thread_cpu_ms() - started : 0;
    respond(&record);
    draw();
    const espalier::FrameReport report = governor_.end_frame();
    const ThreadUse after = timed ? thread_use() : ThreadUse();
    record.cpu_ms = after.cpu_ms - before.cpu_ms;
    record.preempted = after.preempted - before.preempted;
    record.frame_ms = ms(report.frame);
    record.before_ms = ms(report.before);
    record.granted_ms = ms(report.granted);
    record.detection_ms = ms(report.detection);
    record.least_ms = ms(report.least);
    record.rest_ms = ms(report.rest);
    record.slack_ms = static_cast<double>(report.slack) * 1e-6;
    if (options_.measure_every > 0 && index % options_.measure_every == 0) remember_answered(index);
    frames_.push_back(record);
    return true;
}

/// Broad phase over the coming frame, then the frame itself: no pair that touches at any time of it can be
/// missing.
bool Simulation::find_pairs(FrameRecord* record) {
    world_.steer();
    for (std::uint32_t i = 0; i < world_.ships().size(); ++i) bounds_.set(i, world_.time(), world_.motion(i));
    const espalier::Status status = bounds_.advance(world_.time() + world_.frame_time());
    if (status != espalier::Status::kOk && status != espalier::Status::kBufferFull) {
        std::fprintf(stderr, "ships: broad phase: %s\n", espalier::status_text(status));
        return false;
    }
    record->missed = status == espalier::Status::kBufferFull;
    record->near_pairs = bounds_.pair_count();
    record->examined = bounds_.examined();
    record->due = bounds_.due_count();
    world_.move();
    pairs_.clear();
    for (std::uint32_t i = 0; i < bounds_.due_count(); ++i) {
        const espalier::BroadPair& pair = bounds_.due(i);
        if (world_.spheres_touch(pair.a, pair.b)) pairs_.emplace_back(pair.a, pair.b);
    }
    return true;
}

void Simulation::respond(FrameRecord* record) {
    answered_.clear();
    // A ship may bounce off several others; the order is the ships', whatever order the detector found them
    // in.
    std::sort(collisions_.begin(), collisions_.end(),
              [](const Collision& x, const Collision& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    for (const Collision& hit : collisions_) {
        if (!world_.bounce(hit.a, hit.b, hit.normal)) continue;
        record->level_min = record->responses == 0 ? hit.level : std::min(record->level_min, hit.level);
        ++record->responses;
        record->level_sum += hit.level;
        record->bound_sum += hit.bound;
        record->bound_max = std::max(record->bound_max, hit.bound);
        answered_.push_back(hit);
    }
    world_.keep_inside();
}

/// Positions are still those of the detection.
void Simulation::remember_answered(std::uint32_t frame) {
    for (const Collision& hit : answered_)
        to_measure_.push_back({frame, hit, world_.relative_pose(hit.a, hit.b)});
}

/// How far apart the ships really were that bounced. Between two frames this would push what they work on out
/// of the processor's caches, and the next frame would pay for it.
void Simulation::measure() {
    for (const AnsweredPair& answered : to_measure_) {
        const Collision& hit = answered.hit;
        FrameRecord& record = frames_[answered.frame];
        ResponseRecord response;
        response.frame = answered.frame;
        response.a = hit.a;
        response.b = hit.b;
        response.level = hit.level;
        response.exact = hit.exact;
        response.bound = hit.bound;
        response.separation = hit.exact ? 0 : ruler_->separation(world_, hit.a, hit.b, answered.pose);
        ++record.measured;
        record.separation_sum += response.separation;
        record.separation_max = std::max(record.separation_max, response.separation);
        responses_.push_back(response);
    }
}

/// Stands for rendering: vertices of all ships into a buffer of depths, as many in every frame.
void Simulation::draw() {
    std::fill(depth_.begin(), depth_.end(), 1e30F);
    const std::uint32_t count = static_cast<std::uint32_t>(world_.ships().size());
    const std::uint32_t each = std::max(1u, options_.draw_points / count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Ship& ship = world_.ships()[i];
        const Hull& hull = world_.hull(i);
        const std::uint32_t step = std::max(1u, hull.part.mesh.vertex_count / each);
        for (std::uint32_t k = 0; k < each; ++k) {
            const float* p = hull.part.mesh.positions +
                             std::size_t{3} * ((std::size_t{k} * step) % hull.part.mesh.vertex_count);
            const Vector at = ship.position + ship.scale * rotate(ship.rotation, Vector{p[0], p[1], p[2]});
            const int x = kWide / 2 + static_cast<int>(at.x * 10),
                      y = kHigh / 2 + static_cast<int>(at.y * 10);
            if (x < 0 || x >= kWide || y < 0 || y >= kHigh) continue;
            float& nearest = depth_[static_cast<std::size_t>(y) * kWide + static_cast<std::size_t>(x)];
            nearest = std::min(nearest, static_cast<float>(at.z));
        }
    }
}

}  // namespace ships
