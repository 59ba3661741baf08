// md5_core: folds one 64-byte block into the MD5 chaining value, StepsPerCycle = S steps per cycle (RFC 1321).
//
//   start ──▶ [control] ── msg_index_o ──▶ message words held outside
//                                │ msg_word_i
//             d + K + M ──▶ [t] ──▶ step ──▶ [b]──▶[c]──▶[d]──▶[a]      + old chaining value ──▶ digest
//
//   S, FoldInSteps       1    1, on    2    4
//   cycles per block     65   64       33   17
//   latency              65   65       33   17   from the cycle in which a last block is taken to out_valid_o
//
// Why a block costs one cycle more than its steps: the old chaining value is added in a cycle of its own. The digest
// is on offer in that cycle, and the first words of the next block are fetched. FoldInSteps adds the value inside the
// last four steps, for a row of adders.
//
// Why the block is not stored: the caller has it anyway. In every cycle msg_index_o names the words of the next S
// steps, and msg_word_i must answer in the same cycle. Slice j belongs to step j of them; msg_step_o is the number of
// the first step. In the cycle in which a start is taken they are words of the new block, afterwards of the current
// one. msg_last_o marks the cycle of the block's last words, so that the caller may move on.
//
// start_more_i says that another block of the same message follows. A block without it ends the message.
// Its digest is then offered, and taking the digest restores the initial chaining value.
// start_ready_o, msg_* and out_* depend on state only. Byte 0 of the digest, printed first, is in bits 7:0.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module md5_core #(
  parameter int unsigned StepsPerCycle = 1,  // 1, 2 or 4
  parameter int unsigned FoldInSteps = 0     // 1: only with StepsPerCycle 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  input  wire logic                        start_valid_i,
  output logic                             start_ready_o,
  input  wire logic                        start_more_i,  // another block of the same message follows
  output logic [4*StepsPerCycle-1:0]       msg_index_o,  // index of each message word that this cycle uses
  output logic [5:0]                       msg_step_o,  // number of the first step of this cycle
  output logic                             msg_last_o,  // last words of the block
  input  wire logic [32*StepsPerCycle-1:0] msg_word_i,  // words at msg_index_o, in the same cycle
  output logic                             out_valid_o,
  input  wire logic                        out_ready_i,
  output logic [127:0]                     out_digest_o  // byte 0, printed first, in bits 7:0
);
  if (StepsPerCycle != 1 && StepsPerCycle != 2 && StepsPerCycle != 4) begin : g_bad_steps
    $error("md5_core: StepsPerCycle must be 1, 2 or 4");
  end
  if (FoldInSteps > 1 || (FoldInSteps == 1 && StepsPerCycle != 1)) begin : g_bad_fold
    $error("md5_core: FoldInSteps must be 0, or 1 with StepsPerCycle 1");
  end

  // Initial chaining value, RFC 1321 3.3.
  localparam logic [31:0] InitA = 32'h67452301;
  localparam logic [31:0] InitB = 32'hefcdab89;
  localparam logic [31:0] InitC = 32'h98badcfe;
  localparam logic [31:0] InitD = 32'h10325476;

  localparam int unsigned S         = StepsPerCycle;
  localparam int unsigned GroupBits = S == 1 ? 6 : S == 2 ? 5 : 4;

  // Control. fetch_q: the group of S steps whose words are being fetched; the steps at work are those
  // fetched one cycle ago. busy_q: a block is at work. add_q: the final addition.
  logic [GroupBits-1:0] fetch_q;
  logic                 busy_q, more_q, add_q;
  logic                 start, take, at_zero, last_steps, closing, load;

  assign at_zero       = fetch_q == '0;
  assign last_steps    = busy_q && at_zero && !add_q;
  assign closing       = FoldInSteps != 0 ? last_steps : add_q;     // last cycle of a block
  assign load          = FoldInSteps != 0 ? at_zero : at_zero && !last_steps;  // a..d take the chaining value
  assign start_ready_o = more_q && load;
  assign out_valid_o   = (!busy_q || (FoldInSteps == 0 && add_q)) && !more_q;
  assign start         = start_valid_i && start_ready_o;
  assign take          = out_valid_o && out_ready_i;
  assign msg_last_o    = fetch_q == '1;
  assign msg_step_o    = 6'(fetch_q) << (6 - GroupBits);

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      fetch_q <= '0;
      busy_q  <= 1'b0;
      more_q  <= 1'b1;
      add_q   <= 1'b0;
    end else begin
      if (start || !at_zero) fetch_q <= fetch_q + 1'b1;
      if (start)        busy_q <= 1'b1;
      else if (closing) busy_q <= 1'b0;
      if (start)     more_q <= start_more_i;
`ifdef PLANT_CORE_STAYS_SHUT
      else if (take && at_zero && !start_valid_i) more_q <= 1'b1;  // planted bug: a start that waits is never taken
`else
      else if (take) more_q <= 1'b1;
