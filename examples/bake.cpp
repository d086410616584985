// SPDX-License-Identifier: GPL-3.0-or-later
// Bake: from a mesh file to an .espl file by the builder library, as an asset pipeline would call it.
//
//   example_bake MESH OUT.espl
#include "builder/bake.h"

#include <cstdio>
#include <filesystem>

#include "builder/asset/atomic_file.h"

namespace {

int fail(const std::filesystem::path& file, const espalier::Error& error) {
    std::fprintf(stderr, "example_bake: %s: %s\n", file.c_str(), error.message.c_str());
    return static_cast<int>(error.kind);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: example_bake MESH OUT.espl\n");
        return 1;
    }
    const std::filesystem::path input = argv[1], output = argv[2];

    // Ask before the long work whether its result can be written.
    if (const auto writable = espalier::check_writable(output); !writable)
        return fail(output, writable.error());

    espalier::BakeOptions options;  // the defaults, explicit and recorded in the file
    options.import.unit = std::string("m");
    espalier::Progress silent;  // derive from it for a progress bar; progress.cancel() stops the bake
    const espalier::Result<espalier::Baked> baked = espalier::bake(input, options, silent);
    if (!baked) return fail(input, baked.error());

    if (const auto written = espalier::write_file_atomically(output, baked.value().bytes); !written)
        return fail(output, written.error());
    for (const espalier::TreeReport& tree : baked.value().report.trees)
        std::printf("%s tree: %llu nodes, depth %u, %llu bytes\n", tree.name.c_str(),
                    static_cast<unsigned long long>(tree.nodes), tree.depth,
                    static_cast<unsigned long long>(tree.bytes));
    return 0;
}
