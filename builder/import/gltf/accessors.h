// SPDX-License-Identifier: GPL-3.0-or-later
// The accessors of a glTF file: arrays of numbers of eight kinds, interleaved, sparse or normalized as they
// may be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "builder/import/gltf/document.h"
#include "builder/import/gltf/views.h"

namespace espalier::import_formats::gltf {

/// Types of components, by their numbers in the file.
enum Component : std::uint64_t {
    kByte = 5120,
    kUnsignedByte = 5121,
    kShort = 5122,
    kUnsignedShort = 5123,
    kUnsignedInt = 5125,
    kFloat = 5126,
};

/// What a use of an accessor asks for.
struct AccessorKind {
    const char* name;  ///< "positions", for messages
    const char* type;  ///< "VEC3"
    std::vector<std::uint64_t> components;
    const char* allowed;  ///< the same in words
};

/// What the document says of an accessor.
struct AccessorLayout {
    std::string where;  ///< "accessor 3"
    std::uint64_t count = 0;
    std::uint64_t component = 0;  ///< see Component
    std::uint64_t width = 0;      ///< components of an element
    bool normalized = false;
    std::optional<std::uint64_t> view;  ///< none: zeros, or bytes that an extension has
    std::uint64_t offset = 0;           ///< in the view
    std::uint64_t stride = 0;           ///< bytes from element to element
    const Json* sparse = nullptr;
};

/// `count` elements of `width` numbers.
struct Numbers {
    std::uint64_t count = 0, width = 0;
    std::vector<double> values;

    const double* at(std::uint64_t i) const { return values.data() + i * width; }
    double* at(std::uint64_t i) { return values.data() + i * width; }
};

class Accessors {
  public:
    /// Both must outlive this.
    Accessors(const Json& root, Views& views) : root_(root), views_(views) {}

    /// By the document alone. Fails where the accessor is none of the kind, or reaches beyond its view.
    AccessorLayout layout(std::uint64_t index, const AccessorKind& kind, const std::string& user) const;

    /// The numbers; those of normalized integers between -1 and 1.
    Numbers numbers(std::uint64_t index, const AccessorKind& kind, const std::string& user);

    /// The integers of a SCALAR accessor.
    std::vector<std::uint32_t> indices(std::uint64_t index, const AccessorKind& kind,
                                       const std::string& user);

  private:
    std::string packed(const AccessorLayout& layout);
    void apply_sparse(const AccessorLayout& layout, std::string& bytes);

    const Json& root_;
    Views& views_;
};

/// A normalized integer as the number that it stands for (section 3.11).
double normalized_value(double value, std::uint64_t component);

/// Bytes of a component; 0: there is no such type.
std::uint64_t component_bytes(std::uint64_t component);

}  // namespace espalier::import_formats::gltf
