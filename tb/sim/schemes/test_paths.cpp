// Every memory-side scheme behind a fake partition: random reads and writes with partial masks and much
// duplicate and compressible content, tiny caches, random refusals and latencies; and planted faults, which must
// be noticed.
#include <fmt/format.h>

#include <map>

#include "fake_host.h"
#include "support.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

std::vector<std::string> memory_side() {
  std::vector<std::string> names;
  for (const schemes::SchemeInfo& info : schemes::scheme_list())
    for (const std::string& port : info.ports)
      if (port == schemes::kMemoryPath) names.push_back(info.name);
  return names;
}

/// Contents that repeat, that compress, that are nearly another line, and noise.
LineData content(FakeHost& host) {
  LineData data;
  const unsigned kind = host.pick(8), salt = host.pick(4);
  std::array<std::uint32_t, 32> words{};
  for (unsigned w = 0; w < 32; ++w) {
    switch (kind) {
      case 0: words[w] = 0; break;
      case 1: words[w] = 0x40404040u + salt; break;
      case 2: words[w] = 1000 * salt + w; break;
      case 3: words[w] = w % 2 ? 0x7fff0000u + salt : 0x12340000u + w * salt; break;  // pointers
      case 4: words[w] = (w % 2 ? 0x7fff0000u : 0x12340000u) ^ (w == 5 ? host.pick(256) : 0); break;
      case 5: words[w] = (w + salt) * 0x9e3779b9u; break;  // repeats
      case 6: words[w] = w < 16 ? 0x3f800000u + w : static_cast<std::uint32_t>(host.random()()); break;
      default: words[w] = static_cast<std::uint32_t>(host.random()()); break;
    }
  }
  std::memcpy(data.bytes.data(), words.data(), kLineBytes);
  return data;
}

/// For a path that takes them, now and then a part of each sector.
ByteMask some_bytes(FakeHost& host, std::uint32_t line) {
  ByteMask bytes = kFullLine;
  if (host.pick(2) && host.takes_partial_sectors(line))
    for (std::uint32_t& sector : bytes) sector = static_cast<std::uint32_t>(host.random()());
  return bytes;
}

/// A burst of traffic on few lines, then everything is read back.
void traffic(FakeHost& host, unsigned operations, unsigned hot) {
  for (unsigned i = 0; i < operations; ++i) {
    if (host.pick(12) == 0) {  // the same once more
      const LineData same = content(host);
      const std::uint32_t again = host.pick(hot);
      for (unsigned n = 0; n < 2; ++n) {
        host.write(again, kAllSectors, same);
        host.settle();
      }
    }
    const std::uint32_t line = host.pick(3) ? host.pick(hot) : host.pick(256);
    const auto mask = static_cast<SectorMask>(host.pick(2) ? 0xf : 1 + host.pick(15));
    if (host.pick(2))
      host.write(line, mask, content(host), some_bytes(host, line));
    else
      host.read(line, mask);
    for (unsigned n = host.pick(4) ? 0 : host.pick(60); n; --n) host.step();
  }
  host.settle();
  host.read_all();
}

std::vector<std::string> smallest() {
  return {"cmd.hash_sets=1",       "cmd.hash_ways=3",       "cmd.type_sets=1",       "cmd.mask_sets=1",
          "cmd.address_sets=1",    "cmd.lent_sets=1",       "cmd.buffer_entries=2",  "cmd.contexts=3",
          "cmd.free_entries=2",    "cmd.steps_per_cycle=4", "cmd.metadata_cycles=5", "cmd.hash_cycles_per_chunk=3",
          "bpc.size_sets=1",       "bpc.size_ways=1",       "bpc.buffer_entries=3",  "bcd.translation_sets=1",
          "bcd.base_sets=1",       "bcd.base_ways=6",       "bcd.base_cache_sets=1", "bcd.base_cache_ways=2",
          "bcd.difference_sets=1", "bcd.difference_ways=8", "bcd.buffer_entries=3",  "bcd.hash_bits=1",
          "sieve.leader_bits=3"};
}

