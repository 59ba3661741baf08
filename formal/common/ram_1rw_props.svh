// ram_1rw: what the header promises, for a freely chosen lane of a freely chosen address f_addr (no reset: nothing to
// assume about it). A read together with a write is no promise, so it is not assumed away.
  (* anyconst *) logic [MaskBits-1:0] f_lane;  // one bit
  logic                f_written_q, f_read_q;  // the lane was ever written; rdata_o comes from a read of it
  logic [LaneBits-1:0] f_part_q, f_rdata_q, f_now, f_word, f_wdata;
  logic                f_mine;
  initial f_written_q = 1'b0;
  initial f_read_q    = 1'b0;
  function automatic logic [LaneBits-1:0] f_lane_of(input logic [Width-1:0] word, input logic [MaskBits-1:0] lane);
    f_lane_of = '0;
    for (int unsigned i = 0; i < MaskBits; i++) if (lane[i]) f_lane_of = f_lane_of | word[i*LaneBits +: LaneBits];
  endfunction
  assign f_now   = f_lane_of(rdata_o, f_lane);
  assign f_word  = f_lane_of(f_words, f_lane);
  assign f_wdata = f_lane_of(wdata_i, f_lane);
  assign f_mine  = we_i && addr_i == f_addr && |(wmask_i & f_lane);

  always_comb begin
    m_addr_in_range: assume ({1'b0, f_addr} < (AddrBits + 1)'(Depth));
    m_one_lane:      assume (f_lane != '0 && (f_lane & (f_lane - 1'b1)) == '0);
    m_used_in_range: assume (!(we_i || re_i) || {1'b0, addr_i} < (AddrBits + 1)'(Depth));
  end
  always_ff @(posedge clk_i) begin
    if (f_mine) begin
      f_written_q <= 1'b1;
      f_part_q    <= f_wdata;
    end
    if (we_i) begin
      f_read_q <= f_read_q && HoldData != 0 && !re_i;
    end else if (re_i) begin
      f_read_q  <= f_written_q && addr_i == f_addr;
      f_rdata_q <= f_part_q;
    end
  end
  always_comb begin
    a_read_returns_last_write: assert (!f_read_q || f_now == f_rdata_q);
    a_lane_is_kept:            assert (!f_written_q || f_word == f_part_q);
  end
  always_ff @(posedge clk_i) begin
    c_hold_across_write: cover (f_read_q && we_i && !re_i && addr_i == f_addr && wdata_i != rdata_o);
    c_other_lane:        cover (f_written_q && we_i && addr_i == f_addr && |wmask_i && !f_mine);
  end
