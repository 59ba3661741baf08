#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>

#include "blocks/dpc/dpc_backends.h"

namespace warpsieve::dpc {

namespace {

bool bit_of(const Bits& bits, unsigned at) { return at < 8 * bits.size() && (bits[at / 8] >> (at % 8) & 1); }

/// Copies `count` bits; those of `to` are 0 before. Bits behind the end of either are left out.
void copy_bits(Bits& to, unsigned to_at, const Bits& from, unsigned from_at, unsigned count) {
  const unsigned end = 8 * static_cast<unsigned>(to.size());
  count = std::min({count, end - std::min(end, to_at), end - std::min(end, from_at)});
  unsigned done = 0;
  if (to_at % 8 == 0 && from_at % 8 == 0) {
    done = count / 8 * 8;
    std::copy_n(from.begin() + from_at / 8, count / 8, to.begin() + to_at / 8);
  }
  for (; done < count; ++done) {
    const unsigned bit = from[(from_at + done) / 8] >> ((from_at + done) % 8) & 1u, at = to_at + done;
    to[at / 8] = static_cast<std::uint8_t>(to[at / 8] | bit << (at % 8));
  }
}

/// C and ES in front of the planes.
unsigned head_bits(const DpcParams& params, bool compressed) { return compressed ? 1 + params.planes : 1; }

/// ES of a stream: bit 0 is the first plane of the stream. 0 if raw.
std::uint32_t es_of(const DpcParams& params, const Bits& bits) {
  std::uint32_t same = 0;
  for (unsigned g = 0; bit_of(bits, 0) && g < params.planes; ++g) same |= std::uint32_t{bit_of(bits, 1 + g)} << g;
  return same;
}

/// Planes of a step in front of the packer, which puts a chunk behind the bits that wait.
class EncoderModel final : public DpcEncoder {
 public:
  explicit EncoderModel(const DpcParams& params) : params_(params) {}
  void reset() override {
    offered_.reset();
    held_.reset();
    rest_.reset();
    out_.clear();
    next_ = 0;
    popped_ = false;
  }
  bool ready() const override { return next_ + 1 == params_.steps() && (!held_ || steps_on()); }
  bool push(const EncodeReq& item) override {
    offered_ = item;
    return ready();
  }
  const Flit* front() const override { return out_.empty() ? nullptr : &out_.front(); }
  void pop() override { popped_ = !out_.empty(); }
  void tick() override {
    const bool steps = held_ && steps_on(), load = offered_ && (!held_ || steps), room = has_room();
    if (popped_) out_.pop_front();
    if (room) {
      const auto rest = std::exchange(rest_, std::nullopt);
      if (rest) out_.push_back(*rest);
      if (steps) {
        const unsigned sum = end_of_step();
        if (emits()) out_.push_back(flits_[sent_++]);
        if (sent_ < flits_.size() && last_step()) rest_ = flits_[sent_++];
        fill_ = sum % params_.flit_bits;
      }
    }
    if (load) {
      if (next_ == 0) begin(*offered_);
      held_ = next_;
      next_ = (next_ + 1) % params_.steps();
    } else if (steps) {
      held_.reset();
    }
    offered_.reset();
    popped_ = false;
  }
  bool idle() const override { return next_ == 0 && !held_ && !rest_ && out_.empty(); }

