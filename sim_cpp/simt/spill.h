// Spills: makes the threads of a kernel live with fewer registers, as a compiler does under a register limit
// (workloads.md section 5, decision A19). Registers that do not fit live in private memory: a local store follows
// each result, a local load precedes each use, under the instruction's mask, with the real values of the lanes.
//
//   Spiller spiller({.percent = 50});        // half of what each kernel needs at most (r_base)
//   launch.spill_with(spiller);              // run_block() now gives streams with local loads and stores
//
//   variable    the results that reach a common use, or overwrite each other under a mask, are one variable
//               ("web"); 8- and 16-byte values count as 2 and 4 registers, predicates as none
//   pressure    words of the live variables before an instruction: live from the first result to the last use
//   choice      static per kernel: at the point of highest pressure the live variable with the fewest uses per
//               live step is spilled, until the pressure is at most the limit everywhere. A spilled variable is
//               spilled everywhere. Decided on the first block; a later block that needs more adds to the set
//   slots       4-byte words numbered from 0: a variable keeps its own; one with several live values at once (a
//               window of planes) or a new one takes free slots before the kernel needs more
//   checked     each reload is compared with the value that the kernel computed with; std::logic_error if not
// What the model leaves out: registers that hold a reloaded value for the instruction that uses it, re-use of a
// reload by the next instruction, base pointers of arrays (operands from constant memory), numbers that all threads
// of a block share and the DSL computes in plain C++, loads moved up by the compiler.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simt/capture.h"
#include "simt/warp_trace.h"

namespace warpsieve::simt {

struct SpillParams {
  std::uint32_t registers = 0;  ///< per thread; 0: take `percent`
  std::uint32_t percent = 0;    ///< of the kernel's r_base, rounded up; 0: no limit
  std::uint32_t min_base = 8;   ///< with `percent`: kernels that need fewer registers are left alone
  /// Registers of an address, which later accesses to the same element use again; thread numbers are registers then,
  /// too. 0: neither is counted.
  std::uint32_t address_words = 0;
  std::uint32_t generic_first = 0;  ///< variables with mostly generic values before the others
  bool on() const { return registers != 0 || percent != 0; }
};

/// Of one kernel, all launches together.
struct KernelSpills {
  std::string kernel;
  std::uint32_t r_base = 0;     ///< highest pressure without spills
  std::uint32_t registers = 0;  ///< limit; 0: none
  std::uint32_t variables = 0, spilled = 0;
  std::uint32_t slots = 0;
  std::uint64_t loads = 0, stores = 0;  ///< warp instructions; an 8-byte one counts once
};

class KernelPlan;

class Spiller {
 public:
  explicit Spiller(const SpillParams& params);
  ~Spiller();
  Sites& sites(const std::string& kernel);
  /// Rewrites the streams of one block.
  void apply(const std::string& kernel, BlockTrace& block, const std::deque<Capture>& captures);
  std::vector<KernelSpills> report() const;

 private:
  KernelPlan& plan(const std::string& kernel);
  SpillParams params_;
  std::map<std::string, std::unique_ptr<KernelPlan>> plans_;
};

}  // namespace warpsieve::simt
