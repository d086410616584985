// SPDX-License-Identifier: GPL-3.0-or-later
// What a microcontroller links for a body: full verification of an asset in flash, its parts posed (by
// forward kinematics with ESPALIER_KINEMATICS), and one query of the body with itself (ESPALIER_USE).
#include "espalier/runtime.h"

namespace {

ESPALIER_USE query;
alignas(16) unsigned char memory[16384];
espalier::Body body;
espalier::Pose poses[64];

}  // namespace

extern "C" int application(const void* flash, std::size_t size, const double* values, std::uint32_t count);

extern "C" int application(const void* flash, std::size_t size, const double* values, std::uint32_t count) {
    espalier::Asset asset;
    if (espalier::open(flash, size, espalier::Verify::kFull, &asset) != espalier::Status::kOk) return 1;
    if (body.begin(asset, memory, sizeof(memory)) != espalier::Status::kOk) return 1;
    const std::uint32_t parts = asset.part_count();
#ifdef ESPALIER_KINEMATICS
    if (parts > 64 || espalier::forward_kinematics(asset, espalier::Pose(), values, count, poses, parts) !=
                          espalier::Status::kOk)
        return 1;
#else
    static_cast<void>(values);
    static_cast<void>(count);
#endif
    if (body.set_poses(poses, parts) != espalier::Status::kOk) return 1;
    if (query.begin_self(body) != espalier::Status::kOk) return 1;
    return static_cast<int>(query.step());
}
