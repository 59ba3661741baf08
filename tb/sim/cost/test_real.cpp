// The user's CACTI binary: a stand-in replays recorded runs; what it does wrong becomes one line. The last test runs
// a real binary where there is one.
#include <chrono>
#include <random>

#include "cost/cacti/real.h"
#include "cost/cacti/recorded.h"
#include "support.h"

namespace warpsieve::cost {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

void expect_same(const Result& a, const Result& b, double tolerance) {
  const auto near = [&](double x, double y, const char* what) {
    EXPECT_LE(std::abs(x - y), tolerance * std::max(std::abs(x), std::abs(y))) << what << ": " << x << " and " << y;
  };
  near(a.access_ns.value(), b.access_ns.value(), "access");
  near(a.cycle_ns.value(), b.cycle_ns.value(), "cycle");
  EXPECT_EQ(a.search_nj.has_value(), b.search_nj.has_value());
  near(a.search_nj.value_or(0), b.search_nj.value_or(0), "search");
  near(a.read_nj, b.read_nj, "read");
  near(a.write_nj, b.write_nj, "write");
  near(a.leakage_mw, b.leakage_mw, "leakage");
  near(a.data_mm2, b.data_mm2, "data area");
  near(a.tag_mm2, b.tag_mm2, "tag area");
  near(a.box_mm2, b.box_mm2, "box");
}

TEST(RealCacti, ConfigurationIsByteForByteTheRecordedOne) {
  EXPECT_EQ(RealCacti::configuration(recorded_ram()), read_text(kTests + "/transcripts/ram_16K_64b_45nm.cfg"));
  EXPECT_EQ(RealCacti::configuration(recorded_cache()),
            read_text(kTests + "/transcripts/cache_48K_22B_4way_22nm.cfg"));
  EXPECT_EQ(RealCacti::configuration(recorded_fa()), read_text(kTests + "/transcripts/fa_512B_16x32B_45nm.cfg"));
}

TEST(RealCacti, TagSizeIsANumberWithoutQuotes) {
  Query q = recorded_cache();
  q.tag_bits = 28;
  EXPECT_THAT(RealCacti::configuration(q), HasSubstr("-tag size (b) 28\n"));
  EXPECT_THAT(RealCacti::configuration(recorded_cache()), HasSubstr("-tag size (b) \"default\"\n"));
  EXPECT_THAT(RealCacti::configuration(recorded_cache()), ::testing::Not(HasSubstr("-search port")));
}

TEST(RealCacti, AgreesWithTheSweepOnRecordedPoints) {
  const StandIn cacti;
  RealCacti real(cacti.binary);
  Recorded recorded;
  for (const Query& q : {recorded_ram(), recorded_cache(), recorded_fa()}) {
    SCOPED_TRACE(q.describe());
    expect_same(real.at(q), recorded.at(q), 1e-5);
    EXPECT_EQ(real.at(q).source, cacti.binary);
  }
}

TEST(RealCacti, AnswersAreKept) {
  const StandIn cacti;
  RealCacti real(cacti.binary);
  for (int i = 0; i < 3; ++i) real.at(recorded_ram());
  EXPECT_EQ(cacti.runs(), 1u);
}

TEST(RealCacti, RefusalsWithExitCodeZeroAndOne) {
  const StandIn cacti;
  RealCacti real(cacti.binary);
  EXPECT_THAT(
      error_of([&] { real.at(cache(49152, 128, 6, 256, 45)); }),
      AllOf(StartsWith("CACTI: cache of 49152 B, 6 ways"), HasSubstr("refused: Associativity must be a power")));
  EXPECT_THAT(error_of([&] { real.at(ram(128, 64, 45)); }),
              HasSubstr("refused: ERROR: no valid data array organizations found"));
}

std::string with(const std::string& name, bool tech_params = true) {
  const StandIn cacti(name, tech_params);
  RealCacti real(cacti.binary, std::chrono::seconds(5));
  return error_of([&] { real.at(recorded_cache()); });
}

TEST(RealCacti, EndlessRunsAreStoppedWithTheirChildren) {
  const StandIn cacti("cacti-hangs");
  RealCacti real(cacti.binary, std::chrono::milliseconds(300));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(error_of([&] { real.at(recorded_ram()); }), HasSubstr("no end after 0.3 s, stopped"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));  // its child sleeps for ten minutes
}

TEST(RealCacti, EndlessOutputIsStopped) {
  const StandIn cacti("cacti-floods");
  RealCacti real(cacti.binary, std::chrono::seconds(60));
  EXPECT_THAT(error_of([&] { real.at(recorded_ram()); }), AllOf(HasSubstr("16 MB of output"), HasSubstr("stopped")));
}

TEST(RealCacti, Crashes) {
  EXPECT_THAT(with("cacti-crashes"), HasSubstr("crashed with signal 11"));
  EXPECT_THAT(with("cacti-dies-late"), HasSubstr("crashed with signal 11 after its result"));
  EXPECT_THAT(with("cacti", false), AllOf(HasSubstr("crashed with signal 11"), HasSubstr("no tech_params/ beside")));
}

TEST(RealCacti, OutputThatIsNoResult) {
  EXPECT_THAT(with("cacti-silent"), HasSubstr("exit code 0 and no result line in memory.cfg.out"));
  EXPECT_THAT(with("cacti-header-only"), HasSubstr("no result line"));
  EXPECT_THAT(with("cacti-cuts-the-row"), HasSubstr("expected at least 19"));
  EXPECT_THAT(with("cacti-writes-nan"), AllOf(HasSubstr("result field 6 (access time)"), HasSubstr("'nan'")));
  EXPECT_THAT(with("cacti-reads-16"), HasSubstr("used Cache size  16 instead of 49152"));
  EXPECT_THAT(with("cacti-no-areas"), HasSubstr("Area (mm2)"));
}

TEST(RealCacti, TagSizeThatTheToolIgnored) {
  // The replayed run used its default of 42 bits. The stand-in compares inputs, so its records are asked for by an
  // input that differs in that one line.
  const StandIn cacti;
  const std::string records = cacti.path("records");
  std::filesystem::copy(kTests + "/transcripts", records);
  Query q = recorded_cache();
  q.tag_bits = 28;
  std::ofstream(records + "/cache_48K_22B_4way_22nm.cfg") << RealCacti::configuration(q);
  setenv("TRANSCRIPTS", records.c_str(), 1);
  RealCacti real(cacti.binary);
  EXPECT_THAT(error_of([&] { real.at(q); }), HasSubstr("used Tag size  42 instead of 28"));
}

TEST(RealCacti, BinaryThatIsNone) {
  const StandIn cacti;
  std::ofstream(cacti.path("text")) << "not a program";
  EXPECT_THAT(error_of([&] { RealCacti{cacti.path("text")}; }), HasSubstr("text: not an executable file"));
  EXPECT_THAT(error_of([&] { RealCacti{cacti.path("none")}; }), HasSubstr("none: not an executable file"));
  EXPECT_THAT(error_of([&] { RealCacti{cacti.path("")}; }), HasSubstr("not an executable file"));
}

TEST(RealCacti, FoundByVariableOrPath) {
  const char* old_path = std::getenv("PATH");
  const char* old_cacti = std::getenv("CACTI");
  const std::string path = old_path ? old_path : "", variable = old_cacti ? old_cacti : "";
  const StandIn cacti;
  setenv("CACTI", cacti.binary.c_str(), 1);
  EXPECT_EQ(RealCacti::find(), cacti.binary);
  setenv("CACTI", "/nonexistent", 1);
  EXPECT_THAT(error_of([] { RealCacti::find(); }), HasSubstr("CACTI=/nonexistent: not an executable file"));
  unsetenv("CACTI");
  setenv("PATH", (cacti.path("") + ":" + path).c_str(), 1);
  EXPECT_EQ(std::filesystem::path(RealCacti::find().value()).filename(), "cacti");
  setenv("PATH", "/nonexistent", 1);
  EXPECT_FALSE(RealCacti::find().has_value());
  EXPECT_EQ(make_source("auto")->name(), "recorded CACTI 7 sweep");
  EXPECT_THAT(error_of([] { make_source("real"); }), HasSubstr("no binary"));
  setenv("PATH", path.c_str(), 1);
  if (old_cacti) setenv("CACTI", variable.c_str(), 1);
}

TEST(RealCacti, LeavesNothingBehind) {
  const StandIn cacti;
  const std::string temporary = cacti.path("tmp");
  std::filesystem::create_directory(temporary);
  const char* old = std::getenv("TMPDIR");
  const std::string before = old ? old : "";
  setenv("TMPDIR", temporary.c_str(), 1);
  RealCacti real(cacti.binary);
  real.at(recorded_ram());
  error_of([&] { real.at(ram(128, 64, 45)); });
  old ? setenv("TMPDIR", before.c_str(), 1) : unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

/// With a binary: 40 recorded points at random and all kinds of memory.
TEST(RealCactiBinary, AgreesWithTheSweep) {
  const auto binary = RealCacti::find();
  if (!binary) GTEST_SKIP() << "no CACTI binary: CACTI= is not set and there is no `cacti` on PATH";
  RealCacti real(*binary);
  Recorded recorded;
  std::vector<Query> points = recorded.points();
  std::mt19937 random(4);
  std::shuffle(points.begin(), points.end(), random);
  points.resize(40);
  for (const Query& q : {recorded_ram(), recorded_cache(), recorded_fa()}) points.push_back(q);
  for (const Query& q : points) {
    SCOPED_TRACE(q.describe());
    expect_same(real.at(q), recorded.at(q), 1e-4);
  }
}

}  // namespace
}  // namespace warpsieve::cost
