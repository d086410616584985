// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verbs/query_side.h"

#include "builder/body/utf8.h"
#include "tools/io/failure.h"

namespace espalier::tools {

QuerySide::QuerySide(const QuerySideOptions& options, const Hierarchy& hierarchy)
    : options_(options), asset_(options.file) {
    check_hierarchy(hierarchy);
}

void QuerySide::check_hierarchy(const Hierarchy& hierarchy) const {
    const std::vector<ShapeView>& shapes = asset_.opened().shapes;
    for (const ShapeView& shape : shapes) {
        if (hierarchy.present(shape)) continue;
        const std::string what =
            shapes.size() == 1 ? "the asset" : "shape '" + as_utf8_name(shape.name) + "' of the asset";
        throw Failure(asset_.path(),
                      {ErrorKind::kInvalidInput,
                       what + " has no " + hierarchy.name + " tree; bake it with --trees " + hierarchy.name});
    }
}

bool QuerySide::is_single_shape() const {
    const Asset& asset = asset_.opened().asset;
    return !asset.has_parts() && asset.shape_count() == 1;
}

std::uint32_t QuerySide::wanted_part() const {
    if (!options_.part) return kNoIndex;
    const Asset& asset = asset_.opened().asset;
    for (std::uint32_t i = 0; i < asset.part_count(); ++i)
        if (shown_part_name(asset, i) == *options_.part) return i;
    throw Failure(asset_.path(), {ErrorKind::kInvalidInput, "no part is called '" + *options_.part +
                                                                "'; espalier dump lists the names"});
}

void QuerySide::become_body(BeyondLimitsIs beyond) {
    const Asset& asset = asset_.opened().asset;
    body_ = std::make_unique<AssetBody>(value_or_fail(asset_.path(), AssetBody::make(asset, wanted_part())));
    if (!options_.joints) return;
    configurations_ = read_configurations(*options_.joints, asset_, *body_, beyond);
    placed_ = configurations_.size();
}

bool QuerySide::place(std::size_t index) {
    if (configurations_.empty()) return false;
    const std::size_t wanted = configurations_.size() == 1 ? 0 : index;
    if (placed_ == wanted + 1) return false;
    placed_ = wanted + 1;
    const Status status = body_->place(configurations_[wanted].values);
    if (status != Status::kOk)  // it was tried when it was read
        throw Failure(asset_.path(), {ErrorKind::kInternal, status_text(status)});
    return true;
}

std::string QuerySide::part_name(std::uint32_t part) const {
    return shown_part_name(asset_.opened().asset, body_->part(part));
}

}  // namespace espalier::tools
