// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "tools/io/failure.h"

namespace espalier::tools {
namespace {

constexpr const char* kOutputName = "standard output";

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

void prepare_standard_streams() {
    // Opened the wrong way round on purpose: reading from or writing to a closed stream shall still fail. The
    // lowest free number is taken, so the order matters.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
        const int dead = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        static_cast<void>(dead);
    }
    std::signal(SIGPIPE, SIG_IGN);
}

Result<Success> try_print(std::string_view text) {
    if (write_all(STDOUT_FILENO, text)) return Success{};
    // A reader that has seen enough, such as `head`, is no reason to complain.
    if (errno == EPIPE) return Error{ErrorKind::kInputOutput, ""};
    return Error{ErrorKind::kInputOutput, std::string("cannot write: ") + std::strerror(errno)};
}

void print(std::string_view text) {
    const Result<Success> printed = try_print(text);
    if (!printed) throw Failure(kOutputName, printed.error());
}

void write_message(std::string_view text) noexcept {
    write_all(STDERR_FILENO, text);
}

void print_message(const std::string& text) {
    write_message("espalier: " + text + "\n");
}

Result<std::string> read_standard_input() {
    std::string text;
    char block[65536];
    for (;;) {
        const ssize_t count = ::read(STDIN_FILENO, block, sizeof(block));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0)
            return Error{ErrorKind::kInputOutput, std::string("cannot read: ") + std::strerror(errno)};
        if (count == 0) return text;
        text.append(block, static_cast<std::size_t>(count));
    }
}

}  // namespace espalier::tools
