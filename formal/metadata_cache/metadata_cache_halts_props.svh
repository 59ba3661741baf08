// A cache that lost a word stands: from the cycle after on it takes nothing, and nothing goes to what it gives, until
// reset. flip_i is free.
`include "reset.svh"
  logic f_stop_q;
  initial f_stop_q = 1'b0;
  always_ff @(posedge clk_i) f_stop_q <= rst_ni && stop;
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_stands:  assert (!f_stop_q || (fatal_o && busy_o && stop));
    a_takes:   assert (!f_stop_q || (!req_ready_o && !mem_rsp_ready_o));
    a_empty:   assert (!f_stop_q || (phase_q == Idle && !tag_valid_q && !data_valid_q && !back_valid_q));
    a_gives:   assert (!f_stop_q || (!mem_put && !row_we && !sector_we));
    a_no_other: assert (f_stop_q || !fatal_o);
    c_row:       cover (row_lost && tag_valid_q && !tag_replay_q);
    c_fill:      cover (row_lost && phase_q == Choose);
    c_sector:    cover (sector_lost && data_valid_q);
    c_back:      cover (sector_lost && back_valid_q);
    c_corrected: cover (corrected_o && proceed);
  end
