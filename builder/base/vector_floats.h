// SPDX-License-Identifier: GPL-3.0-or-later
// The compilers' own vectors of eight float32, for loops that are compiled once for every processor and once
// for AVX2. Those loops call nothing from other headers, not even inline functions: the linker might keep the
// wider of two copies for a processor that cannot run it. So there are types and macros here, and no
// functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace espalier {

/// Numbers in a vector. A power of two; AVX2 holds eight, more would be two vectors each. Points are grouped
/// by it: another number changes what is sampled, and so the bytes of baked spheres.
constexpr std::size_t kVectorLanes = 8;

/// As results of comparisons: true is -1, all bits set.
typedef float Floats __attribute__((vector_size(4 * kVectorLanes)));
typedef std::int32_t Ints __attribute__((vector_size(4 * kVectorLanes)));
/// The same at any address.
struct __attribute__((packed, may_alias)) FloatsAt {
    Floats v;
};
struct __attribute__((packed, may_alias)) IntsAt {
    Ints v;
};

#define ESPALIER_FLOATS(values) (reinterpret_cast<const FloatsAt*>(values)->v)
#define ESPALIER_INTS(values) (reinterpret_cast<const IntsAt*>(values)->v)

}  // namespace espalier
