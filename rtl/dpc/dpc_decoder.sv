// dpc_decoder: turns DPC streams of flits back into cache lines.
//
//   in ──┬────────▶ [flit] ──▶ rotate ──▶ dpc_unpack ──▶ [line] ──▶ out
//        └─ next flit ──────────┘              ES, position ──▶ dpc_extent: where the next planes begin
//
//   latency     Steps cycles from the flit of a stream of one flit to the line; a cycle for each flit if these are more
//   throughput  a line of n flits takes the larger of Steps and n cycles. It takes one more where the first step needs
//               a second flit, unless the line is raw.
//
// A line takes Steps = ceil(Planes / PlanesPerCycle) steps. The first is done while its flit comes in. Planes that
// begin in one flit and end in the next are read from the register and from in_bits_i, which waits there until then.
// The line register is the only copy of a line, and its steps begin when the line before it is taken.
//
// Errors: a packet gives no line if in_error_i was high with one of its flits, or if it does not end with the last
// flit that its stream needs. bad_packet_o is high for one cycle then. The packet behind it is whole again.
// Other damage cannot be noticed. Bits behind the end of the stream have no effect.
//
// in_ready_o and the outputs depend on state only. Active-low reset clears the control state.
// Format and source: dpc_encoder.sv.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dpc_decoder #(
  parameter int unsigned SubWords       = 2,  // words per sub-block
  parameter int unsigned Planes         = 4,  // bits per word
  parameter int unsigned PlanesPerCycle = 2,  // planes of a step
  parameter int unsigned FlitBits       = 4 * SubWords * PlanesPerCycle,  // at least this, and Planes + 2
  parameter int unsigned Truncate       = 1   // 0: whole lines only, the mask counts as 1111
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic                       in_valid_i,
  output logic                            in_ready_o,
  input  wire logic [FlitBits-1:0]        in_bits_i,    // bit 0 first
  input  wire logic [3:0]                 in_mask_i,    // critical sub-blocks, of the packet's first flit
  input  wire logic                       in_last_i,    // the last flit of the packet
  input  wire logic                       in_error_i,   // the packet is to be dropped
  output logic                            out_valid_o,
  input  wire logic                       out_ready_i,
  output logic [4*SubWords*Planes-1:0]    out_line_o,   // word 0 in the low bits; zeros in the other sub-blocks
  output logic [3:0]                      out_mask_o,   // mask of the line
  output logic                            bad_packet_o  // a packet was dropped
);
  localparam int unsigned Rows       = PlanesPerCycle > 0 ? PlanesPerCycle : 1;  // 0: see below
  localparam int unsigned Cols       = 4 * SubWords;
  localparam int unsigned Cells      = Rows * Cols;
  localparam int unsigned Steps      = (Planes + Rows - 1) / Rows;
  localparam int unsigned LastRows   = Planes - (Steps - 1) * Rows;
  localparam int unsigned ExtentBits = $clog2(Cells + 1);
  localparam int unsigned AtBits     = $clog2(FlitBits);
  localparam int unsigned SumBits    = $clog2(2 * FlitBits);

  if (SubWords < 2 || SubWords > 8) begin : g_bad_sub_words
    $error("dpc_decoder: SubWords must be 2 to 8");
  end
  if (Planes < 2 || Planes > 32) begin : g_bad_planes
    $error("dpc_decoder: Planes must be 2 to 32");
  end
  if (PlanesPerCycle < 1 || PlanesPerCycle > Planes) begin : g_bad_planes_per_cycle
    $error("dpc_decoder: PlanesPerCycle must be 1 to Planes");
  end
  if (FlitBits < Cells || FlitBits < Planes + 2) begin : g_bad_flit_bits
    $error("dpc_decoder: FlitBits must be at least 4 * SubWords * PlanesPerCycle and at least Planes + 2");
  end
  if (Truncate > 1) begin : g_bad_truncate
    $error("dpc_decoder: Truncate must be 0 or 1");
  end

  logic                open_q;       // a stream has begun
  logic                skip_q;       // what is left of a packet is dropped
  logic                broken_q;     // the packet is to be dropped
  logic                last_flit_q;  // the flit in the register ends the packet
  logic [FlitBits-1:0] flit_q;
  logic [AtBits-1:0]   at_q;    // where the next planes begin
  logic [Planes-1:0]   same_q;  // ES from the next planes on; 0 if raw
  logic [3:0]          mask_q;
  logic [Steps-1:0]    step_q;  // one-hot
  logic                full_q;  // a line is on offer

  // The first step is that of the flit at the input.
  logic [3:0]        mask, in_mask, count;
  logic [Planes-1:0] in_same, same;
  logic [AtBits-1:0] head, at;
  assign in_mask = Truncate == 0 ? 4'b1111 : in_mask_i;
  assign in_same = in_bits_i[Planes:1] & {Planes{in_bits_i[0]}};
  assign head    = in_bits_i[0] ? AtBits'(1 + Planes) : AtBits'(1);
  assign mask    = open_q ? mask_q : in_mask;
  assign same    = open_q ? same_q : in_same;
  assign at      = open_q ? at_q : head;
  for (genvar k = 0; k < 4; k++) begin : g_count
    assign count[k] = $countones(mask) == k + 1;
  end

  // Where the planes end. `more`: in the next flit, or the next planes begin there. An extent of its own for the
  // open stream keeps in_ready_o free of paths from inputs.
  logic [3:0]            open_count;
  logic [ExtentBits-1:0] open_extent, first_extent;
  logic [SumBits-1:0]    open_sum, first_sum, sum;
  logic                  last_step, open_more, first_more, more;
  for (genvar k = 0; k < 4; k++) begin : g_open_count
    assign open_count[k] = $countones(mask_q) == k + 1;
  end
  assign last_step = step_q[Steps-1];
  dpc_extent #(.SubWords(SubWords), .Rows(Rows), .LastRows(LastRows)) i_open_extent (
    .same_i (same_q[Rows-1:0]),
    .count_i(open_count),
    .last_i (last_step),
    .bits_o (open_extent)
  );
  dpc_extent #(.SubWords(SubWords), .Rows(Rows), .LastRows(LastRows)) i_first_extent (
    .same_i (in_same[Rows-1:0]),
    .count_i(count),
    .last_i (Steps == 1),
    .bits_o (first_extent)
  );
  assign open_sum   = SumBits'(at_q) + SumBits'(open_extent);
  assign first_sum  = SumBits'(head) + SumBits'(first_extent);
  assign open_more  = open_sum > SumBits'(FlitBits) || (open_sum == SumBits'(FlitBits) && !last_step);
  assign first_more = first_sum > SumBits'(FlitBits) || (first_sum == SumBits'(FlitBits) && Steps > 1);
  assign sum        = open_q ? open_sum : first_sum;
  assign more       = open_q && open_more;

  // A step that takes a flit waits for the line register, so that in_ready_o need not see out_ready_i.
  logic takes, step, short_packet, ends, in_fire, last_flit, broken;
