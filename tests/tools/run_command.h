// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the espalier command as its users do, and keeps what it said.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace espalier::test {

/// How the standard streams of a command are set.
struct Streams {
    std::string input;               ///< text on standard input
    bool close_output = false;       ///< standard output is closed
    bool output_is_left = false;     ///< standard output is a pipe that nobody reads
    std::uint64_t memory = 0;        ///< most bytes of address space; 0: no limit
    std::filesystem::path output;    ///< standard output goes to this file or device; empty: it is captured
    bool error_is_terminal = false;  ///< standard error is a pseudo-terminal
    std::string terminal_kind = "xterm";  ///< TERM
};

struct CommandResult {
    int exit_code = -1;  ///< 128 + number when a signal ended it, as a shell has it
    std::string output;
    std::string error;
};

/// Runs a program and waits for its end.
CommandResult run(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                  const Streams& streams = {});

/// Runs the command under test.
CommandResult espalier(const std::vector<std::string>& arguments, const Streams& streams = {});

/// Runs the command under test; calls `meanwhile` once it has mapped the file.
CommandResult espalier_with_mapped(const std::string& file, const std::vector<std::string>& arguments,
                                   const std::function<void()>& meanwhile);

/// Runs the command under test; as soon as `is_time(what it has printed)`, sends it `signal`.
CommandResult espalier_interrupted(const std::vector<std::string>& arguments, int signal,
                                   const std::function<bool(const std::string& output)>& is_time);

}  // namespace espalier::test
