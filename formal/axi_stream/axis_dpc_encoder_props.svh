// axis_dpc_encoder: the line on offer to the encoder is stable until taken, and is the one that was gathered. (Whatever
// the encoder does with it: it is proved apart.)
  `include "reset.svh"
  `include "stream_rule.svh"
  `STREAM_RULE(encoder_in, assert, LineBits + 4, held_q, ready, ({line_q, mask_q}))
  logic                f_came_q;
  logic [LineBits+3:0] f_new_q;
  always_ff @(posedge clk_i) begin
    f_came_q  <= rst_ni && came && taken;
    f_new_q   <= {new_line, new_mask};
  end
  logic [DataBytes-1:0] f_keep;
  for (genvar i = 0; i < DataBytes; i++) begin : g_f_keep
    assign f_keep[i] = 8 * i < 32'(count);
  end
  always_comb if (f_started_q) begin
    a_line_moves: assert (!f_came_q || (held_q && {line_q, mask_q} == f_new_q));
    a_none_new:   assert (!held_q || g_encoder_in.f_waits_q || f_came_q);
    a_keep:       assert (m_axis_tkeep_o == f_keep);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_line_behind_line: cover (held_q && !ready && came && mask_q == 4'b1010);
  end
