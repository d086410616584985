// SPDX-License-Identifier: GPL-3.0-or-later
// While a trap is set, any call of malloc or operator new from this program's own code ends it.
#pragma once

namespace espalier::testing {

class AllocationTrap {
  public:
    AllocationTrap();
    ~AllocationTrap();
    AllocationTrap(const AllocationTrap&) = delete;
    AllocationTrap& operator=(const AllocationTrap&) = delete;
};

}  // namespace espalier::testing
