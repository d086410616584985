// SPDX-License-Identifier: GPL-3.0-or-later
// The two forms of what `espalier bake` prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "builder/bake.h"
#include "tools/options/bake_plan.h"
#include "tools/report/json_report.h"

namespace espalier::tools {

/// How one input went.
struct BakeOutcome {
    std::optional<Error> error;
    std::string blamed;      ///< the file that the error is about
    bool cancelled = false;  ///< neither done nor wrong
    BakeReport report;       ///< when it is done

    void fail(const std::string& file, Error why) {
        error = std::move(why);
        blamed = file;
    }
};

/// A line for the asset and one for each finding.
std::string bake_text(const BakeTask& task, const BakeReport& report);

/// The whole run. `exit_code` is what the command returns.
Json bake_json(const std::vector<BakeTask>& tasks, const std::vector<BakeOutcome>& outcomes, int exit_code);

}  // namespace espalier::tools
