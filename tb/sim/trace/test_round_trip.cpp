// What is written comes back, at every size of trace; how large and how fast.
#include <fmt/format.h>
#include <zlib.h>

#include <ctime>

#include "support.h"
#include "support/property.h"
#include "trace/replay.h"

namespace warpsieve::tb {
namespace {

void expect_round_trip(const Scratch& folder, const TraceContent& content) {
  write_trace(folder.path("t"), content);
  const std::string what = difference(content, read_trace(folder.path("t")));
  if (!what.empty()) throw std::runtime_error("read back differs: " + what);
}

TEST(TraceRoundTrip, RandomSmallTraces) {
  const Scratch folder;
  check_property("trace: small ones come back", 60, [&](std::uint64_t seed) {
    TraceMaker make(seed, 256 * (1 + seed % 40));
    expect_round_trip(folder, make.content(3, 4, 3, 40));
  });
}

TEST(TraceRoundTrip, RandomTracesOfSeveralBlocks) {
  const Scratch folder;
  check_property("trace: warps across blocks come back", 6, [&](std::uint64_t seed) {
    TraceMaker make(seed, 3 << 20);
    make.host_write_bytes = 3 << 20;  // and host writes across blocks
    expect_round_trip(folder, make.content(2, 3, 2, 20000));
  });
}

/// Columns of the first records block.
std::size_t record_columns(const std::string& path) {
  trace::BlockReader in(path);
  trace::Block b;
  do in.next(b);
  while (b.section != trace::Section::records);
  return b.columns.size();
}

TEST(TraceRoundTrip, WithoutUnitsAndPassesTheBlocksAreThoseOfBefore) {
  const Scratch folder;
  for (const bool details : {false, true}) {
    TraceMaker make(3, 4096);
    make.details = details;
    TraceContent c = make.content(1, 1, 1, 1);
    c.kernels[0].shape = {"units", 1, 32, 0, 32};
    c.kernels[0].blocks = {{0, {make.warp(500)}}};
    expect_round_trip(folder, c);
    EXPECT_EQ(record_columns(folder.path("t")), details ? 13u : 12u);
  }
}

TEST(TraceRoundTrip, WarpsThatEndExactlyWithABlockAndEmptyOnes) {
  const Scratch folder;
  TraceMaker make(1, 4096);
  TraceContent c = make.content(1, 1, 1, 1);
  auto& k = c.kernels[0];
  k.shape = {"exact", 2, 128, 0, 32};
  k.blocks = {{0, {make.warp(8192), make.warp(0), make.warp(8191), make.warp(1)}},
              {1, {make.warp(0), make.warp(8192), make.warp(8193), make.warp(0)}}};
  expect_round_trip(folder, c);
}

TEST(TraceRoundTrip, MoreEmptyWarpsThanABlockHasRuns) {
  const Scratch folder;
  TraceMaker make(1, 4096);
  TraceContent c = make.content(1, 1, 1, 1);
  c.kernels[0].shape = {"idle", 300, 1024, 0, 32};
  c.kernels[0].blocks.clear();
  for (std::uint32_t b = 0; b < 300; ++b) c.kernels[0].blocks.push_back({b, std::vector<simt::WarpTrace>(32)});
  expect_round_trip(folder, c);
}

TEST(TraceRoundTrip, ManyHostWritesAndAnUnchangedMemory) {
  const Scratch folder;
  TraceMaker make(2, 65536);
  TraceContent c = make.content(1, 1, 1, 10);
  c.last = c.first;
  c.after.clear();
  for (unsigned i = 0; i < 20000; ++i) c.after.push_back({kTraceBase + i, {make.byte()}});
  expect_round_trip(folder, c);
}

/// Bytes per record of full blocks of one kind of access; mask, base, stride, operands and sources are random.
double measure(const Scratch& folder, const std::string& name, simt::Op op, bool scattered, std::size_t records) {
  const std::uint64_t bytes = std::uint64_t{4} << 30;  // addresses only: no image block is needed to measure records
  std::mt19937_64 random(7);
  trace::ProgramInfo info{"random", "test", "", "recorded", kTraceBase, bytes, {}};
  trace::TraceWriter out(folder.path(name), info);
  out.launch({"random", 1, 32, 0, 32});
  simt::WarpTrace w;
  for (std::size_t r = 0; r < records; ++r) {
    simt::WarpInstr i;
    i.op = op;
    i.bytes = 4;
    i.mask = static_cast<std::uint32_t>(random()) | 1;
    i.payload = static_cast<std::uint32_t>(w.addresses.size());
    if (op == simt::Op::store) i.values = static_cast<std::uint32_t>(w.data.size());
    i.sources = static_cast<std::uint8_t>(random() % 4);
    for (unsigned s = 0; s < i.sources; ++s) i.source[s] = r ? static_cast<std::uint32_t>(random() % r) : 0;
    if (r == 0) i.sources = 0;
    // A random 4-byte word of the lower half of memory, and steps that stay inside.
    const std::uint64_t base = random() % (bytes / 8) * 4, step = random() % (bytes / 2 / 32 / 4) * 4;
    const std::uint64_t window = base & ~std::uint64_t{0xfffff};
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!(i.mask >> lane & 1)) continue;
      w.addresses.push_back(kTraceBase + (scattered ? window + random() % 0x40000 * 4 : base + lane * step));
      for (unsigned b = 0; op == simt::Op::store && b < 4; ++b) w.data.push_back(static_cast<std::uint8_t>(random()));
    }
    w.pack(simt::count_lanes(i.mask));
    w.instrs.push_back(i);
  }
  out.thread_block({0, {std::move(w)}});
  // Host writes flush the records; the file is dropped, as its memory was never written.
  out.host_writes({});
  return static_cast<double>(out.record_bytes()) / static_cast<double>(records);
}

