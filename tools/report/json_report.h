// SPDX-License-Identifier: GPL-3.0-or-later
// What all --json outputs share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "builder/hierarchy/description.h"

namespace espalier::tools {

/// Keeps the order in which fields were added.
using Json = nlohmann::ordered_json;

/// A document with its "report" name and "report_version". The version rises when a field changes its meaning
/// or goes away (tools/json_schema); new fields do not change it.
inline Json json_document(const char* report, int version = 1) {
    Json document;
    document["report"] = report;
    document["report_version"] = version;
    return document;
}

/// As text with a line end. Bytes that are no UTF-8 (file names) are replaced, since JSON cannot hold them.
inline std::string json_text(const Json& document) {
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// An object of all facts, in their order.
inline Json facts_json(const std::vector<Fact>& facts) {
    Json json = Json::object();
    for (const Fact& fact : facts)
        std::visit([&](const auto& value) { json[fact.name] = value; }, fact.value);
    return json;
}

}  // namespace espalier::tools
