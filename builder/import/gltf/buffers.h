// SPDX-License-Identifier: GPL-3.0-or-later
// The buffers of a glTF file: in files beside it, in data URIs, in the binary chunk of a GLB.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "builder/import/gltf/document.h"
#include "builder/import/referenced_file.h"

namespace espalier::import_formats::gltf {

class Buffers {
  public:
    /// Looks at the document alone; both must outlive this.
    explicit Buffers(const Json& root);

    /// Bytes that the document promises; `user` refers to the buffer.
    std::uint64_t length(std::uint64_t index, const std::string& user) const;

    /// Reads all that the document names, in its order. `binary` is the binary chunk, and must outlive this.
    /// What a buffer has beyond its length is left out.
    void load(std::string_view binary, ReferencedFiles& files);

    /// Whether the file has the bytes of the buffer: those that compressed views replace may be absent.
    bool present(std::uint64_t index, const std::string& user) const;

    /// The bytes after `load`.
    std::string_view bytes(std::uint64_t index, const std::string& user) const;

  private:
    struct Buffer {
        std::uint64_t length = 0;
        std::string_view bytes;
        bool present = false;
    };

    std::string_view read(const Json& buffer, std::size_t index, std::string_view binary,
                          ReferencedFiles& files, const std::string& where);

    const Json& root_;
    std::vector<Buffer> buffers_;
    std::deque<std::string> owned_;  // what `bytes` point into: it never moves
};

}  // namespace espalier::import_formats::gltf
