// SPDX-License-Identifier: MIT
// Progressive refinement of pairs of spheres (Hubbard 1996, sections 2 and 7). The open pairs are a cut
// through all pairs of paths from the roots: what is not under them was proved to be far, or was measured.
#include "espalier/sphere_query.h"
#include "shells.h"
#include "state.h"

namespace espalier {
namespace {

constexpr double kInfinity = __builtin_huge_val();
/// Most sphere tests of a visit, and most pairs of triangles.
constexpr std::uint32_t kVisit = 8;

bool satisfied(const SphereState& s) {
    return s.upper == 0 || (s.options.goal.within < kInfinity && s.upper <= s.options.goal.within);
}

/// Triangles cost much and two leaves often tell enough: they wait until no other pair has bounds wider than
/// this many times theirs.
constexpr double kLeafPatience = 4;

/// Where a pair comes in the order of refinement. While any pair overlaps, the lower bound is 0 whichever
/// is refined, and what counts is the upper bound: the pair that promises the least comes first. Once none
/// does, it is the least gap that holds the lower bound down.
std::uint32_t key_of(SphereState* s, std::uint32_t a, std::uint32_t b, double gap, double width) {
    if (s->options.order == SphereOrder::kLevel) {
        const std::uint32_t depth = s->part[0].sphere.level_of(a) + s->part[1].sphere.level_of(b);
        return depth << 25 | (s->dag ? 0u : s->sequence++ & 0x1ffffffu);
    }
    if (gap > 0) return ordered_bits(static_cast<float>(gap));
    if (s->options.order == SphereOrder::kWidestFirst) return ordered_bits(-static_cast<float>(width));
    const bool leaves = is_leaf(s->part[0].sphere, a) && is_leaf(s->part[1].sphere, b);
    return ordered_bits(-1 / (static_cast<float>(leaves ? kLeafPatience * width : width) + 1e-30f));
}

/// The triangles that were nearest are likely to be near again.
void measure_best(SphereState* s) {
    if (!(s->best.distance < kInfinity)) return;
    const Triangle3 a = exact_triangle_a(s->meshes.mesh[0], s->best.triangle[0]);
    const Triangle3 b = exact_triangle_b(s->meshes.mesh[1], s->best.triangle[1], s->frame);
    s->best.distance = triangle_distance(a, b, s->best.point[0], s->best.point[1]);
    for (int k = 0; k < 3; ++k) {
        const double along = s->best.point[1][k] - s->best.point[0][k];
        s->best.axis[k] = s->best.distance > 0 ? static_cast<float>(along / s->best.distance) : 0.0f;
    }
    if (s->best.distance < s->upper) {
        s->upper = s->best.distance;
        s->hit_by_triangles = true;
    }
}

/// What single pairs of spheres and triangles prove in this pose.
void place(SphereState* s) {
    const ShellAxes axes = shell_axes(s->frame);
    s->errors_hold = no_shell_inside(s->part[0], s->part[1], 0, s->frame, s->scale, axes) &&
                     no_shell_inside(s->part[1], s->part[0], 1, s->frame, s->scale, axes);
    measure_best(s);
    s->placed = true;
}

/// Notes what a pair of spheres proves about the upper bound.
void consider(SphereState* s, std::uint32_t a, std::uint32_t b, const PairBound& bound) {
    if (!(bound.upper < s->upper)) return;
    if (!s->placed) {
        if (bound.gap > s->options.goal.within) return;  // it decides nothing, and to place the parts costs
        place(s);
    }
    if (!s->errors_hold || !(bound.upper < s->upper)) return;
    s->upper = bound.upper;
    s->nearest[0] = a;
    s->nearest[1] = b;
    if (s->upper == 0) s->hit = SpherePair{0, downward(bound.gap), a, b};
}

/// A surface point below a sphere: a corner of the first triangle of its first leaf; null when that is empty.
const float* surface_point(const PartView& part, std::uint32_t sphere) {
    const SphereTreeView& tree = part.sphere;
    std::uint32_t first, end;
    while (!is_leaf(tree, sphere)) {
        tree.children(sphere, &first, &end);
        sphere = tree.child_at(first);
    }
    tree.leaf(sphere, &first, &end);
    return first < end ? part.mesh.corner(tree.leaf_triangles[first], 0) : nullptr;
}

/// Where errors prove nothing, two surface points still do.
void consider_surface_points(SphereState* s, std::uint32_t a, std::uint32_t b) {
    const float* p = surface_point(s->part[0], a);
    const float* q = surface_point(s->part[1], b);
    if (!p || !q) return;
    double placed[3], squared = 0;
    s->frame.place(q, placed);
    for (int k = 0; k < 3; ++k) squared += (placed[k] - double(p[k])) * (placed[k] - double(p[k]));
    const double distance = std::sqrt(squared) * (1 + 1e-15);
    if (!(distance < s->upper)) return;
    s->upper = distance;
    s->nearest[0] = a;
    s->nearest[1] = b;
    if (s->upper == 0) s->hit = SpherePair{0, 0, a, b};
}

/// A pair that is too far apart to matter: remembered for the next frame, or only its distance.
void set_aside(SphereState* s, SpherePair pair) {
    if (double(pair.gap) <= useful_distance(*s) + s->options.skin && s->front.room_to_park()) {
        pair.key = parked_key(pair.gap);
        s->front.push(pair);
    } else if (double(pair.gap) < s->outside) {
        s->outside = double(pair.gap);
    }
}

/// A pair of leaves that is finished with.
void retire_leaves(SphereState* s, SpherePair pair, std::uint32_t key) {
    if (s->front.room_to_park()) {
        pair.key = key;
        s->front.push(pair);
    } else if (key == kMeasured) {
        s->measured = true;
    } else if (double(pair.gap) < s->outside) {
        s->outside = double(pair.gap);
    }
}

/// Which of two inner spheres to open: in level order the one that is behind, else the larger.
std::uint32_t side_to_open(const SphereState& s, const SpherePair& pair) {
    const SphereTreeView &a = s.part[0].sphere, &b = s.part[1].sphere;
    if (is_leaf(a, pair.a)) return 1;
    if (is_leaf(b, pair.b)) return 0;
    if (s.options.order == SphereOrder::kLevel) return a.level_of(pair.a) <= b.level_of(pair.b) ? 0 : 1;
    const double radius_a = double(a.spheres[pair.a].radius);
    const double radius_b = double(b.spheres[pair.b].radius) * s.scale.most;
    return radius_a >= radius_b ? 0 : 1;
}

void expand(SphereState* s, const SpherePair& pair) {
    const SphereTreeView &a = s->part[0].sphere, &b = s->part[1].sphere;
    if (s->placed && !s->errors_hold) consider_surface_points(s, pair.a, pair.b);
    Expansion e;
    e.pair = pair;
    e.other = 0;
    std::uint32_t end_b;
    if (is_leaf(a, pair.a) && is_leaf(b, pair.b)) {
        if (!s->options.exact) return retire_leaves(s, pair, kEndOfSpheres);
        a.leaf(pair.a, &e.next, &e.end);
        b.leaf(pair.b, &e.other, &end_b);
        if (e.next == e.end || e.other == end_b) return retire_leaves(s, pair, kMeasured);
        e.side = kLeaves;
        ++s->counters.leaf_pairs;
    } else {
        e.side = side_to_open(*s, pair);
        (e.side == 0 ? a : b).children(e.side == 0 ? pair.a : pair.b, &e.next, &e.end);
    }
    s->stack[s->depth++] = e;
}

/// Begins to refine the next open pair; false when none is left that matters.
bool expand_next(SphereState* s) {
    while (s->depth == 0) {
        if (s->front.count() == 0 || s->front[0].key >= kParked) return false;
        const SpherePair pair = s->front.pop();
        // In a DAG many paths lead to a pair; all of one depth are there before the first of them leaves.
        if (s->dag && pair.a == s->last.a && pair.b == s->last.b) continue;
        s->last = pair;
        if (double(pair.gap) > useful_distance(*s))
            set_aside(s, pair);
        else
            expand(s, pair);
    }
    return true;
}

/// A full front: refine at once, depth first. In a DAG that could follow every path there is, so there the
/// pair's own bound is all that is kept.
void without_room(SphereState* s, const SpherePair& pair) {
    if (!s->dag) return expand(s, pair);
    if (double(pair.gap) < s->outside) s->outside = double(pair.gap);
}

/// Tests one child; a pair that matters joins the front or, where that is full, is refined at once.
void test_child(SphereState* s, const SpherePair& parent, std::uint32_t side, std::uint32_t child,
                const Ball& other) {
    SpherePair pair = parent;
    (side == 0 ? pair.a : pair.b) = child;
    const Ball ball = ball_of(*s, int(side), child);
    const PairBound bound = side == 0 ? bound_pair(ball, other) : bound_pair(other, ball);
    ++s->counters.node_tests;
    consider(s, pair.a, pair.b, bound);
    const float gap = downward(bound.gap);
    // On one path, what both pairs cover is no nearer than either says.
    if (s->dag || gap > pair.gap) pair.gap = gap;
    if (double(pair.gap) > useful_distance(*s)) return set_aside(s, pair);
    if (s->front.room() == 0) return without_room(s, pair);
    pair.key = key_of(s, pair.a, pair.b, double(pair.gap), ball.error + other.error);
    s->front.push(pair);
}

void visit_children(SphereState* s) {
    Expansion& e = s->stack[s->depth - 1];
    const SpherePair parent = e.pair;
    const std::uint32_t side = e.side, first = e.next, left = e.end - e.next;
    // A full front takes no more: one child at a time, depth first.
    const std::uint32_t count = s->front.room() < kVisit ? 1 : left < kVisit ? left : kVisit;
    e.next += count;
    if (e.next == e.end) --s->depth;
    const SphereTreeView& tree = s->part[side].sphere;
    const Ball other = ball_of(*s, int(1 - side), side == 0 ? parent.b : parent.a);
    for (std::uint32_t i = 0; i < count; ++i) test_child(s, parent, side, tree.child_at(first + i), other);
}

/// Lower bound of the distance of a triangle of A to what a sphere of B covers.
double triangle_ball_gap(const SphereState& s, std::uint32_t triangle, const Ball& ball) {
    const Triangle3 t = exact_triangle_a(s.meshes.mesh[0], triangle);
    double nearest[3], squared = 0, magnitude = ball.magnitude;
    closest_point_on_triangle(t, ball.center, nearest);
    for (int k = 0; k < 3; ++k) {
        squared += (nearest[k] - ball.center[k]) * (nearest[k] - ball.center[k]);
        magnitude += std::fabs(nearest[k]);
    }
    return std::sqrt(squared) - ball.outer - 1e-12 * magnitude;
}

/// Measures up to kVisit pairs of triangles.
void measure(SphereState* s, const SpherePair& pair, std::uint32_t a, std::uint32_t b, std::uint32_t count) {
    if (!s->placed) place(s);
    NearestPair nearest = s->best;
    if (s->upper < nearest.distance) nearest.distance = s->upper;
    const double before = nearest.distance;
    const std::uint64_t leaf_pairs = s->counters.leaf_pairs;
    improve_by_leaves(s->meshes, s->frame, a, 1, b, count, &s->counters, &nearest);
    s->counters.leaf_pairs = leaf_pairs;
    s->counters.node_tests += (count + 3) / 4;
    if (!(nearest.distance < before)) return;
    s->best = nearest;
    s->upper = nearest.distance;
    s->hit_by_triangles = true;
    s->hit = pair;
}

void visit_leaves(SphereState* s) {
    Expansion& e = s->stack[s->depth - 1];
    std::uint32_t first_b, end_b;
    s->part[1].sphere.leaf(e.pair.b, &first_b, &end_b);
    bool row_done = false;
    if (e.other == first_b) {
        const std::uint32_t triangle = s->part[0].sphere.leaf_triangles[e.next];
        const double gap = triangle_ball_gap(*s, triangle, ball_of(*s, 1, e.pair.b));
        ++s->counters.node_tests;
        row_done = gap > useful_distance(*s);
        if (row_done && gap < s->outside) s->outside = gap;
    }
    if (!row_done) {
        const std::uint32_t count = end_b - e.other < kVisit ? end_b - e.other : kVisit;
        measure(s, e.pair, e.next, e.other, count);
        e.other += count;
        row_done = e.other == end_b;
    }
    if (!row_done) return;
    e.other = first_b;
    if (++e.next < e.end) return;
    const SpherePair pair = e.pair;
    --s->depth;
    retire_leaves(s, pair, kMeasured);
}

/// Least gap of all that is open.
double open_bound(const SphereState& s) {
    float least = 3e38f;
    for (std::uint32_t i = 0; i < s.front.count(); ++i)
        if (s.front[i].key != kMeasured && s.front[i].gap < least) least = s.front[i].gap;
    for (std::uint32_t i = 0; i < s.depth; ++i)
        if (s.stack[i].pair.gap < least) least = s.stack[i].pair.gap;
    return least < 3e38f ? double(least) : kInfinity;
}

void update_lower(SphereState* s) {
    double lower = s->bounds_lower;
    if (s->covers) {
        lower = open_bound(*s);
        if (s->outside < lower) lower = s->outside;
    }
    if (lower > s->lower) s->lower = lower;
    if (s->lower > s->upper) s->lower = s->upper;
}

void start_at_roots(SphereState* s) {
    s->front.begin(&s->front[0], s->front.capacity());
    s->depth = 0;
    s->outside = kInfinity;
    s->measured = false;
    s->warm = false;
    s->old = false;
    s->drift = 0;
    s->last = SpherePair{0, 0, ~0u, ~0u};
    const Ball a = ball_of(*s, 0, 0), b = ball_of(*s, 1, 0);
    const PairBound bound = bound_pair(a, b);
    ++s->counters.node_tests;
    consider(s, 0, 0, bound);
    SpherePair root{0, downward(bound.gap), 0, 0};
    root.key = key_of(s, 0, 0, bound.gap, a.error + b.error);
    s->front.push(root);
}

/// The ball around a part's bounds.
SphereNode around_bounds(const PartView& part) {
    SphereNode around;
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        around.center[k] = 0.5f * part.lo[k] + 0.5f * part.hi[k];
        const double half =
            0.5 * (double(part.hi[k]) - double(part.lo[k])) + 1e-7 * std::fabs(double(around.center[k]));
        squared += half * half;
    }
    around.radius = upward(std::sqrt(squared));
    return around;
}

/// What is known without coverage.
double gap_of_bounds(const SphereState& s) {
    const Ball a = ball_a(around_bounds(s.part[0]), 0);
    const Ball b = ball_b(around_bounds(s.part[1]), 0, s.frame, s.scale);
    const double gap = bound_pair(a, b).gap;
    return gap > 0 ? gap : 0;
}

/// No point of B moved farther than this from one pose to another.
double motion(const SphereState& s, const PairFrame& before) {
    const SphereNode& root = s.part[1].sphere.spheres[0];
    double from[3], to[3], shift = 0, turn = 0;
    before.place(root.center, from);
    s.frame.place(root.center, to);
    for (int k = 0; k < 3; ++k) shift += (to[k] - from[k]) * (to[k] - from[k]);
    for (int i = 0; i < 9; ++i) {
        const double d = s.frame.to_a[i] - before.to_a[i];
        turn += d * d;
    }
    const double rounding = kBallRounding * (ball_of(s, 1, 0).magnitude + std::fabs(from[0]) +
                                             std::fabs(from[1]) + std::fabs(from[2]));
    return (std::sqrt(shift) + std::sqrt(turn) * double(root.radius)) * (1 + 1e-12) + rounding;
}

/// Sorts a measured front by its new gaps. Of two parts that have not come near each other nothing is open.
void sort_front(SphereState* s) {
    const double useful = useful_distance(*s);
    const std::uint32_t most_parked = s->front.capacity() / 2;
    std::uint32_t kept = 0, parked = 0;
    for (std::uint32_t i = 0; i < s->front.count(); ++i) {
        SpherePair pair = s->front[i];
        const double gap = double(pair.gap);
        if (!(gap > useful)) {
            const float *errors_a = s->part[0].sphere.errors, *errors_b = s->part[1].sphere.errors;
            const double width = double(errors_a[pair.a]) + double(errors_b[pair.b]) * s->scale.most;
            pair.key = key_of(s, pair.a, pair.b, gap, width);
        } else if (gap <= useful + s->options.skin && parked < most_parked) {
            pair.key = parked_key(pair.gap);
            ++parked;
        } else {
            if (gap < s->outside) s->outside = gap;
            continue;
        }
        s->front[kept++] = pair;
    }
    s->front.restore(kept);
}

/// One visit to an old front: measures up to kVisit of its pairs in the new pose.
void renew_front(SphereState* s) {
    const std::uint32_t left = s->front.count() - s->renewed;
    const std::uint32_t end = s->renewed + (left < kVisit ? left : kVisit);
    for (; s->renewed < end; ++s->renewed) {
        SpherePair& pair = s->front[s->renewed];
        const PairBound bound = bound_pair(ball_of(*s, 0, pair.a), ball_of(*s, 1, pair.b));
        ++s->counters.node_tests;
        pair.gap = downward(bound.gap);
        consider(s, pair.a, pair.b, bound);
    }
    if (s->renewed < s->front.count()) return;
    s->old = false;
    s->drift = 0;
    sort_front(s);
}

void run(SphereState* s, const Budget& budget) {
    const std::uint64_t limit = budget_limit(budget, s->counters);
    for (;;) {
        if (satisfied(*s)) {
            s->done = true;
            return;
        }
        if (!s->old && !expand_next(s)) {
            // What an old front left out may be nearer than what it holds.
            if (s->warm && s->outside < useful_distance(*s)) {
                start_at_roots(s);
                continue;
            }
            s->done = true;
            return;
        }
        if (s->counters.node_tests >= limit || (budget.expired && budget.expired(budget.user))) return;
        if (s->old)
            renew_front(s);
        else if (s->stack[s->depth - 1].side == kLeaves)
            visit_leaves(s);
        else
            visit_children(s);
    }
}

/// What is left of the last pose's knowledge after no point of B moved farther than `moved`. Where the goal
/// is a distance within reach, the last bounds stay true with the motion on either side; then the front of
/// parts that were near waits for a step. The separation itself is sought anew.
void move_on(SphereState* s, double moved) {
    const double matters = s->options.goal.within;
    const bool was_near = !(s->lower > matters);
    if (s->measured && s->upper < s->outside) s->outside = s->upper;
    s->outside -= moved;
    s->lower = s->covers && s->lower > moved ? s->lower - moved : 0;
    s->upper = s->covers && matters < kInfinity ? s->upper + moved : kInfinity;
    s->bounds_lower = s->covers ? 0 : gap_of_bounds(*s);
    s->nearest[0] = kNoSphere;
    s->counters = Counters();
    s->hit_by_triangles = false;
    s->measured = false;
    s->placed = false;
    s->sequence = 0;
    // The lowest expansion stands for all above it, and for what of it is in the front already.
    if (s->depth > 0) s->front.push(s->stack[0].pair);
    s->depth = 0;
    s->last = SpherePair{0, 0, ~0u, ~0u};
    s->warm = true;
    s->drift = s->old ? s->drift + moved : moved;
    s->old = s->front.count() > 0;
    s->renewed = 0;
    s->done = s->lower > matters;
    if (s->done) return;
    if (!s->covers || !(s->outside > 0))
        start_at_roots(s);
    else if (was_near && matters < kInfinity)
        return;
    while (s->old) renew_front(s);
    update_lower(s);
}

bool valid_options(const SphereQueryOptions& o) {
    return o.goal.within >= 0 && o.goal.relative_tolerance >= 0 && o.goal.absolute_tolerance >= 0 &&
           o.skin >= 0 && o.order <= SphereOrder::kWidestFirst;
}

}  // namespace

