// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/number_lines.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "builder/base/number_text.h"
#include "builder/import/text_scan.h"
#include "tools/io/failure.h"
#include "tools/io/standard_streams.h"

namespace espalier::tools {
namespace {

/// The numbers of a line whose comment is gone.
Result<std::vector<double>> parse_numbers(std::string_view line, std::size_t number, const LineForm& form) {
    std::vector<double> values;
    std::size_t count = 0;
    for (auto word = text_scan::take_word(line); !word.empty(); word = text_scan::take_word(line), ++count) {
        const std::optional<double> value = parse_number(word);
        if (!value || !std::isfinite(*value))
            return text_scan::at_line(number,
                                      text_scan::quote(word) + " is not a finite number; " + form.line);
        if (count < form.count) values.push_back(*value);
    }
    if (count != form.count)
        return text_scan::at_line(number, std::to_string(count) + (count == 1 ? " number" : " numbers") +
                                              " where " + std::to_string(form.count) +
                                              (form.count == 1 ? " is" : " are") + " needed; " + form.line);
    return values;
}

}  // namespace

Result<std::vector<NumberLine>> parse_number_lines(std::string_view text, const LineForm& form) {
    std::vector<NumberLine> listed;
    text_scan::Lines lines(text_scan::without_bom(text));
    while (lines.next()) {
        const std::string_view line = text_scan::without_comment(lines.line());
        std::string_view rest = line;
        if (text_scan::take_word(rest).empty()) continue;
        auto values = parse_numbers(line, lines.number(), form);
        if (!values) return values.error();
        listed.push_back({std::move(values).value(), lines.number()});
    }
    if (listed.empty()) return Error{ErrorKind::kInvalidInput, form.none};
    return listed;
}

std::string list_name(const std::string& path) {
    return path == "-" ? "standard input" : path;
}

std::string read_list(const std::string& path, const LineForm& form) {
    if (path == "-") return value_or_fail(list_name(path), read_standard_input());
    std::error_code failed;
    if (std::filesystem::is_directory(path, failed))
        throw Failure(path, {ErrorKind::kInputOutput, "this is a directory, not a " + form.list});
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Failure(path,
                      {ErrorKind::kInputOutput, std::string("cannot be read: ") + std::strerror(errno)});
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) throw Failure(path, {ErrorKind::kInputOutput, "reading failed"});
    return text;
}

}  // namespace espalier::tools
