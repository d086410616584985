// SPDX-License-Identifier: GPL-3.0-or-later
// One asset of a query, as a single shape or as a body.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "builder/asset/asset_body.h"
#include "tools/io/asset_file.h"
#include "tools/io/joint_list.h"
#include "tools/options/query_options.h"

namespace espalier::tools {

class QuerySide {
  public:
    /// Opens the asset. Throws Failure, also when a part lacks the hierarchy.
    QuerySide(const QuerySideOptions& options, const Hierarchy& hierarchy);

    const AssetFile& asset() const { return asset_; }
    /// One shape whose frame is the asset's: no body is needed to ask it.
    bool is_single_shape() const;

    /// Makes the body and reads its configurations. Throws Failure.
    void become_body(BeyondLimitsIs beyond);
    const Body& body() const { return body_->body(); }
    const std::vector<NumberLine>& configurations() const { return configurations_; }
    /// Puts the body's parts where configuration `index` has them; returns whether it had to.
    bool place(std::size_t index);
    /// The name of a part of the body.
    std::string part_name(std::uint32_t part) const;

  private:
    void check_hierarchy(const Hierarchy& hierarchy) const;
    std::uint32_t wanted_part() const;

    QuerySideOptions options_;
    AssetFile asset_;
    std::unique_ptr<AssetBody> body_;
    std::vector<NumberLine> configurations_;  // none: at rest
    std::size_t placed_ = 0;                  // the configuration that the body is in, from 1
};

}  // namespace espalier::tools
