// windows_manager equals windows that are fed by the rule: the sub-block count of an event chooses its window and bit,
// and each verdict comes from its window. ratio_window is proved by itself, so this covers the whole block.
  `include "reset.svh"
  logic [2:0] f_reply_size, f_evict_size;
  always_comb begin
    f_reply_size = 3'(reply_map_i[0]) + 3'(reply_map_i[1]) + 3'(reply_map_i[2]) + 3'(reply_map_i[3]);
    f_evict_size = 3'(evict_map_i[0]) + 3'(evict_map_i[1]) + 3'(evict_map_i[2]) + 3'(evict_map_i[3]);
    if (f_reply_size == 3'd1 && reply_inconsistent_i) f_reply_size = 3'd2;
    if (f_evict_size == 3'd1 && evict_inconsistent_i) f_evict_size = 3'd2;
    m_reply: assume (!reply_valid_i || reply_map_i != '0);
    m_evict: assume (!evict_valid_i || evict_map_i != '0);
  end
  always_comb begin
`ifdef PLANT_WINDOWS_SMALL  // planted bug: an inconsistent line of one sub-block enters no window
    a_reply_64:  assert (reply_window[0] == (reply_valid_i && f_reply_size == 3'd2 && reply_map_i != 4'd1));
`else
    a_reply_64:  assert (reply_window[0] == (reply_valid_i && f_reply_size == 3'd2));
`endif
    a_reply_96:  assert (reply_window[1] == (reply_valid_i && f_reply_size == 3'd3));
    a_reply_128: assert (reply_window[2] == (reply_valid_i && f_reply_size == 3'd4));
    a_evict_64:  assert (evict_window[0] == (evict_valid_i && f_evict_size == 3'd2));
    a_evict_96:  assert (evict_window[1] == (evict_valid_i && f_evict_size == 3'd3));
    a_evict_128: assert (evict_window[2] == (evict_valid_i && f_evict_size == 3'd4));
  end

  logic [2:0] f_ica_over;
  logic       f_fdr_over;
  for (genvar w = 0; w < 3; w++) begin : f_ica
    ratio_window #(.Window(Window), .Percent(IcaPercent)) i_window (
      .clk_i, .rst_ni, .a_valid_i(reply_valid_i && f_reply_size == 3'(w + 2)), .a_bit_i(reply_inconsistent_i),
      .b_valid_i(evict_valid_i && f_evict_size == 3'(w + 2)), .b_bit_i(evict_inconsistent_i),
`ifdef PLANT_WINDOWS_CROSSED  // planted bug: the verdicts of 64 and 128 bytes change places
      .over_o(f_ica_over[2-w])
`else
      .over_o(f_ica_over[w])
`endif
    );
  end
  ratio_window #(.Window(Window), .Percent(FdrPercent)) f_fdr (
    .clk_i, .rst_ni, .a_valid_i(reply_valid_i), .a_bit_i(reply_map_i == 4'b1111),
    .b_valid_i(evict_valid_i), .b_bit_i(evict_map_i == 4'b1111), .over_o(f_fdr_over)
  );
  always_comb if (f_started_q) begin
    a_ica_verdicts: assert (ica_over_o == f_ica_over);
    a_fdr_verdict:  assert (fdr_over_o == f_fdr_over);
  end
