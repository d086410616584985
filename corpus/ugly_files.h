// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a mesh baker meets in the wild and must answer well: bad geometry, bad bytes, bad names.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace espalier::corpus {

/// One bad input and the answer that `espalier bake` owes its user.
struct UglyFile {
    enum class Kind {
        kFile,       ///< a regular file
        kDirectory,  ///< a folder with a mesh file's name
        kAbsent,     ///< a name at which there is nothing
    };

    std::string name;  ///< unique; with its extension
    std::string what;  ///< what is wrong with it, for people
    /// 0: baked; 2: cannot be read; 3: read, and unusable; 5: not supported. The list in full:
    /// builder/result.h.
    int exit_code = 0;
    /// Must be found in what bake says, ignoring case: in the error message on stderr when it fails, in its
    /// report when it bakes. A regular expression of alternatives and classes only, the same in ECMAScript
    /// and Python. Empty: nothing is required.
    std::string says;
    /// How many triangles the baked asset has; 0 when bake fails, -1 when several numbers are right.
    int triangles = 0;

    std::function<std::string()> bytes;  ///< the contents; empty for a kind other than kFile
    Kind kind = Kind::kFile;
};

/// All of them, in a fixed order: the single source of the files and of their manifest.
const std::vector<UglyFile>& ugly_files();

/// Those whose geometry is bad while the file is well formed (part of ugly_files).
std::vector<UglyFile> ugly_geometry();

/// Those whose polygons are not plain triangles (part of ugly_files).
std::vector<UglyFile> ugly_polygons();

/// Those that are not well-formed files of their format, or oddly written ones (part of ugly_files).
std::vector<UglyFile> ugly_bytes();

/// Those of scenes in glTF (part of ugly_files).
std::vector<UglyFile> ugly_gltf();

}  // namespace espalier::corpus
