#include "support/property.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace warpsieve::tb {

namespace {
std::uint64_t name_hash(const std::string& text) {  // FNV-1a: a stable default seed per property
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3ull;
  return hash;
}
}  // namespace

PropertyRun plan_property(const std::string& name, int cases) {
  PropertyRun run{name_hash(name), cases};
  if (const char* seed = std::getenv("WARPSIEVE_SEED")) run.seed = std::strtoull(seed, nullptr, 0);
  if (const char* count = std::getenv("WARPSIEVE_CASES")) run.cases = std::atoi(count);
  if (const char* shrink = std::getenv("WARPSIEVE_SHRINK")) run.shrink = std::string(shrink) != "0";
  fmt::print("[ property ] {}: seed {} cases {}\n", name, run.seed, run.cases);
  std::fflush(stdout);
  return run;
}

void report_property(const std::string& name, const PropertyRun& run, bool ok, const std::string& details) {
  if (ok) return;
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  ADD_FAILURE() << name << "\n"
                << details << "\nreplay: WARPSIEVE_SEED=" << run.seed << " WARPSIEVE_CASES=" << run.cases
                << " WARPSIEVE_FST=wave " << ::testing::internal::GetArgvs()[0]
                << " --gtest_filter=" << info->test_suite_name() << "." << info->name();
}

}  // namespace warpsieve::tb
