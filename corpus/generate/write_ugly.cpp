// SPDX-License-Identifier: GPL-3.0-or-later
// Ugly files and their manifest on disk, both from the one table.
#include "corpus/generate/write_ugly.h"

#include <nlohmann/json.hpp>
#include <system_error>

#include "corpus/ugly_files.h"
#include "corpus/write_mesh.h"

namespace espalier::corpus {
namespace {

const char* to_string(UglyFile::Kind kind) {
    switch (kind) {
        case UglyFile::Kind::kDirectory:
            return "directory";
        case UglyFile::Kind::kAbsent:
            return "absent";
        default:
            return "file";
    }
}

nlohmann::ordered_json entry(const UglyFile& file) {
    nlohmann::ordered_json json = {{"file", file.name},
                                   {"kind", to_string(file.kind)},
                                   {"what", file.what},
                                   {"exit_code", file.exit_code}};
    json[file.exit_code == 0 ? "report" : "stderr"] = file.says;
    if (file.exit_code == 0 && file.triangles >= 0) json["triangles"] = file.triangles;
    return json;
}

Result<Success> write(const std::filesystem::path& path, const UglyFile& file) {
    std::error_code failure;
    if (file.kind == UglyFile::Kind::kFile) return write_bytes(path, file.bytes());
    if (file.kind == UglyFile::Kind::kDirectory) std::filesystem::create_directory(path, failure);
    if (failure) return Error{ErrorKind::kInputOutput, path.string() + ": " + failure.message()};
    return Success{};
}

}  // namespace

Result<Success> write_ugly_files(const std::filesystem::path& folder) {
    nlohmann::ordered_json manifest = {{"version", 1}, {"files", nlohmann::ordered_json::array()}};
    for (const UglyFile& file : ugly_files()) {
        if (Result<Success> done = write(folder / file.name, file); !done) return done;
        manifest["files"].push_back(entry(file));
    }
    return write_bytes(folder / "manifest.json", manifest.dump(2) + "\n");
}

}  // namespace espalier::corpus
