// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/options/command_line.h"

#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <sstream>

#include "builder/hierarchy/tree_option.h"
#include "tools/io/failure.h"
#include "tools/io/standard_streams.h"

namespace espalier::tools {
namespace {

namespace options = boost::program_options;

constexpr const char* kArguments = "argument";
constexpr const char* kExitCodes =
    "exit codes:\n"
    "  0 done   1 usage   2 input or output   3 invalid input   4 internal error   5 unsupported\n"
    "  6 not collision-safe (--strict)   128+N stopped by signal N (130: Ctrl-C); outputs stay as they "
    "were\n";

/// Columns of the help, and of them those of the descriptions.
constexpr unsigned kLineWidth = 110, kDescriptionWidth = 70;

/// Long options in full only: an abbreviation in a script would break when a new option shares its start.
constexpr int kStyle = options::command_line_style::unix_style & ~options::command_line_style::allow_guessing;

}  // namespace

std::optional<std::string> Parsed::text(const std::string& option) const {
    if (!has(option)) return std::nullopt;
    return values_[option].as<std::string>();
}

std::vector<std::string> Parsed::texts(const std::string& option) const {
    if (!has(option)) return {};
    return values_[option].as<std::vector<std::string>>();
}

std::string Parsed::required_text(const std::string& option) const {
    if (!has(option)) fail_usage("--" + option + " is missing");
    return *text(option);
}

std::optional<std::uint64_t> Parsed::count(const std::string& option, std::uint64_t least,
                                           std::uint64_t most) const {
    const std::optional<std::string> given = text(option);
    if (!given) return std::nullopt;
    return value_or_fail("", read_count(option, *given, least, most));
}

std::optional<double> Parsed::number(const std::string& option) const {
    const std::optional<std::string> given = text(option);
    if (!given) return std::nullopt;
    return value_or_fail("", read_number(option, *given));
}

std::optional<std::size_t> Parsed::choice(const std::string& option,
                                          std::span<const std::string_view> names) const {
    const std::optional<std::string> given = text(option);
    if (!given) return std::nullopt;
    return value_or_fail("", read_choice(option, *given, names));
}

CommandLine::CommandLine(std::string usage, std::string about, std::string example)
    : usage_(std::move(usage)), about_(std::move(about)), example_(std::move(example)) {
    group("options");
    flag("help,h", "print this text");
}

CommandLine& CommandLine::flag(const char* name, const std::string& description) {
    groups_.back().add_options()(name, description.c_str());
    return *this;
}

CommandLine& CommandLine::value(const char* name, const char* value_name, const std::string& description) {
    groups_.back().add_options()(name, options::value<std::string>()->value_name(value_name),
                                 description.c_str());
    return *this;
}

CommandLine& CommandLine::group(const std::string& heading) {
    groups_.emplace_back(heading, kLineWidth, kDescriptionWidth);
    return *this;
}

CommandLine& CommandLine::values(const char* name, const char* value_name, const std::string& description) {
    groups_.back().add_options()(name, options::value<std::vector<std::string>>()->value_name(value_name),
                                 description.c_str());
    return *this;
}

CommandLine& CommandLine::arguments(std::size_t least, std::size_t most, std::string what) {
    least_ = least;
    most_ = most;
    what_ = std::move(what);
    return *this;
}

std::optional<Parsed> CommandLine::parse(const Arguments& words) const {
    options::options_description all;
    for (const options::options_description& group : groups_) all.add(group);
    all.add_options()(kArguments, options::value<Arguments>());
    options::positional_options_description positions;
    positions.add(kArguments, -1);
    Parsed parsed;
    try {
        options::store(
            options::command_line_parser(words).options(all).positional(positions).style(kStyle).run(),
            parsed.values_);
    } catch (const options::error& wrong) {
        fail_usage(wrong.what());
    }
    if (parsed.has("help")) {
        print(help());
        return std::nullopt;
    }
    if (parsed.has(kArguments)) parsed.arguments_ = parsed.values_[kArguments].as<Arguments>();
    check_argument_count(parsed.arguments_.size());
    return parsed;
}

void CommandLine::check_argument_count(std::size_t count) const {
    if (count < least_) fail_usage(what_ + " is missing");
    if (count > most_)
        fail_usage("takes " + what_ + " only; there are " + std::to_string(count - most_) +
                   " arguments too many");
}

std::string CommandLine::help() const {
    std::ostringstream text;
    text << "usage: espalier " << usage_ << "\n\n" << about_ << "\n";
    for (const options::options_description& group : groups_) text << group << "\n";
    text << "example:\n" << example_ << "\n" << kExitCodes;
    return text.str();
}

void add_json_option(CommandLine& line) {
    line.flag("json", "print a JSON report (tools/json_schema) instead of text");
}

}  // namespace espalier::tools
