// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <new>

#include "builder/asset/aligned_bytes.h"
#include "builder/box/check.h"
#include "builder/cell/check.h"
#include "builder/sphere/check.h"
#include "runtime/src/aabb/codec.h"

namespace espalier {
namespace {

/// A slab is allowed this much of its box's circumradius, and this much of the box's largest coordinate,
/// since its centre is rounded to float: it counts where a box is only a few floats wide. Every query adds a
/// larger margin (pair_frame.cpp).
constexpr double kSlabSlack = 1e-6;
constexpr double kCenterSlack = 1.0 / 8388608.0;

CheckItem check_bounds(const PartView& part) {
    CheckItem item{"part bounds", true, part.mesh.vertex_count, ""};
    std::array<float, 3> lo = {INFINITY, INFINITY, INFINITY}, hi = {-INFINITY, -INFINITY, -INFINITY};
    for (std::uint32_t v = 0; v < part.mesh.vertex_count; ++v)
        for (std::size_t k = 0; k < 3; ++k) {
            lo[k] = std::min(lo[k], part.mesh.positions[3 * v + k]);
            hi[k] = std::max(hi[k], part.mesh.positions[3 * v + k]);
        }
    item.ok = std::equal(lo.begin(), lo.end(), part.lo) && std::equal(hi.begin(), hi.end(), part.hi);
    if (!item.ok) item.message = "the stored bounds are not those of the vertices";
    return item;
}

bool box_holds(const Volume& v, const float* p) {
    for (int k = 0; k < 3; ++k)
        if (!(v.lo[k] <= p[k] && p[k] <= v.hi[k])) return false;
    return true;
}

bool slab_holds(const Volume& v, const float* p) {
    double along = 0, squared = 0, circumradius = 0, largest = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = double(p[k]) - double((v.lo[k] + v.hi[k]) * 0.5f);
        const double half = double((v.hi[k] - v.lo[k]) * 0.5f);
        along += d * double(v.normal[k]);
        squared += d * d;
        circumradius += half * half;
        largest = std::max({largest, std::fabs(double(v.lo[k])), std::fabs(double(v.hi[k]))});
    }
    const double slack = kSlabSlack * std::sqrt(circumradius) + kCenterSlack * largest;
    const double across = std::sqrt(std::max(squared - along * along, 0.0));
    return along >= double(v.slab_lo) - slack && along <= double(v.slab_hi) + slack &&
           across <= double(v.radius) + slack;
}

/// Walks an aabb tree and tests each leaf's corners against every volume on the path. The structure was
/// verified.
class AabbContainment {
  public:
    explicit AabbContainment(const PartView& part) : part_(part), seen_(part.mesh.triangle_count, false) {}

    std::vector<CheckItem> run() {
        path_.push_back(root_volume(part_.aabb));
        visit(0);
        const auto missing = static_cast<std::uint64_t>(std::count(seen_.begin(), seen_.end(), false));
        if (missing > 0) leaves_.message = std::to_string(missing) + " triangles are in no leaf";
        leaves_.ok = leaves_.ok && missing == 0;
        return {boxes_, slabs_, leaves_};
    }

  private:
    void visit(std::uint32_t index) {
        const AabbNode& node = part_.aabb.nodes[index];
        std::uint32_t next_child = node.first_child, next_triangle = node.first_triangle;
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (node.kind[lane] == kChildNone) continue;
            path_.push_back(decode_child(node, path_.back(), lane));
            if (node.kind[lane] == kChildInner) {
                visit(next_child++);
            } else {
                for (unsigned i = 0; i < node.kind[lane]; ++i)
                    test_triangle(part_.aabb.triangle_at(next_triangle++), index);
            }
            path_.pop_back();
        }
    }

    void test_triangle(std::uint32_t triangle, std::uint32_t node) {
        if (seen_[triangle]) fail(leaves_, triangle, node, "is in two leaves");
        seen_[triangle] = true;
        ++leaves_.count;
        for (std::uint32_t corner = 0; corner < 3; ++corner)
            for (const Volume& volume : path_) {
                const float* p = part_.mesh.corner(triangle, corner);
                ++boxes_.count;
                ++slabs_.count;
                if (!box_holds(volume, p)) fail(boxes_, triangle, node, "leaves a box above it");
                if (!slab_holds(volume, p)) fail(slabs_, triangle, node, "leaves a slab above it");
            }
    }

    static void fail(CheckItem& item, std::uint32_t triangle, std::uint32_t node, const char* what) {
        if (item.ok)
            item.message =
                "triangle " + std::to_string(triangle) + " of node " + std::to_string(node) + " " + what;
        item.ok = false;
    }

    const PartView& part_;
    std::vector<bool> seen_;
    std::vector<Volume> path_;
    CheckItem boxes_{"aabb boxes contain their triangles", true, 0, ""};
    CheckItem slabs_{"aabb slabs contain their triangles", true, 0, ""};
    CheckItem leaves_{"aabb leaves hold every triangle once", true, 0, ""};
};

}  // namespace

bool CheckReport::ok() const {
    return std::all_of(items.begin(), items.end(), [](const CheckItem& item) { return item.ok; });
}

Result<CheckReport> check_asset(std::span<const std::uint8_t> bytes) {
    const AlignedBytes aligned(bytes);
    Asset asset;
    const Status status = open(aligned.data(), aligned.size(), Verify::kFull, &asset);
    if (status != Status::kOk) return Error{ErrorKind::kInvalidInput, status_text(status)};
    CheckReport report;
    report.items.push_back({"structure", true, bytes.size(), ""});
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartView part;
        if (asset.part(i, &part) != Status::kOk)
            return Error{ErrorKind::kInternal, "a verified part cannot be read"};
        report.items.push_back(check_bounds(part));
        if (part.box.leaf_count > 0) {
            const std::vector<CheckItem> items = check_box_tree(part);
            report.items.insert(report.items.end(), items.begin(), items.end());
        }
        if (part.sphere.spheres) {
            const std::vector<CheckItem> items = check_sphere_tree(part);
            report.items.insert(report.items.end(), items.begin(), items.end());
        }
        if (part.cell.unit_count > 0) {
            const std::vector<CheckItem> items = check_cell_tree(part);
            report.items.insert(report.items.end(), items.begin(), items.end());
        }
        if (!part.aabb.nodes) continue;
        const std::vector<CheckItem> items = AabbContainment(part).run();
        report.items.insert(report.items.end(), items.begin(), items.end());
    }
    return report;
}

}  // namespace espalier
