// SPDX-License-Identifier: GPL-3.0-or-later
// A mesh with a hand-made sphere tree, opened with full verification.
#pragma once

#include <stdexcept>
#include <string>

#include "espalier/sphere_query.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/sphere_asset.h"

namespace espalier::testing {

class SpherePart {
  public:
    SpherePart(std::string name, const TriangleMesh& mesh, const HandSphereOptions& options = {})
        : name_(std::move(name)), bytes_(sphere_asset(mesh, options)) {
        Asset asset;
        Status status = open(bytes_.data(), bytes_.size(), Verify::kFull, &asset);
        if (status == Status::kOk) status = asset.part(0, &part_);
        if (status != Status::kOk) throw std::runtime_error(name_ + ": " + status_text(status));
    }
    const std::string& name() const { return name_; }
    const ShapeView& part() const { return part_; }

  private:
    std::string name_;
    ExactBytes bytes_;
    ShapeView part_;
};

/// Radius of the ball around a part's bounds.
inline double radius_of(const ShapeView& part) {
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const double half = (double(part.hi[k]) - double(part.lo[k])) / 2;
        squared += half * half;
    }
    return std::sqrt(squared);
}

}  // namespace espalier::testing
