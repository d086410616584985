// SPDX-License-Identifier: GPL-3.0-or-later
// Standard input, output and error: written whole or reported, never lost in silence.
#pragma once

#include <string>
#include <string_view>

#include "builder/base/result.h"

namespace espalier::tools {

/// Call first in main. Gives a closed standard stream a dead descriptor, so that no file opened later takes
/// its number and receives text meant for people; and turns writing to a closed pipe into an error instead of
/// a signal.
void prepare_standard_streams();

/// Writes all of `text` to standard output. Fails with kInputOutput (closed, full disk; without a message
/// where the reader of a pipe has left).
Result<Success> try_print(std::string_view text);

/// As try_print; a failure is thrown (Failure, exit code 2).
void print(std::string_view text);

/// Writes `text` to stderr, taking no memory. A failure is ignored: there is nowhere to tell.
void write_message(std::string_view text) noexcept;

/// Writes "espalier: TEXT" and a line end to stderr in one piece, as write_message does.
void print_message(const std::string& text);

/// All of standard input. Fails with kInputOutput.
Result<std::string> read_standard_input();

}  // namespace espalier::tools
