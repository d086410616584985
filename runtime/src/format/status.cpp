// SPDX-License-Identifier: MIT
#include "espalier/status.h"

namespace espalier {

const char* status_text(Status status) {
    switch (status) {
        case Status::kOk:
            return "ok";
        case Status::kInvalidArgument:
            return "invalid argument";
        case Status::kTruncated:
            return "truncated file";
        case Status::kWrongIdentifier:
            return "not an .espl file";
        case Status::kUnsupportedVersion:
            return "unsupported format version";
        case Status::kMisaligned:
            return "bytes are not 16-byte aligned";
        case Status::kChecksumMismatch:
            return "checksum mismatch: the file is damaged";
        case Status::kCorrupt:
            return "corrupt file structure";
        case Status::kCorruptMesh:
            return "corrupt mesh";
        case Status::kCorruptTree:
            return "corrupt hierarchy";
        case Status::kTooDeep:
            return "hierarchy deeper than the runtime's stack";
        case Status::kNoTree:
            return "the asset has no such hierarchy";
        case Status::kBufferFull:
            return "buffer too small";
        case Status::kInputOutput:
            return "cannot open or map the file";
        case Status::kNotClosed:
            return "the mesh is not closed";
        case Status::kNoShape:
            return "the part has no shape";
        case Status::kCorruptParts:
            return "corrupt parts";
    }
    return "unknown status";
}

}  // namespace espalier
