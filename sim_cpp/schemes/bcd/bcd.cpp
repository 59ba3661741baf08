// bcd: base and compressed difference with deduplication of both (BCD, ASPLOS'21), our adaptation to CMD's machine
// (decision C22): half lines of 64 bytes, because BCD was built for 64-byte lines.
//
//   bases        the first half of a cluster (schemes/bcd/bcd_code.h) becomes its base. The store of bases is on the
//                chip (cluster and count), their contents in fixed places of 64 bytes in DRAM and, the recently
//                used, in a cache on the chip. Bases with users stay
//   differences  of 0, 16 or 32 bytes: none, one sector at the half's home. Of 48 bytes: not worth it, the half
//                stays raw. A difference seen for the second time gets a shared place in DRAM, and later equal
//                ones only count; matches of more than 16 bytes, which the store knows by a hash, are compared
//                with the shared place first (verify_read)
//   translation  64 bits per half line in a table in DRAM (two 32-bit entries of one table) behind the address
//                cache of CMD
//   partial      a part of a raw half is written as it is; a part of a coded half: read (dedup_read), merged and
//                encoded anew. Every half starts raw
//   size         translation cache 48 KB, bases 20 KB, their contents 24 KB, differences 20 KB: 112 KB, as CMD
//
//   DRAM         data lines | bases | shared differences | translation table
//   order        reads and writes of one line one after the other; places of bases and differences change only
//                while no line refers to them, and DRAM requests leave in order
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "schemes/bcd/bcd_code.h"
#include "schemes/path/cached_table.h"
#include "schemes/path/flow_path.h"
#include "schemes/path/metadata_hardware.h"
#include "schemes/power_of_two.h"

