// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/protocols/single.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "bench/harness/process.h"
#include "bench/protocols/triangle_mesh_of.h"
#include "builder/aabb/row.h"
#include "builder/asset/write_asset.h"
#include "builder/box/row.h"
#include "espalier/collide.h"
#include "espalier/map_file.h"

namespace espalier_bench {
namespace {

/// Least time of three, or of one when it is long.
double least_ns(const std::function<void()>& work) {
    double least = 0;
    for (int i = 0; i < 3; ++i) {
        const std::uint64_t start = now_ns();
        work();
        const double ns = double(now_ns() - start);
        if (i == 0 || ns < least) least = ns;
        if (ns > 1e9) break;
    }
    return least;
}

std::vector<double> build_times(const ModelData& model) {
    espalier::Progress silent;
    espalier::AssetContents contents;
    espalier::BakedShape& part = contents.shapes.emplace_back();
    part.mesh = triangle_mesh_of(model);
    const double binned = least_ns(
        [&] { part.trees = {espalier::built_tree(espalier::build_aabb_tree(part.mesh, {}, silent))}; });
    const double write = least_ns([&] { (void)espalier::write_asset(contents); });
    const double median = least_ns([&] {
        (void)espalier::build_aabb_tree(part.mesh, {espalier::AabbSplit::kMedian, 1}, silent);
    });
    const double box =
        least_ns([&] { (void)espalier::build_box_tree(part.mesh, espalier::BoxTreeOptions{}, silent); });
    return {binned, write, median, box};
}

/// Asks the system to forget the file's pages; they must be on disk already.
void drop_from_cache(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY);
    if (fd < 0) return;
    ::fsync(fd);
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    ::close(fd);
}

double load_once_ns(const std::string& path, espalier::Verify verify, const espalier::Pose& pose) {
    const std::uint64_t start = now_ns();
    espalier::MappedFile file;
    espalier::Asset asset;
    espalier::ShapeView part;
    if (file.map(path.c_str()) != espalier::Status::kOk ||
        espalier::open(file.data(), file.size(), verify, &asset) != espalier::Status::kOk ||
        asset.part(0, &part) != espalier::Status::kOk)
        return -1;
    espalier::Collide<espalier::AabbTreeView> query;
    query.begin(part, part, pose);
    query.step();
    return double(now_ns() - start);
}

std::vector<double> load_times(const ModelData& model, const Placement& placement) {
    const espalier::Pose pose = pose_of(placement);
    std::vector<double> times;
    for (const bool cold : {true, false})
        for (const auto verify :
             {espalier::Verify::kNone, espalier::Verify::kChecksum, espalier::Verify::kFull}) {
            double least = 0;
            for (int i = 0; i < 5; ++i) {
                if (cold) drop_from_cache(model.asset_path);
                const double ns = load_once_ns(model.asset_path, verify, pose);
                if (i == 0 || ns < least) least = ns;
            }
            times.push_back(least);
        }
    return times;
}

/// Box tests, triangle tests, hits and nanoseconds of all placements.
template <espalier::Overlap kOverlap>
std::vector<double> count_work(const std::string& path, const PoseSet& placements) {
    espalier::MappedFile file;
    espalier::Asset asset;
    espalier::ShapeView part;
    if (file.map(path.c_str()) != espalier::Status::kOk ||
        espalier::open(file.data(), file.size(), espalier::Verify::kFull, &asset) != espalier::Status::kOk ||
        asset.part(0, &part) != espalier::Status::kOk)
        return {};
    double boxes = 0, triangles = 0, hits = 0, least = 0;
    espalier::Collide<espalier::AabbTreeView, kOverlap> query;
    for (int repeat = 0; repeat < 3; ++repeat) {
        boxes = triangles = hits = 0;
        const std::uint64_t start = now_ns();
        for (const Placement& p : placements.placements) {
            query.begin(part, part, pose_of(p));
            hits += query.step() == espalier::Verdict::kColliding;
            boxes += double(query.counters().node_tests);
            triangles += double(query.counters().triangle_tests);
        }
        const double ns = double(now_ns() - start);
        if (repeat == 0 || ns < least) least = ns;
    }
    return {boxes, triangles, hits, least};
}

}  // namespace

nlohmann::json measure_build(const ModelData& model, double limit_seconds) {
    nlohmann::json json;
    for (const bool pinned : {true, false}) {
        const std::vector<double> ns = measure_in_child(
            limit_seconds, [&] { return build_times(model); }, pinned);
        if (ns.size() != 4) continue;
        const std::string suffix = pinned ? "_1_thread_ns" : "_all_threads_ns";
        json["build" + suffix] = ns[0];
        json["write" + suffix] = ns[1];
        json["paper_build" + suffix] = ns[2];
        json["box_build" + suffix] = ns[3];
    }
    json["file_bytes"] = std::filesystem::file_size(model.asset_path);
    json["box_file_bytes"] = std::filesystem::file_size(model.box_asset_path);
    return json;
}

nlohmann::json measure_load(const ModelData& model, const Placement& placement) {
    nlohmann::json json;
    const std::vector<double> ns = measure_in_child(60, [&] { return load_times(model, placement); });
    const char* const names[] = {"cold_none_ns", "cold_checksum_ns", "cold_full_ns",
                                 "warm_none_ns", "warm_checksum_ns", "warm_full_ns"};
    for (std::size_t i = 0; i < ns.size(); ++i) json[names[i]] = ns[i];
    return json;
}

nlohmann::json measure_paper_tables(const ModelData& model, const PoseSet& placements) {
    nlohmann::json json = {{"placements", placements.placements.size()}};
    for (const bool paper : {true, false})
        for (const auto overlap : {espalier::Overlap::kSat, espalier::Overlap::kSatLite}) {
            const std::string& path = paper ? model.paper_asset_path : model.asset_path;
            const std::vector<double> work = measure_in_child(120, [&] {
                return overlap == espalier::Overlap::kSat
                           ? count_work<espalier::Overlap::kSat>(path, placements)
                           : count_work<espalier::Overlap::kSatLite>(path, placements);
            });
            if (work.size() != 4) continue;
            const std::string name = std::string(paper ? "paper" : "default") +
                                     (overlap == espalier::Overlap::kSat ? " sat" : " sat lite");
            json[name] = {
                {"box_tests", work[0]}, {"triangle_tests", work[1]}, {"hits", work[2]}, {"ns", work[3]}};
        }
    return json;
}

}  // namespace espalier_bench
