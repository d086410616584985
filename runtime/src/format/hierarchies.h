// SPDX-License-Identifier: MIT
// The hierarchies that a part may have. Each gives its view, field ids, `read`, `verify` and `words` in its
// own room's format.h; a new one joins both lists here, and opening a file knows it.
#pragma once

#include "../aabb/format.h"
#include "../box/format.h"
#include "../cell/format.h"
#include "../sphere/format.h"

namespace espalier {

template <class A, class B>
struct SameType {
    static constexpr bool kSame = false;
};
template <class A>
struct SameType<A, A> {
    static constexpr bool kSame = true;
};

/// A list folds over its hierarchies up to the first fault; those that a part does not have are no fault.
template <class... Formats>
class HierarchyList {
  public:
    /// Fills the views of a part whose mesh was read.
    static Status read(const Table& part, ShapeView* view) {
        Status status = Status::kOk;
        static_cast<void>((((status = read_one<Formats>(part, view)) == Status::kOk) && ...));
        return status;
    }

    static Status verify(const ShapeView& part) {
        Status status = Status::kOk;
        static_cast<void>((((status = verify_one<Formats>(part)) == Status::kOk) && ...));
        return status;
    }

    /// Bytes of the file that the trees take, as far as the mesh does not bound them. A view of no tree is
    /// all zeros and takes none.
    static std::uint64_t bytes(const ShapeView& part) {
        return 4 * (std::uint64_t{0} + ... + Formats::words(part.*Formats::kView));
    }

    /// A bit for each hierarchy that the part has.
    static std::uint32_t present_bits(const ShapeView& part) {
        std::uint32_t bit = 1, result = 0;
        static_cast<void>(((result |= present<Formats>(part) ? bit : 0u, bit <<= 1), ...));
        return result;
    }

    /// Its bit, by the view of it.
    template <class View>
    static std::uint32_t bit_of() {
        std::uint32_t bit = 1, result = 0;
        static_cast<void>(((result |= is_view<View>(Formats::kView) ? bit : 0u, bit <<= 1), ...));
        return result;
    }

  private:
    template <class View, class Other>
    static constexpr bool is_view(Other ShapeView::*) {
        return SameType<View, Other>::kSame;
    }

    template <class Format>
    static bool present(const ShapeView& part) {
        return (part.*Format::kView).present();
    }

    template <class Format>
    static Status read_one(const Table& part, ShapeView* view) {
        if (!part.has(Format::kShapeField)) return Status::kOk;
        return Format::read(part.table(Format::kShapeField), view->mesh, &(view->*Format::kView));
    }

    template <class Format>
    static Status verify_one(const ShapeView& part) {
        return present<Format>(part) ? Format::verify(part.*Format::kView, part.mesh) : Status::kOk;
    }
};

// A file that is broken twice reports the first fault, so the orders are part of what a caller sees: they
// must not change, and a new hierarchy goes to the end of both.
using HierarchiesToRead = HierarchyList<AabbFormat, BoxFormat, CellFormat, SphereFormat>;
using HierarchiesToVerify = HierarchyList<BoxFormat, CellFormat, SphereFormat, AabbFormat>;

}  // namespace espalier
