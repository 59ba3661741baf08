// The generated traces: the bytes of the Python scripts that made Accel-Sim's input, and what the importer makes of
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/params.h"
#include "run/content_hash.h"
#include "validate/machine.h"
#include "validate/python_random.h"
#include "validate/traces.h"

namespace warpsieve::tb {
namespace {

using ::testing::HasSubstr;
using validate::Figures;
using validate::parse_trace;
using validate::PythonRandom;

TEST(PythonRandom, DrawsWhatPythonDraws) {
  // python3: r = random.Random(1); [r.randrange(100) for _ in range(8)]
  PythonRandom one(1);
  for (const std::uint32_t expected : {17u, 72u, 97u, 8u, 32u, 15u, 63u, 97u}) EXPECT_EQ(one.below(100), expected);
  // r = random.Random(7); l = list(range(10)); r.shuffle(l)
  PythonRandom seven(7);
  std::vector<int> list = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  seven.shuffle(list);
  EXPECT_EQ(list, (std::vector<int>{8, 3, 1, 4, 7, 0, 9, 6, 2, 5}));
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(seven.below(1), 0u);
}

TEST(Traces, AreTheBytesOfTheScripts) {
  // XXH3 of kernel-1.traceg as the scripts write it for these arguments.
  const std::pair<const char*, const char*> recorded[] = {
      {"stream 160 8 16", "a2cd5d8402527eb8417590b619fc6714"},
      {"stream 160 4 8 w=16", "b9b97d9fcc54d79794f067e57bd731f0"},
      {"stores 10 4 4 own=1", "8b9300f2e04180c28fc8aa871213ed04"},
      {"stores 10 4 4 own=2", "c1daf83f371af9ab6f9a9bee57b21ddb"},
      {"rmw 4 2 3", "bcce6550b3838b4cd80cd993c403243d"},
      {"scatter 8 4 2 foot=64", "70fc96645fa3b61833298a4cc65da23d"},
      {"column 8 2 4 pitch=4352", "9720aaa3c1eacccb42597ba4b78d948e"},
      {"broad 4 2 40 tab=4", "a3145cedb7dc3ba9808c22845205ea39"},
      {"reread 4 2 4 foot=2048", "1c0ab21e86fddefe0460210d44a1312a"},
      {"trans 16 8 4 pitch=4096", "08bab77f930cccffc88258a24d10e74a"},
      {"chase 1 1 300 foot=16", "691caa4e6af3a4610721a58179dc4a34"},
      {"l2chase 2 1 1 foot=16", "a7d3d2070bdc7920c2eb2d06f734ef10"},
      {"indep 1 1 8 step=3", "905970afebb82dccb70c14fc280205b5"},
      {"burst 4 2 3 regs=32", "91adb99bf01207a74b490f1f515d95eb"},
      {"vecadd 4 2 3", "f10259c534d9c7e63944fd90270d53e5"},
      {"gather 4 2 3 seed=7 foot=8", "4b46a875c23ce9e441897ad93e333962"},
  };
  for (const auto& [arguments, hash] : recorded)
    EXPECT_EQ(run::content_hash(validate::traceg(parse_trace(arguments))), hash) << arguments;
}

TEST(Traces, WrongArgumentsNameTheWord) {
  const std::pair<const char*, const char*> wrong[] = {
      {"stream 160 8", "expected KIND BLOCKS WARPS ITERATIONS"},
      {"strean 160 8 1", "did you mean stream"},
      {"stream 0 8 1", "'0': expected a whole number from 1 to 65535"},
      {"stream 1 33 1", "'33': expected a whole number from 1 to 32"},
      {"stream 1 8 1 pitch=4", "'pitch=4': expected KEY=VALUE with w, seed, regs"},
      {"stream 1 8 1 w", "'w': expected KEY=VALUE"},
      {"stream 1 8 1 w=8", "w: expected 4 or 16"},
      {"chase 1 1 1 foot=0", "'0': expected a whole number from 1"},
      {"chase 1 1 1 foot=x", "'x': expected a whole number"}};
  for (const auto& [arguments, message] : wrong) {
    try {
      parse_trace(arguments);
      ADD_FAILURE() << arguments;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message)) << arguments;
    }
  }
}

class ImportedTraces : public testing::Test {
 protected:
  Figures run(const std::string& arguments) {
    return validate::run_trace({"plain", {"gpu.sms=20", "gpu.controllers=2"}}, traces_.trace(arguments));
  }
  validate::TraceFolder traces_;
};

TEST_F(ImportedTraces, MoveTheSectorsThatTheirPatternSays) {
  const Figures stream = run("stream 8 4 5");
  EXPECT_EQ(stream.l2_accesses, 8 * 4 * 5 * 4);  // a line of 4 sectors per load
  EXPECT_EQ(stream.dram_reads, stream.l2_accesses);
  EXPECT_EQ(stream.l1_hit, 0);

  const Figures wide = run("stream 8 4 5 w=16");
  EXPECT_EQ(wide.l2_accesses, 8 * 4 * 5 * 16);

  const Figures stores = run("stores 8 4 5");
  EXPECT_EQ(stores.l2_accesses, 8 * 4 * 5 * 4);
  EXPECT_EQ(stores.dram_reads, 0);

  const Figures rmw = run("rmw 8 4 5");
  EXPECT_EQ(rmw.l2_accesses, 2 * 8 * 4 * 5 * 4);
  EXPECT_EQ(rmw.dram_reads, 8 * 4 * 5 * 4);

  const Figures column = run("column 4 1 8 pitch=4352");  // 32 lines per warp, 8 words of one sector each
  EXPECT_EQ(column.l2_accesses, 4 * 32);
  EXPECT_DOUBLE_EQ(column.l1_hit, 100.0 * 7 / 8);

  const Figures chase = run("chase 1 1 64 foot=4");  // 32 lines, each twice
  EXPECT_EQ(chase.dram_reads, 32);
  EXPECT_EQ(chase.l1_hit, 50);

  const Figures l2chase = run("l2chase 2 1 1 foot=16");  // 128 lines, then one sector of each again
  EXPECT_EQ(l2chase.l2_accesses, 128 * 4 + 128);
  EXPECT_EQ(l2chase.dram_reads, 128 * 4);
  EXPECT_EQ(l2chase.l2_read_hit, 20);

  const Figures broad = run("broad 2 1 32 tab=4");  // 32 lines, one word of each, by one or two L1s
  EXPECT_EQ(broad.dram_reads, 32);

  const Figures vecadd = run("vecadd 8 4 2");
  EXPECT_EQ(vecadd.l2_accesses, 3 * 8 * 4 * 2 * 4);
  EXPECT_EQ(vecadd.dram_reads, 2 * 8 * 4 * 2 * 4);

  const Figures indep = run("indep 1 1 8");
  EXPECT_EQ(indep.l2_accesses, 8 * 4 * 4);
}

TEST_F(ImportedTraces, AreMadeOnce) {
  const std::string first = traces_.trace("stream 1 1 1");
  EXPECT_EQ(traces_.trace("stream 1 1 1"), first);
  EXPECT_NE(traces_.trace("stream 1 1 2"), first);
}

}  // namespace
}  // namespace warpsieve::tb
