// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/pose_list.h"

#include <algorithm>
#include <array>
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

constexpr std::size_t kNumbers = 7;
constexpr const char* kForm = "a pose is qw qx qy qz tx ty tz";

/// The seven numbers of a line whose comment is gone.
Result<std::array<double, kNumbers>> parse_numbers(std::string_view line, std::size_t number) {
    std::array<double, kNumbers> values{};
    std::size_t count = 0;
    for (auto word = text_scan::take_word(line); !word.empty(); word = text_scan::take_word(line), ++count) {
        const std::optional<double> value = parse_number(word);
        if (!value || !std::isfinite(*value))
            return text_scan::at_line(number, text_scan::quote(word) + " is not a finite number; " + kForm);
        if (count < kNumbers) values[count] = *value;
    }
    if (count != kNumbers)
        return text_scan::at_line(number, std::to_string(count) + " numbers where 7 are needed; " + kForm);
    return values;
}

std::string read_text(const std::string& path) {
    std::error_code failed;
    if (std::filesystem::is_directory(path, failed))
        throw Failure(path, {ErrorKind::kInputOutput, "this is a directory, not a list of poses"});
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Failure(path,
                      {ErrorKind::kInputOutput, std::string("cannot be read: ") + std::strerror(errno)});
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) throw Failure(path, {ErrorKind::kInputOutput, "reading failed"});
    return text;
}

}  // namespace

Result<std::vector<ListedPose>> parse_poses(std::string_view text) {
    std::vector<ListedPose> poses;
    text_scan::Lines lines(text_scan::without_bom(text));
    while (lines.next()) {
        const std::string_view line = text_scan::without_comment(lines.line());
        std::string_view rest = line;
        if (text_scan::take_word(rest).empty()) continue;
        const auto values = parse_numbers(line, lines.number());
        if (!values) return values.error();
        ListedPose listed;
        listed.line = lines.number();
        std::copy_n(values.value().begin(), 4, listed.pose.rotation);
        std::copy_n(values.value().begin() + 4, 3, listed.pose.translation);
        if (std::all_of(listed.pose.rotation, listed.pose.rotation + 4, [](double q) { return q == 0; }))
            return text_scan::at_line(listed.line, "the quaternion is zero; a unit quaternion is needed");
        poses.push_back(listed);
    }
    if (poses.empty())
        return Error{ErrorKind::kInvalidInput,
                     std::string("the list has no pose; ") + kForm + ", one a line"};
    return poses;
}

std::string pose_list_name(const std::string& path) {
    return path == "-" ? "standard input" : path;
}

std::vector<ListedPose> read_poses(const std::string& path) {
    const std::string name = pose_list_name(path);
    const std::string text = path == "-" ? value_or_fail(name, read_standard_input()) : read_text(path);
    return value_or_fail(name, parse_poses(text));
}

}  // namespace espalier::tools
