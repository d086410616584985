// SPDX-License-Identifier: GPL-3.0-or-later
// Slender craft: lofted parts, modelled for the wing at +y, raised by 14 degrees, and reflected for the
// others.
#include "corpus/slender_craft.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "corpus/loft.h"
#include "corpus/unit_circle.h"

namespace espalier::corpus {
namespace {

// A profile about the z axis becomes a body along x: x = z, y = x, z = y.
Shape along_x(const Shape& shape) {
    Eigen::Matrix3d m;
    m << 0, 0, 1, 1, 0, 0, 0, 1, 0;
    return placed(shape, m, Eigen::Vector3d::Zero());
}

// The profile with `sections` points between its two poles.
Shape turned(const Profile& profile, std::uint32_t sections, std::uint32_t segments) {
    return along_x(revolve(subdivided(profile, sections + 2), segments));
}

// Flattened, with a canopy: the upper half is raised between x = -2 and x = 1.
Shape fuselage(const SlenderCraftOptions& options) {
    const Profile side = {{-5.0, 0.0}, {-5.0, 0.35}, {-4.6, 0.62}, {-3.0, 0.75}, {0.0, 0.60},
                          {3.0, 0.38}, {6.2, 0.22},  {7.3, 0.10},  {7.5, 0.05},  {7.5, 0.0}};
    Shape shape = turned(side, options.fuselage_sections, options.fuselage_segments);
    for (Eigen::Vector3d& p : shape.positions) {
        const double t = (p.x() + 0.5) / 1.5;
        const double raise = p.z() > 0.0 && std::fabs(t) < 1.0 ? (1.0 - t * t) * (1.0 - t * t) : 0.0;
        p.z() *= 0.8 + 0.7 * raise;
    }
    return shape;
}

// A lens-shaped section that tapers from the root, inside the fuselage, to the tip.
Shape wing(const SlenderCraftOptions& options) {
    std::vector<Loop> loops;
    for (std::uint32_t i = 0; i < options.wing_sections; ++i) {
        const double t = double(i) / double(options.wing_sections - 1);
        const Eigen::Vector3d centre(-3.2 - 0.4 * t, 0.3 + 4.5 * t, 0.0);
        const double half_chord = 1.4 - 0.75 * t;
        const double half_thickness = 0.10 - 0.06 * t;
        loops.push_back(
            ellipse(centre, {0.0, 0.0, half_thickness}, {half_chord, 0.0, 0.0}, options.wing_segments));
    }
    return loft_capped({-3.2, 0.3, 0.0}, loops, {-3.6, 4.8, 0.0});
}

// A nacelle with a deep intake in front and a shallow nozzle behind.
Shape engine(const SlenderCraftOptions& options) {
    const Profile side = {{-2.0, 0.0}, {-2.0, 0.22}, {-2.4, 0.26}, {-2.4, 0.30}, {-1.8, 0.40}, {0.8, 0.45},
                          {1.2, 0.42}, {1.2, 0.36},  {0.2, 0.30},  {0.2, 0.12},  {0.5, 0.0}};
    return moved(turned(side, options.engine_sections, options.engine_segments), {-3.2, 1.3, 0.42});
}

// A long barrel with a thick breech, a muzzle brake and a bore at the end.
Shape cannon(const SlenderCraftOptions& options) {
    const Profile side = {{-4.6, 0.0}, {-4.6, 0.10}, {-2.6, 0.10}, {-2.4, 0.05}, {1.6, 0.04},
                          {1.7, 0.07}, {2.0, 0.07},  {2.0, 0.035}, {1.8, 0.0}};
    return moved(turned(side, options.cannon_sections, options.cannon_segments), {0.0, 4.8, 0.0});
}

}  // namespace

std::vector<NamedMesh> make_slender_craft_parts(const SlenderCraftOptions& options) {
    std::vector<NamedMesh> parts = {{"fuselage", rounded(fuselage(options))}};
    const Eigen::Matrix3d raised = rotation(0, 14);
    const struct {
        const char* name;
        Shape shape;
    } side[] = {{"wing", wing(options)}, {"engine", engine(options)}, {"cannon", cannon(options)}};
    for (const auto& [corner, y, z] :
         {std::tuple("upper left", 1.0, 1.0), std::tuple("lower left", 1.0, -1.0),
          std::tuple("upper right", -1.0, 1.0), std::tuple("lower right", -1.0, -1.0)}) {
        const Eigen::Matrix3d place = Eigen::Vector3d(1.0, y, z).asDiagonal() * raised;
        for (const auto& [name, shape] : side)
            parts.push_back(
                {std::string(corner) + " " + name, rounded(placed(shape, place, Eigen::Vector3d::Zero()))});
    }
    return parts;
}

TriangleMesh make_slender_craft(const SlenderCraftOptions& options) {
    return merged(make_slender_craft_parts(options));
}

}  // namespace espalier::corpus
