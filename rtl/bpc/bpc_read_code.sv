// bpc_read_code: what the next code of a stream says. Combinational.
//
// Every bit pattern says something: a place beyond the plane sets nothing, of two adjacent ones the upper may fall off.
// Format and source: sim_cpp/blocks/bpc/bpc.h.
`default_nettype none
module bpc_read_code #(
  parameter int unsigned Words = 4  // 32-bit words per line
) (
  input  wire logic [32:0]      window_i,    // the stream from here on, bit 0 first
  input  wire logic             is_base_i,
  input  wire logic             is_plane_i,
  input  wire logic [5:0]       run_i,    // zero planes still to come
  input  wire logic [Words-2:0] above_i,  // the plane above
  output logic [31:0]           base_o,
  output logic [Words-2:0]      dbx_o,    // xor of this plane with the one above
  output logic [5:0]            run_o,    // zero planes to come behind this one
  output logic [5:0]            bits_o    // bits of the code, at most 33
);
  localparam int unsigned Diffs     = Words - 1;
  localparam int unsigned PlaceBits = $clog2(Diffs);

  logic [PlaceBits-1:0] place;
  assign place = window_i[5 +: PlaceBits];
  always_comb begin
    base_o = '0;
    dbx_o  = '0;
    run_o  = '0;
    bits_o = '0;
    if (is_base_i) begin
      if (window_i[0]) begin
        base_o = window_i[32:1];
        bits_o = 6'd33;
      end else begin
        unique case (window_i[2:1])
          2'b00: bits_o = 6'd3;
          2'b10: begin
            base_o = {{28{window_i[6]}}, window_i[6:3]};
            bits_o = 6'd7;
          end
          2'b01: begin
            base_o = {{24{window_i[10]}}, window_i[10:3]};
            bits_o = 6'd11;
          end
          default: begin
            base_o = {{16{window_i[18]}}, window_i[18:3]};
            bits_o = 6'd19;
          end
        endcase
      end
    end else if (is_plane_i) begin
      if (run_i != '0) begin
        run_o = run_i - 6'd1;
      end else if (window_i[0]) begin
        dbx_o  = window_i[Diffs:1];
        bits_o = 6'(1 + Diffs);
      end else if (window_i[1]) begin
`ifdef PLANT_DECODER_LONG_RUN
        run_o  = {1'b0, window_i[6:2]} + 6'd2;  // planted bug: see formal/bpc/proofs.txt
`else
        run_o  = {1'b0, window_i[6:2]} + 6'd1;
`endif
        bits_o = 6'd7;
      end else if (window_i[2]) begin
        bits_o = 6'd3;
      end else begin
        unique case (window_i[4:3])
          2'b00: begin
            dbx_o  = Diffs'(1) << place;
            bits_o = 6'(5 + PlaceBits);
          end
          2'b10: begin
            dbx_o  = Diffs'(3) << place;
            bits_o = 6'(5 + PlaceBits);
          end
          2'b01: begin
            dbx_o  = above_i;
            bits_o = 6'd5;
          end
          default: begin
            dbx_o  = '1;
            bits_o = 6'd5;
          end
        endcase
      end
    end
  end
endmodule
`default_nettype wire
