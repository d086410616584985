// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/asset_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tools/io/failure.h"

namespace espalier::tools {
namespace {

Error open_error(Status status, Refusal refusal) {
    const ErrorKind kind =
        status == Status::kUnsupportedVersion ? ErrorKind::kUnsupported : ErrorKind::kInvalidInput;
    const char* advice = refusal == Refusal::kReason          ? ""
                         : status == Status::kWrongIdentifier ? "; bake the mesh first"
                                                              : "; bake it again";
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

AssetFile::AssetFile(const std::string& path, Refusal refusal) : path_(path), bytes_(path) {
    const Status status = open_asset(bytes_.bytes(), &opened_);
    if (status != Status::kOk) throw Failure(path, open_error(status, refusal));
}

std::uint64_t AssetFile::triangle_count() const {
    std::uint64_t count = 0;
    for (const ShapeView& part : parts()) count += part.mesh.triangle_count;
    return count;
}

}  // namespace espalier::tools
