// SPDX-License-Identifier: GPL-3.0-or-later
// espalier: bakes meshes to collision assets, inspects and queries them. Picks the verb and prints what goes
// wrong.
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "builder/base/revision.h"
#include "espalier/asset.h"
#include "tools/io/failure.h"
#include "tools/io/standard_streams.h"
#include "tools/io/truncation.h"
#include "tools/report/text.h"
#include "tools/verbs/verbs.h"

namespace espalier::tools {
namespace {

struct Verb {
    const char* name;
    const char* summary;
    int (*run)(const Arguments& words);
};

constexpr Verb kVerbs[] = {
    {"bake", "mesh files to .espl assets", run_bake},
    {"dump", "what is in an asset", run_dump},
    {"check", "prove that an asset is sound", run_check},
    {"query", "collisions of two assets over a list of poses", run_query},
    {"view", "a page that shows an asset", run_view},
};

std::string help() {
    std::string text = "usage: espalier VERB ...\n\nverbs (espalier VERB --help tells more):\n";
    std::vector<std::vector<std::string>> rows;
    for (const Verb& verb : kVerbs) rows.push_back({verb.name, verb.summary});
    text += table_text(rows, "  ");
    return text +
           "\noptions:\n  -h [ --help ]  print this text\n  --version      print the version\n"
           "\nexample:\n  espalier bake torus.off && espalier dump torus.espl\n";
}

std::string version() {
    return "espalier " ESPALIER_VERSION " (format " + std::to_string(kFormatMajor) + "." +
           std::to_string(kFormatMinor) + ", builder revision " + std::to_string(kBuilderRevision) + ")\n";
}

int run_verb(const Verb& verb, const Arguments& words) {
    try {
        return verb.run(words);
    } catch (const Failure& failure) {
        if (failure.error().kind != ErrorKind::kUsage || !failure.file().empty()) throw;
        const std::string name = verb.name;
        throw Failure("", {ErrorKind::kUsage,
                           name + ": " + failure.error().message + " (see espalier " + name + " --help)"});
    }
}

int run(const Arguments& words) {
    if (words.empty()) fail_usage("a verb is missing (see espalier --help)");
    if (words[0] == "--help" || words[0] == "-h" || (words[0] == "help" && words.size() == 1)) {
        print(help());
        return 0;
    }
    if (words[0] == "--version") {
        print(version());
        return 0;
    }
    const bool asks_help = words[0] == "help";
    for (const Verb& verb : kVerbs) {
        if (verb.name != words[asks_help ? 1 : 0]) continue;
        return run_verb(verb, asks_help ? Arguments{"--help"} : Arguments(words.begin() + 1, words.end()));
    }
    fail_usage("unknown verb '" + words[asks_help ? 1 : 0] + "' (see espalier --help)");
}

/// Memory that stays short also fails what reports it, and an exception within an exception ends the program:
/// then this is what is left to say.
[[noreturn]] void end_without_memory() {
    try {
        if (const std::exception_ptr cause = std::current_exception()) std::rethrow_exception(cause);
    } catch (const std::bad_alloc&) {
        _exit(report_no_memory());
    } catch (const std::exception& cause) {
        // TBB's, where it may throw nothing: there is no memory for another thread's stack.
        if (std::string_view(cause.what()).starts_with("pthread_create")) _exit(report_no_memory());
    } catch (...) {
        std::abort();
    }
    std::abort();
}

int run_reporting(const Arguments& words) {
    try {
        return run(words);
    } catch (const Failure& failure) {
        return report_failure(failure.file(), failure.error());
    } catch (const std::bad_alloc&) {
        return report_no_memory();
    } catch (const std::exception& failure) {
        return report_failure("", {ErrorKind::kInternal, std::string("internal error: ") + failure.what()});
    }
}

}  // namespace
}  // namespace espalier::tools

int main(int argc, char** argv) {
    espalier::tools::prepare_standard_streams();
    espalier::tools::report_truncated_files();
    std::set_terminate(espalier::tools::end_without_memory);
    return espalier::tools::run_reporting({argv + (argc > 0 ? 1 : 0), argv + argc});
}
