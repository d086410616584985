// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/io/interrupt.h"

#include <atomic>

namespace espalier::tools {
namespace {

// A signal handler can reach nothing but statics.
std::atomic<int> received{0};
std::atomic<const std::vector<Progress*>*> cancelled_by_signal{nullptr};
static_assert(std::atomic<int>::is_always_lock_free, "needed in a signal handler");

void handle(int number) {
    received.store(number);
    if (const auto* targets = cancelled_by_signal.load())
        for (Progress* target : *targets) target->cancel();
}

}  // namespace

Interrupt::Interrupt(std::vector<Progress*> targets) : targets_(std::move(targets)) {
    received.store(0);
    cancelled_by_signal.store(&targets_);
    struct sigaction action = {};
    action.sa_handler = handle;
    // Back to the default after the first: whoever presses again means it.
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
        ::sigaction(kSignals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
    }
}

Interrupt::~Interrupt() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
    cancelled_by_signal.store(nullptr);
}

int Interrupt::signal() const {
    return received.load();
}

}  // namespace espalier::tools
