// SPDX-License-Identifier: GPL-3.0-or-later
// Part of the stand-in for TBB.
#pragma once

#include <tbb/stand_in.h>
