// SPDX-License-Identifier: GPL-3.0-or-later
// What a hierarchy is to the rest of the project: one row that its folder fills. Baking, writing, checking,
// dumping, viewing and querying loop over the rows (builder/hierarchies.h) and name none of them.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "builder/base/finding.h"
#include "builder/base/progress.h"
#include "builder/base/result.h"
#include "builder/hierarchy/check_item.h"
#include "builder/hierarchy/description.h"
#include "builder/hierarchy/query_method.h"
#include "builder/hierarchy/tree_option.h"
#include "builder/hierarchy/volumes.h"

namespace espalier {

struct Hierarchy;
struct PartWriter;
struct TriangleMesh;
struct WrittenTree;

/// A hierarchy of one mesh, built and ready to be written.
class BuiltTree {
  public:
    virtual ~BuiltTree() = default;

    virtual const Hierarchy& hierarchy() const = 0;  ///< the row that built it
    /// Triangles of the mesh in the order of the leaves; empty: it has no order of its own. The mesh is
    /// stored in the order of the first hierarchy that has one.
    virtual std::span<const std::uint32_t> leaf_order() const { return {}; }
    /// Bytes that it takes in a file, at most and within a few.
    virtual std::size_t payload_bytes() const = 0;
    virtual TreeReport report() const = 0;  ///< for the report of the bake
    /// What was noticed on the way. T01 holes filled, T02 no medial axis.
    virtual std::span<const Finding> findings() const { return {}; }
    /// Why a query could miss contacts; empty: it cannot. Strict mode refuses such a tree.
    virtual std::string unsafe_reason() const { return {}; }
    /// Writes its table (builder/hierarchy/part_writer.h).
    virtual WrittenTree write(const PartWriter& part) const = 0;
};
using BuiltTreePtr = std::shared_ptr<const BuiltTree>;

/// Places of a hierarchy in lists whose order users rely on, the least first.
struct HierarchyRanks {
    int shown;    ///< help, dump, view
    int built;    ///< builds, and the report of a bake
    int checked;  ///< the findings of a check
};

/// The row. Options structs travel as std::any that holds the hierarchy's own (CellTreeOptions, ...).
/// Functions that take a part want one that was fully verified; all but `present` want it to have the
/// hierarchy.
struct Hierarchy {
    const char* name;      ///< "cell"; on the command line, in reports and folders
    const char* summary;   ///< what it is, half a sentence
    const char* paper;     ///< author and year
    HierarchyRanks ranks;  ///< its places in lists
    bool by_default;       ///< baked unless other trees are asked for

    std::any (*default_options)();        ///< what `build` takes unless told
    std::span<const TreeOption> options;  ///< by their names on the command line
    /// The result depends on mesh and options only. May return anything when `progress` was cancelled.
    Result<BuiltTreePtr> (*build)(const TriangleMesh& mesh, const std::any& options, Progress& progress);

    bool (*present)(const ShapeView& part);                      ///< whether the part has it
    std::vector<CheckItem> (*check)(const ShapeView& part);      ///< proves the geometry, for `check`
    TreeDescription (*describe)(const ShapeView& part);          ///< for `dump`
    VolumeShape shape;                                           ///< of `volumes`
    std::vector<VolumeLevel> (*volumes)(const ShapeView& part);  ///< for `view`, level by level
    std::span<const QueryMethod> (*query_methods)();             ///< for `query`
};

/// A hierarchy to bake, with its options.
struct TreeRequest {
    const Hierarchy* hierarchy = nullptr;  ///< its row
    std::any options;                      ///< of the type that the row wants
};

}  // namespace espalier