TEST(TraceSize, RandomStridedRecordsStayUnderTheLimits) {
  const Scratch folder;
  const double load = measure(folder, "l", simt::Op::load, false, 4 * 8192);
  const double store = measure(folder, "s", simt::Op::store, false, 4 * 8192);
  const double gather = measure(folder, "g", simt::Op::load, true, 4 * 8192);
  fmt::print("bytes per record, random: address only {:.1f}, with data {:.1f}, gather in 1 MiB {:.1f}\n", load, store,
             gather);
  EXPECT_LE(load, 35);
  EXPECT_LE(store, 105);
  // 16 lanes of 20 random bits each cannot take less than 40 bytes; 5 bytes per lane unpacked would be 80 and more.
  EXPECT_GT(gather, 40);
  EXPECT_LE(gather, 75);
  EXPECT_EQ(files_in(folder), 0u);
}

/// A record is decoded and checked. The measure is a checksum that any machine has, taken in turn.
TEST(TraceSpeed, CheckTakesAFewChecksumsOfItsRecords) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitized build says nothing about speed";
#endif
  const Scratch folder;
  TraceMaker make(3, 1 << 20);
  TraceContent c = make.content(1, 1, 1, 1);
  c.kernels[0].shape = {"speed", 16, 256, 0, 32};
  c.kernels[0].blocks.clear();
  for (std::uint32_t b = 0; b < 16; ++b) {
    c.kernels[0].blocks.push_back({b, {}});
    for (unsigned w = 0; w < 8; ++w) c.kernels[0].blocks.back().warps.push_back(make.warp(4000));
  }
  write_trace(folder.path("t"), c);
  constexpr std::uint64_t kRecords = 16 * 8 * 4000;
  constexpr std::size_t kRecordBytes = 32 * 8;  // addresses of the lanes
  const std::vector<Bytef> record(kRecordBytes, 0xa5);
  std::clock_t check = 0, checksums = 0;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    ASSERT_EQ(trace::check_file(folder.path("t")).records, kRecords);
    const std::clock_t middle = std::clock();
    uLong sum = 0;
    for (std::uint64_t n = 0; n < kRecords; ++n) sum = crc32(sum, record.data(), kRecordBytes);
    ASSERT_NE(sum, 0u);
    const std::clock_t end = std::clock();
    check = i ? std::min(check, middle - start) : middle - start;
    checksums = i ? std::min(checksums, end - middle) : end - middle;
  }
  const double ratio = static_cast<double>(check) / static_cast<double>(std::max<std::clock_t>(checksums, 1));
  fmt::print("{} records of {} bytes: {:.2f} CPU seconds, {:.1f} times that of CRC-32 over their addresses\n",
             kRecords, std::filesystem::file_size(folder.path("t")), static_cast<double>(check) / CLOCKS_PER_SEC,
             ratio);
  EXPECT_LT(ratio, 4);
}

}  // namespace
}  // namespace warpsieve::tb
