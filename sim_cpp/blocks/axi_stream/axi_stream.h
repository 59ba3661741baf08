// axi_stream: AXI4-Stream adapters of the streaming codecs and hashers.
//
//   axis_to_line      beats of a packet to one line        latency 1 from the last beat, one beat per cycle
//   axis_from_line    one line to the beats of a packet    latency 2 to the first beat, one beat per cycle
//   axis_line_hasher, axis_bpc_encoder, axis_bpc_decoder
//                     packet in, packet out: the block of that name between the two; its latency + 3
//   axis_dpc_encoder  axis_to_line and dpc_encoder, whose flits are the beats; its latency + 2
//   axis_dpc_decoder  dpc_decoder, whose flits are the beats, and axis_from_line; its latency + 2
//
//   ready    state only; low after a cycle in which a line waited
//   packet   whole beats but for the last, whose bytes are kept from byte 0 on; tuser of the first beat counts
//   errors   a packet that is no legal one gives no line; bad_packet() for one cycle. Exact: as many bytes as a line;
//            else 1 byte to as many, and the bytes behind it are 0. axis_dpc_decoder: as many beats as the stream
//            needs
//
// RTL: rtl/axi_stream/, at the points of rtl/axi_stream/points.txt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "blocks/bpc/bpc.h"
#include "blocks/dpc/dpc.h"
#include "blocks/md5/line_hasher.h"
#include "blocks/siphash/line_hasher.h"
#include "cosim/block.h"

namespace warpsieve::axi_stream {

inline constexpr unsigned kMaxDataBytes = 64;  ///< of a beat, in the model
inline constexpr unsigned kMaxUserBits = 32;

struct Beat {
  std::vector<std::uint8_t> data;
  std::uint64_t keep = 0;  ///< bit i: byte i is part of the packet
  std::uint32_t user = 0;
  bool last = false;
  bool operator==(const Beat&) const = default;
};

struct Line {
  std::vector<std::uint8_t> bytes;  ///< bits from line_bits on are 0
  std::uint32_t user = 0;
  bool operator==(const Line&) const = default;
};

struct SendReq {
  Line line;
  unsigned length = 0;  ///< bits to send, 1 to line_bits
  bool operator==(const SendReq&) const = default;
};

std::string describe(const Beat& beat);
std::string describe(const Line& line);
std::string describe(const SendReq& request);

struct LineShape {
  unsigned data_bytes = 32;   ///< per beat, 1 to kMaxDataBytes
  unsigned line_bits = 1024;  ///< from 1
  unsigned user_bits = 4;     ///< 1 to kMaxUserBits
  bool operator==(const LineShape&) const = default;
  unsigned line_bytes() const { return (line_bits + 7) / 8; }
  unsigned beats() const { return (line_bytes() + data_bytes - 1) / data_bytes; }
};

/// The packet of the first `length` bits of a line, as axis_from_line sends it.
std::vector<Beat> to_beats(const LineShape& shape, const SendReq& request);

/// A block that takes packets.
template <class Rsp>
struct PacketBlock : Block<Beat, Rsp> {
  /// A packet was dropped at the last clock edge.
  virtual bool bad_packet() const = 0;
};
using AxisToLine = PacketBlock<Line>;
using AxisFromLine = Block<SendReq, Beat>;
using AxisCodec = PacketBlock<Beat>;

struct AxisHasherParams {
  unsigned data_bytes = 32;
  bool keyed = false;                  ///< false: MD5; true: SipHash
  unsigned steps_per_cycle = 1;        ///< of MD5
  unsigned half_rounds_per_cycle = 2;  ///< of SipHash
  siphash::Key key{};                  ///< of SipHash
  bool operator==(const AxisHasherParams&) const = default;
};
struct AxisDpcParams {
  unsigned data_bytes = 32;
  dpc::DpcParams codec{};  ///< planes_per_cycle and flit_bits do not count: they follow from data_bytes
  bool operator==(const AxisDpcParams&) const = default;
};
struct AxisBpcParams {
  unsigned data_bytes = 32;
  bpc::BpcParams codec{};
  bool operator==(const AxisBpcParams&) const = default;
};

/// All throw std::invalid_argument for parameters outside their ranges, and when `backend` needs RTL and no compiled
/// point has these parameters.
std::unique_ptr<AxisToLine> make_axis_to_line(const LineShape& shape, bool exact, Backend backend,
                                              std::string name = "axis_to_line");
std::unique_ptr<AxisFromLine> make_axis_from_line(const LineShape& shape, Backend backend,
                                                  std::string name = "axis_from_line");
std::unique_ptr<AxisCodec> make_axis_line_hasher(const AxisHasherParams& params, Backend backend,
                                                 std::string name = "axis_line_hasher");
std::unique_ptr<AxisCodec> make_axis_dpc_encoder(const AxisDpcParams& params, Backend backend,
                                                 std::string name = "axis_dpc_encoder");
std::unique_ptr<AxisCodec> make_axis_dpc_decoder(const AxisDpcParams& params, Backend backend,
                                                 std::string name = "axis_dpc_decoder");
std::unique_ptr<AxisCodec> make_axis_bpc_encoder(const AxisBpcParams& params, Backend backend,
                                                 std::string name = "axis_bpc_encoder");
std::unique_ptr<AxisCodec> make_axis_bpc_decoder(const AxisBpcParams& params, Backend backend,
                                                 std::string name = "axis_bpc_decoder");

}  // namespace warpsieve::axi_stream
