// A file that is not what was written is refused with the number of the block, whatever happened to it; what stands
// before that block is read.
#include <fmt/format.h>
#include <gmock/gmock.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <regex>

#include "support.h"
#include "support/property.h"
#include "trace/replay.h"

namespace warpsieve::tb {
namespace {

using ::testing::HasSubstr;
using trace::Section;
using trace::TraceError;

/// A small trace with every kind of block, and where its blocks start.
class TraceDamage : public ::testing::Test {
 protected:
  TraceDamage() : path_(folder_.path("t")) {
    TraceMaker make(11, 256);
    TraceContent c = make.content(2, 2, 2, 12);
    c.after.push_back({kTraceBase + 5, {1, 2, 3}});
    write_trace(path_, c);
    bytes_ = read_file(path_);
    starts_.push_back(trace::kFileHeadBytes);
    trace::TraceReader in(path_);
    starts_.push_back(in.file_bytes());
    while (in.next() != Section::end) {
      totals_.push_back(in.totals());
      starts_.push_back(in.file_bytes());
    }
    totals_.push_back(in.totals());
  }

  /// Number of the block that holds byte `at`.
  std::size_t block_at(std::size_t at) const {
    return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), at) - starts_.begin()) - 1;
  }
  /// What the error says; the records read before it are those of the blocks before.
  std::string refused(const std::string& bytes) {
    write_bytes(path_, bytes);
    trace::Totals read;
    std::size_t blocks = 0;
    try {
      trace::TraceReader in(path_);
      blocks = 1;
      read = in.totals();
      for (Section s = Section::program; s != Section::end; ++blocks) {
        s = in.next();
        read = in.totals();
        while (in.has_thread_block()) in.take_thread_block();
      }
    } catch (const TraceError& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
      EXPECT_TRUE(what.starts_with(path_ + ": ")) << what;
      if (blocks > 1) {
        EXPECT_EQ(read, totals_.at(blocks - 2)) << what;
      }
      return what;
    }
    return "";
  }

  std::vector<trace::Block> blocks() const {
    std::vector<trace::Block> all;
    trace::BlockReader in(path_);
    do in.next(all.emplace_back());
    while (all.back().section != Section::end);
    return all;
  }
  /// A file of these blocks, with right checksums.
  std::string written(const std::vector<trace::Block>& all) const {
    const std::string path = folder_.path("bad");
    trace::BlockWriter out(path);
    for (const trace::Block& b : all) out.write(b.section, b.columns);
    out.finish();
    return path;
  }

  Scratch folder_;
  std::string path_, bytes_;
  std::vector<std::size_t> starts_;
  std::vector<trace::Totals> totals_;
};

TEST_F(TraceDamage, EveryFlippedByteIsRefusedWithItsBlock) {
  ASSERT_GT(starts_.size(), 8u);
  for (std::size_t at = 0; at < bytes_.size(); ++at)
    for (const int flip : {1 << (at % 8), 0xff}) {
      std::string bad = bytes_;
      bad[at] = static_cast<char>(bad[at] ^ flip);
      const std::string what = refused(bad);
      ASSERT_NE(what, "") << "byte " << at << " xor " << flip;
      if (at >= trace::kFileHeadBytes) {
        ASSERT_THAT(what, HasSubstr(fmt::format(": block {}: ", block_at(at)))) << "byte " << at;
      }
    }
}

TEST_F(TraceDamage, EveryTruncationIsRefusedWithItsBlock) {
  for (std::size_t length = 0; length < bytes_.size(); ++length) {
    const std::string what = refused(bytes_.substr(0, length));
    ASSERT_NE(what, "") << "length " << length;
    if (length < trace::kFileHeadBytes) continue;
    ASSERT_THAT(what, HasSubstr(fmt::format(": block {}: truncated", block_at(length)))) << "length " << length;
  }
  EXPECT_EQ(refused(bytes_), "");
}

