// Coalescer: splits one warp memory instruction into line accesses with sector masks, in order of the
// first lane that touches each line. Later lanes overwrite earlier ones in a store; atomic operations
// keep lane order. An access that straddles a line boundary becomes two.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "memsys/types.h"
#include "simt/warp_trace.h"

namespace warpsieve::memsys {

class Coalescer {
 public:
  explicit Coalescer(const AddressMap& map) : map_(map) {}
  /// Throws std::out_of_range for an address outside of device memory or an atomic that straddles.
  void split(const simt::WarpTrace& trace, const simt::WarpInstr& instr);
  std::uint32_t size() const { return count_; }
  const LineAccess& operator[](std::uint32_t i) const { return lines_[i]; }
  GlobalLine number(std::uint32_t i) const { return GlobalLine{numbers_[i]}; }  ///< (*this)[i].line

 private:
  /// Of an access of this many bytes, in device memory.
  std::uint64_t place(simt::Addr address, unsigned bytes) const;
  /// f(line access, offset in the line, bytes) for the part of an access in each line that it touches.
  template <class F>
  void each_part(std::uint64_t first, unsigned bytes, F&& f);
  /// The whole instruction, when its addresses are a row, and it is a load or store of which each lane accesses what
  /// lies behind the last lane's, or a load of which all access the same. False: it is not, and nothing has changed.
  bool split_row(const simt::WarpTrace& trace, const simt::WarpInstr& instr, unsigned lanes);
  void add_row(std::uint64_t first, unsigned lanes, unsigned bytes, unsigned step, const std::uint8_t* value);
  /// The access to this line; a new one has no byte set.
  LineAccess& line(std::uint32_t number);
  LineAccess& add(std::uint32_t number);
  const AddressMap& map_;
  std::vector<LineAccess> lines_;       ///< reused; the first count_ are in use
  std::vector<std::uint32_t> numbers_;  ///< LineAccess::line of each
  std::uint32_t count_ = 0;
  std::uint64_t seen_ = 0;  ///< numbers, modulo 64: most new ones are known to be new without a search
};

}  // namespace warpsieve::memsys
