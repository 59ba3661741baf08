// Replies in DPC: sizes and latencies by hand, the packet filter's table, and what must not go unnoticed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "bench.h"
#include "schemes/data_filter/data_filter.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using ::testing::HasSubstr;

/// Cycles that `scheme` needs more than the baseline for one load of one line that is in the L2.
std::int64_t extra(const std::string& scheme, const Pattern& content, unsigned mask,
                   const std::vector<std::string>& set = {}) {
  SchemeRun base(scheme_of("baseline"), kernel_on({{4, content}}, {loads({{4, mask}})}), fermi());
  SchemeRun run(scheme_of(scheme, set), kernel_on({{4, content}}, {loads({{4, mask}})}), fermi());
  EXPECT_TRUE(base.result.clean);
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  EXPECT_EQ(base.stat("noc.reply_flits"), 5u);
  return static_cast<std::int64_t>(run.result.cycles) - static_cast<std::int64_t>(base.result.cycles);
}

struct Size {
  const char* scheme;
  Pattern content;
  unsigned mask, flits;
};

TEST(ReplySize, FlitsByHand) {
  // Header 8 bytes, then 32 bits ES and per plane 1 bit or one per word; raw when that is no longer (D2 to D5).
  const std::vector<Size> sizes = {
      {"dpc", zeros, 0xf, 1},          // 32 + 32 x 1 = 64 bits, 16 bytes
      {"dpc", counting, 0xf, 2},       // 32 + 27 + 5 x 32 = 219 bits, 36 bytes
      {"dpc", counting, 0x1, 2},       // the whole line whatever was asked
      {"dpc", noise, 0x1, 5},          // raw: 136 bytes
      {"df_trunc", counting, 0x1, 1},  // 32 + 29 + 3 x 8 = 85 bits, 19 bytes
      {"df_trunc", counting, 0xf, 2},  // all asked: as dpc
      {"df_trunc", noise, 0x8, 2},     // raw: 8 + 32 bytes
      {"df_trunc", noise, 0xa, 3},     // 8 + 64
      {"df_trunc", noise, 0xe, 4},     // 8 + 96
      {"df_trunc", noise, 0xf, 5},
      {"df_man", noise, 0x1, 5},       // zero-filled is no smaller
      {"df_man", zero_first, 0x1, 1},  // zero-filled: all zeros
      {"df_man", zero_first, 0x2, 5},
      {"df_man", counting, 0x2, 1},  // words 8 to 15, the rest 0: 32 + 28 + 4 x 32 = 188 bits, 32 bytes
  };
  for (const Size& s : sizes) {
    SchemeRun run(scheme_of(s.scheme), kernel_on({{4, s.content}}, {loads({{4, s.mask}})}), fermi());
    EXPECT_TRUE(run.result.clean);
    EXPECT_EQ(run.stat("noc.reply_flits"), s.flits) << s.scheme << " mask " << s.mask;
    EXPECT_EQ(run.stat(fmt::format("dpc.replies_{}_flit", s.flits)), 1u) << s.scheme << " mask " << s.mask;
    EXPECT_EQ(run.stat("dpc.flits_saved"), 5 - s.flits);
    EXPECT_EQ(run.stat("noc.request_flits"), 1u) << "a request carries the mask in its header (D16)";
  }
}

TEST(ReplySize, FollowsTheWidthOfTheNetwork) {
  Profile profile = fermi();
  profile.noc.flit_bytes = 8;
  for (const Size& s : std::vector<Size>{{"dpc", counting, 0xf, 5}, {"df_trunc", noise, 0xa, 9}}) {
    SchemeRun run(scheme_of(s.scheme), kernel_on({{4, s.content}}, {loads({{4, s.mask}})}), profile);
    EXPECT_TRUE(run.result.clean);
    EXPECT_EQ(run.stat("noc.reply_flits"), s.flits) << s.scheme;  // 8 + 28 and 8 + 64 bytes
    EXPECT_EQ(run.stat(fmt::format("dpc.replies_{}_flit", s.flits)), 1u);
    EXPECT_EQ(run.stat("dpc.flits_saved"), 17 - s.flits);
  }
}

