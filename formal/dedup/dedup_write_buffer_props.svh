// dedup_write_buffer: the entries are a ring in order of arrival, first those in process, then those pending; at most
// one of each has a line; a line keeps its entry and its sectors until it is dropped, in process nothing is added;
// a read is forwarded from the newest entry. With ByteMasks a byte of the banks changes only by a write that has it,
// the bit beside it says whether it was written, and only whole sectors are forwarded.
  `include "reset.svh"
  (* anyconst *) logic [PtrBits-1:0] f_a;  // any entry
  logic [15:0] f_pos_a, f_taken;           // distance from the head; entries in process
  (* anyconst *) logic [PtrBits-1:0] f_b;
  logic [LineBits-1:0] f_line_a, f_line_a_q;
  logic [3:0]  f_mask_a, f_mask_a_q, f_some_a, f_some_a_q;
  logic        f_kept_q, f_taken_a_q;
  always_comb begin
    m_entries: assume (16'(f_a) < 16'(Entries) && 16'(f_b) < 16'(Entries));
    m_mask:    assume (!wr_valid_i || wr_mask_i != '0);
  end
  `define PROMISE_BUFFER assert
  `define PROMISE_FRONT assume
  if (1) begin : g_front
    localparam int unsigned CEntries = Entries, CLineBits = LineBits, CPtrBits = PtrBits;
    logic [CPtrBits-1:0]           c_head, c_next, c_fill_entry;
    logic                          c_next_valid, c_blocked, c_take, c_drop, c_fill_turn, c_fill_we;
    logic [CEntries*CLineBits-1:0] c_lines;
    logic [CEntries*4-1:0]         c_masks, c_some;
    assign {c_head, c_next, c_next_valid, c_blocked} = {head_o, next_o, next_valid_o, next_blocked_o};
    assign {c_take, c_drop} = {take_i, drop_i};
    assign {c_fill_turn, c_fill_we, c_fill_entry} = {fill_turn_i, fill_we_i, fill_entry_i};
`ifdef PLANT_BUFFER_MASK_MOVES
    assign {c_lines, c_masks, c_some} = {lines_o, masks_o | {4*Entries{fire}}, some_o};  // planted bug
`else
    assign {c_lines, c_masks, c_some} = {lines_o, masks_o, some_o};
`endif
    `include "dedup_buffer_contract.svh"
  end
  `undef PROMISE_BUFFER
  `undef PROMISE_FRONT
  always_comb if (f_started_q) begin
    a_in_process:  assert (g_front.c_in_q == taken_q && g_front.c_count_q == f_taken);
  end
  assign f_pos_a  = (16'(f_a) >= 16'(head_q)) ? 16'(f_a) - 16'(head_q) : 16'(f_a) + 16'(Entries) - 16'(head_q);
  assign f_taken  = (16'(next_q) > 16'(head_q)) ? 16'(next_q) - 16'(head_q)
                    : (16'(next_q) < 16'(head_q)) ? 16'(next_q) + 16'(Entries) - 16'(head_q)
                    : taken_q[head_q] ? 16'(Entries) : 16'd0;
  assign f_line_a = line_q[f_a*LineBits +: LineBits];
  assign f_mask_a = mask_q[f_a*4 +: 4];
  assign f_some_a = some[f_a*4 +: 4];
  logic [Entries-1:0] f_first, f_valid;  // where the entries in process, and all, should be
  always_comb begin
    for (int unsigned e = 0; e < Entries; e++) begin
      f_valid[e] = ((16'(e) >= 16'(head_q)) ? 16'(e) - 16'(head_q) : 16'(e) + 16'(Entries) - 16'(head_q)) < 16'(count_q);
      f_first[e] = ((16'(e) >= 16'(head_q)) ? 16'(e) - 16'(head_q) : 16'(e) + 16'(Entries) - 16'(head_q)) < f_taken;
    end
  end
  // f_twice: two pending entries have one line. f_taken_twice: two in process. f_newer: a pending one has rd_line_i.
  logic f_twice, f_newer, f_taken_twice;
  always_comb begin
    f_twice = 1'b0;
    f_taken_twice = 1'b0;
    f_newer = 1'b0;
    for (int unsigned x = 0; x < Entries; x++) begin
      if (pending[x] && line_q[x*LineBits +: LineBits] == rd_line_i) f_newer = 1'b1;
      for (int unsigned y = 0; y < x; y++) begin
        if (pending[x] && pending[y] && line_q[x*LineBits +: LineBits] == line_q[y*LineBits +: LineBits]) f_twice = 1'b1;
        if (taken_q[x] && taken_q[y] && line_q[x*LineBits +: LineBits] == line_q[y*LineBits +: LineBits]) f_taken_twice = 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    f_line_a_q <= f_line_a;
    f_mask_a_q <= f_mask_a;
    f_some_a_q <= f_some_a;
    f_taken_a_q <= taken_q[f_a];
    f_kept_q   <= f_started_q && rst_ni && valid_q[f_a] && !(drop_i && head_q == f_a);
  end
  `include "dedup_head_contract.svh"
  `include "dedup_read_contract.svh"
  `FORWARD_RULE(forward, assert, rd_forward_o, rd_mask_i)
`ifdef BUFFER_BANKS  // with the memories inside
  `include "dedup_banks_contract.svh"
  logic f_quiet;
