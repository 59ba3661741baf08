// secded_ram: one-read one-write synchronous memory whose words correct one wrong bit and report two.
//
//   latency     1 cycle (outputs after the tick)    throughput  1 read and 1 write per cycle
//   collision   a read returns the word from before a write of the same cycle
//   hold        the outputs keep their values in cycles without a read
// A word has width / word_bits parts, each with check bits of its own. A wrong bit stays until the word is written
// again. Words never written are undefined. RTL: rtl/secded/secded_ram.sv.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/block.h"

namespace warpsieve::secded {

struct SecdedRamParams {
  unsigned width = 64;      ///< bits per word, a multiple of word_bits
  unsigned depth = 64;      ///< words
  unsigned word_bits = 64;  ///< bits that share check bits, 1 to 64
  unsigned old_data = 0;    ///< of the RTL's point: 1: a collision reads the old word, 0: it reads anything
  unsigned parts() const { return width / word_bits; }
};

/// Bits to a part, low part first.
using Parts = std::vector<std::uint64_t>;

struct SecdedRead {
  Parts data;                       ///< corrected
  std::vector<bool> single, fatal;  ///< per part, as Decoded
  bool operator==(const SecdedRead&) const = default;
};
std::string describe(const SecdedRead& read);

struct SecdedRam : Clocked {
  /// Stores the word with these bits inverted: data bits of each part, and check bits of each part.
  virtual void write(unsigned address, const Parts& data, const Parts& flip_data, const Parts& flip_check) = 0;
  void write(unsigned address, const Parts& data) { write(address, data, Parts(data.size()), Parts(data.size())); }
  virtual void read(unsigned address) = 0;
  /// Of the last read; empty (model) while it is undefined.
  virtual SecdedRead out() const = 0;
};

/// Backends model and rtl. Throws std::invalid_argument for any other, for a bad shape and for a point not compiled.
std::unique_ptr<SecdedRam> make_secded_ram(const SecdedRamParams& params, Backend backend,
                                           const std::string& name = "secded_ram");

}  // namespace warpsieve::secded
