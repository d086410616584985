// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/asset_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tools/io/failure.h"

namespace espalier::tools {
namespace {

Error open_error(Status status) {
    const ErrorKind kind =
        status == Status::kUnsupportedVersion ? ErrorKind::kUnsupported : ErrorKind::kInvalidInput;
    const char* advice = status == Status::kWrongIdentifier ? "; bake the mesh first" : "; bake it again";
    return {kind, std::string(status_text(status)) + advice};
}

}  // namespace

MappedBytes::MappedBytes(const std::string& path) {
    std::error_code ignored;
    const auto type = std::filesystem::status(path, ignored).type();
    if (type == std::filesystem::file_type::directory)
        throw Failure(path, {ErrorKind::kInputOutput, "this is a directory, not an asset"});
    errno = 0;
    const Status status = file_.map(path.c_str());
    if (status == Status::kTruncated) throw Failure(path, {ErrorKind::kInvalidInput, "the file is empty"});
    if (status == Status::kOk) return;
    const char* reason = errno != 0 ? std::strerror(errno) : "this is not a regular file";
    throw Failure(path, {ErrorKind::kInputOutput, std::string("cannot be read: ") + reason});
}

AssetFile::AssetFile(const std::string& path) : path_(path), bytes_(path) {
    Asset asset;
    const std::span<const std::uint8_t> bytes = bytes_.bytes();
    Status status = open(bytes.data(), bytes.size(), Verify::kFull, &asset);
    if (status != Status::kOk) throw Failure(path, open_error(status));
    parts_.resize(asset.part_count());
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        status = asset.part(i, &parts_[i]);
        if (status != Status::kOk) throw Failure(path, open_error(status));
    }
}

std::uint64_t AssetFile::triangle_count() const {
    std::uint64_t count = 0;
    for (const PartView& part : parts_) count += part.mesh.triangle_count;
    return count;
}

}  // namespace espalier::tools
