// axis_dpc_decoder: what the decoder gets of a beat. (Whatever it does with it: it is proved apart.)
  `include "reset.svh"
  logic [8*DataBytes-1:0] f_bits;
  logic                   f_whole, f_from_0;
  always_comb begin
    f_from_0 = s_axis_tkeep_i[0];
    for (int unsigned i = 0; i < DataBytes; i++) begin
      f_bits[8*i +: 8] = s_axis_tkeep_i[i] ? s_axis_tdata_i[8*i +: 8] : 8'd0;
      if (i > 0 && s_axis_tkeep_i[i] && !s_axis_tkeep_i[i-1]) f_from_0 = 1'b0;
    end
    f_whole = s_axis_tkeep_i == '1;
  end
  always_comb begin
    a_bits:  assert (bits == f_bits);
    a_error: assert ((gap || part) == (!f_from_0 || (!s_axis_tlast_i && !f_whole)));
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_legal_part: cover (s_axis_tlast_i && !f_whole && !gap);
    c_answer:     cover (m_axis_tvalid_o && m_axis_tuser_o == 4'b1010);
  end
