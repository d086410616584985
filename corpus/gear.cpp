// SPDX-License-Identifier: GPL-3.0-or-later
// Spur gear: the toothed outline and the bore as loops of equally many points, joined all around the section.
#include "corpus/gear.h"

#include "corpus/loft.h"
#include "corpus/unit_circle.h"

namespace espalier::corpus {
namespace {

// The pitch in sixteenths: root until 2, flank to 5, tip until 11, flank to 14, root until 16.
constexpr std::int64_t kSixteenths[] = {2, 5, 11, 14};

// The outline at the height z, blended from the bore (share 0) to the teeth (share 1).
Loop outline(const GearOptions& options, double share, double z) {
    Loop loop;
    for (std::int64_t tooth = 0; tooth < options.teeth; ++tooth)
        for (const std::int64_t part : kSixteenths) {
            const Eigen::Vector2d c = unit_circle(16 * tooth + part, 16 * std::int64_t{options.teeth});
            const double outer = part == 5 || part == 11 ? options.tip_radius : options.root_radius;
            const double radius = options.bore_radius + share * (outer - options.bore_radius);
            loop.emplace_back(radius * c.x(), radius * c.y(), z);
        }
    return loop;
}

}  // namespace

Shape gear_shape(const GearOptions& options) {
    const double half = options.width / 2.0;
    std::vector<Loop> loops;
    const auto add_side = [&](double share, double from, double to) {
        for (std::uint32_t i = 0; i < options.side_bands; ++i)
            loops.push_back(outline(options, share, from + (to - from) * i / options.side_bands));
    };
    const auto add_face = [&](double from, double to, double z) {
        for (std::uint32_t i = 0; i < options.face_bands; ++i)
            loops.push_back(outline(options, from + (to - from) * i / options.face_bands, z));
    };
    add_side(1.0, -half, half);
    add_face(1.0, 0.0, half);
    add_side(0.0, half, -half);
    add_face(0.0, 1.0, -half);
    return loft_ring(loops);
}

TriangleMesh make_gear(const GearOptions& options) {
    return rounded(gear_shape(options));
}

}  // namespace espalier::corpus
