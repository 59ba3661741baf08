// Bytes that start as zeros and take memory only where they are touched.
//
// The C library maps large zeroed blocks from the kernel, which gives a page when it is first written; a page that is
// only read is the kernel's one page of zeros. A std::vector would write all of them at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

namespace warpsieve {

class ZeroedBytes {
 public:
  ZeroedBytes() = default;
  explicit ZeroedBytes(std::size_t size) : size_(size) {
    if (size == 0) return;
    bytes_.reset(static_cast<std::uint8_t*>(std::calloc(size, 1)));
    if (!bytes_) throw std::bad_alloc();
  }
  std::uint8_t* data() { return bytes_.get(); }
  const std::uint8_t* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  std::span<std::uint8_t> span() { return {data(), size_}; }
  std::span<const std::uint8_t> span() const { return {data(), size_}; }

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::uint8_t[], Free> bytes_;
  std::size_t size_ = 0;
};

}  // namespace warpsieve
