// What dedup_write_buffer and dedup_front promise each other: included by both, behind reset.svh and inside a generate
// block that declares CEntries, CLineBits, CPtrBits, and of the buffer's ports
//   c_head, c_next, c_next_valid, c_blocked      order, and whether the next entry may be taken
//   c_lines, c_masks, c_some                     of all entries
//   c_take, c_drop                               the next entry is in process from now on; the head is done
//   c_fill_turn, c_fill_we, c_fill_entry         old sectors are written
// `PROMISE_BUFFER is `assert` in dedup_write_buffer and `assume` in dedup_front, `PROMISE_FRONT the other way round.
  logic [CEntries-1:0] c_in_q, c_was_in_q, c_kept;  // entries in process, now and before; they stay as they were
  logic [CPtrBits-1:0] c_head_q, c_next_q;
  logic [15:0]         c_count_q;                   // of entries in process
  logic                c_same, c_fills;             // next's line is in process; what is filled is in process
  logic [CEntries*CLineBits-1:0] c_lines_q;
  logic [CEntries*4-1:0]         c_masks_q, c_some_q;
  function automatic logic [CPtrBits-1:0] c_after(input logic [CPtrBits-1:0] entry);
    c_after = (entry == CPtrBits'(CEntries - 1)) ? '0 : entry + 1'b1;
  endfunction
  always_ff @(posedge clk_i) begin
    c_was_in_q <= c_in_q;
    c_lines_q  <= c_lines;
    c_masks_q  <= c_masks;
    c_some_q   <= c_some;
    if (!rst_ni) begin
      c_in_q    <= '0;
      c_head_q  <= '0;
      c_next_q  <= '0;
      c_count_q <= '0;
    end else begin
      if (c_take) c_next_q <= c_after(c_next_q);
      if (c_drop) c_head_q <= c_after(c_head_q);
      c_count_q <= c_count_q + 16'(c_take) - 16'(c_drop);
      for (int unsigned e = 0; e < CEntries; e++) begin
        if (c_take && c_next_q == CPtrBits'(e)) c_in_q[e] <= 1'b1;
        else if (c_drop && c_head_q == CPtrBits'(e)) c_in_q[e] <= 1'b0;
      end
    end
  end
  always_comb begin
    c_same  = 1'b0;
    c_fills = 1'b0;
    for (int unsigned e = 0; e < CEntries; e++) begin
      for (int unsigned n = 0; n < CEntries; n++) begin
        if (c_next == CPtrBits'(n) && c_in_q[e] &&
            c_lines[e*CLineBits +: CLineBits] == c_lines[n*CLineBits +: CLineBits]) c_same = 1'b1;
      end
      if (c_fill_entry == CPtrBits'(e) && c_in_q[e]) c_fills = 1'b1;
      c_kept[e] = !c_in_q[e] || (c_lines[e*CLineBits +: CLineBits] == c_lines_q[e*CLineBits +: CLineBits] &&
                  (!c_was_in_q[e] || (c_masks[e*4 +: 4] == c_masks_q[e*4 +: 4] &&
                  c_some[e*4 +: 4] == c_some_q[e*4 +: 4])));
    end
  end
  always_comb if (f_started_q) begin
    p_ring:    `PROMISE_BUFFER (c_head == c_head_q && c_next == c_next_q);
    p_room:    `PROMISE_BUFFER (!c_next_valid || 32'(c_count_q) < CEntries);
    p_blocked: `PROMISE_BUFFER (c_blocked || !c_same);
    p_frozen:  `PROMISE_BUFFER (c_kept == '1);
    p_take:    `PROMISE_FRONT (!c_take || (c_next_valid && !c_blocked));
    p_drop:    `PROMISE_FRONT (!c_drop || c_count_q != '0);
    p_fill:    `PROMISE_FRONT (!c_fill_we || (c_fill_turn && c_fills));
  end
