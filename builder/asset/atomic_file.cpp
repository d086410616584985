// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
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

/// More runs at once that write the same output find no name for their temporary file.
constexpr int kMostWriters = 64;

/// The file that is written: links are followed, so that an output that was put elsewhere by a link stays
/// there. As many links as the system follows.
std::filesystem::path end_of_links(std::filesystem::path path) {
    std::error_code failed;
    for (int i = 0; i < 40 && std::filesystem::is_symlink(path, failed); ++i) {
        const std::filesystem::path next = std::filesystem::read_symlink(path, failed);
        if (failed) break;
        path = folder_of(path) / next;
    }
    return path;
}

/// Whether `file` is still what `path` names, and nobody else's.
bool is_own_file(int file, const std::string& path) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(file, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && S_ISREG(named.st_mode) &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev && named.st_nlink == 1 &&
           named.st_uid == ::geteuid();
}

/// A file beside the output that this process alone writes to. Its name follows from the output's, and a lock
/// says that it is in use: what a killed run has left is taken over by the next one instead of staying for
/// ever. The name is short, so that the output's may be as long as the system takes.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::filesystem::path& output) {
        const std::string stem =
            (folder_of(output) / (".espalier-" + std::to_string(std::hash<std::string>()(output.filename()))))
                .string();
        for (int i = 0; i < kMostWriters && file_ < 0; ++i) {
            path_ = stem + "-" + std::to_string(i);
            if (!take() && errno != EEXIST) return;
        }
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (file_ < 0) return;
        if (!renamed_) ::unlink(path_.c_str());
        ::close(file_);
    }

    /// Negative: there is none, and errno says why.
    int file() const { return file_; }

    bool rename_to(const std::filesystem::path& path) {
        renamed_ = ::rename(path_.c_str(), path.c_str()) == 0;
        return renamed_;
    }

  private:
    /// False with errno EEXIST: the name is another one's.
    bool take() {
        int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0 && errno != EEXIST) return false;
        const bool created = file >= 0;
        if (!created) file = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
        if (file >= 0) {
            // Some file systems have no locks; a file that was just made is used all the same.
            const bool locked = ::flock(file, LOCK_EX | LOCK_NB) == 0;
            const bool mine = locked || (created && errno != EWOULDBLOCK);
            if (mine && is_own_file(file, path_) && ::ftruncate(file, 0) == 0) {
                file_ = file;
                return true;
            }
            ::close(file);
        }
        errno = EEXIST;
        return false;
    }

    std::string path_;
    int file_ = -1;
    bool renamed_ = false;
};

/// A rename is durable only once the folder is synced; some file systems cannot, which is no failure.
void sync_folder(const std::filesystem::path& folder) {
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    ::fsync(file);
    ::close(file);
}

}  // namespace

Result<Success> check_writable(const std::filesystem::path& output) {
    const std::filesystem::path path = end_of_links(output);
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
    const std::filesystem::path output = end_of_links(path);
    TemporaryFile temporary(output);
    if (temporary.file() < 0) return system_error("cannot create a temporary file");
    if (!write_all(temporary.file(), bytes)) return system_error("cannot write");
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(temporary.file(), 0666 & ~mask) != 0) return system_error("cannot set permissions");
    if (::fsync(temporary.file()) != 0) return system_error("cannot sync");
    if (!temporary.rename_to(output)) return system_error("cannot rename the temporary file");
    sync_folder(folder_of(output));
    return Success{};
}

}  // namespace espalier
