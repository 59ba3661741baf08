// Access patterns as Accel-Sim traces (.traceg, tracer version 4, Volta opcodes): the ones that Accel-Sim ran for the
// recorded figures in sim_cpp/configs/validate/accelsim.toml. The text goes through the importer (trace/accelsim), as
// a trace of a real program does.
//
//   KIND BLOCKS WARPS ITERATIONS [KEY=VALUE ...]
//
//   stream   coalesced loads (w: bytes per lane, 4 or 16), a use after each
//   burst    the same, 8 loads, then their uses
//   stores   coalesced stores; own=1: a line after the other per warp; own=2: random lines
//   rmw      coalesced load, add, store to the same place
//   scatter  4-byte stores to random words of `foot` MiB
//   column   lane i reads row i of a matrix whose rows are `pitch` bytes apart; the next iteration reads the next
//   word broad    all lanes of all warps read one word of a table of `tab` KiB reread   all blocks read a buffer of
//   `foot` KiB again and again, each from its own place on trans    coalesced load, store with a distance of `pitch`
//   bytes between lanes chase    one lane, dependent loads, random order of the lines of `foot` KiB l2chase  block 0
//   loads `foot` KiB; block 1 waits for `delay` adds, then chases over them: L2 hits indep    4 independent loads
//   `step` lines apart, then their use vecadd   c[i] = a[i] + b[i] with address arithmetic; gather: c[i] = a[idx[i]],
//   random words of `foot` MiB
//
// Further keys: seed (random numbers), regs (registers per thread in the header).
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace warpsieve::validate {

struct TraceSpec {
  std::string kind;
  std::uint32_t blocks = 1, warps = 1, iterations = 1;
  std::map<std::string, std::uint64_t> values;
  /// `fallback` where the key was not given.
  std::uint64_t value(const char* key, std::uint64_t fallback) const;
};

/// Throws ConfigError that names the word that is wrong.
TraceSpec parse_trace(const std::string& arguments);
/// The text of the kernel's .traceg file.
std::string traceg(const TraceSpec& spec);

}  // namespace warpsieve::validate
