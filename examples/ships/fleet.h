// SPDX-License-Identifier: MIT
// The files that ships are made of, mapped and verified.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "espalier/map_file.h"
#include "examples/ships/world.h"

namespace ships {

struct Fleet {
    std::vector<std::unique_ptr<espalier::MappedFile>> files;
    std::vector<Hull> hulls;
};

/// Opens baked files with one part each; false with a message on stderr.
bool load_fleet(const std::vector<std::string>& paths, Fleet* fleet);

/// Whether all hulls have what a mode needs: "exact" aabb trees, "octree" and "medial" also sphere trees made
/// so.
bool fits_mode(const Fleet& fleet, const std::string& mode);

}  // namespace ships
