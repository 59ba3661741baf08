// The verdict on a figure of a paper. It is the only place that compares ours with the paper's: simulated figures,
// hardware and energy all come here. README.md has the table of words.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace warpsieve::claims {

enum class Verdict {
  reproduced,    ///< beyond the noise, same sign, within 20 % or 3 points; a bound that holds; a cost not above it
  stronger,      ///< same sign, and larger than that
  weaker,        ///< same sign, at least a third (or what the rule says), in most workloads; or the limit holds
  marginal,      ///< same sign, beyond the noise, and less than `weaker` needs
  no_effect,     ///< inside the noise; a bound that is
  opposite,      ///< other sign, beyond the noise; a limit or bound that does not hold
  not_testable,  ///< no part of the simulator or of the cost model answers it
  no_runs,       ///< the runs given do not answer it
  not_stated,    ///< the paper gives no figure: ours stands alone
};
inline constexpr std::array kVerdicts = {Verdict::reproduced,   Verdict::stronger,  Verdict::weaker,
                                         Verdict::marginal,     Verdict::no_effect, Verdict::opposite,
                                         Verdict::not_testable, Verdict::no_runs,   Verdict::not_stated};
/// "reproduced", "not testable here".
std::string to_string(Verdict verdict);
/// One line: what the words mean.
std::string legend();

/// Half-width of the noise of an effect where nothing was repeated, in points of a percentage. It is above what
/// repetitions of nearly all workloads differ by.
inline constexpr double kDefaultNoise = 3;

struct Comparison {
  double paper = 0, ours = 0;
  double noise = 0;                      ///< half-width, in the unit of both; ours inside it is no effect
  bool percent = false;                  ///< 3 points count as close
  bool bound = false;                    ///< the paper says "less than"
  bool cost = false;                     ///< the less, the better: an area, a latency
  std::optional<double> holds, at_most;  ///< Rule::holds, Rule::at_most
  std::size_t workloads = 1, agree = 1;  ///< of them, those whose own figure agrees
};
Verdict judge(const Comparison& c);

/// From where on a workload agrees with the paper: `holds`, else a third of the paper's figure.
double least(double paper, const std::optional<double>& holds);

}  // namespace warpsieve::claims
