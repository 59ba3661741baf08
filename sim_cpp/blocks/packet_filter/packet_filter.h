// packet_filter: what a memory controller does with partial reads: the table of what they ask for, and the choice of
// the form in which a reply goes out (DPC thesis 3.4; decisions D3 to D6, D14). The encoders are outside.
//
//   req -> fwd      2 cycles     a read request on its way to the L2 (see pdr_table.h)
//   take -> mask    2 cycles     a leaving reply gets the mask for the encoders
//   size -> out     1 cycle      the encoders' sizes, in the order of the masks, to the packet's form
//   throughput 1 request and 1 reply per cycle; all outputs depend on state only
//
// RTL: rtl/packet_filter/packet_filter.sv.
#pragma once

#include "blocks/packet_filter/pdr_table.h"

namespace warpsieve::packet_filter {

enum class Mode : std::uint8_t {
  dpc,       ///< the whole line, compressed
  df_trunc,  ///< the sub-blocks asked, compressed
  df_man,    ///< line or line with the rest zero, whichever is smaller compressed (tie: line)
  raw,       ///< the whole line as it is
};
std::string_view to_string(Mode mode);

struct FilterParams {
  TableParams table;
  unsigned in_flight = 4;  ///< replies between mask and size; encoder latency + 2 for one per cycle
  bool operator==(const FilterParams&) const = default;
};

/// Payload bits without the compression flag, 1..1024 each.
struct EncodedSizes {
  std::uint32_t whole = 1024;  ///< of the line
  std::uint32_t part = 1024;   ///< df_trunc: of the sub-blocks asked; df_man: of the zero-filled line
  bool operator==(const EncodedSizes&) const = default;
};

enum class Form : std::uint8_t { whole, truncated, zero_filled, raw };
std::string_view to_string(Form form);

struct PacketForm {
  Form form = Form::whole;
  std::uint8_t map = 0xf;   ///< sub-blocks whose bytes the packet brings
  std::uint8_t asked = 0;   ///< sub-blocks asked that it answers
  std::uint32_t bits = 0;   ///< payload
  std::uint32_t flits = 0;  ///< of 32 bytes, header of 8 bytes included: 1..5
  bool operator==(const PacketForm&) const = default;
};
std::string describe(const EncodedSizes& sizes);
std::string describe(const PacketForm& form);

/// Flits of a reply with so many payload bits (decisions X5, D3).
constexpr unsigned flits(unsigned bits) { return (8 + (bits + 7) / 8 + 31) / 32; }
/// What the block decides, without its timing.
PacketForm select(Mode mode, const AskedMask& mask, const EncodedSizes& sizes);

class PacketFilter : public Clocked {
 public:
  virtual void set_mode(Mode mode) = 0;  ///< a level; used when a size is taken
  In<"req", ReadRequest> req;
  Out<"fwd", Forward> fwd;
  In<"take", Leaving> take;
  Out<"mask", AskedMask> mask;
  In<"size", EncodedSizes> size;
  Out<"out", PacketForm> out;
  auto visit_ports(auto&& visit) { return visit(req, fwd, take, mask, size, out); }
  virtual unsigned used() const = 0;  ///< table entries
};

/// Throws std::invalid_argument as make_pdr_table() does.
std::unique_ptr<PacketFilter> make_packet_filter(const FilterParams& params, Backend backend,
                                                 std::string name = "packet_filter");

}  // namespace warpsieve::packet_filter
