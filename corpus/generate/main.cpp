// SPDX-License-Identifier: GPL-3.0-or-later
// espalier-corpus: writes the meshes of the corpus to files.
#include <boost/program_options.hpp>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "builder/base/result.h"
#include "corpus/generate/write_ugly.h"
#include "corpus/registry.h"
#include "corpus/write_mesh.h"

namespace espalier::corpus {
namespace {

namespace options = boost::program_options;
using Arguments = std::vector<std::string>;

constexpr const char* kUsage =
    "usage: espalier-corpus list\n"
    "       espalier-corpus make NAME [--triangles N] [-o FILE.(off|obj|stl|ply)]\n"
    "       espalier-corpus all DIR\n"
    "       espalier-corpus ugly DIR\n"
    "\n"
    "list  names, triangle counts and default parameters of all meshes\n"
    "make  writes one mesh, to NAME.off unless told otherwise; with --triangles (100 to 10000000) as near to "
    "N as its shape allows\n"
    "all   writes every mesh with its default parameters to DIR/NAME.off\n"
    "ugly  writes every bad file to DIR, and manifest.json, which says what espalier bake must answer\n"
    "\n"
    "example: espalier-corpus make torus --triangles 1000000 -o torus.ply\n";

Error usage_error(const std::string& what) {
    return {ErrorKind::kUsage, what + " (see espalier-corpus --help)"};
}

Result<Success> make_directory(const std::filesystem::path& path) {
    std::error_code failure;
    std::filesystem::create_directories(path, failure);
    if (failure) return Error{ErrorKind::kInputOutput, path.string() + ": " + failure.message()};
    return Success{};
}

Result<Success> list(const Arguments& arguments) {
    if (!arguments.empty()) return usage_error("list takes no arguments");
    for (const CorpusMesh& mesh : corpus_meshes())
        std::cout << mesh.name << "\t" << mesh.default_triangles << " triangles\t" << mesh.summary << "; "
                  << mesh.parameters << "\n";
    return Success{};
}

Result<Success> make(const Arguments& arguments) {
    options::options_description known;
    known.add_options()("name", options::value<std::string>())("triangles", options::value<std::uint32_t>())(
        "output,o", options::value<std::string>());
    options::positional_options_description positions;
    positions.add("name", 1);
    options::variables_map given;
    options::store(options::command_line_parser(arguments).options(known).positional(positions).run(), given);
    if (!given.count("name")) return usage_error("make needs the NAME of a mesh");
    const auto name = given["name"].as<std::string>();
    const CorpusMesh* kind = find_corpus_mesh(name);
    if (!kind) return usage_error("there is no mesh called '" + name + "'");
    const std::filesystem::path path =
        given.count("output") ? given["output"].as<std::string>() : name + ".off";
    TriangleMesh mesh;
    if (given.count("triangles")) {
        const auto wanted = given["triangles"].as<std::uint32_t>();
        if (wanted < 100 || wanted > 10'000'000)
            return usage_error("--triangles must be from 100 to 10000000");
        mesh = kind->make_near(wanted);
    } else {
        mesh = kind->make();
    }
    const Result<std::string> bytes = to_format(mesh, path.extension().string());
    if (!bytes) return bytes.error();
    return write_bytes(path, bytes.value());
}

Result<Success> all(const Arguments& arguments) {
    if (arguments.size() != 1) return usage_error("all needs one DIR");
    const std::filesystem::path folder = arguments[0];
    if (Result<Success> made = make_directory(folder); !made) return made;
    for (const CorpusMesh& mesh : corpus_meshes())
        if (Result<Success> done = write_bytes(folder / (mesh.name + ".off"), to_off(mesh.make())); !done)
            return done;
    return Success{};
}

Result<Success> ugly(const Arguments& arguments) {
    if (arguments.size() != 1) return usage_error("ugly needs one DIR");
    if (Result<Success> made = make_directory(arguments[0]); !made) return made;
    return write_ugly_files(arguments[0]);
}

Result<Success> run(const Arguments& words) {
    if (words.empty()) return usage_error("a verb is missing");
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        std::cout << kUsage;
        return Success{};
    }
    const Arguments rest(words.begin() + 1, words.end());
    try {
        if (words[0] == "list") return list(rest);
        if (words[0] == "make") return make(rest);
        if (words[0] == "all") return all(rest);
        if (words[0] == "ugly") return ugly(rest);
    } catch (const options::error& wrong) {
        return usage_error(wrong.what());
    }
    return usage_error("unknown verb '" + words[0] + "'");
}

}  // namespace
}  // namespace espalier::corpus

int main(int argc, char** argv) {
    const espalier::Result<espalier::Success> result = espalier::corpus::run({argv + 1, argv + argc});
    if (result) return 0;
    std::cerr << "espalier-corpus: " << result.error().message << "\n";
    return static_cast<int>(result.error().kind);
}
