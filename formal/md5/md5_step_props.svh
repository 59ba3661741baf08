// md5_step against RFC 1321 3.4, for all inputs, in three links that meet in the middle: the boolean function
// and first sum, the rotation, the second sum. Also: large + small part of the rotation is the RFC's
// amount for each of its 16 entries.
  `include "md5_rfc.svh"
  logic [31:0] f_sum, f_rot;
  assign f_sum = t_i + f_rfc_function(round_i, b_i, c_i, d_i);
`ifdef PLANT_STEP_SHIFT
  assign f_rot = f_rotl(sum, f_large(position_i) + {3'd0, small_i} + {4'd0, round_i == 2'd3 && position_i == 2'd2});
`else
  assign f_rot = f_rotl(sum, f_large(position_i) + {3'd0, small_i});
`endif
  always_comb begin
    a_first_sum:  assert (sum == f_sum);
    a_rotation:   assert (rot == f_rot);
    a_second_sum: assert (b_o == b_i + rot + (Extra != 0 ? extra_i : 32'd0));
  end
