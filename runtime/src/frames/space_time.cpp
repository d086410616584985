// SPDX-License-Identifier: MIT
// Space-time bounds (Hubbard 1995, "Collision detection for interactive graphics applications"; 1996,
// section 2.2): an object whose acceleration is bounded by M stays within M t^2 / 2 of position + velocity t.
// Hubbard cuts that four-dimensional horn into trapezoids; here the first meeting of two horns is found by
// Newton steps from below.
#include <cmath>

#include "../base/memory_layout.h"
#include "espalier/broad_phase.h"

namespace espalier {
namespace {

constexpr double kInfinity = __builtin_huge_val();
constexpr double kUnit = 0x1p-53;  // relative error of one rounding
/// Squares and products of two such values stay finite.
constexpr double kLargest = 1e100;
/// Newton steps at most. Each result is safe; grazing contacts converge slowest, by halves.
constexpr int kSteps = 48;
/// Relative step at which the time is good enough.
constexpr double kConverged = 1e-7;

/// A report may differ from what the last one and the limit explain by kSampleSlack of the magnitudes
/// involved: the rounding of an integrator that works in double. After kSamples reports an object is
/// predicted anew, so kSamples * kSampleSlack is the share by which predictions are wider than the limit
/// says.
constexpr double kSampleSlack = 0x1p-48;
constexpr std::uint32_t kSamples = 64;

bool bounded(double x) {
    return std::fabs(x) <= kLargest;  // false for NaN
}

bool valid(const Motion& m) {
    for (int k = 0; k < 3; ++k)
        if (!bounded(m.position[k]) || !bounded(m.velocity[k])) return false;
    return bounded(m.radius) && m.radius >= 0 && bounded(m.max_acceleration) && m.max_acceleration >= 0;
}

double sum_of_sizes(const double* v) {
    return std::fabs(v[0]) + std::fabs(v[1]) + std::fabs(v[2]);
}

double length(const double* v) {
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// The ball about p + v t of radius + growth t + acceleration t^2 / 2.
struct Horn {
    double p[3], v[3];
    double radius, growth, acceleration;
};

Horn horn_of(const Motion& m, double slack, double slack_velocity) {
    Horn h;
    for (int k = 0; k < 3; ++k) {
        h.p[k] = m.position[k];
        h.v[k] = m.velocity[k];
    }
    h.radius = m.radius + slack;
    h.growth = slack_velocity;
    h.acceleration = m.max_acceleration;
    return h;
}

/// The same horn with time counted from `dt` on. Rounding errors, at most 8 units of the terms' sizes, go to
/// the radius.
Horn later(const Horn& h, double dt) {
    if (dt == 0) return h;
    Horn out = h;
    double size = h.radius + h.growth * dt + h.acceleration * dt * dt;
    for (int k = 0; k < 3; ++k) {
        out.p[k] = h.p[k] + h.v[k] * dt;
        size += std::fabs(h.p[k]) + std::fabs(h.v[k]) * dt;
    }
    out.radius = h.radius + h.growth * dt + 0.5 * h.acceleration * dt * dt + 8 * kUnit * size;
    out.growth = (h.growth + h.acceleration * dt) * (1 + 4 * kUnit);
    return out;
}

/// The horn of b's place relative to a's: they touch where it holds the origin. Differences of exact values
/// carry one rounding each, which radius and growth take up, so that p and v count as exact from here on.
Horn relative(const Horn& a, const Horn& b) {
    Horn out;
    for (int k = 0; k < 3; ++k) {
        out.p[k] = b.p[k] - a.p[k];
        out.v[k] = b.v[k] - a.v[k];
    }
    out.radius = (a.radius + b.radius) * (1 + 4 * kUnit) + 4 * kUnit * sum_of_sizes(out.p);
    out.growth = (a.growth + b.growth) * (1 + 4 * kUnit) + 4 * kUnit * sum_of_sizes(out.v);
    out.acceleration = (a.acceleration + b.acceleration) * (1 + 4 * kUnit);
    return out;
}

/// Smallest positive s with (a / 2) s^2 + b s = g, for a >= 0 and g > 0, rounded down.
double first_root(double a, double b, double g) {
    double s = kInfinity;
    if (b >= 0) {
        const double denominator = b + std::sqrt(b * b + 2 * a * g);
        if (denominator > 0) s = 2 * g / denominator;
    } else if (a > 0) {
        s = (std::sqrt(b * b + 2 * a * g) - b) / a;
    }
    return s * (1 - 16 * kUnit);
}

/// How far the horn can be followed from time t before it may hold the origin; 0 if it may hold it now. For
/// every vector u not longer than 1 the distance |p + v t| is at least u . (p + v t), which is linear in t;
/// with u towards the place at time t that is the tangent. Dot products and sums err by less than 32 units of
/// their terms' sizes.
double safe_step(const Horn& h, double t) {
    double place[3];
    for (int k = 0; k < 3; ++k) place[k] = h.p[k] + h.v[k] * t;
    const double distance = length(place);
    if (!(distance > 0)) return 0;
    double along_p = 0, along_v = 0;
    for (int k = 0; k < 3; ++k) {
        const double u = place[k] / distance * (1 - 8 * kUnit);
        along_p += u * h.p[k];
        along_v += u * h.v[k];
    }
    const double grown = h.radius + h.growth * t + 0.5 * h.acceleration * t * t;
    const double sizes = sum_of_sizes(h.p) + sum_of_sizes(h.v) * t + grown;
    const double gap = along_p + along_v * t - grown - 32 * kUnit * sizes;
    if (!(gap > 0)) return 0;
    const double growing = h.growth + h.acceleration * t;
    const double closing = growing - along_v + 32 * kUnit * (sum_of_sizes(h.v) + growing);
    return first_root(h.acceleration, closing, gap);
}

double first_time(const Horn& h, double limit) {
    double t = 0;
    for (int step = 0; step < kSteps && t < limit; ++step) {
        const double s = safe_step(h, t);
        const double next = (t + s) * (1 - 4 * kUnit);
        if (!(next > t)) break;
        const bool converged = s <= kConverged * t;
        t = next;
        if (converged || t == kInfinity) break;
    }
    return t;
}

BroadBox box_of(const Horn& h, double duration) {
    BroadBox box;
    const double grown = h.growth * duration + 0.5 * h.acceleration * duration * duration;
    for (int k = 0; k < 3; ++k) {
        // Position minus growth is concave in time, so its least value is at one end of the interval.
        const double move = h.v[k] * duration;
        const double low = move - grown < 0 ? move - grown : 0;
        const double high = move + grown > 0 ? move + grown : 0;
        const double margin = 16 * kUnit * (std::fabs(h.p[k]) + std::fabs(move) + grown + h.radius);
        box.lo[k] = h.p[k] + low - h.radius - margin;
        box.hi[k] = h.p[k] + high + h.radius + margin;
    }
    return box;
}

}  // namespace

double earliest_contact(const Motion& a, const Motion& b, double limit) {
    if (!valid(a) || !valid(b)) return 0;
    return first_time(relative(horn_of(a, 0, 0), horn_of(b, 0, 0)), limit);
}

BroadBox reach_box(const Motion& motion, double duration) {
    return box_of(horn_of(motion, 0, 0), duration);
}

/// The last report, and the horn's slack since the box was made.
struct SpaceTimeBounds::Object {
    Motion motion;
    double time;            // of the report
    double expiry;          // until when the box and the slack are good
    double slack;           // allowed error of one report's position
    double slack_velocity;  // and velocity
    std::uint32_t samples;  // reports since the box was made
    bool broke;             // a report was not explained by the one before
    bool anew;              // which the advance under way has to tell the pairs