TEST_F(TraceDamage, MissingDoubledSwappedAndExtraBlocksAreRefused) {
  const auto block = [&](std::size_t i) { return bytes_.substr(starts_[i], starts_[i + 1] - starts_[i]); };
  for (std::size_t i = 0; i + 2 < starts_.size(); ++i) {
    const std::string before = bytes_.substr(0, starts_[i]), after = bytes_.substr(starts_[i + 1]);
    const std::string number = fmt::format(": block {}: it is numbered {}: ", i, i + 1);
    EXPECT_THAT(refused(before + after), HasSubstr(number));
    EXPECT_THAT(refused(before + block(i + 1) + block(i) + bytes_.substr(starts_[i + 2])), HasSubstr(number));
    EXPECT_THAT(refused(before + block(i) + block(i) + after),
                HasSubstr(fmt::format(": block {}: it is numbered {}: ", i + 1, i)));
  }
  EXPECT_THAT(refused(bytes_ + "x"), HasSubstr("the file goes on behind the end block"));
}

TEST_F(TraceDamage, OtherFilesAreNamedForWhatTheyAre) {
  EXPECT_THAT(refused(""), HasSubstr("empty: expected a Warpsieve trace"));
  EXPECT_THAT(refused("-kernel name = x\n"), HasSubstr("not a Warpsieve trace"));
  EXPECT_THAT(refused("WSTR"), HasSubstr("truncated in the file head, at byte 4 of 24"));
  std::string next = bytes_.substr(0, trace::kFileHeadBytes);
  next[8] = 2;  // version
  const std::uint64_t hash = XXH3_64bits(next.data(), 16);
  std::memcpy(next.data() + 16, &hash, 8);
  EXPECT_THAT(refused(next), HasSubstr("trace format version 2: this program reads version 1"));
  EXPECT_THROW(trace::TraceReader(folder_.path("nowhere")), TraceError);
  EXPECT_THROW(trace::TraceReader(folder_.path("")), TraceError);  // a directory
}

/// Writes blocks with correct checksums but other content, as a faulty program would.
TEST_F(TraceDamage, ContentThatCannotBeIsRefusedOrHarmless) {
  const std::vector<trace::Block> blocks = this->blocks();
  std::size_t refused = 0, harmless = 0;
  check_property("trace: wrong content with right checksums", 3000, [&](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<trace::Block> bad = blocks;
    for (unsigned change = 0; change <= random() % 2; ++change) {
      trace::Block& b = bad[random() % bad.size()];
      trace::Column& c = b.columns[random() % b.columns.size()];
      switch (random() % 8) {
        case 0: c.planes.resize(random() % (c.planes.size() + c.width + 1) / c.width * c.width); break;
        case 1: b.section = static_cast<Section>(1 + random() % 7); break;
        case 2: c.width = c.planes.size() % 2 ? 1 : 2; break;
        case 3: b.columns.pop_back(); break;
        default:
          if (!c.planes.empty())
            c.planes[random() % c.planes.size()] ^= static_cast<std::uint8_t>(1 + random() % 255);
      }
      if (b.columns.empty()) b.columns.emplace_back();
    }
    const std::string path = written(bad);
    try {
      const TraceContent c = read_trace(path);
      for (const auto& k : c.kernels)
        for (const auto& block : k.blocks)
          for (const auto& warp : block.warps)
            for (const simt::WarpInstr& i : warp.instrs)
              for (unsigned l = 0; trace::is_memory(i.op) && l < simt::count_lanes(i.mask); ++l) {
                const simt::Addr a = warp.address(i, l);
                RC_ASSERT(a >= c.info.base && a < c.info.base + c.info.bytes);
              }
      ++harmless;
    } catch (const TraceError& error) {
      RC_ASSERT(std::string(error.what()).starts_with(path + ": block "));
      ++refused;
    }
  });
  fmt::print("{} refused, {} harmless\n", refused, harmless);
  EXPECT_GT(refused, 500u);
  EXPECT_GT(harmless, 100u);
}

