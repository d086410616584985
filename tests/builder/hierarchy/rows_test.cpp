// SPDX-License-Identifier: GPL-3.0-or-later
// What holds of every row: names, ranks, and options that read back what they write.
#include <gtest/gtest.h>

#include <set>

#include "builder/aabb/options.h"
#include "builder/bake.h"
#include "builder/cell/options.h"

namespace espalier::test {
namespace {

/// The names of those that released files have; later ones may stand anywhere but before them in the record.
std::string released(const std::vector<const Hierarchy*>& rows) {
    std::string text;
    for (const Hierarchy* row : rows)
        for (const char* name : {"aabb", "box", "sphere", "cell"})
            if (row->name == std::string_view(name)) text += std::string(name) + " ";
    return text;
}

TEST(Rows, AreRecordedInTheOrderOfTheFormatAndNewOnesBehind) {
    const HierarchyRows all = all_hierarchies();
    ASSERT_GE(all.size(), 4u);
    EXPECT_EQ(released({all.begin(), all.begin() + 4}), "aabb box sphere cell ");
}

TEST(Rows, AreShownBuiltAndCheckedInTheOrdersThatReportsPromise) {
    const HierarchyRows all = all_hierarchies();
    EXPECT_EQ(released(ranked(all, &HierarchyRanks::shown)), "sphere box cell aabb ");
    EXPECT_EQ(released(ranked(all, &HierarchyRanks::built)), "sphere aabb box cell ");
    EXPECT_EQ(released(ranked(all, &HierarchyRanks::checked)), "box sphere cell aabb ");
}

TEST(Rows, NoNameAndNoOptionIsThereTwice) {
    std::set<std::string> names;
    for (const Hierarchy* row : all_hierarchies()) {
        EXPECT_TRUE(names.insert(row->name).second) << row->name;
        for (const TreeOption& option : row->options)
            EXPECT_TRUE(names.insert(option.name).second) << option.name;
    }
}

TEST(Options, EveryDefaultCanBeGivenAndReadsBackTheSame) {
    for (const Hierarchy* row : all_hierarchies())
        for (const TreeOption& option : row->options) {
            std::any options = row->default_options();
            const std::string text = option.get(options);
            if (option.kind == OptionKind::kFlag) {
                EXPECT_EQ(text, "no") << option.name;
                ASSERT_TRUE(set_option(option, options, "")) << option.name;
                EXPECT_EQ(option.get(options), "yes") << option.name;
            } else if (!*option.unset) {
                const Result<Success> set = set_option(option, options, text);
                ASSERT_TRUE(set) << set.error().message;
                EXPECT_EQ(option.get(options), text) << option.name;
            }
        }
}

TEST(Options, BothEndsOfARangeAreTakenAndWhatIsBeyondIsRefusedWithTheRange) {
    for (const Hierarchy* row : all_hierarchies())
        for (const TreeOption& option : row->options) {
            if (option.kind != OptionKind::kCount && option.kind != OptionKind::kNumber) continue;
            std::any options = row->default_options();
            for (const double end : {option.least, option.most}) {
                const std::string text = option.kind == OptionKind::kCount
                                             ? std::to_string(static_cast<std::uint64_t>(end))
                                             : number_text(end);
                EXPECT_TRUE(set_option(option, options, text)) << option.name << " " << text;
                EXPECT_EQ(option.get(options), text);
            }
            const std::string before = option.get(options);
            const Result<Success> beyond =
                set_option(option, options, std::to_string(static_cast<std::uint64_t>(option.most) + 1));
            ASSERT_FALSE(beyond) << option.name;
            EXPECT_EQ(beyond.error().kind, ErrorKind::kUsage);
            EXPECT_EQ(beyond.error().message.find(std::string("--") + option.name + " needs "), 0u)
                << beyond.error().message;
            EXPECT_NE(beyond.error().message.find(" to "), std::string::npos) << beyond.error().message;
            EXPECT_EQ(option.get(options), before) << "a refused value must change nothing";
        }
}

TEST(Options, WhatIsRecordedAreTheOptionsOfTheTreesThatAreBaked) {
    BakeOptions options;
    CellTreeOptions cell;
    cell.gamma = 0.5;
    options.trees = {cell_tree(cell), aabb_tree()};
    const std::vector<std::pair<std::string, std::string>> expected = {{"aabb-leaf", "4"},
                                                                       {"aabb-split", "binned"},
                                                                       {"cell-delta", "1e-06"},
                                                                       {"cell-depth", "0"},
                                                                       {"cell-empty", "0.05"},
                                                                       {"cell-gamma", "0.5"},
                                                                       {"cell-lambda", "0.8"},
                                                                       {"cell-min", "1"},
                                                                       {"frames", "no"},
                                                                       {"merge", "no"},
                                                                       {"parts", ""},
                                                                       {"scale", "1"},
                                                                       {"scene", ""},
                                                                       {"trees", "aabb,cell"},
                                                                       {"unit", ""},
                                                                       {"weld", "0"}};
    EXPECT_EQ(recorded_options(options), expected);
}

}  // namespace
}  // namespace espalier::test
