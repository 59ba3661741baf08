// warpsieve area: what a scheme's hardware takes on a machine, beside what the papers say.
// warpsieve claims: the papers' claims; with --area our finding for each that is about hardware. Rows from runs,
// those about energy (--energy) among them, are those of claims_command.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct AreaOptions {
  std::string scheme = "cmd";
  std::string profile;           ///< empty: the one the scheme's paper describes
  std::vector<std::string> set;  ///< parameters of machine and scheme
  std::string cacti = "auto";
  std::uint32_t node = 16;
  bool json = false;
};

struct ClaimsOptions {
  bool area = false;
  std::string energy;  ///< results of `warpsieve run --json`; empty: no energy claims
  bool markdown = false;
  std::string cacti = "auto";
  bool json = false;
};

void declare_area(CLI::App& command, AreaOptions& options);
ExitCode area(const AreaOptions& options);
void declare_claims(CLI::App& command, ClaimsOptions& options);
ExitCode claims(const ClaimsOptions& options);

}  // namespace warpsieve::cli