`ifdef PLANT_BUFFER_READS_UNSEEN
  assign f_quiet = !bank_re_i || fire;  // planted bug: a read beside a write is not seen
`else
  assign f_quiet = !bank_re_i;
`endif
  `BANKS_RULE(banks, assert, 1024, f_quiet, bank_data_o)
`endif
  `SOME_RULE(some, assert, valid_q[f_a], f_some_a, f_mask_a)  // f_a: any entry
  always_comb if (f_started_q) begin
    a_count_bounded:     assert (16'(count_q) <= 16'(Entries));
    a_pointers:          assert (16'(head_q) < 16'(Entries) && 16'(tail_q) < 16'(Entries) && 16'(next_q) < 16'(Entries));
    a_apart:             assert (16'(tail_q) == 16'(head_q) + 16'(count_q) || 16'(tail_q) + 16'(Entries) == 16'(head_q) + 16'(count_q));
    a_valid_ring:        assert (valid_q == f_valid);
    a_valid_is_ring:     assert (valid_q[f_a] == (f_pos_a < 16'(count_q)));
    a_taken_first:       assert (taken_q == f_first && f_taken <= 16'(count_q));
    a_next_pending:      assert (next_valid_o == (f_taken != 16'(count_q)));
    a_one_taken:         assert (!f_taken_twice);
    a_blocked:           assert (!(next_valid_o && taken_q[f_a] && next_q == f_b && line_q[f_b*LineBits +: LineBits] == f_line_a) || next_blocked_o);
    a_taken_frozen:      assert (!(f_kept_q && f_taken_a_q) || (f_mask_a == f_mask_a_q && f_some_a == f_some_a_q));
    a_one_pending:       assert (!f_twice);
    a_mask_not_empty:    assert (!valid_q[f_a] || f_mask_a != '0);
    a_entry_stays:       assert (!f_kept_q || (valid_q[f_a] && f_line_a == f_line_a_q));
    a_sectors_stay:      assert (!f_kept_q || (f_mask_a & f_mask_a_q) == f_mask_a_q);
    a_forward_pending:   assert (!(pending[f_a] && f_line_a == rd_line_i) ||
                                 (rd_entry_o == f_a && rd_forward_o == (rd_mask_i & f_mask_a & ~f_some_a)));
    a_forward_taken:     assert (!(taken_q[f_a] && f_line_a == rd_line_i) || rd_in_process_o);
    a_forward_older:     assert (!(taken_q[f_a] && f_line_a == rd_line_i && !f_newer) || (rd_entry_o == f_a && rd_forward_o == (rd_mask_i & f_mask_a & ~f_some_a)));
    a_forward_same_line: assert (rd_forward_o == '0 || rd_entry_o != f_a || f_line_a == rd_line_i);
    a_member_a:          assert (!(valid_q[f_a] && f_line_a == ref_a_i) || ref_a_hit_o);
    a_member_b:          assert (!(valid_q[f_a] && f_line_a == ref_b_i) || ref_b_hit_o);
    a_merge_pending:     assert (!(fire && merge) || pending[merge_entry]);
    a_one_port:          assert (!(fire && fill_turn_i));
  end
  // The entry at the head has the domain of its last write.
  logic [DomainWidth-1:0] f_domain_q;
  always_ff @(posedge clk_i) if (fire && place == f_a) f_domain_q <= wr_domain_i;
  always_comb if (f_started_q && DomainBits > 0) begin
    a_last_domain: assert (!valid_q[f_a] || domain_q[f_a*DomainWidth +: DomainWidth] == f_domain_q);
    a_head_domain: assert (!(count_q != '0 && head_q == f_a) || head_domain_o == f_domain_q);
  end
  // f_byte: any byte; f_have_q: the entry was given it; f_bit_q: the bit beside it.
  (* anyconst *) logic [6:0] f_byte;
  logic f_have_q, f_bit_q, f_here, f_gives;
  logic [1:0] f_s;
  assign f_s     = f_byte[6:5];
  assign f_here  = fire && place == f_a;
  assign f_gives = f_here && wr_mask_i[f_s] && wr_bytes_i[f_byte];
  always_ff @(posedge clk_i) begin
    if (f_here && append) f_have_q <= f_gives;
    else if (f_gives) f_have_q <= 1'b1;
    if (f_here && byte_we[f_byte]) f_bit_q <= wr_bytes_i[f_byte];
  end
  always_comb if (f_started_q && ByteMasks) begin
    a_whole_has_all:  assert (!(valid_q[f_a] && f_mask_a[f_s] && !f_some_a[f_s]) || f_have_q);
    a_have_is_masked: assert (!(valid_q[f_a] && f_have_q) || f_mask_a[f_s]);
    a_bit_is_have:    assert (!(valid_q[f_a] && f_mask_a[f_s]) || f_bit_q == f_have_q);
    a_byte_lands:     assert (!f_gives || byte_we[f_byte]);
    a_byte_stays:     assert (!(f_here && merge && f_have_q && byte_we[f_byte]) || f_gives);
    a_forward_whole:  assert (!(valid_q[f_a] && rd_entry_o == f_a && rd_forward_o[f_s]) || f_have_q);
    a_some_is_seen:   assert (!(pending[f_a] && f_line_a == rd_line_i && rd_mask_i[f_s] && f_mask_a[f_s] && !f_have_q) || rd_some_o);
    a_closed:         assert (!(wr_close_i && fire));
  end
