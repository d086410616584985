// SPDX-License-Identifier: MIT
// Bring your own operation: the walk over two cell trees finds the pairs of leaf cells that overlap, and what
// is done with them is the caller's ("elementary operation" in Zachmann 1997). Here: (1) count the pairs, a
// measure of how closely two parts are entangled; (2) check a safety distance, in steps of a budget. Uses the
// runtime alone.
//
//   espalier bake part.off -o part.espl --trees cell
//   example_cell_walk A.espl B.espl DISTANCE
#include "espalier/cell_walk.h"

#include <cstdio>
#include <cstdlib>

#include "espalier/asset.h"
#include "espalier/map_file.h"

namespace {

espalier::CellWalk<> walk;  // 16 KiB of caller memory

bool load(const char* path, espalier::MappedFile* file, espalier::ShapeView* part) {
    espalier::Asset asset;
    espalier::Status status = file->map(path);
    if (status == espalier::Status::kOk)
        status = espalier::open(file->data(), file->size(), espalier::Verify::kFull, &asset);
    if (status == espalier::Status::kOk) status = asset.part(0, part);
    if (status != espalier::Status::kOk)
        std::fprintf(stderr, "example_cell_walk: %s: %s\n", path, espalier::status_text(status));
    return status == espalier::Status::kOk;
}

/// An operation that is never content sees every pair.
unsigned long count_pairs(const espalier::ShapeView& a, const espalier::ShapeView& b,
                          const espalier::Pose& pose) {
    unsigned long pairs = 0;
    if (walk.begin(a, b, pose) != espalier::Status::kOk) return 0;
    walk.step([&](const espalier::CellPair&) {
        ++pairs;
        return false;
    });
    return pairs;
}

/// With a reach, cells that are no more than that apart come up too. The first pair of triangles that is too
/// near ends the walk; every step is limited, as it would be in a frame.
bool too_near(const espalier::ShapeView& a, const espalier::ShapeView& b, const espalier::Pose& pose,
              double safety) {
    if (walk.begin(a, b, pose, safety) != espalier::Status::kOk) return true;
    const auto operation = [safety](const espalier::CellPair& pair) {
        for (std::uint32_t i = 0; i < pair.a.triangle_count; ++i)
            for (std::uint32_t j = 0; j < pair.b.triangle_count; ++j)
                if (walk.triangle_distance(pair.a.triangles[i], pair.b.triangles[j]) < safety) return true;
        return false;
    };
    espalier::Budget frame;
    frame.node_tests = 200;
    espalier::Verdict verdict = espalier::Verdict::kUnresolved;
    while (verdict == espalier::Verdict::kUnresolved) verdict = walk.step(operation, frame);
    return verdict == espalier::Verdict::kColliding;
}

}  // namespace

int main(int argc, char** argv) {
    const double safety = argc == 4 ? std::atof(argv[3]) : 0;
    if (!(safety > 0)) {
        std::fprintf(stderr, "usage: example_cell_walk A.espl B.espl DISTANCE\n");
        return 1;
    }
    espalier::MappedFile files[2];
    espalier::ShapeView a, b;
    if (!load(argv[1], &files[0], &a) || !load(argv[2], &files[1], &b)) return 2;
    if (a.cell.unit_count == 0 || b.cell.unit_count == 0) {
        std::fprintf(stderr, "example_cell_walk: a part has no cell tree; bake it with --trees cell\n");
        return 3;
    }
    const double side = double(a.hi[0]) - double(a.lo[0]);
    for (int i = 0; i <= 4; ++i) {
        espalier::Pose pose;
        pose.translation[0] = (1.5 - 0.375 * i) * side;
        std::printf("x %6.2f: %lu pairs of cells overlap; %s\n", pose.translation[0], count_pairs(a, b, pose),
                    too_near(a, b, pose, safety) ? "nearer than the safety distance" : "clear");
    }
    return 0;
}
