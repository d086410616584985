// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/solid.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "builder/base/number_text.h"
#include "builder/surface/holes.h"
#include "builder/surface/inside_test.h"
#include "builder/surface/mesh_volume.h"
#include "builder/surface/orientation.h"
#include "builder/surface/surface_samples.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Holes are small if the caps of all have at most this share of the surface's area, and no point of a cap is
/// farther from the surface than this share of the diagonal. Larger, and samples take a part of what is
/// really free for solid; smaller, and a model with a forgotten triangle is a shell.
constexpr double kMostCapArea = 0.01;
constexpr double kMostFilling = 0.02;

double diagonal_of(const TriangleMesh& mesh) {
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3f& p : mesh.positions) box.extend(p.cast<double>());
    return box.diagonal().norm();
}

bool small(const Caps& caps, const TriangleMesh& surface) {
    return caps.area <= kMostCapArea * surface_area(surface) &&
           caps.filling <= kMostFilling * diagonal_of(surface);
}

std::string place_text(const TriangleMesh& mesh, std::uint32_t vertex) {
    std::string text;
    for (const float x : mesh.positions[vertex])
        text.append(text.empty() ? "(" : ", ").append(number_text(x));
    return text.append(")");
}

/// "2 holes, the longest with 4 edges and a boundary of 4 at (0, 0, 0)"
std::string text_of(const TriangleMesh& mesh, const std::vector<Hole>& holes) {
    const Hole& longest = *std::max_element(holes.begin(), holes.end(), [&](const Hole& a, const Hole& b) {
        return boundary_length(mesh, a) < boundary_length(mesh, b);
    });
    return std::to_string(holes.size()) + (holes.size() == 1 ? " hole, with " : " holes, the longest with ") +
           std::to_string(longest.size()) + " edges and a boundary of " +
           number_text(static_cast<float>(boundary_length(mesh, longest))) + " at " +
           place_text(mesh, longest.front());
}

}  // namespace

struct Solid::State {
    SolidKind kind = SolidKind::kShell;
    TriangleMesh surface;
    std::optional<TriangleMesh> capped;  ///< the boundary, where it is more than the surface
    std::optional<InsideTest> inside;
    std::size_t holes = 0;
    double longest_hole = 0.0;
    double filling = 0.0;

    const TriangleMesh& boundary() const { return capped ? *capped : surface; }
};

Solid::Solid(std::unique_ptr<State> state) : state_(std::move(state)) {}
Solid::Solid(const TriangleMesh& mesh) : Solid(of(mesh, SolidChoice::kAuto).value()) {}
Solid::~Solid() = default;
Solid::Solid(Solid&&) noexcept = default;
Solid& Solid::operator=(Solid&&) noexcept = default;

Result<Solid> Solid::of(const TriangleMesh& mesh, SolidChoice choice) {
    auto state = std::make_unique<State>();
    State& s = *state;
    s.surface = mesh;
    const auto refused = [](const std::string& reason) {
        return Error{ErrorKind::kInvalidInput, "the mesh bounds no solid: " + reason};
    };
    const bool two_sided = orient(s.surface);
    if (!two_sided && (choice == SolidChoice::kClosed || choice == SolidChoice::kCapped))
        return refused("a surface in it has one side only; --sphere-solid shell takes it as it is");
    const std::vector<Hole> holes = two_sided ? holes_of(s.surface) : std::vector<Hole>();
    s.holes = holes.size();
    for (const Hole& hole : holes) s.longest_hole = std::max(s.longest_hole, boundary_length(mesh, hole));
    if (choice == SolidChoice::kClosed && !holes.empty())
        return refused(text_of(mesh, holes) + "; close it, or use --sphere-solid capped or shell");
    const bool may_have_inside = two_sided && choice != SolidChoice::kShell;
    if (may_have_inside && holes.empty()) s.kind = SolidKind::kClosed;
    if (may_have_inside && !holes.empty()) {
        Caps caps = fill_holes(s.surface, holes);
        if (choice == SolidChoice::kCapped || small(caps, s.surface)) {
            s.kind = SolidKind::kCapped;
            s.filling = caps.filling;
            s.capped = std::move(caps.closed);
        }
    }
    if (s.kind == SolidKind::kShell) {
        s.surface = mesh;
    } else {
        if (signed_volume(s.boundary()) < 0.0) {
            for (TriangleMesh* turned : {&s.surface, s.capped ? &*s.capped : nullptr})
                if (turned != nullptr)
                    for (Triangle& t : turned->triangles) std::swap(t[1], t[2]);
        }
        s.inside.emplace(s.boundary());
    }
    return Solid(std::move(state));
}

SolidKind Solid::kind() const {
    return state_->kind;
}
bool Solid::inside(const Vector3d& point) const {
    return state_->inside && state_->inside->inside(point);
}
const TriangleMesh& Solid::surface() const {
    return state_->surface;
}
const TriangleMesh& Solid::boundary() const {
    return state_->boundary();
}
std::size_t Solid::holes() const {
    return state_->holes;
}
double Solid::longest_hole() const {
    return state_->longest_hole;
}
double Solid::filling() const {
    return state_->filling;
}

}  // namespace espalier
