// The codecs and hashers between their two adapters, wired as in the RTL.
#include <algorithm>
#include <deque>
#include <span>
#include <utility>

#include "blocks/axi_stream/axi_stream_backends.h"
#include "blocks/dpc/dpc_backends.h"

namespace warpsieve::axi_stream {

namespace {

/// `Conversion`: Req request(const Line&), SendReq answer(const Rsp&), and the shapes `in` and `out` of the two
/// sides.
template <class Req, class Rsp, class Conversion>
class CodecModel final : public AxisCodec {
 public:
  CodecModel(Conversion conversion, bool exact, std::unique_ptr<Block<Req, Rsp>> block)
      : conversion_(std::move(conversion)), block_(std::move(block)), in_(make_to_line_model(conversion_.in, exact)),
        out_(make_from_line_model(conversion_.out)) {}
  void reset() override {
    in_->reset();
    block_->reset();
    out_->reset();
    users_.clear();
  }
  bool ready() const override { return in_->ready(); }
  bool push(const Beat& beat) override { return in_->push(beat); }
  const Beat* front() const override { return out_->front(); }
  void pop() override { out_->pop(); }
  void tick() override {
    // Some blocks work on a line before they take it, so it is on offer in every cycle.
    if (const Line* line = in_->front(); line && block_->push(conversion_.request(*line))) {
      users_.push_back(line->user);
      in_->pop();
    }
    if (const Rsp* rsp = block_->front(); rsp && out_->ready()) {
      SendReq answer = conversion_.answer(*rsp);
      if (conversion_.keeps_user) answer.line.user = users_.front();
      out_->push(answer);
      users_.pop_front();
      block_->pop();
    }
    in_->tick();
    block_->tick();
    out_->tick();
  }
  bool idle() const override { return in_->idle() && block_->idle() && out_->idle(); }
  bool bad_packet() const override { return in_->bad_packet(); }

 private:
  Conversion conversion_;
  std::unique_ptr<Block<Req, Rsp>> block_;
  std::unique_ptr<AxisToLine> in_;
  std::unique_ptr<AxisFromLine> out_;
  std::deque<std::uint32_t> users_;  ///< of the items inside the block
};

template <class Req, class Rsp, class Conversion>
std::unique_ptr<AxisCodec> make_codec(Conversion conversion, bool exact, std::unique_ptr<Block<Req, Rsp>> block) {
  return std::make_unique<CodecModel<Req, Rsp, Conversion>>(std::move(conversion), exact, std::move(block));
}

template <std::size_t size>
std::array<std::uint8_t, size> to_array(const std::vector<std::uint8_t>& bytes) {
  std::array<std::uint8_t, size> found{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), size), found.begin());
  return found;
}

std::vector<std::uint8_t> first_bytes(std::span<const std::uint8_t> bytes, unsigned bits) {
  return {bytes.begin(), bytes.begin() + (bits + 7) / 8};
}

struct HasherConversion {
  static constexpr bool keeps_user = false;
  LineShape in, out;
  md5::LineHashReq request(const Line& line) const {
    return {to_array<md5::kLineBytes>(line.bytes), static_cast<std::uint8_t>(line.user)};
  }
  SendReq answer(const md5::LineHashRsp& rsp) const { return {{first_bytes(rsp.digest, 128), 0}, 128}; }
};

struct DpcEncoderConversion {
  static constexpr bool keeps_user = true;
  LineShape in, out;
  dpc::DpcParams params;
  dpc::EncodeReq request(const Line& line) const {
    return {dpc::unpack(params, to_array<sizeof(dpc::Line)>(line.bytes)), line.user};
  }
  SendReq answer(const dpc::EncodeRsp& rsp) const { return {{first_bytes(rsp.bits, out.line_bits), 0}, rsp.length}; }
};

struct DpcDecoderConversion {
  static constexpr bool keeps_user = true;
  LineShape in, out;
  dpc::DpcParams params;
  dpc::DecodeReq request(const Line& line) const { return {to_array<sizeof(dpc::Bits)>(line.bytes), line.user}; }
  SendReq answer(const dpc::DecodeRsp& rsp) const {
    return {{first_bytes(dpc::pack(params, rsp.words), out.line_bits), 0}, out.line_bits};
  }
};

struct BpcEncoderConversion {
  static constexpr bool keeps_user = false;
  LineShape in, out;
  bpc::EncodeReq request(const Line& line) const { return {to_words(to_array<sizeof(LineBytes)>(line.bytes))}; }
  SendReq answer(const bpc::EncodeRsp& rsp) const { return {{first_bytes(rsp.bits, out.line_bits), 0}, rsp.length}; }
};

struct BpcDecoderConversion {
  static constexpr bool keeps_user = false;
  LineShape in, out;
  bpc::DecodeReq request(const Line& line) const { return {to_array<sizeof(bpc::Bits)>(line.bytes)}; }
  SendReq answer(const bpc::DecodeRsp& rsp) const {
    return {{first_bytes(to_line(rsp.words), out.line_bits), 0}, out.line_bits};
  }
};

}  // namespace

std::unique_ptr<AxisCodec> make_line_hasher_model(const AxisHasherParams& params) {
  auto hasher = params.keyed ? siphash::make_line_hasher({params.half_rounds_per_cycle, params.key}, Backend::model)
                             : md5::make_line_hasher({params.steps_per_cycle}, Backend::model);
  return make_codec(HasherConversion{{params.data_bytes, 1024, 4}, {params.data_bytes, 128, 1}}, true,
                    std::move(hasher));
}

std::unique_ptr<AxisCodec> make_dpc_encoder_model(const AxisDpcParams& params) {
  const dpc::DpcParams& codec = params.codec;
  auto encoder = dpc::make_dpc_encoder(codec, Backend::model);
  const LineShape line{params.data_bytes, codec.max_bits() - 1, 4}, stream{params.data_bytes, codec.max_bits(), 4};
  return make_codec(DpcEncoderConversion{line, stream, codec}, true, std::move(encoder));
}

std::unique_ptr<AxisCodec> make_dpc_decoder_model(const AxisDpcParams& params) {
  const dpc::DpcParams& codec = params.codec;
  auto decoder = dpc::make_dpc_decoder(codec, Backend::model);
  const LineShape line{params.data_bytes, codec.max_bits() - 1, 4}, stream{params.data_bytes, codec.max_bits(), 4};
  return make_codec(DpcDecoderConversion{stream, line, codec}, false, std::move(decoder));
}

std::unique_ptr<AxisCodec> make_bpc_encoder_model(const AxisBpcParams& params) {
  auto encoder = bpc::make_bpc_encoder(params.codec, Backend::model);
  const unsigned bits = params.codec.raw_bits();
  return make_codec(BpcEncoderConversion{{params.data_bytes, bits, 1}, {params.data_bytes, bits + 1, 1}}, true,
                    std::move(encoder));
}

std::unique_ptr<AxisCodec> make_bpc_decoder_model(const AxisBpcParams& params) {
  auto decoder = bpc::make_bpc_decoder(params.codec, Backend::model);
  const unsigned bits = params.codec.raw_bits();
  return make_codec(BpcDecoderConversion{{params.data_bytes, bits + 1, 1}, {params.data_bytes, bits, 1}}, false,
                    std::move(decoder));
}

}  // namespace warpsieve::axi_stream
