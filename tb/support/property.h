// check_property(): a RapidCheck property as one GoogleTest assertion, with its seed printed and, on
// failure, the line that replays it.
//
//   WARPSIEVE_SEED=<n>     replay with this seed (default: fixed per property name, so CI repeats)
//   WARPSIEVE_CASES=<n>    cases per property (default: the argument)
//   WARPSIEVE_SHRINK=0     report the first counterexample as it was found (mutation runs)
//   WARPSIEVE_FST=<file>   dump the waveform of every RTL block (see cosim/verilated.h)
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <functional>
#include <string>

namespace warpsieve::tb {

struct PropertyRun {
  std::uint64_t seed;
  int cases;
  bool shrink = true;
};

/// Seed and case count for the property, after the environment had its say; prints both.
PropertyRun plan_property(const std::string& name, int cases);
/// Fails the current GoogleTest test with the replay line.
void report_property(const std::string& name, const PropertyRun& run, bool ok, const std::string& details);

/// `body` takes arbitrary arguments (or none, drawing values with *rc::gen::...) and reports by
/// RC_ASSERT or by throwing.
template <class Body>
void check_property(const std::string& name, int cases, Body&& body) {
  const PropertyRun run = plan_property(name, cases);
  rc::detail::TestParams params;
  params.seed = run.seed;
  params.maxSuccess = run.cases;
  params.disableShrinking = !run.shrink;
  rc::detail::TestMetadata metadata;
  metadata.id = name;
  metadata.description = name;
  const auto result = rc::detail::checkTestable(std::forward<Body>(body), metadata, params);
  std::ostringstream details;
  rc::detail::printResultMessage(result, details);
  report_property(name, run, result.template is<rc::detail::SuccessResult>(), details.str());
}

}  // namespace warpsieve::tb
