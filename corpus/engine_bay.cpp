// SPDX-License-Identifier: GPL-3.0-or-later
// Engine bay: an assembly of boxes, bodies of revolution, swept pipes and extrusions.
#include "corpus/engine_bay.h"

#include <algorithm>
#include <random>

#include "corpus/box.h"
#include "corpus/gear.h"
#include "corpus/loft.h"
#include "corpus/unit_circle.h"

namespace espalier::corpus {
namespace {

using Eigen::Vector3d;

class Assembly {
  public:
    explicit Assembly(const EngineBayOptions& options) : segments_(options.segments), draws_(options.seed) {}

    void add_power_unit();
    void add_manifolds();
    void add_cooling();
    void add_accessories();
    void add_body();
    void add_lines();

    std::vector<NamedMesh> take() { return std::move(parts_); }

  private:
    void add(std::string name, const Shape& shape) { parts_.push_back({std::move(name), rounded(shape)}); }
    void add_box(std::string name, const Vector3d& centre, const Vector3d& size,
                 std::uint32_t divisions = 1) {
        add(std::move(name), moved(box_shape({size / 2.0, divisions}), centre));
    }
    void add_pipe(std::string name, const std::vector<Vector3d>& controls, double radius,
                  std::uint32_t sections, std::uint32_t segments) {
        add(std::move(name), sweep(spline(controls, sections), radius, segments));
    }
    void add_bracket(std::string name, const Vector3d& corner, const Eigen::Matrix3d& turn);
    void add_bolt(std::string name, const Vector3d& foot, const Eigen::Matrix3d& turn);

    // A share of the default fineness, never below `least`.
    std::uint32_t fine(std::uint32_t at_default, std::uint32_t least) const {
        return std::max(least, at_default * segments_ / 16);
    }
    // Uniform in [low, high): 53 bits of the generator, the same on every platform.
    double draw(double low, double high) {
        return low + (high - low) * (static_cast<double>(draws_() >> 11) * 0x1p-53);
    }
    // One draw a coordinate, x first: compilers differ in the order in which they evaluate a call's
    // arguments.
    Vector3d draw(const Vector3d& low, const Vector3d& high) {
        Vector3d point;
        for (int axis = 0; axis < 3; ++axis) point[axis] = draw(low[axis], high[axis]);
        return point;
    }

