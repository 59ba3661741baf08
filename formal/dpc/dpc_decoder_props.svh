// dpc_decoder: each step reads the bits of the stream behind those of the step before it. (Included in dpc_decoder.)
//
// What dpc_unpack gives is proved apart: here it is anything. Counted are the bits of the stream before the step and
// before the flit in the register. One place of a flit is chosen freely, and one bit of the line. dpc_rotate, proved
// apart, brings the chosen bit of the window to its place behind `at`; so the window is what is looked at, and
// dpc_below is free but for that bit.
`ifdef FORMAL_DPC_DECODER_LIVE
  `include "dpc_decoder_live_props.svh"
`else
  `include "reset.svh"
  localparam int unsigned FCount = 16;
  (* anyconst *) logic [AtBits-1:0]              f_at;    // bit of a flit
  (* anyconst *) logic [$clog2(Planes)-1:0]      f_plane; // in stream order
  (* anyconst *) logic [$clog2(4*SubWords)-1:0]  f_word;
  always_comb begin
    m_at:    assume (32'(f_at) < FlitBits);
    m_plane: assume (32'(f_plane) < Planes);
    m_word:  assume (32'(f_word) < Cols);
`ifndef FORMAL_DPC_ROTATES
    m_below: assume (gone[f_at] == (!open_q || f_at < at_q));  // of dpc_below, proved there
`endif
  end

  // A flit at the input is on offer until it is taken.
  `include "stream_rule.svh"
  `STREAM_RULE(in_rule, assume, FlitBits + 6, in_valid_i, in_ready_o, ({in_bits_i, in_mask_i, in_last_i, in_error_i}))

  // The packet on its way: its flits before the one in the register, bits read, ES, mask, what makes it illegal.
  logic [FCount-1:0] f_base_q, f_before_q, f_before, f_step_q;
  logic [Planes-1:0] f_same_q;
  logic [3:0]        f_mask_q, f_out_mask_q;  // of the packet; of the line on offer
  logic              f_bit_q, f_error_q, f_packed_q;
  logic [SumBits-1:0] f_extent;
  assign f_extent = open_q ? SumBits'(open_extent) : SumBits'(first_extent);
  assign f_before = open_q ? f_before_q : FCount'(head);
  always_ff @(posedge clk_i) begin
    if (in_fire) f_bit_q <= in_bits_i[f_at];
    if (ends) f_out_mask_q <= open_q ? f_mask_q : in_mask;
    if (!open_q && !skip_q && in_fire) begin
      f_base_q  <= '0;
      f_same_q  <= in_same;
      f_mask_q  <= in_mask;
      f_error_q <= in_error_i;
      f_packed_q <= in_bits_i[0];
    end else if (open_q && in_fire) begin
      f_base_q  <= f_base_q + FCount'(FlitBits);
      f_error_q <= f_error_q || in_error_i;
    end
    f_before_q <= step ? f_before + FCount'(f_extent) : f_before;
    f_step_q   <= !open_q ? FCount'(step) : f_step_q + FCount'(step);
  end

  // Where a step reads, by the format.
  `include "dpc_stream.svh"
  `DPC_STREAM(f_places, f_packed_q, f_same_q, f_mask_q)

  // The line register: the value of the chosen plane and word when it was written.
  logic [Cells-1:0] f_rows;
  logic             f_written_q, f_value_q, f_writes;
  assign f_writes = step && (open_q ? f_step_q : '0) == FCount'(f_plane) / FCount'(Rows);
  assign f_rows   = rows >> ((32'(f_plane) % Rows) * Cols);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_written_q <= 1'b0;
    else         f_written_q <= f_writes || (f_written_q && !(step && !open_q));
    if (f_writes) f_value_q <= f_rows[f_word];
  end

  always_comb if (f_started_q) begin
    a_at:      assert (!open_q || (f_before_q == f_base_q + FCount'(at_q) && 32'(at_q) < FlitBits));
    a_same:    assert (!open_q || (same_q == f_same_q >> (f_step_q * FCount'(Rows)) && mask_q == f_mask_q));
    a_places:  assert (!open_q || f_before_q == f_places[16*f_step_q +: 16]);
    a_raw:     assert (!open_q || f_packed_q || f_same_q == '0);
    a_steps:   assert (!open_q || (f_step_q < FCount'(Steps) && step_q == Steps'(1) << f_step_q));
    a_error:   assert (!open_q || broken_q == f_error_q);
    a_flit:    assert (!open_q || flit_q[f_at] == f_bit_q);
    // A step reads the bits from `f_before` on: the window has them, from `at` on and around its end.
    a_kept:    assert (!(step && open_q && f_at >= at_q && SumBits'(f_at) < SumBits'(at_q) + f_extent) ||
                       window[f_at] == flit_q[f_at]);
    a_coming:  assert (!(step && open_q && SumBits'(FlitBits) + SumBits'(f_at) < SumBits'(at_q) + f_extent) ||
                       (in_fire && window[f_at] == in_bits_i[f_at]));
    a_first:   assert (!(step && !open_q && f_at >= head && SumBits'(f_at) < SumBits'(head) + f_extent) ||
                       window[f_at] == in_bits_i[f_at]);
`ifdef FORMAL_DPC_ROTATES  // with the real ones, at small sizes: they are wired to what they are said to get
    a_rotated: assert (!step || rotated[AtBits'(SumBits'(f_at) - SumBits'(at) + (f_at < at ? SumBits'(FlitBits) : '0))] ==
                                window[f_at]);
    a_below:   assert (gone[f_at] == (!open_q || f_at < at_q));
`endif
    a_begin:   assert (!step || 32'(at) < FlitBits);
    a_inside:  assert (!(step && !open_q) || SumBits'(head) + f_extent <= SumBits'(FlitBits));
    // A flit is taken when its bits are needed, and no other. The line has its last bit in the last flit.
    a_needed:  assert (!(open_q && in_fire) || step);
    a_end:     assert (!(ends && last_flit && open_q && !in_fire) ||
                       f_before_q - f_base_q + FCount'(f_extent) <= FCount'(FlitBits));
    // What the steps wrote stands in the line until it is taken.
    a_line:    assert (!f_written_q || line_q[32'(f_word)*Planes + Planes - 1 - 32'(f_plane)] == f_value_q);
    a_mask:    assert (!full_q || out_mask_o == f_out_mask_q);
    a_written: assert (!(full_q || (open_q && f_step_q > FCount'(f_plane) / FCount'(Rows))) || f_written_q);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_whole:  cover (full_q && f_value_q && f_mask_q == 4'b1011);
    c_bad:    cover (bad_packet_o && !skip_q);
    c_skips:  cover (skip_q && in_fire && in_last_i);
  end
`endif
