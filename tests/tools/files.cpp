// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/files.h"

#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>

#include "builder/asset/aligned_bytes.h"
#include "corpus/registry.h"
#include "corpus/write_mesh.h"
#include "espalier/asset.h"
#include "runtime/src/format/checksum.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

constexpr const char* kCubeVertices =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\n";

}  // namespace

void write_text(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    if (!file.write(text.data(), static_cast<std::streamsize>(text.size())))
        throw std::runtime_error("cannot write " + path.string());
}

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

std::string cube_obj() {
    return std::string(kCubeVertices) + "f 4 1 5\nf 4 5 8\n";
}

std::string open_cube_obj() {
    return kCubeVertices;
}

std::string corpus_off(const std::string& name, unsigned triangles) {
    return corpus::to_off(corpus::find_corpus_mesh(name)->make_near(triangles));
}

void bake_text(const std::string& text, const std::string& extension, const std::string& asset,
               const std::vector<std::string>& options) {
    const TemporaryFolder folder;
    const std::string input = folder / ("mesh" + extension);
    write_text(input, text);
    std::vector<std::string> words = {"bake", input, "-o", asset, "--quiet"};
    words.insert(words.end(), options.begin(), options.end());
    const CommandResult result = espalier(words);
    if (result.exit_code != 0) throw std::runtime_error("the test's own bake fails: " + result.error);
}

void reseal(std::string& asset_bytes) {
    const AlignedBytes aligned(
        {reinterpret_cast<const std::uint8_t*>(asset_bytes.data()), asset_bytes.size()});
    Asset asset;
    if (open(aligned.data(), aligned.size(), Verify::kNone, &asset) != Status::kOk)
        throw std::runtime_error("no asset to reseal");
    const std::uint64_t stored = asset.checksum();
    char pattern[8];
    std::memcpy(pattern, &stored, 8);
    const std::size_t at = asset_bytes.find(std::string(pattern, 8));
    const std::uint64_t right = checksum(aligned.data(), aligned.size(), at);
    std::memcpy(asset_bytes.data() + at, &right, 8);
}

}  // namespace espalier::test
