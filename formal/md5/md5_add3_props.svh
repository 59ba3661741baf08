// md5_add3 equals the sum of its three operands.
  always_comb begin
`ifdef PLANT_ADD3_CARRY_LOST
    a_sum: assert (sum_o == x_i + y_i + z_i - {z_i[30:0] & x_i[30:0] & ~y_i[30:0], 1'b0});
`else
    a_sum: assert (sum_o == x_i + y_i + z_i);
`endif
  end
