// SPDX-License-Identifier: MIT
#include "examples/ships/detector.h"

#include <algorithm>

namespace ships {
namespace {

/// From one ship's centre to the other's: the response of a detector that knows no better.
Vector between_centres(const World& world, std::uint32_t a, std::uint32_t b) {
    const Vector way = world.ships()[b].position - world.ships()[a].position;
    const double size = length(way);
    return size > 0 ? 1 / size * way : Vector{1, 0, 0};
}

/// Nothing is known but that the bounding spheres touch: a hit, to be safe.
Collision unknown_pair(const World& world, std::uint32_t a, std::uint32_t b) {
    Collision hit;
    hit.a = a;
    hit.b = b;
    hit.normal = between_centres(world, a, b);
    hit.bound = 4;  // the diameters of two spheres that touch
    return hit;
}

/// How far two ships can move in relation to each other within three frames, in bounding radii: what a front
/// should bear. More is more to remember, less is to start at the roots more often.
double lasting_motion(const World& world) {
    return 3 * world.frame_time() * (World::kCruise + 2 * World::kRadius);
}

}  // namespace

ExactDetector::ExactDetector(ExactWork work) : work_(work), found_(1 << 16) {}

bool ExactDetector::touches(const World& world, std::uint32_t a, std::uint32_t b, DetectionCount* count) {
    const espalier::ShapeView &first = world.hull(a).part, &second = world.hull(b).part;
    const espalier::Pose pose = world.relative_pose(a, b);
    const auto answer = [count](auto* query) {
        const bool touching = query->step() == espalier::Verdict::kColliding;
        count->node_tests += query->counters().node_tests;
        return touching;
    };
    switch (work_) {
        case ExactWork::kFirstContact:
            return first_.begin(first, second, pose) == espalier::Status::kOk && answer(&first_);
        case ExactWork::kSeparation:
            return distance_.begin(first, second, pose) == espalier::Status::kOk && answer(&distance_);
        case ExactWork::kContacts:
            break;
    }
    return contacts_.begin(first, second, pose, found_.data(), found_.size()) == espalier::Status::kOk &&
           answer(&contacts_);
}

DetectionCount ExactDetector::detect(const World& world, const std::vector<PairIds>& pairs,
                                     const espalier::Budget&, std::vector<Collision>* collisions) {
    DetectionCount count;
    for (const auto& [a, b] : pairs) {
        ++count.pairs;
        ++count.done;
        if (!touches(world, a, b, &count)) continue;
        Collision hit;
        hit.a = a;
        hit.b = b;
        hit.normal = normal(world, a, b);
        hit.exact = true;
        collisions->push_back(hit);
    }
    return count;
}

/// The mean normal of A's triangles that touch B; without them, what the bounding spheres tell.
Vector ExactDetector::normal(const World& world, std::uint32_t a, std::uint32_t b) const {
    Vector sum;
    const std::size_t count =
        work_ == ExactWork::kContacts ? std::min<std::size_t>(contacts_.count(), found_.size()) : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double* n = found_[i].normal;
        sum = sum + Vector{n[0], n[1], n[2]};
    }
    const double size = length(sum);
    if (!(size > 1e-3 * static_cast<double>(count))) return between_centres(world, a, b);
    return world.to_world(a, 1 / size * sum);
}

TimeCriticalDetector::TimeCriticalDetector(const TimeCriticalOptions& options)
    : options_(options), queries_(new Query[options.max_pairs]) {
    // The runtime allocates nothing: what it works on is given to it here, once.
    const std::size_t size = espalier::Scheduler::memory_size(options.max_pairs);
    memory_.resize(size / sizeof(std::uint64_t) + 2);
    void* start_of_memory = memory_.data();
    std::size_t room = memory_.size() * sizeof(std::uint64_t);
    std::align(16, size, start_of_memory, room);
    scheduler_.begin(start_of_memory, size, options.max_pairs, queries_.get(), sizeof(Query),
                     espalier::pair_query_ops<Query>(&TimeCriticalDetector::start, this));
}

espalier::Status TimeCriticalDetector::start(void* memory, std::uint32_t a, std::uint32_t b, bool again,
                                             void* user) {
    const auto& self = *static_cast<TimeCriticalDetector*>(user);
    auto* query = static_cast<Query*>(memory);
    const World& world = *self.world_;
    const espalier::Pose pose = world.relative_pose(a, b);
    if (again && self.options_.reuse_fronts) return query->advance(pose);
    espalier::SphereQueryOptions options;
    options.goal.within = 0;  // whether they touch
    options.order = self.options_.order;
    if (self.options_.reuse_fronts) options.skin = lasting_motion(world) / world.ships()[a].scale;
    return query->begin(world.hull(a).part, world.hull(b).part, pose, options);
}

DetectionCount TimeCriticalDetector::detect(const World& world, const std::vector<PairIds>& pairs,
                                            const espalier::Budget& budget,
                                            std::vector<Collision>* collisions) {
    world_ = &world;
    scheduler_.start_frame();
    for (const auto& [a, b] : pairs) {
        // The user looks at what happens to his own ship: it gets twice the care.
        if (scheduler_.want(a, b, a == 0 ? 2 : 1) == espalier::Status::kOk) continue;
        collisions->push_back(unknown_pair(world, a, b));  // no query is left for it
    }
    const espalier::ScheduleReport report_of_run = scheduler_.run(budget, options_.schedule);
    DetectionCount count;
    count.node_tests = report_of_run.node_tests;
    count.slices = report_of_run.slices;
    count.pairs = static_cast<std::uint32_t>(pairs.size());
    count.done = report_of_run.done;
    for (std::uint32_t i = 0; i < scheduler_.pair_count(); ++i) {
        count.went_on += scheduler_.pair(i).again ? 1 : 0;
        report(i, collisions);
    }
    return count;
}

void TimeCriticalDetector::report(std::uint32_t index, std::vector<Collision>* collisions) const {
    const espalier::ScheduledPair& pair = scheduler_.pair(index);
    if (pair.progress.verdict == espalier::Verdict::kDisjoint) return;
    if (!pair.started) return collisions->push_back(unknown_pair(*world_, pair.a, pair.b));
    const auto& query = *static_cast<const Query*>(scheduler_.query(index));
    Collision hit;
    hit.a = pair.a;
    hit.b = pair.b;
    hit.exact = pair.progress.verdict == espalier::Verdict::kColliding;
    hit.level = query.level();
    hit.bound = std::min(4.0, pair.progress.upper * world_->ships()[pair.a].scale);
    if (hit.exact) {
        const auto levels = [&](std::uint32_t ship) { return world_->hull(ship).part.sphere.level_count; };
        hit.level = std::max(levels(pair.a), levels(pair.b));
    }
    hit.normal = between_centres(*world_, pair.a, pair.b);
    espalier::SphereContact contact;
    if (!hit.exact && query.mean_contact(&contact)) {
        const Vector normal =
            world_->to_world(pair.a, {contact.normal[0], contact.normal[1], contact.normal[2]});
        const double size = length(normal);
        if (size > 0.5) hit.normal = 1 / size * normal;
    }
    collisions->push_back(hit);
}

double Ruler::separation(const World& world, std::uint32_t a, std::uint32_t b, const espalier::Pose& pose) {
    if (query_.begin(world.hull(a).part, world.hull(b).part, pose) != espalier::Status::kOk) return 0;
    query_.step();
    return query_.upper() * world.ships()[a].scale;
}

}  // namespace ships
