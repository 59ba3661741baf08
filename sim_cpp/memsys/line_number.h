// Numbers of 128-byte lines. A line has two: one in the device address space (what an SM asks for) and one in the
// memory of its controller (where it lives); AddressMap turns one into the other. Each has a type of its own: a
// number becomes a line only explicitly, a line gives its number to arithmetic and indices as it is, and one kind
// never becomes the other.
#pragma once

#include <compare>
#include <cstdint>

namespace warpsieve::memsys {

template <class Kind>
class LineNumber {
 public:
  constexpr LineNumber() = default;
  constexpr explicit LineNumber(std::uint32_t number) : number_(number) {}
  template <class Other>
  explicit LineNumber(LineNumber<Other>) = delete;
  constexpr operator std::uint32_t() const { return number_; }
  constexpr LineNumber& operator++() {
    ++number_;
    return *this;
  }
  friend constexpr bool operator==(LineNumber, LineNumber) = default;
  friend constexpr auto operator<=>(LineNumber, LineNumber) = default;
  template <class Other>
  friend bool operator==(LineNumber, LineNumber<Other>) = delete;
  template <class Other>
  friend std::strong_ordering operator<=>(LineNumber, LineNumber<Other>) = delete;

 private:
  std::uint32_t number_ = 0;
};

/// Of the device address space: an SM, its L1 and the golden memory know lines by it.
using GlobalLine = LineNumber<struct GlobalLineKind>;
/// Of one memory controller, dense from 0: its L2 slices, path and DRAM know lines by it.
using LocalLine = LineNumber<struct LocalLineKind>;

}  // namespace warpsieve::memsys
