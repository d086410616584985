// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/hierarchy/tree_option.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace espalier {
namespace {

Error wrong(const std::string& option, const std::string& what) {
    return {ErrorKind::kUsage, "--" + option + what};
}

}  // namespace

std::string list_names(std::span<const std::string_view> names) {
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        list += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
        list += names[i];
    }
    return list;
}

Result<std::uint64_t> read_count(const std::string& option, const std::string& text, std::uint64_t least,
                                 std::uint64_t most) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        return wrong(option, " needs a whole number from " + std::to_string(least) + " to " +
                                 std::to_string(most) + ", not '" + text + "'");
    return value;
}

Result<double> read_number(const std::string& option, const std::string& text) {
    const std::optional<double> value = parse_number(text);
    if (!value || !std::isfinite(*value)) return wrong(option, " needs a finite number, not '" + text + "'");
    return *value;
}

Result<std::size_t> read_choice(const std::string& option, const std::string& text,
                                std::span<const std::string_view> choices) {
    const auto found = std::ranges::find(choices, text);
    if (found == choices.end())
        return wrong(option, " must be " + list_names(choices) + ", not '" + text + "'");
    return static_cast<std::size_t>(found - choices.begin());
}

Result<Success> set_option(const TreeOption& option, std::any& options, const std::string& text) {
    OptionValue value;
    value.text = text;
    switch (option.kind) {
        case OptionKind::kCount: {
            const Result<std::uint64_t> count =
                read_count(option.name, text, static_cast<std::uint64_t>(option.least),
                           static_cast<std::uint64_t>(option.most));
            if (!count) return count.error();
            value.count = count.value();
            break;
        }
        case OptionKind::kNumber: {
            const Result<double> number = read_number(option.name, text);
            if (!number) return number.error();
            if (!(number.value() >= option.least && number.value() <= option.most))
                return wrong(option.name, " needs a number from " + number_text(option.least) + " to " +
                                              number_text(option.most) + ", not '" + text + "'");
            value.number = number.value();
            break;
        }
        case OptionKind::kChoice: {
            const Result<std::size_t> choice = read_choice(option.name, text, option.choices);
            if (!choice) return choice.error();
            value.choice = choice.value();
            break;
        }
        case OptionKind::kFlag:
        case OptionKind::kText:
            break;
    }
    if (!option.set(options, value)) return wrong(option.name, ": '" + text + "' is " + option.refusal);
    return Success{};
}

}  // namespace espalier
