#include "blocks/common/ram_1rw.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cosim/verilated.h"
#include "rtl_points/common/ram_1rw.h"

namespace warpsieve::common {

namespace {

/// Bits of a little-endian word, at most 64.
std::uint64_t bits_of(const RamWord& word, unsigned first, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < std::min(count, 64u); ++i)
    value |= std::uint64_t{word[(first + i) / 8] >> ((first + i) % 8) & 1u} << i;
  return value;
}

class PortModel final : public SinglePortRam {
 public:
  explicit PortModel(const PortParams& params)
      : params_(params), lanes_(params.depth * params.mask_bits), read_lanes_(params.mask_bits) {}
  void reset() override {
    write_.reset();
    read_.reset();
  }
  void write(unsigned address, const RamWord& word, std::uint32_t mask) override {
    write_ = {.address = address, .word = word, .mask = mask};
  }
  void read(unsigned address) override { read_ = address; }
  std::optional<std::uint64_t> lane(unsigned number) const override { return read_lanes_[number]; }
  void tick() override {
    if (write_) {
      for (unsigned lane = 0; lane < params_.mask_bits; ++lane)
        if (write_->mask >> lane & 1)
          lanes_[write_->address * params_.mask_bits + lane] =
              bits_of(write_->word, lane * params_.lane_bits(), params_.lane_bits());
      if (read_ || !params_.hold_data) std::fill(read_lanes_.begin(), read_lanes_.end(), std::nullopt);
    } else if (read_) {
      const auto first = lanes_.begin() + *read_ * params_.mask_bits;
      std::copy(first, first + params_.mask_bits, read_lanes_.begin());
    }
    reset();
  }
  bool idle() const override { return true; }

 private:
  struct Write {
    unsigned address;
    RamWord word;
    std::uint32_t mask;
  };
  PortParams params_;
  std::vector<std::optional<std::uint64_t>> lanes_;  ///< empty while undefined
  std::optional<Write> write_;
  std::optional<unsigned> read_;
  std::vector<std::optional<std::uint64_t>> read_lanes_;
};

template <class V>
class PortRtl final : public SinglePortRam {
 public:
  PortRtl(const PortParams& params, const std::string& name) : params_(params), rtl_(name) {
    reset();
    rtl_.tick();  // the first clock level is no edge to Verilator
  }
  void reset() override {
    rtl_.top().we_i = 0;
    rtl_.top().re_i = 0;
  }
  void write(unsigned address, const RamWord& word, std::uint32_t mask) override {
    rtl_.top().we_i = 1;
    rtl_.top().addr_i = address;
    rtl_.top().wmask_i = mask;
    port_from_bytes(rtl_.top().wdata_i, word);
  }
  void read(unsigned address) override {
    rtl_.top().re_i = 1;
    rtl_.top().addr_i = address;
  }
  std::optional<std::uint64_t> lane(unsigned number) const override {
    RamWord word((params_.width + 7) / 8);
    port_to_bytes(rtl_.top().rdata_o, word);
    return bits_of(word, number * params_.lane_bits(), params_.lane_bits());
  }
  void tick() override {
    rtl_.tick();
    reset();
  }
  bool idle() const override { return true; }

 private:
  PortParams params_;
  RtlClock<V> rtl_;
};

std::unique_ptr<SinglePortRam> make_port_rtl(const PortParams& params, const std::string& name) {
  return make_at_point<rtl_points::ram_1rw, SinglePortRam>(
      {{"Width", params.width},
       {"Depth", params.depth},
       {"MaskBits", params.mask_bits},
       {"HoldData", params.hold_data}},
      [&]<class V>() { return std::make_unique<PortRtl<V>>(params, name); });
}

}  // namespace

std::unique_ptr<SinglePortRam> make_port_ram(const PortParams& params, Backend backend, std::string name) {
  switch (backend) {
    case Backend::model: return std::make_unique<PortModel>(params);
    case Backend::rtl: return make_port_rtl(params, name);
    case Backend::shadow: break;
  }
  throw std::invalid_argument("ram_1rw: backend must be model or rtl");
}

}  // namespace warpsieve::common