TEST_F(TraceDamage, UnitsAndPassesThatCannotBeAreRefused) {
  TraceMaker make(11, 256);
  TraceContent c = make.content(1, 1, 1, 1);
  c.kernels[0].shape = {"units", 1, 32, 0, 32};
  const auto read = [&](simt::Op op, std::uint8_t low, std::uint8_t high) -> std::string {
    simt::WarpInstr i;
    i.op = op;
    i.mask = 1;
    i.count = 3;
    i.detail[0] = low;
    i.detail[1] = high;
    c.kernels[0].blocks = {{0, {{{i}, {}, {}, {}}}}};
    write_trace(path_, c);
    try {
      read_trace(path_);
    } catch (const TraceError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(read(simt::Op::alu, 2, 1), "");
  EXPECT_EQ(read(simt::Op::sfu, 4, 0), "");
  EXPECT_EQ(read(simt::Op::shared, 31, 0), "");
  for (const auto& [op, low, high] : {std::tuple{simt::Op::alu, 2, 2},
                                      {simt::Op::sfu, 1, 0},
                                      {simt::Op::sfu, 0, 1},
                                      {simt::Op::shared, 32, 0},
                                      {simt::Op::constant, 1, 0}})
    EXPECT_THAT(read(op, static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high)),
                HasSubstr(fmt::format("record 0: detail {:#06x} of operation {} with a count of 3", low | high << 8,
                                      static_cast<unsigned>(op))));
}

TEST_F(TraceDamage, NumbersThatDoNotFitAreRefused) {
  for (const char* key : {"base", "bytes", "blocks", "threads", "shared_bytes", "registers"})
    for (const char* number : {"-1", "1.5", "1e3", "18446744073709551616", "\"8\"", "true"}) {
      std::vector<trace::Block> bad = blocks();
      for (trace::Block& b : bad) {
        if (b.section != Section::program && b.section != Section::launch) continue;
        auto& planes = b.columns[0].planes;
        const std::string text(planes.begin(), planes.end());
        const std::string changed = std::regex_replace(text, std::regex(fmt::format("\"{}\":\\d+", key)),
                                                       fmt::format("\"{}\":{}", key, number));
        planes.assign(changed.begin(), changed.end());
      }
      try {
        read_trace(written(bad));
        ADD_FAILURE() << key << " " << number;
      } catch (const TraceError& error) {
        EXPECT_THAT(error.what(), HasSubstr(fmt::format("'{}' is ", key))) << number;
        EXPECT_THAT(error.what(), HasSubstr("expected a whole number of at most "));
      }
    }
}

TEST_F(TraceDamage, OrderDependentRangesAreTwoWholeNumbers) {
  for (const char* ranges : {"[[1e300,1]]", "[[0,-1]]", "[[1]]", "[7]", "{\"a\":[0,1]}", "[{\"at\":1}]", "true"}) {
    std::vector<trace::Block> bad = blocks();
    auto& planes = bad.front().columns[0].planes;
    const std::string text(planes.begin(), planes.end());
    const std::string changed =
        std::regex_replace(text, std::regex("\"order_dependent\":(\\[[^\\]]*\\]|\\[.*?\\]\\])"),
                           fmt::format("\"order_dependent\":{}", ranges));
    ASSERT_NE(changed, text);
    planes.assign(changed.begin(), changed.end());
    EXPECT_THROW(read_trace(written(bad)), TraceError) << ranges;
  }
}

TEST(TraceWriting, NothingIsLeftWithoutFinish) {
  const Scratch folder;
  {
    trace::TraceWriter out(folder.path("t"), {});
    EXPECT_EQ(files_in(folder), 1u);
  }
  EXPECT_EQ(files_in(folder), 0u);
  EXPECT_THROW(trace::TraceWriter(folder.path("no/where"), {}), TraceError);
}

}  // namespace
}  // namespace warpsieve::tb
