// Functional device memory: one flat image; arrays are 256-byte aligned, one after another, in
// allocation order, from `base` upwards in the 40-bit device address space.
//
// The host fills arrays freely during setup. After freeze() nothing can be allocated any more, and
// host writes are noted so that the timing model can carry them out between launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "simt/warp_trace.h"

namespace warpsieve::simt {

inline constexpr Addr kDefaultBase = 0x10000000;
inline constexpr Addr kAddressLimit = Addr{1} << 40;
inline constexpr std::uint64_t kArrayAlignment = 256;
inline constexpr std::uint64_t kMaxImageBytes = std::uint64_t{4} << 30;

/// An access outside of its array, or a kernel that breaks a rule of the machine.
class DeviceFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A typed array in device memory. Cheap to copy; kernels take it by value.
template <class T>
struct Buffer {
  using value_type = T;
  Addr base = 0;
  std::uint64_t count = 0;
  const char* name = "";  ///< owned by the DeviceMemory

  Addr address(std::uint64_t i) const { return base + i * sizeof(T); }
  std::uint64_t bytes() const { return count * sizeof(T); }
};

class DeviceMemory {
 public:
  explicit DeviceMemory(Addr base = kDefaultBase);

  template <class T>
  Buffer<T> allocate(const std::string& name, std::uint64_t count) {
    static_assert(sizeof(T) == 1 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
    const Array& a = allocate_bytes(name, count, sizeof(T));
    return Buffer<T>{a.base, count, a.name.c_str()};
  }
  /// Allocates and fills from host data.
  template <class T>
  Buffer<T> allocate(const std::string& name, std::span<const T> values) {
    const Buffer<T> b = allocate<T>(name, values.size());
    write(b, 0, values);
    return b;
  }
  template <class T>
  Buffer<T> allocate(const std::string& name, const std::vector<T>& values) {
    return allocate<T>(name, std::span<const T>(values));
  }

  /// Host write of `values` to elements first, first + 1, ...
  template <class T>
  void write(const Buffer<T>& b, std::uint64_t first, std::span<const T> values) {
    write_bytes(b.address(first), values.data(), values.size_bytes());
  }
  template <class T>
  void write(const Buffer<T>& b, std::uint64_t i, const T& value) {
    write_bytes(b.address(i), &value, sizeof(T));
  }
  /// Host read of one element or of the whole array.
  template <class T>
  T read(const Buffer<T>& b, std::uint64_t i) const {
    T v;
    check(b.address(i), sizeof(T));
    std::memcpy(&v, at(b.address(i)), sizeof(T));
    return v;
  }
  template <class T>
  std::vector<T> read(const Buffer<T>& b) const {
    std::vector<T> v(b.count);
    if (b.count) std::memcpy(v.data(), at(b.base), b.bytes());
    return v;
  }

  void freeze() { frozen_ = true; }
  bool frozen() const { return frozen_; }
  std::vector<HostWrite> take_host_writes();

  Addr base() const { return base_; }
  std::span<const std::uint8_t> image() const { return image_; }
  std::uint8_t* at(Addr a) { return image_.data() + (a - base_); }
  const std::uint8_t* at(Addr a) const { return image_.data() + (a - base_); }

 private:
  struct Array {
    std::string name;
    Addr base = 0;
  };
  const Array& allocate_bytes(const std::string& name, std::uint64_t count, std::uint64_t size);
  void write_bytes(Addr a, const void* data, std::uint64_t bytes);
  void check(Addr a, std::uint64_t bytes) const;

  Addr base_;
  std::vector<std::uint8_t> image_;
  std::vector<std::unique_ptr<Array>> arrays_;
  std::vector<HostWrite> host_writes_;
  bool frozen_ = false;
};

}  // namespace warpsieve::simt