TEST(ReplyLatency, CodecCyclesAgainstFlitsSaved) {
  EXPECT_EQ(extra("dpc", noise, 0xf), 2 + 1);               // encoder, decoder (D15)
  EXPECT_EQ(extra("dpc", zeros, 0xf), 2 + 1 - 4);           // 1 flit instead of 5
  EXPECT_EQ(extra("df_trunc", noise, 0x1), 3 + 2 + 1 - 3);  // and the packet filter
  EXPECT_EQ(extra("df_man", zero_first, 0x1), 3 + 2 + 1 - 4);
  EXPECT_EQ(extra("dpc", noise, 0xf, {"dpc.encode_cycles=20"}), 20 + 1);
  EXPECT_EQ(extra("dpc", noise, 0xf, {"dpc.decode_cycles=20"}), 2 + 20);
  EXPECT_EQ(extra("dpc", noise, 0xf, {"dpc.encode_cycles=0", "dpc.decode_cycles=0"}), 0);
  EXPECT_EQ(extra("df_trunc", noise, 0xf, {"dpc.filter_cycles=10"}), 10 + 2 + 1);
}

TEST(ReplyLatency, ReplyToAReloadOfPrivateMemoryIsDecoded) {
  const auto cycles = [](const char* decode) {
    WarpBuilder warp;
    warp.local_store(0, 0xffff, [](unsigned) { return 7u; });
    warp.alu(1, {warp.local_load(0, 0xffff0000, {warp.alu()})});  // these words have to be fetched
    SchemeRun run(scheme_of("dpc", {decode}), kernel_on({}, {warp}), fermi({"local.slots=1"}));
    EXPECT_TRUE(run.result.clean);
    EXPECT_EQ(run.stat("local.fetches"), 1u);
    return run.result.cycles;
  };
  EXPECT_EQ(cycles("dpc.decode_cycles=20"), cycles("dpc.decode_cycles=0") + 20);
}

TEST(ReplyLatency, OneReplyPerCycleEntersTheEncodersOfAController) {
  // 8 hits that leave the two slices at full rate: the last one's way through the encoder is not longer.
  std::map<unsigned, Pattern> lines;
  std::vector<WarpBuilder> warps(1);
  WarpBuilder::Lanes lanes;
  for (unsigned l = 0; l < 8; ++l) {
    lines[l] = zeros;
    lanes.emplace_back(l, l * 128);
  }
  warps[0].load(lanes, 4);
  const auto cycles = [&](const char* encode) {
    SchemeRun run(scheme_of("dpc", {encode}), kernel_on(lines, warps), fermi());
    EXPECT_TRUE(run.result.clean);
    return run.result.cycles;
  };
  EXPECT_EQ(cycles("dpc.encode_cycles=40") - cycles("dpc.encode_cycles=4"), 36u);
}

TEST(PacketFilter, FullTableMeansTheWholeLine) {
  // One entry for two partial requests of one instruction; each then asks for the next sub-block.
  WarpBuilder warp;
  const auto first = warp.load({{0, 4 * 128}, {1, 6 * 128}}, 4);
  warp.load({{0, 4 * 128 + 32}, {1, 6 * 128 + 32}}, 4, {first});
  const std::map<unsigned, Pattern> lines{{4, noise}, {6, noise}};
  SchemeRun run(scheme_of("df_trunc", {"dpc.table_sets=1", "dpc.table_ways=1"}), kernel_on(lines, {warp}), fermi());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("packet_filter.no_room"), 1u);  // line 6: sent whole
  EXPECT_EQ(run.stat("packet_filter.sent_whole"), 1u);
  EXPECT_EQ(run.stat("critical.first_misses"), 2u);
  EXPECT_EQ(run.stat("critical.hits"), 1u);         // ... and so its next sub-block is there
  EXPECT_EQ(run.stat("critical.hit_invalid"), 1u);  // line 4's is not
  EXPECT_EQ(run.stat("packet_filter.registered"), 2u);
}

