// SPDX-License-Identifier: MIT
// Which ships collide in a frame: exactly, or as well as the frame's budget allows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "espalier/scheduler.h"
#include "espalier/sphere_query.h"
#include "examples/ships/world.h"

namespace ships {

using PairIds = std::pair<std::uint32_t, std::uint32_t>;

/// Two ships that count as touching.
struct Collision {
    std::uint32_t a = 0, b = 0;
    Vector normal;  ///< unit, from a to b, in the world
    std::uint32_t level =
        0;               ///< of the spheres that speak for the hulls; one more than the last: the triangles
    bool exact = false;  ///< triangles touch; otherwise the budget ended first
    double bound = 0;    ///< they are at most this far apart, in bounding radii
};

struct DetectionCount {
    std::uint64_t node_tests = 0;
    std::uint64_t slices = 0;
    std::uint32_t pairs = 0;    ///< looked at
    std::uint32_t done = 0;     ///< of those, decided
    std::uint32_t went_on = 0;  ///< of those, begun from the last frame's front
};

/// Looks at pairs of ships whose bounding spheres touch.
class Detector {
  public:
    virtual ~Detector() = default;
    virtual DetectionCount detect(const World& world, const std::vector<PairIds>& pairs,
                                  const espalier::Budget& budget, std::vector<Collision>* collisions) = 0;
};

/// What exact detection finds out of a pair. The first does not tell where ships touch or by how much; a
/// response that looks at the colliding parts, as on spheres, needs the last.
enum class ExactWork { kFirstContact, kSeparation, kContacts };

/// To the triangles, on aabb trees, whatever it takes.
class ExactDetector : public Detector {
  public:
    explicit ExactDetector(ExactWork work);

    DetectionCount detect(const World& world, const std::vector<PairIds>& pairs,
                          const espalier::Budget& budget, std::vector<Collision>* collisions) override;

  private:
    bool touches(const World& world, std::uint32_t a, std::uint32_t b, DetectionCount* count);
    Vector normal(const World& world, std::uint32_t a, std::uint32_t b) const;

    ExactWork work_;
    espalier::Collide<espalier::AabbTreeView> first_;
    espalier::Distance<espalier::AabbTreeView> distance_;
    espalier::Contacts<espalier::AabbTreeView> contacts_;
    std::vector<espalier::Contact> found_;
};

struct TimeCriticalOptions {
    std::uint32_t max_pairs = 4096;
    espalier::SphereOrder order = espalier::SphereOrder::kLevel;
    bool reuse_fronts = true;
    espalier::ScheduleOptions schedule;
};

/// On sphere trees, all pairs in turn, until the budget ends.
class TimeCriticalDetector : public Detector {
  public:
    explicit TimeCriticalDetector(const TimeCriticalOptions& options);

    DetectionCount detect(const World& world, const std::vector<PairIds>& pairs,
                          const espalier::Budget& budget, std::vector<Collision>* collisions) override;

  private:
    using Query = espalier::SphereQuery<512>;
    static espalier::Status start(void* query, std::uint32_t a, std::uint32_t b, bool again, void* user);
    void report(std::uint32_t index, std::vector<Collision>* collisions) const;

    TimeCriticalOptions options_;
    const World* world_ = nullptr;
    std::unique_ptr<Query[]> queries_;
    std::vector<std::uint64_t> memory_;
    espalier::Scheduler scheduler_;
};

/// Exact distance of two ships, one in the other's frame, in bounding radii: for the records, not for the
/// game.
class Ruler {
  public:
    double separation(const World& world, std::uint32_t a, std::uint32_t b, const espalier::Pose& pose);

  private:
    espalier::Distance<espalier::AabbTreeView> query_;
};

}  // namespace ships
