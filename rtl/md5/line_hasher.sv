// line_hasher: MD5 fingerprint of the masked sectors of one 128-byte line (CMD IV.A, decisions C7, C8).
//
//   in {mask, data} ──▶ [line, mask] ── word chosen by index ──▶ md5_core ──▶ out digest
//
//   message = masked 32-byte sectors in ascending order, one byte {4'b0, mask}, MD5 padding, length
//
//   sectors in the mask   0, 1     2, 3     4
//   64-byte chunks n      1        2        3
//   latency, S = 1        66       130      194    = 2 + 64 n
//   latency, S = 2        34       67       100    = 1 + 33 n
//   latency, S = 4        18       35       52     = 1 + 17 n
//
// Latency counts from the cycle in which the line is taken to the first cycle with out_valid_o. One line is in
// flight: in_ready_o rises in the cycle after the digest is taken.
// Mask 0 is legal and gives the digest of one zero byte.
//
// Why the padding is not stored: the words behind the sectors are made at the time the core reads them.
//
// Why the line is stored inverted in every second cycle (flip_q): the buffer is most of the area, and the
// multiplexer in front of an inverted bit needs no inverter.
//
// Why the words of a sector rotate with S = 1: the core then reads a word at a few fixed places, the taps, instead
// of at any place. The rotation is free, because a bit needs a second source besides in_data_i anyway.
// md5_pkg::first_slot gives each word its first place, so that five of the eight places are taps.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module line_hasher #(
  parameter int unsigned StepsPerCycle = 1  // 1, 2 or 4
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          in_valid_i,
  output logic               in_ready_o,
  input  wire logic [1023:0] in_data_i,   // byte i in bits 8i+7:8i; sector s in bytes 32s to 32s+31
  input  wire logic [3:0]    in_mask_i,  // sectors to hash
  output logic               out_valid_o,
  input  wire logic          out_ready_i,
  output logic [127:0]       out_digest_o  // byte 0, printed first, in bits 7:0
);
  localparam int unsigned S = StepsPerCycle;

  logic          busy_q, flip_q;
  logic [1023:0] line_q;
  logic [3:0]    mask_q;
  logic [1:0]    chunk_q;  // whose words are being fetched
  logic          take_line, take_digest;

  assign in_ready_o  = !busy_q;
  assign take_line   = in_valid_i && in_ready_o;
  assign take_digest = out_valid_o && out_ready_i;

  // One gate for every register. While its clock stands, the block is as it was after its last cycle of work: what an
  // idle cycle loads is loaded again with the next line (formal/md5/line_hasher_gate.toml).
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

  logic [4*S-1:0]  index;
  logic [32*S-1:0] word;
  logic [5:0]      step;
  logic            index_last, start_ready, more;

  always_ff @(posedge clk `WARPSIEVE_RESET) begin
    if (!rst_ni)          busy_q <= 1'b0;
    else if (take_line)   busy_q <= 1'b1;
`ifdef PLANT_HASHER_STAYS_BUSY
    else if (take_digest && flip_q) busy_q <= 1'b0;  // planted bug: the next line waits for another digest
`else
    else if (take_digest) busy_q <= 1'b0;
`endif
  end
  always_ff @(posedge clk) begin
    if (!busy_q)         chunk_q <= 2'd0;
    else if (index_last) chunk_q <= chunk_q + 2'd1;
    if (!busy_q) mask_q <= in_mask_i;
    flip_q <= !busy_q || !flip_q;
  end
  for (genvar w = 0; w < 32; w++) begin : g_line
    localparam int unsigned Sector = w / 8;
    localparam int unsigned Slot   = S == 1 ? 8 * Sector + 32'(md5_pkg::first_slot(3'(w))) : w;
    localparam int unsigned Before = S == 1 ? 8 * Sector + (Slot + 7) % 8 : w;
    always_ff @(posedge clk) begin
      line_q[32*Slot +: 32] <= ~(busy_q ? line_q[32*Before +: 32] : in_data_i[32*w +: 32]);
    end
  end

  // Where message sector v (v-th one in the mask) lies in the line, one-hot; none when there is no v-th one.
  logic [2:0] sectors;
  logic [3:0] first, behind_first, second, third, fourth;
  assign sectors      = {2'b0, mask_q[0]} + {2'b0, mask_q[1]} + {2'b0, mask_q[2]} + {2'b0, mask_q[3]};
  assign first        = mask_q & ~(mask_q - 4'd1);
  assign behind_first = mask_q & (mask_q - 4'd1);
`ifdef PLANT_HASHER_SWAPS  // planted bug: the second and third of three sectors change places
  assign third        = behind_first & ~(behind_first - 4'd1) & {4{^mask_q}};
  assign second       = behind_first & ~(third | fourth);
  assign fourth       = {&mask_q, 3'b0};
`else
  assign second       = behind_first & ~(behind_first - 4'd1);
  assign fourth       = {&mask_q, 3'b0};
  assign third        = behind_first & ~(second | fourth);
`endif
  assign more         = chunk_q != (sectors[2] ? 2'd2 : sectors[1] ? 2'd1 : 2'd0);

  for (genvar j = 0; j < S; j++) begin : g_word
    logic [3:0]   at, select;
    logic [2:0]   sector;  // of the message
    logic [31:0]  from_line, tail;
    logic [127:0] candidates;
    assign at     = index[4*j +: 4];
    assign sector = {chunk_q, at[3]};
    always_comb begin
      unique case (sector)
        3'd0:    select = first;
        3'd1:    select = second;
        3'd2:    select = third;
        3'd3:    select = fourth;
        default: select = 4'b0;
      endcase
    end
    if (S == 1) begin : g_pick
      logic [1023:0] picked;  // the word asked for, where it is
      for (genvar p = 0; p < 8; p++) begin : g_place
        localparam logic [63:0] Steps = md5_pkg::tap_steps(3'(p));
        logic tap;
        assign tap = md5_pkg::lookup(Steps, step);
        for (genvar s = 0; s < 4; s++) begin : g_sector
          assign picked[256*s + 32*p +: 32] = line_q[256*s + 32*p +: 32] & {32{tap && select[s]}};
        end
      end
      for (genvar s = 0; s < 4; s++) begin : g_sector
        assign candidates[32*s +: 32] = picked[256*s +: 32] | picked[256*s+32 +: 32] | picked[256*s+64 +: 32] |
                                        picked[256*s+96 +: 32] | picked[256*s+128 +: 32] | picked[256*s+160 +: 32] |
                                        picked[256*s+192 +: 32] | picked[256*s+224 +: 32];
      end
    end else begin : g_pick
      for (genvar s = 0; s < 4; s++) begin : g_sector
        assign candidates[32*s +: 32] = line_q[256*s + 32*at[2:0] +: 32] & {32{select[s]}};
      end
    end
    assign from_line = candidates[31:0] | candidates[63:32] | candidates[95:64] | candidates[127:96];
    // Behind the sectors: mask byte and 0x80, zeros, and the length in bits, 256 sectors + 8.
`ifdef PLANT_HASHER_LENGTH  // planted bug: the length does not count the mask byte
    assign tail = (sector == sectors && at[2:0] == 3'd0) ? {16'd0, 8'h80, 4'd0, mask_q}
                : (!more && at == 4'd14)                 ? {21'd0, sectors, 8'd0} : 32'd0;
`else
    assign tail = (sector == sectors && at[2:0] == 3'd0) ? {16'd0, 8'h80, 4'd0, mask_q}
                : (!more && at == 4'd14)                 ? {21'd0, sectors, 8'd8} : 32'd0;
`endif
    assign word[32*j +: 32] = (from_line ^ {32{flip_q && select != 4'b0}}) | tail;
  end

  if (S != 1) begin : g_no_turn
    wire unused_step = ^step;
  end

  md5_core #(.StepsPerCycle(S), .FoldInSteps(S == 1 ? 1 : 0)) i_core (
    .clk_i(clk),
    .rst_ni,
    .start_valid_i(busy_q),
    .start_ready_o(start_ready),
    .start_more_i(more),
    .msg_index_o(index),
    .msg_step_o(step),
    .msg_last_o(index_last),
    .msg_word_i(word),
    .out_valid_o,
    .out_ready_i,
    .out_digest_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_free_core_when_idle: assert (busy_q || (start_ready && !out_valid_o));
    c_three_chunks:        cover (out_valid_o && mask_q == 4'b1111);
    c_no_sector:           cover (out_valid_o && mask_q == 4'b0000);
    c_gap_in_mask:         cover (out_valid_o && mask_q == 4'b1010);
  end
`else
  wire unused_start_ready = start_ready;
`endif
`ifdef FORMAL_LINE_HASHER
  `include "line_hasher_props.svh"
`endif
endmodule
`default_nettype wire