 private:
  bool has_room() const { return out_.size() < 2; }
  bool last_step() const { return *held_ + 1 == params_.steps(); }
  unsigned end_of_step() const { return (*held_ == 0 ? head_ : fill_) + extents_[*held_]; }
  bool emits() const { return end_of_step() >= params_.flit_bits || last_step(); }
  /// The planes that wait leave: their flit does not meet the rest of the line before them.
  bool steps_on() const { return has_room() && !(rest_ && emits()); }
  void begin(const EncodeReq& req) {
    const Encoded stream = encode(params_, req);
    const unsigned mask = mask_of(params_, req.mask);
    flits_ = to_flits(params_, stream, mask);
    extents_ = step_bits(params_, stream.compressed(), es_of(params_, stream.bits), mask);
    head_ = head_bits(params_, stream.compressed());
    sent_ = 0;
  }
  DpcParams params_;
  std::optional<EncodeReq> offered_;
  unsigned next_ = 0;             ///< step of the line on offer
  std::optional<unsigned> held_;  ///< step whose planes wait
  // The line of these planes.
  std::vector<Flit> flits_;
  std::vector<unsigned> extents_;
  std::size_t sent_ = 0;
  unsigned head_ = 0, fill_ = 0;
  std::optional<Flit> rest_;  ///< of a line that has ended
  std::deque<Flit> out_;      ///< the register slice
  bool popped_ = false;
};

class DecoderModel final : public DpcDecoder {
 public:
  explicit DecoderModel(const DpcParams& params) : params_(params) {}
  void reset() override {
    offered_.reset();
    full_.reset();
    open_ = skip_ = bad_ = popped_ = false;
    step_ = 0;
  }
  bool ready() const override { return skip_ || !open_ || takes(); }
  bool push(const StreamFlit& flit) override {
    if (!ready()) return false;
    offered_ = flit;
    return true;
  }
  const DecodedLine* front() const override { return full_ ? &*full_ : nullptr; }
  void pop() override { popped_ = full_.has_value(); }
  void tick() override {
    const bool free = !full_ || popped_, line_waits = full_.has_value();
    if (popped_) full_.reset();
    bad_ = false;
    if (skip_) {
      if (offered_ && offered_->last) {
        skip_ = false;
        bad_ = true;
      }
    } else if (open_) {
      go_on(free, line_waits);
    } else if (offered_) {
      begin(free);
    }
    offered_.reset();
    popped_ = false;
  }
  bool idle() const override { return !open_ && !skip_ && !full_ && !bad_; }
  bool bad_packet() const override { return bad_; }