class Paths : public ::testing::TestWithParam<std::string> {};

TEST_P(Paths, RandomTrafficUnderBackPressureReadsWhatWasWritten) {
  std::map<std::string, std::uint64_t> seen;
  check_property("path " + GetParam(), 60, [&] {
    const auto number = [](int low, int high) { return static_cast<unsigned>(*rc::gen::inRange(low, high + 1)); };
    HostOptions options;
    options.seed = number(1, 1 << 30);
    options.refuse = number(0, 70);
    options.latency = number(1, 120);
    const unsigned operations = number(1, 300), hot = number(1, 24);
    const auto scheme = scheme_of(GetParam(), number(0, 3) ? smallest() : std::vector<std::string>{});
    FakeHost host(*scheme, options);
    traffic(host, operations, hot);
    if (host.wrong) RC_FAIL(host.first_wrong);
    RC_ASSERT(host.checked >= 256u * 4);
    const nlohmann::ordered_json values = host.stats.values();
    for (const auto& [name, value] : values.items()) seen[name] += value.get<std::uint64_t>();
    seen["old content checked"] += host.old_checked;
  });
  // Every way of handling a request has happened somewhere, or the property says less than it seems to.
  for (const auto& [name, count] : seen) {
    const bool by_design =  // what the scheme, or a host whose L2 holds nothing, never does
        name.starts_with("car.") || name.starts_with("dedup.count_saturated") ||
        (GetParam() == "esd" &&
         (name == "dedup.writes_intra" || name == "dedup.intra_sectors" || name == "dedup.hashed_chunks")) ||
        name == "dedup.verified" || name == "dedup.collisions" || name == "old content checked" ||
        name == "dedup.partial_limit" || name == "dedup.slots_scanned" || name == "dedup.writes_unique_kept" ||
        name == "dedup.unique_without_entry";
    if (!by_design) {
      EXPECT_GT(count, 0u) << name;
    }
  }
}

TEST_P(Paths, APlantedFaultIsNoticed) {
  unsigned planted = 0, noticed = 0;
  for (unsigned seed = 1; seed <= 12; ++seed)
    for (const bool flip : {false, true}) {
      const auto scheme = scheme_of(GetParam(), smallest());
      FakeHost host(*scheme, {.seed = seed, .flip_a_bit = flip, .lose_a_write = !flip});
      traffic(host, 120, 16);
      planted += host.planted != 0;
      noticed += host.planted && host.wrong;
    }
  EXPECT_GT(planted, 20u);
  // A flipped bit that a partial write covers, or a lost write that is overwritten, does no harm.
  EXPECT_GT(noticed, planted / 2);
}

TEST(OldContent, MayArriveBeforeItsLastSectorIsQueued) {
  // DRAM answers at once but its queue refuses most requests: of the three sectors that a partial write of a
  // compressed or deduplicated line needs, the first is there before the last is asked for.
  for (const std::string& name : memory_side())
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const auto scheme = scheme_of(name);
      FakeHost host(*scheme, {.seed = seed, .refuse = 80, .latency = 1});
      LineData data;
      for (unsigned i = 0; i < kLineBytes; ++i) data.bytes[i] = static_cast<std::uint8_t>(i * 37 + seed + i / 7);
      host.write(3, kAllSectors, data);
      host.settle();
      data.bytes[0] ^= 1;
      host.write(3, 0x1, data);
      host.settle();
      host.read_all();
      EXPECT_EQ(host.wrong, 0u) << name << " " << host.first_wrong;
    }
}

std::string identifier(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Schemes, Paths, ::testing::ValuesIn(memory_side()),
                         [](const auto& info) { return identifier(info.param); });

}  // namespace
}  // namespace warpsieve::tb
