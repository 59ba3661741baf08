// Whatever is wrong with an Accel-Sim trace is told in one line: file, line, what was expected, what was found.
#include <gmock/gmock.h>

#include "accelsim_support.h"
#include "inputs/random.h"

namespace warpsieve::tb {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

/// A kernel of one thread block and one warp with `line`; the instruction stands in line 24.
std::string refused_instruction(const std::string& line, bool line_info = false) {
  AccelSimTrace trace;
  trace.add("kernel-1.traceg", kernel_header(5, "1,1,1", "32,1,1", line_info) + thread_block("0,0,0", {{line}}));
  trace.list("kernel-1.traceg\n");
  return trace.refused();
}

TEST(ImportErrors, EveryFieldOfAnInstruction) {
  const std::string at = "kernel-1.traceg:24: expected ";
  const std::pair<const char*, const char*> cases[] = {
      {"xyz", "the PC of an instruction (hexadecimal), found 'xyz'"},
      {"0010", "a mask of lanes (hexadecimal), found the end of the line"},
      {"0010 1ffffffff 0 NOP 0 0", "a mask of 32 lanes, found "},
      {"0010 ffffffff", "a number of destinations from 0 to 8, found the end of the line"},
      {"0010 ffffffff 9 R1", "a number of destinations from 0 to 8, found '9'"},
      {"0010 ffffffff 1 X1 NOP 0 0", "a register R0 to R255, found 'X1'"},
      {"0010 ffffffff 1 R256 NOP 0 0", "a register R0 to R255, found 'R256'"},
      {"0010 ffffffff 2 R1 NOP 0 0", "a register R0 to R255, found 'NOP'"},
      {"0010 ffffffff 0", "an opcode, found the end of the line"},
      {"0010 ffffffff 0 frob.E 0 0", "a known opcode, found 'frob.E'"},
      {"0010 ffffffff 0 FR#B 0 0", "a known opcode, found 'FR#B'"},
      {"0010 ffffffff 0 NOP -1 0", "a number of sources from 0 to 8, found '-1'"},
      {"0010 ffffffff 0 NOP 2 R1", "a register R0 to R255, found the end of the line"},
      {"0010 ffffffff 0 NOP 0", "the bytes per lane from 0 to 1024, found the end of the line"},
      {"0010 ffffffff 0 NOP 0 4x", "the bytes per lane from 0 to 1024, found '4x'"},
      {"0010 ffffffff 1 R1 LDG.E 1 R2 0", "addresses of LDG.E, found "},
      {"0010 ffffffff 1 R1 LDG.E 1 R2 4",
       "0, 1 or 2 for the way of the addresses from 0 to 2, found the end of the line"},
      {"0010 ffffffff 1 R1 LDG.E 1 R2 4 3 0x10", "0, 1 or 2 for the way of the addresses from 0 to 2, found '3'"},
      {"0010 00000003 1 R1 LDG.E 1 R2 4 0 0x10", "the address of a lane (hexadecimal), found the end of the line"},
      {"0010 00000003 1 R1 LDG.E 1 R2 4 1 0x10", "a stride, found the end of the line"},
      {"0010 00000005 1 R1 LDG.E 1 R2 4 1 0x10 4", "active lanes side by side for base and stride, found "},
      {"0010 00000007 1 R1 LDG.E 1 R2 4 2 0x10 4", "the step from the lane before, found the end of the line"},
      {"0010 00000001 1 R1 LDG.E 1 R2 4 2 0x10 4 4", "the end of the line, found '4'"},
      {"0010 00000001 1 R1 LDG.E 1 R2 4 2 0x10 w", "an immediate or the end of the line, found 'w'"},
      {"0010 00000001 1 R1 LDG.E 1 R2 4 2 0x1ffffffffffffffff",
       "the address of the first lane (hexadecimal), found "},
      {"0010 00000007 1 R1 LDG.E 1 R2 4 1 0xfffffffffffffff8 4",
       "addresses from 0 to 2^64 - 1, found 0xfffffffffffffffc + 4 in lane 2"},
      {"0010 0000000e 1 R1 LDG.E 1 R2 4 1 0x4 -4", "addresses from 0 to 2^64 - 1, found 0x0 - 4 in lane 3"},
      {"0010 80000001 1 R1 LDG.E 1 R2 4 2 0xfffffffffffffff0 16",
       "addresses from 0 to 2^64 - 1, found 0xfffffffffffffff0 + 16 in lane 31"},
      {"0010 80000001 1 R1 LDG.E 1 R2 4 2 0x10 -17", "addresses from 0 to 2^64 - 1, found 0x10 - 17 in lane 31"},
      {"0010 00000020 1 R1 LDG.E.64 1 R2 8 0 0xfffffffffffffffc",
       "addresses from 0 to 2^64 - 1, found 0xfffffffffffffffc + 7 in lane 5"},
      {"0010 00000001 1 R1 LDG.E 1 R2 4 2 0x12", "addresses that are multiples of 4, found 0x12"},
      {"0010 00000003 1 R1 LDL 1 R1 4 2 0xffff00 -1048576",
       "local addresses of a kernel within 524288 bytes, found "},
  };
  for (const auto& [line, what] : cases) EXPECT_THAT(refused_instruction(line), HasSubstr(at + what)) << line;
  EXPECT_THAT(refused_instruction("x 0010 ffffffff 0 NOP 0 0", true), HasSubstr(at + "a line number from 0 to "));
  EXPECT_EQ(refused_instruction("0010 ffffffff 0 NOP 0 0"), "");
}

TEST(ImportErrors, HeaderAndStructure) {
  const std::string good = kernel_header(5, "2,1,1", "64,1,1") +
                           thread_block("0,0,0", {{"0 1 0 NOP 0 0"}, {"0 1 0 NOP 0 0", "0 1 0 EXIT 0 0"}}) +
                           thread_block("1,0,0", {{"0 1 0 NOP 0 0"}, {}});
  AccelSimTrace trace;
  trace.list("kernel-1.traceg\n");
  trace.add("kernel-1.traceg", good);
  ASSERT_EQ(trace.refused(), "");
  struct Case {
    std::string what, with;  ///< replaced in the good one
    const char* expected;
  };
  const Case cases[] = {
      {"tracer version = 5", "tracer version = 6",
       "kernel-1.traceg:12: expected a tracer version from 3 to 5, found '6'"},
      {"tracer version = 5", "tracer version = 2",
       "kernel-1.traceg:12: expected a tracer version from 3 to 5, found '2'"},
      {"-accelsim tracer version = 5\n", "", "expected -accelsim tracer version = 3 to 5 above, found none"},
      {"-grid dim = (2,1,1)\n", "", "expected -grid dim = (x,y,z) above, found none"},
      {"-block dim = (64,1,1)\n", "", "expected -block dim = (x,y,z) above, found none"},
      {"(2,1,1)", "(2,1)", "kernel-1.traceg:3: expected ',', found ')'"},
      {"(2,1,1)", "(2,0,1)", ":3: expected thread blocks in x, y and z from 1 to 2147483647, found '0,1)'"},
      {"(2,1,1)", "(65536,65536,1)", ":3: expected thread blocks in x, y and z, a product of at most 2147483647"},
      {"(64,1,1)", "(64,17,1)", ":4: expected threads in x, y and z, a product of at most 1024"},
      {"-shmem = 256", "-shmem = many", ":5: expected bytes of shared memory from 0 to 1048576, found 'many'"},
      {"-nregs = 18", "-nregs = 300", ":6: expected registers per thread from 0 to 256, found '300'"},
      {"lineinfo = 0", "lineinfo = 2", ":13: expected 0 or 1 from 0 to 1, found '2'"},
      {"-shmem base_addr = 0x", "-shmem base_addr = z", ":9: expected the address of shared memory (hexadecimal)"},
      {"-kernel name", "kernel name", "kernel-1.traceg:1: expected a header line that starts with -, found "},
      {"thread block = 1,0,0", "thread block = 0,1,0",
       "expected a thread block of the grid from 0 to 0, found '1,0'"},
      {"warp = 1\ninsts = 2", "warp = 2\ninsts = 2", "expected warp = 1, found 'warp = 2'"},
      {"insts = 2", "insts = 1", "expected #END_TB after the last warp's instructions, found '0 1 0 EXIT 0 0'"},
      {"insts = 2", "insts = 3", "expected the PC of an instruction (hexadecimal), found '#END_TB'"},
      {"insts = 2", "insts = -2", "expected a number of instructions from 0 to 4294967295, found '-2'"},
      {"insts = 2", "steps = 2", "expected insts = the number of instructions, found 'steps = 2'"},
      {"#END_TB\n\n#BEGIN_TB", "#END_TB\n\n",
       "expected #BEGIN_TB of the next of 2 thread blocks, found 'thread block = 1,0,0'"},
  };
  for (const Case& c : cases) {
    std::string bad = good;
    const std::size_t at = bad.find(c.what);
    ASSERT_NE(at, bad.npos) << c.what;
    bad.replace(at, c.what.size(), c.with);
    trace.add("kernel-1.traceg", bad);
    EXPECT_THAT(trace.refused(), HasSubstr(c.expected)) << c.with;
  }
  trace.add("kernel-1.traceg", good + "#BEGIN_TB\n");
  EXPECT_THAT(trace.refused(), HasSubstr("expected the end of the file after 2 thread blocks, found '#BEGIN_TB'"));
  trace.add("kernel-1.traceg", std::string(2200000, 'x'));
  EXPECT_THAT(trace.refused(), HasSubstr("kernel-1.traceg:1: expected a line of at most 2097152 characters"));
  trace.add("kernel-1.traceg", "");
  EXPECT_EQ(trace.refused(), "kernel-1.traceg:0: expected a header line or #BEGIN_TB, found the end of the file");
  // Truncated behind any line: always an error, never half a program.
  for (std::size_t at = good.find('\n'); at + 1 < good.rfind("#END_TB"); at = good.find('\n', at + 1)) {
    trace.add("kernel-1.traceg", good.substr(0, at + 1));
    EXPECT_THAT(trace.refused(), MatchesRegex("kernel-1.traceg:[0-9]+: expected .*, found the end of the file"))
        << at;
  }
}

TEST(ImportErrors, TheList) {
  AccelSimTrace trace;
  const auto refused = [&](const std::string& text) {
    trace.list(text);
    return trace.refused();
  };
  EXPECT_EQ(refused(""), "kernelslist.g:0: expected at least one command, found an empty list");
  EXPECT_THAT(refused("\nMemcpyHtoD,0x10\n"), HasSubstr("kernelslist.g:2: expected ',', found the end of the line"));
  EXPECT_THAT(refused("MemcpyHtoD,0x10,x\n"), HasSubstr(":1: expected a number of bytes from 0 to "));
  EXPECT_THAT(refused("MemcpyHtoD,zz,16\n"), HasSubstr(":1: expected an address (hexadecimal), found 'zz,16'"));
  EXPECT_THAT(refused("MemcpyHtoD,0x10,16\n"),
              HasSubstr("kernelslist.g:1: expected at least one kernel, found none"));
  EXPECT_EQ(refused("\nncclGroupStart\nMemcpyDtoH,0x10,16\n"),
            "kernelslist.g:3: expected at least one command, found only others, the first in line 2: "
            "'ncclGroupStart'");
  for (const char* lost : {"kernal-1.traceg", " kernel-1.traceg", "./my-kernel-1.traceg.xz", "\x7f\x45LF", "caf\xe9"})
    EXPECT_THAT(refused("MemcpyHtoD,0x10,16\n" + std::string(lost) + "\n"),
                HasSubstr(":2: expected MemcpyHtoD,ADDRESS,BYTES or the file name of a kernel, found '"))
        << lost;
  EXPECT_EQ(refused("kernel-7.traceg\n"),
            "kernelslist.g:1: expected the file of a kernel, found no file kernel-7.traceg");
  trace.add("kernel-1.traceg", kernel_header(5, "1,1,1", "1,1,1") + thread_block("0,0,0", {{}}));
  EXPECT_THAT(
      refused("MemcpyHtoD,0x10,1099511627776\nkernel-1.traceg\n"),
      HasSubstr("expected at most 4 GiB of device memory in pages of 64 KiB, found a copy of 1099511627776 bytes"));
  EXPECT_THAT(refused("MemcpyHtoD,0x10,16\n\nkernel-1.traceg\nncclGroupEnd\nMemcpyHtoD,0xfffffffffffffff0,17\n"),
              HasSubstr("kernelslist.g:5: expected addresses from 0 to 2^64 - 1, found 0xfffffffffffffff0 + 16"));
  std::filesystem::remove(trace.path("kernelslist.g"));
  EXPECT_EQ(trace.refused(), "kernelslist.g:1: expected a file, found No such file or directory");
}

TEST(ImportErrors, RandomDamageIsRefusedOrImported) {
  const std::string good =
      kernel_header(5, "2,1,1", "32,1,1") +
      thread_block("0,0,0", {{"0010 80000003 1 R2 LDG.E.SYS 1 R4 4 0 0x7f40 0x7f44 0x8008 0",
                              "0020 0000000f 1 R3 LDG.E.64.SYS 1 R6 8 1 0x7f4000000100 -16 0"}}) +
      thread_block("1,0,0", {{"0030 00000015 0 STL.128 2 R8 R12 16 2 0xfff200 512 -256 0"}});
  AccelSimTrace trace;
  trace.list("kernel-1.traceg\n");
  inputs::Random random(3);
  unsigned refused = 0;
  for (unsigned n = 0; n < 3000; ++n) {
    std::string bad = good;
    for (unsigned k = 0; k <= random.below(3); ++k) {
      const auto at = random.below(static_cast<std::uint32_t>(bad.size()));
      switch (random.below(4)) {
        case 0: bad[at] = static_cast<char>(random.below(256)); break;
        case 1: bad.erase(at, 1 + random.below(8)); break;
        case 2: bad.insert(at, bad.substr(random.below(static_cast<std::uint32_t>(bad.size())), 8)); break;
        default: bad[at] = "0123456789 ,-=RfxE\n"[random.below(19)];
      }
    }
    trace.add("kernel-1.traceg", bad);
    const std::string what = trace.refused();
    refused += !what.empty();
    if (!what.empty()) {
      EXPECT_THAT(what, MatchesRegex("kernel.*:[0-9]+: expected .*, found .*"));
    }
  }
  EXPECT_GT(refused, 500u);
}

}  // namespace
}  // namespace warpsieve::tb