 private:
  bool last_step() const { return step_ + 1 == params_.steps(); }
  /// The planes of the step end in the next flit, or the next planes begin there.
  bool more() const {
    const unsigned end = at_ + extents_[step_];
    return end > params_.flit_bits || (end == params_.flit_bits && !last_step());
  }
  bool takes() const { return more() && !full_ && !last_flit_; }
  void append(const StreamFlit& flit) {
    copy_bits(stream_, taken_, flit.bits, 0, params_.flit_bits);
    taken_ += params_.flit_bits;
    last_flit_ = flit.last;
    broken_ = broken_ || flit.error;
  }
  void begin(bool free) {
    stream_ = {};
    taken_ = 0;
    broken_ = false;
    append(*offered_);
    mask_ = mask_of(params_, offered_->mask);
    const bool compressed = bit_of(stream_, 0);
    extents_ = step_bits(params_, compressed, es_of(params_, stream_), mask_);
    at_ = head_bits(params_, compressed);
    open_ = true;
    if (free && !more()) step();
  }
  void go_on(bool free, bool line_waits) {
    if (!more()) {
      if (free) step();
    } else if (last_flit_) {  // too short
      open_ = false;
      bad_ = true;
      step_ = 0;
    } else if (offered_ && !line_waits) {
      append(*offered_);
      at_ -= params_.flit_bits;  // wraps; the step adds more than that
      step();
    }
  }
  void step() {
    at_ += extents_[step_];
    const bool ends = last_step();
    step_ = ends ? 0 : step_ + 1;
    if (!ends) return;
    open_ = false;
    if (!last_flit_)
      skip_ = true;
    else if (broken_)
      bad_ = true;
    else
      full_ = DecodedLine{decode(params_, {stream_, mask_}).words, mask_};
  }
  DpcParams params_;
  std::optional<StreamFlit> offered_;
  std::optional<DecodedLine> full_;
  bool open_ = false, skip_ = false, broken_ = false, last_flit_ = false, bad_ = false, popped_ = false;
  Bits stream_{};
  unsigned taken_ = 0;  ///< bits
  unsigned mask_ = 0, at_ = 0, step_ = 0;
  std::vector<unsigned> extents_;
};

}  // namespace

void check_params(const DpcParams& params) {
  const auto refuse = [](std::string_view name, unsigned value, std::string_view range) {
    throw std::invalid_argument(fmt::format("dpc: {} is {}, must be {}", name, value, range));
  };
  if (params.sub_words < 2 || params.sub_words > 8) refuse("sub_words", params.sub_words, "2 to 8");
  if (params.planes < 2 || params.planes > 32) refuse("planes", params.planes, "2 to 32");
  if (params.planes_per_cycle < 1 || params.planes_per_cycle > params.planes)
    refuse("planes_per_cycle", params.planes_per_cycle, "1 to planes");
  if (params.flit_bits < params.words() * params.planes_per_cycle || params.flit_bits < params.planes + 2 ||
      params.flit_bits > kMaxBits)
    refuse("flit_bits", params.flit_bits, "the planes of a step, and planes + 2, to 1057");
}

std::vector<unsigned> step_bits(const DpcParams& params, bool compressed, std::uint32_t same, unsigned mask) {
  const unsigned count = static_cast<unsigned>(std::popcount(mask)) * params.sub_words;
  std::vector<unsigned> bits(params.steps());
  for (unsigned g = 0; count && g < params.planes; ++g)
    bits[g / params.planes_per_cycle] += compressed && (same >> g & 1) ? 1 : count;
  return bits;
}

std::vector<Flit> to_flits(const DpcParams& params, const Encoded& stream, unsigned mask) {
  std::vector<Flit> flits((stream.length + params.flit_bits - 1) / params.flit_bits);
  for (unsigned f = 0; f < flits.size(); ++f) {
    Flit& flit = flits[f];
    flit.count = std::min(params.flit_bits, stream.length - f * params.flit_bits);
    copy_bits(flit.bits, 0, stream.bits, f * params.flit_bits, flit.count);
    flit.last = f + 1 == flits.size();
    flit.mask = mask_of(params, mask);
    flit.length = f == 0 ? stream.length : 0;
  }
  return flits;
}

StreamFlit to_decoder(const Flit& flit) { return {flit.bits, flit.mask, flit.last, false}; }

Encoded encode_with(DpcEncoder& encoder, const EncodeReq& req) {
  Encoded stream;
  unsigned at = 0;
  bool taken = false;
  for (unsigned cycle = 0; cycle < 1000; ++cycle) {
    taken = taken || encoder.push(req);
    if (const Flit* flit = encoder.front()) {
      copy_bits(stream.bits, at, flit->bits, 0, flit->count);
      at += flit->count;
      if (flit->length) stream.length = flit->length;
      const bool last = flit->last;
      encoder.pop();
      if (last) {
        encoder.tick();
        return stream;
      }
    }
    encoder.tick();
  }
  throw std::logic_error("dpc_encoder: no stream");
}

DecodeRsp decode_with(DpcDecoder& decoder, const DpcParams& params, const Encoded& stream, unsigned mask) {
  const std::vector<Flit> flits = to_flits(params, stream, mask);
  std::size_t next = 0;
  for (unsigned cycle = 0; cycle < 1000; ++cycle) {
    if (const DecodedLine* line = decoder.front()) {
      const DecodeRsp rsp{line->words};
      decoder.pop();
      decoder.tick();
      return rsp;
    }
    if (next < flits.size() && decoder.push(to_decoder(flits[next]))) ++next;
    decoder.tick();
    if (decoder.bad_packet()) throw std::logic_error("dpc_decoder: the packet does not fit its stream");
  }
  throw std::logic_error("dpc_decoder: no line");
}

std::string describe(const EncodeReq& req) {
  return fmt::format("mask {:04b} words {:x}", req.mask, fmt::join(req.words, " "));
}
std::string describe(const Flit& flit) {
  return fmt::format("{} of {} bits, mask {:04b}{}: {:02x}", flit.count, flit.length, flit.mask,
                     flit.last ? ", last" : "", fmt::join(flit.bits, ""));
}
std::string describe(const StreamFlit& flit) {
  return fmt::format("mask {:04b}{}{}: {:02x}", flit.mask, flit.last ? ", last" : "", flit.error ? ", error" : "",
                     fmt::join(flit.bits, ""));
}
std::string describe(const DecodedLine& line) {
  return fmt::format("mask {:04b} words {:x}", line.mask, fmt::join(line.words, " "));
}

std::unique_ptr<DpcEncoder> make_encoder_model(const DpcParams& params) {
  return std::make_unique<EncoderModel>(params);
}

std::unique_ptr<DpcDecoder> make_decoder_model(const DpcParams& params) {
  return std::make_unique<DecoderModel>(params);
}

}  // namespace warpsieve::dpc
