// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace espalier {
namespace {

Error system_error(const std::string& what) {
    return Error{ErrorKind::kInputOutput, what + ": " + std::strerror(errno)};
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

bool write_all(int file, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

/// A rename is durable only once the folder is synced; some file systems cannot, which is no failure.
void sync_folder(const std::filesystem::path& folder) {
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    ::fsync(file);
    ::close(file);
}

}  // namespace

Result<Success> check_writable(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return Error{ErrorKind::kInputOutput, "the output is a folder; name a file"};
    // Renaming over a device would replace it: /dev/null would be a file from then on.
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
        return Error{ErrorKind::kInputOutput, "the output exists and is not a regular file"};
    const std::filesystem::path folder = folder_of(path);
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return system_error("cannot write into folder " + folder.string());
    return Success{};
}

Result<Success> write_file_atomically(const std::filesystem::path& path,
                                      std::span<const std::uint8_t> bytes) {
    std::string temporary = path.string() + ".XXXXXX";
    const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0) return system_error("cannot create a temporary file");
    const auto fail = [&](const char* what) {
        Error error = system_error(what);
        ::close(file);
        ::unlink(temporary.c_str());
        return error;
    };
    if (!write_all(file, bytes)) return fail("cannot write");
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(file, 0666 & ~mask) != 0) return fail("cannot set permissions");
    if (::fsync(file) != 0) return fail("cannot sync");
    if (::rename(temporary.c_str(), path.c_str()) != 0) return fail("cannot rename the temporary file");
    ::close(file);
    sync_folder(folder_of(path));
    return Success{};
}

}  // namespace espalier
