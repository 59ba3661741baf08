// Accel-Sim traces as they are found: long names, blocks in any order, paths, opcodes of later machines, footprints
// of hundreds of megabytes.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>

#include "accelsim_support.h"
#include "core/short_name.h"
#include "core/zeroed_bytes.h"
#include "memsys/gpu.h"
#include "packed.h"
#include "schemes/registry.h"
#include "trace/replay.h"

namespace warpsieve::tb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using trace::accelsim::Values;

constexpr const char* kExit = "0400 ffffffff 0 EXIT 0 0 0";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return text.replace(at, what.size(), with);
}

memsys::Result run(const std::string& file, const std::vector<std::string>& set = {}) {
  trace::TraceWorkload program(file);
  const memsys::Profile machine = memsys::load_profile("cmd-quarter", set);
  schemes::SchemeOptions options;
  options.machine = &machine;
  const auto scheme = schemes::make_scheme("baseline", options);
  return memsys::Gpu(machine, *scheme, program).run();
}

TEST(ImportLists, KernelNamesBeyond64KiB) {
  const std::string kernel = kernel_header(5, "1,1,1", "32,1,1") + thread_block("0,0,0", {{kExit}});
  for (const std::size_t size : {65536u, 70000u, 1u << 20}) {
    const std::string name = "_Z" + std::string(size, 'k') + "\"end";
    AccelSimTrace trace;
    const TraceContent c = trace.imported(replaced(kernel, "_Z3addPfS_", name));
    EXPECT_TRUE(c.kernels.at(0).shape.kernel == name);
    const memsys::Result result = run(trace.output());
    EXPECT_TRUE(result.clean);
    const auto shown = result.stats.at("kernels").at(0).at("kernel").get<std::string>();
    EXPECT_EQ(shown, short_name(name, kJsonName));
    EXPECT_LT(shown.size(), 600u);
  }
}

TEST(ImportLists, LongNamesAreCutForDisplayOnlyAndStayApart) {
  const std::string a(2000, 'a');
  EXPECT_EQ(short_name("_Z3addPfS_", 10), "_Z3addPfS_");
  EXPECT_THAT(short_name(a, 96), HasSubstr(std::string(48, 'a') + "... (2000 characters, "));
  EXPECT_NE(short_name(a + 'x', 96), short_name(a + 'y', 96));
  const std::string umlaut = "\xc3\xa4";  // one character of two bytes
  EXPECT_THAT(short_name("aaa" + umlaut + a, 8), HasSubstr("aaa..."));
}

/// A grid of 3 x 2 x 2 thread blocks that each write to a place of their own, in this order.
std::string blocks_in_order(const std::vector<unsigned>& order) {
  std::string out = kernel_header(5, "3,2,2", "64,1,1");
  for (const unsigned b : order) {
    const std::uint64_t at = 0x7f4000000000 + 4096 * b;
    std::vector<std::string> lines(1 + b, "0000 ffffffff 1 R4 IADD3 1 R4 0 0");
    lines.push_back(fmt::format("0010 ffffffff 0 STG.E 2 R2 R4 4 1 {:#x} 4 0", at));
    for (unsigned i = 0; i < 400; ++i)  // more than the reader holds at a time
      lines.push_back(fmt::format("{:04x} ffffffff 1 R4 LDG.E 1 R2 4 1 {:#x} 4 0", 32 + 16 * i, at + 128 * (i % 32)));
    out += thread_block(fmt::format("{},{},{}", b % 3, b / 3 % 2, b / 6), {lines, {kExit}});
  }
  return out;
}

TEST(ImportLists, ThreadBlocksInAnyOrder) {
  std::vector<unsigned> order(12);
  std::iota(order.begin(), order.end(), 0u);
  AccelSimTrace sorted;
  const TraceContent want = sorted.imported(blocks_in_order(order), Values::random);
  std::mt19937 random(7);
  for (unsigned n = 0; n < 6; ++n) {
    if (n == 0)
      std::swap(order[0], order[1]);
    else
      std::shuffle(order.begin(), order.end(), random);
    const std::string text = blocks_in_order(order);
    for (const std::string& bytes : {text, gzipped(text), xzipped(text)}) {
      AccelSimTrace trace;
      trace.add("kernel-1.traceg", bytes);
      trace.list("kernel-1.traceg\n");
      EXPECT_EQ(trace.import(Values::random).sorted, 1u);
      EXPECT_EQ(difference(read_trace(trace.output()), want), "");
    }
  }
}

