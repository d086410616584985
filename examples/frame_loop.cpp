// SPDX-License-Identifier: MIT
// A frame loop for a small machine: broad phase, scheduler and governor in static memory, over copies of one
// baked object that fly through each other. Uses the runtime alone: no heap, no exceptions.
//
//   example_frame_loop SHIP.espl          (baked with --trees sphere)
#include <cstdint>
#include <cstdio>

#include "espalier/asset.h"
#include "espalier/broad_phase.h"
#include "espalier/frame_governor.h"
#include "espalier/map_file.h"
#include "espalier/scheduler.h"
#include "espalier/sphere_query.h"

namespace {

constexpr std::uint32_t kObjects = 8, kNearPairs = 28, kQueries = 28;
constexpr double kFrame = 1.0 / 60;           // simulated seconds
constexpr std::uint64_t kTargetTicks = 4000;  // of the clock below

using Query = espalier::SphereQuery<128>;

// All memory of the loop. The sizes are in the headers; begin refuses what is too small.
alignas(16) unsigned char broad_memory[16 * 1024];
alignas(16) unsigned char scheduler_memory[6 * 1024];
Query queries[kQueries];

espalier::SpaceTimeBounds broad;
espalier::Scheduler scheduler;
espalier::FrameGovernor governor;
espalier::ShapeView part;
espalier::Motion objects[kObjects];

/// On a board this reads a timer. Here each look at it is a tick, so that the example prints the same
/// everywhere.
std::uint64_t ticks = 0;
std::uint64_t read_timer(void*) {
    return ++ticks;
}

/// The scheduler asks for a pair's query: begin, or go on from the last frame's front.
espalier::Status start_query(void* memory, std::uint32_t a, std::uint32_t b, bool again, void*) {
    Query* query = static_cast<Query*>(memory);
    espalier::Pose pose;  // B in A's frame; these objects do not turn
    for (int k = 0; k < 3; ++k) pose.translation[k] = objects[b].position[k] - objects[a].position[k];
    if (again) return query->advance(pose);
    espalier::SphereQueryOptions options;
    options.goal.within = 0;                            // only whether they touch
    options.skin = 4 * kFrame * objects[a].radius * 2;  // what they may move in a few frames
    return query->begin(part, part, pose, options);
}

bool begin_loop() {
    using espalier::Status;
    espalier::GovernorOptions options;
    options.target = kTargetTicks;
    return broad.begin(broad_memory, sizeof broad_memory, kObjects, kNearPairs, 0.5) == Status::kOk &&
           scheduler.begin(scheduler_memory, sizeof scheduler_memory, kQueries, queries, sizeof(Query),
                           espalier::pair_query_ops<Query>(&start_query, nullptr)) == Status::kOk &&
           governor.begin(options, &read_timer, nullptr) == Status::kOk;
}

/// Objects on a ring of places, all flying through the middle.
void place_objects() {
    double radius = 0;
    for (int k = 0; k < 3; ++k) {
        const double side = static_cast<double>(part.hi[k]) - static_cast<double>(part.lo[k]);
        radius += side * side;
    }
    radius = 0.5 * __builtin_sqrt(radius);
    for (std::uint32_t i = 0; i < kObjects; ++i) {
        const double x = i % 4 - 1.5, y = i / 4 - 0.5;
        const double at[3] = {x, y, x * y};
        for (int k = 0; k < 3; ++k) {
            objects[i].position[k] = 3 * radius * at[k];
            objects[i].velocity[k] = -2 * radius * at[k];
        }
        objects[i].radius = 1.5 * radius;  // about the file's origin, which lies within the object
    }
}

struct Tally {
    std::uint32_t pairs = 0, touching = 0, unresolved = 0;
};

Tally run_frame(double now) {
    governor.start_frame();
    // 1. Who may meet until the end of the frame?
    for (std::uint32_t i = 0; i < kObjects; ++i) broad.set(i, now, objects[i]);
    broad.advance(now + kFrame);
    for (espalier::Motion& object : objects)
        for (int k = 0; k < 3; ++k) object.position[k] += kFrame * object.velocity[k];
    // 2. Refine those pairs in what is left of the frame.
    scheduler.start_frame();
    Tally tally;
    for (std::uint32_t i = 0; i < broad.due_count(); ++i) {
        const espalier::BroadPair& pair = broad.due(i);
        if (scheduler.want(pair.a, pair.b) != espalier::Status::kOk)
            ++tally.unresolved;  // no query left: be cautious
    }
    scheduler.run(governor.start_detection());
    governor.end_detection();
    // 3. Every pair has a true answer, though not always a final one.
    for (std::uint32_t i = 0; i < scheduler.pair_count(); ++i) {
        ++tally.pairs;
        const espalier::Verdict verdict = scheduler.pair(i).progress.verdict;
        if (verdict == espalier::Verdict::kColliding) ++tally.touching;
        if (verdict == espalier::Verdict::kUnresolved) ++tally.unresolved;
    }
    return tally;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: example_frame_loop SHIP.espl\n");
        return 1;
    }
    espalier::MappedFile file;
    espalier::Asset asset;
    espalier::Status status = file.map(argv[1]);
    if (status == espalier::Status::kOk)
        status = espalier::open(file.data(), file.size(), espalier::Verify::kFull, &asset);
    if (status == espalier::Status::kOk) status = asset.part(0, &part);
    if (status != espalier::Status::kOk || !begin_loop()) {
        std::fprintf(stderr, "example_frame_loop: %s: %s\n", argv[1], espalier::status_text(status));
        return 2;
    }
    place_objects();
    for (int frame = 0; frame < 120; ++frame) {
        const Tally tally = run_frame(frame * kFrame);
        const espalier::FrameReport report = governor.end_frame();
        if (frame % 10 == 0)
            std::printf("frame %3d: %2u pairs, %2u touching, %2u unresolved; %4llu ticks, slack %lld\n",
                        frame, tally.pairs, tally.touching, tally.unresolved,
                        static_cast<unsigned long long>(report.frame), static_cast<long long>(report.slack));
    }
    return 0;
}
