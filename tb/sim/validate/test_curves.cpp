// Microbenchmarks: what a curve says follows the parameter that it measures.
#include <gtest/gtest.h>

#include "core/params.h"
#include "validate/validate.h"

namespace warpsieve::tb {
namespace {

using namespace warpsieve::validate;

double at(const Curve& curve, const std::string& label) {
  for (const Point& p : curve.points)
    if (p.label == label) return p.y;
  ADD_FAILURE() << curve.name << " has no point " << label;
  return 0;
}

/// 20 SMs and 2 controllers of the plain machine.
MachineSpec small(std::vector<std::string> set = {}) {
  set.insert(set.begin(), {"gpu.sms=20", "gpu.controllers=2"});
  return {"plain", std::move(set)};
}

TEST(Curves, StaircaseShowsTheLatencyOfEachLevel) {
  const Curve before = measure_curve("staircase", small(), true);
  const memsys::Profile profile = memsys::load_profile("plain");
  EXPECT_DOUBLE_EQ(at(before, "16"), profile.l1.latency + 1);
  EXPECT_LT(at(before, "16"), at(before, "65536"));
  EXPECT_EQ(shape_error(before, Shape::rising), 0);
  const Curve slower = measure_curve("staircase", small({"l1.latency=40", "dram.latency=196"}), true);
  EXPECT_DOUBLE_EQ(at(slower, "16"), 41);
  EXPECT_NEAR(at(slower, "65536") - at(before, "65536"), 100, 2);
}

TEST(Curves, StreamsShareThePeakOfTheirChannels) {
  const Curve one = measure_curve("bandwidth", small(), false);
  for (const Point& p : one.points) {
    EXPECT_GT(p.y, 10) << p.label;
    EXPECT_LE(p.y, 101) << p.label;
  }
  // Half the data bus: the same share of half the peak, within what commands cost.
  const Curve slow = measure_curve("bandwidth", small({"dram.burst=4", "dram.tCCD_S=4"}), false);
  EXPECT_GT(at(slow, "read"), at(one, "read") - 1);
  EXPECT_LE(at(slow, "read"), 101);
}

TEST(Curves, RandomSectorsStayNearTheActivateLimit) {
  for (const char* setting : {"dram.tFAW=32", "dram.tFAW=128"}) {
    const Curve curve = measure_curve("random", small({setting}), false);
    const double limit = limit_value("activate", small({setting}));
    EXPECT_LT(at(curve, "sector"), limit * 1.1) << setting;
    EXPECT_GT(at(curve, "sector"), limit * 0.6) << setting;
  }
  EXPECT_DOUBLE_EQ(limit_value("activate", small({"dram.tFAW=128"})), 100.0 * 4 / 128 * 2);
}

TEST(Curves, OccupancyFollowsTheRegisterFile) {
  const Curve curve = measure_curve("occupancy", small(), false);
  EXPECT_NEAR(at(curve, "128"), 16, 1);
  EXPECT_NEAR(at(curve, "256"), 8, 0.5);
  EXPECT_NEAR(at(measure_curve("occupancy", small({"sm.registers=32768"}), false), "128"), 8, 0.5);
}

TEST(Curves, MoreInFlightIsMoreBandwidth) {
  const Curve curve = measure_curve("in_flight", small(), false);
  EXPECT_LT(shape_error(curve, Shape::to_peak), 2);
  EXPECT_NEAR(at(curve, "2") / at(curve, "1"), 2, 0.1);  // far from the peak: proportional
}

TEST(Curves, AllOthersGiveFigures) {
  for (const char* name : {"l2", "shared", "atomics", "pitch"})
    for (const Point& p : measure_curve(name, small(), false).points) EXPECT_GT(p.y, 0) << name << " " << p.label;
}

TEST(Curves, ShapeErrors) {
  const auto curve = [](std::vector<double> ys) {
    Curve out;
    for (const double y : ys) out.points.push_back({"", y});
    return out;
  };
  EXPECT_EQ(shape_error(curve({1, 2, 3}), Shape::rising), 0);
  EXPECT_DOUBLE_EQ(shape_error(curve({1, 2, 1, 0.9}), Shape::rising), 50);
  EXPECT_DOUBLE_EQ(shape_error(curve({4, 2, 3, 1}), Shape::falling), 50);
  EXPECT_EQ(shape_error(curve({1, 3, 2}), Shape::to_peak), 0);
  EXPECT_DOUBLE_EQ(shape_error(curve({2, 1, 3, 2}), Shape::to_peak), 50);
  EXPECT_EQ(shape_error(curve({}), Shape::to_peak), 0);
}

TEST(Curves, UnknownNamesAreRefused) {
  EXPECT_THROW(measure_curve("stairs", small(), false), ConfigError);
  EXPECT_THROW(limit_value("stairs", small()), ConfigError);
}

}  // namespace
}  // namespace warpsieve::tb
