// Exit codes of the program, as `warpsieve --help` documents them.
#pragma once

namespace warpsieve::cli {

enum ExitCode : int {
  kOk = 0,
  kWrong = 1,          ///< corrupt data, a wrong result, a deadlock, or model and RTL that disagree
  kBadInput = 2,       ///< bad arguments, configuration, input or output file, no memory for it: one line
  kInterrupted = 130,  ///< Ctrl-C; what was finished is kept (SIGTERM: 143)
  kTerminated = 143,
};

}  // namespace warpsieve::cli
