// Microbenchmarks as warp programs: one launch whose blocks a function writes, instruction by instruction.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "simt/warp_trace.h"

namespace warpsieve::validate {

inline constexpr std::uint32_t kNone = ~0u;  ///< depends on nothing

/// Writes the instructions of one warp. Addresses count from the start of device memory. Every method returns the
/// instruction's number, which a later one can wait for.
class WarpWriter {
 public:
  using Lanes = std::array<std::uint64_t, simt::kLanes>;

  explicit WarpWriter(simt::WarpTrace& out) : out_(out) {}

  /// One lane, 4 bytes.
  std::uint32_t load_one(std::uint64_t at, std::uint32_t after = kNone);
  /// 4 bytes per lane, the lanes `stride` bytes apart.
  std::uint32_t load(std::uint64_t at, std::uint64_t stride = 4, std::uint32_t after = kNone);
  std::uint32_t load(const Lanes& at, std::uint32_t after = kNone);
  std::uint32_t store(std::uint64_t at, std::uint32_t after = kNone);
  /// `bytes` per lane: 1, 2, 4, 8 or 16.
  std::uint32_t store(const Lanes& at, std::uint8_t bytes);
  /// atomicAdd of 1 to 32-bit words.
  std::uint32_t add(const Lanes& at);
  std::uint32_t alu(std::uint32_t after = kNone);
  std::uint32_t barrier();
  /// A shared-memory access whose busiest bank holds `conflicts` words, 1 to 32.
  std::uint32_t shared(unsigned conflicts, std::uint32_t after = kNone);

 private:
  simt::WarpInstr& push(simt::Op op, std::uint32_t mask, std::uint32_t after);
  std::uint32_t last() const { return static_cast<std::uint32_t>(out_.instrs.size() - 1); }

  simt::WarpTrace& out_;
};

class Program final : public simt::Workload {
 public:
  using WriteWarp = std::function<void(WarpWriter& out, std::uint32_t block, std::uint32_t warp)>;

  /// `bytes` of device memory, all zero. `shape.threads` is a multiple of 32.
  Program(simt::LaunchShape shape, std::uint64_t bytes, WriteWarp write);

  const std::string& name() const override { return shape_.kernel; }
  void setup() override { image_.assign(bytes_, 0); }
  simt::Addr base() const override;
  std::span<const std::uint8_t> image() const override { return image_; }
  std::unique_ptr<simt::Launch> next_launch() override;
  std::vector<simt::HostWrite> take_host_writes() override { return {}; }
  std::string verify() override { return ""; }
  std::vector<std::pair<simt::Addr, std::uint64_t>> order_dependent() const override { return {}; }

 private:
  class OneLaunch;

  simt::LaunchShape shape_;
  std::uint64_t bytes_;
  WriteWarp write_;
  std::vector<std::uint8_t> image_;
  bool launched_ = false;
};

}  // namespace warpsieve::validate
