// dpc_encoder: compresses cache lines into DPC streams of flits.
//
//   in ──▶ dpc_select ──▶ [planes of a step] ──▶ dpc_pack ──▶ rotate ──▶ [rest] ──▶ stream_skid ──▶ out
//     └──▶ ES, raw or not ──▶ [line]                 dpc_extent ──┘ behind what waits
//
//   latency     2 cycles from a line to its first flit, for each step that does not fill a flit one more;
//               Steps + 1 for a stream of one flit
//   throughput  a line of n flits takes the larger of Steps and n cycles. It takes one more where the first step fills
//               a flit while the rest of the line before it leaves.
//
// A line takes Steps = ceil(Planes / PlanesPerCycle) steps. The line is read where it stands, at in_line_i:
// in_ready_o is high in the last step, so the encoder has no copy. ES and the form are known after the first step.
//
// Stream, bit 0 first. Compressed: C = 1, ES, then one bit or W bits for each plane, the upper plane first.
// Raw: C = 0, then W bits for each plane. Raw is used when the encoded form would not be smaller.
// A stream begins with a flit. Bits behind its end are 0 in the last flit.
//
// in_ready_o and the outputs depend on state only. Active-low reset clears the control state.
// Source: DPC thesis, 3.4.1; decisions D2 to D4, D15.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dpc_encoder #(
  parameter int unsigned SubWords       = 2,  // words per sub-block
  parameter int unsigned Planes         = 4,  // bits per word
  parameter int unsigned PlanesPerCycle = 2,  // planes of a step
  parameter int unsigned FlitBits       = 4 * SubWords * PlanesPerCycle,  // at least this, and Planes + 2
  parameter int unsigned Truncate       = 1,  // 0: whole lines only, the mask counts as 1111
  parameter int unsigned CountBits      = $clog2(FlitBits + 1),               // not to be set
  parameter int unsigned LengthBits     = $clog2(4 * SubWords * Planes + 2)   // not to be set
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  input  wire logic                         in_valid_i,
  output logic                              in_ready_o,
  input  wire logic [4*SubWords*Planes-1:0] in_line_i,    // word 0 in the low bits
  input  wire logic [3:0]                   in_mask_i,    // critical sub-blocks
  output logic                              out_valid_o,
  input  wire logic                         out_ready_i,
  output logic [FlitBits-1:0]               out_bits_o,   // bit 0 first
  output logic [CountBits-1:0]              out_count_o,  // bits of the stream in this flit; FlitBits but in the last
  output logic                              out_last_o,   // the last flit of the line
  output logic [3:0]                        out_mask_o,   // mask of the line
  output logic [LengthBits-1:0]             out_length_o  // bits of the whole stream, in its first flit; else 0
);
  localparam int unsigned Rows       = PlanesPerCycle > 0 ? PlanesPerCycle : 1;  // 0: see below
  localparam int unsigned Cols       = 4 * SubWords;
  localparam int unsigned Cells      = Rows * Cols;
  localparam int unsigned Steps      = (Planes + Rows - 1) / Rows;
  localparam int unsigned LastRows   = Planes - (Steps - 1) * Rows;
  localparam int unsigned TotalBits  = $clog2(Planes + 1);
  localparam int unsigned ExtentBits = $clog2(Cells + 1);
  localparam int unsigned FillBits   = $clog2(FlitBits);  // of bits that wait: less than a flit
  localparam int unsigned SumBits    = $clog2(2 * FlitBits);

  if (SubWords < 2 || SubWords > 8) begin : g_bad_sub_words
    $error("dpc_encoder: SubWords must be 2 to 8");
  end
  if (Planes < 2 || Planes > 32) begin : g_bad_planes
    $error("dpc_encoder: Planes must be 2 to 32");
  end
  if (PlanesPerCycle < 1 || PlanesPerCycle > Planes) begin : g_bad_planes_per_cycle
    $error("dpc_encoder: PlanesPerCycle must be 1 to Planes");
  end
  if (FlitBits < Cells || FlitBits < Planes + 2) begin : g_bad_flit_bits
    $error("dpc_encoder: FlitBits must be at least 4 * SubWords * PlanesPerCycle and at least Planes + 2");
  end
  if (Truncate > 1) begin : g_bad_truncate
    $error("dpc_encoder: Truncate must be 0 or 1");
  end
  if (CountBits != $clog2(FlitBits + 1)) begin : g_bad_count_bits
    $error("dpc_encoder: CountBits follows from FlitBits and must not be overridden");
  end
  if (LengthBits != $clog2(4 * SubWords * Planes + 2)) begin : g_bad_length_bits
    $error("dpc_encoder: LengthBits follows from SubWords and Planes and must not be overridden");
  end

  // Planes of a step.
  logic [3:0]           mask;
  logic [Steps-1:0]     step_q;  // one-hot
  logic [Cells-1:0]     rows;
  logic [Planes-1:0]    same;
  logic [TotalBits-1:0] total;
  logic                 load;
  assign mask = Truncate == 0 ? 4'b1111 : in_mask_i;
  dpc_select #(.SubWords(SubWords), .Planes(Planes), .Rows(Rows)) i_select (
    .line_i (in_line_i),
    .mask_i (mask),
    .step_i (step_q & {Steps{load}}),
    .rows_o (rows),
    .same_o (same),
    .total_o(total)
  );

  // Compression pays when total * (W - 1) > Planes + 1.
  logic [3:0] pays, count;
  for (genvar k = 0; k < 4; k++) begin : g_pays
