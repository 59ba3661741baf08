// affine_cache: the affine vector cache (AVC) of one SM (AVC paper 4.1 to 4.3; decisions A7 to A16).
//
// Stands before the L1 in the path of thread-private memory. Keeps affine vectors (a 128-byte private line
// whose words are base + lane * stride) as {base, stride code, valid mask}: 16 of them in the space of one
// 128-byte line. A word is valid here or in the L1, never in both (A9).
//
//   latency     2 cycles (the answer is on offer after the second tick, the one that took the request
//               included); +1 when a vector of another base or stride is written back first; +slots+2 when a
//               line is allocated. Timing model of the paper: +1 cycle on private loads (A15), since the look-up
//               runs beside the L1's own
//   throughput  1 request per cycle without conflicts and allocations; an eviction looks at 1 vector per cycle
//   flush       about sets * (ways + 1) cycles, and slots + 1 more for each line held
//   replacement invalid way first, then tree pseudo-LRU (A16), touched by load hits and by installs
//   ready       the access stage is empty or moves on in this cycle (state only)
//   storage     sets * ways * slots * (width + lanes + stride_bits + 1) bits, sets * ways * (tag + 1) bits
//
// THE PORT CONTRACT: what the memory stage and the L1 behind it must do
//
// rsp is one ordered stream and must be handled in order. It carries exactly one answer per request, in request
// order, and write-backs ahead of the answer of the request that caused them. Nothing else reads or writes
// private words, so the L1, driven by this stream alone, always knows which words this cycle's item may touch.
//
//   item            line, mask                 what the L1 does, in the order of the stream
//   write-back      line of the vector;        merges: dirty L1 words of that line join it (masks never overlap),
//                   words it held               the L1 drops that line, one masked 128-byte transaction goes to
//                                               memory (A10, A13)
//   load answer     all words valid here       lanes of the load in it are done (data). The rest are looked up in
//                                               the L1 (this is the partial replay, A12); what misses there too
//                                               is fetched from memory, see below
//   store, affine   words kept here            valid &= ~mask, dirty &= ~mask (A9)
//   store, generic  words not kept here        an L1 write under the mask (the words are no longer valid here)
//   fill, affine    words installed here       valid &= ~mask (they were at most clean copies)
//   fill, generic   words not valid here       may install the fetched words in it, see below
//   flush           none                       this cache is empty
//
// The answer does not carry a store's or a fill's data back: the requester keeps them in its own queue. `affine`
// tells affine from generic; load and flush answers have it low. Data are those of the whole vector; only lanes
// of a load hit or of a write-back mean something.
//
// A load, step by step: push {load, line, mask}. At its answer, hit = mask & rsp.mask; L1 look-up of
// mask & ~hit; m = what is left. If m is not empty: read the line from memory (after every write-back that came
// before in the stream), and remember
//     fresh = ~rsp.mask & ~(words valid in the L1) & ~(words of stores to the line pushed after the load)
// and clear in `fresh` the words of every later store to the line when it is pushed. When the line arrives, the
// waiting lanes take their words from it and {fill, line, m & fresh, words} is pushed (A11; skipped if the mask
// is empty). At its answer: affine, done; generic, the L1 installs rsp.mask & fresh & ~(its own valid words), or
// less. Option fill_full (A11): push {fill, line, fresh, words} first, and only if that is generic and m is
// smaller, {fill, line, m & fresh, words}. A later load may wait for the same fetch if all it misses is in
// `fresh`; otherwise it reads memory again after the first has arrived.
// Why `fresh`: a word stored, or dirty on chip, when the line was read may be newer than the line read, wherever
// it has gone since.
//
// A store: push {store, line, mask, data}; act on the answer as above. Eviction of an L1 line: its dirty words go
// to memory as one masked transaction; this cache need not know.
// End of kernel: push {flush}; then flush the L1.
//
// Mapping (A8): a line number is a private address / 128; its low log2(slots) bits choose the vector within a
// line, the next log2(sets) bits the set. Warp-major numbering gives a warp's 16 slots one line; for slot-major
// the memory stage permutes the bits before it asks.
//
// RTL: rtl/affine_cache/affine_cache.sv. Compiled RTL points: rtl/affine_cache/points.txt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "blocks/affine/affine.h"
#include "cosim/block.h"

namespace warpsieve::affine_cache {

using affine::Vector;

struct AffineCacheParams {
  affine::AffineParams vector{};  ///< lanes, width, stride_bits
  unsigned slots = 16;            ///< vectors per line, power of two from 2 (AVC 4.2)
  unsigned sets = 64;             ///< power of two from 2
  unsigned ways = 2;              ///< 1..64
  unsigned line_bits = 25;        ///< bits of a line number: more than log2(slots * sets), at most 32
  bool operator==(const AffineCacheParams&) const = default;
  /// Base and valid mask, as table 3 counts: tags, stride code and dirty bit not included.
  unsigned capacity_bytes() const { return sets * ways * slots * (vector.width + vector.lanes) / 8; }
};

/// Table 3 of the paper: 8 KB direct-mapped, 16 KB 2-way, 24 KB 3-way, 64 sets each.
inline constexpr AffineCacheParams direct_point{.ways = 1};
inline constexpr AffineCacheParams paper_point{.ways = 2};
inline constexpr AffineCacheParams way3_point{.ways = 3};
/// Small shape for tests.
inline constexpr AffineCacheParams odd_point{
    .vector = {.lanes = 5, .width = 7, .stride_bits = 2}, .slots = 2, .sets = 2, .ways = 3, .line_bits = 5};

enum class AvcOp : std::uint8_t { load, store, fill, flush };

struct AvcReq {
  AvcOp op = AvcOp::load;
  std::uint32_t line = 0;
  std::uint32_t mask = 0;  ///< lanes; unused for flush
  Vector data{};           ///< store, fill
  bool operator==(const AvcReq&) const = default;
};

struct AvcRsp {
  bool write_back = false;  ///< else the answer to the oldest request
  bool affine = false;      ///< store, fill: kept here
  std::uint32_t line = 0;   ///< 0 for a flush
  std::uint32_t mask = 0;   ///< see the table above
  Vector data{};
  bool operator==(const AvcRsp&) const = default;
};

std::string describe(const AvcReq& req);
std::string describe(const AvcRsp& rsp);

using AffineCache = Block<AvcReq, AvcRsp>;

/// Throws std::invalid_argument when the parameters are out of range, or when `backend` needs RTL and
/// no compiled point has these parameters (the model takes any).
std::unique_ptr<AffineCache> make_affine_cache(const AffineCacheParams& params, Backend backend,
                                               std::string name = "affine_cache");

}  // namespace warpsieve::affine_cache
