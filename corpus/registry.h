// SPDX-License-Identifier: GPL-3.0-or-later
// The list of all well-behaved meshes, for tests, benchmarks and the generator program.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/shape.h"

namespace espalier::corpus {

/// One kind of mesh. Every triangle of every one belongs to a closed, outward-facing manifold.
struct CorpusMesh {
    std::string name;                     ///< lower case with hyphens; also the file's name
    std::string summary;                  ///< what it is, for people
    std::string parameters;               ///< the default parameters, as "name=value" pairs
    std::uint32_t default_triangles = 0;  ///< what `make` returns
    std::uint32_t components = 1;         ///< connected pieces of the default mesh
    std::uint32_t handles = 0;            ///< sum of the genera of the pieces
    bool pieces_overlap = false;          ///< the pieces run into each other: inside and outside need care

    std::function<TriangleMesh()> make;  ///< with the default parameters
    /// With parameters scaled so that the count comes as near to `triangles` as the shape's granularity
    /// allows (exact for the torus when half the number has two factors of similar size). From 100 to
    /// 10,000,000.
    std::function<TriangleMesh(std::uint32_t triangles)> make_near;
};

/// All kinds, in a fixed order.
const std::vector<CorpusMesh>& corpus_meshes();

/// The kind called `name`, or null.
const CorpusMesh* find_corpus_mesh(std::string_view name);

}  // namespace espalier::corpus
