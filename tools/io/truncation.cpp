// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/truncation.h"

#include <unistd.h>

#include <csignal>

#include "builder/base/result.h"
#include "tools/io/standard_streams.h"

namespace espalier::tools {

void report_truncated_files() {
    std::signal(SIGBUS, [](int) {
        write_message(
            "espalier: an asset became shorter while it was read; another program writes it in place\n");
        _exit(static_cast<int>(ErrorKind::kInputOutput));
    });
}

}  // namespace espalier::tools
