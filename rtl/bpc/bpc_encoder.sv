// bpc_encoder: bit-plane compression of a line, a plane per cycle.
//
//   latency     37 cycles
//   throughput  one line per 38 cycles
//
//   line ──▶ [differences] ──top bits──▶ plane ──xor plane above──▶ code ──▶ [accumulator] ──words──▶ [stream]
//     └────▶ [raw words] ──────────────────────────────── when the codes take as much ──────────────────┘
//
// The line is taken at the end of cycle 0. One line at a time, ready again after the answer is taken.
//   cycle 1         codes flag and base
//   cycles 2 to 34  code the planes 32 to 0
//   cycle 35        codes a run of zero planes that reaches the end
//   cycle 36        emits the last partial word
// in_ready_o depends on state only.
//
// Stream format: sim_cpp/blocks/bpc/bpc.h (bit 0 first; 1 and codes, or 0 and raw words).
// Why the accumulator never holds more than 38 bits: at most one word of 32 bits leaves per cycle, and a code of at
// most 39 bits enters (run of zero planes, then one plane). 39 bits come only after a cycle without a code.
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
  localparam int unsigned CodeBits  = 8 + Diffs;                      // run and plane
  localparam int unsigned CountBits = 11;                             // of a stream that is too long, too
  localparam int unsigned FirstBits = CodeBits > 34 ? CodeBits : 34;  // flag and base
  localparam int unsigned SumBits   = FirstBits + 39;
  localparam logic [5:0] StepBase = 6'd0, StepLast = 6'd33, StepRun = 6'd34, StepRest = 6'd35, StepDone = 6'd36;

  if (Words < 3 || Words > 32) begin : g_bad_words
    $error("bpc_encoder: Words must be 3 to 32");
  end

  logic                  busy_q;
  logic [5:0]            step_q;
  logic [32*Words-1:0]   line_q, stream_q;
  logic [33*Diffs-1:0]   diffs_q;
  logic [Diffs-1:0]      above_q;
  logic [5:0]            run_q;   // zero planes not coded yet
  logic [37:0]           rest_q;  // coded bits not yet in stream_q
  logic [5:0]            level_q;
  logic [5:0]            word_q;  // words in stream_q
  logic [CountBits-1:0]  count_q;

  assign in_ready_o  = !busy_q;
  assign out_valid_o = busy_q && step_q == StepDone;

  // Plane, and its xor with the one above.
  logic [Diffs-1:0]     plane, dbx, lowest;
  logic [PlaceBits-1:0] place;
  for (genvar i = 0; i < Diffs; i++) begin : g_plane
    assign plane[i] = diffs_q[33*i + 32];
  end
  assign dbx    = plane ^ above_q;
  assign lowest = dbx & (~dbx + 1'b1);
  always_comb begin
    place = '0;
    for (int unsigned i = 0; i < Diffs; i++) place |= PlaceBits'(i) & {PlaceBits{lowest[i]}};
  end

  // What this cycle adds. Bit 0 is the first of the stream.
  logic                 is_plane, zero;
  logic [6:0]           run_code;
  logic [2:0]           run_bits;
  logic [Diffs+9:0]     plane_code;  // room for a place beside a short plane
  logic [5:0]           plane_bits, code_bits;
  logic [FirstBits-1:0] code;
  logic [31:0]          base;
  assign is_plane = step_q != StepBase && step_q <= StepLast;
  assign zero     = dbx == '0;
  assign base     = line_q[31:0];
  always_comb begin
    run_code = '0;
    run_bits = '0;
    if (run_q == 6'd1) begin
      run_code = 7'b100;
      run_bits = 3'd3;
    end else if (run_q != '0) begin
      run_code = {5'(run_q - 6'd2), 2'b10};
      run_bits = 3'd7;
    end
    plane_code = '0;
    if (&dbx) begin
      plane_code[4:0] = 5'b11000;
      plane_bits      = 6'd5;
    end else if (plane == '0) begin
      plane_code[4:0] = 5'b01000;
      plane_bits      = 6'd5;
    end else if (dbx == lowest) begin
      plane_code[5 +: PlaceBits] = place;
      plane_bits                 = 6'(5 + PlaceBits);
    end else if (dbx == (lowest | lowest << 1)) begin
      plane_code[4:0]            = 5'b10000;
      plane_code[5 +: PlaceBits] = place;
      plane_bits                 = 6'(5 + PlaceBits);
    end else begin
      plane_code[Diffs:0] = {dbx, 1'b1};
      plane_bits          = 6'(1 + Diffs);
    end
    code      = '0;
    code_bits = '0;
    if (step_q == StepBase) begin
      code[0] = 1'b1;
      if (base == '0) begin
        code_bits = 6'd4;
      end else if (base[31:3] == '0 || (&base[31:3])) begin
        code[7:1] = {base[3:0], 3'b100};
        code_bits = 6'd8;
      end else if (base[31:7] == '0 || (&base[31:7])) begin
        code[11:1] = {base[7:0], 3'b010};
        code_bits  = 6'd12;
      end else if (base[31:15] == '0 || (&base[31:15])) begin
        code[19:1] = {base[15:0], 3'b110};
        code_bits  = 6'd20;
      end else begin
        code[33:1] = {base, 1'b1};
        code_bits  = 6'd34;
      end
    end else if (is_plane && !zero) begin
      unique case (run_bits)
        3'd0:    code = FirstBits'(plane_code);
        3'd3:    code = FirstBits'({plane_code, run_code[2:0]});
        default: code = FirstBits'({plane_code, run_code});
      endcase
      code_bits = plane_bits + 6'(run_bits);
    end else if (step_q == StepRun) begin
      code      = FirstBits'(run_code);
      code_bits = 6'(run_bits);
    end
  end

  // Into the accumulator; a full word, or at the end the rest, goes to the stream.
  logic [SumBits-1:0] sum;
  logic [6:0]         level;
  logic               full, emit;
  assign sum   = SumBits'(rest_q) | SumBits'(code) << level_q;
  assign level = 7'(level_q) + 7'(code_bits);
  assign full  = level >= 7'd32;
  assign emit  = busy_q && (full || step_q == StepRest);

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
    end else begin
      if (in_valid_i && in_ready_o) busy_q <= 1'b1;
      else if (out_valid_o && out_ready_i) busy_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!busy_q) begin
      step_q   <= '0;
      line_q   <= in_line_i;
      above_q  <= '0;
      run_q    <= '0;
      rest_q   <= '0;
      level_q  <= '0;
      word_q   <= '0;
      count_q  <= '0;
      stream_q <= '0;
      for (int unsigned i = 0; i < Diffs; i++) begin
        diffs_q[33*i +: 33] <= {1'b0, in_line_i[32*(i+1) +: 32]} - {1'b0, in_line_i[32*i +: 32]};
      end
    end else if (step_q != StepDone) begin
`ifdef PLANT_ENCODER_SKIPS_THE_REST
      step_q  <= step_q + (step_q == StepRun && rest_q == '0 ? 6'd2 : 6'd1);  // planted bug: see formal/bpc/proofs.txt
`else
      step_q  <= step_q + 6'd1;
`endif
      count_q <= count_q + CountBits'(code_bits);
`ifdef PLANT_ENCODER_KEEPS_A_BIT
      rest_q  <= full ? 38'(sum >> 31) : 38'(sum);  // planted bug: see formal/bpc/proofs.txt
`else
      rest_q  <= full ? 38'(sum >> 32) : 38'(sum);
`endif
      level_q <= full ? 6'(level - 7'd32) : 6'(level);
      if (is_plane) begin
        above_q <= plane;
        run_q   <= zero ? run_q + 6'd1 : '0;
        for (int unsigned i = 0; i < Diffs; i++) diffs_q[33*i +: 33] <= {diffs_q[33*i +: 32], 1'b0};
      end
      if (emit) word_q <= word_q + 6'd1;
      for (int unsigned w = 0; w < Words; w++) begin
        if (emit && word_q == 6'(w)) stream_q[32*w +: 32] <= sum[31:0];
      end
    end
  end

  logic packed_form;
  assign packed_form  = count_q <= CountBits'(32 * Words);
  assign out_bits_o   = packed_form ? {1'b0, stream_q} : {line_q, 1'b0};
  assign out_length_o = packed_form ? LengthBits'(count_q) : LengthBits'(32 * Words + 1);

`ifndef SYNTHESIS
  stream_check #(.Width(32 * Words + 1 + LengthBits)) i_out_check (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .data_i({out_bits_o, out_length_o})
  );
  always_ff @(posedge clk_i) if (rst_ni && busy_q) begin
    a_rest_fits: assert (step_q == StepDone || !full || level <= 7'd70);
    a_step:      assert (step_q <= StepDone);
    // A code of at most a word's bits leaves less than a word behind; each takes CodeBits + 1 at most.
    a_rest_short: assert (CodeBits > 32 || (step_q != StepBase ? level_q < 6'd32 : level_q == '0));
    a_count_fits: assert (step_q == StepBase ? count_q == '0
                                             : 32'(count_q) <= 34 + (32'(step_q) - 1) * (CodeBits + 1));
    c_two_words: cover (step_q < StepRest && level > 7'd64);
    c_raw:       cover (out_valid_o && !packed_form);
  end
`endif
`ifdef FORMAL_BPC_ENCODER
  `include "bpc_encoder_props.svh"
`endif
endmodule
`default_nettype wire
