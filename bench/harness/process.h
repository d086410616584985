// SPDX-License-Identifier: GPL-3.0-or-later
// Work in a process of its own: it can be killed when it takes too long, and leaves no threads behind.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace espalier_bench {

/// Pins this process to the last processor that it may use.
void pin_to_one_processor();

/// Lets this process and its coming threads use every processor, whatever it was started on: for what is
/// measured on all of them.
void use_all_processors();

/// Nanoseconds of a clock that only goes forward.
std::uint64_t now_ns();

/// Bytes that malloc has given out in this process.
std::uint64_t allocated_bytes();

/// Runs `work` in a child. Throws std::runtime_error when it throws or dies; `name` begins the message.
void run_in_child(const std::string& name, const std::function<void()>& work);

/// Runs `work` in a child (pinned to one processor unless told otherwise) and returns its numbers; empty when
/// it takes longer than `limit_seconds`, throws or dies.
std::vector<double> measure_in_child(double limit_seconds, const std::function<std::vector<double>()>& work,
                                     bool pinned = true);

/// Two pipes to a child that serves requests until its parent closes them.
class Child {
  public:
    /// Forks; the child calls `serve(read_fd, write_fd)` and exits.
    explicit Child(const std::function<void(int, int)>& serve, bool pinned = true);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Sends `request` and waits for `count` doubles. False when the limit passes or the child dies; it is
    /// killed then.
    bool ask(const std::vector<double>& request, double limit_seconds, std::vector<double>& reply);
    bool alive() const { return pid_ > 0; }

  private:
    void kill_child();
    pid_t pid_ = -1;
    int to_child_ = -1;
    int from_child_ = -1;
};

/// Messages are a length and that many doubles. False at the end of the pipe or the deadline (ns; 0: none).
bool send_message(int fd, const std::vector<double>& values);
bool receive_message(int fd, std::uint64_t deadline_ns, std::vector<double>& values);

}  // namespace espalier_bench
