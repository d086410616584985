// SPDX-License-Identifier: MIT
// Outcome of every runtime function that can fail.
#pragma once

#include <cstdint>

namespace espalier {

/// Zero is success; the values are stable and equal to the C header's ESPALIER_STATUS_* constants.
enum class Status : std::uint32_t {
    kOk = 0,
    kInvalidArgument = 1,     ///< a null pointer, a part that does not exist, a pose that is not finite
    kTruncated = 2,           ///< fewer bytes than the file says it has, or than any file needs
    kWrongIdentifier = 3,     ///< not an .espl file
    kUnsupportedVersion = 4,  ///< another major format version
    kMisaligned = 5,          ///< the bytes do not start on a 16-byte boundary
    kChecksumMismatch = 6,    ///< damaged after it was written
    kCorrupt = 7,             ///< an offset, length or alignment inside the file is wrong
    kCorruptMesh = 8,         ///< a triangle names a missing vertex, or a coordinate is not finite
    kCorruptTree = 9,         ///< a hierarchy is not a tree over its triangles
    kTooDeep = 10,            ///< a hierarchy is deeper than the runtime's fixed stacks
    kNoTree = 11,             ///< the part was baked without the hierarchy that the query needs
    kBufferFull = 12,    ///< a caller's buffer was too small; what fits was written, the count is complete
    kInputOutput = 13,   ///< the operating system could not open or map the file
    kNotClosed = 14,     ///< the mesh has no inside
    kNoShape = 15,       ///< the part is a frame only: it has no triangles
    kCorruptParts = 16,  ///< a part, joint or pair breaks a rule of the format
};

/// A short English text, never null.
const char* status_text(Status status);

}  // namespace espalier
