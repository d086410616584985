// SPDX-License-Identifier: GPL-3.0-or-later
// espalier check: proves from an asset's bytes that its hierarchies are what they claim to be.
#include "builder/asset/check.h"

#include "tools/io/asset_file.h"
#include "tools/io/failure.h"
#include "tools/io/standard_streams.h"
#include "tools/report/json_report.h"
#include "tools/verbs/verbs.h"

namespace espalier::tools {
namespace {

CommandLine syntax() {
    CommandLine line(
        "check FILE [--json]",
        "Checks structure and geometry of an asset: offsets, indices, tree shape, that every volume\n"
        "contains what is below it and that every triangle is in the leaves; where spheres are promised to\n"
        "cover the surface, that they do and protrude no farther than stated. Exit code 3: something is\n"
        "wrong.\n",
        "  espalier check torus.espl\n");
    add_json_option(line);
    line.arguments(1, 1, "one FILE");
    return line;
}

/// A structure that is broken is a finding like the others, only that nothing else can be looked at.
CheckReport check_bytes(const std::string& file, std::span<const std::uint8_t> bytes) {
    const Result<CheckReport> checked = check_asset(bytes);
    if (checked) return checked.value();
    if (checked.error().kind != ErrorKind::kInvalidInput) throw Failure(file, checked.error());
    return CheckReport{{{"structure", false, bytes.size(), checked.error().message}}};
}

std::string to_text(const CheckReport& report) {
    std::string text;
    for (const CheckItem& item : report.items) {
        text += (item.ok ? "ok      " : "FAILED  ") + item.name + " (" + std::to_string(item.count) + ")";
        text += (item.message.empty() ? "" : ": " + item.message) + "\n";
    }
    return text;
}

Json to_json(const std::string& file, const CheckReport& report) {
    Json document = json_document("espalier-check");
    document["file"] = file;
    document["ok"] = report.ok();
    document["items"] = Json::array();
    for (const CheckItem& item : report.items)
        document["items"].push_back(
            {{"name", item.name}, {"ok", item.ok}, {"count", item.count}, {"message", item.message}});
    return document;
}

}  // namespace

int run_check(const Arguments& words) {
    const std::optional<Parsed> parsed = syntax().parse(words);
    if (!parsed) return 0;
    const std::string file = parsed->arguments()[0];
    const MappedBytes mapped(file);
    const CheckReport report = check_bytes(file, mapped.bytes());
    print(parsed->has("json") ? json_text(to_json(file, report)) : to_text(report));
    if (report.ok()) return 0;
    for (const CheckItem& item : report.items)
        if (!item.ok) report_failure(file, {ErrorKind::kInvalidInput, item.name + ": " + item.message});
    return static_cast<int>(ErrorKind::kInvalidInput);
}

}  // namespace espalier::tools
