// Access patterns for one DRAM channel, made for the comparison with other DRAM simulators (dram_rows.h).
//
//   addresses  32-byte sectors below 1 GiB; from bit 0 up: offset 5, column 6, bank group 2, bank 2, row 15
//   time       0 (as soon as the queue has room), or one access each 20, 40 or 200 command cycles
//   seed       1 gives the very accesses of the recorded figures; the same on every host
//
//   stream    two sequential streams, 2 KiB at a time: three reads, then one write, 512 MiB up
//   wstream   the same with three writes, then one read
//   ronly     one sequential stream of reads; wonly: of writes
//   alt       two sequential streams, a read and a write in turn
//   bgi       sequential reads; consecutive reads are in bank groups 0, 1, 2, 3
//   mix64     64 sequential streams that begin at multiples of 1 MiB, 48 read and 16 written; chance decides whose
//             turn it is
//   random    uniform sectors, one access in four is a write; rw50: one in two
//   conflict  one bank, each access to another row, one in four is a write
//   idle      random, one access each 200 cycles; load40 and load20: each 40 and 20 cycles
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "memsys/dram/replay.h"

namespace warpsieve::validate {

/// Names of all patterns.
std::span<const std::string_view> dram_patterns();

/// The first `count` accesses of a pattern. Throws std::invalid_argument when there is no such pattern.
std::vector<memsys::DramAccess> dram_trace(std::string_view pattern, std::size_t count, std::uint32_t seed = 1);

}  // namespace warpsieve::validate
