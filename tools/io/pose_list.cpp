// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/pose_list.h"

#include <algorithm>

#include "builder/import/text_scan.h"
#include "tools/io/failure.h"
#include "tools/io/number_lines.h"

namespace espalier::tools {
namespace {

const LineForm& pose_form() {
    static const LineForm kForm = {"list of poses", "a pose is qw qx qy qz tx ty tz",
                                   "the list has no pose; a pose is qw qx qy qz tx ty tz, one a line", 7};
    return kForm;
}

}  // namespace

Result<std::vector<ListedPose>> parse_poses(std::string_view text) {
    const auto lines = parse_number_lines(text, pose_form());
    if (!lines) return lines.error();
    std::vector<ListedPose> poses;
    for (const NumberLine& line : lines.value()) {
        ListedPose& listed = poses.emplace_back();
        listed.line = line.line;
        std::copy_n(line.values.begin(), 4, listed.pose.rotation);
        std::copy_n(line.values.begin() + 4, 3, listed.pose.translation);
        if (std::all_of(listed.pose.rotation, listed.pose.rotation + 4, [](double q) { return q == 0; }))
            return text_scan::at_line(listed.line, "the quaternion is zero; a unit quaternion is needed");
    }
    return poses;
}

std::vector<ListedPose> read_poses(const std::string& path) {
    return value_or_fail(list_name(path), parse_poses(read_list(path, pose_form())));
}

}  // namespace espalier::tools