`ifdef PLANT_TIE_PACKED
    localparam int unsigned Least = Planes / (SubWords * (k + 1) - 1) + 1;
`else
    localparam int unsigned Least = (Planes + 1) / (SubWords * (k + 1) - 1) + 1;
`endif
    assign pays[k]  = Least <= Planes && total >= TotalBits'(Least);
    assign count[k] = $countones(mask) == k + 1;
  end

  logic                 held_q, first_q, last_q, packed_q;  // planes wait; of the first, of the last step; C
  logic [Cells-1:0]     rows_q;
  logic [Planes-1:0]    same_q;  // ES from this step on; 0 if raw
  logic [3:0]           mask_q, count_q;
  logic [TotalBits-1:0] total_q;  // compressed planes
  logic                 step;
  assign load       = in_valid_i && (!held_q || step);
  assign in_ready_o = step_q[Steps-1] && (!held_q || step);

  logic [Planes-1:0] later;  // ES without that of the step that leaves
  assign later = same_q >> Rows;

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      held_q <= 1'b0;
      step_q <= Steps'(1);
    end else begin
      held_q <= load || (held_q && !step);
      if (load) step_q <= Steps'({step_q, step_q[Steps-1]});
    end
  end
  always_ff @(posedge clk_i) begin
    rows_q <= rows | (rows_q & {Cells{!load}});
    if (load) begin
      first_q <= step_q[0];
      last_q  <= step_q[Steps-1];
      mask_q  <= mask;
      count_q <= count;
      same_q  <= step_q[0] ? same : later;
      if (step_q[0]) begin
        total_q  <= total;
        packed_q <= |(count & pays);
      end
    end
  end

  // Chunk, and where it goes: behind what waits. C and ES stand in front of the first.
  logic [Rows-1:0]       same_rows;
  logic [Cells-1:0]      chunk;
  logic [ExtentBits-1:0] extent;
  logic [FillBits-1:0]   fill_q, base;
  logic [SumBits-1:0]    sum;
  logic                  full, rest_q, emits, room, exact;
  assign same_rows = same_q[Rows-1:0] & {Rows{packed_q}};
  dpc_pack #(.SubWords(SubWords), .Rows(Rows)) i_pack (
    .rows_i (rows_q),
    .mask_i (mask_q),
    .count_i(count_q),
    .same_i (same_rows),
    .chunk_o(chunk)
  );
  dpc_extent #(.SubWords(SubWords), .Rows(Rows), .LastRows(LastRows)) i_extent (
    .same_i (same_rows),
    .count_i(count_q),
    .last_i (last_q),
    .bits_o (extent)
  );
  assign base  = !first_q ? fill_q : packed_q ? FillBits'(1 + Planes) : FillBits'(1);
  assign sum   = SumBits'(base) + SumBits'(extent);
  assign full  = sum >= SumBits'(FlitBits);
  assign exact = sum == SumBits'(FlitBits);
  // The rest of a line leaves alone or while the next line's first step fills no flit.
  assign emits = full || last_q;
`ifdef PLANT_REST_LOST  // planted bug: the next line's flit takes the place of the rest
  assign step  = held_q && room;
