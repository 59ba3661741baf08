// md5_add equals the sum of its operands.
  always_comb begin
`ifdef PLANT_ADD_LAST_BLOCK
    a_sum: assert (sum_o == x_i + y_i + ((&p[27:0] && x_i[0]) ? 32'h1000_0000 : 32'd0));
`else
    a_sum: assert (sum_o == x_i + y_i);
`endif
  end
