// SPDX-License-Identifier: MIT
// Preconditions and the bounds of fixed stacks, checked where ESPALIER_ASSERTIONS is defined: debug and
// sanitizer builds. A release has none of it, not even the condition: its objects are those of sources
// without the asserts (tests/runtime/alone/assert_free.py).
#pragma once

#if defined(ESPALIER_ASSERTIONS)
#define ESPALIER_ASSERT(condition) ((condition) ? static_cast<void>(0) : __builtin_trap())
#else
#define ESPALIER_ASSERT(condition) static_cast<void>(0)
#endif