TEST(ImportLists, MissingAndRepeatedThreadBlocksAreErrors) {
  AccelSimTrace trace;
  trace.list("kernel-1.traceg\n");
  trace.add("kernel-1.traceg", blocks_in_order({1, 0, 2, 3, 4, 5, 6, 7, 8, 10, 11}));
  EXPECT_THAT(trace.refused(), ::testing::MatchesRegex("kernel-1.traceg:[0-9]+: expected #BEGIN_TB of thread block "
                                                       "0,1,1, of 12 thread blocks, found the end of the file"));
  trace.add("kernel-1.traceg", blocks_in_order({0, 1, 2}));
  EXPECT_THAT(trace.refused(), HasSubstr("expected #BEGIN_TB of thread block 0,1,0, of 12 thread blocks, found "));
  for (const auto& order : std::vector<std::vector<unsigned>>{{0, 1, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                                                              {5, 1, 2, 3, 4, 1, 6, 7, 8, 9, 10, 11}}) {
    trace.add("kernel-1.traceg", blocks_in_order(order));
    EXPECT_THAT(trace.refused(), HasSubstr("expected each thread block once, found thread block 1,0,0 again"));
  }
  trace.add("kernel-1.traceg", replaced(blocks_in_order({0, 1}), "block = 1,0,0", "block = 3,0,0"));
  EXPECT_THAT(trace.refused(), HasSubstr("expected a thread block of the grid from 0 to 2, found '3,0,0'"));
}

TEST(ImportLists, KernelsByPath) {
  AccelSimTrace trace, other;
  const std::string kernel = kernel_header(5, "1,1,1", "32,1,1") + thread_block("0,0,0", {{kExit}});
  trace.add("kernel-1.traceg", kernel);
  trace.add("kernel-2.traceg.gz", gzipped(kernel));
  other.add("kernel-7.traceg", kernel);
  trace.list("./kernel-1.traceg\n" + other.path("kernel-7.traceg") + "\n./kernel-2.traceg\n.//kernel-1.traceg\n");
  EXPECT_EQ(trace.import().totals.launches, 4u);
  trace.list("kernel-1.traceg\n./kernel-9.traceg\n");
  EXPECT_EQ(trace.refused(), "kernelslist.g:2: expected the file of a kernel, found no file ./kernel-9.traceg");
  trace.list("kernel-1.traceg\n/nowhere/kernel-9.traceg\n");
  EXPECT_EQ(trace.refused(),
            "kernelslist.g:2: expected the file of a kernel, found no file /nowhere/kernel-9.traceg");
}

TEST(ImportLists, NinetySixKilobytesOfSharedMemory) {
  AccelSimTrace trace;
  const std::string kernel = kernel_header(5, "1,1,1", "32,1,1") + thread_block("0,0,0", {{kExit}});
  const TraceContent c = trace.imported(replaced(kernel, "-shmem = 256", "-shmem = 98304"));
  EXPECT_EQ(c.kernels.at(0).shape.shared_bytes, 98304u);
  EXPECT_TRUE(run(trace.output(), {"sm.shared_bytes=98304"}).clean);
  EXPECT_THROW(run(trace.output(), {"sm.shared_bytes=65536"}), std::invalid_argument);
}

std::string with_unknown() {
  return kernel_header(5, "1,1,1", "32,1,1") +
         thread_block("0,0,0", {{"0000 ffffffff 1 R4 FROB.E.64 1 R4 0 0", "0010 ffffffff 1 R4 UQMMA 1 R4 0 0",
                                 "0020 ffffffff 0 FROB 1 R4 4 1 0x7f4000000000 4 0",
                                 "0030 ffffffff 1 R4 LDSX.64 1 R4 8 1 0x10 4 0", "0040 ffffffff 1 R5 ULDCX 1 R4 0 0",
                                 "0050 ffffffff 0 FROB 1 R5 0 0", kExit}});
}

TEST(ImportLists, UnknownOpcodesCountAsTheirFamily) {
  AccelSimTrace trace;
  trace.add("kernel-1.traceg", with_unknown());
  trace.list("kernel-1.traceg\nkernel-1.traceg\n");
  const auto report = trace.import();
  const TraceContent c = read_trace(trace.output());
  const auto& instrs = c.kernels.at(1).blocks.at(0).warps.at(0).instrs;
  std::vector<simt::Op> ops;
  for (const simt::WarpInstr& i : instrs) ops.push_back(i.op);
  using enum simt::Op;
  EXPECT_THAT(ops, ElementsAre(alu, sfu, alu, shared, constant, alu, alu));
  EXPECT_EQ(instrs[1].sources, 1);  // a result of an unknown opcode is waited for
  ASSERT_EQ(report.unknown.size(), 4u);
  const auto& frob = report.unknown[0];
  EXPECT_EQ(frob.name, "FROB");
  EXPECT_EQ(frob.counts_as, "alu");
  EXPECT_EQ(frob.count, 6u);  // two launches, each counted once although files are read twice
  EXPECT_EQ(frob.accesses, 2u);
  EXPECT_EQ(frob.line, 24u);
  EXPECT_EQ(frob.file, trace.path("kernel-1.traceg"));
  EXPECT_EQ(report.unknown[1].counts_as, "shared");
  EXPECT_EQ(report.unknown[1].accesses, 0u);
  EXPECT_EQ(report.unknown[2].counts_as, "constant");
  EXPECT_EQ(report.unknown[3].counts_as, "sfu");
  EXPECT_THAT(c.info.made_with, HasSubstr(", 12 instructions of unknown opcodes"));
  EXPECT_TRUE(run(trace.output()).clean);
}

TEST(ImportLists, StrictRefusesUnknownOpcodes) {
  AccelSimTrace trace;
  trace.add("kernel-1.traceg", with_unknown());
  trace.list("kernel-1.traceg\n");
  try {
    trace::accelsim::import_trace(
        {trace.path("kernelslist.g"), trace.output(), "made", Values::none, 1, "test", true});
    ADD_FAILURE();
  } catch (const trace::TraceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("kernel-1.traceg:24: expected a known opcode, found 'FROB.E.64'"));
  }
  EXPECT_FALSE(std::filesystem::exists(trace.output()));
}

