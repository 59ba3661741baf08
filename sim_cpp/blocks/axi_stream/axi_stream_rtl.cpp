#include <utility>

#include "blocks/axi_stream/axi_stream_backends.h"
#include "cosim/rtl_points.h"
#include "cosim/stream_rtl.h"
#include "rtl_points/axi_stream/axis_bpc_decoder.h"
#include "rtl_points/axi_stream/axis_bpc_encoder.h"
#include "rtl_points/axi_stream/axis_dpc_decoder.h"
#include "rtl_points/axi_stream/axis_dpc_encoder.h"
#include "rtl_points/axi_stream/axis_from_line.h"
#include "rtl_points/axi_stream/axis_line_hasher.h"
#include "rtl_points/axi_stream/axis_to_line.h"

namespace warpsieve::axi_stream {

namespace {

/// The beats of both sides; a module without tuser on a side has none there.
struct BeatFields {
  LineShape shape;
  siphash::Key key{};
  void setup(auto& top) const {
    if constexpr (requires { top.key_i; }) port_from_bytes(top.key_i, key);
  }
  void put(auto& top, const Beat& beat) const {
    port_from_bytes(top.s_axis_tdata_i, beat.data);
    top.s_axis_tkeep_i = static_cast<std::remove_cvref_t<decltype(top.s_axis_tkeep_i)>>(beat.keep);
    if constexpr (requires { top.s_axis_tuser_i; })
      top.s_axis_tuser_i = static_cast<std::remove_cvref_t<decltype(top.s_axis_tuser_i)>>(beat.user);
    top.s_axis_tlast_i = beat.last;
  }
  void put(auto& top, const SendReq& request) const {
    port_from_bytes(top.in_line_i, request.line.bytes);
    top.in_length_i = static_cast<std::remove_cvref_t<decltype(top.in_length_i)>>(request.length);
    top.in_user_i = static_cast<std::remove_cvref_t<decltype(top.in_user_i)>>(request.line.user);
  }
  auto get(const auto& top) const {
    if constexpr (requires { top.out_line_o; }) {
      Line line{std::vector<std::uint8_t>(shape.line_bytes()), top.out_user_o};
      port_to_bytes(top.out_line_o, line.bytes);
      return line;
    } else {
      Beat beat{std::vector<std::uint8_t>(shape.data_bytes), top.m_axis_tkeep_o, 0, top.m_axis_tlast_o != 0};
      port_to_bytes(top.m_axis_tdata_o, beat.data);
      if constexpr (requires { top.m_axis_tuser_o; }) beat.user = top.m_axis_tuser_o;
      return beat;
    }
  }
};

/// A module that takes packets. What is inside its block does not show: it is never said to be idle.
template <class V, class Rsp>
class PacketRtl final : public StreamRtl<V, Beat, Rsp, BeatFields, IdleWhen::output_empty, PacketBlock<Rsp>> {
 public:
  using StreamRtl<V, Beat, Rsp, BeatFields, IdleWhen::output_empty, PacketBlock<Rsp>>::StreamRtl;
  bool bad_packet() const override { return this->top().bad_packet_o; }
  bool idle() const override { return false; }
};

template <class Module>
std::unique_ptr<AxisCodec> make_codec_rtl(std::initializer_list<WantedParameter> wanted, const BeatFields& fields,
                                          const std::string& name) {
  return make_at_point<Module, AxisCodec>(
      wanted, [&]<class V>() { return std::make_unique<PacketRtl<V, Beat>>(name, fields); });
}

template <class Module>
std::unique_ptr<AxisCodec> make_dpc_rtl(const AxisDpcParams& params, const std::string& name) {
  if (params.codec.transform)
    throw std::invalid_argument(std::string(Module::name) + ": no RTL compiled with a transform");
  return make_codec_rtl<Module>({{"DataBytes", params.data_bytes},
                                 {"SubWords", params.codec.sub_words},
                                 {"Planes", params.codec.planes},
                                 {"Truncate", params.codec.truncate}},
                                {{params.data_bytes}}, name);
}

template <class Module>
std::unique_ptr<AxisCodec> make_bpc_rtl(const AxisBpcParams& params, const std::string& name) {
  return make_codec_rtl<Module>({{"DataBytes", params.data_bytes}, {"Words", params.codec.words}},
                                {{params.data_bytes}}, name);
}

}  // namespace

std::unique_ptr<AxisToLine> make_to_line_rtl(const LineShape& shape, bool exact, const std::string& name) {
  return make_at_point<rtl_points::axis_to_line, AxisToLine>(
      {{"DataBytes", shape.data_bytes},
       {"LineBits", shape.line_bits},
       {"UserBits", shape.user_bits},
       {"Exact", exact}},
      [&]<class V>() { return std::make_unique<PacketRtl<V, Line>>(name, BeatFields{shape}); });
}

std::unique_ptr<AxisFromLine> make_from_line_rtl(const LineShape& shape, const std::string& name) {
  return make_at_point<rtl_points::axis_from_line, AxisFromLine>(
      {{"DataBytes", shape.data_bytes}, {"LineBits", shape.line_bits}, {"UserBits", shape.user_bits}},
      [&]<class V>() { return std::make_unique<StreamRtl<V, SendReq, Beat, BeatFields>>(name, BeatFields{shape}); });
}

std::unique_ptr<AxisCodec> make_line_hasher_rtl(const AxisHasherParams& params, const std::string& name) {
  return make_codec_rtl<rtl_points::axis_line_hasher>({{"DataBytes", params.data_bytes},
                                                       {"Keyed", params.keyed},
                                                       {"StepsPerCycle", params.steps_per_cycle},
                                                       {"HalfRoundsPerCycle", params.half_rounds_per_cycle}},
                                                      {{params.data_bytes}, params.key}, name);
}

std::unique_ptr<AxisCodec> make_dpc_encoder_rtl(const AxisDpcParams& params, const std::string& name) {
  return make_dpc_rtl<rtl_points::axis_dpc_encoder>(params, name);
}

std::unique_ptr<AxisCodec> make_dpc_decoder_rtl(const AxisDpcParams& params, const std::string& name) {
  return make_dpc_rtl<rtl_points::axis_dpc_decoder>(params, name);
}

std::unique_ptr<AxisCodec> make_bpc_encoder_rtl(const AxisBpcParams& params, const std::string& name) {
  return make_bpc_rtl<rtl_points::axis_bpc_encoder>(params, name);
}

std::unique_ptr<AxisCodec> make_bpc_decoder_rtl(const AxisBpcParams& params, const std::string& name) {
  return make_bpc_rtl<rtl_points::axis_bpc_decoder>(params, name);
}

}  // namespace warpsieve::axi_stream