namespace warpsieve::schemes {

using namespace memsys;
using bcd::Difference;
using bcd::Entry;
using bcd::Half;

namespace {

constexpr unsigned kHalves = 2, kHalfSectors = 2;

struct BcdParams {
  std::uint32_t translation_sets, base_sets, base_ways, cache_sets, cache_ways, difference_sets, difference_ways;
  std::uint32_t metadata_cycles, encode_cycles, decode_cycles, buffer_entries, hash_bits;
  BcdParams() {
    ParamSet set;
    declare(set);
  }
  void declare(ParamSet& set) {
    const char* equal = "decision C22; with the others 112 KB, as CMD";
    set.declare(translation_sets, "bcd.translation_sets", "sets", 64, 1, 4096,
                "sets of the translation cache, 6 ways of 128 B", equal);
    set.declare(base_sets, "bcd.base_sets", "sets", 64, 1, 4096, "sets of the store of bases", equal);
    set.declare(base_ways, "bcd.base_ways", "ways", 16, 1, 64, "ways of the store of bases", equal);
    set.declare(cache_sets, "bcd.base_cache_sets", "sets", 32, 1, 4096, "sets of the cache of base contents", equal);
    set.declare(cache_ways, "bcd.base_cache_ways", "ways", 12, 1, 64, "ways of the cache of base contents", equal);
    set.declare(difference_sets, "bcd.difference_sets", "sets", 64, 1, 4096, "sets of the store of differences",
                equal);
    set.declare(difference_ways, "bcd.difference_ways", "ways", 16, 1, 64, "ways of the store of differences", equal);
    set.declare(metadata_cycles, "bcd.metadata_cycles", "cycles", 20, 0, 10000, "translation cache latency",
                "CMD Table II");
    set.declare(encode_cycles, "bcd.encode_cycles", "cycles", 40, 0, 10000, "a half line looked up and encoded",
                "CMD IV.A: 40 for a simple hash");
    set.declare(decode_cycles, "bcd.decode_cycles", "cycles", 4, 0, 10000, "a half line decoded", "our choice");
    set.declare(hash_bits, "bcd.hash_bits", "bits", 128, 0, 128, "hash of the differences of more than 16 bytes",
                "our choice, as wide as CMD's");
    set.declare(buffer_entries, "bcd.buffer_entries", "lines", 32, 1, 256, "writes in progress",
                "as CMD's write buffer, C8");
  }
};

struct BcdCounters {
  explicit BcdCounters(Stats& stats) {
    const auto halves = [&](const char* name, const char* doc) { return stats.add(name, "half lines", doc); };
    raw = halves("bcd.writes_raw", "written as they are: no base, or a difference of 48 bytes seen once");
    equal = halves("bcd.writes_equal_to_base", "written as a reference to a base alone");
    own = halves("bcd.writes_own_difference", "written with a difference of their own");
    shared = halves("bcd.writes_shared_difference", "written as references to a base and a difference");
    partial_raw = halves("bcd.partial_raw", "parts of raw half lines written as they are");
    rewrites = halves("bcd.rewrites", "parts of coded half lines: read, merged and encoded again");
    bases = stats.add("bcd.bases_made", "bases", "first half lines of a cluster");
    no_base = halves("bcd.no_base", "of a new cluster while all bases of the set are in use");
    places = stats.add("bcd.differences_placed", "differences", "written to a shared place");
    verified = stats.add("bcd.verified", "writes", "matches of the hash that were compared");
    collisions = stats.add("bcd.collisions", "writes", "of these: another difference");
    base_hits = stats.add("bcd.base_cache_hits", "lookups", "base content on the chip");
    base_misses = stats.add("bcd.base_cache_misses", "lookups", "base content read from DRAM");
    read_raw = halves("bcd.reads_raw", "reads of raw half lines");
    read_coded = halves("bcd.reads_coded", "reads of coded half lines");
  }
  Counter raw, equal, own, shared, partial_raw, rewrites, bases, no_base, places, verified, collisions, base_hits,
      base_misses, read_raw, read_coded;
};

metadata_cache::MetadataCacheParams translation_cache(const BcdParams& params) {
  metadata_cache::MetadataCacheParams cache = metadata_cache::address_cache;
  cache.sets = params.translation_sets;
  return cache;
}

class BcdPath final : public FlowPath {
 public:
  BcdPath(const BcdParams& params, const BackendPlan& backends, unsigned controller, PathOwner& host, Stats& stats)
      : FlowPath(host), params_(params), bases_(params.base_sets, params.base_ways),
        differences_(params.difference_sets, params.difference_ways), cache_(params.cache_sets, params.cache_ways),
        base_home_(host.data_bytes()), difference_home_(base_home_ + bcd::kHalfBytes * bases_.size()),
        table_(engine_,
               {translation_cache(params), params.metadata_cycles,
                difference_home_ + bcd::kHalfBytes * differences_.size(), 2 * kHalves * host.data_lines()},
               backends.of("translation_cache", fmt::format("mc{}", controller)),
               fmt::format("mc{}.translation_cache", controller), "translation_cache", stats),
        counters_(stats) {}

  bool push_read(Cycle now, unsigned, const ReadRequest& request) override {
    reading(open(now, request), request.line, request.mask);
    return true;
  }
  bool push_write(Cycle now, unsigned, const WriteRequest& request) override {
    if (writes_.size() >= params_.buffer_entries) return false;
    engine_.at(now);
    writing(request.line, request.mask, request.data);
    host_.wake_path(now + 1);
    return true;
  }
  Cycle tick(Cycle now) override {
    table_.answers(now);
    engine_.run(now);
    const bool more = table_.tick(now), moved = engine_.drain(now);
    return more || moved ? now + 1 : engine_.next();
  }
  bool idle() const override { return engine_.idle() && table_.idle() && open_reads() == 0; }
  std::string describe() const override {
    return fmt::format("{} reads open, {} writes in progress; {}; translation {}", open_reads(), writes_.size(),
                       engine_.describe(), table_.describe());
  }

