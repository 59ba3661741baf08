// dedup_unit: the wired RTL and the C++ composition agree on every external port in every cycle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "cosim/verilated.h"
#include "rtl_points/dedup/dedup_unit.h"
#include "support/wrong_bits.h"
#include "world.h"

namespace warpsieve::dedup {
namespace {

using metadata_cache::MetaMemReq;
using metadata_cache::MetaMemRsp;

constexpr siphash::Key kKey{0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe, 1, 2, 3, 4, 5, 6, 7, 8};

/// What a run offers: chances in percent per cycle, how many lines and how far apart, and the configuration.
struct Traffic {
  unsigned read = 25, write = 12, accept = 70;
  std::uint32_t lines = 16, stride = 63;
  bool car = true, hash = true;
  unsigned bypass_level = 0;
  unsigned stall = 0;   // cycles in which L2 and DRAM take and answer nothing, and as many in which they do; 0: none
  unsigned copy = 0;    // cycles that the L2 takes for a copy, whose line is then written more often; 0: the usual
  bool stream = false;  // writes of whole lines, one line after the other
  bool flat_lines = false;             // of a stream: intra-duplicates; else each write has content of its own
  std::uint32_t total = 0, spare = 0;  // lines of the controller; 0: those of the point
  bool wrong_bits = false;             // one per write of a table of the RTL, which is corrected
};

/// Point `full`: the paper's sizes and the options of scheme sieve, with comparison and domains.
DedupUnitParams full_unit() {
  DedupUnitParams p;
  p.dedup = sieve_dedup;
  p.dedup.buffer_entries = 32;
  p.dedup.hash_units = 6;
  p.config.verify = p.config.region = p.config.pass = true;
  p.config.spare_lines = 64;
  p.fingerprint = Fingerprint::siphash;
  p.store.domain_bits = sieve_dedup.domain_bits;
  return p;
}
/// Points `odd` and `secure`; `guarded`, in which wrong bits are corrected, behaves as `secure`.
DedupUnitParams small_unit(bool secure) {
  DedupUnitParams p;
  p.dedup = odd_dedup;
  p.dedup.verify = secure;
  p.dedup.domain_bits = secure;
  p.dedup.byte_masks = p.config.pass = secure;
  p.config.verify = p.config.region = secure;
  p.fingerprint = secure ? Fingerprint::siphash : Fingerprint::md5;
  p.config.total_lines = 1024;
  p.config.spare_lines = 2;
  p.store = {.sets = 2,
             .ways = 3,
             .hash_bits = 128,
             .ref_bits = 10,
             .count_bits = 4,
             .domain_bits = secure,
             .ref_sets = 4,
             .ref_ways = 3};
  p.hasher.steps_per_cycle = 4;
  static constexpr unsigned bits[kMetas] = {2, 4, 32, 1};
  for (unsigned k = 0; k < kMetas; ++k) {
    p.caches[k] = metadata_cache::tiny_cache(bits[k]);
    p.caches[k].index_bits = 10;
    p.caches[k].id_bits = 3;
  }
  return p;
}
/// No latency beyond the blocks' own.
DedupUnitParams unit_at(const char* point, const Traffic& traffic) {
  const std::string_view name = point;
  DedupUnitParams p = name == "full" ? full_unit() : small_unit(name != "odd");
  p.config.car = traffic.car;
  p.config.hash = traffic.hash;
  p.config.bypass_level = traffic.bypass_level;
  if (traffic.total) p.config.total_lines = traffic.total;
  if (traffic.spare) p.config.spare_lines = traffic.spare;
  p.siphash = {.half_rounds_per_cycle = 2, .key = kKey};
  p.hash_cycles_per_chunk = 0;
  p.metadata_cycles = 0;
  return p;
}

/// Nothing is offered, nothing is taken.
template <class V>
void lower(V& t) {
  t.rd_valid_i = t.wr_valid_i = t.dram_rsp_valid_i = t.probe_rsp_valid_i = 0;
  t.l2_ready_i = t.dram_ready_i = t.probe_ready_i = 0;
  t.type_mem_req_ready_i = t.mask_mem_req_ready_i = t.addr_mem_req_ready_i = t.lent_mem_req_ready_i = 0;
  t.type_mem_rsp_valid_i = t.mask_mem_rsp_valid_i = t.addr_mem_rsp_valid_i = t.lent_mem_rsp_valid_i = 0;
}

/// Both sides get the same random requests, answers and back-pressure.
template <class V>
class Pair {
 public:
  Pair(std::uint32_t seed, const char* point, const Traffic& traffic)
      : traffic_(traffic), unit_(unit_at(point, traffic), {}), rtl_("dedup_unit"), random_(seed) {
    auto& t = rtl_.top();
    const DedupConfig& config = unit_.params().config;
    t.cfg_car_i = traffic.car;
    t.cfg_hash_i = traffic.hash;
    t.cfg_bypass_level_i = traffic.bypass_level;
    t.cfg_total_lines_i = config.total_lines;
    t.cfg_spare_lines_i = config.spare_lines;
    t.cfg_verify_i = config.verify;
    t.cfg_region_i = config.region;
    t.cfg_pass_i = config.pass;
    t.cfg_fresh_i = 1;
    port_from_bytes(t.cfg_hash_key_i, kKey);
    t.flip_table_i = 0;
    t.flip_i = 0;
    lower(t);
    rtl_.reset();
    for (unsigned k = 0; k < 5000 && t.busy_o; ++k) rtl_.tick();  // the tables are cleared
  }
  /// Without requests and with everything taken and answered, the unit is not busy any more.
  bool comes_to_rest() {
    traffic_.read = traffic_.write = traffic_.stall = 0;
    traffic_.accept = 100;
    for (unsigned k = 0; k < 3000; ++k) step();
    for (unsigned k = 0; k < 50; ++k) {
      step();
      if (rtl_.top().busy_o || rtl_.top().level_o) return false;  // the write buffer is empty
    }
    return true;
  }
  /// One write, until it is committed.
  void write(const WriteReq& write) {
    scripted_ = write;
    const std::size_t before = commits.size();
    for (unsigned k = 0; k < 20000 && error.empty() && commits.size() == before; ++k) step();
    if (error.empty() && commits.size() == before) error = fmt::format("cycle {}: no commit", cycle_);
  }
  void step() {
    auto& t = rtl_.top();
    same("level", true, t.level_o <= unit_.params().dedup.buffer_entries);
    highest_level = std::max<unsigned>(highest_level, t.level_o);
    // Requests.
    if (chance(traffic_.read)) {
      const ReadReq read{any_line(), static_cast<std::uint8_t>(1 + random_() % 15),
                         static_cast<std::uint32_t>(random_() % 1024)};
      same("rd ready", unit_.rd().push(read), t.rd_ready_o);
      t.rd_valid_i = 1;
      t.rd_line_i = read.line;
      t.rd_mask_i = read.mask;
      t.rd_tag_i = read.tag;
    }
    if (scripted_ || chance(traffic_.write)) {
      const unsigned what = random_() % 8;
      WriteReq write{traffic_.copy && !probes_.empty() && chance(50) ? probes_.back().line : any_line(),
                     static_cast<std::uint8_t>(random_() % 2 ? 15 : 1 + random_() % 15),
                     what == 0   ? flat(random_() % 2 ? 7 : static_cast<std::uint32_t>(random_()))
                     : what == 1 ? pattern(static_cast<unsigned>(random_() % 200))
                                 : pattern(what % 3),
                     static_cast<std::uint8_t>(secure() && random_() % 8 == 0)};
      if (secure() && random_() % 4 == 0) write.bytes = {~0u, 0xf0f0u, static_cast<std::uint32_t>(random_()), 1};
      if (traffic_.stream) write = streamed_;
      if (scripted_) write = *scripted_;
      for (unsigned s = 0; s < 4; ++s) t.wr_bytes_i[s] = write.bytes[s];
      const bool taken = unit_.wr().push(write);
      same("wr ready", taken, t.wr_ready_o);
      if (taken) unfinished_.try_emplace(write.line, cycle_);
      if (taken && traffic_.stream) next_of_stream();
      if (taken) scripted_.reset();
      t.wr_valid_i = 1;
      t.wr_line_i = write.line;
      t.wr_mask_i = write.mask;
      port_from_bytes(t.wr_data_i, write.data);
      t.wr_domain_i = write.domain;
    }
    // Outputs.
    const L2Rsp* l2 = unit_.l2().front();
    if (same("l2 valid", l2 != nullptr, t.l2_valid_o) && l2) {
      ++replies;
      same("l2 fields", std::tuple(l2->tag, unsigned{l2->mask}, static_cast<unsigned>(l2->source)),
           std::tuple(std::uint32_t{t.l2_tag_o}, unsigned{t.l2_mask_o}, unsigned{t.l2_source_o}));
      same("l2 data", l2->data == data(t.l2_data_o, l2->mask), true);
      if (flows()) unit_.l2().pop(), t.l2_ready_i = 1;
    }
    const DramReq* dram = unit_.dram().front();
    if (same("dram valid", dram != nullptr, t.dram_valid_o) && dram) {
      ++requests;
      const bool write = dram->kind == DramKind::write;
      same("dram fields", std::tuple(static_cast<unsigned>(dram->kind), dram->line, unsigned{dram->mask}, dram->tag),
           std::tuple(unsigned{t.dram_kind_o}, std::uint32_t{t.dram_line_o}, unsigned{t.dram_mask_o},
                      std::uint32_t{t.dram_tag_o}));
      ByteMask bytes = kAllBytes;
      for (unsigned s = 0; s < 4; ++s)
        if (write && (dram->mask >> s & 1)) bytes[s] = t.dram_bytes_o[s];
      same("dram bytes", dram->bytes == bytes, true);
      same("dram data", !write || dram->data == masked(data(t.dram_data_o, dram->mask), dram->mask, bytes), true);
      if (flows()) {
        if (write) {
          for (unsigned b = 0; b < 128; ++b) {
            if ((dram->mask >> (b / 32) & 1) && (bytes[b / 32] >> b % 32 & 1)) dram_[dram->line][b] = dram->data[b];
          }
        } else if (dram->kind == DramKind::dedup_read || dram->kind == DramKind::verify_read) {
          read_answers_.push_back({dram_[dram->line], dram->tag});
        }
        unit_.dram().pop();
        t.dram_ready_i = 1;
      }
    }
    if (!read_answers_.empty() && accept()) {
      const bool taken = unit_.dram_rsp().push(read_answers_.front());
      same("dram_rsp ready", taken, t.dram_rsp_ready_o);
      t.dram_rsp_valid_i = 1;
      t.dram_rsp_tag_i = read_answers_.front().tag;
      port_from_bytes(t.dram_rsp_data_i, read_answers_.front().data);
      if (taken) read_answers_.pop_front();
    }
    const ProbeReq* probe = unit_.probe().front();
    if (same("probe valid", probe != nullptr, t.probe_valid_o) && probe) {
      same("probe fields", std::tuple(probe->line, unsigned{probe->mask}, probe->id),
           std::tuple(std::uint32_t{t.probe_line_o}, unsigned{t.probe_mask_o}, std::uint32_t{t.probe_id_o}));
      if (accept()) {
        // Copies are what DRAM holds, now and then not: a collision.
        const auto mask = static_cast<std::uint8_t>(random_() % 16);
        probes_.push_back({probe->line,
                           cycle_ + traffic_.copy,
                           {probe->id, mask, random_() % 16 ? dram_[probe->line] : pattern(3)}});
        unit_.probe().pop();
        t.probe_ready_i = 1;
      }
    }
    if (!probes_.empty() && cycle_ >= probes_.front().due && flows()) {
      const ProbeRsp& rsp = probes_.front().rsp;
      const bool taken = unit_.probe_rsp().push(rsp);
      same("probe_rsp ready", taken, t.probe_rsp_ready_o);
      t.probe_rsp_valid_i = 1;
      t.probe_rsp_id_i = rsp.id;
      t.probe_rsp_mask_i = rsp.mask;
      port_from_bytes(t.probe_rsp_data_i, rsp.data);
      if (taken) {
        const auto first = unfinished_.find(probes_.front().line);
        locked += first != unfinished_.end() && cycle_ >= first->second + kLong;
        probes_.pop_front();
      }
    }
    const DoneEvent* done = unit_.done().front();
    if (same("done valid", done != nullptr, t.done_valid_o) && done) {
      commits.push_back(cycle_);
      unfinished_.erase(done->line);
      ++outcomes[static_cast<unsigned>(done->outcome)];
      verified += done->verified;
      collisions += done->collision;
      passed += done->passed;
      scanned += done->scanned;
      const unsigned flags = done->no_entry | done->saturated << 1 | done->partial_limit << 2 | done->evicted << 3 |
                             done->scanned << 4 | done->verified << 5 | done->collision << 6 | done->passed << 7;
      same("done fields",
           std::tuple(done->line, static_cast<unsigned>(done->outcome), unsigned{done->read},
                      unsigned{done->verify_read}, unsigned{done->written}, flags),
           std::tuple(std::uint32_t{t.done_line_o}, unsigned{t.done_outcome_o}, unsigned{t.done_read_o},
                      unsigned{t.done_verify_o}, unsigned{t.done_written_o}, unsigned{t.done_flags_o}));
    }
    memory(meta_type, t.type_mem_req_valid_o, t.type_mem_req_ready_i, t.type_mem_req_write_o, t.type_mem_req_sector_o,
           t.type_mem_req_data_o, t.type_mem_rsp_valid_i, t.type_mem_rsp_ready_o, t.type_mem_rsp_sector_i,
           t.type_mem_rsp_data_i);
    memory(meta_mask, t.mask_mem_req_valid_o, t.mask_mem_req_ready_i, t.mask_mem_req_write_o, t.mask_mem_req_sector_o,
           t.mask_mem_req_data_o, t.mask_mem_rsp_valid_i, t.mask_mem_rsp_ready_o, t.mask_mem_rsp_sector_i,
           t.mask_mem_rsp_data_i);
    memory(meta_map, t.addr_mem_req_valid_o, t.addr_mem_req_ready_i, t.addr_mem_req_write_o, t.addr_mem_req_sector_o,
           t.addr_mem_req_data_o, t.addr_mem_rsp_valid_i, t.addr_mem_rsp_ready_o, t.addr_mem_rsp_sector_i,
           t.addr_mem_rsp_data_i);
    memory(meta_lent, t.lent_mem_req_valid_o, t.lent_mem_req_ready_i, t.lent_mem_req_write_o, t.lent_mem_req_sector_o,
           t.lent_mem_req_data_o, t.lent_mem_rsp_valid_i, t.lent_mem_rsp_ready_o, t.lent_mem_rsp_sector_i,
           t.lent_mem_rsp_data_i);
    for (unsigned table = 0; table < 5; ++table) corrected[table] += t.corrected_o >> table & 1;
    same("fatal", 0, t.fatal_o);
    if (traffic_.wrong_bits) wrong_bits_.next(t, false);
    unit_.tick();
    rtl_.tick();
    lower(t);
    ++cycle_;
  }
  std::string error;
  std::uint64_t replies = 0, requests = 0, memory_requests = 0, verified = 0, collisions = 0, passed = 0;
  std::uint64_t scanned = 0;           ///< borrowed places that were searched for
  std::uint64_t locked = 0;            ///< writes that wait for a copy of their line
  std::vector<std::uint64_t> commits;  ///< cycles of them
  std::array<std::uint64_t, kOutcomes> outcomes{};
  std::array<std::uint64_t, 5> corrected{};  ///< cycles, by table
  unsigned highest_level = 0;