`ifdef PLANT_TAKES_NEVER  // planted bug: a flit that begins in mid-line is taken only while no line is on its way
  assign takes        = open_more && !full_q && !last_flit_q && step_q[0];
`else
  assign takes        = open_more && !full_q && !last_flit_q;
`endif
  assign in_ready_o   = skip_q || !open_q || takes;
  assign in_fire      = in_valid_i && in_ready_o;
  assign short_packet = open_q && open_more && last_flit_q;
`ifdef PLANT_LINE_OVERWRITTEN  // planted bug: a step does not wait until the line before it is taken
  assign step         = open_q ? (open_more ? takes && in_valid_i : 1'b1) : in_fire && !skip_q && !first_more;
`else
  assign step         = open_q ? (open_more ? takes && in_valid_i : !full_q || out_ready_i)
                               : in_fire && !skip_q && !first_more && (!full_q || out_ready_i);
`endif
  assign ends         = step && last_step;
  assign last_flit    = in_fire ? in_last_i : last_flit_q;
  assign broken       = (open_q && broken_q) || (in_fire && in_error_i);

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      open_q       <= 1'b0;
      skip_q       <= 1'b0;
      full_q       <= 1'b0;
      bad_packet_o <= 1'b0;
      step_q       <= Steps'(1);
    end else begin
      open_q <= skip_q ? 1'b0 : (open_q || in_fire) && !ends && !short_packet;
      skip_q <= skip_q ? !(in_fire && in_last_i) : ends && !last_flit;
      full_q <= (ends && last_flit && !broken) || (full_q && !out_ready_i);
      bad_packet_o <= skip_q ? in_fire && in_last_i : short_packet || (ends && last_flit && broken);
      if (short_packet) step_q <= Steps'(1);
      else if (step)    step_q <= Steps'({step_q, step_q[Steps-1]});
    end
  end
  always_ff @(posedge clk_i) begin
    if (in_fire) begin
      flit_q      <= in_bits_i;
      last_flit_q <= in_last_i;
    end
    if (!open_q) mask_q <= in_mask;
    broken_q <= broken;
    if (step || !open_q) begin
      same_q <= step ? same >> Rows : same;
      at_q   <= !step ? head : AtBits'(more ? sum - SumBits'(FlitBits) : sum);
    end
  end

  // Planes of the step, from the flit in the register and the one at the input.
  logic [FlitBits-1:0] gone, window, rotated;
  logic [Cells-1:0]    rows;
  dpc_below #(.Width(FlitBits)) i_below (
    .all_i  (!open_q),
    .at_i   (at_q),
    .below_o(gone)
  );
  assign window = (in_bits_i & gone) | (flit_q & ~gone);
  dpc_rotate #(.Width(FlitBits), .Left(0)) i_rotate (
    .data_i  (window),
    .amount_i(at),
    .data_o  (rotated)
  );
  dpc_unpack #(.SubWords(SubWords), .Rows(Rows)) i_unpack (
    .chunk_i(rotated[Cells-1:0]),
    .mask_i (mask),
    .count_i(count),
    .same_i (same[Rows-1:0]),
    .rows_o (rows)
  );

  logic [Cols*Planes-1:0] line_q;
  for (genvar g = 0; g < Planes; g++) begin : g_plane
    always_ff @(posedge clk_i) begin
      if (step && step_q[g/Rows]) begin
        for (int unsigned j = 0; j < Cols; j++) line_q[j*Planes + Planes - 1 - g] <= rows[(g % Rows)*Cols + j];
      end
    end
  end
  logic [3:0] line_mask_q;
  always_ff @(posedge clk_i) begin
    if (ends) line_mask_q <= mask;
  end

  assign out_valid_o = full_q;
  assign out_line_o  = line_q;
  assign out_mask_o  = line_mask_q;
  if (FlitBits > Cells) begin : g_above
    wire unused_above = ^rotated[FlitBits-1:Cells];
  end

`ifndef SYNTHESIS
  stream_check #(.Width(FlitBits + 6)) i_in_check (
    .clk_i, .rst_ni, .valid_i(in_valid_i), .ready_i(in_ready_o), .data_i({in_bits_i, in_mask_i, in_last_i, in_error_i})
  );
  stream_check #(.Width(Cols * Planes + 4)) i_out_check (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .data_i({out_line_o, out_mask_o})
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_one_step:    assert ($onehot(step_q));
    a_open_first:  assert (open_q || step_q[0]);
    a_skip_closed: assert (!(skip_q && open_q));
    a_line_free:   assert (step_q[0] || !full_q);
    c_over_flits:  cover (step && open_q && open_more);
    c_line_waits:  cover (open_q && full_q && !out_ready_i);
    c_step_at_once: cover (step && !open_q);
  end
`endif
`ifdef FORMAL_DPC_DECODER
  `include "dpc_decoder_props.svh"
`endif
endmodule
`default_nettype wire
