#include "run/interrupt.h"

#include <csignal>

namespace warpsieve::run {

namespace {

volatile std::sig_atomic_t signal_seen = 0;

void note(int signal) {
  signal_seen = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note;  // no SA_RESTART: waiting calls return
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void default_interrupts() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int interrupt_signal() { return signal_seen; }

void throw_if_interrupted() {
  if (signal_seen) throw Interrupted("interrupted");
}

}  // namespace warpsieve::run
