// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of sanitize, each counted.
#include "builder/clean/sanitize.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "builder/clean/degenerate.h"
#include "builder/clean/triangulate.h"
#include "builder/clean/weld.h"

namespace espalier {
namespace {

// In units of the mesh. Squares of lengths between these stay normal float32 numbers, and so do their
// products with each other: beyond, the runtime's tests would overflow or lose all digits.
constexpr double kLeastDiagonal = 1e-15;
constexpr double kMostDiagonal = 1e15;
// In units of the mesh. Coordinates beyond this would overflow the triangulation's products; no origin brings
// them into range.
constexpr double kMostCoordinate = 1e100;
// In diagonals. Farther from the origin than this, float32 would lose more than two bits of the shape, so the
// mesh gets an origin of its own. Another number changes baked files.
constexpr double kMostDiagonalsAway = 4;
// Some gigabytes of memory; indices have 32 bits. A larger number lets a file ask for more.
constexpr std::uint64_t kMostTriangles = 100'000'000;
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

std::string text(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
    return buffer;
}

Error invalid(std::string message) {
    return Error{ErrorKind::kInvalidInput, std::move(message)};
}

struct Bounds {
    Eigen::Vector3d lower = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
    Eigen::Vector3d upper = -lower;
    void extend(const Eigen::Vector3d& point) {
        lower = lower.cwiseMin(point);
        upper = upper.cwiseMax(point);
    }
    double diagonal() const {
        const Eigen::Vector3d extent = upper - lower;
        // Not norm(): its squares overflow where the diagonal itself does not.
        return std::hypot(extent[0], extent[1], extent[2]);
    }
    double farthest() const { return std::max(lower.cwiseAbs().maxCoeff(), upper.cwiseAbs().maxCoeff()); }
};

void renumber(std::vector<Triangle>& triangles, const std::vector<std::uint32_t>& number) {
    tbb::parallel_for(std::size_t{0}, triangles.size(), [&](std::size_t i) {
        for (std::uint32_t& corner : triangles[i]) corner = number[corner];
    });
}

class Sanitizer {
  public:
    Sanitizer(const PolygonSoup& soup, const SanitizeOptions& options) : soup_(soup), options_(options) {}
    Result<SanitizedMesh> run();
    /// Whether a failed run found nothing wrong but that there is nothing to build from.
    bool nothing_left() const { return nothing_left_; }

  private:
    Error nothing_left(const std::string& reason) {
        nothing_left_ = true;
        return invalid("no triangles left: " + reason);
    }
    std::optional<Error> check_corners();
    std::optional<Error> check_count();
    void triangulate_soup();
    std::optional<Error> pass();
    std::optional<Error> check_size(const Bounds& bounds);
    void round_positions();
    void weld_vertices();
    void remove_degenerate();
    void remove_duplicates();
    void keep(const std::vector<char>& removed);
    void compact();
    void add_findings();
    void add(const char* number, Severity severity, const char* name, std::uint64_t count,
             const std::string& message);

    TriangleMesh& mesh() { return result_.mesh; }
    SanitizeReport& report() { return result_.report; }

