// bpc_encoder: bit-plane compression of a line, a plane per cycle.
//
//   latency     36 cycles, from the cycle in which the line is first on offer
//   throughput  one line per 36 cycles
//
//   line ──▶ [plane] ──▶ [xor with the plane above] ──▶ code ──▶ [accumulator] ──words──▶ [stream]
//     ├────▶ base's code ────────────────────────────────────────────┘                       │
//     └────▶ raw words ───────────────────────── when the codes take as much ────────────────┘
//
// The line is not copied: it is read on its input, where it stays until in_ready_o takes it in cycle 34.
//   cycle 0         codes the base; with the first offer, when no answer waits
//   cycles 0 to 32  find the planes 32 to 0
//   cycles 1 to 33  code them; the last one codes a run of zero planes that reaches the end, too
//   cycle 34        takes the line, and its words into the stream when the codes take as much
//   cycle 35        emits the last partial word
// The next line starts in the cycle in which the answer is taken. in_ready_o depends on state only.
//
// Stream format: sim_cpp/blocks/bpc/bpc.h (bit 0 first; 1 and codes, or 0 and raw words).
// Why the accumulator never holds more than a code less one bit: a word of 32 bits leaves in each cycle that reaches
// them, and only a run of zero planes with a plane behind it takes more. It comes after a cycle without a code.
// Source: decision D10 (Bit-Plane Compression, ISCA 2016, as the comparator of CMD).
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module bpc_encoder #(
  parameter int unsigned Words      = 4,  // 32-bit words per line
  parameter int unsigned LengthBits = $clog2(32 * Words + 2)  // not to be set
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  in_valid_i,
  output logic                       in_ready_o,
  input  wire logic [32*Words-1:0]   in_line_i,    // word 0 in the low bits
  output logic                       out_valid_o,
  input  wire logic                  out_ready_i,
  output logic [32*Words:0]          out_bits_o,   // bit 0 first; 0 from the length on
  output logic [LengthBits-1:0]      out_length_o  // bits, flag included
);
  localparam int unsigned Diffs     = Words - 1;
  localparam int unsigned PlaceBits = $clog2(Diffs);
  localparam int unsigned PlaneBits = Words > 5 + PlaceBits ? Words : 5 + PlaceBits;  // as in bpc_plane_code
  localparam int unsigned CodeBits  = PlaneBits + 7;                                  // run and plane
  localparam int unsigned RestBits  = CodeBits > 34 ? CodeBits - 1 : 33;
  localparam int unsigned SumBits   = RestBits + CodeBits;
  localparam logic [5:0] StepLast = 6'd33, StepRaw = 6'd34, StepRest = 6'd35;

  if (Words < 3 || Words > 32) begin : g_bad_words
    $error("bpc_encoder: Words must be 3 to 32");
  end
  if (LengthBits != $clog2(32 * Words + 2)) begin : g_bad_length_bits
    $error("bpc_encoder: LengthBits follows from Words and must not be overridden");
  end

  logic                valid_q;
  logic [5:0]          step_q;    // cycles since the offer; 0: no line
  logic [32*Words-1:0] stream_q;  // without the flag
  logic [Diffs-1:0]    plane_q, dbx_q;  // plane 33 - step_q and its xor with the one above
  logic [5:0]          run_q;    // zero planes not coded yet
  logic [RestBits-1:0] rest_q;   // coded bits not yet in stream_q
  logic [5:0]          level_q;  // their number
  logic [5:0]          word_q;   // words in stream_q

  logic idle, free, start;
  assign idle        = step_q == '0;
  assign free        = !valid_q || out_ready_i;
  assign start       = idle && in_valid_i && free;
  assign in_ready_o  = step_q == StepRaw;
  assign out_valid_o = valid_q;

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      step_q  <= '0;
    end else begin
      if (step_q == StepRest) valid_q <= 1'b1;
      else if (out_ready_i) valid_q <= 1'b0;
      if (step_q == StepRest) step_q <= '0;
`ifdef PLANT_ENCODER_SKIPS_THE_REST
      else if (in_ready_o && rest_q == '0) step_q <= '0;  // planted bug: see formal/bpc/proofs.txt
`endif
`ifdef PLANT_ENCODER_STOPS
      else if ((!idle || start) && !(step_q == StepLast && out_ready_i)) step_q <= step_q + 6'd1;  // planted bug
`else
      else if (!idle || start) step_q <= step_q + 6'd1;
