// SPDX-License-Identifier: GPL-3.0-or-later
// glTF files made in memory, with the encoders of Draco and meshoptimizer.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "builder/surface/triangle_mesh.h"

namespace espalier::testing {

using Json = nlohmann::json;

/// The bytes of values, one after the other.
template <class T>
std::string bytes_of(const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// x y z of all vertices.
std::vector<float> coordinates(const TriangleMesh& mesh);
std::vector<std::uint32_t> corner_indices(const TriangleMesh& mesh);

/// A glTF file of one buffer. Each function appends, and answers with the index of what it made.
class GltfFile {
  public:
    std::uint64_t view(std::string_view bytes, std::uint64_t stride = 0);
    std::uint64_t accessor(std::uint64_t view, int component, const char* type, std::uint64_t count,
                           const Json& more = Json::object());
    std::uint64_t floats(const std::vector<float>& values, const char* type);
    std::uint64_t indices(const std::vector<std::uint32_t>& values);
    /// A mesh of one primitive.
    std::uint64_t mesh(const Json& primitive);
    std::uint64_t node(const Json& node);

    /// The same triangles, plain and compressed, with a node that places them.
    std::uint64_t plain_mesh(const TriangleMesh& mesh);
    std::uint64_t draco_mesh(const TriangleMesh& mesh, int quantization_bits, bool edgebreaker = true);
    std::uint64_t meshopt_mesh(const TriangleMesh& mesh);

    /// A view that meshoptimizer compresses; `bytes` are what it holds, `mode` ATTRIBUTES, TRIANGLES or
    /// INDICES.
    std::uint64_t meshopt_view(std::string_view bytes, std::uint64_t stride, const std::string& mode,
                               const std::string& filter = "NONE");

    void require(const std::string& extension);

    /// The file: text with the buffer in a data URI, or binary.
    std::string text() const;
    std::string glb() const;

    Json json = {{"asset", {{"version", "2.0"}}}};
    std::string buffer;

  private:
    std::uint64_t append(const char* list, Json value);
    Json finished() const;
};

}  // namespace espalier::testing
