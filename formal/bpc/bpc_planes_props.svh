// The chosen plane is that of the differences, subtracted as numbers. (Included in bpc_planes.)
  logic [Diffs-1:0] g_plane;
  for (genvar i = 0; i < Diffs; i++) begin : g_golden
    logic [32:0] difference;
    assign difference = {1'b0, line_i[32*(i+1) +: 32]} - {1'b0, line_i[32*i +: 32]};
    assign g_plane[i] = step_i <= 6'd32 && 1'(difference >> (6'd32 - step_i));
  end
  always_comb begin
    a_plane:  assert (plane_o == g_plane);
    c_top:    cover (step_i == 6'd0 && &plane_o);
    c_bottom: cover (step_i == 6'd32 && plane_o != '0);
    c_behind: cover (step_i == 6'd33);
  end
