// SPDX-License-Identifier: GPL-3.0-or-later
// The buffer views of a glTF file: pieces of buffers, as they are or decompressed by meshoptimizer.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "builder/import/gltf/buffers.h"
#include "builder/import/gltf/document.h"

namespace espalier::import_formats::gltf {

/// What the document says of a view.
struct ViewLayout {
    std::string where;         ///< "bufferView 3"
    std::uint64_t length = 0;  ///< bytes, once decompressed
    std::uint64_t stride = 0;  ///< bytes from element to element; 0: they lie close to each other
    const Json* json = nullptr;
};

class Views {
  public:
    /// Both must outlive this.
    Views(const Json& root, const Buffers& buffers) : root_(root), buffers_(buffers) {}

    /// By the document alone; `user` refers to the view.
    ViewLayout layout(std::uint64_t index, const std::string& user) const;

    /// The bytes of the view, `layout().length` of them. Compressed ones are decompressed once and kept.
    std::string_view bytes(std::uint64_t index, const std::string& user);

  private:
    std::string_view plain(const ViewLayout& view) const;
    std::string decompressed(const ViewLayout& view, const Json& extension) const;

    const Json& root_;
    const Buffers& buffers_;
    std::map<std::uint64_t, std::string> decompressed_;
};

}  // namespace espalier::import_formats::gltf
