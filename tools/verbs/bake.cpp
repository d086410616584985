// SPDX-License-Identifier: GPL-3.0-or-later
// espalier bake: mesh files to assets, several at a time.
#include "builder/bake.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>

#include "builder/asset/atomic_file.h"
#include "tools/io/failure.h"
#include "tools/io/interrupt.h"
#include "tools/io/standard_streams.h"
#include "tools/io/threads.h"
#include "tools/options/bake_options.h"
#include "tools/options/bake_plan.h"
#include "tools/report/bake_report.h"
#include "tools/report/progress_bar.h"
#include "tools/verbs/verbs.h"

namespace espalier::tools {
namespace {

CommandLine syntax() {
    CommandLine line(
        "bake INPUT... [-o OUT.espl | --out-dir DIR] [options]",
        "Bakes each file (.3ds .dae .fbx .glb .gltf .obj .off .ply .stl) to an asset, beside it "
        "with the extension\n"
        ".espl unless told otherwise; with -o all of them to one. Each mesh that a scene places "
        "becomes a named part;\n"
        "placements of one mesh share its triangles. An input that fails does not stop the others; "
        "the exit code\n"
        "is that of the first one that failed, and its old output stays as it was.\n",
        "  espalier bake torus.off -o torus.espl\n"
        "  espalier bake base.stl arm.stl -o robot.espl\n"
        "  espalier bake meshes/*.obj --out-dir baked --jobs 8 --json > report.json\n");
    line.value("output,o", "OUT.espl", "the asset, of all inputs");
    line.value("out-dir", "DIR", "folder for the assets; made if it is not there");
    add_json_option(line);
    line.flag("quiet,q", "print errors only");
    add_bake_options(line);
    line.arguments(1, std::numeric_limits<std::size_t>::max(), "INPUT");
    return line;
}

void make_folder(const std::string& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        throw Failure(folder, {ErrorKind::kInputOutput, "cannot make the folder: " + failed.message()});
}

/// Bakes all tasks and reports each, in their order, as soon as those before it are done.
class BakeRun {
  public:
    BakeRun(const std::vector<BakeTask>& tasks, const BakeOptions& options, bool print_text, bool quiet)
        : tasks_(tasks),
          options_(options),
          print_text_(print_text),
          bar_(tasks.size(), quiet),
          outcomes_(tasks.size()),
          done_(tasks.size(), false) {}

    int run() {
        const std::size_t threads = threads_to_be_had(
            options_.jobs > 0 ? options_.jobs : static_cast<std::size_t>(tbb::info::default_concurrency()));
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        std::vector<std::unique_ptr<InputProgress>> progress;
        std::vector<Progress*> targets;
        for (std::size_t i = 0; i < std::min(threads, tasks_.size()); ++i) {
            progress.push_back(std::make_unique<InputProgress>(bar_));
            targets.push_back(progress.back().get());
        }
        const Interrupt interrupt(targets);
        check_outputs();
        tbb::task_group runners;
        for (auto& mine : progress) runners.run([this, &mine] { bake_until_done(*mine); });
        runners.wait();
        bar_.clear();
        return exit_code(interrupt.signal());
    }

    const std::vector<BakeOutcome>& outcomes() const { return outcomes_; }

  private:
    /// A bake must not fail at its end for what can be known at its start.
    void check_outputs() {
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            const Result<Success> writable = check_writable(tasks_[i].output);
            if (!writable) outcomes_[i].fail(tasks_[i].output.string(), writable.error());
        }
    }

    void bake_until_done(InputProgress& progress) {
        for (std::size_t i = next_++; i < tasks_.size(); i = next_++) {
            progress.begin_input(tasks_[i].inputs.front().filename().string());
            // Isolated: a thread that waits inside one bake must not start another one on top of it.
            if (!outcomes_[i].error)
                tbb::this_task_arena::isolate([&] { bake_one(tasks_[i], progress, outcomes_[i]); });
            bar_.finish_input();
            report_in_order(i);
        }
    }

    void bake_one(const BakeTask& task, InputProgress& progress, BakeOutcome& outcome) const {
        try {
            bake_and_write(task, progress, outcome);
        } catch (const std::bad_alloc&) {
            outcome.fail(task.name(), {ErrorKind::kUnsupported, "not enough memory to bake this mesh"});
        } catch (const std::exception& failure) {
            outcome.fail(task.name(),
                         {ErrorKind::kInternal, std::string("internal error: ") + failure.what()});
        }
    }

    void bake_and_write(const BakeTask& task, InputProgress& progress, BakeOutcome& outcome) const {
        outcome.cancelled = progress.cancelled();
        if (outcome.cancelled) return;
        const Result<Baked> baked = bake(task.inputs, options_, progress);
        outcome.cancelled = !baked && progress.cancelled();
        if (outcome.cancelled) return;
        if (!baked) return outcome.fail(task.name(), baked.error());
        const Result<Success> written = write_file_atomically(task.output, baked.value().bytes);
        if (!written) return outcome.fail(task.output.string(), written.error());
        outcome.report = baked.value().report;
    }

    void report_in_order(std::size_t finished) {
        const std::lock_guard lock(mutex_);
        done_[finished] = true;
        for (; reported_ < tasks_.size() && done_[reported_]; ++reported_) report(reported_);
    }

    void report(std::size_t i) {
        const BakeOutcome& outcome = outcomes_[i];
        if (outcome.cancelled) return;
        if (outcome.error) {
            bar_.clear();
            const int code = report_failure(outcome.blamed, *outcome.error);
            if (first_failure_ == 0) first_failure_ = code;
        } else if (print_text_ && !output_error_) {
            bar_.clear();
            const Result<Success> printed = try_print(bake_text(tasks_[i], outcome.report));
            if (!printed) output_error_ = printed.error();
        }
    }

    int exit_code(int signal) const {
        if (signal != 0) {
            print_message("stopped by a signal; what was not finished is as it was before");
            return kExitSignal + signal;
        }
        if (first_failure_ == 0 && output_error_) return report_failure("standard output", *output_error_);
        return first_failure_;
    }

    const std::vector<BakeTask>& tasks_;
    const BakeOptions& options_;
    const bool print_text_;
    ProgressBar bar_;
    std::atomic<std::size_t> next_{0};
    std::vector<BakeOutcome> outcomes_;
    std::mutex mutex_;  // of everything below
    std::vector<char> done_;
    std::size_t reported_ = 0;
    int first_failure_ = 0;
    std::optional<Error> output_error_;
};

}  // namespace

int run_bake(const Arguments& words) {
    const std::optional<Parsed> parsed = syntax().parse(words);
    if (!parsed) return 0;
    const BakeOptions options = bake_options(*parsed);
    const std::vector<BakeTask> tasks = plan_bake(*parsed);
    if (const auto folder = parsed->text("out-dir")) make_folder(*folder);
    const bool json = parsed->has("json"), quiet = parsed->has("quiet");
    BakeRun run(tasks, options, !json && !quiet, quiet);
    const int exit_code = run.run();
    if (json) print(json_text(bake_json(tasks, run.outcomes(), exit_code)));
    return exit_code;
}

}  // namespace espalier::tools
