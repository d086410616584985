// SPDX-License-Identifier: GPL-3.0-or-later
// The table of all ugly files.
#include "corpus/ugly_files.h"

#include <iterator>
#include <utility>

namespace espalier::corpus {

const std::vector<UglyFile>& ugly_files() {
    static const std::vector<UglyFile> kAll = [] {
        std::vector<UglyFile> files = ugly_geometry();
        for (std::vector<UglyFile> more : {ugly_polygons(), ugly_bytes(), ugly_gltf()})
            files.insert(files.end(), std::make_move_iterator(more.begin()),
                         std::make_move_iterator(more.end()));
        return files;
    }();
    return kAll;
}

}  // namespace espalier::corpus