 private:
  bool secure() const { return unit_.params().dedup.verify; }
  void next_of_stream() {
    streamed_ = {.line = (streamed_.line + 1) % traffic_.lines, .mask = 0xf, .data = flat(streamed_.line)};
    if (traffic_.flat_lines) return;
    for (std::uint8_t& byte : streamed_.data) byte = static_cast<std::uint8_t>(random_());
  }
  bool chance(unsigned percent) { return random_() % 100 < percent; }
  bool accept() { return chance(traffic_.accept); }
  bool flows() { return (traffic_.stall == 0 || cycle_ / traffic_.stall % 2 == 0) && accept(); }
  std::uint32_t any_line() { return static_cast<std::uint32_t>(random_() % traffic_.lines * traffic_.stride); }
  template <class T, class U>
  bool same(const char* what, const T& model, const U& rtl) {
    if (error.empty() && !(model == static_cast<T>(rtl))) error = fmt::format("cycle {}: {}", cycle_, what);
    return error.empty();
  }
  template <class Port>
  static LineData data(const Port& port, unsigned mask) {
    LineData out;
    port_to_bytes(port, out);
    return masked(out, mask);
  }
  template <class V1, class R, class W, class S, class D, class V2, class R2, class S2, class D2>
  void memory(unsigned k, V1& valid, R& ready, W& write, S& sector, D& bits, V2& rsp_valid, R2& rsp_ready,
              S2& rsp_sector, D2& rsp_bits) {
    const MetaMemReq* req = unit_.meta_mem_req(k).front();
    if (same("memory request valid", req != nullptr, valid) && req) {
      metadata_cache::SectorData got{};
      port_to_bytes(bits, got);
      same(fmt::format("memory request {} ({} {}) model ({} {})", k, write, sector, req->write, req->sector).c_str(),
           std::tuple(req->write, req->sector), std::tuple(write != 0, std::uint32_t{sector}));
      same("memory data", !req->write || req->data == got, true);
      if (accept()) {
        ++memory_requests;
        auto [it, fresh] = meta_[k].try_emplace(req->sector);
        if (fresh) it->second = unit_.initial_metadata(k, req->sector);
        if (req->write)
          it->second = req->data;
        else
          answers_[k].push_back({req->sector, it->second});
        unit_.meta_mem_req(k).pop();
        ready = 1;
      }
    }
    if (answers_[k].empty() || !accept()) return;
    const MetaMemRsp rsp = answers_[k].front();
    const bool taken = unit_.meta_mem_rsp(k).push(rsp);
    same("memory answer ready", taken, rsp_ready);
    rsp_valid = 1;
    rsp_sector = rsp.sector;
    port_from_bytes(rsp_bits, rsp.data);
    if (taken) answers_[k].pop_front();
  }
  Traffic traffic_;
  DedupUnit unit_;
  RtlClock<V> rtl_;
  std::mt19937 random_;
  tb::WrongBits wrong_bits_{1};
  std::optional<WriteReq> scripted_;
  WriteReq streamed_{.line = 0, .mask = 0xf, .data = flat(0)};
  std::map<std::uint32_t, LineData> dram_;  ///< lines that are not there are 0
  std::deque<DramRsp> read_answers_;
  struct Probe {
    std::uint32_t line;
    std::uint64_t due;
    ProbeRsp rsp;
  };
  static constexpr std::uint64_t kLong = 150;  ///< no write takes so long by itself
  std::deque<Probe> probes_;
  std::map<std::uint32_t, std::uint64_t> unfinished_;  ///< writes: line, cycle accepted
  std::array<std::map<std::uint32_t, metadata_cache::SectorData>, kMetas> meta_;
  std::array<std::deque<MetaMemRsp>, kMetas> answers_;
  std::uint64_t cycle_ = 0;
};

template <class V>
void agrees_in_every_cycle(const char* point, unsigned cycles = 60000, const Traffic& traffic = {}) {
  const bool secure = std::string_view(point) != "odd";
  Pair<V> pair(20240611, point, traffic);
  for (unsigned k = 0; k < cycles && pair.error.empty(); ++k) pair.step();
  EXPECT_EQ(pair.error, "");
  EXPECT_GT(pair.replies, 1000u);
  EXPECT_GT(pair.requests, 1000u);
  EXPECT_GT(pair.memory_requests, 1000u);
  for (unsigned k = 0; k < kOutcomes; ++k) EXPECT_GT(pair.outcomes[k], 0u) << to_string(static_cast<Outcome>(k));
  EXPECT_EQ(pair.verified > 0, secure);
  EXPECT_EQ(pair.collisions > 0, secure);
  EXPECT_EQ(pair.passed > 0, secure);
  for (const std::uint64_t count : pair.corrected) EXPECT_EQ(count > 50, traffic.wrong_bits) << count;
}
/// Full queues everywhere, long waits at every port, L2 and DRAM that stand still for long, few lines (requests
/// meet), many lines (caches miss), and every switch of the configuration.
constexpr Traffic kTraffics[] = {
    {.read = 90, .write = 60, .accept = 100},
    {.read = 50, .write = 50, .accept = 20},
    {.read = 30, .write = 30, .accept = 95, .lines = 3, .stride = 341},
    {.read = 4, .write = 60, .accept = 60, .lines = 5, .stride = 2},
    {.read = 60, .write = 4, .accept = 60, .lines = 5, .stride = 2},
    {.read = 30, .write = 15, .accept = 80, .lines = 1000, .stride = 1},
    {.read = 30, .write = 50, .accept = 70, .car = false, .bypass_level = 2},
    {.read = 30, .write = 20, .accept = 70, .hash = false},
    {.read = 100, .write = 100, .accept = 15, .lines = 2, .stride = 3},
    {.read = 15, .write = 25, .accept = 90, .lines = 6, .stride = 131, .stall = 400},
    {.read = 30, .write = 30, .accept = 90, .lines = 4, .stride = 259, .stall = 300},
    {.read = 5, .write = 40, .accept = 90, .lines = 40, .stride = 25, .stall = 150},
    // Writes of the lines that copies are taken from come and wait for the copies.
    {.read = 20, .write = 2, .accept = 98, .lines = 6, .stride = 131, .copy = 300},
    {.read = 60, .write = 3, .accept = 98, .lines = 8, .stride = 129, .copy = 300},
};
template <class V>
void agrees_under_every_traffic(const char* point, unsigned cycles = 15000) {
  for (std::uint32_t k = 0; k < std::size(kTraffics); ++k) {
    Pair<V> pair(k + 1, point, kTraffics[k]);
    for (unsigned cycle = 0; cycle < cycles && pair.error.empty(); ++cycle) pair.step();
    ASSERT_EQ(pair.error, "") << "traffic " << k;
    EXPECT_TRUE(pair.comes_to_rest()) << "traffic " << k;
    EXPECT_EQ(pair.error, "") << "traffic " << k;
    EXPECT_GT(pair.replies, 30u) << "traffic " << k;
    EXPECT_GT(pair.highest_level, 1u) << "traffic " << k;
    if (kTraffics[k].copy && std::string_view(point) == "odd") {
      EXPECT_GT(pair.locked, 3u) << "traffic " << k;
    }
  }
}

TEST(DedupUnitRtl, LinesOutOfRangeFailAnAssertion) {
  if (std::getenv("WARPSIEVE_MUTANT")) GTEST_SKIP() << "skipped: a netlist with mutants has no assertions";
  const auto refused = [](std::uint32_t total, std::uint32_t spare) {
    RtlClock<Vdedup_unit_odd> rtl("dedup_unit");
    rtl.top().cfg_total_lines_i = total;
    rtl.top().cfg_spare_lines_i = spare;
    lower(rtl.top());
    rtl.reset();
    try {
      rtl.tick();
    } catch (const RtlAssertion& error) {
      EXPECT_NE(std::string(error.what()).find("dedup.sv"), std::string::npos) << error.what();
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused(1024, 1));
  EXPECT_FALSE(refused(1024, 1023));
  EXPECT_TRUE(refused(1024, 0));
  EXPECT_TRUE(refused(1024, 1024));
  EXPECT_TRUE(refused(20, 21));
  EXPECT_TRUE(refused(1025, 2));
}

TEST(DedupUnitRtl, PaperModeAgreesUnderEveryTraffic) { agrees_under_every_traffic<Vdedup_unit_odd>("odd"); }
TEST(DedupUnitRtl, SecureModeAgreesUnderEveryTraffic) { agrees_under_every_traffic<Vdedup_unit_secure>("secure"); }
TEST(DedupUnitRtl, FullSizeAgreesUnderEveryTraffic) { agrees_under_every_traffic<Vdedup_unit_full>("full", 4000); }
TEST(DedupUnitRtl, PaperModeAgreesWithTheCompositionInEveryCycle) { agrees_in_every_cycle<Vdedup_unit_odd>("odd"); }
TEST(DedupUnitRtl, SecureModeAgreesWithTheCompositionInEveryCycle) {
  agrees_in_every_cycle<Vdedup_unit_secure>("secure");
}
TEST(DedupUnitRtl, GuardedAgreesWithTheCompositionInEveryCycle) {
  agrees_in_every_cycle<Vdedup_unit_guarded>("guarded");
}
TEST(DedupUnitRtl, GuardedAgreesWithAnUnguardedCompositionWhileSingleBitsGoWrong) {
  agrees_in_every_cycle<Vdedup_unit_guarded>("guarded", 60000, {.wrong_bits = true});
}
TEST(DedupUnitRtl, FullSizeAgreesWithTheCompositionInEveryCycle) {  // over more lines than the caches hold
  agrees_in_every_cycle<Vdedup_unit_full>("full", 40000, {.lines = 120, .stride = 16411});
}

/// Every second spare line is written at first, and the scan is always at such a line. So each borrow of the others
/// searches for its group. One line of group 0 can lend, too, and is taken last.
template <class V>
void searches_in_every_group(const char* point) {
  for (std::uint32_t group = 1; group < 8; ++group) {
    for (const std::uint32_t spare : {4u, 10u}) {
      const std::uint32_t total = 32 * group + spare, owner = 0, user = 1;
      Pair<V> pair(group, point, {.read = 0, .write = 0, .accept = 100, .total = total, .spare = spare});
      unsigned content = 0;
      const auto write = [&](std::uint32_t line, std::uint8_t mask, unsigned what) {
        pair.write({.line = line, .mask = mask, .data = pattern(what)});
      };
      const std::uint32_t on_record = 8, lends = 20;  // as many as the record of free places takes, and one more
      for (unsigned k = 0; k <= 5; ++k)
        pair.write({.line = k < 5 ? on_record + k : lends, .mask = 0xf, .data = flat(100 + k)});
      for (unsigned k = 0; k < 5; ++k) write(on_record + k, 0xf, ++content);
      for (std::uint32_t line = total - spare; line < total; line += 2) write(line, 0xf, ++content);
      for (std::uint32_t line = total - spare + 1; line <= total + 1; line += 2) {
        write(owner, 0x3, ++content);
        write(user, 0x3, content);
        write(owner, 0x3, ++content);  // borrows `line`, at last the line of group 0
        write(user, 0x3, ++content);
        write(owner, 0x3, ++content);
        if (line < total) write(line, 0xf, ++content);
      }
      ASSERT_EQ(pair.error, "") << "group " << group << " spare " << spare;
      EXPECT_EQ(pair.scanned, spare / 2 + 1) << "group " << group;
    }
  }
}
TEST(DedupUnitRtl, PaperModeSearchesInEveryGroup) { searches_in_every_group<Vdedup_unit_odd>("odd"); }

/// Cycles per line at the ports of point `full`, which are always taken, late in a pass over 64 lines whose metadata
/// are cached: of the first pass, in which no line was written before, or of the second.
double cycles_per_line(unsigned pass, Traffic traffic) {
  traffic.read = 0;
  traffic.write = traffic.accept = 100;
  traffic.lines = 64;
  traffic.stream = true;
  Pair<Vdedup_unit_full> pair(1, "full", traffic);
  const std::size_t last = pass * traffic.lines - 1, first = last - 24;
  for (unsigned k = 0; k < 20000 && pair.error.empty() && pair.commits.size() <= last; ++k) pair.step();
  EXPECT_EQ(pair.error, "");
  if (pair.commits.size() <= last) {
    ADD_FAILURE() << pair.commits.size() << " commits";
    return 0;
  }
  return static_cast<double>(pair.commits[last] - pair.commits[first]) / static_cast<double>(last - first);
}
TEST(DedupUnitRtl, FullSizeWritesLinesAtTheRateOfItsCommits) {
  EXPECT_NEAR(cycles_per_line(1, {}), 8, 0.3);
  EXPECT_NEAR(cycles_per_line(1, {.bypass_level = 16}), 5, 0.3);
  EXPECT_NEAR(cycles_per_line(1, {.flat_lines = true}), 6.1, 0.3);
  // Written again: the entry of the old content leaves the hash store first. Without a fingerprint there was none.
  EXPECT_NEAR(cycles_per_line(2, {}), 14, 0.3);
  EXPECT_NEAR(cycles_per_line(2, {.bypass_level = 16}), 5, 0.3);
  EXPECT_NEAR(cycles_per_line(2, {.flat_lines = true}), 4, 0.3);
}

}  // namespace
}  // namespace warpsieve::dedup
