// SPDX-License-Identifier: MIT
// Ship: maps two baked files and moves one past the other, asking at each place whether they touch and how
// far apart they are, under a budget. Uses the runtime alone: no heap, no exceptions.
//
//   example_query A.espl B.espl
#include <cstdio>

#include "espalier/asset.h"
#include "espalier/collide.h"
#include "espalier/distance.h"
#include "espalier/map_file.h"

namespace {

// Query objects are tens of kilobytes of caller memory: here static, in a game one a worker thread.
espalier::Collide<espalier::AabbTreeView> collide;
espalier::Distance<espalier::AabbTreeView> distance;

bool load(const char* path, espalier::MappedFile* file, espalier::ShapeView* part) {
    espalier::Asset asset;  // a view of the mapped bytes: nothing is copied
    espalier::Status status = file->map(path);
    if (status == espalier::Status::kOk)
        status = espalier::open(file->data(), file->size(), espalier::Verify::kFull, &asset);
    if (status == espalier::Status::kOk) status = asset.part(0, part);
    if (status != espalier::Status::kOk)
        std::fprintf(stderr, "example_query: %s: %s\n", path, espalier::status_text(status));
    return status == espalier::Status::kOk;
}

/// First contact, with the work limited: a query that runs out of budget can be stepped on next frame.
bool report_contact(const espalier::ShapeView& a, const espalier::ShapeView& b, const espalier::Pose& pose,
                    espalier::Cue* cue) {
    if (collide.begin(a, b, pose, cue) != espalier::Status::kOk) return false;
    espalier::Budget frame;
    frame.node_tests = 100;
    int frames = 1;
    while (collide.step(frame) == espalier::Verdict::kUnresolved) ++frames;
    std::printf("x %6.2f: ", pose.translation[0]);
    if (collide.verdict() == espalier::Verdict::kColliding) {
        const espalier::Contact& contact = collide.contact();
        std::printf("touching: triangle %u of A and %u of B at (%.3f %.3f %.3f)", contact.triangle_a,
                    contact.triangle_b, contact.point[0], contact.point[1], contact.point[2]);
    } else {
        std::printf("apart");
    }
    std::printf(", %llu node tests in %d steps",
                static_cast<unsigned long long>(collide.counters().node_tests), frames);
    return true;
}

bool report_distance(const espalier::ShapeView& a, const espalier::ShapeView& b, const espalier::Pose& pose) {
    if (distance.begin(a, b, pose) != espalier::Status::kOk) return false;
    // After a first, small step the distance is known to lie between two bounds; the rest makes them meet.
    espalier::Budget small;
    small.node_tests = 50;
    distance.step(small);
    const double lower = distance.lower(), upper = distance.upper();
    distance.step();
    std::printf("; distance %.4f, after 50 node tests in [%.4f, %.4f]\n", distance.upper(), lower, upper);
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: example_query A.espl B.espl\n");
        return 1;
    }
    espalier::MappedFile file_a, file_b;
    espalier::ShapeView a, b;
    if (!load(argv[1], &file_a, &a) || !load(argv[2], &file_b, &b)) return 2;

    const double size = static_cast<double>(a.hi[0] - a.lo[0]) + static_cast<double>(b.hi[0] - b.lo[0]);
    espalier::Cue cue;  // the last contact of this pair: tested first the next time
    for (int i = 0; i <= 8; ++i) {
        espalier::Pose pose;  // B in A's frame
        pose.translation[0] = size * (8 - i) / 8;
        if (!report_contact(a, b, pose, &cue) || !report_distance(a, b, pose)) return 3;
    }
    return 0;
}
