// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/check.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "builder/asset/aligned_bytes.h"
#include "builder/asset/open_asset.h"

namespace espalier {
namespace {

CheckItem check_bounds(const ShapeView& part) {
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

}  // namespace

bool CheckReport::ok() const {
    return std::all_of(items.begin(), items.end(), [](const CheckItem& item) { return item.ok; });
}

Result<CheckReport> check_asset(std::span<const std::uint8_t> bytes, HierarchyRows list) {
    const AlignedBytes aligned(bytes);
    OpenedAsset opened;
    const Status status = open_asset({aligned.data(), aligned.size()}, &opened);
    if (status != Status::kOk) return Error{ErrorKind::kInvalidInput, status_text(status)};
    CheckReport report;
    report.items.push_back({"structure", true, bytes.size(), ""});
    const std::vector<const Hierarchy*> rows = ranked(list, &HierarchyRanks::checked);
    for (const ShapeView& part : opened.shapes) {
        report.items.push_back(check_bounds(part));
        for (const Hierarchy* row : rows) {
            if (!row->present(part)) continue;
            const std::vector<CheckItem> items = row->check(part);
            report.items.insert(report.items.end(), items.begin(), items.end());
        }
    }
    return report;
}

}  // namespace espalier
