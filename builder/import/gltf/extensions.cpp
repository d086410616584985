// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/extensions.h"

#include <algorithm>
#include <span>

namespace espalier::import_formats::gltf {
namespace {

constexpr std::string_view kRead[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression",
                                      "KHR_meshopt_compression", "KHR_mesh_quantization",
                                      "EXT_mesh_gpu_instancing"};

// Parts of the names of extensions that add looks, motion or notes, and leave every surface where it is.
constexpr std::string_view kHarmlessParts[] = {"_materials_", "_texture_",  "_lights_",
                                               "_animation_", "_technique", "_xmp"};
constexpr std::string_view kHarmless[] = {"EXT_mesh_features",
                                          "EXT_structural_metadata",
                                          "EXT_instance_features",
                                          "EXT_feature_metadata",
                                          "EXT_mesh_manifold",
                                          "CESIUM_primitive_outline",
                                          "MSFT_lod"};

// The document's lists of what surfaces look like and how they move.
constexpr const char* kLooks[] = {"materials", "textures", "images", "samplers", "animations", "cameras"};
// The document's lists of what makes and places surfaces.
constexpr const char* kSurfaces[] = {"buffers", "bufferViews", "accessors", "meshes",
                                     "nodes",   "scenes",      "skins"};

bool is_harmless(std::string_view name) {
    const auto is_part = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    return std::ranges::any_of(kHarmlessParts, is_part) || std::ranges::count(kHarmless, name) > 0;
}

/// Whether something below `value` has an extension of this name. The document's depth is bounded by the
/// parser.
bool has_extension(const Json& value, const std::string& name) {
    if (!value.is_structured()) return false;
    if (value.is_object())
        if (const Json* extensions = member(value, "extensions"))
            if (extensions->is_object() && extensions->contains(name)) return true;
    return std::ranges::any_of(value, [&](const Json& below) { return has_extension(below, name); });
}

bool is_used_in(const Json& root, std::span<const char* const> lists, const std::string& name) {
    return std::ranges::any_of(lists, [&](const char* list) {
        const Json* elements = member(root, list);
        return elements != nullptr && has_extension(*elements, name);
    });
}

/// An extension that is not known here, but used by looks and by nothing that makes or places a surface.
bool is_of_looks(const Json& root, const std::string& name) {
    return is_used_in(root, kLooks, name) && !is_used_in(root, kSurfaces, name);
}

}  // namespace

void check_extensions(const Json& root) {
    for (const Json& extension : array(root, "extensionsRequired", "the file")) {
        if (!extension.is_string()) fail("\"extensionsRequired\" holds something that is not a name");
        const auto& name = extension.get_ref<const std::string&>();
        if (std::ranges::count(kRead, name) == 0 && !is_harmless(name) && !is_of_looks(root, name))
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
