// reply_select_core: which form of a reply packet goes out, and how many flits it takes; combinational.
//
//   mode  0 DPC       the whole line, compressed (no filtering)
//         1 DF_TRUNC  the requested sub-blocks, compressed; the rest is left out
//         2 DF_MAN    the line with the rest set to zero, compressed, when that is smaller than the line itself
//                     (a tie: the line itself); then the requester gets the whole line
//         3 RAW       the whole line as it is
//   A reply that must be sent in full (full_i) is sent as in DPC in modes 1 and 2.
//
// whole_bits_i: payload bits of the encoder that sees the line. part_bits_i: of the encoder that sees the requested
// sub-blocks (mode 1) or the zero-filled line (mode 2). Payload bits are without the compression flag, which is in the
// header: 1 to 1,024 (decision D3). map_o: sub-blocks whose bytes the packet brings.
// Flits of 32 bytes, 8 of the first are the header: ceil((8 + ceil(bits / 8)) / 32) = (bits + 319) / 256.
// Source: DPC thesis 3.4.1.3; decisions D3 to D6.
`default_nettype none
module reply_select_core (
  input  wire logic [1:0]  mode_i,
  input  wire logic [3:0]  asked_i,
  input  wire logic        full_i,
  input  wire logic [10:0] whole_bits_i,
  input  wire logic [10:0] part_bits_i,
  output logic [1:0]       form_o,   // 0 whole, 1 truncated, 2 zero-filled, 3 raw
  output logic [3:0]       map_o,
  output logic [10:0]      bits_o,   // payload
  output logic [2:0]       flits_o
);
  localparam logic [1:0] Trunc = 2'd1, Man = 2'd2, Raw = 2'd3;

  logic part;
  always_comb begin
`ifdef PLANT_SELECT_TIE  // planted bug: a tie goes to the zero-filled line
    part   = !full_i && (mode_i == Trunc || (mode_i == Man && part_bits_i <= whole_bits_i));
`else
    part   = !full_i && (mode_i == Trunc || (mode_i == Man && part_bits_i < whole_bits_i));
`endif
    form_o = part || mode_i == Raw ? mode_i : 2'd0;
    map_o  = part ? asked_i : '1;
    bits_o = mode_i == Raw ? 11'd1024 : part ? part_bits_i : whole_bits_i;
  end

  logic [11:0] reach;
`ifdef PLANT_SELECT_FLIT  // planted bug: the header is forgotten
  assign reach   = {1'b0, bits_o} + 12'd255;
`else
  assign reach   = {1'b0, bits_o} + 12'd319;
`endif
  assign flits_o = reach[10:8];

`ifdef FORMAL_REPLY_SELECT_CORE
  `include "reply_select_core_props.svh"
`else
  logic unused;
  assign unused = &{1'b0, reach[11], reach[7:0]};
`endif
endmodule
`default_nettype wire
