// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/failure.h"

#include "tools/io/standard_streams.h"

namespace espalier::tools {

int report_failure(const std::string& file, const Error& error) {
    if (error.message.empty()) return static_cast<int>(error.kind);
    print_message((file.empty() ? "" : file + ": ") + error.message);
    return static_cast<int>(error.kind);
}

int report_no_memory() noexcept {
    write_message("espalier: not enough memory for this input\n");
    return static_cast<int>(ErrorKind::kUnsupported);
}

std::string_view kind_name(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::kUsage:
            return "usage";
        case ErrorKind::kInputOutput:
            return "input or output";
        case ErrorKind::kInvalidInput:
            return "invalid input";
        case ErrorKind::kInternal:
            return "internal";
        case ErrorKind::kUnsupported:
            return "unsupported";
        case ErrorKind::kNotSafe:
            return "not safe";
    }
    return "internal";
}

}  // namespace espalier::tools
