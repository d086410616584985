// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/referenced_file.h"

#include <algorithm>
#include <system_error>

#include "builder/import/import_formats.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats {
namespace {

namespace fs = std::filesystem;

// RFC 3986, section 2.1; a % that starts no code stands for itself.
std::string decode_percent(std::string_view text) {
    const auto digit = [](char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
    };
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
            result += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
            i += 2;
        } else {
            result += text[i];
        }
    }
    return result;
}

// Both without links. By component: "/a/bc" is not below "/a/b".
bool is_in_or_below(const fs::path& target, const fs::path& folder) {
    return std::ranges::mismatch(folder, target).in1 == folder.end();
}

}  // namespace

Result<fs::path> resolve_reference(const ReferenceScope& scope, std::string_view reference,
                                   const std::string& what) {
    const std::string name = what + " (" + text_scan::quote(reference) + ")";
    const std::string decoded = decode_percent(reference);
    if (decoded.find('\0') != std::string::npos)
        return Error{ErrorKind::kUnsupported, name + ": the name of a file cannot have a NUL byte"};
    if (decoded.find('\\') != std::string::npos)
        return Error{ErrorKind::kUnsupported,
                     name + ": the name has a backslash; folders are separated by /"};

    std::error_code code;
    const fs::path given = scope.file.parent_path();
    const fs::path folder = fs::canonical(given.empty() ? "." : given, code);
    if (code) return Error{ErrorKind::kInputOutput, name + ": " + code.message()};
    const fs::path target = fs::weakly_canonical(folder / decoded, code);
    if (code) return Error{ErrorKind::kInputOutput, name + ": " + code.message()};
    if (is_in_or_below(target, folder)) return target;
    for (const fs::path& allowed : scope.allowed_folders) {
        const fs::path open = fs::canonical(allowed, code);
        if (!code && is_in_or_below(target, open)) return target;
    }
    return Error{ErrorKind::kUnsupported,
                 name +
                     " is outside of the folder of the mesh file; if you trust the file, allow the folder "
                     "of what it refers to with --allow-path"};
}

Result<std::string> ReferencedFiles::read(std::string_view reference, const std::string& what) {
    const Result<fs::path> file = resolve_reference(scope_, reference, what);
    if (!file) return file.error();
    Result<std::string> bytes = read_file(file.value(), what + " (" + text_scan::quote(reference) + "): ");
    if (bytes) hash_.add(bytes.value());
    return bytes;
}

}  // namespace espalier::import_formats
