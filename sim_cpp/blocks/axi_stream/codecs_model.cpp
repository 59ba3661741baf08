// The codecs and hashers between their two adapters, wired as in the RTL.
#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <utility>

#include "blocks/axi_stream/axi_stream_backends.h"
#include "blocks/dpc/dpc_backends.h"

namespace warpsieve::axi_stream {

namespace {

/// A block between its two adapters. `Conversion`: Req request(const Line&), SendReq answer(const Rsp&), and the
/// shapes `in` and `out` of the two sides.
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
  }
  bool ready() const override { return in_->ready(); }
  bool push(const Beat& beat) override { return in_->push(beat); }
  const Beat* front() const override { return out_->front(); }
  void pop() override { out_->pop(); }
  void tick() override {
    // Some blocks work on a line before they take it, so it is on offer in every cycle.
    if (const Line* line = in_->front(); line && block_->push(conversion_.request(*line))) in_->pop();
    if (const Rsp* rsp = block_->front(); rsp && out_->ready()) {
      out_->push(conversion_.answer(*rsp));
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
  LineShape in, out;
  md5::LineHashReq request(const Line& line) const {
    return {to_array<md5::kLineBytes>(line.bytes), static_cast<std::uint8_t>(line.user)};
  }
  SendReq answer(const md5::LineHashRsp& rsp) const { return {{first_bytes(rsp.digest, 128), 0}, 128}; }
};

struct BpcEncoderConversion {
  LineShape in, out;
  bpc::EncodeReq request(const Line& line) const { return {to_words(to_array<sizeof(LineBytes)>(line.bytes))}; }
  SendReq answer(const bpc::EncodeRsp& rsp) const { return {{first_bytes(rsp.bits, out.line_bits), 0}, rsp.length}; }
};

struct BpcDecoderConversion {
  LineShape in, out;
  bpc::DecodeReq request(const Line& line) const { return {to_array<sizeof(bpc::Bits)>(line.bytes)}; }
  SendReq answer(const bpc::DecodeRsp& rsp) const {
    return {{first_bytes(to_line(rsp.words), out.line_bits), 0}, out.line_bits};
  }
};

/// The codec works on as many planes per cycle as fit into a beat, and its flits are the beats.
dpc::DpcParams codec_of(const AxisDpcParams& params) {
  dpc::DpcParams codec = params.codec;
  codec.flit_bits = 8 * params.data_bytes;
  if (codec.sub_words) codec.planes_per_cycle = std::min(codec.planes, 2 * params.data_bytes / codec.sub_words);
  return codec;
}

/// The next line is gathered while the encoder reads one.
class DpcEncoderModel final : public AxisCodec {
 public:
  explicit DpcEncoderModel(const AxisDpcParams& params)
      : params_(params), encoder_(dpc::make_dpc_encoder(codec_of(params), Backend::model)),
        in_(make_to_line_model({params.data_bytes, params.codec.max_bits() - 1, 4}, true)) {}
  void reset() override {
    encoder_->reset();
    in_->reset();
    held_.reset();
    beat_.reset();
  }
  bool ready() const override { return in_->ready(); }
  bool push(const Beat& beat) override { return in_->push(beat); }
  const Beat* front() const override { return beat_ ? &*beat_ : nullptr; }
  void pop() override { encoder_->pop(); }
  void tick() override {
    const bool taken = !held_ || encoder_->ready();
    if (held_) encoder_->push(*held_);
    if (taken) {
      held_.reset();
      if (const Line* line = in_->front()) {
        held_ = {dpc::unpack(params_.codec, to_array<sizeof(dpc::Line)>(line->bytes)), line->user};
        in_->pop();
      }
    }
    in_->tick();
    encoder_->tick();
    beat_.reset();
    if (const dpc::Flit* flit = encoder_->front()) {
      const LineShape shape{params_.data_bytes, 8 * params_.data_bytes, 4};
      beat_ = to_beats(shape, {{first_bytes(flit->bits, shape.line_bits), flit->mask}, flit->count}).front();
      beat_->last = flit->last;
    }
  }
  bool idle() const override { return in_->idle() && !held_ && encoder_->idle(); }
  bool bad_packet() const override { return in_->bad_packet(); }

 private:
  AxisDpcParams params_;
  std::unique_ptr<dpc::DpcEncoder> encoder_;
  std::unique_ptr<AxisToLine> in_;
  std::optional<dpc::EncodeReq> held_;  ///< the line that the encoder reads
  std::optional<Beat> beat_;            ///< on offer
};

class DpcDecoderModel final : public AxisCodec {
 public:
  explicit DpcDecoderModel(const AxisDpcParams& params)
      : params_(params), decoder_(dpc::make_dpc_decoder(codec_of(params), Backend::model)),
        out_(make_from_line_model({params.data_bytes, params.codec.max_bits() - 1, 4})) {}
  void reset() override {
    decoder_->reset();
    out_->reset();
  }
  bool ready() const override { return decoder_->ready(); }
  bool push(const Beat& beat) override {
    dpc::StreamFlit flit{{}, beat.user, beat.last, false};
    for (unsigned i = 0; i < params_.data_bytes; ++i)
      if (beat.keep >> i & 1) flit.bits[i] = beat.data[i];
    const auto kept = static_cast<unsigned>(std::popcount(beat.keep));
    const bool from_0 = kept && beat.keep == (kept == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << kept) - 1);
    flit.error = !from_0 || (!beat.last && kept < params_.data_bytes);
    return decoder_->push(flit);
  }
  const Beat* front() const override { return out_->front(); }
  void pop() override { out_->pop(); }
  void tick() override {
    if (const dpc::DecodedLine* line = decoder_->front(); line && out_->ready()) {
      const unsigned bits = params_.codec.max_bits() - 1;
      out_->push({{first_bytes(dpc::pack(params_.codec, line->words), bits), line->mask}, bits});
      decoder_->pop();
    }
    decoder_->tick();
    out_->tick();
  }
  bool idle() const override { return decoder_->idle() && out_->idle(); }
  bool bad_packet() const override { return decoder_->bad_packet(); }

 private:
  AxisDpcParams params_;
  std::unique_ptr<dpc::DpcDecoder> decoder_;
  std::unique_ptr<AxisFromLine> out_;
};

}  // namespace

std::unique_ptr<AxisCodec> make_line_hasher_model(const AxisHasherParams& params) {
  auto hasher = params.keyed ? siphash::make_line_hasher({params.half_rounds_per_cycle, params.key}, Backend::model)
                             : md5::make_line_hasher({params.steps_per_cycle}, Backend::model);
  return make_codec(HasherConversion{{params.data_bytes, 1024, 4}, {params.data_bytes, 128, 1}}, true,
                    std::move(hasher));
}

std::unique_ptr<AxisCodec> make_dpc_encoder_model(const AxisDpcParams& params) {
  return std::make_unique<DpcEncoderModel>(params);
}

std::unique_ptr<AxisCodec> make_dpc_decoder_model(const AxisDpcParams& params) {
  return std::make_unique<DpcDecoderModel>(params);
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
