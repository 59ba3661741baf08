// dpc_encoder: the bits of a line leave in order, none lost, none doubled. (Included in dpc_encoder.)
//
// What dpc_select and dpc_pack give is proved apart: here it is anything. A step appends bits to the stream of its
// line: C and ES in the first one, then the chunk. Counted are the bits of the line appended so far and those in flits
// that have left. One place of a flit is chosen freely, and a bit that is appended there is followed to the flit that
// it leaves in. Nothing else of a flit is looked at, so dpc_rotate and dpc_below are free but for that place.
`ifdef FORMAL_DPC_ENCODER_LIVE
  `include "dpc_encoder_live_props.svh"
`else
  `include "reset.svh"
  localparam int unsigned FCount = 16;
  (* anyseq *)   logic                f_choose;
  (* anyseq *)   logic                f_next;   // the bit is in the flit behind the one that leaves
  (* anyconst *) logic [FillBits-1:0] f_place;  // of a flit: where the bit is
  logic [SumBits-1:0]                 f_at;     // the same, counted from the flit that begins before the step
  assign f_at = SumBits'(f_place) + (f_next ? SumBits'(FlitBits) : '0);

  // The line at the input is on offer until it is taken.
  `include "stream_rule.svh"
  `STREAM_RULE(in_rule, assume, Cols * Planes + 4, in_valid_i, in_ready_o, ({in_line_i, in_mask_i}))
  logic f_waits_q;
  assign f_waits_q = g_in_rule.f_waits_q;
  always_comb begin
    m_total:       assume (32'(total) == $countones(same));  // of dpc_select, proved there
    m_place:       assume (32'(f_place) < FlitBits);
  end

  // Of dpc_rotate: rotated[f_place] is bit f_from of the chunk. Of dpc_pack: behind its extent a chunk has zeros.
  logic [SumBits-1:0] f_from;
  assign f_from = SumBits'(f_place) - SumBits'(base) + (f_place < base ? SumBits'(FlitBits) : '0);
  always_comb begin
`ifdef FORMAL_DPC_ROTATES  // with the real ones, at small sizes: they are wired to what they are said to get
    m_chunk:   assume (chunk >> extent == '0);
    a_rotated: assert (!f_started_q || !held_q || rotated[f_place] == (32'(f_from) < Cells && chunk[f_from]));
    a_below:   assert (low[f_place] == (rest_q || f_place < base));
`else
    m_chunk:   assume (32'(base) >= FlitBits || f_from < SumBits'(extent) || !rotated[f_place]);
    m_below:   assume (low[f_place] == (rest_q || f_place < base));
`endif
  end

  // ES and form of the line whose planes wait, found when its first step was loaded; that step's number.
  logic [Planes-1:0] f_same_q;
  logic [FCount-1:0] f_step_q, f_w, f_raw, f_coded;
  always_comb begin
    f_w = '0;
    for (int unsigned i = 0; i < 4; i++) if (mask[i]) f_w = f_w + FCount'(SubWords);
    f_raw   = FCount'(Planes) * f_w;
    f_coded = FCount'(1 + Planes) + FCount'(total) + (FCount'(Planes) - FCount'(total)) * f_w;
  end
  always_ff @(posedge clk_i) if (load) begin
    f_same_q <= step_q[0] ? same : f_same_q;
    f_step_q <= step_q[0] ? '0 : f_step_q + 1'b1;
  end

  // Bits appended to the line before this step, bits in flits that have left.
  logic [FCount-1:0] f_before_q, f_before, f_sent_q, f_sent, f_after;
  logic              f_emit;
  logic [3:0]        f_mask, f_mask_q;  // of the line: its mask when its first step was loaded
  assign f_mask   = first_q ? mask_q : f_mask_q;
  assign f_before = first_q ? FCount'(base) : f_before_q;
  assign f_sent   = first_q ? '0 : f_sent_q;
  assign f_after  = f_before + FCount'(extent);
  assign f_emit   = room && (rest_q || (held_q && emits));
  always_ff @(posedge clk_i) if (step) begin
    f_before_q <= f_after;
    f_mask_q   <= f_mask;
    f_sent_q   <= full ? f_sent + FCount'(FlitBits) : f_sent;
  end

  // The same by the format.
  `include "dpc_stream.svh"
  `DPC_STREAM(f_places, packed_q, f_same_q, mask_q)

  // A bit that the step appends at the chosen place.
  logic f_new, f_value, f_tracked_q, f_bit_q;
  assign f_new = step && f_at < sum && (first_q || f_at >= SumBits'(base));
  always_comb begin
    f_value = rotated[f_place];
    if (first_q && f_at < SumBits'(base)) f_value = f_at == '0 ? packed_q : same_q[($clog2(Planes))'(f_at - 1'b1)];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_tracked_q <= 1'b0;
    else if (f_tracked_q && f_emit) f_tracked_q <= 1'b0;
    else if (f_new && f_choose && !f_tracked_q) f_tracked_q <= f_next || !emits;
    if (f_new && f_choose && !f_tracked_q) f_bit_q <= f_value;
  end

  always_comb if (f_started_q) begin
    // The line at the input.
    a_form:      assert (!(load && step_q[0]) || |(count & pays) == (f_coded < f_raw));
    a_same:      assert (!held_q || same_q == f_same_q >> (f_step_q * FCount'(Rows)));
    a_step:      assert (!held_q || (f_step_q < FCount'(Steps) && first_q == (f_step_q == '0) &&
                                     last_q == (f_step_q == FCount'(Steps - 1))));
    a_order:     assert (!held_q || step_q == (last_q ? Steps'(1) : Steps'(2) << f_step_q));
    a_mid_line:  assert (step_q[0] || (f_waits_q && held_q));
    a_mask:      assert (step_q[0] || mask_q == mask);
    a_line_mask: assert ((!held_q || first_q || mask_q == f_mask_q) && (!rest_q || rest_mask_q == f_mask_q));
    a_one_hot:   assert ($onehot(step_q));
    a_total:     assert (!(held_q && first_q) || 32'(total_q) == $countones(same_q));
    a_words:     assert (!held_q || count_q == {$countones(mask_q) == 4, $countones(mask_q) == 3, $countones(mask_q) == 2,
                                                $countones(mask_q) == 1});
    // Bits are counted right, and fewer than a flit wait.
    a_fill:      assert (!(held_q && !first_q) || (f_before_q == f_sent_q + FCount'(fill_q) && !rest_q));
    a_places:    assert (!held_q || (f_before == f_places[16*f_step_q +: 16] &&
                                     f_after == f_places[16*(f_step_q+1) +: 16]));
    a_fill_less: assert (!(held_q && !first_q) || 32'(fill_q) < FlitBits);
    a_rest:      assert (!rest_q || (f_before_q == f_sent_q + FCount'(fill_q) && fill_q != '0 && 32'(fill_q) < FlitBits));
    // The chosen bit waits at its place, and leaves there.
    a_waits:     assert (!f_tracked_q || (waits_q[f_place] == f_bit_q && f_place < fill_q));
    a_in_line:   assert (!f_tracked_q || rest_q || (held_q && !first_q));
    a_leaves:    assert (!(f_tracked_q && f_emit) || flit[f_place] == f_bit_q);
    a_zeros:     assert (!(held_q && !first_q || rest_q) || f_place < fill_q || !waits_q[f_place]);
    a_end:       assert (!f_emit || CountBits'(f_place) < flit_count || !flit[f_place]);
    a_flit_mask: assert (!f_emit || flit_mask == (rest_q ? f_mask_q : f_mask));
    a_count:     assert (!f_emit || last || 32'(flit_count) == FlitBits);
    a_length:    assert (!(f_emit && last && !rest_q && first_q) || flit_count == CountBits'(flit_length));
    a_at_once:   assert (!(f_new && emits && !f_next) || flit[f_place] == f_value);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_waits_then_leaves: cover (f_tracked_q && f_emit && f_bit_q);
    c_packed:            cover (out_valid_o && out_last_o && out_bits_o[0]);
  end
`endif