 private:
  /// A coded half on its way from DRAM.
  struct Coded {
    explicit Coded(FlowEngine& engine) : base(engine), difference(engine) {}
    Entry entry;
    bool cached = false;
    std::uint64_t born = 0;
    Half content{};  ///< of the base when cached
    Fetch base, difference;
  };
  static std::uint64_t place(std::uint64_t home, std::uint32_t n, unsigned sector) {
    return home + std::uint64_t{n} * bcd::kHalfBytes + sector * kSectorBytes;
  }
  std::uint64_t home_of(LocalLine line, unsigned half, unsigned sector) const {
    return place(0, line * kHalves + half, sector);
  }
  static std::uint32_t index_of(LocalLine line, unsigned half) { return (line * kHalves + half) * 2; }
  static SectorMask part(SectorMask mask, unsigned half) { return mask >> half * kHalfSectors & 3; }
  static Half bytes_of(const LineData& data, unsigned half) {
    Half out;
    std::copy_n(data.bytes.begin() + half * bcd::kHalfBytes, out.size(), out.begin());
    return out;
  }

  /// Asks for the content of a base, unless it is on the chip.
  void fetch_base(Coded& coded, std::uint32_t base, RequestKind kind) {
    coded.born = bases_[base].born;
    if (const auto* content = cache_.find(base)) {
      coded.cached = true;
      coded.content = *content;
      ++counters_.base_hits;
      return;
    }
    ++counters_.base_misses;
    for (unsigned s = 0; s < kHalfSectors; ++s) coded.base.add(place(base_home_, base, s), kind, s);
  }
  /// Once coded.base is there.
  const Half& base_content(Coded& coded, std::uint32_t base) {
    if (coded.cached) return coded.content;
    coded.content = bytes_of(coded.base.data, 0);
    // The base of this number may have been replaced meanwhile.
    if (bases_[base].born == coded.born) cache_.put(base, coded.content);
    return coded.content;
  }
  void fetch_coded(Coded& coded, LocalLine line, unsigned half, RequestKind kind) {
    fetch_base(coded, coded.entry.base, kind);
    Difference empty;
    empty.step = coded.entry.step;
    for (unsigned s = 0; s < empty.sectors(); ++s)
      coded.difference.add(coded.entry.shared ? place(difference_home_, coded.entry.diff, s) : home_of(line, half, s),
                           kind, s);
  }
  Half decoded(Coded& coded) {
    Difference difference;
    difference.step = coded.entry.step;
    std::copy_n(coded.difference.data.bytes.begin(), bcd::kCodeStep * difference.step, difference.bytes.begin());
    return bcd::decode(difference, base_content(coded, coded.entry.base));
  }
  void write_half(std::uint64_t home, std::uint32_t n, const Half& bytes, unsigned sectors) {
    for (unsigned s = 0; s < sectors; ++s)
      engine_.queue_write(place(home, n, s), RequestKind::write, bytes.data() + s * kSectorBytes);
  }
  void release(const Entry& entry) {
    if (!entry.coded) return;
    --bases_[entry.base].count;
    if (entry.shared) --differences_[entry.diff].count;
  }

  Flow reading(std::uint32_t token, LocalLine line, SectorMask mask);
  Flow writing(LocalLine line, SectorMask mask, const LineData& given);

