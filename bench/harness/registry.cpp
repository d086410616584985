// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "bench/harness/library.h"

namespace espalier_bench {
namespace {

std::vector<LibraryEntry>& entries() {
    static std::vector<LibraryEntry> list;  // built by static objects of other files, in any order
    return list;
}

}  // namespace

Registration::Registration(LibraryInfo info, std::function<std::unique_ptr<Library>()> make) {
    entries().push_back({std::move(info), std::move(make)});
}

std::vector<LibraryEntry> all_libraries() {
    std::vector<LibraryEntry> sorted = entries();
    std::sort(sorted.begin(), sorted.end(), [](const LibraryEntry& a, const LibraryEntry& b) {
        return a.info.rank != b.info.rank ? a.info.rank < b.info.rank : a.info.name < b.info.name;
    });
    return sorted;
}

void deform_position(const ModelData& model, double phase, const float in[3], float out[3]) {
    const double wave = 6.283185307179586 / (model.extent > 0 ? model.extent : 1.0);
    const double height = 0.05 * model.extent;
    for (int axis = 0; axis < 3; ++axis) {
        const double along = in[(axis + 1) % 3] - model.centre[(axis + 1) % 3];
        out[axis] = static_cast<float>(in[axis] + height * std::sin(wave * along + phase + axis));
    }
}

}  // namespace espalier_bench
