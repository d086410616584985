// SPDX-License-Identifier: MIT
// The state of a query lives in the bytes of its public object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "espalier/query.h"

namespace espalier {

/// Begins the lifetime of a state in the object's bytes. States are trivially destructible: nothing to end.
template <class State, std::size_t kBytes>
State* make_state(unsigned char (&bytes)[kBytes]) {
    static_assert(sizeof(State) <= kBytes && alignof(State) <= 16, "enlarge state_ in the public header");
    static_assert(__is_trivially_copyable(State), "a copy of the object must be a copy of the query");
    return new (bytes) State;
}

template <class State>
State* state(unsigned char* bytes) {
    return std::launder(reinterpret_cast<State*>(bytes));
}
template <class State>
const State* state(const unsigned char* bytes) {
    return std::launder(reinterpret_cast<const State*>(bytes));
}

/// Node tests at which a step with this budget ends.
inline std::uint64_t budget_limit(const Budget& budget, const Counters& counters) {
    const std::uint64_t room = Budget::kUnlimited - counters.node_tests;
    return budget.node_tests > room ? Budget::kUnlimited : counters.node_tests + budget.node_tests;
}

}  // namespace espalier