`endif
      add_q <= FoldInSteps == 0 && last_steps;
    end
  end

  // Per step: message word and constant of the group being fetched, rotation of the group at work.
  logic [1:0]      round_q;
  logic [S*2-1:0]  position_q, fine;
  logic [S*32-1:0] pre_x;     // what is added to K + M one cycle ahead: a where it is known by then
  logic [S*32-1:0] pre_d, pre_q;

  for (genvar j = 0; j < S; j++) begin : g_fetch
    logic [5:0]  step;
    logic [31:0] constant;
    if (S == 1) begin : g_step
      assign step = fetch_q;
    end else begin : g_step
      assign step = {fetch_q, (6 - GroupBits)'(j)};
    end
    assign msg_index_o[4*j +: 4] = md5_pkg::word_index(step);
    assign constant              = md5_pkg::step_constant(step);
    if (S == 4) begin : g_pre
      md5_add #(.Block(32)) i_pre (
        .x_i(constant),
        .y_i(msg_word_i[32*j +: 32]),
        .sum_o(pre_d[32*j +: 32])
      );
    end else begin : g_pre
      md5_add3 #(.Block(32)) i_pre (
        .x_i(constant),
        .y_i(msg_word_i[32*j +: 32]),
        .z_i(pre_x[32*j +: 32]),
        .sum_o(pre_d[32*j +: 32])
      );
    end
    assign fine[2*j +: 2]        = md5_pkg::rotate_small(round_q, position_q[2*j +: 2]);
    always_ff @(posedge clk_i) position_q[2*j +: 2] <= step[1:0];
  end
  always_ff @(posedge clk_i) begin
    round_q <= fetch_q[GroupBits-1 -: 2];
    pre_q   <= pre_d;
  end

  // State words and the S steps between them.
  logic [31:0]      a_q, b_q, c_q, d_q, cv_a_q, cv_b_q, cv_c_q, cv_d_q;
  logic [31:0]      a_d, c_d, d_d;                // what a, c, d take next
  logic [S*32-1:0]  next_b;                       // result of each step of this cycle
  logic [31:0]      extra;

  for (genvar j = 0; j < S; j++) begin : g_step
    logic [31:0] b, c, d, t;
    if (j == 0) begin : g_in
      assign {b, c, d} = {b_q, c_q, d_q};
    end else if (j == 1) begin : g_in
      assign {b, c, d} = {next_b[31:0], b_q, c_q};
    end else if (j == 2) begin : g_in
      assign {b, c, d} = {next_b[63:32], next_b[31:0], b_q};
    end else begin : g_in
      assign {b, c, d} = {next_b[95:64], next_b[63:32], next_b[31:0]};
    end
    if (S != 4) begin : g_t
      assign t = pre_q[32*j +: 32];
    end else if (j == 0) begin : g_t
      md5_add i_t (
        .x_i(pre_q[31:0]),
        .y_i(a_q),
        .sum_o(t)
      );
    end else if (j == 1) begin : g_t
      md5_add i_t (
        .x_i(pre_q[63:32]),
        .y_i(d_q),
        .sum_o(t)
      );
    end else if (j == 2) begin : g_t
      md5_add i_t (
        .x_i(pre_q[95:64]),
        .y_i(c_q),
        .sum_o(t)
      );
    end else begin : g_t
      md5_add i_t (
        .x_i(pre_q[127:96]),
        .y_i(b_q),
        .sum_o(t)
      );
    end
    md5_step #(.Extra(FoldInSteps)) i_step (
      .b_i(b),
      .c_i(c),
      .d_i(d),
      .t_i(t),
      .round_i(round_q),
      .position_i(position_q[2*j +: 2]),
      .small_i(fine[2*j +: 2]),
      .extra_i(extra),
      .b_o(next_b[32*j +: 32])
    );
  end

  // Chaining value, and what it is with the state added where this is the time for it.
  logic [31:0] sum_a, sum_b, sum_c, sum_d;

  if (S == 1) begin : g_fold
    // a is never held: pre_q already is a + K + M.
    wire unused_a = ^a_q;
    assign a_q = '0;
    // The results of steps 60 to 63 (a, d, c, b of the result) pass through b in the following cycles, so one adder
    // serves them in turn. The words of the chaining value rotate under the adder. The first one (`head`) is b at rest
    // (FoldInSteps: c), then a, d, c, b while their results pass. It holds its value by adding nothing.
    logic        turn_q, pass_q, turn, hold, clear;
    logic [31:0] head, sum;
    assign clear = !rst_ni || take;
    assign turn  = turn_q && rst_ni;
    assign hold  = !turn_q && !clear;
    always_ff @(posedge clk_i) begin
      turn_q <= (&fetch_q[5:2]) && !(FoldInSteps != 0 && (&fetch_q[1:0])) && rst_ni;
      pass_q <= turn;
    end
    md5_add #(.Block(32)) i_fold (
      .x_i({32{pass_q}} & b_q),
      .y_i(head),
      .sum_o(sum)
    );
    assign a_d   = load ? cv_a_q : d_q;
    assign d_d   = load ? cv_d_q : c_q;
    assign pre_x = a_d;
    always_ff @(posedge clk_i) cv_a_q <= md5_pkg::chain_next(turn, cv_d_q, hold, cv_a_q, InitA);
    if (FoldInSteps != 0) begin : g_turn
      // Three words turn. The result of step 63 gets its share inside the step.
      assign head  = cv_c_q;
      assign extra = {32{at_zero}} & cv_b_q;
      assign c_d   = load ? sum : b_q;
      assign {sum_a, sum_b, sum_c, sum_d} = {cv_a_q, cv_b_q, cv_c_q, cv_d_q};
      always_ff @(posedge clk_i) begin
        b_q    <= load && !busy_q ? cv_b_q : next_b;
        cv_c_q <= md5_pkg::chain_next(turn, cv_a_q, hold, sum, InitC);
        cv_d_q <= md5_pkg::chain_next(turn, sum, hold, cv_d_q, InitD);
        cv_b_q <= md5_pkg::chain_next(!clear && closing, next_b, !clear && !closing, cv_b_q, InitB);
      end
    end else begin : g_turn
      assign head  = cv_b_q;
      assign extra = '0;
      assign c_d   = load ? cv_c_q : b_q;
      assign {sum_a, sum_b, sum_c, sum_d} = {cv_a_q, sum, cv_c_q, cv_d_q};
      always_ff @(posedge clk_i) begin
        b_q    <= load ? sum : next_b;
        cv_b_q <= md5_pkg::chain_next(turn, cv_a_q, hold, sum, InitB);
        cv_c_q <= md5_pkg::chain_next(turn, sum, hold, cv_c_q, InitC);
        cv_d_q <= md5_pkg::chain_next(turn, cv_c_q, hold, cv_d_q, InitD);
      end
    end
  end else begin : g_fold
    assign extra = '0;
    md5_add i_fold_a (
      .x_i(add_q ? a_q : '0),
      .y_i(cv_a_q),
      .sum_o(sum_a)
    );
    md5_add i_fold_b (
      .x_i(add_q ? b_q : '0),
      .y_i(cv_b_q),
      .sum_o(sum_b)
    );
    md5_add i_fold_c (
      .x_i(add_q ? c_q : '0),
      .y_i(cv_c_q),
      .sum_o(sum_c)
    );
    md5_add i_fold_d (
      .x_i(add_q ? d_q : '0),
      .y_i(cv_d_q),
      .sum_o(sum_d)
    );
    if (S == 2) begin : g_turn
      assign a_d   = load ? sum_a : c_q;
      assign d_d   = load ? sum_d : b_q;
      assign c_d   = load ? sum_c : next_b[31:0];
      assign pre_x = {d_d, a_d};
    end else begin : g_turn
      assign a_d   = load ? sum_a : next_b[31:0];
      assign d_d   = load ? sum_d : next_b[63:32];
      assign c_d   = load ? sum_c : next_b[95:64];
      assign pre_x = '0;  // S = 4 adds a in the cycle itself
      wire unused_pre_x = ^pre_x;
    end
    always_ff @(posedge clk_i) b_q <= load ? sum_b : next_b[S*32-1 -: 32];
    always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
      if (!rst_ni) begin
        {cv_a_q, cv_b_q, cv_c_q, cv_d_q} <= {InitA, InitB, InitC, InitD};
      end else if (take) begin
        {cv_a_q, cv_b_q, cv_c_q, cv_d_q} <= {InitA, InitB, InitC, InitD};
      end else if (add_q) begin
        {cv_a_q, cv_b_q, cv_c_q, cv_d_q} <= {sum_a, sum_b, sum_c, sum_d};
      end
    end
    always_ff @(posedge clk_i) a_q <= a_d;
  end
  always_ff @(posedge clk_i) {c_q, d_q} <= {c_d, d_d};

  assign out_digest_o = {sum_d, sum_c, sum_b, sum_a};

`ifndef SYNTHESIS
  stream_check #(.Width(128)) i_out_check (
    .clk_i,
    .rst_ni,
    .valid_i(out_valid_o),
    .ready_i(out_ready_i),
    .data_i(out_digest_o)
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_idle_fetches_first:   assert (busy_q || at_zero);
    a_offer_is_idle:        assert (!out_valid_o || at_zero);
    a_start_only_when_free: assert (!start || !busy_q || (closing && more_q));
    c_back_to_back:         cover (start && busy_q);
    c_start_after_pause:    cover (start && !busy_q && out_digest_o[31:0] != InitA);
    c_digest_waits:         cover (out_valid_o && !out_ready_i);
  end
`endif
`ifdef FORMAL_MD5_CORE
  `include "md5_core_props.svh"
`endif
endmodule
`default_nettype wire