    std::uint32_t segments_;
    std::mt19937_64 draws_;
    std::vector<NamedMesh> parts_;
};

std::string numbered(const char* name, int number) {
    return std::string(name) + " " + std::to_string(number);
}

// Turns the z axis towards x.
Eigen::Matrix3d facing_x() {
    return rotation(1, 90);
}

// An L of sheet, extruded along y; the fans' centres lie where they see the whole L.
void Assembly::add_bracket(std::string name, const Vector3d& corner, const Eigen::Matrix3d& turn) {
    constexpr double kLeg = 0.05, kSheet = 0.006, kWidth = 0.03;
    const double outline[][2] = {{0, 0},           {0, kLeg},      {kSheet, kLeg},
                                 {kSheet, kSheet}, {kLeg, kSheet}, {kLeg, 0}};
    const std::uint32_t cuts = fine(2, 1);
    std::vector<Loop> loops(2 * cuts + 1);
    for (std::uint32_t i = 0; i <= 2 * cuts; ++i)
        for (const auto& [x, z] : outline) loops[i].emplace_back(x, kWidth * i / (2.0 * cuts), z);
    const Vector3d seen(kSheet / 2, 0, kSheet / 2);
    add(std::move(name), placed(loft_capped(seen, loops, seen + Vector3d(0, kWidth, 0)), turn, corner));
}

// A hexagonal head on a round shank along z.
void Assembly::add_bolt(std::string name, const Vector3d& foot, const Eigen::Matrix3d& turn) {
    const Profile profile = {{-0.02, 0}, {-0.02, 0.004}, {0, 0.004}, {0, 0.008}, {0.007, 0.008}, {0.007, 0}};
    add(std::move(name), placed(revolve(subdivided(profile, fine(8, 6)), 6), turn, foot));
}

void Assembly::add_power_unit() {
    add_box("block", {0, 0, 0.30}, {0.50, 0.28, 0.24}, fine(8, 1));
    add_box("cylinder head", {0, 0, 0.46}, {0.52, 0.24, 0.08}, fine(6, 1));
    add_box("valve cover", {0, 0.01, 0.53}, {0.48, 0.16, 0.06}, fine(5, 1));
    const Profile sump = {{0.06, 0}, {0.06, 0.10}, {0.10, 0.14}, {0.18, 0.15}, {0.18, 0}};
    const Eigen::Matrix3d stretch = Vector3d(1.6, 0.9, 1.0).asDiagonal();
    add("sump", placed(revolve(subdivided(sump, fine(14, 5)), fine(32, 8)), stretch, Vector3d::Zero()));
    const Profile bell = {{-0.45, 0}, {-0.45, 0.06}, {-0.36, 0.08}, {-0.28, 0.16}, {-0.25, 0.17}, {-0.25, 0}};
    add("gear box", placed(revolve(subdivided(bell, fine(18, 6)), fine(32, 8)), facing_x(), {0, 0, 0.30}));
    for (int i = 0; i < 4; ++i)
        add("ignition coil " + std::to_string(i + 1),
            moved(
                revolve(subdivided(
                            {{0.54, 0}, {0.54, 0.012}, {0.58, 0.012}, {0.58, 0.02}, {0.60, 0.02}, {0.60, 0}},
                            fine(12, 6)),
                        fine(12, 6)),
                {-0.18 + 0.12 * i, 0.01, 0}));
    for (int i = 0; i < 10; ++i)
        add_bolt(numbered("head bolt", i + 1), {-0.22 + 0.11 * (i / 2), i % 2 ? 0.105 : -0.105, 0.50},
                 Eigen::Matrix3d::Identity());
    for (int i = 0; i < 16; ++i) {
        const Eigen::Vector2d c = unit_circle(i, 16);
        add_bolt(numbered("bell bolt", i + 1), {-0.265, 0.155 * c.x(), 0.30 + 0.155 * c.y()}, facing_x());
    }
}

void Assembly::add_manifolds() {
    const Profile plenum = {{-0.24, 0}, {-0.24, 0.04}, {-0.22, 0.05}, {0.22, 0.05}, {0.24, 0.04}, {0.24, 0}};
    add("plenum", placed(revolve(subdivided(plenum, fine(24, 6)), fine(24, 6)), facing_x(), {0, 0.34, 0.58}));
    for (int i = 0; i < 4; ++i) {
        const double x = -0.18 + 0.12 * i;
        add_pipe(numbered("intake runner", i + 1),
                 {{x, 0.10, 0.47}, {x, 0.20, 0.47}, {x, 0.27, 0.44}, {x, 0.34, 0.46}, {x, 0.34, 0.56}}, 0.020,
                 fine(20, 6), fine(16, 6));
        add_pipe(numbered("exhaust pipe", i + 1),
                 {{x, -0.10, 0.45},
                  {x, -0.20, 0.45},
                  {0.6 * x, -0.25, 0.36},
                  {0.2 * x, -0.24, 0.24},
                  {0, -0.24, 0.14}},
                 0.019, fine(24, 6), fine(16, 6));
        for (int k = 0; k < 4; ++k)
            add_bolt(numbered("flange bolt", 4 * i + k + 1),
                     {x + (k % 2 ? 0.03 : -0.03), k / 2 ? 0.125 : -0.125, 0.46},
                     rotation(0, k / 2 ? -90 : 90));
    }
    add_pipe("down pipe", {{0, -0.24, 0.16}, {0, -0.24, 0.08}, {-0.15, -0.22, 0.04}, {-0.5, -0.15, 0.04}},
             0.035, fine(32, 8), fine(20, 6));
    const Profile filter = {{0, 0}, {0, 0.09}, {0.02, 0.11}, {0.10, 0.11}, {0.12, 0.09}, {0.12, 0}};
    add("air filter", moved(revolve(subdivided(filter, fine(20, 6)), fine(40, 8)), {0.32, 0.42, 0.45}));
    add_pipe("air duct",
             {{0.32, 0.42, 0.55},
              {0.32, 0.42, 0.70},
              {0.30, 0.39, 0.80},
              {0.22, 0.31, 0.80},
              {0.20, 0.33, 0.70},
              {0.20, 0.34, 0.58}},
             0.028, fine(24, 8), fine(20, 6));
}

void Assembly::add_cooling() {
    add_box("radiator left tank", {0.60, 0.36, 0.35}, {0.05, 0.04, 0.42}, fine(4, 1));
    add_box("radiator right tank", {0.60, -0.36, 0.35}, {0.05, 0.04, 0.42}, fine(4, 1));
    for (int i = 0; i < 40; ++i)
        add_box(numbered("radiator fin", i + 1), {0.60, 0, 0.16 + 0.0098 * i}, {0.04, 0.69, 0.0012},
                fine(2, 1));
    const Profile shroud = {{-0.02, 0.17}, {-0.02, 0.18}, {0.02, 0.19}, {0.02, 0.175}};
    add("fan shroud", placed(revolve_ring(shroud, fine(48, 8)), facing_x(), {0.54, 0, 0.35}));
    GearOptions fan;
    fan.tip_radius = 0.165;
    fan.root_radius = 0.06;
    fan.bore_radius = 0.012;
    fan.width = 0.012;
    fan.teeth = 7;
    fan.side_bands = fine(2, 1);
    fan.face_bands = fine(6, 1);
    add("fan", placed(gear_shape(fan), facing_x(), {0.53, 0, 0.35}));
    add_pipe(
        "upper hose",
        {{0.58, 0.33, 0.52}, {0.50, 0.30, 0.56}, {0.40, 0.20, 0.52}, {0.32, 0.05, 0.48}, {0.24, 0, 0.46}},
        0.02, fine(32, 6), fine(16, 6));
    add_pipe("lower hose",
             {{0.58, -0.33, 0.2},
              {0.48, -0.32, 0.2},
              {0.40, -0.22, 0.22},
              {0.30, -0.1, 0.24},
              {0.24, -0.05, 0.24}},
             0.02, fine(32, 6), fine(16, 6));
}

void Assembly::add_accessories() {
    const Profile body = {{-0.06, 0}, {-0.06, 0.05}, {-0.05, 0.065}, {0.05, 0.065}, {0.06, 0.05}, {0.06, 0}};
    const Profile pulley = {{-0.012, 0.010}, {-0.012, 0.045}, {0, 0.036}, {0.012, 0.045}, {0.012, 0.010}};
    const struct {
        const char* name;
        Vector3d at;
    } driven[] = {{"alternator", {0.20, 0.24, 0.36}},
                  {"compressor", {0.20, -0.24, 0.30}},
                  {"pump", {0.20, 0.05, 0.40}}};
    for (const auto& [name, at] : driven) {
        add(name, placed(revolve(subdivided(body, fine(16, 6)), fine(24, 8)), facing_x(), at));
        add(std::string(name) + " pulley",
            placed(revolve_ring(pulley, fine(32, 8)), facing_x(), at + Vector3d(0.09, 0, 0)));
    }
    GearOptions ring;
    ring.tip_radius = 0.09;
    ring.root_radius = 0.08;
    ring.bore_radius = 0.02;
    ring.width = 0.02;
    ring.teeth = fine(30, 8);
    ring.side_bands = 1;
    ring.face_bands = fine(2, 1);
    add("timing gear", placed(gear_shape(ring), facing_x(), {0.27, 0, 0.28}));
    // The belt: a flat band around an oval, its section a rectangle.
    std::vector<Loop> belt;
    for (std::uint32_t i = 0; i < fine(64, 8); ++i) {
        const Eigen::Vector2d c = unit_circle(i, fine(64, 8));
        const Vector3d out(0, 0.27 * c.x(), 0.12 * c.y());
        const Vector3d centre = Vector3d(0.29, 0, 0.33) + out;
        const Vector3d x(0.010, 0, 0);
        const Vector3d thick = 0.012 * out;
        belt.push_back({centre + x - thick, centre + x + thick, centre - x + thick, centre - x - thick});
    }
    add("belt", loft_ring(belt));
    add_box("battery", {-0.30, 0.50, 0.36}, {0.26, 0.18, 0.20}, fine(6, 1));
    for (int i = 0; i < 2; ++i)
        add(numbered("battery terminal", i + 1),
            moved(revolve(subdivided({{0.46, 0}, {0.46, 0.012}, {0.49, 0.010}, {0.49, 0}}, fine(8, 4)),
                          fine(16, 6)),
                  {-0.38 + 0.16 * i, 0.50, 0}));
}

void Assembly::add_body() {
    add_box("fire wall", {-0.62, 0, 0.38}, {0.01, 1.36, 0.68}, fine(8, 1));
    for (int side = -1; side <= 1; side += 2) {
        const std::string name = side > 0 ? "left " : "right ";
        add_box(name + "rail", {0, side * 0.55, 0.12}, {1.25, 0.07, 0.10}, fine(4, 1));
        add_box(name + "wing panel", {0, side * 0.68, 0.42}, {1.25, 0.008, 0.50}, fine(6, 1));
        std::vector<Vector3d> helix;
        const std::uint32_t per_turn = fine(16, 8);
        for (std::uint32_t i = 0; i <= 7 * per_turn; ++i) {
            const Eigen::Vector2d c = unit_circle(i, per_turn);
            helix.emplace_back(-0.05 + 0.06 * c.x(), side * 0.60 + 0.06 * c.y(),
                               0.20 + 0.3 * i / (7.0 * per_turn));
        }
        add(name + "spring", sweep(helix, 0.007, fine(8, 6)));
        add(name + "damper",
            moved(revolve(subdivided(
                              {{0.15, 0}, {0.15, 0.03}, {0.38, 0.03}, {0.38, 0.01}, {0.60, 0.01}, {0.60, 0}},
                              fine(20, 6)),
                          fine(20, 6)),
                  {-0.05, side * 0.60, 0}));
    }
    for (int i = 0; i < 24; ++i) {
        const int side = i % 2 ? 1 : -1;
        add_bracket(numbered("bracket", i + 1), {-0.55 + 0.095 * (i / 2), side * 0.50, 0.17},
                    rotation(2, 90 * (i % 4)));
    }
}

void Assembly::add_lines() {
    for (int i = 0; i < 12; ++i) {
        std::vector<Vector3d> route = {draw({-0.60, -0.5, 0.2}, {-0.60, 0.5, 0.6})};
        for (int k = 1; k <= 4; ++k)
            route.push_back(draw({-0.65 + 0.28 * k, -0.55, 0.15}, {-0.55 + 0.28 * k, 0.55, 0.62}));
        add_pipe(numbered("hose", i + 1), route, draw(0.006, 0.012), fine(24, 8), fine(8, 6));
    }
    for (int i = 0; i < 24; ++i) {
        const Vector3d start = draw({-0.5, -0.6, 0.55}, {0.5, 0.6, 0.65});
        std::vector<Vector3d> route = {start};
        for (int k = 1; k <= 3; ++k)
            route.push_back(draw({start.x() + 0.07 * k, start.y() - 0.08, 0.45},
                                 {start.x() + 0.07 * k + 0.03, start.y() + 0.08, 0.66}));
        add_pipe(numbered("wire", i + 1), route, 0.002, fine(12, 6), fine(6, 6));
    }
}

}  // namespace

std::vector<NamedMesh> make_engine_bay_parts(const EngineBayOptions& options) {
    Assembly assembly(options);
    assembly.add_power_unit();
    assembly.add_manifolds();
    assembly.add_cooling();
    assembly.add_accessories();
    assembly.add_body();
    assembly.add_lines();
    return assembly.take();
}

TriangleMesh make_engine_bay(const EngineBayOptions& options) {
    return merged(make_engine_bay_parts(options));
}

}  // namespace espalier::corpus
