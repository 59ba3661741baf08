// victim_fifo: fully associative ring of clean sectors evicted from the L2 (CMD section IV.D).
//
//   INSERT      overwrites the oldest slot, whatever it holds; a sector already present is
//               overwritten in place and keeps its age (never two copies)
//   LOOKUP      answers which of the wanted sectors of a line are present, with the data of the lowest of
//               them; its slot is freed: the sector moves back to the L2
//   INVALIDATE  frees the slots that hold the sectors of a line, if any
//
//   latency     1 cycle to the response (LOOKUP only)     throughput  1 request per cycle
//   ready       while fewer than two responses wait (state only)
// Decision C18. The paper's Bloom-filter index is not part of the block; the simulator adds its cycle.
// RTL: rtl/victim_fifo/victim_fifo.sv, at the points of rtl/victim_fifo/points.txt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "cosim/block.h"

namespace warpsieve::victim_fifo {

struct VictimFifoParams {
  unsigned entries = 16;     ///< slots; the paper's 16 per L2 slice
  unsigned tag_bits = 24;    ///< bits of a line address, 1..64
  unsigned sectors = 4;      ///< per line, 1..8
  unsigned data_bits = 256;  ///< bits of a sector, 1..256
  bool operator==(const VictimFifoParams&) const = default;
};

/// Little-endian; bits from data_bits on are zero.
using Sector = std::array<std::uint8_t, 32>;

enum class Op : std::uint8_t { insert = 0, lookup = 1, invalidate = 2 };

struct Request {
  Op op = Op::lookup;
  std::uint64_t line = 0;    ///< below 2^tag_bits
  std::uint8_t sectors = 0;  ///< of the line, bit 0 the first; at least one, with insert exactly one
  Sector data{};             ///< insert only
  bool operator==(const Request&) const = default;
};

struct Response {
  std::uint8_t sectors = 0;  ///< of the wanted ones: present; the lowest is taken, the others stay
  Sector data{};             ///< of the lowest; all zero if none is present
  bool operator==(const Response&) const = default;
};

std::string describe(const Request& request);
std::string describe(const Response& response);

using VictimFifo = Block<Request, Response>;

/// Throws std::invalid_argument for parameters outside their ranges, and when `backend` needs RTL and
/// no compiled point has these parameters.
std::unique_ptr<VictimFifo> make_victim_fifo(const VictimFifoParams& params, Backend backend,
                                             std::string name = "victim_fifo");

}  // namespace warpsieve::victim_fifo
