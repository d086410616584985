// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/joint_list.h"

#include "builder/base/number_text.h"
#include "tools/io/failure.h"
#include "tools/io/standard_streams.h"

namespace espalier::tools {
namespace {

/// Lines that are warned of one by one.
constexpr std::size_t kMostWarnings = 10;
/// Values that a message names.
constexpr std::size_t kMostNames = 12;

LineForm configuration_form(const AssetFile& asset) {
    const std::vector<std::string> names = configuration_names(asset.opened().asset);
    if (names.empty())
        throw Failure(asset.path(),
                      {ErrorKind::kInvalidInput, "the asset has no joint that moves, so no configurations"});
    std::string line = "a configuration is";
    for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i)
        line += (i == 0 ? " '" : ", '") + names[i] + "'";
    if (names.size() > kMostNames) line += " and " + std::to_string(names.size() - kMostNames) + " more";
    return {"list of configurations", line, "the list has no configuration; " + line, names.size()};
}

/// "line 3: joint 'elbow' is 0.2 beyond its limits -1 to 1"
std::string beyond_text(const Asset& asset, const NumberLine& line, const BeyondLimits& beyond) {
    PartNode node;
    static_cast<void>(asset.part_node(beyond.first, &node));
    std::string text = "line " + std::to_string(line.line) + ": " + shown_joint_name(asset, beyond.first) +
                       " is beyond its limits, " + number_text(node.lower) + " to " + number_text(node.upper);
    if (beyond.count > 1) text += ", and " + std::to_string(beyond.count - 1) + " more";
    return text + ", by " + (beyond.count > 1 ? "at most " : "") + number_text(beyond.most);
}

}  // namespace

std::vector<NumberLine> read_configurations(const std::string& path, const AssetFile& asset, AssetBody& body,
                                            BeyondLimitsIs beyond_is) {
    const LineForm form = configuration_form(asset);
    const std::string name = list_name(path);
    std::vector<NumberLine> lines = value_or_fail(name, parse_number_lines(read_list(path, form), form));
    std::size_t warnings = 0;
    for (const NumberLine& line : lines) {
        BeyondLimits beyond;
        const Status status = body.place(line.values, &beyond);
        if (status != Status::kOk)
            throw Failure(name, {ErrorKind::kInvalidInput,
                                 "line " + std::to_string(line.line) +
                                     ": this configuration cannot be used: " + status_text(status)});
        if (beyond.count == 0) continue;
        const std::string text = beyond_text(asset.opened().asset, line, beyond);
        if (beyond_is == BeyondLimitsIs::kFailure) throw Failure(name, {ErrorKind::kNotSafe, text});
        if (++warnings <= kMostWarnings) print_message(std::string(name).append(": warning: ").append(text));
    }
    if (warnings > kMostWarnings)
        print_message(name + ": warning: " + std::to_string(warnings - kMostWarnings) +
                      " more lines are beyond limits");
    return lines;
}

}  // namespace espalier::tools
