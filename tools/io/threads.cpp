// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/threads.h"

#include <latch>
#include <system_error>
#include <thread>
#include <vector>

namespace espalier::tools {

std::size_t threads_to_be_had(std::size_t wanted) {
    std::latch end(1);
    std::vector<std::thread> others;
    others.reserve(wanted);
    try {
        while (others.size() + 1 < wanted) others.emplace_back([&] { end.wait(); });
    } catch (const std::system_error&) {
        // That many there are.
    }
    end.count_down();
    for (std::thread& other : others) other.join();
    return others.size() + 1;
}

}  // namespace espalier::tools
