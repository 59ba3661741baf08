// The table of `warpsieve run`: a line for each workload under each scheme, as wide as its reader has room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpsieve::cli {

/// A workload under a scheme, all repetitions; all but the lists are of the machine as it is.
struct RunRow {
  std::string workload, scheme, cycles;
  std::uint64_t off_chip = 0;
  std::vector<std::uint64_t> kinds;                                 ///< by request_columns()
  std::string data;                                                 ///< "clean", or what is wrong
  std::vector<double> ipc, requests, ipc_changes, request_changes;  ///< of the repetitions; changes in %
  bool has_base = false;                                            ///< a first scheme to compare with
};

/// The columns that add up to off-chip requests.
struct RequestColumn {
  const char* title;
  std::vector<const char*> kinds;
  const char* what;
};
const std::vector<RequestColumn>& request_columns();

struct RunTable {
  std::string text;
  std::string left_out;  ///< one line about the columns that are not shown; empty: none
};
/// The narrowest columns that `width` asks for are dropped in this order: kinds of requests that are 0 in every row,
/// then the kinds from the last to the first, then cycles. 0: all columns. The other columns always stay.
RunTable run_table(const std::vector<const RunRow*>& rows, std::size_t width, bool colours);

/// A line for each column: unit, which way is better, meaning.
std::string explained_columns();

}  // namespace warpsieve::cli