Status SphereQueryBase::begin(const PartView& a, const PartView& b, const Pose& pose,
                              const SphereQueryOptions& options, SpherePair* memory, std::size_t capacity) {
    SphereState* s = make_state<SphereState>(state_);
    begun_ = true;
    s->ready = false;
    s->done = false;
    s->upper = kInfinity;
    s->lower = 0;
    s->depth = 0;
    s->counters = Counters();
    s->hit_by_triangles = false;
    s->front.begin(memory, 0);
    if (!a.sphere.spheres || !b.sphere.spheres) return Status::kNoTree;
    if (!memory || capacity < kLeastCapacity || !valid_options(options)) return Status::kInvalidArgument;
    const Status status = make_pair_frame(a, b, pose, &s->frame);
    if (status != Status::kOk) return status;
    s->part[0] = a;
    s->part[1] = b;
    s->options = options;
    s->covers = true;
    s->dag = a.sphere.dag() || b.sphere.dag();
    if (s->dag) s->options.order = SphereOrder::kLevel;
    s->meshes.set(a, b);
    for (int side = 0; side < 2; ++side) {
        const SphereTreeView& tree = s->part[side].sphere;
        s->meshes.tree[side].triangle_order = tree.leaf_triangles;
        if (!tree.proved || tree.coverage == SphereCoverage::kSampled) s->covers = false;
    }
    s->best = NearestPair();
    s->best.distance = kInfinity;
    s->sequence = 0;
    s->hit = SpherePair{0, 0, 0, 0};
    s->nearest[0] = kNoSphere;
    s->scale = length_scale(s->frame);
    s->bounds_lower = s->covers ? 0 : gap_of_bounds(*s);  // spheres that cover know better
    s->placed = false;
    s->front.begin(memory, capacity);
    start_at_roots(s);
    s->ready = true;
    update_lower(s);
    return Status::kOk;
}

