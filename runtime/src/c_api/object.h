// SPDX-License-Identifier: MIT
// A C++ object inside the caller's C one.
#pragma once

#include <new>

#include "convert.h"

namespace espalier::c_api {

template <class Cpp, class C>
Cpp* made(C* object) {
    // NOLINTNEXTLINE(misc-redundant-expression): it takes the sizes of two types for the same.
    static_assert(sizeof(Cpp) <= sizeof(C) && alignof(Cpp) <= alignof(C), "enlarge the C object");
    return new (static_cast<void*>(object)) Cpp;
}
template <class Cpp, class C>
Cpp* inside(C* object) {
    return std::launder(reinterpret_cast<Cpp*>(object));
}
template <class Cpp, class C>
const Cpp* inside(const C* object) {
    return std::launder(reinterpret_cast<const Cpp*>(object));
}

}  // namespace espalier::c_api
