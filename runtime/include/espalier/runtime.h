// SPDX-License-Identifier: MIT
// The whole C++ runtime: opening assets, every query, kinematics, broad phase and scheduling. espalier.h is
// the C header.
#pragma once

#include "espalier/asset.h"
#include "espalier/body.h"
#include "espalier/body_collide.h"
#include "espalier/body_contacts.h"
#include "espalier/body_distance.h"
#include "espalier/body_point.h"
#include "espalier/body_ray_cast.h"
#include "espalier/body_sphere_query.h"
#include "espalier/broad_phase.h"
#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "espalier/frame_governor.h"
#include "espalier/kinematics.h"
#include "espalier/map_file.h"
#include "espalier/point.h"
#include "espalier/pose.h"
#include "espalier/query.h"
#include "espalier/ray_cast.h"
#include "espalier/refit.h"
#include "espalier/scheduler.h"
#include "espalier/sphere_query.h"
#include "espalier/status.h"
