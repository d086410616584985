// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/extensions.h"

#include <algorithm>

namespace espalier::import_formats::gltf {
namespace {

constexpr std::string_view kRead[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression",
                                      "KHR_meshopt_compression", "KHR_mesh_quantization",
                                      "EXT_mesh_gpu_instancing"};

// Parts of the names of extensions that add looks, motion or notes, and leave every surface where it is.
constexpr std::string_view kHarmlessParts[] = {"_materials_", "_texture_", "_lights_", "_animation_", "_xmp"};
constexpr std::string_view kHarmless[] = {
    "EXT_mesh_features", "EXT_structural_metadata", "EXT_instance_features",    "EXT_feature_metadata",
    "EXT_mesh_manifold", "KHR_techniques_webgl",    "CESIUM_primitive_outline", "MSFT_lod"};

bool is_harmless(std::string_view name) {
    const auto is_part = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    return std::ranges::any_of(kHarmlessParts, is_part) || std::ranges::count(kHarmless, name) > 0;
}

}  // namespace

void check_extensions(const Json& root) {
    for (const Json& extension : array(root, "extensionsRequired", "the file")) {
        if (!extension.is_string()) fail("\"extensionsRequired\" holds something that is not a name");
        const auto& name = extension.get_ref<const std::string&>();
        if (std::ranges::count(kRead, name) == 0 && !is_harmless(name))
            fail("the glTF extension " + name + " is not supported; export the file without it",
                 ErrorKind::kUnsupported);
    }
}

bool uses_extension(const Json& root, std::string_view name) {
    for (const char* list : {"extensionsUsed", "extensionsRequired"})
        for (const Json& extension : array(root, list, "the file"))
            if (extension.is_string() && extension.get_ref<const std::string&>() == name) return true;
    return false;
}

}  // namespace espalier::import_formats::gltf