    Horn horn() const { return horn_of(motion, kSamples * slack, kSamples * slack_velocity); }

    /// Whether a new report lies in the horn of the last one. Then the new horn lies in the old one as well:
    /// M dt^2 / 2 + M dt s + M s^2 / 2 = M (dt + s)^2 / 2.
    bool explains(double now, const Motion& next) const {
        const double dt = now - time, limit = motion.max_acceleration;
        if (next.max_acceleration > limit || next.radius > motion.radius) return false;
        double moved[3], turned[3];
        for (int k = 0; k < 3; ++k) {
            moved[k] = next.position[k] - motion.position[k] - motion.velocity[k] * dt;
            turned[k] = next.velocity[k] - motion.velocity[k];
        }
        return length(moved) <= 0.5 * limit * dt * dt + slack &&
               length(turned) <= limit * dt + slack_velocity;
    }

    /// Starts a new box at the last report.
    BroadBox renew(double horizon, double until) {
        // Twice a frame that is longer than the horizon: a box that ends with the frame would make every pair
        // due.
        const double duration = 2 * (until - time) > horizon ? 2 * (until - time) : horizon;
        const double speed = sum_of_sizes(motion.velocity) + motion.max_acceleration * duration;
        slack = kSampleSlack * (sum_of_sizes(motion.position) + speed * duration + motion.radius);
        slack_velocity = kSampleSlack * speed;
        samples = 0;
        expiry = time + duration;
        broke = false;
        // The sum above rounds; the box covers a little more than it says.
        return box_of(horn(), duration + 4 * kUnit * (std::fabs(time) + duration));
    }
};

std::size_t SpaceTimeBounds::memory_size(std::uint32_t max_objects, std::uint32_t max_pairs) {
    const std::size_t sweep = SweepAndPrune::memory_size(max_objects, max_pairs);
    if (sweep == 0) return 0;
    MemoryLayout layout(nullptr);
    layout.take<Object>(max_objects);
    layout.take<std::uint32_t>(max_pairs);
    return layout.used() + sweep;
}

Status SpaceTimeBounds::begin(void* memory, std::size_t size, std::uint32_t max_objects,
                              std::uint32_t max_pairs, double horizon) {
    const std::size_t needed = memory_size(max_objects, max_pairs);
    if (!memory || !is_aligned(memory) || needed == 0 || size < needed) return Status::kInvalidArgument;
    if (!bounded(horizon) || !(horizon > 0)) return Status::kInvalidArgument;
    *this = SpaceTimeBounds();
    MemoryLayout layout(memory);
    objects_ = layout.take<Object>(max_objects);
    due_ = layout.take<std::uint32_t>(max_pairs);
    horizon_ = horizon;
    quiet_until_ = -kInfinity;
    return sweep_.begin(static_cast<unsigned char*>(memory) + layout.used(), size - layout.used(),
                        max_objects, max_pairs);
}

Status SpaceTimeBounds::set(std::uint32_t id, double time, const Motion& motion) {
    if (id >= sweep_.max_objects_ || !bounded(time) || !valid(motion)) return Status::kInvalidArgument;
    Object& object = objects_[id];
    if (!sweep_.contains(id)) {
        object.broke = true;
        object.samples = 0;
        sweep_.set(id, BroadBox());  // its box is made when it is predicted
    } else {
        if (!(time >= object.time)) return Status::kInvalidArgument;
        ++object.samples;
        object.broke = object.broke || object.samples > kSamples || !object.explains(time, motion);
    }
    object.motion = motion;
    object.time = time;
    return Status::kOk;
}

Status SpaceTimeBounds::remove(std::uint32_t id) {
    return sweep_.remove(id);
}

/// Gives every object a box that lasts beyond `until`.
void SpaceTimeBounds::renew_boxes(double until) {
    for (std::uint32_t id = 0; id < sweep_.max_objects_; ++id) {
        if (!sweep_.contains(id)) continue;
        Object& object = objects_[id];
        object.anew = object.broke;
        if (object.broke || !(object.expiry > until)) {
            sweep_.set(id, object.renew(horizon_, until));
            ++renewed_;
        }
        if (object.expiry < quiet_until_) quiet_until_ = object.expiry;
    }
}

/// Earliest contact of two objects from their last reports on, or the end of what their boxes cover.
double SpaceTimeBounds::pair_time(const Object& a, const Object& b) {
    const double now = a.time > b.time ? a.time : b.time;
    const double expiry = a.expiry < b.expiry ? a.expiry : b.expiry;
    const Horn h = relative(later(a.horn(), now - a.time), later(b.horn(), now - b.time));
    const double time = now + first_time(h, expiry - now);
    return (time < expiry ? time : expiry) - 4 * kUnit * std::fabs(now);
}

Status SpaceTimeBounds::advance(double until) {
    if (sweep_.max_objects_ == 0 || !bounded(until)) return Status::kInvalidArgument;
    due_count_ = examined_ = renewed_ = 0;
    quiet_until_ = kInfinity;
    renew_boxes(until);
    const Status status = sweep_.update();
    for (std::uint32_t i = 0; i < sweep_.pair_count_; ++i) {
        BroadPair& pair = sweep_.pairs_[i];
        const Object &a = objects_[pair.a], &b = objects_[pair.b];
        if (a.anew || b.anew || pair.time <= until) {
            pair.time = pair_time(a, b);
            ++examined_;
        }
        if (pair.time <= until) due_[due_count_++] = i;
        if (pair.time < quiet_until_) quiet_until_ = pair.time;
    }
    if (status == Status::kBufferFull) quiet_until_ = -kInfinity;
    return status;
}

}  // namespace espalier
