// The recorded sweep: exact at its points, interpolated between them, refusing everything else.
#include <cmath>

#include "cost/cacti/recorded.h"
#include "support.h"

namespace warpsieve::cost {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Recorded, PointsAreAsInTheSharedSweep) {
  Recorded sweep;
  // Values of cacti7_sweep.csv, copied by hand.
  const Result r = sweep.at(recorded_ram());
  EXPECT_NEAR(r.read_nj, 0.00999426, 1e-8);
  EXPECT_FALSE(r.interpolated);
  EXPECT_TRUE(r.cycle_ns.has_value());
  EXPECT_FALSE(r.search_nj.has_value());
  EXPECT_EQ(r.tag_mm2, 0);
  const Result c = sweep.at(recorded_cache());
  EXPECT_DOUBLE_EQ(c.data_mm2, 0.0347953);
  EXPECT_DOUBLE_EQ(c.tag_mm2, 0.00684138);
  EXPECT_DOUBLE_EQ(c.area_mm2(), 0.0347953 + 0.00684138);
  EXPECT_DOUBLE_EQ(c.box_mm2, 0.049013);
  EXPECT_DOUBLE_EQ(*c.cycle_ns, 0.300095);
  EXPECT_NEAR(c.leakage_mw, 8.47417, 1e-5);
  EXPECT_EQ(c.basis(), "exact");
}

TEST(Recorded, FullyAssociativeAreaIsItsOneArray) {
  Recorded sweep;
  const Result r = sweep.at(recorded_fa());
  EXPECT_NEAR(r.area_mm2(), 0.106732 * 0.315759, 1e-6);
  EXPECT_DOUBLE_EQ(*r.search_nj, 0.0143193);
}

TEST(Recorded, CamAccessTimeHasTheMatchDelay) {
  Recorded sweep;
  Query q = ram(16384, 128);
  q.kind = Kind::cam;
  const Result small = sweep.at(q);
  q.bytes = 65536;
  EXPECT_GT(*sweep.at(q).access_ns, *small.access_ns);
  EXPECT_TRUE(small.search_nj.has_value());
}

TEST(Recorded, HoldsEveryAcceptedRowThatAQueryCanName) { EXPECT_EQ(Recorded().points().size(), 5053u); }

TEST(Recorded, BetweenPointsLogLogOverCapacityWithoutACycleTime) {
  Recorded sweep;
  const Query low = ram(8192, 64, 22, Ports::r1w1), high = ram(16384, 64, 22, Ports::r1w1);
  Query middle = low;
  middle.bytes = 11585;  // 8192 x sqrt(2)
  const Result a = sweep.at(low), b = sweep.at(high), m = sweep.at(middle);
  EXPECT_TRUE(m.interpolated);
  EXPECT_EQ(m.lower_bytes, 8192u);
  EXPECT_EQ(m.upper_bytes, 16384u);
  EXPECT_NEAR(m.area_mm2() / std::sqrt(a.area_mm2() * b.area_mm2()), 1, 1e-4);
  EXPECT_NEAR(m.read_nj / std::sqrt(a.read_nj * b.read_nj), 1, 1e-4);
  EXPECT_NEAR(*m.access_ns / std::sqrt(*a.access_ns * *b.access_ns), 1, 1e-4);
  EXPECT_NEAR(m.leakage_mw / std::sqrt(a.leakage_mw * b.leakage_mw), 1, 1e-4);
  EXPECT_FALSE(m.cycle_ns.has_value());
  EXPECT_THAT(m.basis(), AllOf(HasSubstr("interpolated 8192..16384 B"), HasSubstr("median"), HasSubstr("p90")));
}

TEST(Recorded, InterpolatedCacheAreaIsTheInterpolatedSum) {
  Recorded sweep;
  const Result a = sweep.at(cache(32768, 16, 4, 128, 22)), b = sweep.at(cache(49152, 16, 4, 128, 22)),
               m = sweep.at(cache(40132, 16, 4, 128, 22));
  EXPECT_NEAR(m.area_mm2() / std::sqrt(a.area_mm2() * b.area_mm2()), 1, 1e-4);
  EXPECT_GT(m.tag_mm2, a.tag_mm2);
  EXPECT_LT(m.tag_mm2, b.tag_mm2);
}

TEST(Recorded, OutsideTheGridIsAnErrorThatNamesTheNearestPoint) {
  Recorded sweep;
  EXPECT_THAT(
      error_of([&] { sweep.at(ram(2097152, 64)); }),
      AllOf(HasSubstr("ram of 2097152 B, 64-bit words"), HasSubstr("nearest recorded: ram of 1048576 B, 64-bit")));
  EXPECT_THAT(error_of([&] { sweep.at(ram(255, 64)); }), HasSubstr("nearest recorded: ram of 256 B, 64-bit words"));
  EXPECT_THAT(error_of([&] { sweep.at(ram(4096, 24)); }), HasSubstr("nearest recorded: ram of 4096 B, 32-bit words"));
  EXPECT_THAT(error_of([&] { sweep.at(ram(4096, 64, 50)); }), HasSubstr("45 nm"));
  EXPECT_THAT(error_of([&] { sweep.at(ram(4096, 64, 180)); }), HasSubstr("90 nm"));
  EXPECT_THAT(error_of([&] { sweep.at(cache(48000, 16, 6, 128, 22)); }), HasSubstr("nearest recorded: cache of 4"));
  Query hot = ram(4096, 64);
  hot.temperature_k = 390;
  EXPECT_THAT(error_of([&] { sweep.at(hot); }), HasSubstr("400 K"));
}

