// Profile: every parameter of the simulated machine, declared in profile.cpp with its default (the machine of
// configs/plain.toml), unit, range and source. sim_cpp/configs/*.toml are built in by name, and may name a base.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/params.h"
#include "simt/spill.h"

namespace warpsieve::memsys {

struct SmParams {
  std::uint32_t schedulers, threads, registers, shared_bytes, blocks, alu_latency, sfu_latency, shared_latency,
      constant_latency;
  std::uint32_t scheduler, lsu_fair, alu_chain;
  // Classes of instructions; a latency of 0 is that of the wider class (sm/units.h).
  std::uint32_t int_latency, fp_latency, dp_latency, tensor_latency;
  std::uint32_t int_interval, fp_interval, dp_interval, sfu_interval, tensor_interval, constant_interval,
      shared_interval;
};
/// sm.scheduler
inline constexpr std::uint32_t kGreedyThenOldest = 0, kLooseRoundRobin = 1;
struct L1Params {
  std::uint32_t sets, ways, mshrs, merges, latency, line_fill, store_evicts, replacement, set_hash;
};
/// Private (local) memory, memsys/local.
struct LocalParams {
  std::uint32_t slots, layout, flush;
};
/// l1.replacement
inline constexpr std::uint32_t kLruReplacement = 0, kPlruReplacement = 1;
/// noc.topology
inline constexpr std::uint32_t kCrossbarTopology = 0, kMeshTopology = 1;
/// noc.header
inline constexpr std::uint32_t kHeaderInFlit = 0, kHeaderBeside = 1;
struct NocParams {
  std::uint32_t topology, latency, input_queue, output_queue, mesh_width, mesh_height, router_cycles, link_cycles,
      vc_flits, cluster, response_buffer, response_flits;
  std::uint32_t flit_bytes, header, packet_per_cycle, virtual_queues;
};
struct L2Params {
  std::uint32_t sets, set_hash, ways, mshrs, merges, latency, miss_latency, fill_latency, miss_queue, eviction_queue,
      reply_queue, partial_writes, atomic_ops, atomic_same_address, port_sectors, fetch_sectors;
};
struct DramParams {
  std::uint32_t command_mhz, core_mhz, latency, read_queue, write_queue, write_high, write_low, starvation,
      starved_hits;
  std::uint32_t groups, banks_per_group, column_bits, group_bit, low_group_bits;
  std::uint32_t tCL, tRP, tRC, tRAS, tRCD, tRRD, tCCD, tCCD_S, tWR, tWL, tWTR, tRTW, tRTP, tFAW, tREFI, tRFC, burst;
  unsigned banks() const { return groups * banks_per_group; }
  /// 10^9 bytes per second of one channel at full data bus.
  double peak_gbytes() const { return 32.0 * command_mhz / (burst * 1000.0); }
};

struct Profile {
  std::string name = "plain";
  std::uint32_t sms, controllers, chunk_shift, hash, patience, launch_latency, launch_sample, host_copies,
      image_in_l2;
  SmParams sm;
  L1Params l1;
  LocalParams local;
  simt::SpillParams spill;
  NocParams noc;
  L2Params l2;
  DramParams dram;

  Profile();
  /// Links of SMs into the network: one per cluster (one per SM without clusters).
  std::uint32_t sm_links() const { return (sms + noc.cluster - 1) / noc.cluster; }
  /// Declares every field; `set` keeps addresses into this object.
  void declare(ParamSet& set);
  /// Relations between parameters; throws ConfigError.
  void check() const;
  /// Every parameter by name.
  nlohmann::ordered_json parameters() const;
};

std::vector<std::string> profile_names();
/// A built-in name or the path of a TOML file (anything with a '/' or ending in .toml); then the
/// key=value overrides; then check(). Throws ConfigError, inputs::InputError.
Profile load_profile(const std::string& name_or_path, const std::vector<std::string>& overrides = {});

}  // namespace warpsieve::memsys
