#include "blocks/secded/secded_ram.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <stdexcept>

#include "blocks/secded/secded.h"
#include "cosim/verilated.h"
#include "rtl_points/secded/secded_ram.h"

namespace warpsieve::secded {

namespace {

class SecdedRamModel final : public SecdedRam {
 public:
  explicit SecdedRamModel(const SecdedRamParams& params) : code_(params.word_bits), words_(params.depth) {}
  void reset() override {
    write_.reset();
    read_.reset();
  }
  void write(unsigned address, const Parts& data, const Parts& flip_data, const Parts& flip_check) override {
    std::vector<Stored> word;
    for (std::size_t p = 0; p < data.size(); ++p) {
      word.push_back({data[p] ^ flip_data[p], static_cast<std::uint8_t>(code_.check(data[p]) ^ flip_check[p])});
    }
    write_.emplace(address, std::move(word));
  }
  void read(unsigned address) override { read_ = address; }
  SecdedRead out() const override { return out_; }
  void tick() override {
    if (read_) {
      out_ = {};
      for (const Stored& part : words_[*read_]) {
        const Decoded decoded = code_.decode(part.data, part.check);
        out_.data.push_back(decoded.data);
        out_.single.push_back(decoded.single);
        out_.fatal.push_back(decoded.fatal);
      }
    }
    if (write_) words_[write_->first] = write_->second;
    reset();
  }
  bool idle() const override { return true; }

 private:
  struct Stored {
    std::uint64_t data;
    std::uint8_t check;
  };
  Code code_;
  std::vector<std::vector<Stored>> words_;  ///< empty while undefined
  std::optional<std::pair<unsigned, std::vector<Stored>>> write_;
  std::optional<unsigned> read_;
  SecdedRead out_;
};

/// Bits [at, at + count) of little-endian bytes.
void put(std::vector<std::uint8_t>& bytes, unsigned at, unsigned count, std::uint64_t value) {
  for (unsigned i = 0; i < count; ++i) {
    const auto bit = static_cast<std::uint8_t>((value >> i & 1) << (at + i) % 8);
    bytes[(at + i) / 8] |= bit;
  }
}
std::uint64_t get(const std::vector<std::uint8_t>& bytes, unsigned at, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::uint64_t{bytes[(at + i) / 8] >> (at + i) % 8 & 1u} << i;
  return value;
}

template <class V>
class SecdedRamRtl final : public SecdedRam {
 public:
  SecdedRamRtl(const SecdedRamParams& params, const std::string& name)
      : params_(params), check_bits_(Code(params.word_bits).check_bits()), rtl_(name) {
    reset();
    rtl_.tick();  // the first clock level is no edge to Verilator
  }
  void reset() override {
    rtl_.top().we_i = 0;
    rtl_.top().re_i = 0;
  }
  void write(unsigned address, const Parts& data, const Parts& flip_data, const Parts& flip_check) override {
    const unsigned stored = params_.word_bits + check_bits_;
    std::vector<std::uint8_t> word((params_.width + 7) / 8), flips((params_.parts() * stored + 7) / 8);
    for (unsigned p = 0; p < params_.parts(); ++p) {
      put(word, p * params_.word_bits, params_.word_bits, data[p]);
      put(flips, p * stored, params_.word_bits, flip_data[p]);
      put(flips, p * stored + params_.word_bits, check_bits_, flip_check[p]);
    }
    rtl_.top().we_i = 1;
    rtl_.top().waddr_i = static_cast<decltype(rtl_.top().waddr_i + 0)>(address);
    port_from_bytes(rtl_.top().wdata_i, word);
    port_from_bytes(rtl_.top().flip_i, flips);
  }
  void read(unsigned address) override {
    rtl_.top().re_i = 1;
    rtl_.top().raddr_i = static_cast<decltype(rtl_.top().raddr_i + 0)>(address);
  }
  SecdedRead out() const override {
    std::vector<std::uint8_t> word((params_.width + 7) / 8);
    port_to_bytes(rtl_.top().rdata_o, word);
    SecdedRead made;
    for (unsigned p = 0; p < params_.parts(); ++p) {
      made.data.push_back(get(word, p * params_.word_bits, params_.word_bits));
      made.single.push_back(rtl_.top().single_o >> p & 1);
      made.fatal.push_back(rtl_.top().fatal_o >> p & 1);
    }
    return made;
  }
  void tick() override {
    rtl_.tick();
    reset();
  }
  bool idle() const override { return true; }

 private:
  SecdedRamParams params_;
  unsigned check_bits_;
  RtlClock<V> rtl_;
};

}  // namespace

std::string describe(const SecdedRead& read) {
  return fmt::format("data {:x} single {:d} fatal {:d}", fmt::join(read.data, " "), fmt::join(read.single, ""),
                     fmt::join(read.fatal, ""));
}

std::unique_ptr<SecdedRam> make_secded_ram(const SecdedRamParams& params, Backend backend, const std::string& name) {
  if (params.word_bits == 0 || params.width == 0 || params.width % params.word_bits != 0 || params.depth == 0) {
    throw std::invalid_argument(
        fmt::format("secded_ram: width {} is not a multiple of word_bits {}, or depth {} is 0", params.width,
                    params.word_bits, params.depth));
  }
  switch (backend) {
    case Backend::model: return std::make_unique<SecdedRamModel>(params);
    case Backend::rtl:
      return make_at_point<rtl_points::secded_ram, SecdedRam>(
          {{"Width", params.width},
           {"Depth", params.depth},
           {"WordBits", params.word_bits},
           {"OldData", params.old_data}},
          [&]<class V>() { return std::make_unique<SecdedRamRtl<V>>(params, name); });
    case Backend::shadow: break;
  }
  throw std::invalid_argument("secded_ram: backend must be model or rtl");
}

}  // namespace warpsieve::secded