TEST(Recorded, WhatCactiRefusedStaysRefused) {
  Recorded sweep;
  EXPECT_THAT(error_of([&] { sweep.at(ram(128, 64, 45)); }), HasSubstr("refused: ERROR: no valid data array"));
}

TEST(Recorded, InterpolatedValuesStayBetweenTheirNeighbours) {
  Recorded sweep;
  for (const std::uint64_t bytes : {520u, 700u, 1000u, 3000u, 9000u, 70000u, 600000u, 1000000u}) {
    const Result r = sweep.at(ram(bytes, 128, 22, Ports::r1w1));
    ASSERT_TRUE(r.interpolated) << bytes;
    const double low = sweep.at(ram(r.lower_bytes, 128, 22, Ports::r1w1)).area_mm2(),
                 high = sweep.at(ram(r.upper_bytes, 128, 22, Ports::r1w1)).area_mm2();
    EXPECT_GT(r.area_mm2(), std::min(low, high));
    EXPECT_LT(r.area_mm2(), std::max(low, high));
  }
}

/// What `warpsieve area` prints beside an interpolated figure. The bounds, in percent, are the errors of the
/// committed sweep rounded up: a change that makes the interpolation worse fails.
TEST(Recorded, LeaveOneOutErrorStaysSmall) {
  using M = Recorded::Metric;
  struct Bounds {
    Kind kind;
    bool searched;
    std::vector<std::tuple<M, double, double>> of;  // metric, median, 90th percentile
  };
  const std::vector<Bounds> all = {
      {Kind::ram,
       false,
       {{M::area, 5, 11}, {M::access, 4, 9}, {M::read, 7, 20}, {M::write, 6, 15}, {M::leakage, 3, 8}}},
      {Kind::cache,
       false,
       {{M::area, 4, 12}, {M::access, 3, 9}, {M::read, 4, 16}, {M::write, 6, 19}, {M::leakage, 2, 5}}},
      {Kind::cam,
       true,
       {{M::area, 5, 27}, {M::access, 6, 19}, {M::read, 4, 41}, {M::write, 5, 11}, {M::leakage, 6, 11}}}};
  const Recorded sweep;
  for (const Bounds& bounds : all) {
    for (const auto& [metric, median, p90] : bounds.of) {
      const InterpolationError e = sweep.leave_one_out(bounds.kind, bounds.searched, metric);
      EXPECT_LT(100 * e.median, median) << static_cast<int>(bounds.kind) << " " << static_cast<int>(metric);
      EXPECT_LT(100 * e.p90, p90) << static_cast<int>(bounds.kind) << " " << static_cast<int>(metric);
      EXPECT_GT(e.samples, 300u);
    }
  }
}

TEST(Scaling, BelowTwentyTwoNanometresByTheRuleAndLabelled) {
  Recorded sweep;
  const Result at22 = evaluate(sweep, ram(16384, 64, 22)), at16 = evaluate(sweep, ram(16384, 64, 16));
  EXPECT_NEAR(at16.area_mm2() / at22.area_mm2(), 0.529, 5e-4);  // the data's README
  EXPECT_NEAR(at16.read_nj / at22.read_nj, 0.575, 5e-4);
  EXPECT_NEAR(at16.write_nj / at22.write_nj, 0.551, 5e-4);
  EXPECT_NEAR(*at16.access_ns / *at22.access_ns, 0.727, 5e-4);
  EXPECT_NEAR(at16.leakage_mw / at22.leakage_mw, 0.546, 5e-4);
  EXPECT_EQ(at22.scaled_from_nm, 0u);
  EXPECT_EQ(at16.scaled_from_nm, 22u);
  EXPECT_EQ(at16.basis(), "exact, scaled from 22 nm");
  EXPECT_THAT(error_of([&] { evaluate(sweep, ram(16384, 64, 5)); }), HasSubstr("not used under 7 nm"));
}

TEST(Source, ChoiceByName) {
  EXPECT_EQ(make_source("recorded")->name(), "recorded CACTI 7 sweep");
  EXPECT_THAT(error_of([] { make_source("recroded"); }), AllOf(HasSubstr("'recroded'"), HasSubstr("recorded")));
  EXPECT_THAT(error_of([] { make_source("/nonexistent/cacti"); }),
              HasSubstr("/nonexistent/cacti: not an executable"));
}

}  // namespace
}  // namespace warpsieve::cost
