// SPDX-License-Identifier: GPL-3.0-or-later
// An option of a hierarchy, described once: help, parser, range errors and what an asset records all come
// from here.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "builder/base/names.h"
#include "builder/base/number_text.h"
#include "builder/base/result.h"

namespace espalier {

enum class OptionKind : std::uint8_t {
    kCount,   ///< a whole number from `least` to `most`
    kNumber,  ///< a finite number from `least` to `most`
    kChoice,  ///< one of `choices`
    kFlag,    ///< there or not
    kText,    ///< what `set` understands; else it is `refusal`
};

/// The text of an option, read as its kind says.
struct OptionValue {
    std::uint64_t count = 0;  ///< of kind kCount
    double number = 0;        ///< of kind kNumber
    std::size_t choice = 0;   ///< index of the choice
    std::string_view text;    ///< as it was given
};

/// Describes one option. The default is that of the hierarchy's options struct: `get` of a fresh one.
struct TreeOption {
    const char* name;                                ///< on the command line, without "--"; in the asset
    const char* placeholder;                         ///< of its value in the help; empty for flags
    const char* sentence;                            ///< what it means
    OptionKind kind;                                 ///< what its value is
    double least = 0;                                ///< smallest value
    double most = 0;                                 ///< largest value
    std::span<const std::string_view> choices = {};  ///< names of the values
    const char* refusal = "";                        ///< kText: what a wrong text is not
    const char* unset = "";  ///< what happens without it, where the default is no value that can be given
    std::string (*get)(const std::any& options) = nullptr;               ///< as the asset records it
    bool (*set)(std::any& options, const OptionValue& value) = nullptr;  ///< false: refused (kText only)
};

/// Reads `text` and sets the option in `options`, the hierarchy's own struct. `text` of a flag is not looked
/// at. Fails with kUsage and a message that begins with the option's name.
Result<Success> set_option(const TreeOption& option, std::any& options, const std::string& text);

// The same for options that are no hierarchy's. `option` is the name, without "--".
Result<std::uint64_t> read_count(const std::string& option, const std::string& text, std::uint64_t least,
                                 std::uint64_t most);
Result<double> read_number(const std::string& option, const std::string& text);
Result<std::size_t> read_choice(const std::string& option, const std::string& text,
                                std::span<const std::string_view> choices);

/// "a, b or c".
std::string list_names(std::span<const std::string_view> names);

// Options that are one member of the struct.

/// What a pointer to a member points to.
template <class Pointer>
struct MemberOf;
/// A member of type Value_ in Struct_.
template <class Struct_, class Value_>
struct MemberOf<Value_ Struct_::*> {
    using Struct = Struct_;  ///< the class
    using Value = Value_;    ///< type of the member
};

template <auto kMember>
const auto& member(const std::any& options) {
    return std::any_cast<const typename MemberOf<decltype(kMember)>::Struct&>(options).*kMember;
}
template <auto kMember>
auto& member(std::any& options) {
    return std::any_cast<typename MemberOf<decltype(kMember)>::Struct&>(options).*kMember;
}

template <class Enum>
inline constexpr auto kEnumNames = enum_names(Enum{});

template <auto kMember>
constexpr TreeOption count_option(const char* name, const char* placeholder, const char* sentence,
                                  double least, double most, const char* unset = "") {
    TreeOption option{name, placeholder, sentence, OptionKind::kCount, least, most};
    option.unset = unset;
    option.get = [](const std::any& options) { return std::to_string(member<kMember>(options)); };
    option.set = [](std::any& options, const OptionValue& value) {
        using Value = typename MemberOf<decltype(kMember)>::Value;
        member<kMember>(options) = static_cast<Value>(value.count);
        return true;
    };
    return option;
}

template <auto kMember>
constexpr TreeOption number_option(const char* name, const char* placeholder, const char* sentence,
                                   double least, double most) {
    TreeOption option{name, placeholder, sentence, OptionKind::kNumber, least, most};
    option.get = [](const std::any& options) { return number_text(member<kMember>(options)); };
    option.set = [](std::any& options, const OptionValue& value) {
        member<kMember>(options) = value.number;
        return true;
    };
    return option;
}

template <auto kMember>
constexpr TreeOption choice_option(const char* name, const char* placeholder, const char* sentence) {
    using Enum = typename MemberOf<decltype(kMember)>::Value;
    TreeOption option{name, placeholder, sentence, OptionKind::kChoice};
    option.choices = kEnumNames<Enum>;
    option.get = [](const std::any& options) { return std::string(name_of(member<kMember>(options))); };
    option.set = [](std::any& options, const OptionValue& value) {
        member<kMember>(options) = static_cast<Enum>(value.choice);
        return true;
    };
    return option;
}

template <auto kMember>
constexpr TreeOption flag_option(const char* name, const char* sentence) {
    TreeOption option{name, "", sentence, OptionKind::kFlag};
    option.get = [](const std::any& options) { return std::string(member<kMember>(options) ? "yes" : "no"); };
    option.set = [](std::any& options, const OptionValue&) {
        member<kMember>(options) = true;
        return true;
    };
    return option;
}

}  // namespace espalier
