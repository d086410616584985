// SPDX-License-Identifier: GPL-3.0-or-later
// Files that become shorter while they are mapped.
#pragma once

namespace espalier::tools {

/// Call in main. From then on a mapped file that another program cuts short ends this one with a message and
/// exit code 2, where the system would kill it.
void report_truncated_files();

}  // namespace espalier::tools
