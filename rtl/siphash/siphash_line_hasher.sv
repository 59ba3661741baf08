// siphash_line_hasher: keyed 128-bit fingerprint of the masked sectors of one 128-byte line.
// The ports are those of line_hasher (MD5) and key_i. Without the key, a collision cannot be constructed (decision C7).
//
//   in {mask, data} ──▶ [4 sectors, each turning by one word in the time of one word] ── chosen sector ──▶ siphash_core
//                                                                                              ──▶ out tag
//
//   message = masked 32-byte sectors in ascending order, one byte {4'b0, mask}
//
//   sectors in the mask n   0     1     2     3     4
//   latency, H = 2          11    19    27    35    43  = 11 + 8 n
//   latency, H = 1          21    37    53    69    85  = 21 + 16 n
//
// Latency counts from the cycle in which the line is taken to the first cycle with out_valid_o. One line is in
// flight: in_ready_o rises in the cycle after the tag is taken. Mask 0 is legal. key_i: see siphash_core.
//
// Why the sectors turn in every busy cycle: a bit of the line then has one source besides in_data_i and needs no
// hold. All four sectors come round together, so each begins at its word 0 when its turn comes.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module siphash_line_hasher #(
  parameter int unsigned HalfRoundsPerCycle = 2  // 1 or 2
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic [127:0]  key_i,  // stable from the last cycle of reset on
  input  wire logic          in_valid_i,
  output logic               in_ready_o,
  input  wire logic [1023:0] in_data_i,    // byte i in bits 8i+7:8i; sector s in bytes 32s to 32s+31
  input  wire logic [3:0]    in_mask_i,  // sectors to hash
  output logic               out_valid_o,
  input  wire logic          out_ready_i,
  output logic [127:0]       out_digest_o  // first byte of the tag in bits 7:0
);
  localparam int unsigned Turn = HalfRoundsPerCycle == 2 ? 32 : 16;  // bits per cycle; 64 in the time of one word

  logic          busy_q;
  logic [1023:0] line_q;
  logic [3:0]    mask_q, left_q;  // left_q: sectors that are still to be hashed, the present one included
  logic [1:0]    word_q;          // of the sector
  logic          take_line, take_tag, start_ready, next, last;

  assign in_ready_o = !busy_q;
  assign take_line  = in_valid_i && in_ready_o;
  assign take_tag   = out_valid_o && out_ready_i;
  assign last       = left_q == 4'b0;

  // One gate for every register. While its clock stands, the block is as it was after its last cycle of work: what an
  // idle cycle loads is loaded again with the next line (formal/siphash/siphash_line_hasher_gate.toml).
  logic clk, clk_enable;
`ifdef PLANT_GATE_MISSES_LINE  // planted bug: the clock stands while a line is taken
  assign clk_enable = !rst_ni || busy_q;
`else
  assign clk_enable = !rst_ni || busy_q || in_valid_i;
`endif
  clock_gate i_clock_gate (
    .clk_i,
    .enable_i(clk_enable),
    .test_i(1'b0),
    .clk_o(clk)
  );

  always_ff @(posedge clk `WARPSIEVE_RESET) begin
    if (!rst_ni)        busy_q <= 1'b0;
    else if (take_line) busy_q <= 1'b1;
    else if (take_tag)  busy_q <= 1'b0;
  end
  always_ff @(posedge clk) begin
    if (!busy_q) begin
      mask_q <= in_mask_i;
      left_q <= in_mask_i;
      word_q <= 2'd0;
    end else if (next) begin
      word_q <= word_q + 2'd1;
`ifdef PLANT_HASHER_KEEPS_SECTOR
      if (&word_q && left_q != 4'b1000) left_q <= left_q & (left_q - 4'd1);  // planted bug: the last sector has no end
`else
      if (&word_q) left_q <= left_q & (left_q - 4'd1);
`endif
    end
  end
  for (genvar s = 0; s < 4; s++) begin : g_sector
    always_ff @(posedge clk) begin
      line_q[256*s +: 256] <= busy_q ? {line_q[256*s +: Turn], line_q[256*s+Turn +: 256-Turn]} : in_data_i[256*s +: 256];
    end
  end

  // The word at the bottom of its sector; in its last cycle it has turned by 64 - Turn bits already.
  logic [3:0]   now;
  logic [255:0] candidates;
  logic [63:0]  from_line, tail;
  logic [2:0]   sectors;
`ifdef PLANT_HASHER_ORDER  // planted bug: the highest sector of two comes first
  assign now     = left_q == 4'b1010 ? 4'b1000 : left_q & ~(left_q - 4'd1);
`else
  assign now     = left_q & ~(left_q - 4'd1);
`endif
  assign sectors = {2'b0, mask_q[0]} + {2'b0, mask_q[1]} + {2'b0, mask_q[2]} + {2'b0, mask_q[3]};
  for (genvar s = 0; s < 4; s++) begin : g_word
    assign candidates[64*s +: 64] = (next ? {line_q[256*s +: Turn], line_q[256*s+192+Turn +: 64-Turn]}
                                          : line_q[256*s +: 64]) & {64{now[s]}};
  end
  assign from_line = candidates[63:0] | candidates[127:64] | candidates[191:128] | candidates[255:192];
`ifdef PLANT_HASHER_SHORT_LENGTH  // planted bug: the length does not count the mask byte
  assign tail      = {sectors, 5'd0, 52'd0, mask_q} & {64{last}};
`else
  assign tail      = {sectors, 5'd1, 52'd0, mask_q} & {64{last}};  // length 32 sectors + 1, mask byte
`endif

  siphash_core #(.HalfRoundsPerCycle(HalfRoundsPerCycle)) i_core (
    .clk_i(clk),
    .rst_ni,
    .key_i,
    .start_valid_i(busy_q),
    .start_ready_o(start_ready),
    .msg_next_o(next),
    .msg_word_i(from_line | tail),
    .msg_last_i(last),
    .out_valid_o,
    .out_ready_i,
    .out_digest_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_free_core_when_idle: assert (busy_q || (start_ready && !out_valid_o));
    c_whole_line:          cover (out_valid_o && mask_q == 4'b1111);
    c_no_sector:           cover (out_valid_o && mask_q == 4'b0000);
    c_gap_in_mask:         cover (out_valid_o && mask_q == 4'b1010);
  end
`else
  wire unused_start_ready = start_ready;
`endif
`ifdef FORMAL_SIPHASH_LINE_HASHER
  `include "siphash_line_hasher_props.svh"
`endif
endmodule
`default_nettype wire
