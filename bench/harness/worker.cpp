// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/harness/worker.h"

#include <algorithm>

namespace espalier_bench {
namespace {

constexpr double kLoad = 0, kPass = 1;
constexpr double kDone = 1, kStopped = 2;
constexpr int kMostStarts = 3;

std::vector<double> load(const LibraryEntry& entry, const ModelData& model, const std::vector<PoseSet>& sets,
                         std::unique_ptr<Library>& library) {
    double least_load = 0, least_query = 0, allocated = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        std::unique_ptr<Library> fresh = entry.make();
        const std::uint64_t before = allocated_bytes();
        const std::uint64_t start = now_ns();
        if (!fresh->load(model)) return {0};
        const double load_ns = double(now_ns() - start);
        if (repeat == 0) allocated = double(allocated_bytes() - before);
        const std::uint64_t query = now_ns();
        if (!sets.empty() && !sets[0].placements.empty()) fresh->collide(sets[0].placements[0]);
        const double query_ns = double(now_ns() - query);
        if (repeat == 0 || load_ns + query_ns < least_load + least_query) {
            least_load = load_ns;
            least_query = query_ns;
        }
        library = std::move(fresh);
        if (load_ns > 3e8) break;
    }
    return {kDone, least_load, least_query, allocated, double(library->hierarchy_bytes())};
}

double answer(Library& library, Job job, const Placement& placement) {
    switch (job) {
        case Job::kAll:
            return double(library.contacts(placement));
        case Job::kDistance:
            return library.distance(placement);
        default:
            return library.collide(placement);
    }
}

/// Times each group; empty when the limit passes.
std::vector<double> pass(Library& library, const PoseSet& set, std::vector<double>& answers,
                         double limit_ns) {
    std::vector<double> times;
    std::size_t at = 0;
    double total = 0;
    for (const Group& group : set.groups) {
        const std::uint64_t start = now_ns();
        for (const std::size_t end = at + group.count; at < end; ++at) {
            answers[at] = answer(library, set.job, set.placements[at]);
            if ((at & 7) == 0 && total + double(now_ns() - start) > limit_ns) return {};
        }
        times.push_back(double(now_ns() - start));
        total += times.back();
    }
    return times;
}

/// A frame a placement: deform untimed, then refit and query timed each.
std::vector<double> deforming_pass(Library& library, const PoseSet& set, std::vector<double>& answers,
                                   double limit_ns) {
    std::vector<double> times = {0, 0};
    for (std::size_t frame = 0; frame < set.placements.size(); ++frame) {
        library.deform(0.3 * double(frame));
        const std::uint64_t start = now_ns();
        library.refit();
        const std::uint64_t refitted = now_ns();
        answers[frame] = library.collide(set.placements[frame]);
        times[0] += double(refitted - start);
        times[1] += double(now_ns() - refitted);
        if (times[0] + times[1] > limit_ns) return {};
    }
    return times;
}

}  // namespace

Worker::Worker(const LibraryEntry& entry, const ModelData& model, const std::vector<PoseSet>& sets,
               double load_limit_seconds)
    : entry_(entry), model_(model), sets_(sets), load_limit_(load_limit_seconds) {
    start();
}

void Worker::serve(int in, int out) const {
    std::unique_ptr<Library> library;
    std::vector<double> request;
    while (receive_message(in, 0, request)) {
        if (request[0] == kLoad) {
            if (!send_message(out, load(entry_, model_, sets_, library))) return;
            continue;
        }
        const PoseSet& set = sets_[std::size_t(request[1])];
        std::vector<double> answers(set.placements.size());
        std::vector<double> reply = set.job == Job::kDeform
                                        ? deforming_pass(*library, set, answers, request[3])
                                        : pass(*library, set, answers, request[3]);
        reply.insert(reply.begin(), reply.empty() ? kStopped : kDone);
        if (request[2] != 0 && reply[0] == kDone) reply.insert(reply.end(), answers.begin(), answers.end());
        if (!send_message(out, reply)) return;
    }
}

void Worker::start() {
    if (starts_ == kMostStarts) return;
    ++starts_;
    child_ = std::make_unique<Child>([this](int in, int out) { serve(in, out); });
    std::vector<double> reply;
    if (!child_->ask({kLoad}, load_limit_, reply) || reply.size() < 5) {
        child_.reset();
        starts_ = kMostStarts;  // it would fail again
        return;
    }
    if (facts_.ok) return;
    facts_ = {true, reply[1], reply[2], reply[3], reply[4]};
}

Pass Worker::run(std::size_t index, bool want_answers, double limit_seconds) {
    Pass result;
    if (!child_ || !child_->alive()) start();
    if (!child_ || !child_->alive()) {
        if (facts_.ok) result.outcome = Pass::Outcome::kTooSlow;
        return result;
    }
    std::vector<double> reply;
    result.outcome = Pass::Outcome::kTooSlow;
    const std::vector<double> request = {kPass, double(index), double(want_answers), limit_seconds * 1e9};
    if (!child_->ask(request, 1.5 * limit_seconds + 1, reply) || reply[0] != kDone) return result;
    result.outcome = Pass::Outcome::kDone;
    const auto groups = reply.begin() + 1 + std::ptrdiff_t(sets_[index].groups.size());
    result.group_ns.assign(reply.begin() + 1, groups);
    result.answers.assign(groups, reply.end());
    return result;
}

}  // namespace espalier_bench
