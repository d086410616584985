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

/// One task an input; with -o one task of all.
std::vector<BakeTask> tasks_of(const Parsed& parsed) {
    std::vector<BakeTask> tasks;
    for (const std::string& input : parsed.arguments())
        if (tasks.empty() || !parsed.has("output"))
            tasks.push_back({{input}, output_of(input, parsed)});
        else
            tasks.front().inputs.emplace_back(input);
    return tasks;
}

}  // namespace

std::string BakeTask::name() const {
    std::string names;
    for (const fs::path& input : inputs) names += (names.empty() ? "" : ", ") + input.string();
    return names;
}

std::vector<BakeTask> plan_bake(const Parsed& parsed) {
    if (parsed.has("output") && parsed.has("out-dir")) fail_usage("-o and --out-dir exclude each other");
    std::set<fs::path> sources;
    for (const std::string& input : parsed.arguments()) {
        if (input.empty()) fail_usage("an INPUT is an empty name");
        sources.insert(canonical_name(input));
    }
    std::vector<BakeTask> tasks = tasks_of(parsed);
    std::map<fs::path, std::string> baked_from;
    for (const BakeTask& task : tasks) {
        const fs::path name = canonical_name(task.output);
        if (sources.contains(name))
            fail_usage("the output " + task.output.string() + " would replace an input");
        const auto [other, is_new] = baked_from.emplace(name, task.name());
        if (!is_new)
            fail_usage(other->second + " and " + task.name() + " would both be baked to " +
                       task.output.string() + "; bake them one by one with -o");
    }
    return tasks;
}

}  // namespace espalier::tools
