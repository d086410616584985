// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/volumes.h"

namespace espalier {
namespace {

void limit(TreeVolumes& tree, std::size_t most) {
    std::size_t total = 0, kept = 0;
    for (const VolumeLevel& level : tree.levels) {
        total += level.inner.size() + level.leaves.size();
        if (total > most && kept > 0) break;
        ++kept;
    }
    tree.omitted_levels = static_cast<std::uint32_t>(tree.levels.size() - kept);
    tree.levels.resize(kept);
}

}  // namespace

std::vector<TreeVolumes> decode_volumes(const ShapeView& part, std::size_t most, HierarchyRows list) {
    std::vector<TreeVolumes> trees;
    for (const Hierarchy* row : ranked(list, &HierarchyRanks::shown)) {
        if (!row->present(part)) continue;
        trees.push_back({row, row->volumes(part), 0});
        limit(trees.back(), most);
    }
    return trees;
}

}  // namespace espalier
