// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C and its kin as a polite request: running work is asked to stop, nothing is left half written.
#pragma once

#include <csignal>
#include <vector>

#include "builder/base/progress.h"

namespace espalier::tools {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP cancels every given Progress; a second one ends the
/// process at once. Signals that were ignored before stay ignored. One at a time.
class Interrupt {
  public:
    explicit Interrupt(std::vector<Progress*> targets);
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// The signal that came, or 0.
    int signal() const;

  private:
    static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
    std::vector<Progress*> targets_;
    struct sigaction before_[3];
};

}  // namespace espalier::tools
