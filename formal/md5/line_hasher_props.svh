// line_hasher with any core that keeps md5_core_contract.svh in time (stub=md5_core; whatever digest it gives).
//
// The digest belongs to the line: the core is fed the blocks of the padded message of the line that was taken, in
// order, and the digest on offer is the core's. The message: masked sectors in ascending order, one byte {4'b0,
// mask}, 0x80, zeros, and the length in bits in the last 8 bytes. One bit of the line is chosen freely and followed
// to the core.
//
// In time: the digest is on offer in the cycle of the header, leaves at most LIVE_K - 1 cycles later, and a line
// waits as long at most.
  `include "reset.svh"
  `include "live.svh"
  `define PROMISE assume
  if (1) begin : g_contract
    localparam int unsigned CSteps = S, CFold = S == 1 ? 1 : 0;
    logic           c_start, c_more, c_start_ready, c_msg_last, c_out_valid, c_take;
    logic [5:0]     c_msg_step;
    logic [4*S-1:0] c_msg_index;
    assign c_start       = busy_q && start_ready;
    assign c_more        = more;
    assign c_start_ready = start_ready;
    assign c_msg_last    = index_last;
    assign c_msg_step    = step;
    assign c_msg_index   = index;
    assign c_out_valid   = out_valid_o;
    assign c_take        = out_valid_o && out_ready_i;
    `include "md5_core_contract.svh"
  end
  `undef PROMISE

  // The line that was taken: its mask, and the chosen bit of it.
  (* anyconst *) logic [1:0] f_sector;
  (* anyconst *) logic [2:0] f_word;  // of the sector
  (* anyconst *) logic [4:0] f_bit;   // of the word
  logic [3:0] f_mask_q;
  logic       f_value_q;
  always_ff @(posedge clk_i) if (in_valid_i && in_ready_o) begin
    f_mask_q  <= in_mask_i;
    f_value_q <= in_data_i[{f_sector, f_word, f_bit}];
  end

  // Its message.
  logic [2:0] f_sectors, f_place;  // sectors in the mask, and those before the chosen one
  logic [1:0] f_blocks;            // blocks of the message
  assign f_sectors = 3'($countones(f_mask_q));
  assign f_place   = 3'($countones(f_mask_q & ((4'd1 << f_sector) - 4'd1)));
  assign f_blocks  = 2'((32 * 32'(f_sectors) + 1 + 8 + 63) / 64);

  // Blocks started so far; the core reads words in the cycle of the start and in those that the contract counts.
  logic [1:0] f_started_blocks_q, f_block;
  logic       f_reads, f_at_work;
  assign f_at_work = g_contract.c_age_q != '0 && 32'(g_contract.c_age_q) < g_contract.CGroups;
  assign f_reads   = g_contract.c_start || f_at_work;
  assign f_block   = f_at_work ? f_started_blocks_q - 2'd1 : f_started_blocks_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !busy_q) f_started_blocks_q <= '0;
    else if (g_contract.c_start) f_started_blocks_q <= f_started_blocks_q + 2'd1;
  end
  for (genvar j = 0; j < S; j++) begin : g_read
    logic [5:0]  f_number;  // of the word in the message
    logic [31:0] f_read, f_tail;
    assign f_number = {f_block, index[4*j +: 4]};
    assign f_read   = word[32*j +: 32];
    assign f_tail   = f_number == {f_sectors, 3'd0}               ? {16'd0, 8'h80, 4'd0, f_mask_q}
                    : f_number == {f_blocks, 4'd0} - 6'd2         ? 32'd256 * 32'(f_sectors) + 32'd8 : 32'd0;
`ifndef HASHER_TIME
    always_comb if (f_started_q && f_reads) begin
      a_chosen_bit: assert (!(f_mask_q[f_sector] && f_number == {f_place, f_word}) || f_read[f_bit] == f_value_q);
      a_padding:    assert (f_number < {f_sectors, 3'd0} || f_read == f_tail);
    end
`endif
  end

  // Where the chosen word stands: with S = 1 it moves by a place in each cycle.
  logic [2:0] f_turn_q, f_at;
  assign f_at = S == 1 ? md5_pkg::first_slot(f_word) + f_turn_q : f_word;
  always_ff @(posedge clk_i) f_turn_q <= busy_q ? f_turn_q + 3'd1 : '0;

  // Cycles to the digest: to the end of the block at work, the blocks behind it but the last, the last one.
  logic [15:0] f_rest, f_to_offer;
  assign f_rest     = 16'(f_blocks) - 16'(f_started_blocks_q);  // blocks to be started
  assign f_to_offer = !g_contract.c_open_q ? 16'(g_contract.c_to_offer)
                    : (g_contract.c_age_q == '0 ? 16'd0 : 16'(g_contract.CPeriod) - 16'(g_contract.c_age_q)) +
                      (f_rest - 16'd1) * 16'(g_contract.CPeriod) + 16'(64 / S + 1);
  localparam int unsigned FPeriod  = S == 1 ? 64 : 64 / S + 1;
  localparam int unsigned FFixed   = S == 1 ? 2 : 1;
  localparam int unsigned FLongest = FFixed + 3 * FPeriod;

  `include "answer_rule.svh"
  `ANSWER_RULE(digest, assert, in_valid_i && in_ready_o, out_valid_o, out_ready_i)  // dedup_front relies on it
  `LIVE_SINK(live_sink, out_valid_o, out_ready_i)
  `LIVE_LEAVE(live_digest, busy_q, out_valid_o && out_ready_i, f_to_offer + g_live_sink.f_left, FLongest + `LIVE_K - 1)
  `LIVE_ACCEPT(live_line, in_valid_i, in_ready_o, busy_q ? f_to_offer + g_live_sink.f_left + 16'd1 : 16'd0,
               FLongest + `LIVE_K - 1)
  always_comb if (f_started_q) begin
    a_digests: assert (g_digest.f_open_q == 16'(busy_q));
    a_mask:    assert (!busy_q || mask_q == f_mask_q);
`ifndef HASHER_TIME
    a_kept:    assert (!busy_q || line_q[{f_sector, f_at, f_bit}] == (f_value_q ^ flip_q));
`endif
    a_turn:    assert (!(S == 1 && busy_q && (g_contract.c_open_q || g_contract.c_age_q != '0)) ||
                       f_turn_q == g_contract.c_age_q[2:0]);
    a_age:     assert (32'(g_contract.c_age_q) <= g_contract.CPeriod);
    a_idle:    assert (busy_q || (g_contract.c_open_q && g_contract.c_age_q == '0));
    a_first:   assert (!(busy_q && g_contract.c_open_q && g_contract.c_age_q == '0) || f_started_blocks_q == '0);
    a_chunk:   assert (!busy_q || chunk_q == f_block);
    a_blocks:  assert (!busy_q || (g_contract.c_open_q ? f_started_blocks_q < f_blocks : f_started_blocks_q == f_blocks));
    a_more:    assert (!g_contract.c_start || more == (f_started_blocks_q + 2'd1 != f_blocks));
    a_latency: assert (!busy_q || out_valid_o || 32'(g_live_digest.f_age_q) + 32'(f_to_offer) ==
                       FFixed + FPeriod * 32'(f_blocks));
  end
