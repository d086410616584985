// SPDX-License-Identifier: GPL-3.0-or-later
// Lines, words and numbers of mesh files in text form.
#include "builder/import/text_scan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace espalier::text_scan {
namespace {

constexpr std::string_view kBlank = " \t\v\f\r\n";

std::string_view without_plus(std::string_view word) {
    // "+-1" must stay what it is: not a number.
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    return word;
}

}  // namespace

bool Lines::next() {
    if (rest_.empty()) return false;
    ++number_;
    const std::size_t end = rest_.find_first_of("\r\n");
    terminated_ = end != std::string_view::npos;
    line_ = rest_.substr(0, end);
    if (!terminated_) {
        rest_ = {};
        return true;
    }
    const bool two = rest_[end] == '\r' && end + 1 < rest_.size() && rest_[end + 1] == '\n';
    rest_.remove_prefix(end + (two ? 2 : 1));
    return true;
}

std::string_view take_word(std::string_view& line) {
    const std::size_t begin = std::min(line.find_first_not_of(kBlank), line.size());
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(kBlank), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    return word;
}

std::string_view without_comment(std::string_view line) {
    return line.substr(0, line.find('#'));
}

double coordinate_of(double value) {
    return std::abs(value) >= kNotFinite ? std::numeric_limits<double>::infinity() : value;
}

std::optional<double> parse_coordinate(std::string_view word) {
    word = without_plus(word);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        // Too large or too small: strtod tells them apart, and knows the smallest numbers.
        value = std::strtod(std::string(word).c_str(), nullptr);
    } else if (error != std::errc{}) {
        return std::nullopt;
    }
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : coordinate_of(value);
}

std::optional<std::int64_t> parse_integer(std::string_view word) {
    word = without_plus(word);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
}

std::string quote(std::string_view word) {
    constexpr std::size_t kMost = 24;
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text = "\"";
    for (const char c : word.substr(0, kMost)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7F) {
            text += c;
        } else {
            text += "\\x";
            text += kDigits[byte >> 4];
            text += kDigits[byte & 15];
        }
    }
    if (word.size() > kMost) text += "...";
    return text + '"';
}

std::optional<std::string> why_not_text(std::string_view bytes) {
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
        return "the file is UTF-16 text; save it as UTF-8";
    // Bytes: enough for the header of any binary format, and quick; text may hold odd bytes farther on.
    constexpr std::size_t kLookAt = 4096;
    const std::string_view start = bytes.substr(0, kLookAt);
    for (std::size_t i = 0; i < start.size(); ++i) {
        const auto byte = static_cast<unsigned char>(start[i]);
        if (byte < 0x09 || (byte > 0x0D && byte < 0x20 && byte != 0x1A) || byte == 0x7F)
            return "the file is binary data (byte " + std::to_string(i) + ")";
    }
    return std::nullopt;
}

std::string_view without_bom(std::string_view bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    return bytes;
}

Error at_line(std::size_t line, const std::string& message) {
    return Error{ErrorKind::kInvalidInput, "line " + std::to_string(line) + ": " + message};
}

}  // namespace espalier::text_scan