/// 1,000 loads and 8 stores of one warp each, spread over a copy from the host.
void spread(AccelSimTrace& trace, std::uint64_t bytes) {
  std::string text = kernel_header(5, "8,1,1", "32,1,1");
  for (unsigned b = 0; b < 8; ++b) {
    std::vector<std::string> lines;
    for (unsigned i = 0; i < 125; ++i)
      lines.push_back(fmt::format("{:04x} ffffffff 1 R{} LDG.E 1 R2 4 1 {:#x} 4 0", 16 * i, 4 + i % 200,
                                  0x7f4000000000 + bytes / 1000 / 128 * 128 * (125ull * b + i)));
    lines.push_back(
        fmt::format("4000 ffffffff 0 STG.E 2 R2 R4 4 1 {:#x} 4 0", 0x7f4000000000 + bytes / 9 / 128 * 128 * b));
    text += thread_block(fmt::format("{},0,0", b), {lines});
  }
  trace.add("kernel-1.traceg", text);
  trace.list(fmt::format("MemcpyHtoD,0x7f4000000000,{}\nkernel-1.traceg\n", bytes));
}

/// What `work` takes in a process of its own: the most host memory beyond what it starts with, and CPU seconds.
template <class F>
std::pair<double, double> cost_of(F&& work) {
  double pages = 0;  // of this process, which the other one starts with
  std::ifstream("/proc/self/statm") >> pages >> pages;
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(::testing::Test::HasFailure());
  }
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  EXPECT_EQ(status, 0);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return {1024.0 * static_cast<double>(usage.ru_maxrss) - pages * static_cast<double>(sysconf(_SC_PAGESIZE)),
          seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

/// Most kernels map pages of zeros that are only read to one page; some give each of them memory.
bool reading_zeros_takes_memory() {
  constexpr std::size_t size = 64 << 20, page = 4096;
  const auto [bytes, seconds] = cost_of([] {
    const ZeroedBytes zeros(size);
    std::uint8_t all = 0;
    for (std::size_t at = 0; at < size; at += page)
      all |= *const_cast<const volatile std::uint8_t*>(zeros.data() + at);
    EXPECT_EQ(all, 0);
  });
  return bytes > size / 2;
}

TEST(ImportLists, FootprintWithoutDataTakesNoMemory) {
  AccelSimTrace trace;
  spread(trace, 256 << 20);
  const auto [bytes, seconds] = cost_of([&] { trace.import(); });
  std::printf("import of 256 MB: %.3f CPU seconds, %.1f MB\n", seconds, bytes / 1e6);
  EXPECT_LT(bytes, 64e6);
  EXPECT_LT(std::filesystem::file_size(trace.output()), 16384u);
  if (reading_zeros_takes_memory()) GTEST_SKIP() << "skipped: this kernel gives memory to pages that are only read";
  const auto [run_bytes, run_seconds] = cost_of([&] { EXPECT_TRUE(run(trace.output()).clean); });
  std::printf("run of 256 MB: %.3f CPU seconds, %.1f MB\n", run_seconds, run_bytes / 1e6);
  EXPECT_LT(run_bytes, 128e6);
}

TEST(ImportLists, TraceWithoutImageRunsAsThatWithZeros) {
  AccelSimTrace trace;
  spread(trace, 8 << 20);
  trace.import();
  // The same with image blocks, as earlier versions wrote it.
  const std::string whole = trace.path("whole.wst");
  write_trace(whole, read_trace(trace.output()));
  EXPECT_GT(std::filesystem::file_size(whole), std::filesystem::file_size(trace.output()) + 500u);
  const memsys::Result a = run(trace.output()), b = run(whole);
  EXPECT_TRUE(a.clean);
  EXPECT_EQ(a.cycles, b.cycles);
  auto less = a.stats, more = b.stats;
  for (auto* stats : {&less, &more}) stats->erase("integrity");
  EXPECT_EQ(less, more);
  auto checked = a.integrity, all = b.integrity;
  EXPECT_EQ(checked.at("checked_sectors").at("read_back"), 8u * 4);  // eight lines were written
  EXPECT_EQ(all.at("checked_sectors").at("read_back"), (8u << 20) / 32);
  checked["checked_sectors"]["read_back"] = all["checked_sectors"]["read_back"];
  EXPECT_EQ(checked, all);
}

TEST(ImportLists, OnlyTracesWithoutDataMayLackTheImage) {
  AccelSimTrace trace;
  spread(trace, 8 << 20);
  trace.import();
  TraceContent c = read_trace(trace.output());
  const auto without_image = [&](const std::string& values) {
    c.info.values = values;
    const std::string path = trace.path("made.wst");
    trace::TraceWriter out(path, c.info);
    std::vector<std::uint8_t> none;
    out.image(none);
    for (const TraceContent::Kernel& k : c.kernels) {
      out.launch(k.shape);
      for (const simt::BlockTrace& b : k.blocks) out.thread_block(b);
    }
    out.finish(none);
    return path;
  };
  trace::check_file(without_image("none"));
  trace::check_file(without_image("zero"));
  for (const char* values : {"recorded", "random", "address"}) {
    const std::string path = without_image(values);
    try {
      trace::check_file(path);
      ADD_FAILURE() << values;
    } catch (const trace::TraceError& error) {
      EXPECT_THAT(error.what(), HasSubstr("the image blocks hold 0 bytes: expected 8388608"));
    }
  }
}

}  // namespace
}  // namespace warpsieve::tb
