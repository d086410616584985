// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/spheres/table.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "bench/harness/process.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Levels 1 to 3; level 0 is the same ball for both.
constexpr std::size_t kLevels = 3;
using Ratios = std::array<double, kLevels>;

struct Baked {
    double seconds = 0.0;  ///< of a processor
    bool closed = false;
    std::uint64_t triangles = 0;
    Ratios spheres{}, outside{}, error{};
};

/// Both of one mesh: new by old.
struct Row {
    std::string name;
    std::uint64_t triangles = 0;
    double seconds = 0.0;  ///< of the new one
    double time = 0.0;
    Ratios outside{}, error{};
    Ratios old_spheres{}, new_spheres{};

    double worst() const {
        return std::max(*std::ranges::max_element(outside), *std::ranges::max_element(error));
    }
};

/// Seconds of a processor that a command took, with its output in a file; none if it failed.
std::optional<double> run(std::vector<std::string> words, const fs::path& output) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        ::dup2(file, STDOUT_FILENO);
        espalier_bench::pin_to_one_processor();
        ::execv(arguments.front(), arguments.data());
        ::_exit(127);
    }
    int status = 0;
    rusage used{};
    if (child < 0 || ::wait4(child, &status, 0, &used) != child || status != 0) return std::nullopt;
    const auto seconds = [](const timeval& time) {
        return double(time.tv_sec) + 1e-6 * double(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::optional<Baked> bake(const fs::path& command, const fs::path& mesh, const fs::path& work) {
    const fs::path asset = work / "table.espl", text = work / "table.txt";
    const auto seconds = run({command, "bake", mesh, "-o", asset, "--trees", "sphere", "--quiet"}, text);
    if (!seconds || !run({command, "dump", asset, "--json"}, text)) return std::nullopt;
    std::ifstream file(text);
    const Json dump = Json::parse(file);
    const Json& part = dump.contains("shapes") ? dump["shapes"][0] : dump["parts"][0];  // since 2.0, before
    const Json& tree = part["trees"][0];
    Baked baked{*seconds, part["closed"], part["triangles"], {}, {}, {}};
    for (std::size_t l = 0; l < kLevels; ++l) {
        // A tree that ended early has its last level for all that follow.
        const std::size_t at = std::min(l + 1, tree["levels"].size() - 1);
        baked.spheres[l] = tree["levels"][at]["nodes"];
        baked.outside[l] = tree["sphere"]["levels"][at]["outside_volume"];
        baked.error[l] = tree["sphere"]["levels"][at]["error_max"];
    }
    return baked;
}

double ratio(double now, double before) {
    return before > 0.0 && now > 0.0 ? now / before : 1.0;
}

/// Geometric mean, and the factor of one standard deviation.
struct Mean {
    double mean = 1.0, spread = 1.0;
};
Mean mean_of(const std::vector<double>& values) {
    double sum = 0.0, squares = 0.0;
    for (const double value : values) {
        sum += std::log(value);
        squares += std::log(value) * std::log(value);
    }
    const auto count = double(std::max<std::size_t>(1, values.size()));
    return {std::exp(sum / count),
            std::exp(std::sqrt(std::max(0.0, squares / count - sum * sum / (count * count))))};
}

std::string number(double value, int digits = 3) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

std::string by_level(const Ratios& values, int digits = 3) {
    return number(values[0], digits) + " / " + number(values[1], digits) + " / " + number(values[2], digits);
}

/// One line of means over the meshes from `least` triangles to fewer than `end`.
std::string means_line(const std::string& what, const std::vector<Row>& rows, std::uint64_t least,
                       std::uint64_t end) {
    std::vector<double> times;
    std::array<std::vector<double>, kLevels> outside, error;
    for (const Row& row : rows) {
        if (row.triangles < least || row.triangles >= end) continue;
        times.push_back(row.time);
        for (std::size_t l = 0; l < kLevels; ++l) {
            outside[l].push_back(row.outside[l]);
            error[l].push_back(row.error[l]);
        }
    }
    if (times.empty()) return "";
    const auto means = [](const std::array<std::vector<double>, kLevels>& values) {
        Ratios mean, spread;
        for (std::size_t l = 0; l < kLevels; ++l) {
            mean[l] = mean_of(values[l]).mean;
            spread[l] = mean_of(values[l]).spread;
        }
        return by_level(mean) + " (" + by_level(spread, 2) + ")";
    };
    const Mean time = mean_of(times);
    return "| " + what + " | " + std::to_string(times.size()) + " | " + number(time.mean) + " (" +
           number(time.spread, 2) + ") | " + means(outside) + " | " + means(error) + " |\n";
}

std::string table_of(std::vector<Row> rows, const std::vector<std::string>& left_out) {
    std::ranges::stable_sort(rows, std::greater<>(), &Row::worst);
    constexpr std::uint64_t kAll = ~std::uint64_t(0);
    std::string text =
        "New by old, so below 1 is better: processor time of a bake on one processor, outside volume and "
        "largest "
        "error at levels 1 / 2 / 3. Geometric means, with the factor of one standard deviation over the "
        "meshes in "
        "brackets; one bake each, since the commands have no seed to vary.\n\n"
        "| closed meshes | | time | outside volume | largest error |\n|---|---|---|---|---|\n";
    text += means_line("up to 320 triangles", rows, 0, 321);
    text += means_line("321 to 1,999", rows, 321, 2000);
    text += means_line("2,000 to 11,999", rows, 2000, 12000);
    text += means_line("12,000 and more", rows, 12000, kAll);
    text += means_line("all", rows, 0, kAll);
    text +=
        "\nLosses first:\n\n| mesh | triangles | spheres, old | new | seconds | time | outside volume | "
        "largest "
        "error |\n|---|---|---|---|---|---|---|---|\n";
    for (const Row& row : rows) {
        text += "| " + row.name + " | " + std::to_string(row.triangles) + " | " +
                by_level(row.old_spheres, 0) + " | " + by_level(row.new_spheres, 0) + " | " +
                number(row.seconds, 2) + " | " + number(row.time) + " | " + by_level(row.outside) + " | " +
                by_level(row.error) + " |\n";
    }
    if (!left_out.empty()) {
        text += "\nLeft out (open, refused or not readable):";
        for (const std::string& name : left_out) text += " " + name;
        text += "\n";
    }
    return text;
}

std::vector<fs::path> meshes_of(const TableRequest& request) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(request.meshes)) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ".off" &&
            (request.models.empty() || std::ranges::find(request.models, name) != request.models.end()))
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

std::string compare_commands(const TableRequest& request) {
    std::vector<Row> rows;
    std::vector<std::string> left_out;
    for (const fs::path& mesh : meshes_of(request)) {
        const std::string name = mesh.stem().string();
        const auto before = bake(request.old_command, mesh, request.work);
        const auto now =
            before && before->closed ? bake(request.new_command, mesh, request.work) : std::nullopt;
        if (!now) {
            left_out.push_back(name);
            continue;
        }
        Row row{name, now->triangles,  now->seconds, ratio(now->seconds, before->seconds), {},
                {},   before->spheres, now->spheres};
        for (std::size_t l = 0; l < kLevels; ++l) {
            row.outside[l] = ratio(now->outside[l], before->outside[l]);
            row.error[l] = ratio(now->error[l], before->error[l]);
        }
        std::cerr << "espalier-bench-spheres: " << name << ": time " << number(row.time)
                  << ", outside volume " << by_level(row.outside) << ", largest error " << by_level(row.error)
                  << "\n";
        rows.push_back(row);
    }
    return table_of(std::move(rows), left_out);
}

}  // namespace espalier