Status SphereQueryBase::advance(const Pose& pose) {
    SphereState* s = begun_ ? state<SphereState>(state_) : nullptr;
    if (!s || !s->ready) return Status::kInvalidArgument;
    const PairFrame before = s->frame;
    const Status status = make_pair_frame(s->part[0], s->part[1], pose, &s->frame);
    if (status != Status::kOk) {
        s->frame = before;
        return status;
    }
    s->scale = length_scale(s->frame);
    move_on(s, motion(*s, before));
    return Status::kOk;
}

Verdict SphereQueryBase::step(const Budget& budget) {
    SphereState* s = state<SphereState>(state_);
    if (s->ready && !s->done) {
        run(s, budget);
        if (!s->old) update_lower(s);
    }
    return verdict();
}

Verdict SphereQueryBase::verdict() const {
    const SphereState* s = state<SphereState>(state_);
    if (s->upper == 0) return Verdict::kColliding;
    return s->lower > 0 ? Verdict::kDisjoint : Verdict::kUnresolved;
}

bool SphereQueryBase::done() const {
    return state<SphereState>(state_)->done;
}

double SphereQueryBase::lower() const {
    return state<SphereState>(state_)->lower;
}

double SphereQueryBase::upper() const {
    return state<SphereState>(state_)->upper;
}

bool SphereQueryBase::conservative() const {
    const SphereState* s = state<SphereState>(state_);
    return s->ready && s->covers;
}

bool SphereQueryBase::surface_errors() const {
    const SphereState* s = state<SphereState>(state_);
    return s->ready && s->errors_hold;
}

const Counters& SphereQueryBase::counters() const {
    return state<SphereState>(state_)->counters;
}

}  // namespace espalier
