// bloom_predictor: the response is the choice of the header's table, room for every response is reserved, one
// response per request. The array is free (stub=bloom_array: any answer), the FIFO by its contract, which
// formal/common proves: ready unless full, valid unless empty, order and contents kept.
`ifdef FORMAL_BLOOM_PREDICTOR_LIVE
  `include "bloom_predictor_live_props.svh"
`else
  `include "reset.svh"
  logic [2:0] f_held_q;  // responses in the FIFO
  logic [2:0] f_open_q;  // requests taken and not answered
  logic [3:0] f_sectors_q;
  always_ff @(posedge clk_i) begin
    f_sectors_q <= req_sectors_i;
    if (!rst_ni) begin
      f_held_q <= '0;
      f_open_q <= '0;
    end else begin
      f_held_q <= f_held_q + 3'(valid_q) - 3'(rsp_fire);
      f_open_q <= f_open_q + 3'(req_valid_i && req_ready_o) - 3'(rsp_valid_o && rsp_ready_i);
    end
  end
  logic f_one;
  assign f_one = f_sectors_q == 4'd1 || f_sectors_q == 4'd2 || f_sectors_q == 4'd4 || f_sectors_q == 4'd8;
  always_comb if (f_started_q) begin
    m_fifo_ready: assume (unused_fifo_ready == (f_held_q < 3'(RspSlots)));
    m_fifo_valid: assume (rsp_valid_o == (f_held_q != '0));
    a_credit:     assert (3'(credit_q) == f_open_q && f_open_q == f_held_q + 3'(valid_q));
    a_held:       assert (f_open_q <= 3'(RspSlots));
    a_several:    assert (!(valid_q && !f_one) || choice == L1);
    a_singular:   assert (!(valid_q && f_one && !seen) || choice == (bypass_enable_i ? Bypass : L1));
    a_repeated:   assert (!(valid_q && f_one && seen) || choice == (shm_enable_i ? Shm : L1));
    a_sector_key: assert (!one_sector || req_sectors_i == (4'd1 << {req_sectors_i[3] || req_sectors_i[2],
                                                                    req_sectors_i[3] || req_sectors_i[1]}));
  end
`endif
