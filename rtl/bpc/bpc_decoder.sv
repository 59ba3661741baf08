// bpc_decoder: stream of bit-plane codes to the line, a plane per cycle, then a word per cycle.
//
//   latency     34 + Words cycles; of a raw line 1
//   throughput  one line per 35 + Words cycles; a raw line per 2
//
//   stream ──▶ [shift register, 32 bits at a time] ──▶ window ──▶ plane ──xor plane above──▶ [differences]
//                                                                  [differences] ──▶ adder ──▶ words in their place
//
// Timing: the stream is taken at the end of cycle 0. Raw: the line is on offer in cycle 1. Coded: cycle 1 reads the
// base, cycles 2 to 34 the planes 32 to 0, cycles 35 to 33 + Words add up the words; on offer in cycle 34 + Words
// (latency 66 at 32 words). One line at a time, ready again after the answer is taken. in_ready_o depends on state
// only. Every bit pattern decodes to something, see sim_cpp/blocks/bpc/bpc.h. Source: decision D10.
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
  localparam int unsigned Diffs     = Words - 1;
  localparam int unsigned PlaceBits = $clog2(Diffs);
  localparam int unsigned Stored    = 32 * Words + 1;
  localparam logic [6:0] StepBase = 7'd0, StepLast = 7'd33, StepDone = 7'(33 + Words);

  if (Words < 3 || Words > 32) begin : g_bad_words
    $error("bpc_decoder: Words must be 3 to 32");
  end

  logic                busy_q;
  logic [6:0]          step_q;
  logic [Stored-1:0]   stream_q;  // what is not read yet, from bit offset_q on
  logic [4:0]          offset_q;
  logic [5:0]          run_q;     // zero planes still to come
  logic [Diffs-1:0]    above_q;
  logic [31:0]         base_q, sum_q;
  logic [32*Diffs-1:0] words_q;   // differences on the way in, words at the end

  assign in_ready_o  = !busy_q;
  assign out_valid_o = busy_q && step_q == StepDone;
  assign out_line_o  = {words_q, base_q};

  // The next code.
  logic [63:0]          wide;
  logic [32:0]          window;
  logic [31:0]          base, sum;
  logic [Diffs-1:0]     dbx, plane;
  logic [PlaceBits-1:0] place;
  logic [5:0]           bits, run;
  logic                 is_plane;
  assign wide     = 64'(stream_q) >> offset_q;
  assign window   = wide[32:0];
  assign is_plane = step_q != StepBase && step_q <= StepLast;
  assign plane    = above_q ^ dbx;
  assign place    = window[5 +: PlaceBits];
  assign sum      = sum_q + words_q[31:0];
  always_comb begin
    base = '0;
    bits = '0;
    dbx  = '0;
    run  = '0;
    if (step_q == StepBase) begin
      if (window[0]) begin
        base = window[32:1];
        bits = 6'd33;
      end else begin
        unique case (window[2:1])
          2'b00: bits = 6'd3;
          2'b10: begin
            base = {{28{window[6]}}, window[6:3]};
            bits = 6'd7;
          end
          2'b01: begin
            base = {{24{window[10]}}, window[10:3]};
            bits = 6'd11;
          end
          default: begin
            base = {{16{window[18]}}, window[18:3]};
            bits = 6'd19;
          end
        endcase
      end
    end else if (is_plane) begin
      if (run_q != '0) begin
        run = run_q - 6'd1;
      end else if (window[0]) begin
        dbx  = window[Diffs:1];
        bits = 6'(1 + Diffs);
      end else if (window[1]) begin
`ifdef PLANT_DECODER_LONG_RUN
        run  = {1'b0, window[6:2]} + 6'd2;  // planted bug: see formal/bpc/proofs.txt
`else
        run  = {1'b0, window[6:2]} + 6'd1;
`endif
        bits = 6'd7;
      end else if (window[2]) begin
        bits = 6'd3;
      end else begin
        unique case (window[4:3])
          2'b00: begin
            dbx  = Diffs'(1) << place;
            bits = 6'(5 + PlaceBits);
          end
          2'b10: begin
            dbx  = Diffs'(3) << place;
            bits = 6'(5 + PlaceBits);
          end
          2'b01: begin
            dbx  = above_q;
            bits = 6'd5;
          end
          default: begin
            dbx  = '1;
            bits = 6'd5;
          end
        endcase
      end
    end
  end

  logic [6:0] next_offset;
  assign next_offset = 7'(offset_q) + 7'(bits);

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
`ifdef PLANT_DECODER_PARSES_RAW
      step_q            <= StepBase;  // planted bug: see formal/bpc/proofs.txt
`else
      step_q            <= in_bits_i[0] ? StepBase : StepDone;
`endif
      stream_q          <= in_bits_i;
      offset_q          <= 5'd1;
      run_q             <= '0;
      above_q           <= '0;
      {words_q, base_q} <= in_bits_i[32*Words:1];
    end else if (step_q != StepDone) begin
      step_q   <= step_q + 7'd1;
      offset_q <= next_offset[4:0];
      run_q    <= run;
      if (next_offset >= 7'd32) stream_q <= stream_q >> 32;
      if (step_q == StepBase) begin
        base_q <= base;
        sum_q  <= base;
      end else if (is_plane) begin
        above_q <= plane;
        for (int unsigned i = 0; i < Diffs; i++) words_q[32*i +: 32] <= {words_q[32*i +: 31], plane[i]};
      end else begin
        sum_q   <= sum;
        words_q <= {sum, words_q[32*Diffs-1:32]};
      end
    end
  end

  logic unused;
  assign unused = ^wide[63:33];

`ifndef SYNTHESIS
  stream_check #(.Width(32 * Words)) i_out_check (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .data_i(out_line_o)
  );
  always_ff @(posedge clk_i) if (rst_ni && busy_q) begin
    a_step: assert (step_q <= StepDone);
    c_run:  cover (is_plane && run_q == 6'd32);
  end
`endif
`ifdef FORMAL_BPC_DECODER
  `include "bpc_decoder_props.svh"
`endif
endmodule
`default_nettype wire
