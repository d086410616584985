// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the file, picks the format, scales, and checks what every format promises.
#include "builder/import/import.h"

#include <algorithm>
#include <cmath>
#include <fstream>
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

using Reader = Result<PolygonSoup> (*)(std::string_view bytes, const ReferenceScope& scope);

struct Format {
    std::string_view extension;
    Reader read;
};

// In alphabetical order, as messages list them.
const Format kFormats[] = {
    {".3ds", [](auto bytes, auto&) { return read_3ds(bytes); }},
    {".dae", [](auto bytes, auto&) { return read_dae(bytes); }},
    {".fbx", [](auto bytes, auto&) { return read_fbx(bytes); }},
    {".glb", read_gltf},
    {".gltf", read_gltf},
    {".obj", [](auto bytes, auto&) { return read_obj(bytes); }},
    {".off", [](auto bytes, auto&) { return read_off(bytes); }},
    {".ply", [](auto bytes, auto&) { return read_ply(bytes); }},
    {".stl", [](auto bytes, auto&) { return read_stl(bytes); }},
};

const Format* find_format(const std::filesystem::path& path) {
    const std::string extension = lower_extension(path);
    for (const Format& format : kFormats)
        if (format.extension == extension) return &format;
    return nullptr;
}

// What the readers guarantee is checked once more: everything after the import relies on it.
std::optional<Error> check_soup(const PolygonSoup& soup) {
    if (soup.polygon_count() == 0)
        return Error{ErrorKind::kInvalidInput, "the file has no faces (" +
                                                   std::to_string(soup.points.size()) +
                                                   " vertices); a surface is needed"};
    if (soup.points.size() > kMaxVertices)
        return Error{ErrorKind::kUnsupported, std::to_string(soup.points.size()) + " vertices are too many"};
    for (std::size_t i = 0; i < soup.polygon_count(); ++i)
        for (const std::uint32_t corner : soup.polygon(i))
            if (corner >= soup.points.size())
                return Error{ErrorKind::kInvalidInput, "face " + std::to_string(i) + " refers to vertex " +
                                                           std::to_string(corner) + ", but there are " +
                                                           std::to_string(soup.points.size()) +
                                                           " (counted from 0)"};
    return std::nullopt;
}

}  // namespace

const std::string& supported_extensions() {
    static const std::string list = [] {
        std::string text;
        for (const Format& format : kFormats) {
            if (!text.empty()) text += ' ';
            text += format.extension;
        }
        return text;
    }();
    return list;
}

Result<PolygonSoup> import_formats::finish_import(PolygonSoup soup, const ImportOptions& options) {
    if (auto error = check_soup(soup)) return *std::move(error);
    soup.scale = options.scale;
    if (options.scale != 1.0)
        for (auto& point : soup.points) point *= options.scale;
    if (!options.unit.empty())
        soup.unit = options.unit;
    else if (options.scale != 1.0)
        soup.unit.clear();
    return soup;
}

Result<PolygonSoup> import_mesh(const std::filesystem::path& path, const ImportOptions& options) {
    if (!std::isfinite(options.scale) || options.scale <= 0)
        return Error{ErrorKind::kUsage, "the scale must be a positive number"};
    const Format* const format = find_format(path);
    // A missing file is the more helpful answer when both are wrong.
    std::error_code code;
    const bool skip = format == nullptr && std::filesystem::is_regular_file(path, code);
    auto bytes = skip ? Result<std::string>(std::string()) : read_file(path);
    if (!bytes) return bytes.error();
    if (format == nullptr)
        return Error{ErrorKind::kUnsupported, "the extension \"" + path.extension().string() +
                                                  "\" is not that of a supported format (" +
                                                  supported_extensions() + ")"};
    if (bytes.value().empty()) return Error{ErrorKind::kInvalidInput, "the file is empty"};
    auto provenance = make_provenance(path, bytes.value());
    if (!provenance) return provenance.error();

    try {
        auto soup = format->read(bytes.value(), {path, options.allowed_folders});
        if (!soup) return soup;
        soup.value().provenance = std::move(provenance).value();
        return import_formats::finish_import(std::move(soup).value(), options);
    } catch (const std::bad_alloc&) {
        return Error{ErrorKind::kUnsupported, "not enough memory to read the file"};
    }
}

}  // namespace espalier
