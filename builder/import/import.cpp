// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the file, picks the format, scales, and checks what every format promises.
#include "builder/import/import.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <istream>
#include <new>
#include <system_error>

#include "builder/import/finish_import.h"
#include "builder/import/import_formats.h"

namespace espalier {
namespace import_formats {

Result<std::string> read_file(const std::filesystem::path& path, const std::string& what) {
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (status.type() == std::filesystem::file_type::not_found)
        return Error{ErrorKind::kInputOutput, what + "no such file"};
    if (code) return Error{ErrorKind::kInputOutput, what + code.message()};
    if (std::filesystem::is_directory(status))
        return Error{ErrorKind::kInputOutput, what + "this is a directory, not a mesh file"};
    // A pipe or device could go on for ever.
    if (!std::filesystem::is_regular_file(status))
        return Error{ErrorKind::kInputOutput, what + "this is not a regular file"};
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    if (code) return Error{ErrorKind::kInputOutput, what + code.message()};

    std::ifstream stream(path, std::ios::binary);
    if (!stream) return Error{ErrorKind::kInputOutput, what + "cannot be opened for reading (permissions?)"};
    try {
        std::string bytes(size, '\0');
        stream.read(bytes.data(), static_cast<std::streamsize>(size));
        if (static_cast<std::uintmax_t>(stream.gcount()) != size)
            return Error{ErrorKind::kInputOutput, what + "reading stopped after " +
                                                      std::to_string(stream.gcount()) + " of " +
                                                      std::to_string(size) + " bytes"};
        return bytes;
    } catch (const std::exception&) {
        return Error{ErrorKind::kUnsupported,
                     what + "not enough memory for " + std::to_string(size) + " bytes"};
    }
}

Error too_many(std::uint64_t count, const std::string& things) {
    return {ErrorKind::kUnsupported,
            "the file has " + std::to_string(count) + " " + things + ", more than are read; divide it"};
}

std::string read_some(std::istream& file, std::uint64_t size) {
    std::string bytes(size, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

}  // namespace import_formats

namespace {

using namespace import_formats;

std::string lower_extension(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return extension;
}

/// Reads a scene that is called `name` where the file does not say.
using Reader = Result<Scene> (*)(std::string_view bytes, ReferencedFiles& files, const std::string& name,
                                 const ImportOptions& options);

/// A reader of files that hold one mesh.
template <Result<PolygonSoup> (*read)(std::string_view)>
Result<Scene> read_one(std::string_view bytes, ReferencedFiles&, const std::string& name,
                       const ImportOptions&) {
    auto soup = read(bytes);
    if (!soup) return soup.error();
    return scene_of(name, std::move(soup).value());
}

/// A reader of scenes that lie in the file alone.
template <Result<Scene> (*read)(std::string_view)>
Result<Scene> read_scene(std::string_view bytes, ReferencedFiles&, const std::string& name,
                         const ImportOptions&) {
    auto scene = read(bytes);
    if (scene) scene.value().name = name;
    return scene;
}

Result<Scene> read_gltf_scene(std::string_view bytes, ReferencedFiles& files, const std::string& name,
                              const ImportOptions& options) {
    auto scene = read_gltf(bytes, files, options);
    if (scene) scene.value().name = name;
    return scene;
}

using HeadCheck = std::optional<Error> (*)(std::istream& file, std::uint64_t size,
                                           const ImportOptions& options);

struct Format {
    std::string_view extension;
    Reader read;
    HeadCheck check_head = nullptr;
};

// Bytes of files whose head is looked at first: smaller ones take no time and memory that matter.
constexpr std::uint64_t kLargeFile = 64'000'000;

// In alphabetical order, as messages list them.
const Format kFormats[] = {
    {".3ds", read_scene<read_3ds>},
    {".dae", read_scene<read_dae>},
    {".fbx", read_scene<read_fbx>},
    {".glb", read_gltf_scene, check_glb_head},
    {".gltf", read_gltf_scene},
    {".obj", read_one<read_obj>},
    {".off", read_one<read_off>},
    {".ply", read_one<read_ply>, check_ply_head},
    {".stl", read_one<read_stl>, check_stl_head},
};

std::optional<Error> check_head(const std::filesystem::path& path, const Format& format,
                                const ImportOptions& options) {
    std::error_code code;
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    if (code || format.check_head == nullptr || size <= kLargeFile) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    return file ? format.check_head(file, size, options) : std::nullopt;
}

const Format* find_format(const std::filesystem::path& path) {
    const std::string extension = lower_extension(path);
    for (const Format& format : kFormats)
        if (format.extension == extension) return &format;
    return nullptr;
}

// What the readers guarantee is checked once more: everything after the import relies on it.
std::optional<Error> check_corners(const PolygonSoup& soup, const std::string& where) {
    if (soup.points.size() > kMaxVertices)
        return Error{ErrorKind::kUnsupported,
                     where + std::to_string(soup.points.size()) + " vertices are too many"};
    for (std::size_t i = 0; i < soup.polygon_count(); ++i)
        for (const std::uint32_t corner : soup.polygon(i))
            if (corner >= soup.points.size())
                return Error{ErrorKind::kInvalidInput,
                             where + "face " + std::to_string(i) + " refers to vertex " +
                                 std::to_string(corner) + ", but there are " +
                                 std::to_string(soup.points.size()) + " (counted from 0)"};
    return std::nullopt;
}

std::optional<Error> check_nodes(const Scene& scene) {
    std::size_t placed = 0, vertices = 0;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const SceneNode& node = scene.nodes[i];
        const bool has_mesh = node.mesh != kNone;
        if ((node.parent != kNone && node.parent >= i) || (has_mesh && node.mesh >= scene.meshes.size()))
            return Error{ErrorKind::kInternal, "node " + std::to_string(i) + " of the scene is out of place"};
        if (has_mesh) placed += scene.meshes[node.mesh].soup.polygon_count();
    }
    if (placed > 0) return std::nullopt;
    for (const SceneMesh& mesh : scene.meshes) vertices += mesh.soup.points.size();
    return Error{ErrorKind::kInvalidInput,
                 "the file has no faces (" + std::to_string(vertices) + " vertices); a surface is needed"};
}

std::optional<Error> check_scene(const Scene& scene) {
    if (auto error = check_nodes(scene)) return error;
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
        const std::string where = scene.meshes.size() == 1 ? "" : "mesh " + std::to_string(i) + ": ";
        if (auto error = check_corners(scene.meshes[i].soup, where)) return error;
    }
    return std::nullopt;
}

void rescale(Scene& scene, double scale) {
    for (SceneMesh& mesh : scene.meshes)
        for (Eigen::Vector3d& point : mesh.soup.points) point *= scale;
    for (SceneNode& node : scene.nodes) node.to_parent.translation() *= scale;
}

}  // namespace

const std::string& supported_extensions() {
    static const std::string kList = [] {
        std::string text;
        for (const Format& format : kFormats) {
            if (!text.empty()) text += ' ';
            text += format.extension;
        }
        return text;
    }();
    return kList;
}

Result<Scene> import_formats::finish_import(Scene scene, const ImportOptions& options) {
    if (auto error = check_scene(scene)) return *std::move(error);
    scene.scale = options.scale;
    if (options.scale != 1.0) rescale(scene, options.scale);
    if (!options.unit.empty())
        scene.unit = options.unit;
    else if (options.scale != 1.0)
        scene.unit.clear();
    return scene;
}

Result<Scene> import_scene(const std::filesystem::path& path, const ImportOptions& options) {
    if (!std::isfinite(options.scale) || options.scale <= 0)
        return Error{ErrorKind::kUsage, "the scale must be a positive number"};
    const Format* const format = find_format(path);
    // A missing file is the more helpful answer when both are wrong.
    std::error_code code;
    const bool regular = std::filesystem::is_regular_file(path, code);
    if (regular && format != nullptr)
        if (auto error = check_head(path, *format, options)) return *std::move(error);
    const bool skip = format == nullptr && regular;
    auto bytes = skip ? Result<std::string>(std::string()) : read_file(path);
    if (!bytes) return bytes.error();
    if (format == nullptr)
        return Error{ErrorKind::kUnsupported, "the extension \"" + path.extension().string() +
                                                  "\" is not that of a supported format (" +
                                                  supported_extensions() + ")"};
    if (bytes.value().empty()) return Error{ErrorKind::kInvalidInput, "the file is empty"};

    try {
        SourceHash hash;
        hash.add(bytes.value());
        ReferencedFiles files({path, options.allowed_folders}, hash);
        auto scene = format->read(bytes.value(), files, path.stem().string(), options);
        if (!scene) return scene;
        auto digest = hash.digest();
        if (!digest) return digest.error();
        scene.value().provenance = {path.filename().string(), digest.value(), hash.size()};
        return import_formats::finish_import(std::move(scene).value(), options);
    } catch (const std::bad_alloc&) {
        return Error{ErrorKind::kUnsupported, "not enough memory to read the file"};
    }
}

Result<PolygonSoup> import_mesh(const std::filesystem::path& path, const ImportOptions& options) {
    const Result<Scene> scene = import_scene(path, options);
    if (!scene) return scene.error();
    try {
        return merge_scene(scene.value());
    } catch (const std::bad_alloc&) {
        return Error{ErrorKind::kUnsupported, "not enough memory to read the file"};
    }
}

}  // namespace espalier