`endif
    end
  end

  // Planes and codes. Bit 0 of a code is its first.
  logic [Diffs-1:0]    plane, above;
  logic [32:0]         base_code;
  logic [CodeBits-1:0] code;
  logic [5:0]          base_bits, code_bits;
  logic                zero;
  assign above = plane_q & {Diffs{!idle && step_q < StepLast}};
  bpc_planes #(.Words(Words)) i_planes (
    .line_i (in_line_i),
    .step_i (step_q),
    .plane_o(plane)
  );
  bpc_base_code i_base_code (
    .base_i(in_line_i[31:0]),
    .code_o(base_code),
    .bits_o(base_bits)
  );
  bpc_plane_code #(.Words(Words)) i_plane_code (
    .plane_i(plane_q),
    .dbx_i  (dbx_q),
    .run_i  (run_q),
    .last_i (step_q == StepLast),
    .code_o (code),
    .bits_o (code_bits),
    .zero_o (zero)
  );
  always_ff @(posedge clk_i) begin
    plane_q <= plane;
    dbx_q   <= plane ^ above;  // 0 behind the last plane: no code
    run_q   <= idle || !zero ? '0 : run_q + 6'd1;
  end

  // Into the accumulator; a full word, or at the end the rest, goes to the stream.
  logic [SumBits-1:0] sum;
  logic [6:0]         level;
  logic               full, emit, raw;
  assign sum   = SumBits'(rest_q) | SumBits'(code) << level_q;
  assign level = 7'(level_q) + 7'(code_bits);
  assign full  = level >= 7'd32;
  assign emit  = !idle && (full || step_q == StepRest);
  assign raw   = in_ready_o && (word_q >= 6'(Words) || (word_q == 6'(Words - 1) && full));
  always_ff @(posedge clk_i) begin
    if (idle) begin
      if (free) begin
        rest_q  <= RestBits'(base_code);
        level_q <= base_bits;
        word_q  <= '0;
      end
    end else if (step_q != StepRest) begin
`ifdef PLANT_ENCODER_KEEPS_A_BIT
      rest_q  <= full ? RestBits'(sum >> 31) : RestBits'(sum);  // planted bug: see formal/bpc/proofs.txt
`else
      rest_q  <= full ? RestBits'(sum >> 32) : RestBits'(sum);
`endif
      level_q <= raw ? '0 : full ? 6'(level - 7'd32) : 6'(level);
      word_q  <= raw ? 6'(Words) : full ? word_q + 6'd1 : word_q;
    end
  end
  for (genvar w = 0; w < Words; w++) begin : g_word
    logic mine;
    assign mine = emit && word_q == 6'(w);
    always_ff @(posedge clk_i) begin
      if (raw) stream_q[32*w +: 32] <= in_line_i[32*w +: 32];
      else if (mine) stream_q[32*w +: 32] <= sum[31:0];
      else if (step_q == 6'd1) stream_q[32*w +: 32] <= '0;
    end
  end

  logic coded;
  assign coded        = word_q != 6'(Words);
  assign out_bits_o   = {stream_q, coded};
  assign out_length_o = LengthBits'({word_q, level_q[4:0]}) + 1'b1;

`ifndef SYNTHESIS
  stream_check #(.Width(32 * Words)) i_in_check (
    .clk_i,
    .rst_ni,
    .valid_i(in_valid_i),
    .ready_i(in_ready_o),
    .data_i (in_line_i)
  );
  stream_check #(.Width(32 * Words + 1 + LengthBits)) i_out_check (
    .clk_i,
    .rst_ni,
    .valid_i(out_valid_o),
    .ready_i(out_ready_i),
    .data_i ({out_bits_o, out_length_o})
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_step: assert (step_q <= StepRest);
    if (!idle) begin
      a_rest_fits:  assert (32'(level_q) <= RestBits);
      a_count_fits: assert (step_q > StepRaw ||
                            32 * 32'(word_q) + 32'(level_q) <= 33 + (32'(step_q) - 1) * CodeBits);
    end
    c_two_words: cover (!idle && level > 7'd64);
    c_raw:       cover (out_valid_o && !coded);
    c_no_gap:    cover (out_valid_o && start);
  end
`endif
`ifdef FORMAL_BPC_ENCODER
  `include "bpc_encoder_props.svh"
`endif
endmodule
`default_nettype wire