TEST(PacketFilter, RequestForEverythingTakesNoEntry) {
  SchemeRun run(scheme_of("df_trunc"), kernel_on({{4, noise}}, {loads({{4, 0xf}})}), fermi());
  EXPECT_EQ(run.stat("packet_filter.full"), 1u);
  EXPECT_EQ(run.stat("packet_filter.registered"), 0u);
}

TEST(PacketFilter, OriginalOfDfManFillsTheLine) {
  for (const auto& [content, kind] :
       {std::pair<Pattern, const char*>{noise, "critical.hits"}, {zero_first, "critical.hit_invalid"}}) {
    SchemeRun run(scheme_of("df_man"), kernel_on({{4, content}}, {loads({{4, 0x1}, {4, 0x8}})}), fermi());
    EXPECT_TRUE(run.result.clean);
    EXPECT_EQ(run.stat(kind), 1u) << "the original is valid everywhere (mask 1111), the zero-filled line is not";
  }
}

/// Two warps, the second after `delay` dependent instructions; each loads its sub-block of a line, the second warp
/// then both.
ToyWorkload two_parts(unsigned delay) {
  WarpBuilder a, b;
  a.load(word_lanes(4, 0x1), 4);
  std::vector<std::uint32_t> last;
  if (delay) last = {b.alu(static_cast<std::uint16_t>(delay))};
  last = {b.load(word_lanes(4, 0x4), 4, last)};
  b.load(word_lanes(4, 0x5), 4, last);
  return kernel_on({{4, noise}}, {a, b});
}

TEST(PacketFilter, SubsequentMissIsMergedUntilTheFirstReplyLeaves) {
  unsigned merged = 0, separate = 0, refetched = 0;
  for (unsigned delay = 0; delay < 70; ++delay) {
    SchemeRun run(scheme_of("df_trunc"), two_parts(delay), fermi());
    ASSERT_TRUE(run.result.clean);
    const bool sm = run.stat("critical.subsequent_misses"), hi = run.stat("critical.hit_invalid");
    ASSERT_EQ(run.stat("critical.first_misses"), 1u);
    if (sm) {
      // Both parts are in one line, valid when both have come: the last load hits.
      ASSERT_FALSE(hi) << delay;
      ASSERT_EQ(run.stat("critical.hits"), 1u) << delay;
      ASSERT_EQ(run.stat("noc.request_packets"), 2u);
      ASSERT_EQ(run.stat("noc.reply_packets"), 2u - run.stat("packet_filter.merged"));
      ++(run.stat("packet_filter.merged") ? merged : separate);
      if (run.stat("packet_filter.merged")) {
        ASSERT_EQ(run.stat("dpc.replies_3_flit"), 1u) << "8 + 64 bytes, mask 0101";
      }
    } else {
      // The line came first: it was fetched anew twice, each time in place of the old content (D8).
      ASSERT_EQ(run.stat("critical.hit_invalid"), 2u) << delay;
      ++refetched;
    }
  }
  EXPECT_GT(merged, 0u);
  EXPECT_GT(separate, 0u);
  EXPECT_GT(refetched, 0u);
}

