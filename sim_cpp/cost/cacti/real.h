// A CACTI 7 binary, run once per memory (answers are kept).
//
// Each run gets a temporary directory of its own with the configuration and a link to the tech_params/ that lie
// beside the binary, and a process group that is killed when the time is up. Whatever goes wrong becomes one
// CactiError line:
//
//   exit code 0 and no result line       refused, with the tool's message      (most refusals)
//   exit code 1, ERROR on its output     refused, with that line
//   a signal, with or without a result   crashed; says which file is missing when that is the cause
//   time-out, or more than 16 MB output  stopped
//   a result line that is short, not numbers, or for another memory than asked (the tool skips input that it does not
//   understand, a quoted tag size for one)   the field, what was asked and what it used
#pragma once

#include <chrono>
#include <map>

#include "cost/cacti/query.h"

namespace warpsieve::cost {

class RealCacti : public Source {
 public:
  /// Throws CactiError when `binary` cannot be executed.
  explicit RealCacti(std::string binary, std::chrono::milliseconds timeout = std::chrono::seconds(120));
  /// CACTI= when set (it must name an executable file), else `cacti` on PATH, else nothing.
  static std::optional<std::string> find();

  Result at(const Query& query) override;
  std::string name() const override { return binary_; }
  /// Text of the configuration file for one memory.
  static std::string configuration(const Query& query);

 private:
  std::string binary_, tech_params_;
  std::chrono::milliseconds timeout_;
  std::map<std::string, Result> answers_;  ///< by configuration
};

}  // namespace warpsieve::cost
