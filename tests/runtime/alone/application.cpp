// SPDX-License-Identifier: GPL-3.0-or-later
// What a microcontroller links for one use: full verification of an asset in flash, and one query
// (ESPALIER_USE). compile_runtime.py links it without what is not called and measures the code.
#include "espalier/runtime.h"

namespace {

ESPALIER_USE query;

}  // namespace

extern "C" int application(const void* flash, std::size_t size);

extern "C" int application(const void* flash, std::size_t size) {
    espalier::Asset asset;
    espalier::ShapeView part;
    if (espalier::open(flash, size, espalier::Verify::kFull, &asset) != espalier::Status::kOk) return 1;
    if (asset.part(0, &part) != espalier::Status::kOk) return 1;
    if (query.begin(part, part, espalier::Pose()) != espalier::Status::kOk) return 1;
    return static_cast<int>(query.step());
}