TEST(PacketFilter, NothingIsMergedAcrossAStore) {
  // The first reply's data is read from the L2 before the store arrives, but leaves after it.
  WarpBuilder warp;
  warp.load(word_lanes(4, 0x1), 4);
  warp.store(word_lanes(4, 0x4), 4, [](unsigned, unsigned) { return std::uint8_t{9}; });
  warp.load(word_lanes(4, 0x4), 4);
  SchemeRun run(scheme_of("df_trunc"), kernel_on({{4, noise}}, {warp}), fermi());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("packet_filter.written"), 1u);
  EXPECT_EQ(run.stat("packet_filter.merged"), 0u);
  EXPECT_EQ(run.stat("l1.stale_hits"), 0u);
  // Without the store the second load is merged.
  SchemeRun merged(scheme_of("df_trunc"), kernel_on({{4, noise}}, {loads({{4, 0x1}}), loads({{4, 0x4}})}), fermi());
  EXPECT_EQ(merged.stat("packet_filter.merged"), 1u);
}

// ---- the hook of decision D1 ---------------------------------------------------------------------------

dpc::Words less_first(const dpc::Words& words, unsigned count) {
  dpc::Words out = words;
  for (unsigned i = 1; i < count; ++i) out[i] -= words[0];
  return out;
}
dpc::Words plus_first(const dpc::Words& words, unsigned count) {
  dpc::Words out = words;
  for (unsigned i = 1; i < count; ++i) out[i] += words[0];
  return out;
}
constexpr dpc::Transform kLessFirst{less_first, plus_first};
/// Forgets to take back what the encoder did.
constexpr dpc::Transform kOneWay{less_first, [](const dpc::Words& words, unsigned) { return words; }};

/// A scheme in all that a test does not put its own in the place of.
class Altered : public Scheme {
 public:
  explicit Altered(const std::string& scheme) : inner_(scheme_of(scheme)) {}
  void amend(Profile& profile) const override { inner_->amend(profile); }
  std::unique_ptr<ControllerPath> make_path(unsigned c, PathOwner& host, Stats& stats) override {
    return inner_->make_path(c, host, stats);
  }
  std::unique_ptr<L1Port> make_l1_port(unsigned sm, L1PortOwner& host, Stats& stats) override {
    return inner_->make_l1_port(sm, host, stats);
  }
  std::unique_ptr<ReplyDecoder> make_reply_decoder(unsigned sm, const Profile& p, Stats& stats) override {
    return inner_->make_reply_decoder(sm, p, stats);
  }
  std::unique_ptr<ReplyPort> make_reply_port(unsigned c, const Profile& p, Stats& stats) override {
    return inner_->make_reply_port(c, p, stats);
  }

 private:
  std::unique_ptr<Scheme> inner_;
};

/// `variant` in the place of the scheme of its name.
class WithTransform final : public Altered {
 public:
  explicit WithTransform(schemes::DataFilterVariant variant) : Altered(variant.name), variant_(std::move(variant)) {}
  std::string name() const override { return "with transform"; }
  std::unique_ptr<ReplyDecoder> make_reply_decoder(unsigned sm, const Profile&, Stats&) override {
    return schemes::make_dpc_reply_decoder(variant_, {}, BackendPlan{}, sm);
  }
  std::unique_ptr<ReplyPort> make_reply_port(unsigned c, const Profile& p, Stats& stats) override {
    return schemes::make_reply_filter(variant_, {}, BackendPlan{}, c, p, stats);
  }

 private:
  schemes::DataFilterVariant variant_;
};

TEST(TransformHook, AVariantsTransformIsAppliedToRepliesAndUndoneAtTheSm) {
  using schemes::Reduction;
  // Words 0xe0000000 + i: three more planes vary when the first word alone keeps these bits.
  const Pattern far = [](unsigned byte) { return byte % 4 == 3 ? std::uint8_t{0xe0} : counting(byte); };
  const auto bits = [&](const char* name, Reduction reduction, const dpc::Transform* transform, bool clean = true) {
    const schemes::DataFilterVariant variant{name, "", reduction, false, transform};
    SchemeRun run(std::make_unique<WithTransform>(variant), kernel_on({{4, far}}, {loads({{4, 0x6}})}), fermi());
    EXPECT_EQ(run.result.clean, clean) << name;
    return run.stat("dpc.sent_bits");
  };
  const std::pair<const char*, Reduction> forms[] = {
      {"dpc", Reduction::compress}, {"df_trunc", Reduction::truncate}, {"df_man", Reduction::manipulate}};
  for (const auto& [name, reduction] : forms) {
    SchemeRun plain(scheme_of(name), kernel_on({{4, far}}, {loads({{4, 0x6}})}), fermi());
    EXPECT_EQ(bits(name, reduction, nullptr), plain.stat("dpc.sent_bits")) << name;
    EXPECT_NE(bits(name, reduction, &kLessFirst), plain.stat("dpc.sent_bits")) << name;
    bits(name, reduction, &kOneWay, false);
  }
}

