#include "simt/memory.h"

#include <fmt/format.h>

#include <utility>

namespace warpsieve::simt {

DeviceMemory::DeviceMemory(Addr base) : base_(base) {
  if (base % kArrayAlignment != 0 || base >= kAddressLimit)
    throw std::invalid_argument(
        fmt::format("device memory base {:#x} is not a multiple of {} below 2^40", base, kArrayAlignment));
}

const DeviceMemory::Array& DeviceMemory::allocate_bytes(const std::string& name, std::uint64_t count,
                                                        std::uint64_t size) {
  if (frozen_) throw std::logic_error(fmt::format("array '{}' allocated after setup", name));
  const std::uint64_t start = image_.size();
  if (count > kMaxImageBytes / size || start + count * size > kMaxImageBytes ||
      base_ + start + count * size > kAddressLimit)
    throw std::invalid_argument(
        fmt::format("array '{}' of {} x {} bytes does not fit: the device image may hold {} bytes", name, count, size,
                    kMaxImageBytes));
  // The image ends at an aligned address, so the next array starts at once.
  const std::uint64_t end = (start + count * size + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment;
  image_.resize(end, 0);
  arrays_.push_back(std::make_unique<Array>(Array{name, base_ + start}));
  return *arrays_.back();
}

void DeviceMemory::check(Addr a, std::uint64_t bytes) const {
  if (a < base_ || a - base_ > image_.size() || bytes > image_.size() - (a - base_))
    throw DeviceFault(fmt::format("host access of {} bytes at {:#x} outside of device memory [{:#x}, {:#x})", bytes,
                                  a, base_, base_ + image_.size()));
}

void DeviceMemory::write_bytes(Addr a, const void* data, std::uint64_t bytes) {
  check(a, bytes);
  if (bytes == 0) return;
  std::memcpy(at(a), data, bytes);
  if (frozen_) {
    const auto* p = static_cast<const std::uint8_t*>(data);
    host_writes_.push_back({a, std::vector<std::uint8_t>(p, p + bytes)});
  }
}

std::vector<HostWrite> DeviceMemory::take_host_writes() { return std::exchange(host_writes_, {}); }

}  // namespace warpsieve::simt
