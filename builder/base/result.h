// SPDX-License-Identifier: GPL-3.0-or-later
// Value or error: what every fallible builder function returns.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace espalier {

/// Why something failed. The values are the exit codes of the command line (design: section 7).
enum class ErrorKind {
    kUsage = 1,         ///< an option or argument makes no sense
    kInputOutput = 2,   ///< a file cannot be read or written
    kInvalidInput = 3,  ///< a file was read, and what it holds cannot be used
    kInternal = 4,      ///< a promise of ours was broken: a bug
    kUnsupported = 5,   ///< a format, feature or size that we do not handle
    kNotSafe = 6,       ///< strict mode: the result would not be collision-safe or complete
};

/// A failure with its cause. `message` says what is wrong, where (element and index) and what to do;
/// the caller puts the file's name before it.
struct Error {
    ErrorKind kind = ErrorKind::kInternal;  ///< also the exit code of the command
    std::string message;                    ///< names the element and the reason
};

/// Either a T or an Error.
template <class T>
class [[nodiscard]] Result {
  public:
    /// Of a value.
    Result(T value) : state_(std::move(value)) {}
    /// Of the reason why there is none.
    Result(Error error) : state_(std::move(error)) {}

    /// There is a value.
    bool ok() const { return state_.index() == 0; }
    /// There is a value.
    explicit operator bool() const { return ok(); }

    /// Precondition: ok().
    T& value() & { return std::get<0>(state_); }
    /// Precondition: ok().
    const T& value() const& { return std::get<0>(state_); }
    /// Precondition: ok().
    T&& value() && { return std::get<0>(std::move(state_)); }

    /// Precondition: !ok().
    const Error& error() const { return std::get<1>(state_); }

  private:
    std::variant<T, Error> state_;
};

/// For functions that return nothing on success: `return Success{};`
struct Success {};

}  // namespace espalier
