// Device memory of one workload: arrays in order of allocation, each at a multiple of 256 bytes, in one block of
// memory, as the simulator's device memory has them. Padding is zero. Under nvcc the block lies on the GPU, else on
// the host.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "../duplicates.h"
#include "grid.h"

namespace warpsieve::hardware {

template <class T>
struct Array {
  std::size_t offset = 0, count = 0;
};

class Memory {
 public:
  /// Before to_device() only.
  template <class T>
  Array<T> allocate(const std::string& name, std::size_t count) {
    if (ready_) throw std::logic_error("array '" + name + "' allocated after the setup");
    const Array<T> a{image_.size(), count};
    image_.resize((image_.size() + count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment, 0);
    regions_.push_back({name, a.offset, count * sizeof(T)});
    return a;
  }
  template <class T>
  Array<T> allocate(const std::string& name, const std::vector<T>& values) {
    const Array<T> a = allocate<T>(name, values.size());
    std::memcpy(image_.data() + a.offset, values.data(), values.size() * sizeof(T));
    return a;
  }
  void to_device() {
    ready_ = true;
#ifdef __CUDACC__
    HW_CHECK(cudaMalloc(reinterpret_cast<void**>(&device_), image_.size()));
    HW_CHECK(cudaMemcpy(device_, image_.data(), image_.size(), cudaMemcpyHostToDevice));
#else
    device_ = image_.data();
#endif
  }
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
#ifdef __CUDACC__
    cudaFree(device_);
#endif
  }

  /// What kernels get.
  template <class T>
  T* pointer(const Array<T>& a) const {
    if (!ready_) throw std::logic_error("array used before the setup has ended");
    return reinterpret_cast<T*>(device_ + a.offset);
  }
  template <class T>
  std::vector<T> read(const Array<T>& a) const {
    std::vector<T> v(a.count);
    copy(v.data(), pointer(a), a.count * sizeof(T), false);
    return v;
  }
  template <class T>
  void write(const Array<T>& a, const std::vector<T>& values) {
    if (values.size() > a.count) throw std::logic_error("write past the end of an array");
    copy(pointer(a), values.data(), values.size() * sizeof(T), true);
  }
  /// The whole image as it is on the device now.
  const std::vector<std::uint8_t>& fetch() {
#ifdef __CUDACC__
    copy(image_.data(), device_, image_.size(), false);
#endif
    return image_;
  }
  const std::vector<Region>& regions() const { return regions_; }

 private:
  static constexpr std::size_t kAlignment = 256;
  static void copy(void* to, const void* from, std::size_t bytes, [[maybe_unused]] bool to_device) {
#ifdef __CUDACC__
    HW_CHECK(cudaMemcpy(to, from, bytes, to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost));
#else
    std::memcpy(to, from, bytes);
#endif
  }

  std::vector<std::uint8_t> image_;
  std::vector<Region> regions_;
  std::uint8_t* device_ = nullptr;
  bool ready_ = false;
};

}  // namespace warpsieve::hardware