    const PolygonSoup& soup_;
    const SanitizeOptions& options_;
    SanitizedMesh result_;
    bool nothing_left_ = false;
    std::vector<Triangle>
        source_;  // the triangles that are left, by vertex of the soup; parallel to mesh().triangles
};

bool needs_origin(const Bounds& bounds) {
    return bounds.farthest() > kMostDiagonalsAway * bounds.diagonal();
}

std::optional<Error> Sanitizer::check_corners() {
    std::vector<char> used(soup_.points.size());
    for (std::size_t i = 0; i < soup_.polygon_count(); ++i) {
        for (const std::uint32_t corner : soup_.polygon(i)) {
            if (used[corner]) continue;
            used[corner] = 1;
            const Eigen::Vector3d& point = soup_.points[corner];
            const auto where = [&] {
                return "vertex " + std::to_string(corner) + ", a corner of face " + std::to_string(i) +
                       " (both counted from 0), ";
            };
            if (!point.allFinite()) return invalid(where() + "has a non-finite coordinate (NaN or infinity)");
            if (point.cwiseAbs().maxCoeff() > kMostCoordinate)
                return invalid(where() + "has the coordinate " + text(point.cwiseAbs().maxCoeff()) +
                               ", too large for float32 arithmetic; bring the mesh into range with --scale");
        }
    }
    report().unreferenced_vertices = static_cast<std::uint64_t>(std::ranges::count(used, 0));
    return std::nullopt;
}

std::optional<Error> Sanitizer::check_count() {
    std::uint64_t triangles = 0;
    for (std::size_t i = 0; i < soup_.polygon_count(); ++i)
        triangles += std::max<std::size_t>(soup_.polygon(i).size(), 2) - 2;
    if (triangles == 0)
        return nothing_left("none of " + std::to_string(soup_.polygon_count()) +
                            " faces has three corners or more");
    if (triangles > kMostTriangles)
        return Error{ErrorKind::kUnsupported, std::to_string(triangles) + " triangles are more than " +
                                                  std::to_string(kMostTriangles) + "; split the mesh"};
    return std::nullopt;
}

void Sanitizer::triangulate_soup() {
    Triangulation triangulation = triangulate(soup_);
    source_ = std::move(triangulation.triangles);
    report().input_triangles = source_.size();
    report().degenerate_polygons = triangulation.degenerate_polygons;
    report().crossing_polygons = triangulation.crossing_polygons;
}

std::optional<Error> Sanitizer::check_size(const Bounds& bounds) {
    const double diagonal = bounds.diagonal();
    if (diagonal >= kLeastDiagonal && diagonal <= kMostDiagonal) return std::nullopt;
    // Everything in one place: no scale helps.
    if (diagonal == 0) return nothing_left("the corners of all faces coincide");
    nothing_left_ = diagonal < kLeastDiagonal;
    return invalid(std::string("the mesh is too ") + (diagonal < kLeastDiagonal ? "small" : "large") +
                   " for float32 arithmetic: the diagonal of its bounds is " + text(diagonal) +
                   ", outside of 1e-15 to 1e15; bring it into range with --scale");
}

// Positions of the vertices that are still used, in their order, relative to the origin.
void Sanitizer::round_positions() {
    std::vector<std::uint32_t> renumbered(soup_.points.size(), kNone);
    for (const Triangle& triangle : source_)
        for (const std::uint32_t corner : triangle) renumbered[corner] = 0;
    mesh().positions.clear();
    report().flushed_coordinates = 0;
    report().largest_rounding = 0;
    for (std::size_t i = 0; i < soup_.points.size(); ++i) {
        if (renumbered[i] == kNone) continue;
        renumbered[i] = static_cast<std::uint32_t>(mesh().positions.size());
        const Eigen::Vector3d point = soup_.points[i] - result_.origin;
        Eigen::Vector3f rounded = point.cast<float>();
        for (Eigen::Index axis = 0; axis < 3; ++axis) {
            // Processors that flush subnormal numbers must see the same mesh as those that do not. This also
            // turns -0 into 0.
            if (std::abs(rounded[axis]) < std::numeric_limits<float>::min()) {
                report().flushed_coordinates += point[axis] != 0;
                rounded[axis] = 0;
            }
        }
        mesh().positions.push_back(rounded);
        report().largest_rounding =
            std::max(report().largest_rounding, (point - rounded.cast<double>()).cwiseAbs().maxCoeff());
    }
    mesh().triangles = source_;
    renumber(mesh().triangles, renumbered);
}

void Sanitizer::weld_vertices() {
    const std::vector<std::uint32_t> representative = weld(mesh().positions, options_.weld_tolerance);
    report().welded_vertices = 0;
    for (std::size_t i = 0; i < representative.size(); ++i)
        report().welded_vertices += representative[i] != i;
    renumber(mesh().triangles, representative);
}

void Sanitizer::keep(const std::vector<char>& removed) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < removed.size(); ++i) {
        if (removed[i]) continue;
        source_[kept] = source_[i];
        mesh().triangles[kept++] = mesh().triangles[i];
    }
    source_.resize(kept);
    mesh().triangles.resize(kept);
}

