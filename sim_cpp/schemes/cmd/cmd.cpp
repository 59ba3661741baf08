#include "schemes/cmd/cmd.h"

#include <fmt/format.h>

#include <algorithm>

#include "blocks/victim_fifo/victim_fifo.h"
#include "cosim/ask.h"
#include "schemes/cmd/cmd_hardware.h"
#include "schemes/cmd/cmd_path.h"
#include "schemes/power_of_two.h"

namespace warpsieve::schemes {

using namespace memsys;

CmdParams::CmdParams() {
  ParamSet set;
  declare(set);
}

void CmdParams::declare(ParamSet& set) {
  set.declare(hash_sets, "cmd.hash_sets", "sets", 128, 1, 4096, "sets of the hash store", "decision C9 (48 KB)");
  set.declare(hash_ways, "cmd.hash_ways", "ways", 16, 1, 64, "ways of the hash store", "decision C9");
  set.declare(type_sets, "cmd.type_sets", "sets", 8, 1, 4096, "sets of the type cache, 5 ways of 128 B", "C2 (5 KB)");
  set.declare(mask_sets, "cmd.mask_sets", "sets", 16, 1, 4096, "sets of the mask cache, 5 ways of 128 B",
              "C2 (10 KB)");
  set.declare(address_sets, "cmd.address_sets", "sets", 64, 1, 4096, "sets of the address cache, 6 ways of 128 B",
              "C2 (48 KB)");
  set.declare(lent_sets, "cmd.lent_sets", "sets", 4, 1, 4096, "sets of the lent cache, 5 ways of 128 B",
              "C11 addition (2.5 KB)");
  set.declare(buffer_entries, "cmd.buffer_entries", "lines", 32, 1, 256, "write buffer", "C8");
  set.declare(contexts, "cmd.contexts", "reads", 16, 1, 31, "reads in progress", "this project");
  set.declare(hash_units, "cmd.hash_units", "hashers", 32, 1, 64,
              "line hashers per controller; a line takes one for cmd.hash_cycles_per_chunk per chunk",
              "this project: the paper gives a latency and 16,259 GE, no throughput; see rtl/dedup/README.md");
  set.declare(free_entries, "cmd.free_entries", "slots", 256, 1, 4096, "ring of freed slots", "C11");
  set.declare(steps_per_cycle, "cmd.steps_per_cycle", "steps", 1, 1, 4, "MD5 steps per cycle of the RTL",
              "this project");
  set.declare(hash_cycles_per_chunk, "cmd.hash_cycles_per_chunk", "cycles", 76, 0, 10000,
              "hash latency per 64-byte chunk, if the block is not slower", "IV.A: 228 per 128 B; C8");
  set.declare(instant_hash, "cmd.instant_hash", "switch", 0, 0, 1,
              "1: an MD5 digest takes one cycle, without a hasher; keyed and ECC fingerprints stay as they are",
              "figure 6: zero-latency hash");
  set.declare(metadata_cycles, "cmd.metadata_cycles", "cycles", 20, 0, 10000, "metadata cache latency", "Table II");
  set.declare(probe_cycles, "cmd.probe_cycles", "cycles", 20, 0, 10000, "L2 lookup of a reference line", "C15");
  set.declare(bypass_level, "cmd.bypass_level", "lines", 0, 0, 256,
              "write-buffer fill from which writes are not hashed; 0: never", "this project");
  set.declare(spare_shift, "cmd.spare_shift", "log2", 6, 0, 20, "spare lines = data lines >> this, at least 64",
              "C11 addition");
  set.declare(fifo_entries, "cmd.fifo_entries", "sectors", 16, 1, 1024, "read-only FIFO per L2 slice", "IV.D");
  set.declare(fifo_queue, "cmd.fifo_queue", "sectors", 4, 1, 1024,
              "victims that wait for a cycle of the FIFO without look-up; more are let go", "this project: a line");
  set.declare(fifo_read_only, "cmd.fifo_read_only", "switch", 0, 0, 1,
              "1: only sectors never written back enter the FIFO", "IV.D last paragraph; C18");
  set.declare(half_rounds_per_cycle, "cmd.half_rounds_per_cycle", "half rounds", 2, 1, 2,
              "half SipRounds per cycle (cmd+siphash, cmd+secure)", "this project");
  set.declare(hash_key, "cmd.hash_key", "seed", 20241121, 0, 0xffffffffu,
              "seed of the SipHash keys, fixed so that runs repeat; a device draws 128 random bits at each boot",
              "this project");
  set.declare(domain_bits, "cmd.domain_bits", "bits", 1, 1, 8,
              "cmd+domain: the device memory is divided among 2^bits tenants, in equal contiguous ranges",
              "this project");
  set.declare(potential, "cmd.potential", "switch", 0, 0, 1,
              "1: also count the duplicates that a hash store without limits would find; changes nothing else, "
              "costs host time and memory",
              "C3");
  set.declare(sieve_buffer_entries, "sieve.buffer_entries", "lines", 64, 1, 256, "write buffer of sieve", "C31");
  set.declare(sieve_hash_units, "sieve.hash_units", "hashers", 8, 1, 64, "line hashers of sieve per controller",
              "C31: a digest per 6 cycles, the time of a line on the bus");
  set.declare(sieve_region_bits, "sieve.region_bits", "log2", 5, 0, 12,
              "lines of a controller in a region of the filter; 0: no filter", "C24");
  set.declare(sieve_tenant_bits, "sieve.tenant_bits", "bits", 0, 0, 8,
              "the device memory is divided among 2^bits tenants, in equal contiguous ranges", "this project");
  set.declare(sieve_verify, "sieve.verify", "switch", 0, 0, 1, "1: contents are compared before lines share", "C25");
  set.declare(sieve_metadata_cycles, "sieve.metadata_cycles", "cycles", 3, 0, 10000,
              "metadata cache latency of sieve, if the block is not slower", "C26: rtl/metadata_cache, a hit");
  set.declare(sieve_byte_masks, "sieve.byte_masks", "switch", 1, 0, 1,
              "1: partly written sectors go to DRAM with their masks; 0: the L2 completes them first", "C28");
  set.declare(sieve_pass, "sieve.pass", "switch", 1, 0, 1,
              "1: writes of fewer than four sectors are not hashed; needs sieve.byte_masks", "C28");
  set.declare(sieve_bypass_level, "sieve.bypass_level", "lines", 32, 0, 256,
              "write-buffer fill from which sieve does not hash writes; 0: never", "C27");
  set.declare(sieve_sleep, "sieve.sleep", "switch", 1, 0, 1,
              "1: the unit of a controller is off until the first write reaches it", "C30");
  set.declare(sieve_wake_cycles, "sieve.wake_cycles", "cycles", 1130, 0, 100000,
              "from that write until reads and writes are taken again",
              "C30: 6 of rtl/dedup_safe, 1,024 words of the region filter to clear, 100 for the supply (assumed)");
  set.declare(
      sieve_leader_bits, "sieve.leader_bits", "log2", 7, 0, 12,
      "one line of 2^bits is in each group of rtl/merge_duel, which decides whether partly written sectors are "
      "completed; 0: no duel, they never are; needs sieve.byte_masks",
      "C34");
  set.declare(sieve_unit_clock, "sieve.unit_clock", "ticks per cycle", 1, 1, 8,
              "clock of sieve's unit over that of the core; above 1 it bounds what a faster unit would buy, and the "
              "energy of the unit's clock is that of 1",
              "this project");
}

const std::vector<CmdVariant>& cmd_variants() {
  static const std::vector<CmdVariant> list = {
      {.name = "dedup", .doc = "CMD paper: duplicate writes removed"},
      {.name = "dedup+car",
       .doc = "... and reads of duplicates answered by the L2 copy of the reference",
       .car = true},
      {.name = "cmd", .doc = "... and a read-only FIFO of clean victims in each L2 slice", .car = true, .fifo = true},
      {.name = "cmd+siphash",
       .doc = "cmd with keyed SipHash fingerprints",
       .car = true,
       .fifo = true,
       .siphash = true},
      {.name = "cmd+verify",
       .doc = "cmd, contents compared before lines share",
       .car = true,
       .fifo = true,
       .verify = true},
      {.name = "cmd+domain",
       .doc = "cmd, lines of two tenants never share",
       .car = true,
       .fifo = true,
       .domain = true},
      {.name = "cmd+secure",
       .doc = "cmd with keyed fingerprints and comparison",
       .car = true,
       .fifo = true,
       .siphash = true,
       .verify = true},
      {.name = "sieve",
       .doc = "recommended: cmd with keyed fingerprints, tenants apart, a region filter and a deeper buffer",
       .car = true,
       .siphash = true,
       .verify = true,
       .domain = true,
       .sieve = true},
      {.name = "cmd+bpc", .doc = "cmd, unique lines compressed by BPC", .car = true, .fifo = true, .bpc = true},
      {.name = "esd",
       .doc = "ESD (HPCA'23), our adaptation: ECC bits as fingerprint, every match verified by a read",
       .verify = true,
       .esd = true},
  };
  return list;
}

namespace {

/// The read-only FIFO beside one slice. The block does one operation per cycle: the L2 waits for look-ups, a cycle
/// per line or per sector found, and for invalidations, a cycle per line. Victims enter behind them, in free cycles.
/// A victim that waits answers a look-up itself (`waiting_hits`). Victims are clean, so one that finds no place is
/// dropped.
class FifoPort final : public L2VictimPort {
 public:
  FifoPort(const CmdParams& params, Backend backend, const std::string& name, Stats& stats)
      : read_only_(params.fifo_read_only != 0), waiting_(params.fifo_queue),
        fifo_(victim_fifo::make_victim_fifo({.entries = params.fifo_entries}, backend, name)),
        inserted_(stats.add("victim_fifo.inserted", "sectors", "clean victims put into the FIFO")),
        dropped_(stats.add("victim_fifo.dropped", "sectors", "clean victims let go because too many waited")),
        looked_up_(stats.add("victim_fifo.lookups", "sectors", "L2 read misses looked up in the FIFO")),
        hits_(stats.add("victim_fifo.hits", "sectors", "L2 read misses answered by the FIFO")),
        waiting_hits_(stats.add("victim_fifo.waiting_hits", "sectors",
                                "of the hits: answered by a victim that still waits to enter the FIFO")) {
    fifo_->reset();
  }
  void offer(Cycle now, LocalLine line, unsigned sector, const std::uint8_t* data, bool read_only) override {
    if (read_only_ && !read_only) return;
    insert_before(now);
    if (waiting_.full()) {
      ++dropped_;
      return;
    }
    victim_fifo::Request& request = waiting_.next();
    request.op = victim_fifo::Op::insert;
    request.line = line;
    request.sectors = static_cast<std::uint8_t>(1u << sector);
    std::copy_n(data, kSectorBytes, request.data.begin());
  }
  Taken take(Cycle now, LocalLine line, SectorMask wanted, LineData& data) override {
    insert_before(now);
    Taken taken;
    looked_up_ += count_sectors(wanted);
    const SectorMask queued = take_waiting(line, wanted, [&](const victim_fifo::Request& request) {
      std::copy_n(request.data.begin(), kSectorBytes, data.sector(sector_of(request.sectors)));
    });
    waiting_hits_ += count_sectors(queued);
    taken.sectors = queued;
    for (auto left = static_cast<SectorMask>(wanted & ~queued); left;) {
      const victim_fifo::Request lookup{victim_fifo::Op::lookup, line, left, {}};
      const victim_fifo::Response response = ask(*fifo_, lookup, "victim FIFO", 1);
      left = response.sectors;
      if (!left) break;
      std::copy_n(response.data.begin(), kSectorBytes, data.sector(sector_of(left)));
      taken.sectors |= static_cast<SectorMask>(left & -left);
      left &= left - 1;
    }
    hits_ += count_sectors(taken.sectors);
    taken.cycles = std::max(1u, count_sectors(taken.sectors));
    free_ += taken.cycles;
    return taken;
  }
  unsigned invalidate(Cycle now, LocalLine line, SectorMask sectors) override {
    insert_before(now);
    const SectorMask queued = take_waiting(line, sectors, [](const victim_fifo::Request&) {});
    if (sectors != queued) clock({victim_fifo::Op::invalidate, line, static_cast<SectorMask>(sectors & ~queued), {}});
    ++free_;
    return 1;
  }

