// SPDX-License-Identifier: GPL-3.0-or-later
// A body as plain data, from whatever source: shapes as polygon soups, parts that place them, joints, and
// pairs of parts that need no test. What bake_body (builder/bake_body.h) takes.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "builder/base/finding.h"
#include "builder/hierarchy/hierarchy.h"
#include "builder/import/polygon_soup.h"
#include "builder/import/provenance.h"
#include "espalier/part.h"

namespace espalier {

/// Most parts of a body. Each takes 136 bytes of the file, and up to some kilobytes of memory while it is
/// baked; a larger number lets a small file with many nodes ask for more.
constexpr std::size_t kMostParts = 100'000;

/// Triangles that parts place, stored once however often they do.
struct BodyShape {
    /// Stored, and called so in messages; the name of the part in a body of one part. UTF-8.
    std::string name;
    /// In the shape's own frame, in the unit of the body. `import_mesh` makes it from a MemoryMesh. Its unit,
    /// scale, provenance and findings are not used: the body has them.
    PolygonSoup soup;
    /// Hierarchies of this shape alone, e.g. another number of spheres; empty: those of the BakeOptions.
    std::optional<std::vector<TreeRequest>> trees = {};
    /// What to do if cleaning leaves no triangle of it: false: fail; true: leave it out with a finding, so
    /// that its parts are frames only.
    bool may_vanish = false;
};

/// Value of a joint = multiplier * value of the joint of `part` + offset.
struct BodyMimic {
    std::uint32_t part = kNoIndex;  ///< earlier or later
    double multiplier = 1;          ///< finite
    double offset = 0;              ///< finite
};

/// How a part moves against its parent.
struct BodyJoint {
    Joint kind = Joint::kFixed;                      ///< how it moves
    std::string name;                                ///< UTF-8, unlike all other joints; empty: none
    Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< unit length, in the part's frame; 0 if fixed or free
    double lower = -__builtin_huge_val();            ///< least value; -infinity: none
    double upper = __builtin_huge_val();             ///< largest; +infinity: none
    std::optional<BodyMimic> mimic = {};             ///< the joint that it follows
};

/// A rigid piece: a placed shape, or a frame that others hang on.
struct BodyPart {
    std::string name;                 ///< UTF-8, unlike all other parts, not empty
    std::uint32_t parent = kNoIndex;  ///< an earlier part; kNoIndex: the body's own frame
    Eigen::Quaterniond rotation =
        Eigen::Quaterniond::Identity();                     ///< at rest in the parent's frame, unit length
    Eigen::Vector3d translation = Eigen::Vector3d::Zero();  ///< likewise, finite
    std::uint32_t shape = kNoIndex;                         ///< kNoIndex: a frame only
    BodyJoint joint = {};                                   ///< how it moves
};

/// A body. Pairs as they are stored (espalier/part.h): either order of a and b, any order of pairs, none
/// twice.
struct BodyDescription {
    std::vector<BodyShape> shapes;  ///< at least one
    std::vector<BodyPart> parts;    ///< parents before their children; at least one
    std::vector<PartPair> pairs;    ///< that need no test
    std::string unit;               ///< of all lengths, after scaling; empty: not stated
    double scale = 1.0;             ///< that source coordinates were multiplied by
    Provenance provenance;          ///< the file that this came from
    std::vector<Finding> findings;  ///< what was noticed on the way here
    /// What decides the bytes besides the BakeOptions, recorded with them: name and value.
    std::vector<std::pair<std::string, std::string>> options;
};

}  // namespace espalier