`elsif PLANT_REST_BLOCKS  // planted bug: the last step waits until another line is on offer
  assign step  = held_q && room && !(rest_q && emits) && (!last_q || in_valid_i);
`else
  assign step  = held_q && room && !(rest_q && emits);
`endif

  logic [FlitBits-1:0] rotated, low, waits_q, waits, header, flit;
  dpc_rotate #(.Width(FlitBits), .Left(1)) i_rotate (
    .data_i  (FlitBits'(chunk)),
    .amount_i(base),
    .data_o  (rotated)
  );
  dpc_below #(.Width(FlitBits)) i_below (
    .all_i  (rest_q),
    .at_i   (base),
    .below_o(low)
  );
  assign header = FlitBits'({same_q & {Planes{packed_q}}, packed_q}) & {FlitBits{first_q}};
  // A flit that leaves: what waits and the chunk above it, or the rest alone (then all is low).
  assign flit  = (waits_q & {FlitBits{rest_q || !first_q}}) | (rotated & ~low) | (header & {FlitBits{!rest_q}});
  // What waits afterwards: the chunk below if a flit left, else both. Without a step: the same.
  assign waits = (waits_q & {FlitBits{!step || !(full || first_q)}}) |
                 (rotated & (low | {FlitBits{!full}}) & {FlitBits{step}}) | (header & {FlitBits{!full && step}});

  logic [LengthBits-1:0] length;
  logic                  later_q;  // a flit of the line has left
  logic [3:0]            rest_mask_q;
  logic [LengthBits-1:0] long_planes, words;
  always_comb begin
    long_planes = LengthBits'(Planes) - (packed_q ? LengthBits'(total_q) : '0);
    words       = '0;
    for (int unsigned k = 0; k < 4; k++) begin
      words |= (long_planes * LengthBits'(k + 1)) & {LengthBits{count_q[k]}};
    end
    length = LengthBits'(1) + words * LengthBits'(SubWords) +
             (packed_q ? LengthBits'(Planes) + LengthBits'(total_q) : '0);
  end

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni)   rest_q <= 1'b0;
    else if (room) rest_q <= step && last_q && full && !exact;
  end
  always_ff @(posedge clk_i) begin
    waits_q <= waits;
    if (step) begin
      fill_q      <= FillBits'(full ? sum - SumBits'(FlitBits) : sum);
      rest_mask_q <= mask_q;
      later_q     <= !last_q && (full || (later_q && !first_q));
    end
  end

  // Each in a net of its own: Yosys 0.23 takes a cast within a concatenation for as wide as what is cast.
  logic                  last;
  logic [CountBits-1:0]  flit_count;
  logic [3:0]            flit_mask;
  logic [LengthBits-1:0] flit_length;
  assign flit_count  = rest_q ? CountBits'(fill_q) : full ? CountBits'(FlitBits) : CountBits'(sum);
  assign last        = rest_q || (last_q && (!full || exact));
  assign flit_mask   = rest_q ? rest_mask_q : mask_q;
  assign flit_length = length & {LengthBits{!rest_q && (first_q || !later_q)}};
  stream_skid #(.Width(FlitBits + CountBits + 1 + 4 + LengthBits)) i_out (
    .clk_i,
    .rst_ni,
    .in_valid_i (rest_q || (held_q && emits)),
    .in_ready_o (room),
    .in_data_i  ({flit, flit_count, last, flit_mask, flit_length}),
    .out_valid_o(out_valid_o),
    .out_ready_i(out_ready_i),
    .out_data_o ({out_bits_o, out_count_o, out_last_o, out_mask_o, out_length_o})
  );

`ifndef SYNTHESIS
  stream_check #(.Width(Cols * Planes + 4)) i_in_check (
    .clk_i, .rst_ni, .valid_i(in_valid_i), .ready_i(in_ready_o), .data_i({in_line_i, in_mask_i})
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_one_step:      assert ($onehot(step_q));
    a_rest_is_first: assert (!(rest_q && held_q) || first_q);
    c_rest_and_step: cover (rest_q && step);
    c_rest_alone:    cover (rest_q && held_q && !step && room);
  end
`endif
`ifdef FORMAL_DPC_ENCODER
  `include "dpc_encoder_props.svh"
`endif
endmodule
`default_nettype wire
