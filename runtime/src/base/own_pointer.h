// SPDX-License-Identifier: MIT
// A pointer into memory that may be part of the same object: it is kept as a distance then, so that a copy of
// the object points into the copy.
#pragma once

#include <cstdint>

namespace espalier {

template <class T>
class OwnPointer {
  public:
    /// @param own `target` is part of the same object as this, and is copied with it
    void set(T* target, bool own) {
        base_ = own ? ~std::uintptr_t{0} : 0;
        place_ = reinterpret_cast<std::uintptr_t>(target) - (base_ & reinterpret_cast<std::uintptr_t>(this));
    }
    T* get() const { return reinterpret_cast<T*>(place_ + (base_ & reinterpret_cast<std::uintptr_t>(this))); }

  private:
    std::uintptr_t base_;  ///< all bits: `place_` counts from this object; none: it is an address
    std::uintptr_t place_;
};

}  // namespace espalier
