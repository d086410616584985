// SPDX-License-Identifier: MIT
// The whole C++ runtime: opening assets, every query, broad phase and scheduling. espalier.h is the C header.
#pragma once

#include "espalier/asset.h"
#include "espalier/broad_phase.h"
#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "espalier/frame_governor.h"
#include "espalier/map_file.h"
#include "espalier/point.h"
#include "espalier/pose.h"
#include "espalier/query.h"
#include "espalier/ray_cast.h"
#include "espalier/refit.h"
#include "espalier/scheduler.h"
#include "espalier/sphere_query.h"
#include "espalier/status.h"
