// secded_ram, in two claims. In each cycle: a word read that differs from what a write puts in by f_flip, at most one
// bit in each part, is read as it was written; where two bits differ the part is fatal. Over time: what the memory
// gives is what was put in last. secded_ram stores all it knows in ram_1r1w, so the two make the whole.
`ifdef FORMAL_SECDED_RAM_PARTS
  (* anyseq *) logic [Parts*Stored-1:0] f_flip;
  logic f_same;
  assign f_same = read == (written ^ f_flip);
  for (genvar p = 0; p < Parts; p++) begin : g_f_part
    logic [Stored-1:0] f_part, f_less;
    assign f_part = f_flip[p*Stored +: Stored];
    assign f_less = f_part & (f_part - 1'b1);
    always_comb begin
      assert (!f_same || f_less != '0 || rdata_o[p*WordBits +: WordBits] == wdata_i[p*WordBits +: WordBits]);
      assert (!f_same || f_less != '0 || (single_o[p] == (f_part != '0) && !fatal_o[p]));
      assert (!f_same || f_less == '0 || (f_less & (f_less - 1'b1)) != '0 || (fatal_o[p] && !single_o[p]));
      cover (f_same && f_part != '0 && f_less == '0 && rdata_o[p*WordBits +: WordBits] != '0);
    end
  end
`else
  (* anyconst *) logic [AddrBits-1:0] f_addr;
  logic                    f_written_q, f_read_q;
  logic [Parts*Stored-1:0] f_word_q, f_read_word_q;
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
      f_word_q    <= written ^ flip_i;
    end
    if (re_i) begin
      f_read_q      <= f_written_q && raddr_i == f_addr && (OldData != 0 || !(we_i && waddr_i == raddr_i));
      f_read_word_q <= f_word_q;  // the word from before a write of this cycle
    end
  end
  always_comb a_reads_what_was_put_in: assert (!f_read_q || read == f_read_word_q);
  always_ff @(posedge clk_i) c_wrong_bit_read: cover (f_read_q && single_o != '0 && fatal_o == '0);
`endif
