// SPDX-License-Identifier: GPL-3.0-or-later
// The page of `espalier view` without its data: tools/view_page.html, built into the program.
#pragma once

namespace espalier::tools {

extern const char* const kViewPage;

/// Stands in the page where the data belong.
constexpr const char* kViewPageData = "\"espalier data\"";

}  // namespace espalier::tools
