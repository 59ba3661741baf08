// Every bit goes to its place. (Included in dpc_rotate.)
  logic [2*Width-1:0] g_twice;
  assign g_twice = Left != 0 ? {data_i, data_i} << amount_i : {data_i, data_i} >> amount_i;
  always_comb begin
    a_places: assert (32'(amount_i) >= Width || data_o == (Left != 0 ? g_twice[2*Width-1:Width] : g_twice[Width-1:0]));
    c_far:    cover (32'(amount_i) == Width - 1 && data_o != '0);
  end
