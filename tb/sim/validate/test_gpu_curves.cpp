// The curves of scripts/hardware on machines whose parameters are known.
#include <gtest/gtest.h>

#include "core/params.h"
#include "validate/bench.h"
#include "validate/gpu_curves.h"

namespace warpsieve::tb {
namespace {

using namespace warpsieve::validate;

/// 16 SMs and 4 controllers of the plain machine.
MachineSpec few_sms(std::vector<std::string> set = {}) {
  set.insert(set.begin(), {"gpu.sms=16", "gpu.controllers=4", "sm.threads=2048", "sm.registers=131072"});
  return {"plain", std::move(set)};
}

double peak_gbytes() {
  const memsys::Profile p = memsys::load_profile("plain", few_sms().set);
  return p.controllers * p.dram.peak_gbytes();
}

double at(const std::string& curve, double x, std::vector<std::string> set = {}) {
  return measure_gpu_point(curve, x, few_sms(std::move(set)));
}

constexpr double kGiB = 1 << 30;

TEST(GpuCurves, DependentLoadsTakeTheLatencyOfTheirLevel) {
  const memsys::Profile profile = memsys::load_profile("plain");
  EXPECT_EQ(at("latency.l1_cached", 16384), profile.l1.latency + 1);
  const double l2 = at("latency.l2_only", 65536), dram = at("latency.l2_only", kGiB);
  EXPECT_GT(l2, profile.l1.latency + profile.l2.latency);
  EXPECT_NEAR(at("latency.l2_only", 16384), l2, 1) << "no load hits in the L1";
  EXPECT_NEAR(at("latency.l2_only", 65536, {"l2.latency=150"}), l2 + 50, 1);
  EXPECT_NEAR(at("latency.l2_only", kGiB, {"dram.latency=196"}), dram + 100, 2);
}

/// A part of an H100.
MachineSpec h100(unsigned sms, unsigned controllers) {
  return {"h100", {"gpu.sms=" + std::to_string(sms), "gpu.controllers=" + std::to_string(controllers)}};
}

TEST(GpuCurves, StreamsStayBelowThePeakOfTheWholeMachine) {
  const MachineSpec machine = h100(32, 16);
  const double peak = 16 * memsys::load_profile("h100").dram.peak_gbytes();
  for (const char* curve : {"bandwidth.read", "bandwidth.write", "bandwidth.copy", "stores.coalesced"}) {
    EXPECT_GT(measure_gpu_point(curve, kGiB, machine), 0.6 * peak) << curve;
    EXPECT_LT(measure_gpu_point(curve, kGiB, machine), 1.02 * peak) << curve;
  }
  EXPECT_GT(at("bandwidth.read_again", 2 << 20, {"gpu.hash=2"}), peak_gbytes()) << "from the L2, not from the DRAM";
}

TEST(GpuCurves, AQuarterOfTheMachineHasAQuarterOfTheBandwidth) {
  const auto read = [](unsigned part) { return measure_gpu_point("bandwidth.read", kGiB, h100(4 * part, 2 * part)); };
  EXPECT_NEAR(read(16) / read(8), 2, 0.2);
}

TEST(GpuCurves, PartlyWrittenSectorsCostAReadWithoutByteMasks) {
  const double with_read = at("stores.partial", 4, {"l2.partial_writes=0"});
  EXPECT_LT(with_read * (32 + 32) / 4, 1.02 * peak_gbytes());
  EXPECT_GT(at("stores.partial", 4, {"l2.partial_writes=1"}), 1.3 * with_read);
  EXPECT_NEAR(at("stores.partial", 1, {"l2.partial_writes=0"}) * 4 / with_read, 1, 0.02);
  EXPECT_GT(at("stores.partial", 32), 8 * with_read) << "a sector that is filled";
  EXPECT_GT(at("stores.own_lines", kGiB), with_read);
  EXPECT_LT(at("stores.scattered", kGiB), with_read);
}

TEST(GpuCurves, LoadsInFlightFollowLittlesLaw) {
  const double one = at("in_flight.loads_1", 1);
  EXPECT_NEAR(at("in_flight.loads_1", 2) / one, 2, 0.1);
  EXPECT_GT(at("in_flight.loads_2", 2), one);
  EXPECT_LT(at("in_flight.loads_8", 8), 8 * one) << "a warp waits for all of its loads";
  EXPECT_GT(at("in_flight.loads_4", 4), at("in_flight.loads_1", 2));
}

TEST(GpuCurves, RowsPerThreadReadEverySectorOnce) {
  EXPECT_EQ(at("pitch.fetch_32", 256), at("pitch.power_of_two", 256));
  EXPECT_GT(at("pitch.power_of_two", 128), at("pitch.power_of_two", 1024));
  EXPECT_GT(at("pitch.plus_128", 1152), 0);
  EXPECT_THROW(at("pitch.power_of_two", 65536), ConfigError);
  EXPECT_LT(at("bandwidth.random_sectors", kGiB), at("bandwidth.read", kGiB));
}

TEST(GpuCurves, AtomicsToOneWordAreCountedOnceForTheMachine) {
  const double mhz = memsys::load_profile("plain").dram.core_mhz;
  for (const int cycles : {1, 2})
    EXPECT_NEAR(at("atomics.red_packed", 1, {"l2.atomic_same_address=" + std::to_string(cycles)}),
                mhz * 1e-3 / cycles, 0.05 * mhz * 1e-3);
  const std::vector<std::string> unit = {"l2.atomic_ops=4", "l2.atomic_same_address=1"};
  // 8 slices of 4 lanes per cycle; a line per lane is one lane for each.
  EXPECT_LT(at("atomics.red_packed", 1 << 18, unit), 8 * 4 * mhz * 1e-3 * 1.01);
  EXPECT_LT(at("atomics.red_lines", 4096, unit), at("atomics.red_packed", 1 << 18, unit));
  EXPECT_GT(at("atomics.red_one_per_warp", 1024, unit), at("atomics.red_packed", 1, unit));
}

TEST(GpuCurves, SharedMemoryTakesItsLatencyAndACyclePerConflict) {
  const std::vector<std::string> set = {"sm.shared_interval=1", "sm.shared_latency=24"};
  EXPECT_NEAR(at("shared.dependent", 1, set), 24, 1);
  EXPECT_NEAR(at("shared.dependent", 32, set) - at("shared.dependent", 1, set), 31, 1);
  for (const double ways : {1.0, 2.0, 32.0}) {
    EXPECT_NEAR(at("shared.independent", ways, set), ways, 0.1);
    EXPECT_NEAR(at("shared.all_warps", ways, set), ways, 0.1);
  }
}

TEST(GpuCurves, AnUnknownCurveIsRefused) {
  EXPECT_THROW(at("latency.l4", 1), ConfigError);
  EXPECT_EQ(gpu_curve_names().front(), "latency.l1_cached");
}

}  // namespace
}  // namespace warpsieve::tb
