// ram_1r1w: what the header promises, for a freely chosen address (no reset: nothing to assume about it).
  (* anyconst *) logic [AddrBits-1:0] f_addr;
  logic             f_written_q, f_read_q;  // f_addr was ever written; rdata_o comes from a read of it
  logic [Width-1:0] f_word_q, f_rdata_q;
  initial f_written_q = 1'b0;
  initial f_read_q    = 1'b0;

  always_comb begin
    m_addr_in_range:  assume ({1'b0, f_addr} < (AddrBits + 1)'(Depth));
    m_write_in_range: assume (!we_i || {1'b0, waddr_i} < (AddrBits + 1)'(Depth));
    m_read_in_range:  assume (!re_i || {1'b0, raddr_i} < (AddrBits + 1)'(Depth));
  end
  always_ff @(posedge clk_i) begin
    if (we_i && waddr_i == f_addr) begin
      f_written_q <= 1'b1;
      f_word_q    <= wdata_i;
    end
    if (re_i) begin
      f_read_q  <= f_written_q && raddr_i == f_addr && (OldData != 0 || !(we_i && waddr_i == raddr_i));
      f_rdata_q <= f_word_q;  // the word from before a write of this cycle
    end
  end
  always_comb begin
    a_read_returns_last_write: assert (!f_read_q || rdata_o == f_rdata_q);
    a_word_is_kept:            assert (!f_written_q || words_q[f_addr] == f_word_q);
  end
  always_ff @(posedge clk_i) begin
    c_hold_across_write: cover (f_read_q && we_i && !re_i && waddr_i == f_addr && wdata_i != rdata_o);
  end
