// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/instances.h"

#include <optional>

#include "builder/import/gltf/transforms.h"

namespace espalier::import_formats::gltf {
namespace {

const AccessorKind kKinds[] = {
    {"TRANSLATION", "VEC3", {kFloat}, "5126 (float)"},
    {"ROTATION", "VEC4", {kByte, kShort, kFloat}, "5120, 5122 or 5126"},
    {"SCALE", "VEC3", {kFloat}, "5126 (float)"},
};

}  // namespace

std::uint64_t instance_count(const Json& attributes, const Accessors& accessors, const std::string& where) {
    std::uint64_t count = 0;
    const char* first = nullptr;
    for (const AccessorKind& kind : kKinds) {
        const Json* index = member(attributes, kind.name);
        if (index == nullptr) continue;
        const std::uint64_t own = accessors.layout(integer(*index, where, kind.name), kind, where).count;
        if (first != nullptr && own != count)
            fail(where + " has instances with " + std::to_string(count) + " values of " + first + " and " +
                 std::to_string(own) + " of " + kind.name);
        first = kind.name;
        count = own;
    }
    if (first == nullptr)
        fail(where + " has instances without TRANSLATION, ROTATION and SCALE, which do not say how many");
    return count;
}

std::vector<Eigen::Affine3d> instance_transforms(const Json& attributes, Accessors& accessors,
                                                 const std::string& where) {
    const std::uint64_t count = instance_count(attributes, accessors, where);
    std::optional<Numbers> values[3];
    for (int i = 0; i < 3; ++i)
        if (const Json* index = member(attributes, kKinds[i].name))
            values[i] = accessors.numbers(integer(*index, where, kKinds[i].name), kKinds[i], where);
    const auto at = [&](int which, std::uint64_t i) {
        return values[which] ? values[which]->at(i) : nullptr;
    };
    std::vector<Eigen::Affine3d> transforms;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string instance = where + ", instance " + std::to_string(i);
        transforms.push_back(composed(at(0, i), at(1, i), at(2, i), instance));
        if (is_singular(transforms.back())) fail(instance + " has a singular transform: a scale of 0");
    }
    return transforms;
}

}  // namespace espalier::import_formats::gltf