  BcdParams params_;
  bcd::CountedStore bases_, differences_;
  bcd::BaseCache cache_;
  std::uint64_t base_home_, difference_home_;
  CachedTable table_;
  BcdCounters counters_;
  WritesUnderWay writes_;
};

Flow BcdPath::reading(std::uint32_t token, LocalLine line, SectorMask mask) {
  Hold hold = co_await engine_.lock(line);
  std::array<Coded, kHalves> coded{{Coded(engine_), Coded(engine_)}};
  RelayFetch raw(engine_, *this, token);
  for (unsigned h = 0; h < kHalves; ++h) {
    if (!part(mask, h)) continue;
    CachedTable::Read low = table_.read(index_of(line, h)), high = table_.read(index_of(line, h) + 1);
    const std::uint32_t word = co_await low;
    coded[h].entry = Entry::of(word, co_await high);
  }
  for (unsigned h = 0; h < kHalves; ++h) {
    const auto kind = [&](unsigned s) { return host_.read_kind(line, kHalfSectors * h + s); };
    const SectorMask wanted = part(mask, h);
    if (coded[h].entry.coded) {
      fetch_coded(coded[h], line, h, kind(wanted & 1 ? 0 : 1));
      ++counters_.read_coded;
    } else if (wanted) {
      for (unsigned s = 0; s < kHalfSectors; ++s)
        if (wanted >> s & 1) raw.add(home_of(line, h, s), kind(s), kHalfSectors * h + s);
      ++counters_.read_raw;
    }
  }
  hold.release();
  for (unsigned h = 0; h < kHalves; ++h) {
    Coded& half = coded[h];
    if (!half.entry.coded) continue;
    co_await half.base;
    co_await half.difference;
    const Half content = decoded(half);
    co_await engine_.wait(params_.decode_cycles);
    LineData data;
    std::copy(content.begin(), content.end(), data.bytes.begin() + h * bcd::kHalfBytes);
    const Entry& e = half.entry;
    reply(engine_.now(), token, static_cast<SectorMask>(part(mask, h) << kHalfSectors * h), data,
          e.shared || e.step == 0 ? Source::reference : Source::dram);
  }
  co_await raw;
}

Flow BcdPath::writing(LocalLine line, SectorMask mask, const LineData& given) {
  LineData data = given;  // before the first wait: the caller's is gone then
  const std::uint64_t number = writes_.begin(line, mask);
  Hold hold = co_await engine_.lock(line);
  for (unsigned h = 0; h < kHalves; ++h) {
    const SectorMask written = part(mask, h);
    if (!written) continue;
    Coded old(engine_);
    {
      CachedTable::Read low = table_.read(index_of(line, h)), high = table_.read(index_of(line, h) + 1);
      const std::uint32_t word = co_await low;
      old.entry = Entry::of(word, co_await high);
    }
    if (written != 3 && !old.entry.coded) {
      for (unsigned s = 0; s < kHalfSectors; ++s)
        if (written >> s & 1)
          engine_.queue_write(home_of(line, h, s), RequestKind::write, data.sector(kHalfSectors * h + s));
      ++counters_.partial_raw;
      continue;
    }
    Half content = bytes_of(data, h);
    if (written != 3) {
      fetch_coded(old, line, h, kDedupRead);
      co_await old.base;
      co_await old.difference;
      const unsigned s = written & 1 ? 1 : 0;  // the sector that is kept
      const Half before = decoded(old);
      std::copy_n(before.begin() + s * kSectorBytes, kSectorBytes, content.begin() + s * kSectorBytes);
      LineData line_data;
      std::copy(before.begin(), before.end(), line_data.bytes.begin() + h * bcd::kHalfBytes);
      const auto comparable = static_cast<SectorMask>(1u << (kHalfSectors * h + s) & ~writes_.covered(line));
      host_.check(engine_.now(), line, comparable, line_data, Source::dedup_read);
      ++counters_.rewrites;
    }
    co_await engine_.wait(params_.encode_cycles);

    Entry fresh;
    const bcd::Key cluster = bcd::cluster_of(content);
    Coded found(engine_);
    auto base = bases_.find(cluster);
    if (base) {
      ++bases_[*base].count;  // it stays, whatever is waited for
      fetch_base(found, *base, kDedupRead);
      co_await found.base;
    } else if ((base = bases_.add(cluster))) {
      ++bases_[*base].count;
      found.cached = true;
      found.content = content;
      cache_.put(*base, content);
      write_half(base_home_, *base, content, kHalfSectors);
      ++counters_.bases;
    } else {
      ++counters_.no_base;
    }
    if (base) {
      const Difference difference = bcd::encode(content, base_content(found, *base));
      fresh = {true, difference.step, false, *base, 0};
      if (difference.step) {
        const bcd::Key key = bcd::key_of(difference, params_.hash_bits);
        const auto known = differences_.find(key);
        if (known) {
          bcd::CountedStore::Entry& entry = differences_[*known];
          ++entry.count;
          bool same = true;
          if (!entry.stored) {
            entry.stored = true;
            write_half(difference_home_, *known, difference.bytes, difference.sectors());
            ++counters_.places;
          } else if (difference.step > 1) {
            Fetch place_of(engine_);
            for (unsigned s = 0; s < difference.sectors(); ++s)
              place_of.add(place(difference_home_, *known, s), kVerifyRead, s);
            co_await place_of;
            same = std::equal(difference.bytes.begin(), difference.bytes.begin() + bcd::kCodeStep * difference.step,
                              place_of.data.bytes.begin());
            ++counters_.verified;
          }
          if (same) {
            fresh.shared = true;
            fresh.diff = *known;
          } else {
            --entry.count;
            ++counters_.collisions;
          }
        } else {
          differences_.add(key);
        }
        if (!fresh.shared && difference.step == 3) {
          --bases_[*base].count;
          fresh = {};
        } else if (!fresh.shared) {
          write_half(home_of(line, h, 0), 0, difference.bytes, difference.sectors());
        }
      }
    }
    if (!fresh.coded) write_half(home_of(line, h, 0), 0, content, kHalfSectors);
    ++(!fresh.coded ? counters_.raw : fresh.shared ? counters_.shared : fresh.step ? counters_.own : counters_.equal);
    release(old.entry);
    if (fresh.low() != old.entry.low()) table_.write(index_of(line, h), fresh.low());
    if (fresh.high() != old.entry.high()) table_.write(index_of(line, h) + 1, fresh.high());
  }
  writes_.end(number);
  host_.wake_slices(engine_.now() + 1);
}

class Bcd final : public Scheme {
 public:
  Bcd(const BcdParams& params, const BackendPlan& backends) : params_(params), backends_(backends) {}
  std::string name() const override { return "bcd"; }
  std::unique_ptr<ControllerPath> make_path(unsigned controller, PathOwner& host, Stats& stats) override {
    return std::make_unique<BcdPath>(params_, backends_, controller, host, stats);
  }
  nlohmann::ordered_json report() const override { return {{"parameters", values_of(params_)}}; }

