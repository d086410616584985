// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/options/bake_plan.h"

#include <map>
#include <set>

#include "tools/io/failure.h"

namespace espalier::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".espl";

/// One spelling for each file, as far as its folders exist.
fs::path canonical_name(const fs::path& path) {
    std::error_code failed;
    const fs::path name = fs::weakly_canonical(fs::absolute(path, failed), failed);
    return failed ? path.lexically_normal() : name;
}

fs::path output_of(const fs::path& input, const Parsed& parsed) {
    if (const auto output = parsed.text("output")) {
        if (*output == "-")
            fail_usage("-o needs the name of a file; an asset is not written to standard output");
        return *output;
    }
    fs::path name = input.filename();
    name.replace_extension(kExtension);
    return parsed.has("out-dir") ? *parsed.text("out-dir") / name : input.parent_path() / name;
}

}  // namespace

std::vector<BakeTask> plan_bake(const Parsed& parsed) {
    const Arguments& inputs = parsed.arguments();
    if (parsed.has("output") && parsed.has("out-dir")) fail_usage("-o and --out-dir exclude each other");
    if (parsed.has("output") && inputs.size() > 1)
        fail_usage("-o takes one input; for " + std::to_string(inputs.size()) + " inputs use --out-dir");
    std::set<fs::path> sources;
    for (const std::string& input : inputs) {
        if (input.empty()) fail_usage("an INPUT is an empty name");
        sources.insert(canonical_name(input));
    }
    std::vector<BakeTask> tasks;
    std::map<fs::path, std::string> baked_from;
    for (const std::string& input : inputs) {
        BakeTask task{input, output_of(input, parsed)};
        const fs::path name = canonical_name(task.output);
        if (sources.contains(name))
            fail_usage("the output " + task.output.string() + " would replace an input");
        const auto [other, is_new] = baked_from.emplace(name, input);
        if (!is_new)
            fail_usage(other->second + " and " + input + " would both be baked to " + task.output.string() +
                       "; bake them one by one with -o");
        tasks.push_back(std::move(task));
    }
    return tasks;
}

}  // namespace espalier::tools
