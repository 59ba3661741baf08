// secded_words: check bits for the words of a memory, of any width and in lanes; combinational.
//
//   data ──▶ [secded] ──^ flip──▶ stored ──▶ (memory) ──▶ read ──▶ [secded] ──▶ data, single, fatal
//
// It stands around a memory: stored_o is what to write, read_i what was read. A lane is what the memory's write mask
// replaces as a whole. Lanes longer than 64 bits have parts, each with check bits of its own.
// A stored word is {last lane, ..., lane 0}, a stored lane {check bits of the last part, ..., of part 0, its data}.
//
// flip_i puts errors in: two halves of 16 bits, each the number of a stored bit to invert, plus one; 0: none. It is 0
// in use, where synthesis removes it.
// With Secded = 0 there are no check bits: the module is wires, flip_i is ignored and no error is seen.
// Two wrong bits of one part are reported, two of two parts corrected, more are not (secded.sv).
`default_nettype none
module secded_words #(
  parameter int unsigned Width  = 66,  // bits per word, a multiple of Lanes
  parameter int unsigned Lanes  = 1,   // equal lanes of a word
  parameter int unsigned Secded = 1,   // 0: wires
  parameter int unsigned Stored = 80   // secded_pkg::stored_bits(Width / Lanes, Lanes, Secded), at most 65535
) (
  input  wire logic [Width-1:0]  data_i,    // word to write
  input  wire logic [31:0]       flip_i,    // stored bits to write inverted, for tests
  output logic [Stored-1:0]      stored_o,  // with check bits
  input  wire logic [Stored-1:0] read_i,    // word as it was read
  output logic [Width-1:0]       data_o,    // corrected
  output logic [Lanes-1:0]       single_o,  // lanes with wrong bits, all corrected
  output logic [Lanes-1:0]       fatal_o    // lanes that are not to be used
);
  if (Lanes == 0 || Width == 0 || Width % Lanes != 0) begin : g_bad_width
    $error("secded_words: Width must be a multiple of Lanes, and both at least 1");
  end
  localparam int unsigned LaneBits = Width / Lanes;
  if (Stored != secded_pkg::stored_bits(LaneBits, Lanes, Secded)) begin : g_bad_stored
    $error("secded_words: Stored must be secded_pkg::stored_bits(Width / Lanes, Lanes, Secded)");
  end

  if (Secded == 0) begin : g_plain
    wire unused_flip = &{1'b0, flip_i};
    assign stored_o = data_i;
    assign data_o   = read_i;
    assign single_o = '0;
    assign fatal_o  = '0;
  end else begin : g_coded
    localparam int unsigned Parts     = secded_pkg::parts(LaneBits);
    localparam int unsigned PartBits  = secded_pkg::part_bits(LaneBits);
    localparam int unsigned CheckBits = secded_pkg::check_bits(PartBits);
    localparam int unsigned LaneStored = LaneBits + Parts * CheckBits;
    logic [Stored-1:0] coded, flips;
    always_comb begin
      for (int unsigned b = 0; b < Stored; b++) begin
        flips[b] = flip_i[15:0] == 16'(b + 1) || flip_i[31:16] == 16'(b + 1);
      end
    end
    assign stored_o = coded ^ flips;
    for (genvar l = 0; l < Lanes; l++) begin : g_lane
      logic [Parts-1:0] single, fatal;
      assign coded[l*LaneStored +: LaneBits] = data_i[l*LaneBits +: LaneBits];
      assign single_o[l] = |single && !fatal_o[l];
`ifdef PLANT_SECDED_FIRST_PART  // planted bug: of a long lane, errors of the first part only are reported
      assign fatal_o[l]  = fatal[0];
`else
      assign fatal_o[l]  = |fatal;
`endif
      for (genvar p = 0; p < Parts; p++) begin : g_part
        localparam int unsigned From = l * LaneBits + p * PartBits;
        localparam int unsigned Bits = p + 1 < Parts ? PartBits : LaneBits - p * PartBits;  // the last may be shorter
        localparam int unsigned Pad  = PartBits - Bits;
        localparam int unsigned At   = l * LaneStored + LaneBits + p * CheckBits;
        logic [PartBits-1:0]  data, read, corrected, unused_data;
        logic [CheckBits-1:0] unused_check;
        logic                 unused_single, unused_fatal;
        if (Pad > 0) begin : g_padded
          wire unused_pad = &{1'b0, corrected[PartBits-1 -: Pad]};
          assign data = {{Pad{1'b0}}, data_i[From +: Bits]};
          assign read = {{Pad{1'b0}}, read_i[l*LaneStored + p*PartBits +: Bits]};
        end else begin : g_whole
          assign data = data_i[From +: Bits];
          assign read = read_i[l*LaneStored + p*PartBits +: Bits];
        end
        secded #(.Width(PartBits)) i_encode (
          .data_i(data),
          .check_i('0),
          .check_o(coded[At +: CheckBits]),
          .data_o(unused_data),
          .single_o(unused_single),
          .fatal_o(unused_fatal)
        );
        secded #(.Width(PartBits)) i_decode (
          .data_i(read),
          .check_i(read_i[At +: CheckBits]),
          .check_o(unused_check),
          .data_o(corrected),
          .single_o(single[p]),
          .fatal_o(fatal[p])
        );
        assign data_o[From +: Bits] = corrected[Bits-1:0];
      end
    end
  end
`ifdef FORMAL_SECDED_WORDS
  `include "secded_words_props.svh"
`endif
endmodule
`default_nettype wire
