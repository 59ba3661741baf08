// slot_alloc with slot_groups and its memories, for a caller that takes the first candidate that can lend: a borrow
// sees FreeEntries + 1 + 2^GroupBits candidates at most, whatever lines can lend, as long as one can.
  `include "reset.svh"
  `include "slot_alloc_contract.svh"
  `ALLOC_RULE(alloc, assume, push_i, next_i, up_i, down_i, busy_o, clearing_o)
  localparam int unsigned FLines = LineBits > 6 ? 1 : 2 ** LineBits;  // small sizes only
  logic [FLines-1:0] f_lends_q;  // lines that can lend
  logic [LineBits:0] f_total_q, f_spare_q;
  logic              f_asked_q;  // a candidate was asked for and is not judged yet
  logic [15:0]       f_seen_q, f_cycles_q;
  logic [LineBits-1:0] f_cand_q;
  logic              f_there_q;  // a candidate was there, and no other was asked for
  always_comb begin
    m_space: assume (cfg_fresh_i && cfg_spare_lines_i != '0 && cfg_spare_lines_i < cfg_total_lines_i &&
                     cfg_total_lines_i <= {1'b1, {LineBits{1'b0}}});
  end
  always_comb if (f_started_q) m_static: assume (f_total_q == cfg_total_lines_i && f_spare_q == cfg_spare_lines_i);
  for (genvar l = 0; l < FLines; l++) begin : g_line
    always_ff @(posedge clk_i) begin
      if (!rst_ni) f_lends_q[l] <= (LineBits + 1)'(l) < cfg_total_lines_i &&
                                   (LineBits + 1)'(l) >= cfg_total_lines_i - cfg_spare_lines_i;
      else if (line_i == LineBits'(l) && (up_i || down_i)) f_lends_q[l] <= up_i;
    end
  end
  always_ff @(posedge clk_i) begin
    f_total_q <= cfg_total_lines_i;
    f_spare_q <= cfg_spare_lines_i;
    f_cand_q  <= cand_o;
    f_there_q <= rst_ni && f_seen_q != '0 && !busy_o && !next_i;
    f_asked_q <= rst_ni && (next_i || (f_asked_q && busy_o));
    if (!rst_ni) f_seen_q <= '0;
    else if (down_i) f_seen_q <= '0;
    else if (next_i) f_seen_q <= f_seen_q + 16'd1;
    f_cycles_q <= rst_ni && busy_o ? f_cycles_q + 16'd1 : 16'd0;
  end
  always_comb if (f_started_q && rst_ni) begin
    m_changes: assume (!(up_i && ({1'b0, line_i} >= cfg_total_lines_i || f_lends_q[line_i])) && !(down_i && !f_lends_q[line_i]));
    m_lender:  assume (!next_i || f_lends_q != '0);
    // In the cycle in which a candidate is there it is judged: taken when it can lend.
    m_takes:   assume (!(f_asked_q && !busy_o && f_lends_q[cand_o]) || (down_i && line_i == cand_o));
    m_borrow:  assume (!(g_alloc.f_borrows_q && down_i) || (f_asked_q && !busy_o && line_i == cand_o));
    m_judges:  assume (!(f_asked_q && next_i));
  end
  always_comb if (f_started_q && rst_ni) begin
    a_stays:  assert (!f_there_q || cand_o == f_cand_q);
    a_bound:  assert (f_seen_q <= 16'(FreeEntries + 1 + 2 ** GroupBits));
    a_search: assert (!busy_o || f_cycles_q <= 16'(2 ** (NumBits > 3 ? NumBits - 3 : 0)));
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_most: cover (f_seen_q == 16'(FreeEntries + 1 + 2 ** GroupBits));
  end
