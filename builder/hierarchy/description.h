// SPDX-License-Identifier: GPL-3.0-or-later
// A hierarchy counted and measured: what all of them have, and what one alone has to say.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace espalier {

/// One level of a hierarchy; level 0 is the root.
struct LevelDescription {
    std::uint64_t nodes = 0;      ///< number of nodes
    std::uint64_t leaves = 0;     ///< that hang from this level's nodes
    std::uint64_t triangles = 0;  ///< in those leaves
};

/// A vector of the file and its bytes.
struct SectionDescription {
    std::string name;         ///< "positions", "aabb nodes", ...
    std::uint64_t bytes = 0;  ///< that it takes in the file
};

/// A name, as reports have it, and a value.
struct Fact {
    std::string name;                                              ///< as reports have it
    std::variant<bool, std::uint64_t, double, std::string> value;  ///< as it is printed
};

/// What only one hierarchy states; `name` is that of the group in reports, empty where there is none.
struct FactGroup {
    std::string name;                       ///< of the group in reports; may be empty
    std::vector<Fact> facts;                ///< in the order of printing
    std::vector<std::vector<Fact>> levels;  ///< further ones of each level; may be empty
};

/// A column beside the levels, for people.
struct LevelColumn {
    std::string heading;               ///< of the table
    std::vector<std::string> entries;  ///< one a level
};

/// A hierarchy as it is stored.
struct TreeDescription {
    std::string name;                      ///< the hierarchy's
    std::uint32_t depth = 0;               ///< number of levels
    std::uint64_t nodes = 0;               ///< number of nodes
    std::uint64_t leaves = 0;              ///< number of leaves
    std::uint64_t bytes = 0;               ///< of all sections; filled in by describe_asset
    double bytes_per_triangle = 0;         ///< likewise
    std::vector<LevelDescription> levels;  ///< root first
    std::vector<std::uint64_t>
        leaf_fill;  ///< [n]: leaves that hold n triangles; empty where leaves share them
    std::vector<SectionDescription> sections;  ///< what it takes in the file
    FactGroup facts;                           ///< lines of the description
    std::vector<std::string> sentences;        ///< what the facts say, for people
    std::vector<LevelColumn> columns;          ///< of the table of levels
};

/// A hierarchy as it was built.
struct TreeReport {
    std::string name;           ///< the hierarchy's
    std::uint64_t nodes = 0;    ///< number of nodes
    std::uint32_t depth = 0;    ///< of the hierarchy
    std::uint64_t bytes = 0;    ///< of the hierarchy, mesh excluded
    double seconds = 0;         ///< build time; not part of the asset
    FactGroup facts = {};       ///< what else is known of the build
    std::string sentence = {};  ///< what the facts say, for people; may be empty
};

}  // namespace espalier
