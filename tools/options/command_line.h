// SPDX-License-Identifier: GPL-3.0-or-later
// Options, arguments and help of one verb, over Boost.Program_options.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::tools {

using Arguments = std::vector<std::string>;

/// What the arguments of a verb said. Every function that reads an option throws Failure (kUsage) naming the
/// option when its text is not what was asked for.
class Parsed {
  public:
    bool has(const std::string& option) const { return values_.count(option) > 0; }
    std::optional<std::string> text(const std::string& option) const;
    /// Every text of an option that may be given several times, in their order.
    std::vector<std::string> texts(const std::string& option) const;
    /// The text of an option that must be there.
    std::string required_text(const std::string& option) const;
    /// A whole number from `least` to `most`.
    std::optional<std::uint64_t> count(const std::string& option, std::uint64_t least,
                                       std::uint64_t most) const;
    /// A finite number.
    std::optional<double> number(const std::string& option) const;
    /// One of `names`, as its index.
    std::optional<std::size_t> choice(const std::string& option,
                                      std::span<const std::string_view> names) const;
    /// The arguments that are no options.
    const Arguments& arguments() const { return arguments_; }

  private:
    friend class CommandLine;
    boost::program_options::variables_map values_;
    Arguments arguments_;
};

/// The syntax of one verb.
class CommandLine {
  public:
    /// @param usage   what follows "espalier " in the first line of the help
    /// @param about   what the verb does; whole lines
    /// @param example one or more lines, each a command
    CommandLine(std::string usage, std::string about, std::string example);

    /// An option without a value.
    CommandLine& flag(const char* name, const std::string& description);
    /// An option with a value; `value_name` stands for it in the help.
    CommandLine& value(const char* name, const char* value_name, const std::string& description);
    /// What follows stands under a heading of its own in the help.
    CommandLine& group(const std::string& heading);
    /// The same for an option that may be given several times.
    CommandLine& values(const char* name, const char* value_name, const std::string& description);
    /// Takes from `least` to `most` arguments that are no options; `what` names them in messages ("FILE").
    CommandLine& arguments(std::size_t least, std::size_t most, std::string what);

    /// Parses. Returns nothing when help was asked for; it has then been printed. Throws Failure (kUsage).
    std::optional<Parsed> parse(const Arguments& words) const;

    std::string help() const;

  private:
    void check_argument_count(std::size_t count) const;

    std::string usage_, about_, example_, what_;
    std::size_t least_ = 0, most_ = 0;
    std::list<boost::program_options::options_description> groups_;  // they cannot be moved
};

/// The group that every verb with a report has: --json.
void add_json_option(CommandLine& line);

}  // namespace espalier::tools
