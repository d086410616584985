// SPDX-License-Identifier: GPL-3.0-or-later
// How a verb ends early: an error with the file that it is about, thrown to main, which prints it.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "builder/base/result.h"

namespace espalier::tools {

/// Exit code after a signal: this plus the signal's number, as shells have it (130 for Ctrl-C).
constexpr int kExitSignal = 128;

class Failure : public std::exception {
  public:
    Failure(std::string file, Error error) : file_(std::move(file)), error_(std::move(error)) {}

    /// The file that is to blame; empty when it is the command line.
    const std::string& file() const { return file_; }
    const Error& error() const { return error_; }
    const char* what() const noexcept override { return error_.message.c_str(); }

  private:
    std::string file_;
    Error error_;
};

/// Exit code 1: an option or argument makes no sense.
[[noreturn]] inline void fail_usage(const std::string& message) {
    throw Failure("", {ErrorKind::kUsage, message});
}

/// The value, or the error thrown as one about `file`.
template <class T>
T value_or_fail(const std::string& file, Result<T> result) {
    if (!result) throw Failure(file, result.error());
    return std::move(result).value();
}

/// Prints "espalier: FILE: MESSAGE" to stderr and returns the exit code. Prints nothing without a message.
int report_failure(const std::string& file, const Error& error);

/// The same when there is no memory, without taking any.
int report_no_memory() noexcept;

/// What an error's kind is called in --json: "usage", "input or output", ...
std::string_view kind_name(ErrorKind kind);

}  // namespace espalier::tools