void Sanitizer::remove_degenerate() {
    const std::vector<Triangle>& triangles = mesh().triangles;
    std::vector<char> degenerate(triangles.size());
    tbb::parallel_for(std::size_t{0}, triangles.size(), [&](std::size_t i) {
        const auto& [a, b, c] = triangles[i];
        const auto& positions = mesh().positions;
        degenerate[i] = a == b || b == c || c == a || is_degenerate(positions[a], positions[b], positions[c]);
    });
    report().degenerate_triangles += static_cast<std::uint64_t>(std::ranges::count(degenerate, 1));
    keep(degenerate);
}

void Sanitizer::remove_duplicates() {
    struct Entry {
        Triangle sorted;
        std::uint32_t index;
        bool operator<(const Entry& other) const {
            return sorted != other.sorted ? sorted < other.sorted : index < other.index;
        }
    };
    const std::vector<Triangle>& triangles = mesh().triangles;
    std::vector<Entry> entries(triangles.size());
    tbb::parallel_for(std::size_t{0}, triangles.size(), [&](std::size_t i) {
        entries[i] = {triangles[i], static_cast<std::uint32_t>(i)};
        std::ranges::sort(entries[i].sorted);
    });
    tbb::parallel_sort(entries.begin(), entries.end());

    // Same facing: one is a rotation of the other.
    const auto same_facing = [](const Triangle& a, const Triangle& b) {
        const std::size_t shift = static_cast<std::size_t>(std::ranges::find(b, a[0]) - b.begin());
        return a[1] == b[(shift + 1) % 3];
    };
    std::vector<char> duplicate(triangles.size());
    for (std::size_t i = 1, first = 0; i < entries.size(); ++i) {
        if (entries[i].sorted != entries[first].sorted) {
            first = i;
            continue;
        }
        duplicate[entries[i].index] = 1;
        ++report().duplicate_triangles;
        report().opposite_duplicates +=
            !same_facing(triangles[entries[first].index], triangles[entries[i].index]);
    }
    keep(duplicate);
}

// Keeps the vertices that are still used, in their order.
void Sanitizer::compact() {
    std::vector<std::uint32_t> renumbered(mesh().positions.size(), kNone);
    for (const Triangle& triangle : mesh().triangles)
        for (const std::uint32_t corner : triangle) renumbered[corner] = 0;
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < renumbered.size(); ++i) {
        if (renumbered[i] == kNone) continue;
        mesh().positions[kept] = mesh().positions[i];
        renumbered[i] = kept++;
    }
    mesh().positions.resize(kept);
    renumber(mesh().triangles, renumbered);
}

// One go at the triangles that are left.
std::optional<Error> Sanitizer::pass() {
    Bounds bounds;
    for (const Triangle& triangle : source_)
        for (const std::uint32_t corner : triangle) bounds.extend(soup_.points[corner]);
    if (auto error = check_size(bounds)) return error;
    report().recentred = needs_origin(bounds);
    result_.origin.setZero();
    if (report().recentred) result_.origin = bounds.lower + (bounds.upper - bounds.lower) / 2;

    round_positions();
    weld_vertices();
    remove_degenerate();
    if (source_.empty())
        return nothing_left("all " + std::to_string(report().input_triangles) +
                            " have no area once rounded to float32 (diagonal of the bounds: " +
                            text(bounds.diagonal()) + ")");
    remove_duplicates();
    compact();
    return std::nullopt;
}