 private:
  /// The lowest of them.
  static unsigned sector_of(unsigned sectors) { return static_cast<unsigned>(__builtin_ctz(sectors)); }
  void clock(const victim_fifo::Request& request) {
    warpsieve::offer(*fifo_, request, "victim FIFO");
    fifo_->tick();
  }
  /// What went in since the last call.
  void insert_before(Cycle now) {
    for (; !waiting_.empty() && free_ < now; ++free_) {
      clock(waiting_.front());
      inserted_ += waiting_.front().op == victim_fifo::Op::insert;
      waiting_.pop();
    }
    free_ = std::max(free_, now);
  }
  /// Which of the sectors wait to enter; each is used and will not enter. It keeps its place; the block does not hold
  /// it, so that invalidating it there changes nothing.
  SectorMask take_waiting(LocalLine line, SectorMask sectors, auto&& use) {
    SectorMask found = 0;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      victim_fifo::Request& request = waiting_[i];
      if (request.op != victim_fifo::Op::insert || request.line != line || !(request.sectors & sectors & ~found))
        continue;
      use(request);
      found |= request.sectors;
      request.op = victim_fifo::Op::invalidate;
    }
    return found;
  }

  bool read_only_;
  Ring<victim_fifo::Request> waiting_;
  Cycle free_ = 0;  ///< first cycle in which the block has nothing to do
  std::unique_ptr<victim_fifo::VictimFifo> fifo_;
  Counter inserted_, dropped_, looked_up_, hits_, waiting_hits_;
};

class Cmd final : public Scheme {
 public:
  Cmd(const CmdVariant& variant, const CmdParams& params, const BpcParams& compression, const BackendPlan& backends)
      : variant_(variant), params_(params), compression_(compression), backends_(backends) {}
  std::string name() const override { return variant_.name; }
  std::unique_ptr<ControllerPath> make_path(unsigned controller, PathOwner& host, Stats& stats) override {
    return std::make_unique<CmdPath>(params_, variant_, compression_, backends_, controller, host, stats);
  }
  std::unique_ptr<L2VictimPort> make_victim_port(unsigned controller, unsigned slice, Stats& stats) override {
    if (!variant_.fifo) return nullptr;
    const std::string instance = fmt::format("mc{}.slice{}", controller, slice);
    return std::make_unique<FifoPort>(params_, backends_.of("victim_fifo", instance), instance + ".victim_fifo",
                                      stats);
  }
  nlohmann::ordered_json report() const override { return {{"parameters", values_of(params_)}}; }

