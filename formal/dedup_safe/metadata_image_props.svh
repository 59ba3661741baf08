// metadata_image: the entry of one freely chosen line is written exactly once before done_o, with the right value.
  `include "reset.svh"
  `include "stream_rule.svh"
  `STREAM_RULE(req, assert, NumberBits + SectorBits, req_valid_o, req_ready_i, {req_sector_o, req_data_o})

  (* anyconst *) logic [IndexBits:0] f_total, f_spare;
  always_comb begin
    m_static: assume (cfg_total_lines_i == f_total && cfg_spare_lines_i == f_spare);
    m_lines:  assume (f_spare != '0 && f_spare < f_total && f_total <= {1'b1, {IndexBits{1'b0}}});
  end

  (* anyconst *) logic [IndexBits-1:0] f_line;
  logic                 f_exists, f_take, f_written_q;
  logic [EntryBits-1:0] f_entry;
  assign f_exists = {1'b0, f_line} < f_total;
  assign f_take   = req_valid_o && req_ready_i && req_sector_o == f_line[IndexBits-1:OffsetBits];
  assign f_entry  = EntryBits'(req_data_o >> (EntryBits * f_line[OffsetBits-1:0]));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_written_q <= 1'b0;
    else if (f_take) f_written_q <= 1'b1;
  end
  always_comb if (f_started_q) begin
    a_value:      assert (!f_take || f_entry == (f_exists && {1'b0, f_line} >= f_total - f_spare ? EntryBits'(Value) : '0));
    a_once:       assert (!f_take || !f_written_q);
    a_all:        assert (!done_o || !f_exists || f_written_q);
    a_none_after: assert (!done_o || !req_valid_o);
    // Invariants: what is written lies below the number of the sector.
    a_at_zero:    assert (started_q || sector_q == '0);
    a_below:      assert (done_q || f_written_q == (f_line[IndexBits-1:OffsetBits] < sector_q));
    a_in_range:   assert (done_q || {1'b0, sector_q} <= last[IndexBits:OffsetBits]);
    a_started:    assert (!done_q || started_q);
  end
  always_comb if (f_started_q && started_q && !done_q) begin  // what was compared a cycle ahead
    a_past_first: assert (past_first_q == ({1'b0, sector_q} > first[IndexBits:OffsetBits]));
    a_at_first:   assert (at_first_q == ({1'b0, sector_q} == first[IndexBits:OffsetBits]));
    a_is_last:    assert (is_last_q == ({1'b0, sector_q} == last[IndexBits:OffsetBits]));
    a_entries:    assert (first_entry_q == first[OffsetBits-1:0] && last_entry_q == last[OffsetBits-1:0]);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_spare_in_part: cover (f_take && f_exists && f_entry == EntryBits'(Value) && !past_first_q);
    c_done:          cover (done_o && f_written_q);
  end
