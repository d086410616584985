// SPDX-License-Identifier: MIT
// The hierarchies that a part may have. Each gives its view, field ids, `read`, `verify` and `words` in its
// own room's format.h; a new one joins both lists here, and opening a file knows it.
#pragma once

#include "../aabb/format.h"
#include "../box/format.h"
#include "../cell/format.h"
#include "../sphere/format.h"

namespace espalier {

/// A list folds over its hierarchies up to the first fault; those that a part does not have are no fault.
template <class... Formats>
class HierarchyList {
  public:
    /// Fills the views of a part whose mesh was read.
    static Status read(const Table& part, PartView* view) {
        Status status = Status::kOk;
        static_cast<void>((((status = read_one<Formats>(part, view)) == Status::kOk) && ...));
        return status;
    }

    static Status verify(const PartView& part) {
        Status status = Status::kOk;
        static_cast<void>((((status = verify_one<Formats>(part)) == Status::kOk) && ...));
        return status;
    }

    /// Bytes of the file that the trees take, as far as the mesh does not bound them. A view of no tree is
    /// all zeros and takes none.
    static std::uint64_t bytes(const PartView& part) {
        return 4 * (std::uint64_t{0} + ... + Formats::words(part.*Formats::kView));
    }

  private:
    template <class Format>
    static bool present(const PartView& part) {
        return (part.*Format::kView).present();
    }

    template <class Format>
    static Status read_one(const Table& part, PartView* view) {
        if (!part.has(Format::kShapeField)) return Status::kOk;
        return Format::read(part.table(Format::kShapeField), view->mesh, &(view->*Format::kView));
    }

    template <class Format>
    static Status verify_one(const PartView& part) {
        return present<Format>(part) ? Format::verify(part.*Format::kView, part.mesh) : Status::kOk;
    }
};

// A file that is broken twice reports the first fault, so the orders are part of what a caller sees: they
// must not change, and a new hierarchy goes to the end of both.
using HierarchiesToRead = HierarchyList<AabbFormat, BoxFormat, CellFormat, SphereFormat>;
using HierarchiesToVerify = HierarchyList<BoxFormat, CellFormat, SphereFormat, AabbFormat>;

}  // namespace espalier
