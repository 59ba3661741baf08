// What md5_core promises the module that uses it, in time: included by both, inside a generate block that declares
//   CSteps, CFold                                  the core's parameters
//   c_start, c_more                                a start is taken in this cycle; start_more_i
//   c_start_ready, c_msg_step, c_msg_index, c_msg_last, c_out_valid, c_take      the core's ports; c_take: digest taken
// `PROMISE is `assert` in md5_core (md5_core_live_props.svh), `assume` in line_hasher (line_hasher_props.svh).
  localparam int unsigned CGroups = 64 / CSteps;                     // cycles that fetch words
  localparam int unsigned CPeriod = CGroups + (CFold != 0 ? 0 : 1);  // cycles of a block
  logic [6:0] c_age_q;    // cycles since the block at work was started, from 1; 0: none
  logic       c_open_q;   // the message goes on, or none has begun
  logic [6:0] c_group;    // of the words that are fetched
  logic [6:0] c_to_offer; // of an ended message: cycles until the digest is on offer
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      c_age_q  <= '0;
      c_open_q <= 1'b1;
    end else begin
      if (c_start) c_age_q <= 7'd1;
      else if (c_age_q != '0) c_age_q <= c_age_q == 7'(CPeriod) ? '0 : c_age_q + 7'd1;
      if (c_start) c_open_q <= c_more;
      else if (c_take) c_open_q <= 1'b1;
    end
  end
  assign c_group    = c_age_q < 7'(CGroups) ? c_age_q : '0;
  assign c_to_offer = c_age_q == '0 ? '0 : 7'(CGroups + 1) - c_age_q;
  always_comb if (f_started_q) begin
    p_ready: `PROMISE (c_start_ready == (c_open_q && (c_age_q == '0 || c_age_q == 7'(CPeriod))));
    p_offer: `PROMISE (c_out_valid == (!c_open_q && c_to_offer == '0));
    p_step:  `PROMISE (c_msg_step == 6'(c_group * 7'(CSteps)));
    p_last:  `PROMISE (c_msg_last == (c_age_q == 7'(CGroups - 1)));
  end
  for (genvar j = 0; j < CSteps; j++) begin : g_index
    always_comb if (f_started_q) begin
      `PROMISE (c_msg_index[4*j +: 4] == md5_pkg::word_index(c_msg_step + 6'(j)));
    end
  end
