// justit: L1 management by sectors (JUSTIT paper), on the sectored memory system of LAMAR (decision J11).
//
//   lamar         sectored L1 and L2 that fetch only the sectors asked for, 32-byte DRAM bursts. LAMAR's
//                 granularity predictor is off (J11). What `baseline` is on a machine without l1.line_fill
//   lamar+bypass  one-sector loads of sectors not seen lately are answered without a fill (the MSHR still merges)
//   lamar+shm     one-sector loads of sectors seen lately are kept in spare shared memory instead of the L1
//   justit        both
//
//   coalescer ─▶ L1 tags │ spare shared memory ─▶ predictor: L1, registers only, or shared memory ─▶ L2
//
// Loads of two or more sectors use the L1 as ever and drop the line's sectors from shared memory when they fetch
// (J7, J10). Stores update shared memory (J9), atomics drop what they touch. A shared-memory access takes one
// cycle for the tags (justit.tag_cycles) and one for the data (J8) and waits for earlier ones; a hit has its data
// after these and sm.shared_latency. A kernel that leaves no room for a set has no shared-memory choice: such loads
// use the L1.
//
// Block, model, rtl or shadow per SM (instances sm0, sm1, ...): bloom_predictor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/params.h"

namespace warpsieve::schemes {

/// Defaults are decisions J4 to J6 and J13. RTL exists for the sizes of rtl/bloom_predictor/points.txt.
struct JustitParams {
  std::uint32_t counters, counter_bits, hashes, threshold, period, forget_per_kernel, tag_cycles, measure_blocks;
  JustitParams();
  void declare(ParamSet& set);
};

struct JustitVariant {
  std::string name, doc;
  bool bypass = false, shared_memory = false;
  bool predicts() const { return bypass || shared_memory; }
};

}  // namespace warpsieve::schemes
