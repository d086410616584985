// SPDX-License-Identifier: GPL-3.0-or-later
// The list of all well-behaved meshes, and how each is scaled to a wanted number of triangles.
#include "corpus/registry.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "corpus/box.h"
#include "corpus/cylinder.h"
#include "corpus/desk_lamp.h"
#include "corpus/engine_bay.h"
#include "corpus/gear.h"
#include "corpus/hyperboloid.h"
#include "corpus/icosphere.h"
#include "corpus/slender_craft.h"
#include "corpus/tetra_flake.h"
#include "corpus/torus.h"
#include "corpus/uv_sphere.h"

namespace espalier::corpus {
namespace {

using Build = std::function<TriangleMesh(std::uint32_t)>;

// A mesh whose triangle count grows with one `detail` number, built with the detail that comes nearest to
// `target`.
TriangleMesh nearest(std::uint32_t target, std::uint32_t least, const Build& build) {
    std::uint32_t low = least;
    TriangleMesh below = build(low);
    if (below.triangles.size() >= target) return below;
    std::uint32_t high = low + 1;
    TriangleMesh above = build(high);
    while (above.triangles.size() < target) {
        low = high;
        below = std::move(above);
        high += high - least + 1;
        above = build(high);
    }
    while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        TriangleMesh mesh = build(middle);
        if (mesh.triangles.size() < target) {
            low = middle;
            below = std::move(mesh);
        } else {
            high = middle;
            above = std::move(mesh);
        }
    }
    const std::size_t short_by = target - below.triangles.size();
    return above.triangles.size() - target < short_by ? above : below;
}

// The same where every level multiplies the count, so that only neighbouring levels may be tried.
TriangleMesh nearest_level(std::uint32_t target, const Build& build) {
    TriangleMesh below = build(0);
    for (std::uint32_t level = 1; below.triangles.size() < target; ++level) {
        TriangleMesh above = build(level);
        if (above.triangles.size() >= target) {
            const std::size_t short_by = target - below.triangles.size();
            return above.triangles.size() - target < short_by ? above : below;
        }
        below = std::move(above);
    }
    return below;
}

// Two factors of `cells` (the greater first) that differ by at most 4 times, or else the nearest product of a
// square-like grid.
std::pair<std::uint32_t, std::uint32_t> grid(std::uint32_t cells) {
    const auto root = static_cast<std::uint32_t>(std::sqrt(double(cells)));
    for (std::uint32_t minor = root; minor >= 3 && 2 * minor >= root; --minor)
        if (cells % minor == 0) return {cells / minor, minor};
    const std::uint32_t minor = std::max(3u, root);
    return {std::max(3u, (cells + minor / 2) / minor), minor};
}

// `count`, which belongs to the detail `usual`, scaled to `detail`.
std::uint32_t scaled(std::uint32_t count, std::uint32_t detail, std::uint32_t usual, std::uint32_t least) {
    const std::uint64_t product = std::uint64_t{count} * detail;
    return std::max(least, static_cast<std::uint32_t>((product + usual / 2) / usual));
}

TriangleMesh torus_near(std::uint32_t triangles) {
    TorusOptions options;
    std::tie(options.major_segments, options.minor_segments) = grid(triangles / 2);
    return make_torus(options);
}

TriangleMesh uv_sphere_near(std::uint32_t triangles) {
    UvSphereOptions options;
    std::tie(options.longitudes, options.latitudes) = grid(triangles / 2);
    ++options.latitudes;
    return make_uv_sphere(options);
}

TriangleMesh cylinder_near(std::uint32_t triangles) {
    return nearest(triangles, 3, [](std::uint32_t detail) {
        CylinderOptions options;
        options.height_bands = scaled(options.height_bands, detail, options.segments, 1);
        options.cap_bands = scaled(options.cap_bands, detail, options.segments, 1);
        options.segments = detail;
        return make_cylinder(options);
    });
}

TriangleMesh hyperboloid_near(std::uint32_t triangles) {
    return nearest(triangles, 3, [](std::uint32_t detail) {
        HyperboloidOptions options;
        options.height_bands = scaled(options.height_bands, detail, options.segments, 1);
        options.cap_bands = scaled(options.cap_bands, detail, options.segments, 1);
        options.segments = detail;
        return make_hyperboloid(options);
    });
}

TriangleMesh gear_near(std::uint32_t triangles) {
    return nearest(triangles, 3, [](std::uint32_t detail) {
        GearOptions options;
        options.side_bands = scaled(options.side_bands, detail, options.teeth, 1);
        options.face_bands = scaled(options.face_bands, detail, options.teeth, 1);
        options.teeth = detail;
        return make_gear(options);
    });
}

TriangleMesh slender_craft_near(std::uint32_t triangles) {
    return nearest(triangles, 5, [](std::uint32_t detail) {
        SlenderCraftOptions o;
        const auto scale = [&](std::uint32_t& count, std::uint32_t least) {
            count = scaled(count, detail, 26, least);
        };
        scale(o.fuselage_segments, 5);
        scale(o.fuselage_sections, 8);
        scale(o.wing_segments, 4);
        scale(o.wing_sections, 2);
        scale(o.engine_segments, 4);
        scale(o.engine_sections, 10);
        scale(o.cannon_segments, 3);
        scale(o.cannon_sections, 8);
        return make_slender_craft(o);
    });
}

std::vector<CorpusMesh> simple_meshes() {
    return {
        {"box", "cube", "half_size=1,1,1 divisions=1", 12, 1, 0, false, [] { return make_box(); },
         [](std::uint32_t n) {
             return nearest(n, 1, [](std::uint32_t d) { return make_box({Eigen::Vector3d::Ones(), d}); });
         }},
        {"torus", "torus (van den Bergen 1998)",
         "major_radius=1 minor_radius=0.4 major_segments=50 minor_segments=50", 5000, 1, 1, false,
         [] { return make_torus(); }, torus_near},
        {"uv-sphere", "sphere of latitudes and longitudes (Zachmann 1997)",
         "radius=1 longitudes=50 latitudes=50", 4900, 1, 0, false, [] { return make_uv_sphere(); },
         uv_sphere_near},
        {"icosphere", "sphere of nearly equal triangles", "radius=1 levels=4", 5120, 1, 0, false,
         [] { return make_icosphere(); },
         [](std::uint32_t n) {
             return nearest_level(n, [](std::uint32_t d) { return make_icosphere({1.0, d}); });
         }},
        {"cylinder", "cylinder with flat ends (Zachmann 1997)",
         "radius=0.5 height=2 segments=40 height_bands=18 cap_bands=4", 2000, 1, 0, false,
         [] { return make_cylinder(); }, cylinder_near},
        {"hyperboloid", "hyperboloid of one sheet with flat ends (Zachmann 1997)",
         "waist_radius=0.25 end_radius=1 height=2 segments=50 height_bands=43 cap_bands=4", 5000, 1, 0, false,
         [] { return make_hyperboloid(); }, hyperboloid_near},
    };
}

std::vector<CorpusMesh> intricate_meshes() {
    return {
        {"tetra-flake", "tetrahedra on the sides of tetrahedra (Zachmann 1997)",
         "radius=1 ratio=0.45 levels=5", 3876, 1, 0, false, [] { return make_tetra_flake(); },
         [](std::uint32_t n) {
             return nearest_level(n, [](std::uint32_t d) { return make_tetra_flake({1.0, 0.45, d}); });
         }},
        {"gear", "spur gear with a bore",
         "tip_radius=1 root_radius=0.8 bore_radius=0.3 width=0.4 teeth=24 side_bands=4 face_bands=6", 3840, 1,
         1, false, [] { return make_gear(); }, gear_near},
        {"desk-lamp", "desk lamp with deep concavities (Hubbard 1996)", "segments=24", 4080, 1, 0, false,
         [] { return make_desk_lamp(); },
         [](std::uint32_t n) { return nearest(n, 6, [](std::uint32_t d) { return make_desk_lamp({d}); }); }},
        {"slender-craft", "slender craft with four wings (van den Bergen 1998)",
         "fuselage=26x39 wing=14x15 engine=12x15 cannon=9x13", 6084, 13, 0, true,
         [] { return make_slender_craft(); }, slender_craft_near},
        {"engine-bay", "engine bay, a soup of many parts (Zachmann 1997)", "segments=16 seed=1", 45596, 189,
         7, true, [] { return make_engine_bay(); },
         [](std::uint32_t n) {
             return nearest(n, 6, [](std::uint32_t d) { return make_engine_bay({d, 1}); });
         }},
    };
}

}  // namespace

const std::vector<CorpusMesh>& corpus_meshes() {
    static const std::vector<CorpusMesh> meshes = [] {
        std::vector<CorpusMesh> all = simple_meshes();
        for (CorpusMesh& mesh : intricate_meshes()) all.push_back(std::move(mesh));
        return all;
    }();
    return meshes;
}

const CorpusMesh* find_corpus_mesh(std::string_view name) {
    for (const CorpusMesh& mesh : corpus_meshes())
        if (mesh.name == name) return &mesh;
    return nullptr;
}

}  // namespace espalier::corpus
