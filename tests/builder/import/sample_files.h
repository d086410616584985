// SPDX-License-Identifier: GPL-3.0-or-later
// One small solid written in every format that the import reads.
#pragma once

#include <string>
#include <vector>

#include "builder/import/polygon_soup.h"

namespace espalier {

/// A file of the sample solid.
struct SampleFile {
    std::string name;  ///< "ascii.stl": variant and extension
    std::string bytes;
};

/// A unit cube, corner at the origin, of eight points and six outward quadrangles.
PolygonSoup sample_cube();

/// `sample_cube` in every format and variant: by CGAL's writers, by assimp's exporters, by hand where neither
/// can. All hold the same surface; formats that know only triangles hold it triangulated.
const std::vector<SampleFile>& sample_files();

/// The bytes of one of them.
const std::string& sample_file(const std::string& name);

}  // namespace espalier