 private:
  CmdVariant variant_;
  CmdParams params_;
  BpcParams compression_;
  BackendPlan backends_;
};

class CmdFamily final : public SchemeFamily {
 public:
  std::vector<SchemeInfo> schemes() const override {
    std::vector<SchemeInfo> out;
    for (const CmdVariant& variant : cmd_variants()) {
      SchemeInfo info{.name = variant.name,
                      .doc = variant.doc,
                      .paper = "cmd",
                      .profile = "cmd",
                      .ports = {kMemoryPath},
                      .area_note = cmd_area_note(variant),
                      .hardware = cmd_hardware(variant),
                      .dram_bits = cmd_dram_bits(variant)};
      if (!variant.esd) {
        info.blocks.push_back({"dedup", Place::controller});
        info.blocks.push_back({"line_hasher", Place::controller});
      }
      for (const char* block : {"hash_store", "type_cache", "mask_cache", "address_cache", "lent_cache"})
        info.blocks.push_back({block, Place::controller});
      if (variant.bpc)
        for (SchemeBlock& block : bpc_blocks()) info.blocks.push_back(std::move(block));
      if (variant.sieve) info.blocks.push_back({"merge_duel", Place::controller});
      if (variant.fifo) {
        info.blocks.push_back({"victim_fifo", Place::slice});
        info.ports.emplace_back(kL2Victims);
      }
      out.push_back(info);
    }
    out.push_back({.name = "bpc",
                   .doc = "BPC (ISCA'16), our adaptation: lines compressed between L2 and DRAM",
                   .profile = "cmd",
                   .blocks = bpc_blocks(),
                   .ports = {kMemoryPath},
                   .area_note = "bit-plane compression between L2 and DRAM, CMD's comparator (decision C22)",
                   .hardware = bpc_hardware(),
                   .dram_bits = bpc_dram_bits()});
    return out;
  }
  void declare(ParamSet& set) override {
    params_.declare(set);
    compression_.declare(set);
  }
  std::unique_ptr<Scheme> make(std::string_view name, const BackendPlan& backends) const override {
    expect_powers_of_two({{"bpc.size_sets", compression_.size_sets}});
    if (name == "bpc") return make_bpc(compression_, backends);
    expect_powers_of_two({{"cmd.hash_sets", params_.hash_sets},
                          {"cmd.type_sets", params_.type_sets},
                          {"cmd.mask_sets", params_.mask_sets},
                          {"cmd.address_sets", params_.address_sets},
                          {"cmd.lent_sets", params_.lent_sets}});
    const auto& all = cmd_variants();
    const auto variant = std::find_if(all.begin(), all.end(), [&](const CmdVariant& v) { return v.name == name; });
    if (const std::uint32_t level = params_.bypass_level_of(*variant); params_.potential && level)
      throw ConfigError(
          fmt::format("cmd.potential = 1 with {}.bypass_level = {}: expected 0, the content of lines that are not "
                      "hashed is not known",
                      variant->sieve ? "sieve" : "cmd", level));
    if (params_.potential && variant->sieve && params_.sieve_byte_masks)
      throw ConfigError(
          "cmd.potential = 1 with sieve.byte_masks = 1: expected 0, the content of lines that are not hashed is not "
          "known");
    if (variant->sieve && backends.names("merge_duel") && !params_.has_duel())
      throw ConfigError(fmt::format(
          "--block merge_duel with sieve.leader_bits = {} and sieve.byte_masks = {}: expected 1 to 12 and 1, "
          "no controller has the block",
          params_.sieve_leader_bits, params_.sieve_byte_masks));
    return std::make_unique<Cmd>(*variant, params_, compression_, backends);
  }

 private:
  CmdParams params_;
  BpcParams compression_;
};

}  // namespace

std::unique_ptr<SchemeFamily> cmd_family() { return std::make_unique<CmdFamily>(); }

}  // namespace warpsieve::schemes
