// Exit codes of the program, as `warpsieve --help` documents them.
#pragma once

namespace warpsieve::cli {

enum ExitCode : int {
  kOk = 0,
  kWrong = 1,     ///< corrupt data, a wrong result, a deadlock, or model and RTL that disagree
  kBadInput = 2,  ///< bad arguments, configuration or input file: one line on standard error
};

}  // namespace warpsieve::cli
