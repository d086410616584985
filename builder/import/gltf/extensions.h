// SPDX-License-Identifier: GPL-3.0-or-later
// Which extensions of glTF are read, and which can be left out because they concern looks alone.
#pragma once

#include "builder/import/gltf/document.h"

namespace espalier::import_formats::gltf {

/// Fails with kUnsupported where the file cannot be read without an extension that is not known here.
void check_extensions(const Json& root);

/// Whether the file says that it uses the extension `name`.
bool uses_extension(const Json& root, std::string_view name);

}  // namespace espalier::import_formats::gltf