 private:
  BcdParams params_;
  BackendPlan backends_;
};

class BcdFamily final : public SchemeFamily {
 public:
  std::vector<SchemeInfo> schemes() const override {
    return {
        {.name = "bcd",
         .doc = "BCD (ASPLOS'21), our adaptation: base and difference, both deduplicated",
         .paper = "cmd",
         .profile = "cmd",
         .blocks = {{"translation_cache", Place::controller}},
         .ports = {kMemoryPath},
         .area_note = "our adaptation, a C++ model without RTL: its translation cache; logic and 64 KB of stores "
                      "are not counted",
         .hardware = {metadata_hardware("address", "48 KB of address map", 1536, 64, 126, "bcd.translation_sets")},
         .dram_bits = {{"translation entries of 64 bits, one of each half", 128}}}};
  }
  void declare(ParamSet& set) override { params_.declare(set); }
  std::unique_ptr<Scheme> make(std::string_view, const BackendPlan& backends) const override {
    expect_powers_of_two({{"bcd.translation_sets", params_.translation_sets}});
    return std::make_unique<Bcd>(params_, backends);
  }

 private:
  BcdParams params_;
};

}  // namespace

std::unique_ptr<SchemeFamily> bcd_family() { return std::make_unique<BcdFamily>(); }

}  // namespace warpsieve::schemes