void Sanitizer::add(const char* number, Severity severity, const char* name, std::uint64_t count,
                    const std::string& message) {
    if (count > 0)
        report().findings.push_back({number, severity, name, count, std::to_string(count) + " " + message});
}

void Sanitizer::add_findings() {
    constexpr auto kInfo = Severity::kInfo, kWarning = Severity::kWarning;
    const SanitizeReport& r = report();
    const Topology& t = r.topology;
    report().findings = soup_.findings;
    add("S01", kInfo, "unreferenced vertices", r.unreferenced_vertices,
        "vertices were removed because no face uses them");
    add("S02", kInfo, "degenerate triangles", r.degenerate_triangles, "triangles without area were removed");
    add("S03", kWarning, "duplicate triangles", r.duplicate_triangles,
        "triangles were removed because an earlier one has the same corners (" +
            std::to_string(r.opposite_duplicates) + " of them faced the other way)");
    add("S04", kInfo, "welded vertices", r.welded_vertices,
        "vertices were joined to another one at the same place");
    if (r.recentred)
        report().findings.push_back({"S05", kInfo, "recentred", 1,
                                     "the mesh is far from the origin for its size; (" +
                                         text(result_.origin[0]) + ", " + text(result_.origin[1]) + ", " +
                                         text(result_.origin[2]) +
                                         ") was subtracted and is kept as its origin"});
    add("S06", kInfo, "degenerate polygons", r.degenerate_polygons,
        "faces with fewer than three distinct corners were removed");
    add("S07", kWarning, "crossing polygons", r.crossing_polygons,
        "faces cross themselves and were split as fans");
    add("S08", kInfo, "flushed coordinates", r.flushed_coordinates,
        "coordinates below 1.2e-38 were set to 0");
    add("S10", kWarning, "boundary edges", t.boundary_edges,
        "edges have one triangle only: the surface is not closed");
    add("S11", kWarning, "non-manifold edges", t.non_manifold_edges, "edges have more than two triangles");
    add("S12", kWarning, "inconsistent orientation", t.inconsistent_edges,
        "edges join triangles that face opposite sides");
    add("S13", kWarning, "inside out", t.inside_out,
        "closed surface has negative volume: its triangles face inward");
    if (t.components > 1) add("S14", kInfo, "several components", t.components, "separate components");
}

Result<SanitizedMesh> Sanitizer::run() {
    report().input_vertices = soup_.points.size();
    report().input_polygons = soup_.polygon_count();
    if (auto error = check_corners()) return *std::move(error);
    if (auto error = check_count()) return *std::move(error);
    triangulate_soup();

    // A stray triangle without area must not decide where the origin is: when what remains asks for another
    // one, begin again without what was removed.
    for (bool again = true; again;) {
        const std::size_t before = source_.size();
        if (auto error = pass()) return *std::move(error);
        Bounds bounds;
        for (const auto& position : mesh().positions) bounds.extend(position.cast<double>());
        again = source_.size() < before && needs_origin(bounds);
    }
    mesh().positions.shrink_to_fit();
    report().vertices = mesh().positions.size();
    report().triangles = mesh().triangles.size();
    report().orphaned_vertices = report().input_vertices - report().unreferenced_vertices -
                                 report().welded_vertices - report().vertices;
    report().topology = analyse_topology(mesh());
    add_findings();
    return std::move(result_);
}

}  // namespace

Result<SanitizedMesh> sanitize(const PolygonSoup& soup, const SanitizeOptions& options, bool* nothing_left) {
    if (!std::isfinite(options.weld_tolerance) || options.weld_tolerance < 0)
        return Error{ErrorKind::kUsage, "the weld tolerance must be a number that is not negative"};
    Sanitizer sanitizer(soup, options);
    Result<SanitizedMesh> clean = sanitizer.run();
    if (nothing_left) *nothing_left = !clean && sanitizer.nothing_left();
    return clean;
}

}  // namespace espalier
