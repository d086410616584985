// SPDX-License-Identifier: GPL-3.0-or-later
// One thing that import or sanitize noticed or did, with a number that scripts can rely on.
#pragma once

#include <cstdint>
#include <string>

namespace espalier {

/// How much a finding should worry the user.
enum class Severity {
    kInfo,     ///< harmless housekeeping
    kWarning,  ///< the mesh is usable, but something in it is probably not what its author meant
};

/// "info" or "warning".
inline const char* to_string(Severity severity) {
    return severity == Severity::kInfo ? "info" : "warning";
}

/// `number` and `name` are stable: a number never changes its meaning and is never used again.
/// Import findings are numbered M01.., sanitize findings S01.. (lists: import.h, sanitize.h).
struct Finding {
    std::string number;                   ///< "S03"
    Severity severity = Severity::kInfo;  ///< whether it could change collisions
    std::string name;                     ///< "duplicate triangles"
    std::uint64_t count = 0;              ///< how many elements it concerns
    std::string message;                  ///< a sentence for people; may change
};

}  // namespace espalier
