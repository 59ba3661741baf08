// secded: Hsiao's code for one word: corrects one wrong bit, reports two; combinational.
//
//   data_i ──▶ [check bits] ──▶ check_o                        check_o depends on data_i only
//                   │
//   check_i ──────▶ ^ ──▶ syndrome ──▶ data_o, single_o, fatal_o
//
// To encode: check_o beside data_i. To decode: data_i and check_i as they were read.
// The check matrix has a column per bit. A check bit's column has one 1, a data bit's an odd number of at least three.
// So one wrong bit gives its column as syndrome, and two give an even number of ones, which no column has.
//
//   wrong bits   0         1                         2         3 and more
//   data_o       data_i    corrected                 data_i    may be wrong
//   single_o     0         1                         0         may be 1
//   fatal_o      0         0, also in a check bit    1         may be 0
//
// Columns come in rings: a first one and its rotations. So all check bits have trees of about the same size. Rings of
// weight 3 come first, so that trees are small, but a ring that closes early is last. The C++ twin is
// sim_cpp/blocks/secded/secded.h.
// Source: Hsiao, "A Class of Optimal Minimum Odd-weight-column SEC-DED Codes" (1970).
`default_nettype none
module secded #(
  parameter int unsigned Width = 32,  // data bits, 1 to 64
  // follows from Width and is not to be set
  parameter int unsigned CheckBits = Width > 57 ? 8 : Width > 26 ? 7 : Width > 11 ? 6 : Width > 4 ? 5 : Width > 1 ? 4 : 3
) (
  input  wire logic [Width-1:0]     data_i,
  input  wire logic [CheckBits-1:0] check_i,
  output logic [CheckBits-1:0]      check_o,   // of data_i
  output logic [Width-1:0]          data_o,    // data_i, corrected by check_i
  output logic                      single_o,  // one bit of data_i or check_i was wrong
  output logic                      fatal_o    // more than one was: data_o is not to be used
);
  if (Width == 0 || Width > 64) begin : g_bad_width
    $error("secded: Width must be 1 to 64");
  end
  if (CheckBits != (Width > 57 ? 8 : Width > 26 ? 7 : Width > 11 ? 6 : Width > 4 ? 5 : Width > 1 ? 4 : 3)) begin : g_bad_check
    $error("secded: CheckBits follows from Width and must not be overridden");
  end

  // First column of each ring, eight bits each, ring 0 lowest.
  localparam logic [71:0] Firsts =
    CheckBits == 8 ? {8'd0, 8'd31, 8'd37, 8'd25, 8'd21, 8'd19, 8'd13, 8'd11, 8'd7} :
    CheckBits == 7 ? {8'd127, 8'd55, 8'd47, 8'd31, 8'd21, 8'd19, 8'd13, 8'd11, 8'd7} :
    CheckBits == 6 ? {32'd0, 8'd21, 8'd31, 8'd13, 8'd11, 8'd7} :
    CheckBits == 5 ? {48'd0, 8'd31, 8'd11, 8'd7} : 72'd7;

  logic [CheckBits-1:0]       syndrome;
  logic [Width-1:0]           wrong;
  logic                       nonzero;
  logic [CheckBits*Width-1:0] rows;  // data bits that each check bit adds up
  for (genvar b = 0; b < Width; b++) begin : g_bit
    localparam int unsigned Turn = b % CheckBits;
    localparam logic [CheckBits-1:0] First = Firsts[8 * (b / CheckBits) +: CheckBits];
    localparam logic [CheckBits-1:0] Column = (First << Turn) | (First >> (CheckBits - Turn));
    for (genvar c = 0; c < CheckBits; c++) begin : g_row
      assign rows[c*Width + b] = Column[c] && data_i[b];
    end
    assign wrong[b] = syndrome == Column;
  end
  for (genvar c = 0; c < CheckBits; c++) begin : g_check
    assign check_o[c] = ^rows[c*Width +: Width];
  end
  assign syndrome = check_o ^ check_i;
  assign nonzero  = |syndrome;
  assign data_o   = data_i ^ wrong;
  // A syndrome that is neither a data bit's column nor a check bit's comes from two or more wrong bits.
  assign single_o = nonzero && (|wrong || (syndrome & (syndrome - 1'b1)) == '0);
`ifdef PLANT_SECDED_PARITY_ONLY  // planted bug: two wrong bits look like none
  assign fatal_o  = nonzero && !single_o && ^syndrome;
`else
  assign fatal_o  = nonzero && !single_o;
`endif
`ifdef FORMAL_SECDED
  `include "secded_props.svh"
`endif
endmodule
`default_nettype wire
