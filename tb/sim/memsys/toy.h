// Hand-made workloads for the memory model: warp instructions written one by one, replayed functionally
// in block order to get the expected image.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "memsys/gpu.h"
#include "memsys/l2/atomic_unit.h"
#include "schemes/baseline/baseline.h"

namespace warpsieve::tb {

inline constexpr simt::Addr kBase = 0x10000000;

/// Builds the stream of one warp. Every method returns the number of the instruction.
class WarpBuilder {
 public:
  using Lanes = std::vector<std::pair<unsigned, simt::Addr>>;  ///< (lane, address relative to the base)

  std::uint32_t alu(std::uint16_t count = 1, std::vector<std::uint32_t> sources = {}) {
    return add(simt::Op::alu, 0xffffffffu, count, sources);
  }
  std::uint32_t op(simt::Op op, std::vector<std::uint32_t> sources = {}) { return add(op, 0xffffffffu, 1, sources); }
  std::uint32_t barrier() { return add(simt::Op::barrier, 0xffffffffu, 1, {}); }
  /// 32 lanes, neighbouring 4-byte words from `at` on.
  std::uint32_t load_line(simt::Addr at, std::vector<std::uint32_t> sources = {}) {
    return load(row(at), 4, std::move(sources));
  }
  std::uint32_t load(const Lanes& lanes, std::uint8_t bytes, std::vector<std::uint32_t> sources = {}) {
    const std::uint32_t i = add(simt::Op::load, 0, 1, sources);
    addresses(lanes, bytes);
    return i;
  }
  std::uint32_t store(const Lanes& lanes, std::uint8_t bytes,
                      const std::function<std::uint8_t(unsigned, unsigned)>& value,
                      std::vector<std::uint32_t> sources = {}) {
    const std::uint32_t i = add(simt::Op::store, 0, 1, sources);
    addresses(lanes, bytes);
    trace.instrs.back().values = static_cast<std::uint32_t>(trace.data.size());
    for (const auto& lane : lanes)
      for (unsigned b = 0; b < bytes; ++b) trace.data.push_back(value(lane.first, b));
    return i;
  }
  std::uint32_t store_line(simt::Addr at, std::uint8_t seed) {
    return store(row(at), 4,
                 [=](unsigned lane, unsigned b) { return static_cast<std::uint8_t>(seed + lane * 4 + b); });
  }
  std::uint32_t atomic(const Lanes& lanes, simt::AtomicOp op, const std::function<std::uint32_t(unsigned)>& operand) {
    const std::uint32_t i = add(simt::Op::atomic, 0, 1, {});
    addresses(lanes, 4);
    trace.instrs.back().atomic = op;
    trace.instrs.back().values = static_cast<std::uint32_t>(trace.data.size());
    for (const auto& lane : lanes) {
      const std::uint32_t v = operand(lane.first);
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(&v);
      trace.data.insert(trace.data.end(), bytes, bytes + 4);
    }
    return i;
  }
  /// Spill and reload of one word per lane of `mask`.
  std::uint32_t local_store(std::uint32_t slot, std::uint32_t mask,
                            const std::function<std::uint32_t(unsigned)>& value,
                            std::vector<std::uint32_t> sources = {}) {
    const std::uint32_t i = local(simt::Op::local_store, slot, mask, sources);
    trace.instrs.back().values = static_cast<std::uint32_t>(trace.data.size());
    for (std::uint32_t m = mask; m; m &= m - 1) {
      const std::uint32_t v = value(static_cast<unsigned>(__builtin_ctz(m)));
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(&v);
      trace.data.insert(trace.data.end(), bytes, bytes + 4);
    }
    return i;
  }
  std::uint32_t local_load(std::uint32_t slot, std::uint32_t mask = 0xffffffffu,
                           std::vector<std::uint32_t> sources = {}) {
    return local(simt::Op::local_load, slot, mask, sources);
  }
  static Lanes row(simt::Addr at) {
    Lanes lanes;
    for (unsigned l = 0; l < simt::kLanes; ++l) lanes.emplace_back(l, at + 4 * l);
    return lanes;
  }

  simt::WarpTrace trace;

