// Ctrl-C (SIGINT) and SIGTERM: the first asks for an orderly end with what is finished kept, the second ends at once.
#pragma once

#include <stdexcept>

namespace warpsieve::run {

class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// From here on the first SIGINT or SIGTERM only sets a flag.
void catch_interrupts();
/// Both signals end the process again, as in a child that has nothing to put in order.
void default_interrupts();
/// The signal that came, 0 for none.
int interrupt_signal();
/// Throws Interrupted when one came.
void throw_if_interrupted();

}  // namespace warpsieve::run
