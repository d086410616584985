// SPDX-License-Identifier: GPL-3.0-or-later
// Lines, words and numbers of mesh files in text form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "builder/base/result.h"

namespace espalier::text_scan {

/// Walks over the lines of a text. Lines end with "\n", "\r\n" or "\r".
class Lines {
  public:
    /// Before the first line.
    explicit Lines(std::string_view text) : rest_(text) {}

    /// Moves to the next line; false at the end of the text.
    bool next();
    /// The current line without its end.
    std::string_view line() const { return line_; }
    /// Number of the current line, from 1.
    std::size_t number() const { return number_; }
    /// Text after the current line.
    std::string_view rest() const { return rest_; }
    /// Whether the current line had an end (the last one may lack it).
    bool terminated() const { return terminated_; }

  private:
    std::string_view rest_;
    std::string_view line_;
    std::size_t number_ = 0;
    bool terminated_ = true;
};

/// Takes the first word off `line`; empty when there is none. Words are separated by white space.
std::string_view take_word(std::string_view& line);

/// `line` up to the first '#'.
std::string_view without_comment(std::string_view line);

/// From this magnitude on, a coordinate counts as not finite: what is computed with it would overflow. In the
/// file's unit. Every reader applies it, so that sanitize alone judges such a file, whatever its format.
constexpr double kNotFinite = 1e308;

/// `value`, or infinity for what is not below kNotFinite. What is not a number stays so.
double coordinate_of(double value);

/// The whole `word` as a coordinate: a decimal number as the C locale reads it, rounded to the nearest
/// double; infinity for whatever is not finite, "nan" included. None if it is not a number or has something
/// after it.
std::optional<double> parse_coordinate(std::string_view word);

/// The whole `word` as a decimal integer (a leading '+' is allowed).
std::optional<std::int64_t> parse_integer(std::string_view word);

/// `word` fit for a message: quoted, at most 24 characters, unprintable bytes as \xNN.
std::string quote(std::string_view word);

/// Says why `bytes` cannot be a text file: a byte-order mark of UTF-16, or a control byte near the start.
std::optional<std::string> why_not_text(std::string_view bytes);

/// `bytes` without a UTF-8 byte-order mark.
std::string_view without_bom(std::string_view bytes);

/// "line 12: " + message as kInvalidInput.
Error at_line(std::size_t line, const std::string& message);

}  // namespace espalier::text_scan