 private:
  std::uint32_t add(simt::Op op, std::uint32_t mask, std::uint16_t count, const std::vector<std::uint32_t>& sources) {
    simt::WarpInstr i;
    i.op = op;
    i.mask = mask;
    i.count = count;
    for (const std::uint32_t s : sources) i.source[i.sources++] = s;
    trace.instrs.push_back(i);
    return static_cast<std::uint32_t>(trace.instrs.size() - 1);
  }
  std::uint32_t local(simt::Op op, std::uint32_t slot, std::uint32_t mask,
                      const std::vector<std::uint32_t>& sources) {
    const std::uint32_t i = add(op, mask, 1, sources);
    trace.instrs.back().bytes = 4;
    trace.instrs.back().payload = static_cast<std::uint32_t>(trace.addresses.size());
    trace.addresses.push_back(slot);
    return i;
  }
  void addresses(const Lanes& lanes, std::uint8_t bytes) {
    simt::WarpInstr& i = trace.instrs.back();
    i.bytes = bytes;
    i.payload = static_cast<std::uint32_t>(trace.addresses.size());
    for (const auto& [lane, at] : lanes) {
      i.mask |= 1u << lane;
      trace.addresses.push_back(kBase + at);
    }
  }
};

/// One launch: blocks of warps.
struct ToyKernel {
  std::vector<simt::BlockTrace> blocks;
  std::uint32_t shared_bytes = 0, registers = 32;
  std::vector<simt::HostWrite> before;  ///< host writes before it
};

class ToyLaunch final : public simt::Launch {
 public:
  ToyLaunch(const ToyKernel& kernel, std::vector<std::uint8_t>& memory) : kernel_(kernel), memory_(memory) {
    shape_.kernel = "toy";
    shape_.blocks = static_cast<std::uint32_t>(kernel.blocks.size());
    std::size_t warps = 1;
    for (const auto& b : kernel.blocks) warps = std::max(warps, b.warps.size());
    shape_.threads = static_cast<std::uint32_t>(warps * simt::kLanes);
    shape_.shared_bytes = kernel.shared_bytes;
    shape_.registers = kernel.registers;
  }
  const simt::LaunchShape& shape() const override { return shape_; }
  simt::BlockTrace run_block(std::uint32_t index) override {
    for (const simt::WarpTrace& w : kernel_.blocks[index].warps)
      for (const simt::WarpInstr& i : w.instrs) execute(w, i);
    return kernel_.blocks[index];
  }

 private:
  void execute(const simt::WarpTrace& w, const simt::WarpInstr& i) {
    if (i.op != simt::Op::store && i.op != simt::Op::atomic) return;
    const unsigned lanes = static_cast<unsigned>(__builtin_popcount(i.mask));
    for (unsigned l = 0; l < lanes; ++l) {
      std::uint8_t* at = memory_.data() + (w.address(i, l) - kBase);
      const std::uint8_t* value = w.data.data() + i.values + l * i.bytes;
      if (i.op == simt::Op::store) {
        std::memcpy(at, value, i.bytes);
      } else {
        std::uint32_t operand;
        std::memcpy(&operand, value, 4);
        memsys::apply_atomic(i.atomic, at, operand, 0);
      }
    }
  }
  const ToyKernel& kernel_;
  std::vector<std::uint8_t>& memory_;
  simt::LaunchShape shape_;
};

class ToyWorkload final : public simt::Workload {
 public:
  /// Memory holds byte i = (i * 7 + i / 256) & 0xff at the start.
  explicit ToyWorkload(std::size_t bytes) : image_(bytes) {
    for (std::size_t i = 0; i < bytes; ++i) image_[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  }
  std::vector<ToyKernel> kernels;
  /// One block of the given warps as one more launch.
  ToyKernel& add(std::vector<WarpBuilder> warps) {
    kernels.emplace_back();
    block(std::move(warps));
    return kernels.back();
  }
  /// One more block of the last launch.
  void block(std::vector<WarpBuilder> warps) {
    simt::BlockTrace b;
    b.block = static_cast<std::uint32_t>(kernels.back().blocks.size());
    for (auto& w : warps) b.warps.push_back(std::move(w.trace));
    kernels.back().blocks.push_back(std::move(b));
  }

  const std::string& name() const override { return name_; }
  void setup() override {}
  simt::Addr base() const override { return kBase; }
  std::span<const std::uint8_t> image() const override { return image_; }
  std::unique_ptr<simt::Launch> next_launch() override {
    if (next_ == kernels.size()) return nullptr;
    const ToyKernel& k = kernels[next_++];
    writes_ = k.before;
    for (const auto& w : writes_) std::memcpy(image_.data() + (w.address - kBase), w.bytes.data(), w.bytes.size());
    return std::make_unique<ToyLaunch>(k, image_);
  }
  std::vector<simt::HostWrite> take_host_writes() override { return std::exchange(writes_, {}); }
  std::string verify() override { return ""; }
  std::vector<std::pair<simt::Addr, std::uint64_t>> order_dependent() const override { return loose; }

  std::vector<std::pair<simt::Addr, std::uint64_t>> loose;

 private:
  std::string name_ = "toy";
  std::vector<std::uint8_t> image_;
  std::vector<simt::HostWrite> writes_;
  std::size_t next_ = 0;
};

/// One SM, one controller: latencies are easy to count by hand.
inline memsys::Profile tiny(std::vector<std::string> more = {}) {
  std::vector<std::string> set = {"gpu.sms=1", "gpu.controllers=1"};
  set.insert(set.end(), more.begin(), more.end());
  return memsys::load_profile("plain", set);
}

/// Runs under the baseline and keeps the objects for inspection.
struct ToyRun {
  ToyRun(const memsys::Profile& profile, ToyWorkload& workload)
      : scheme(schemes::make_baseline()), gpu(profile, *scheme, workload), result(gpu.run()) {}
  std::uint64_t stat(const std::string& name) { return gpu.stats().value(name); }
  std::unique_ptr<memsys::Scheme> scheme;
  memsys::Gpu gpu;
  memsys::Result result;
};

/// tiny() at one clock and without what DRAM adds to its commands, so that latencies can be added up.
inline memsys::Profile even(std::vector<std::string> more = {}) {
  std::vector<std::string> set = {"dram.command_mhz=1365", "dram.latency=0", "dram.tREFI=1000000"};
  set.insert(set.end(), more.begin(), more.end());
  return tiny(set);
}

}  // namespace warpsieve::tb
