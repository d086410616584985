// SPDX-License-Identifier: GPL-3.0-or-later
// From a body's description to the structs that an asset stores, after everything was checked that a full
// verification of the file, and `espalier check`, would refuse.
#pragma once

#include <string>
#include <vector>

#include "builder/base/result.h"
#include "builder/body/body_description.h"

namespace espalier {

/// What an asset stores of a body besides its shapes.
struct StoredParts {
    std::vector<PartNode> parts;     ///< empty: the one shape is the one part, at rest
    std::vector<std::string> names;  ///< of parts and joints
    std::vector<PartPair> pairs;     ///< a below b, in rising order
};

/// Checks and converts. Rotations and axes that are within 1e-9 of unit length are stored with unit length.
/// Fails with
///  - kUnsupported: more than kMostParts parts;
///  - kInvalidInput: no part or no shape; a name that is empty, is no UTF-8 or holds control characters, or
///    is that of another part (of another joint); a parent that does not come before its part, a shape, mimic
///    or pair out of range; a rotation or axis that is not of unit length; numbers that are not finite;
///    limits out of order; a chain of mimics that does not end or has more than kMaxMimicChain joints; a pair
///    of a part with itself, or that is there twice. The message names the part.
Result<StoredParts> stored_parts(const BodyDescription& body);

}  // namespace espalier
