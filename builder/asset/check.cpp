// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

#include "builder/asset/aligned_bytes.h"
#include "builder/asset/asset_body.h"
#include "builder/asset/check_parts.h"
#include "builder/asset/open_asset.h"
#include "builder/body/utf8.h"

namespace espalier {
namespace {

void append(std::vector<CheckItem> more, std::vector<CheckItem>& items) {
    items.insert(items.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

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

std::vector<CheckItem> check_shape(const ShapeView& shape, std::span<const Hierarchy* const> rows) {
    std::vector<CheckItem> items = {check_bounds(shape)};
    for (const Hierarchy* row : rows)
        if (row->present(shape)) append(row->check(shape), items);
    return items;
}

/// "shape 3 (wheel) of part 'front wheel': "; nothing where there is one shape.
std::string where(const OpenedAsset& opened, std::uint32_t shape) {
    const Asset& asset = opened.asset;
    if (opened.shapes.size() == 1 && !asset.has_parts()) return "";
    std::string text =
        "shape " + std::to_string(shape) + " (" + as_utf8_name(opened.shapes[shape].name) + ")";
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartNode part;
        if (asset.part_node(i, &part) != Status::kOk || part.shape != shape) continue;
        text += " of part '" + shown_part_name(asset, i) + "'";
        break;
    }
    return text + ": ";
}

/// What holds is one item for all shapes; what does not is one each.
void add_shape(const OpenedAsset& opened, std::uint32_t shape, std::vector<CheckItem> checked,
               std::vector<CheckItem>& items) {
    for (CheckItem& item : checked) {
        const auto same = std::ranges::find_if(
            items, [&](const CheckItem& other) { return other.name == item.name && other.ok; });
        if (item.ok && same != items.end()) {
            same->count += item.count;
            continue;
        }
        if (!item.ok) item.message.insert(0, where(opened, shape));
        items.push_back(std::move(item));
    }
}

/// Why a file is refused; of parts, which one is to blame.
Error structure_error(std::span<const std::uint8_t> bytes, Status status) {
    std::string message = status_text(status);
    if (status == Status::kCorruptParts)
        for (const CheckItem& item : check_parts(bytes))
            if (!item.ok) return Error{ErrorKind::kInvalidInput, message + ": " + item.message};
    return Error{ErrorKind::kInvalidInput, message};
}

}  // namespace

bool CheckReport::ok() const {
    return std::all_of(items.begin(), items.end(), [](const CheckItem& item) { return item.ok; });
}

Result<CheckReport> check_asset(std::span<const std::uint8_t> bytes, HierarchyRows list) {
    const AlignedBytes aligned(bytes);
    OpenedAsset opened;
    const Status status = open_asset(aligned.span(), &opened);
    if (status != Status::kOk) return structure_error(aligned.span(), status);
    CheckReport report;
    report.items.push_back({"structure", true, bytes.size(), ""});
    append(check_parts(aligned.span()), report.items);
    const std::vector<const Hierarchy*> rows = ranked(list, &HierarchyRanks::checked);
    for (std::uint32_t i = 0; i < opened.shapes.size(); ++i)
        add_shape(opened, i, check_shape(opened.shapes[i], rows), report.items);
    return report;
}

}  // namespace espalier
