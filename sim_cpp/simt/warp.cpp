#include "simt/warp.h"

#include <fmt/format.h>

namespace warpsieve::simt {

void Recorder::wrong_operand(std::uint32_t producer) {
  throw std::logic_error(fmt::format(
      "spill model: an operand differs from the result of instruction {} that it is said to come from", producer));
}

Warp::Warp(DeviceMemory& memory, const LaunchShape& shape, std::uint32_t block, std::uint32_t index,
           std::span<std::uint8_t> shared)
    : memory_(memory), shape_(shape), shared_(shared), block_(block), index_(index) {
  const std::uint32_t first = index * kLanes;
  const std::uint32_t threads = shape.threads - first;
  present_ = threads >= kLanes ? kAllLanes : (1u << threads) - 1;
  active_ = present_;
}

std::suspend_always Warp::barrier() {
  if (active_ != (present_ & ~exited_))
    throw DeviceFault(
        fmt::format("kernel '{}', block {}, warp {}: barrier inside divergent code (mask {:#010x} of {:#010x})",
                    shape_.kernel, block_, index_, active_, present_ & ~exited_));
  if (active_) push(Op::barrier, kNoProducer);
  ++barriers_;
  return {};
}

/// Its register, or a new one where the old does not hold all active lanes.
std::uint32_t Warp::known_register(Known& known, std::uint32_t source) {
  if (known.result != kNoProducer && (active_ & ~known.mask) == 0) {
    capture_->no_instruction();
    return known.result;
  }
  known.result = arithmetic(Op::alu, 1, source);
  known.mask = active_;
  return known.result;
}

/// An access at the index of an earlier one of the same array takes the address from there, as a compiler would.
std::uint32_t Warp::address_register(Addr base, unsigned bytes, const Vec<int>& index) {
  Known& known = addresses_[{base, index.producer()}];
  for (unsigned l = 0; l < kLanes; ++l)  // a result can be a record, and indices without one are all alike
    if ((active_ >> l & 1) && known.index[l] != index[l]) known.result = kNoProducer;
  const std::uint32_t before = known.result;
  const std::uint32_t result = known_register(known, index.producer());
  if (result != before) known.index = index.lanes();
  std::array<std::uint64_t, kLanes> at;
  std::array<std::uint32_t, kLanes> low;
  for (unsigned l = 0; l < kLanes; ++l) {
    at[l] = base + static_cast<Addr>(static_cast<std::int64_t>(index[l]) * bytes);
    low[l] = static_cast<std::uint32_t>(at[l]);
  }
  return capture_->address_words() == 1 ? keep_result(result, low) : keep_result(result, at);
}

void Warp::reserve(std::size_t instrs, std::size_t addresses, std::size_t data) {
  trace_.instrs.reserve(instrs);
  trace_.addresses.reserve(addresses);
  trace_.data.reserve(data);
}

void Warp::array_fault(const char* what, std::size_t bytes, const char* array, Addr base, std::uint64_t count,
                       int index, unsigned lane) const {
  throw DeviceFault(
      fmt::format("kernel '{}', block {}, warp {}, lane {}: {} of {} bytes at index {} of '{}', which has {} "
                  "elements (address {:#x})",
                  shape_.kernel, block_, index_, lane, what, bytes, index, array, count,
                  base + static_cast<Addr>(static_cast<std::int64_t>(index)) * bytes));
}

void Warp::constant_fault(const char* name, std::size_t i, std::size_t count) const {
  throw DeviceFault(fmt::format("kernel '{}', block {}, warp {}, all lanes: constant '{}' has {} elements, index {}",
                                shape_.kernel, block_, index_, name, count, i));
}

void Warp::endless_loop() const {
  throw DeviceFault(fmt::format(
      "kernel '{}', block {}, warp {}: more than {} instructions: an endless loop, or a size too large for one warp",
      shape_.kernel, block_, index_, kMaxWarpStream));
}

}  // namespace warpsieve::simt
