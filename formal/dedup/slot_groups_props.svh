// slot_groups: the count of any group is its spare lines, plus what was reported up, minus what was reported down; a
// group that is found has a count above 0; a search ends after Words + 1 cycles while any group has such a count.
  `include "reset.svh"
  `include "slot_alloc_contract.svh"
  `GROUPS_RULE(groups, assume, up_i, down_i, find_i, finding_o, clearing_o)
  `CLEARS_RULE(clears, assert, clearing_o)
  localparam int unsigned FSize = 2 ** GroupBits;
  (* anyconst *) logic [NumBits-1:0] f_group;  // any group
  logic [31:0] f_first, f_low, f_high, f_spare, f_count_q, f_count, f_cycles_q;
  logic [LineBits:0] f_total_q, f_spare_q;
  logic [NumBits-1:0] f_from_q;
  logic f_mine, f_write_q;
  always_comb begin
    m_space: assume (cfg_spare_lines_i != '0 && cfg_spare_lines_i < cfg_total_lines_i &&
                     cfg_total_lines_i <= {1'b1, {LineBits{1'b0}}});
  end
  always_comb if (f_started_q) m_static: assume (f_total_q == cfg_total_lines_i && f_spare_q == cfg_spare_lines_i);
  assign f_first = 32'(f_group) * FSize;
  assign f_low   = 32'(cfg_total_lines_i - cfg_spare_lines_i) > f_first ? 32'(cfg_total_lines_i - cfg_spare_lines_i) : f_first;
  assign f_high  = 32'(cfg_total_lines_i) < f_first + FSize ? 32'(cfg_total_lines_i) : f_first + FSize;
  assign f_spare = f_high > f_low ? f_high - f_low : 32'd0;
  assign f_mine  = group_i == f_group;
  assign f_count = !f_started_q ? '0 : f_count_q;
  always_ff @(posedge clk_i) begin
    f_total_q <= cfg_total_lines_i;
    f_spare_q <= cfg_spare_lines_i;
    f_from_q  <= find_group_i;
    f_write_q <= rst_ni && (up_i || down_i) && f_mine;
    if (!rst_ni) f_count_q <= f_spare;
    else if (f_mine && up_i) f_count_q <= f_count_q + 32'd1;
    else if (f_mine && down_i) f_count_q <= f_count_q - 32'd1;
    f_cycles_q <= rst_ni && finding_o ? f_cycles_q + 32'd1 : 32'd0;
  end
  // The caller reports changes only, and asks only while f_group has a line.
  always_comb if (f_started_q && rst_ni) begin
    m_changes: assume (!(up_i && f_mine && f_count_q == FSize) && !(down_i && f_mine && f_count_q == '0));
    m_lender:  assume (!find_i || f_count_q != '0);
    m_stays:   assume (!finding_o || find_group_i == f_from_q);
  end
  logic [Bits-1:0] f_read, f_written;
  logic            f_here;
  assign f_here    = 32'(word_q) == 32'(f_group) / Lanes;
  assign f_read    = counts[32'(f_group) % Lanes * Bits +: Bits];
  assign f_written = changed[32'(f_group) % Lanes * Bits +: Bits];
  always_comb if (f_started_q && rst_ni) begin
    a_counted:  assert (!(finding_o && f_here) || 32'(f_read) == f_count_q);
    a_written:  assert (!(write_q && f_here) || 32'(f_written) == f_count_q);
    a_report:   assert (!f_write_q || write_q);
    a_found:    assert (!(found_o && found_group_o == f_group) || f_count_q != '0);
    a_in_time:  assert (!finding_o || f_cycles_q <= Words);
    a_cleared:  assert (32'(clear_q) <= Words);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_last_word: cover (found_o && f_cycles_q == Words);
    c_up:        cover (finding_o && f_here && f_count_q > f_spare);
  end
