// SPDX-License-Identifier: GPL-3.0-or-later
// How fast `open` is at each verification depth, on a torus of a million triangles: time, and bytes a second.
//
// usage: espalier-bench-open-speed [--results DIR]      DIR receives open_speed.json
#include <benchmark/benchmark.h>

#include <string>
#include <string_view>
#include <vector>

#include "builder/aabb/row.h"
#include "builder/asset/aligned_bytes.h"
#include "builder/asset/write_asset.h"
#include "corpus/torus.h"
#include "espalier/asset.h"

namespace espalier {
namespace {

const AlignedBytes& asset_bytes() {
    static const AlignedBytes bytes = [] {
        Progress silent;
        AssetContents contents;
        BakedShape& part = contents.shapes.emplace_back();
        corpus::TorusOptions million;
        million.major_segments = 1000;
        million.minor_segments = 500;
        part.mesh = corpus::make_torus(million);
        part.trees.push_back(built_tree(build_aabb_tree(part.mesh, {}, silent)));
        return AlignedBytes(write_asset(contents).value());
    }();
    return bytes;
}

void open_asset(benchmark::State& state, Verify verify) {
    const AlignedBytes& bytes = asset_bytes();
    for (auto _ : state) {
        Asset asset;
        if (open(bytes.data(), bytes.size(), verify, &asset) != Status::kOk) state.SkipWithError("refused");
        benchmark::DoNotOptimize(asset);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}

BENCHMARK_CAPTURE(open_asset, nothing, Verify::kNone);
BENCHMARK_CAPTURE(open_asset, checksum, Verify::kChecksum);
BENCHMARK_CAPTURE(open_asset, full, Verify::kFull);

}  // namespace
}  // namespace espalier

int main(int argc, char** argv) {
    std::vector<std::string> arguments = {argv[0]};
    for (int i = 1; i + 1 < argc; ++i)
        if (std::string_view(argv[i]) == "--results")
            arguments.insert(arguments.end(),
                             {std::string("--benchmark_out=") + argv[i + 1] + "/open_speed.json",
                              "--benchmark_out_format=json"});
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    int count = static_cast<int>(pointers.size());
    benchmark::Initialize(&count, pointers.data());
    benchmark::RunSpecifiedBenchmarks();
}
