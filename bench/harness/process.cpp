// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/harness/process.h"

#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace espalier_bench {
namespace {

bool write_all(int fd, const void* data, std::size_t size) {
    const char* at = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t n = ::write(fd, at, size);
        if (n <= 0) return false;
        at += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

bool read_all(int fd, std::uint64_t deadline_ns, void* data, std::size_t size) {
    char* at = static_cast<char*>(data);
    while (size > 0) {
        if (deadline_ns) {
            const std::uint64_t now = now_ns();
            if (now >= deadline_ns) return false;
            pollfd wait{fd, POLLIN, 0};
            if (::poll(&wait, 1, static_cast<int>((deadline_ns - now) / 1000000 + 1)) == 0) return false;
        }
        const ssize_t n = ::read(fd, at, size);
        if (n <= 0) return false;
        at += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

int wait_for(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

}  // namespace

void pin_to_one_processor() {
    cpu_set_t allowed, one;
    CPU_ZERO(&allowed);
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    int last = -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &allowed)) last = cpu;
    if (last < 0) return;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    ::sched_setaffinity(0, sizeof one, &one);
}

void use_all_processors() {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) CPU_SET(cpu, &all);
    ::sched_setaffinity(0, sizeof all, &all);
}

std::uint64_t now_ns() {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
}

std::uint64_t allocated_bytes() {
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
}

void run_in_child(const std::string& name, const std::function<void()>& work) {
    const pid_t pid = ::fork();
    if (pid < 0) throw std::runtime_error(name + ": cannot fork");
    if (pid == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        try {
            work();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
            ::_exit(1);
        }
        ::_exit(0);
    }
    if (wait_for(pid) != 0) throw std::runtime_error(name + ": could not be prepared");
}

std::vector<double> measure_in_child(double limit_seconds, const std::function<std::vector<double>()>& work,
                                     bool pinned) {
    const auto serve = [&](int in, int out) {
        std::vector<double> request;
        if (receive_message(in, 0, request)) send_message(out, work());
    };
    Child child(serve, pinned);
    std::vector<double> reply;
    child.ask({0}, limit_seconds, reply);
    return reply;
}

bool send_message(int fd, const std::vector<double>& values) {
    const std::uint64_t size = values.size();
    return write_all(fd, &size, sizeof size) && write_all(fd, values.data(), size * sizeof(double));
}

bool receive_message(int fd, std::uint64_t deadline_ns, std::vector<double>& values) {
    std::uint64_t size = 0;
    if (!read_all(fd, deadline_ns, &size, sizeof size)) return false;
    values.resize(size);
    return read_all(fd, deadline_ns, values.data(), size * sizeof(double));
}

Child::Child(const std::function<void(int, int)>& serve, bool pinned) {
    int down[2], up[2];
    if (::pipe(down) != 0 || ::pipe(up) != 0) throw std::runtime_error("cannot make a pipe");
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error("cannot fork");
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::close(down[1]);
        ::close(up[0]);
        if (pinned) pin_to_one_processor();
        try {
            serve(down[0], up[1]);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "bench: %s\n", error.what());
            ::_exit(1);
        }
        ::_exit(0);
    }
    ::close(down[0]);
    ::close(up[1]);
    to_child_ = down[1];
    from_child_ = up[0];
    ::signal(SIGPIPE, SIG_IGN);
}

Child::~Child() {
    kill_child();
}

void Child::kill_child() {
    if (pid_ <= 0) return;
    ::close(to_child_);
    ::close(from_child_);
    ::kill(pid_, SIGKILL);
    wait_for(pid_);
    pid_ = -1;
}

bool Child::ask(const std::vector<double>& request, double limit_seconds, std::vector<double>& reply) {
    reply.clear();
    if (!alive()) return false;
    const std::uint64_t deadline = now_ns() + static_cast<std::uint64_t>(limit_seconds * 1e9);
    if (send_message(to_child_, request) && receive_message(from_child_, deadline, reply)) return true;
    reply.clear();
    kill_child();
    return false;
}

}  // namespace espalier_bench
