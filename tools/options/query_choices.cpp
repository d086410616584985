// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/options/query_choices.h"

#include <algorithm>

#include "builder/hierarchies.h"

namespace espalier::tools {
namespace {

/// "satlite (6 axes; the default), sat (15 axes)"
std::string variants_text(std::span<const QueryVariant> variants) {
    std::string text;
    for (const QueryVariant& variant : variants) {
        if (!text.empty()) text += ", ";
        text += variant.name;
        const bool is_default = &variant == &variants.front();
        std::string remark = variant.sentence;
        if (is_default) remark += remark.empty() ? "the default" : "; the default";
        if (!remark.empty()) text += " (" + remark + ")";
    }
    return text;
}

}  // namespace

std::vector<QueryChoice> query_choices() {
    std::vector<QueryChoice> choices;
    for (const Hierarchy* row : all_hierarchies()) {
        std::vector<std::string> told;  // the modes of a tree have the same variants
        for (const QueryMethod& method : row->query_methods()) {
            if (!*method.variants.front().name || std::ranges::find(told, method.option) != told.end())
                continue;
            told.push_back(method.option);
            auto choice = std::ranges::find(choices, method.option, &QueryChoice::option);
            if (choice == choices.end()) choice = choices.insert(choice, {method.option, ""});
            if (!choice->help.empty()) choice->help += "; ";
            choice->help += row->name;
            choice->help += " tree: " + variants_text(method.variants);
        }
    }
    return choices;
}

}  // namespace espalier::tools