// ---- planted bugs --------------------------------------------------------------------------------------

enum class Fault { none, zero_wanted, drop_wanted, one_bit };

/// A scheme whose filter does something wrong to every reply that answers sub-block 2.
class FaultyFilter final : public Altered {
 public:
  explicit FaultyFilter(Fault fault, const std::string& of = "df_trunc") : Altered(of), fault_(fault) {}
  std::string name() const override { return "faulty"; }
  std::unique_ptr<ReplyPort> make_reply_port(unsigned c, const Profile& p, Stats& stats) override {
    return std::make_unique<Port>(Altered::make_reply_port(c, p, stats), fault_);
  }

 private:
  class Port final : public ReplyPort {
   public:
    Port(std::unique_ptr<ReplyPort> inner, Fault fault) : inner_(std::move(inner)), fault_(fault) {}
    bool merge(Cycle now, Packet& read) override { return inner_->merge(now, read); }
    void written(Cycle now, LocalLine line) override { inner_->written(now, line); }
    Cycle cycles() const override { return inner_->cycles(); }
    Cycle leave(Cycle now, Packet& reply) override {
      const LineData sent = reply.data;
      if (fault_ == Fault::zero_wanted) std::fill_n(reply.data.sector(2), kSectorBytes, std::uint8_t{0});
      const Cycle at = inner_->leave(now, reply);
      reply.data = sent;
      if (fault_ == Fault::drop_wanted) reply.mask &= static_cast<SectorMask>(~4u);
      if (fault_ == Fault::one_bit) reply.wire.payload[5] ^= 0x10;
      return at;
    }

   private:
    std::unique_ptr<ReplyPort> inner_;
    Fault fault_;
  };
  Fault fault_;
};

TEST(PlantedBug, WantedSubBlockLostInTheFilterIsFound) {
  const auto run = [](Fault fault, const std::string& of = "df_trunc") {
    SchemeRun run(std::make_unique<FaultyFilter>(fault, of), kernel_on({{4, noise}}, {loads({{4, 0x6}})}), fermi());
    EXPECT_EQ(run.gpu.golden().checks(Source::reply_decoder), 2u);
    if (!run.result.clean) {
      EXPECT_EQ(run.gpu.golden().first().at(0).source, Source::reply_decoder);
      EXPECT_EQ(run.gpu.golden().mismatches(), 1u);
    }
    return run.result.clean;
  };
  EXPECT_TRUE(run(Fault::none));
  EXPECT_FALSE(run(Fault::zero_wanted));
  EXPECT_FALSE(run(Fault::one_bit));
  // A truncated stream is too long for what is left; a whole one lacks nothing but the sub-block.
  const auto said = [&](const std::string& of) -> std::string {
    try {
      run(Fault::drop_wanted, of);
    } catch (const std::logic_error& error) {
      return error.what();
    }
    return "not noticed";
  };
  EXPECT_THAT(said("df_trunc"), HasSubstr("dpc_decoder: the packet does not fit its stream"));
  EXPECT_THAT(said("df_man"), HasSubstr("lacks sectors that were asked for: brings b, asked 6"));
}

}  // namespace
}  // namespace warpsieve::tb
