// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/run_command.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "tests/tools/files.h"

namespace espalier::test {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(2);

struct Descriptor {
    int number = -1;
    explicit Descriptor(int number) : number(number) {
        if (number < 0) throw std::runtime_error("cannot open a stream of the command");
    }
    ~Descriptor() { ::close(number); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
};

int make_file(const std::filesystem::path& path) {
    return ::open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
}

int open_terminal_master() {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (master >= 0 && (::grantpt(master) != 0 || ::unlockpt(master) != 0)) return -1;
    return master;
}

/// What was written to a terminal whose other end is closed.
std::string drain_terminal(int master) {
    std::string text;
    char block[4096];
    for (ssize_t count = 0; (count = ::read(master, block, sizeof(block))) > 0;)
        text.append(block, static_cast<std::size_t>(count));
    return text;
}

/// Makes standard output a pipe whose reader has gone.
void leave_output() {
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(126);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
}

/// A started command. Its streams are files in a folder of its own, so that no pipe can fill up.
class Child {
  public:
    Child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
          const Streams& streams)
        : streams_(streams) {
        write_text(folder_.path() / "in", streams.input);
        const Descriptor in(::open((folder_.path() / "in").c_str(), O_RDONLY));
        const Descriptor out(streams.output.empty() ? make_file(folder_.path() / "out")
                                                    : ::open(streams.output.c_str(), O_WRONLY));
        if (streams.error_is_terminal) master_ = open_terminal_master();
        const Descriptor error(streams.error_is_terminal ? ::open(::ptsname(master_), O_RDWR | O_NOCTTY)
                                                         : make_file(folder_.path() / "error"));
        std::vector<char*> words = {const_cast<char*>(program.c_str())};
        for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
        words.push_back(nullptr);
        process_ = ::fork();
        if (process_ != 0) return;
        ::dup2(in.number, STDIN_FILENO);
        ::dup2(out.number, STDOUT_FILENO);
        ::dup2(error.number, STDERR_FILENO);
        if (streams.close_output) ::close(STDOUT_FILENO);
        if (streams.output_is_left) leave_output();
        if (streams.memory > 0) {
            const rlimit limit{streams.memory, streams.memory};
            ::setrlimit(RLIMIT_AS, &limit);
        }
        ::setenv("TERM", streams.terminal_kind.c_str(), 1);
        ::execv(program.c_str(), words.data());
        ::_exit(127);
    }
    ~Child() {
        if (master_ >= 0) ::close(master_);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    pid_t process() const { return process_; }
    std::string output_so_far() const { return read_text(folder_.path() / "out"); }

    /// Whether it ended; its status is then kept.
    bool poll() { return ended_ = ended_ || ::waitpid(process_, &status_, WNOHANG) == process_; }

    CommandResult wait() {
        if (!ended_) ::waitpid(process_, &status_, 0);
        CommandResult result;
        result.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
        if (streams_.output.empty()) result.output = output_so_far();
        result.error = master_ >= 0 ? drain_terminal(master_) : read_text(folder_.path() / "error");
        return result;
    }

  private:
    TemporaryFolder folder_;
    Streams streams_;
    int master_ = -1;
    pid_t process_ = -1;
    int status_ = 0;
    bool ended_ = false;
};

}  // namespace

CommandResult run(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                  const Streams& streams) {
    return Child(program, arguments, streams).wait();
}

CommandResult espalier(const std::vector<std::string>& arguments, const Streams& streams) {
    return run(ESPALIER_COMMAND, arguments, streams);
}

CommandResult espalier_with_mapped(const std::string& file, const std::vector<std::string>& arguments,
                                   const std::function<void()>& meanwhile) {
    Child child(ESPALIER_COMMAND, arguments, {});
    const std::filesystem::path maps = "/proc/" + std::to_string(child.process()) + "/maps";
    while (!child.poll() && read_text(maps).find(file) == std::string::npos)
        std::this_thread::sleep_for(kPoll);
    meanwhile();
    return child.wait();
}

CommandResult espalier_interrupted(const std::vector<std::string>& arguments, int signal,
                                   const std::function<bool(const std::string& output)>& is_time) {
    Child child(ESPALIER_COMMAND, arguments, {});
    while (!child.poll() && !is_time(child.output_so_far())) std::this_thread::sleep_for(kPoll);
    if (!child.poll()) ::kill(child.process(), signal);
    return child.wait();
}

}  // namespace espalier::test
