// axis_dpc_decoder: a mask for every line, as the assertions of the module say; the payload stable while it waits.
  `include "reset.svh"
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_mask_with_line: cover (m_axis_tvalid_o && m_axis_tuser_o == 4'b1010);
    c_three_inside:   cover (line_valid && !stream_ready && !line_ready);
  end
