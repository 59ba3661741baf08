// bpc_decoder: stream of bit-plane codes to the line, a plane per cycle, then a word per cycle.
//
//   latency     34 + Words cycles, from the cycle in which the stream is first on offer; of a raw line 1
//   throughput  one line per 35 + Words cycles; a raw line per 2
//
//   stream ──▶ [word that is read] ──▶ window ──▶ plane ──xor plane above──▶ [differences]
//     └──────▶ word behind it ────────────┘                 [differences] ──▶ adder ──▶ words in their place
//
// The stream is not copied: it is read on its input, where it stays until in_ready_o takes it.
//   raw    cycle 1 takes the stream and has the line on offer
//   coded  cycle 1              reads the base
//          cycles 2 to 34       read the planes 32 to 0; cycle 34 takes the stream
//          cycles 35 to 33 + Words  add up the words; the line is on offer in the next (cycle 66 at 32 words)
// One line at a time; the next stream starts in the cycle after the answer is taken. in_ready_o depends on state only.
// Every bit pattern decodes to something, see sim_cpp/blocks/bpc/bpc.h. Source: decision D10.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module bpc_decoder #(
  parameter int unsigned Words = 4  // 32-bit words per line
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  in_valid_i,
  output logic                       in_ready_o,
  input  wire logic [32*Words:0]     in_bits_i,   // bit 0 first
  output logic                       out_valid_o,
  input  wire logic                  out_ready_i,
  output logic [32*Words-1:0]        out_line_o   // word 0 in the low bits
);
  localparam int unsigned Diffs = Words - 1;
  localparam logic [6:0] StepBase = 7'd1, StepLast = 7'd34, StepDone = 7'(34 + Words);

  if (Words < 3 || Words > 32) begin : g_bad_words
    $error("bpc_decoder: Words must be 3 to 32");
  end

  logic [6:0]          step_q;   // cycles since the offer; 0: no stream
  logic                raw_q;    // a raw line, in the first cycle of its answer
  logic [31:0]         read_q;   // the word that is read, from bit offset_q on
  logic [4:0]          offset_q;
  logic [5:0]          next_q;   // number of the word behind it
  logic [5:0]          run_q;    // zero planes still to come
  logic [32*Words-1:0] words_q;  // differences and the base in the last word's place on the way in, words at the end

  logic idle, done, is_plane, is_sum;
  assign idle        = step_q == '0;
  assign done        = step_q == StepDone;
  assign is_plane    = step_q > StepBase && step_q <= StepLast;
  assign is_sum      = step_q > StepLast && !done;
  assign in_ready_o  = step_q == StepLast || (done && raw_q);
  assign out_valid_o = done;
  assign out_line_o  = words_q;

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      step_q <= '0;
    end else begin
      if (idle) begin
`ifdef PLANT_DECODER_PARSES_RAW
        if (in_valid_i) step_q <= StepBase;  // planted bug: see formal/bpc/proofs.txt
`else
        if (in_valid_i) step_q <= in_bits_i[0] ? StepBase : StepDone;
`endif
`ifdef PLANT_DECODER_STOPS
      end else if (is_sum && !out_ready_i) begin  // planted bug: ready before valid
        step_q <= step_q;
`endif
      end else if (!done) step_q <= step_q + 7'd1;
      else if (out_ready_i) step_q <= '0;
    end
  end

  // The next code.
  logic [31:0]      next, base, sum;
  logic [63:0]      wide;
  logic [Diffs-1:0] above, dbx;
  logic [5:0]       run, bits;
  logic [6:0]       next_offset;
  always_comb begin
    next = '0;  // behind the last word, too
    for (int unsigned w = 1; w < Words; w++) next |= in_bits_i[32*w + 1 +: 32] & {32{next_q == 6'(w)}};
  end
  for (genvar i = 0; i < Diffs; i++) begin : g_above
    assign above[i] = words_q[32*i];  // the bit that came last; 0 before the first
  end
  assign wide        = {next, read_q} >> offset_q;
  assign next_offset = 7'(offset_q) + 7'(bits);
  assign sum         = words_q[32*Diffs +: 32] + words_q[31:0];
  bpc_read_code #(.Words(Words)) i_read_code (
    .window_i  (wide[32:0]),
    .is_base_i (step_q == StepBase),
    .is_plane_i(is_plane),
    .run_i     (run_q),
    .above_i   (above),
    .base_o    (base),
    .dbx_o     (dbx),
    .run_o     (run),
    .bits_o    (bits)
  );

  always_ff @(posedge clk_i) begin
    raw_q <= idle && !in_bits_i[0];
    run_q <= run;
    if (idle) begin
      offset_q <= '0;
      next_q   <= 6'd1;
      read_q   <= in_bits_i[32:1];
    end else begin
      offset_q <= next_offset[4:0];
      if (next_offset >= 7'd32) begin
        next_q <= next_q + 6'd1;
        read_q <= next;
      end
    end
  end

  // Planes enter from below, sums from above. With the base nothing is chosen, which clears the plane above.
  for (genvar i = 0; i < Diffs; i++) begin : g_difference
    always_ff @(posedge clk_i) begin
      words_q[32*i +: 32] <= ({32{idle}} & in_bits_i[32*i + 1 +: 32]) |
                             ({32{is_plane}} & {words_q[32*i +: 31], above[i] ^ dbx[i]}) |
                             ({32{is_sum}} & words_q[32*(i+1) +: 32]) |
                             ({32{done}} & words_q[32*i +: 32]);
    end
  end
  always_ff @(posedge clk_i) begin
    words_q[32*Diffs +: 32] <= ({32{idle}} & in_bits_i[32*Diffs + 1 +: 32]) |
                               ({32{step_q == StepBase}} & base) |
                               ({32{is_sum}} & sum) |
                               ({32{is_plane || done}} & words_q[32*Diffs +: 32]);
  end

  logic unused;
  assign unused = ^wide[63:33];

`ifndef SYNTHESIS
  stream_check #(.Width(32 * Words + 1)) i_in_check (
    .clk_i,
    .rst_ni,
    .valid_i(in_valid_i),
    .ready_i(in_ready_o),
    .data_i (in_bits_i)
  );
  stream_check #(.Width(32 * Words)) i_out_check (
    .clk_i,
    .rst_ni,
    .valid_i(out_valid_o),
    .ready_i(out_ready_i),
    .data_i (out_line_o)
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_step:      assert (step_q <= StepDone);
    c_run:       cover (is_plane && run_q == 6'd32);
    c_raw_waits: cover (done && !raw_q && !in_ready_o && !out_ready_i);
  end
`endif
`ifdef FORMAL_BPC_DECODER
  `include "bpc_decoder_props.svh"
`endif
endmodule
`default_nettype wire
