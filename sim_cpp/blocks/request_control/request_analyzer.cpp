#include "blocks/request_control/request_analyzer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <optional>
#include <stdexcept>

#include "blocks/request_control/request_control_backends.h"
#include "cosim/model_queue.h"
#include "cosim/shadow.h"
#include "cosim/stream_rtl.h"
#include "rtl_points/request_control/request_analyzer.h"

namespace warpsieve::request_control {

SubBlockMap analyze(const LaneAccess& access, const AnalyzerParams& params) {
  const unsigned sub_bytes = params.line_bytes / params.sub_blocks;
  SubBlockMap result;
  for (unsigned lane = 0; lane < params.lanes; ++lane) {
    if (!(access.active >> lane & 1)) continue;
    const unsigned first = access.offsets[lane] & (params.line_bytes - 1);
    for (unsigned byte = first; byte < first + (1u << access.size_log2); ++byte) {
      if (byte < params.line_bytes) result.map |= 1u << byte / sub_bytes;
    }
  }
  return result;
}

std::string describe(const LaneAccess& access) {
  return fmt::format("active {:#x} bytes {} offsets {}", access.active, 1u << access.size_log2,
                     fmt::join(access.offsets, ","));
}
std::string describe(const SubBlockMap& map) { return fmt::format("map {:#b}", map.map); }

namespace {

class RequestAnalyzerModel final : public RequestAnalyzer {
 public:
  explicit RequestAnalyzerModel(const AnalyzerParams& params) : params_(params) {}
  void reset() override {
    out_.clear();
    incoming_.reset();
  }
  bool ready() const override { return out_.size() < 2; }
  bool push(const LaneAccess& access) override {
    if (!ready()) return false;
    incoming_ = analyze(access, params_);
    return true;
  }
  const SubBlockMap* front() const override { return out_.front(); }
  void pop() override { out_.pop(); }
  void tick() override {
    out_.settle();
    if (incoming_) out_.put(*incoming_);
    incoming_.reset();
  }
  bool idle() const override { return out_.size() == 0; }

 private:
  AnalyzerParams params_;
  ModelQueue<SubBlockMap> out_;
  std::optional<SubBlockMap> incoming_;
};

struct AnalyzerFields {
  AnalyzerParams params;
  void put(auto& top, const LaneAccess& access) const {
    const unsigned bits = static_cast<unsigned>(std::countr_zero(params.line_bytes));
    std::array<std::uint8_t, 32> packed{};
    for (unsigned at = 0; at < params.lanes * bits; ++at) {
      if (access.offsets[at / bits] >> at % bits & 1) packed[at / 8] |= static_cast<std::uint8_t>(1u << at % 8);
    }
    top.in_active_i = access.active & static_cast<std::uint32_t>((std::uint64_t{1} << params.lanes) - 1);
    top.in_size_i = access.size_log2;
    port_from_bytes(top.in_offsets_i, packed);
  }
  SubBlockMap get(const auto& top) const { return {top.out_map_o}; }
};

template <class V>
using AnalyzerRtl = StreamRtl<V, LaneAccess, SubBlockMap, AnalyzerFields>;

void check(const AnalyzerParams& p) {
  if (p.lanes < 1 || p.lanes > 32 || !std::has_single_bit(p.line_bytes) || p.line_bytes > 256 ||
      !std::has_single_bit(p.sub_blocks) || p.sub_blocks < 2 || p.line_bytes < 8 * p.sub_blocks) {
    throw std::invalid_argument(
        fmt::format("request_analyzer: parameters out of range: lanes {} line_bytes {} "
                    "sub_blocks {}",
                    p.lanes, p.line_bytes, p.sub_blocks));
  }
}

}  // namespace

std::unique_ptr<RequestAnalyzer> make_request_analyzer_model(const AnalyzerParams& params) {
  return std::make_unique<RequestAnalyzerModel>(params);
}

std::unique_ptr<RequestAnalyzer> make_request_analyzer_rtl(const AnalyzerParams& p, const std::string& name) {
  return make_at_point<rtl_points::request_analyzer, RequestAnalyzer>(
      {{"Lanes", p.lanes}, {"LineBytes", p.line_bytes}, {"SubBlocks", p.sub_blocks}},
      [&]<class V>() { return std::make_unique<AnalyzerRtl<V>>(name, AnalyzerFields{p}); });
}

std::unique_ptr<RequestAnalyzer> make_request_analyzer(const AnalyzerParams& params, Backend backend,
                                                       std::string name) {
  check(params);
  return make_backend<LaneAccess, SubBlockMap>(
      backend, name, [&] { return make_request_analyzer_model(params); },
      [&] { return make_request_analyzer_rtl(params, name); });
}

}  // namespace warpsieve::request_control
