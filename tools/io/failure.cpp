// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/failure.h"

#include "tools/io/standard_streams.h"

namespace espalier::tools {

int report_failure(const std::string& file, const Error& error) {
    print_message((file.empty() ? "" : file + ": ") + error.message);
    return static_cast<int>(error.kind);
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
