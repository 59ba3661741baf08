#include "blocks/common/ram_1r1w.h"

#include <optional>
#include <stdexcept>
#include <utility>

#include "cosim/verilated.h"
#include "rtl_points/common/ram_1r1w.h"

namespace warpsieve::common {

namespace {

class RamModel final : public Ram {
 public:
  explicit RamModel(const RamParams& params) : words_(params.depth) {}
  void reset() override {
    write_.reset();
    read_.reset();
  }
  void write(unsigned address, const RamWord& word) override { write_.emplace(address, word); }
  void read(unsigned address) override { read_ = address; }
  RamWord rdata() const override { return rdata_; }
  void tick() override {
    if (read_) rdata_ = words_[*read_];
    if (write_) words_[write_->first] = write_->second;
    reset();
  }
  bool idle() const override { return true; }

 private:
  std::vector<RamWord> words_;  ///< empty while undefined
  std::optional<std::pair<unsigned, RamWord>> write_;
  std::optional<unsigned> read_;
  RamWord rdata_;
};

template <class V>
class RamRtl final : public Ram {
 public:
  RamRtl(const RamParams& params, const std::string& name) : bytes_((params.width + 7) / 8), rtl_(name) {
    reset();
    rtl_.tick();  // the first clock level is no edge to Verilator
  }
  void reset() override {
    rtl_.top().we_i = 0;
    rtl_.top().re_i = 0;
  }
  void write(unsigned address, const RamWord& word) override {
    rtl_.top().we_i = 1;
    rtl_.top().waddr_i = address;
    port_from_bytes(rtl_.top().wdata_i, word);
  }
  void read(unsigned address) override {
    rtl_.top().re_i = 1;
    rtl_.top().raddr_i = address;
  }
  RamWord rdata() const override {
    RamWord word(bytes_);
    port_to_bytes(rtl_.top().rdata_o, word);
    return word;
  }
  void tick() override {
    rtl_.tick();
    reset();
  }
  bool idle() const override { return true; }

 private:
  std::size_t bytes_;
  RtlClock<V> rtl_;
};

std::unique_ptr<Ram> make_ram_rtl(const RamParams& params, const std::string& name) {
  return make_at_point<rtl_points::ram_1r1w, Ram>(
      {{"Width", params.width}, {"Depth", params.depth}, {"OldData", 1}},
      [&]<class V>() { return std::make_unique<RamRtl<V>>(params, name); });
}

}  // namespace

std::unique_ptr<Ram> make_ram(const RamParams& params, Backend backend, std::string name) {
  switch (backend) {
    case Backend::model: return std::make_unique<RamModel>(params);
    case Backend::rtl: return make_ram_rtl(params, name);
    case Backend::shadow: break;
  }
  throw std::invalid_argument("ram_1r1w: backend must be model or rtl");
}

}  // namespace warpsieve::common
