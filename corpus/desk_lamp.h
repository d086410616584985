// SPDX-License-Identifier: GPL-3.0-or-later
// Desk lamp: the test object of Hubbard 1996, section 6, chosen there for its deep concavities.
#pragma once

#include "corpus/shape.h"

namespace espalier::corpus {

/// The defaults give a lamp 0.53 high, in metres.
struct DeskLampOptions {
    std::uint32_t segments = 24;  ///< around every section; the number of sections grows with it
};

/// One closed manifold of genus 0 that does not meet itself: a foot, a bent arm of two links, and a hollow
/// shade with the bulb inside. Standing on the plane z = 0 and reaching forward along x. Needs at least 6
/// segments.
TriangleMesh make_desk_lamp(const DeskLampOptions& options = {});

}  // namespace espalier::corpus
