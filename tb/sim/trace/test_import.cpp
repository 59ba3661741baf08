// Accel-Sim traces: what becomes of every kind of instruction, in each version and way of addresses.
#include <gmock/gmock.h>

#include "accelsim_support.h"
#include "memsys/gpu.h"
#include "packed.h"
#include "schemes/registry.h"
#include "trace/replay.h"

namespace warpsieve::tb {
namespace {

using simt::Op;
using simt::WarpInstr;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using trace::accelsim::Values;

/// Instructions of one warp alone in its grid.
simt::WarpTrace warp_of(const std::vector<std::string>& lines, unsigned version = 5, Values values = Values::none) {
  AccelSimTrace trace;
  const TraceContent c =
      trace.imported(kernel_header(version, "1,1,1", "32,1,1") + thread_block("0,0,0", {lines}), values);
  return c.kernels.at(0).blocks.at(0).warps.at(0);
}

std::vector<simt::Addr> addresses_of(const simt::WarpTrace& w, std::size_t record) {
  const WarpInstr& i = w.instrs.at(record);
  simt::LaneAddresses room;
  const simt::Addr* const first = w.list(i, room);
  return {first, first + std::popcount(i.mask)};
}

std::vector<std::uint32_t> sources_of(const WarpInstr& i) {
  std::vector<std::uint32_t> out(i.source, i.source + i.sources);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Import, HeaderBecomesTheLaunchInEveryVersion) {
  for (const unsigned version : {3u, 4u, 5u}) {
    AccelSimTrace trace;
    std::string text = kernel_header(version, "2,1,2", "20,2,1");
    for (const char* number : {"0,0,0", "1,0,0", "0,0,1", "1,0,1"})
      text += thread_block(number, {{"0000 ffffffff 0 NOP 0 0"}, {"0000 000000ff 0 EXIT 0 0"}});
    const TraceContent c = trace.imported(text);
    ASSERT_EQ(c.kernels.size(), 1u);
    const simt::LaunchShape& shape = c.kernels[0].shape;
    EXPECT_EQ(shape.kernel, "_Z3addPfS_");
    EXPECT_EQ(shape.blocks, 4u);
    EXPECT_EQ(shape.threads, 40u);
    EXPECT_EQ(shape.shared_bytes, 256u);
    EXPECT_EQ(shape.registers, 18u);
    ASSERT_EQ(c.kernels[0].blocks.size(), 4u);
    ASSERT_EQ(c.kernels[0].blocks[3].warps.size(), 2u);
    EXPECT_EQ(c.kernels[0].blocks[3].warps[1].instrs.at(0).mask, 0xffu);
    EXPECT_EQ(c.info.workload, "made");
    EXPECT_EQ(c.info.values, "none");
    EXPECT_EQ(c.info.made_with, fmt::format("Accel-Sim tracer version {}, sm_70, values none", version));
  }
}

TEST(Import, EachWayOfAddresses) {
  for (const unsigned version : {3u, 4u, 5u}) {
    const std::string end = version == 5 ? " 0" : "";
    // Lanes 0, 1 and 31: all addresses; 0 to 3: base and stride; 0, 2 and 4: base and steps, one backwards.
    const simt::WarpTrace w = warp_of(
        {"0010 80000003 1 R2 LDG.E.SYS 1 R4 4 0 0x00007f4000000010 0x00007f4000000004 0x00007f4000020008" + end,
         "0020 0000000f 1 R3 LDG.E.64.SYS 1 R6 8 1 0x7f4000000100 -16" + end,
         "0030 00000015 0 STG.E.128 2 R8 R12 16 2 0x7f4000000200 512 -256" + end,
         "0040 00000010 1 R5 LDG.E.U8 1 R4 1 2 0x7f4000000003" + end},
        version);
    ASSERT_EQ(w.instrs.size(), 4u);
    const simt::Addr base = 0x10000000;  // page 0x7f400000 is the first used one, 0x7f400002 the second
    EXPECT_THAT(addresses_of(w, 0), ElementsAre(base + 0x10, base + 0x4, base + 0x10008));
    EXPECT_THAT(addresses_of(w, 1), ElementsAre(base + 0x100, base + 0xf0, base + 0xe0, base + 0xd0));
    EXPECT_THAT(addresses_of(w, 2), ElementsAre(base + 0x200, base + 0x400, base + 0x300));
    EXPECT_THAT(addresses_of(w, 3), ElementsAre(base + 3));
    EXPECT_EQ(w.instrs[0].bytes, 4);
    EXPECT_EQ(w.instrs[1].bytes, 8);
    EXPECT_EQ(w.instrs[2].bytes, 16);
    EXPECT_EQ(w.instrs[3].bytes, 1);
    EXPECT_EQ(w.instrs[0].op, Op::load);
    EXPECT_EQ(w.instrs[2].op, Op::store);
    EXPECT_EQ(w.instrs[0].mask, 0x80000003u);
  }
}

TEST(Import, LineNumbersAndImmediatesAreReadAndDropped) {
  AccelSimTrace trace;
  const std::string line = "0010 00000001 1 R2 LDG.E 1 R4 4 1 0x7f4000000040 0";
  for (const char* end : {"", " 0", " -7", " 0x12", " 18446744073709551615"}) {
    const TraceContent c =
        trace.imported(kernel_header(4, "1,1,1", "32,1,1", true) + thread_block("0,0,0", {{"117 " + line + end}}));
    EXPECT_THAT(addresses_of(c.kernels[0].blocks[0].warps[0], 0), ElementsAre(0x10000040));
  }
}

TEST(Import, OpcodesBecomeTheirClasses) {
  const std::vector<std::pair<std::string, Op>> cases = {
      {"FFMA", Op::alu},           {"IMAD.MOV.U32", Op::alu}, {"HFMA2.MMA", Op::alu},     {"BRA", Op::alu},
      {"SHFL.IDX", Op::alu},       {"MEMBAR.SC", Op::alu},    {"MUFU.RCP", Op::sfu},      {"DFMA", Op::sfu},
      {"HMMA.16816.F32", Op::sfu}, {"LDC.64", Op::constant},  {"ULDC", Op::constant},     {"LDS.U.128", Op::shared},
      {"STS", Op::shared},         {"ATOMS.ADD", Op::shared}, {"TEX.SCR.LL", Op::shared}, {"BAR.SYNC", Op::barrier},
      {"BAR.ARV", Op::alu},        {"UIADD3", Op::alu}};
  std::vector<std::string> lines;
  for (const auto& [opcode, op] : cases) lines.push_back(fmt::format("0000 ffffffff 1 R9 {} 1 R1 0", opcode));
  const simt::WarpTrace w = warp_of(lines);
  ASSERT_EQ(w.instrs.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(w.instrs[i].op, cases[i].second) << cases[i].first;
}

TEST(Import, OpcodesNeedTheirUnits) {
  using simt::Unit;
  const std::vector<std::pair<std::string, Unit>> cases = {{"FFMA", Unit::single_precision},
                                                           {"HFMA2.MMA", Unit::single_precision},
                                                           {"IMAD.WIDE", Unit::integer},
                                                           {"I2F.F64", Unit::integer},
                                                           {"BRA", Unit::integer},
                                                           {"BAR.ARV", Unit::integer},
                                                           {"MUFU.RCP64H", Unit::special},
                                                           {"DFMA", Unit::double_precision},
                                                           {"DSETP.MAX", Unit::double_precision},
                                                           {"HMMA.16816.F32", Unit::matrix},
                                                           {"DMMA.884", Unit::matrix}};
  std::vector<std::string> lines;
  for (const auto& [opcode, unit] : cases) lines.push_back(fmt::format("0000 ffffffff 1 R9 {} 1 R1 0", opcode));
  const simt::WarpTrace w = warp_of(lines);
  ASSERT_EQ(w.instrs.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(w.instrs[i].unit(), cases[i].second) << cases[i].first;
}

TEST(Import, SharedAccessesHaveTheConflictsOfTheirAddresses) {
  const simt::WarpTrace w =
      warp_of({"0000 ffffffff 1 R0 LDS.U 1 R2 4 1 0x0 4 0",            // neighbours
               "0000 ffffffff 1 R0 LDS.U 1 R2 4 1 0x40 128 0",         // one bank
               "0000 ffffffff 1 R0 LDS.U 1 R2 4 1 0x40 0 0",           // one word
               "0000 ffffffff 0 STS.128 2 R2 R4 16 1 0x0 16 0",        // four passes without conflicts
               "0000 0000ffff 0 STS 2 R2 R4 4 1 0x0 8 0",              // every other bank
               "0000 000000ff 0 STS 2 R2 R4 4 1 0x0 64 0",             // two banks
               "0000 ffffffff 1 R0 LD.E 1 R2 4 1 0x7f2000000100 8 0",  // generic
               "0000 ffffffff 1 R9 TEX.SCR.LL 1 R1 0"});               // no address known
  std::vector<unsigned> passes;
  for (const WarpInstr& i : w.instrs) {
    EXPECT_EQ(i.op, Op::shared);
    passes.push_back(i.passes());
  }
  EXPECT_THAT(passes, ElementsAre(1, 32, 1, 4, 1, 4, 2, 1));
}

TEST(Import, AtomicsAreOneWordPerLane) {
  const simt::WarpTrace w = warp_of({"0000 00000003 0 RED.E.ADD.F32.FTZ.RN.STRONG.GPU 2 R2 R4 4 1 0x7f4000000000 4",
                                     "0000 00000003 1 R0 ATOMG.E.CAS.64 3 R2 R4 R6 8 1 0x7f4000000010 8",
                                     "0000 00000001 1 R0 ATOM.E.ADD.U16 2 R2 R4 2 1 0x7f4000000022 2"});
  ASSERT_EQ(w.instrs.size(), 3u);
  for (const WarpInstr& i : w.instrs) {
    EXPECT_EQ(i.op, Op::atomic);
    EXPECT_EQ(i.atomic, simt::AtomicOp::exch_u32);
    EXPECT_EQ(i.bytes, 4);
  }
  EXPECT_THAT(addresses_of(w, 1), ElementsAre(0x10000010, 0x10000018));
  EXPECT_THAT(addresses_of(w, 2), ElementsAre(0x10000020));
}

TEST(Import, GenericAddressesGoWhereTheyPoint) {
  const simt::WarpTrace w = warp_of({"0000 00000001 1 R0 LD.E 1 R2 4 1 0x7f4000000100 0",  // global
                                     "0000 00000001 1 R0 LD.E 1 R2 4 1 0x7f2000000100 0",  // window of shared memory
                                     "0000 00000001 1 R0 LD.E 1 R2 4 1 0x7f2002fffd00 0",  // window of local memory
                                     "0000 00000001 0 ST.E 2 R2 R4 4 1 0x7f2000000100 0",
                                     "0000 00000001 1 R0 ATOM.E.ADD 2 R2 R4 4 1 0x7f2000000100 0"});
  ASSERT_EQ(w.instrs.size(), 5u);
  const Op want[] = {Op::load, Op::shared, Op::load, Op::shared, Op::shared};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(w.instrs[i].op, want[i]) << i;
  EXPECT_THAT(addresses_of(w, 0), ElementsAre(0x10000100));
  EXPECT_THAT(addresses_of(w, 2), ElementsAre(0x10010000));  // behind the one page
}

TEST(Import, LocalWordsOfAllLanesLieSideBySide) {
  AccelSimTrace trace;
  std::string text = kernel_header(5, "2,1,1", "64,1,1");
  for (const char* number : {"0,0,0", "1,0,0"})
    text += thread_block(number, {{"0000 ffffffff 0 STL.64 2 R1 R4 8 1 0xfffd40 0 0"},
                                  {"0000 80000001 1 R4 LDL 1 R1 4 0 0xfffd48 0xfffd40 0"}});
  const TraceContent c = trace.imported(text);
  const simt::Addr base = 0x10000000;  // words 0xfffd40 to 0xfffd48: three of each thread
  for (std::uint32_t block = 0; block < 2; ++block) {
    const simt::WarpTrace &first = c.kernels[0].blocks[block].warps[0], &second = c.kernels[0].blocks[block].warps[1];
    ASSERT_EQ(first.instrs.size(), 2u);  // two words
    const simt::Addr at = base + block * 2 * 3 * 128;
    for (unsigned lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(addresses_of(first, 0)[lane], at + 4 * lane);
      EXPECT_EQ(addresses_of(first, 1)[lane], at + 128 + 4 * lane);
    }
    EXPECT_THAT(addresses_of(second, 0), ElementsAre(at + 3 * 128 + 256, at + 3 * 128 + 31 * 4));
  }
}

TEST(Import, DefUseFollowsRegistersWithTheirWidth) {
  const simt::WarpTrace w = warp_of({
      "0000 ffffffff 1 R4 LDG.E.128 1 R2 16 1 0x7f4000000000 16 0",  // 0: makes R4 to R7
      "0000 ffffffff 1 R8 IADD3 2 R7 R255 0 0",                      // 1: reads R7
      "0000 ffffffff 1 R255 IADD3 1 R8 0 0",                         // 2: reads R8, makes nothing
      "0000 ffffffff 1 R9 MOV 1 R255 0 0",                           // 3: reads nothing
      "0000 ffffffff 1 R10 DADD 2 R6 R8 0 0",                        // 4: reads R6, R7, R8, R9
      "0000 ffffffff 1 R3 MOV 0 0 0",                                // 5: upper half of the address below
      "0000 ffffffff 0 STG.E.64 2 R2 R10 8 1 0x7f4000001000 8 0",    // 6: reads R2, R3, R10, R11
      "0000 ffffffff 1 R12 LDG 1 R2 4 1 0x7f4000001000 4 0",         // 7: 32-bit address: R2 alone
      "0000 00000000 1 R12 MOV 0 0 0",                               // no lane: left out, makes nothing
      "0000 ffffffff 1 R13 FADD 2 R12 R12 0 0",                      // 8
  });
  ASSERT_EQ(w.instrs.size(), 9u);
  EXPECT_THAT(sources_of(w.instrs[1]), ElementsAre(0));
  EXPECT_THAT(sources_of(w.instrs[2]), ElementsAre(1));
  EXPECT_THAT(sources_of(w.instrs[3]), ElementsAre());
  EXPECT_THAT(sources_of(w.instrs[4]), ElementsAre(0, 1, 3));
  EXPECT_THAT(sources_of(w.instrs[6]), ElementsAre(4, 5));
  EXPECT_THAT(sources_of(w.instrs[7]), ElementsAre());
  EXPECT_THAT(sources_of(w.instrs[8]), ElementsAre(7));
}

TEST(Import, OfFourSourcesTheLatestThreeStay) {
  const simt::WarpTrace w =
      warp_of({"0000 ffffffff 1 R0 MOV 0 0", "0000 ffffffff 1 R1 MOV 0 0", "0000 ffffffff 1 R2 MOV 0 0",
               "0000 ffffffff 1 R3 MOV 0 0", "0000 ffffffff 1 R9 IDP 4 R2 R0 R3 R1 0"});
  EXPECT_THAT(sources_of(w.instrs[4]), ElementsAre(1, 2, 3));
}

TEST(Import, WaitsForCopiesToSharedMemory) {
  const std::string copy = "0000 ffffffff 0 LDGSTS.E.BYPASS.128 2 R1 R2 16 1 0x7f4000000000 16 0";
  const simt::WarpTrace w = warp_of({copy, "0000 ffffffff 0 LDGDEPBAR 0 0 0", copy, copy,
                                     "0000 ffffffff 0 LDGDEPBAR 0 0 0", "0000 ffffffff 0 DEPBAR.LE 0 0 2",
                                     "0000 ffffffff 0 DEPBAR.LE 0 0 1", "0000 ffffffff 0 DEPBAR.LE 0 0 0"});
  ASSERT_EQ(w.instrs.size(), 8u);
  EXPECT_EQ(w.instrs[0].op, Op::load);
  EXPECT_THAT(sources_of(w.instrs[5]), ElementsAre());
  EXPECT_THAT(sources_of(w.instrs[6]), ElementsAre(0));
  EXPECT_THAT(sources_of(w.instrs[7]), ElementsAre(0, 2, 3));
}

TEST(Import, ValuesAreMadeUpAsAsked) {
  const std::string kernel = kernel_header(5, "1,1,1", "32,1,1") +
                             thread_block("0,0,0", {{"0000 00000003 0 STG.E.U16 2 R2 R4 2 1 0x7f4000000102 2 0",
                                                     "0000 00000001 0 RED.E.ADD 2 R2 R4 4 1 0x7f4000000200 4 0"}});
  for (const Values values : {Values::none, Values::zero, Values::random, Values::address}) {
    AccelSimTrace trace;
    const TraceContent c = trace.imported(kernel, values);
    EXPECT_EQ(c.info.values, trace::accelsim::name(values));
    ASSERT_EQ(c.first.size(), 65536u);
    const simt::WarpTrace& w = c.kernels[0].blocks[0].warps[0];
    EXPECT_EQ(w.instrs[0].bytes, 2);
    ASSERT_EQ(w.data.size(), 8u);
    // Memory at the end holds what was written, and only there it differs from the start.
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < c.first.size(); ++i)
      if (c.first[i] != c.last[i]) changed.push_back(i);
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(c.last[0x102 + i], w.data[i]);
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(c.last[0x200 + i], w.data[4 + i]);
    std::uint32_t word;
    std::memcpy(&word, c.first.data() + 0x400, 4);
    if (values == Values::random) {
      EXPECT_THAT(changed, ElementsAre(0x102, 0x103, 0x104, 0x105, 0x200, 0x201, 0x202, 0x203));
      EXPECT_EQ(std::set<std::uint8_t>(c.first.begin(), c.first.end()).size(), 256u);
    } else {
      EXPECT_THAT(changed, ElementsAre());
      EXPECT_EQ(word, values == Values::address ? 0x10000400u : 0u);
    }
  }
}

TEST(Import, CopiesFromTheHostAreMemoryAndWrites) {
  AccelSimTrace trace;
  trace.add("kernel-1.traceg",
            kernel_header(5, "1,1,1", "32,1,1") + thread_block("0,0,0", {{"0000 00000001 0 EXIT 0 0 0"}}));
  trace.list(
      "MemcpyHtoD,0x00007f4000000000,100000\nkernel-1.traceg\nMemcpyDtoH,0x00007f4000000000,100000\n"
      "MemcpyHtoD,0x00007f400001fff0,32\n\nkernel-1.traceg\nMemcpyHtoD,0x00007f4000000000,3\n");
  const auto report = trace.import(Values::random);
  EXPECT_EQ(report.copies, 3u);
  EXPECT_EQ(report.instructions, 2u);
  const TraceContent c = read_trace(trace.output());
  EXPECT_EQ(c.first.size(), 3u * 65536);  // 0x7f4000000000 to 0x7f400002000f
  ASSERT_EQ(c.kernels.size(), 2u);
  EXPECT_TRUE(c.kernels[0].before.empty());
  ASSERT_EQ(c.kernels[1].before.size(), 1u);
  EXPECT_EQ(c.kernels[1].before[0].address, 0x1001fff0u);
  EXPECT_EQ(c.kernels[1].before[0].bytes.size(), 32u);
  ASSERT_EQ(c.after.size(), 1u);
  EXPECT_EQ(std::vector<std::uint8_t>(c.last.begin(), c.last.begin() + 3), c.after[0].bytes);
  EXPECT_NE(std::vector<std::uint8_t>(c.first.begin(), c.first.begin() + 3), c.after[0].bytes);
}

TEST(Import, OtherLinesOfTheListAreSkippedAndCounted) {
  AccelSimTrace trace;
  trace.add("kernel-1.traceg",
            kernel_header(5, "1,1,1", "32,1,1") + thread_block("0,0,0", {{"0000 00000001 0 EXIT 0 0 0"}}));
  trace.list(
      "MemcpyHtoD,0x10000,16\nMemcpyDtoD,0x10000,0x20000,512\nncclGroupStart\nkernel-1.traceg\n"
      "ncclAllReduce\nncclGroupEnd\nMemcpyDtoH,0x10000,16\n");
  const auto report = trace.import();
  EXPECT_EQ(report.copies, 1u);
  EXPECT_EQ(report.totals.launches, 1u);
  EXPECT_EQ(report.skipped, 5u);
  EXPECT_EQ(report.first_skipped, "line 2: 'MemcpyDtoD,0x10000,0x20000,512'");
}

/// A kernel with many different lines, larger than the reader's pieces.
std::string long_kernel() {
  std::vector<std::string> lines;
  for (unsigned i = 0; i < 4000; ++i)
    lines.push_back(
        fmt::format("{:04x} ffffffff 1 R{} LDG.E 1 R2 4 1 {:#x} 4 0", i, i % 200, 0x7f4000000000 + 64 * i));
  return kernel_header(5, "1,1,1", "32,1,1") + thread_block("0,0,0", {lines});
}

TEST(Import, CompressedFilesAreThatOfThePlainOne) {
  const std::string text = long_kernel(), half = text.substr(0, 50000), rest = text.substr(50000);
  AccelSimTrace plain;
  const TraceContent want = plain.imported(text);
  ASSERT_EQ(want.kernels[0].blocks[0].warps[0].instrs.size(), 4000u);
  // Also as several members or streams, and under the list's name without ending.
  for (const auto& [ending, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"", gzipped(text)},
           {".gz", gzipped(text)},
           {".gz", gzipped(half) + gzipped(rest) + std::string(512, '\0')},
           {"", xzipped(text)},
           {".xz", xzipped(text)},
           {".xz", xzipped(half) + xzipped(rest)}}) {
    AccelSimTrace packed;
    packed.add("kernel-1.traceg" + ending, bytes);
    packed.list("kernel-1.traceg\n");
    packed.import();
    EXPECT_EQ(difference(read_trace(packed.output()), want), "") << ending;
  }
}

TEST(Import, TruncatedOrDamagedCompressedFilesAreRefused) {
  const std::string text = long_kernel();
  for (const std::string& packed : {gzipped(text), xzipped(text)}) {
    AccelSimTrace trace;
    trace.list("kernel-1.traceg\n");
    for (std::size_t n = 6; n < packed.size(); n += 1 + packed.size() / 40) {
      trace.add("kernel-1.traceg", packed.substr(0, n));
      EXPECT_THAT(
          trace.refused(),
          ::testing::MatchesRegex("kernel-1.traceg:[0-9]+: expected readable data, found the compressed data end "
                                  "too early"))
          << n;
      std::string flipped = packed;
      flipped[n] = static_cast<char>(flipped[n] ^ 0x55);
      trace.add("kernel-1.traceg", flipped);
      const std::string what = trace.refused();
      if (n >= 10) {  // gzip's head holds a time and a system, which mean nothing here
        EXPECT_THAT(what, ::testing::MatchesRegex("kernel-1.traceg:[0-9]+: expected .*, found .*")) << n;
      }
    }
  }
}

/// Two kernels that use all kinds of memory, with 8 thread blocks of 3 warps that write to common places.
void mixed_program(AccelSimTrace& trace) {
  for (unsigned k = 1; k <= 2; ++k) {
    std::string text = kernel_header(5, "8,1,1", "96,1,1");
    for (unsigned b = 0; b < 8; ++b) {
      std::vector<std::vector<std::string>> warps;
      for (unsigned w = 0; w < 3; ++w) {
        const std::uint64_t at = 0x7f4000000000 + 4096 * b + 1024 * w;
        std::vector<std::string> lines = {
            fmt::format("0000 ffffffff 1 R4 LDG.E 1 R2 4 1 {:#x} 4 0", at),
            fmt::format("0010 0fffffff 1 R6 LDG.E.64 1 R4 8 1 {:#x} 8 0", at + 256),
            fmt::format("0020 ffffffff 0 STG.E 2 R2 R4 4 1 {:#x} 4 0", at + 512),
            "0030 ffffffff 0 STG.E 2 R2 R4 4 1 0x7f4000100000 4 0",  // every warp of every block
            "0040 ffffffff 0 RED.E.ADD 2 R2 R4 4 1 0x7f4000100000 0 0",
            "0050 ffffffff 1 R7 ATOMG.E.MIN 2 R2 R4 4 1 0x7f4000100040 4 0",
            "0060 ffffffff 0 STL.128 2 R1 R8 16 1 0xfffc00 0 0",
            "0070 ffffffff 0 BAR.SYNC 0 0 0",
            "0080 ffffffff 1 R8 LDL.64 1 R1 8 1 0xfffc08 0 0",
            "0090 ffffffff 0 STG.E.U8 2 R2 R8 1 1 0x7f4000100101 1 0"};
        for (unsigned i = 0; i < 20; ++i)
          lines.push_back(fmt::format("{:04x} ffffffff 1 R{} LDG.E.128 1 R6 16 2 {:#x}{} 0", 160 + 16 * i, 20 + i,
                                      0x7f4000200000 + 8192 * ((i * 7 + b * 3 + w) % 64), [] {
                                        std::string deltas;
                                        for (unsigned l = 0; l < 31; ++l) deltas += l % 5 ? " 16" : " 240";
                                        return deltas;
                                      }()));
        lines.push_back("0400 ffffffff 0 EXIT 0 0 0");
        warps.push_back(lines);
      }
      text += thread_block(fmt::format("{},0,0", b), warps);
    }
    trace.add(fmt::format("kernel-{}.traceg", k), text);
  }
  trace.list("MemcpyHtoD,0x7f4000000000,65536\nkernel-1.traceg\nMemcpyHtoD,0x7f4000200000,4096\nkernel-2.traceg\n");
}

TEST(Import, RunsWithCleanDataUnderEveryScheme) {
  AccelSimTrace trace;
  mixed_program(trace);
  for (const auto& [scheme, profile, values] :
       std::vector<std::tuple<std::string, std::string, Values>>{{"baseline", "cmd-quarter", Values::none},
                                                                 {"rata", "rata-quarter", Values::none},
                                                                 {"justit", "justit-quarter", Values::none},
                                                                 {"baseline", "cmd-quarter", Values::random},
                                                                 {"rata", "rata-quarter", Values::random},
                                                                 {"justit", "justit-quarter", Values::random},
                                                                 {"cmd", "cmd-quarter", Values::zero},
                                                                 {"cmd", "cmd-quarter", Values::random},
                                                                 {"bpc", "cmd-quarter", Values::address},
                                                                 {"df_man+rc", "dpc-quarter", Values::random}}) {
    trace.import(values);
    trace::TraceWorkload program(trace.output());
    EXPECT_EQ(program.name(), fmt::format("trace:made [values {}]", trace::accelsim::name(values)));
    const memsys::Profile machine = memsys::load_profile(profile);
    schemes::SchemeOptions options;
    options.machine = &machine;
    const auto s = schemes::make_scheme(scheme, options);
    const memsys::Result result = memsys::Gpu(machine, *s, program).run();
    EXPECT_TRUE(result.clean) << scheme << ": " << result.integrity.dump();
    EXPECT_EQ(result.verify, "") << scheme;
    // 2 kernels of 24 warps of 31 instructions; local accesses count for each word: 4 and 2.
    EXPECT_EQ(result.warp_instructions, 2u * 24 * (31 + 3 + 1)) << scheme;
  }
}

TEST(Import, SchemesThatLookAtDataAreKnown) {
  for (const char* scheme : {"baseline", "rata", "rata_ideal", "justit", "lamar", "l2_5mb"})
    EXPECT_FALSE(schemes::needs_values(scheme)) << scheme;
  for (const char* scheme : {"cmd", "dedup", "bpc", "bcd", "esd", "avc", "dpc", "rata+cmd", "cmd+bpc"})
    EXPECT_TRUE(schemes::needs_values(scheme)) << scheme;
}

}  // namespace
}  // namespace warpsieve::tb
