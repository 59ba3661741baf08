// ram_1r1w and ram_1rw (rtl/common) for dedup_end: the words are one vector, which dedup_end can look at. With
// PROOF_ANY_METADATA they keep what they hold in the first cycles, in which tables are cleared after the reset.
`default_nettype none
module ram_1r1w #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 64,
  parameter int unsigned OldData = 0,
  parameter int unsigned AddrBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                we_i,
  input  wire logic [AddrBits-1:0] waddr_i,
  input  wire logic [Width-1:0]    wdata_i,
  input  wire logic                re_i,
  input  wire logic [AddrBits-1:0] raddr_i,
  output logic [Width-1:0]         rdata_o
);
  logic [Depth*Width-1:0] words_q;
  logic [Width-1:0]       word;
  logic                   keeps;
  dedup_end_keeps i_keeps (.clk_i, .keeps_o(keeps));
  (* anyseq *) logic [Width-1:0] undefined;
  always_comb begin
    word = undefined;
    for (int unsigned a = 0; a < Depth; a++) begin
      if (raddr_i == AddrBits'(a) && !(OldData == 0 && we_i && waddr_i == raddr_i)) word = words_q[a*Width +: Width];
    end
  end
  always_ff @(posedge clk_i) begin
    if (re_i) rdata_o <= word;
    for (int unsigned a = 0; a < Depth; a++) begin
      if (we_i && waddr_i == AddrBits'(a) && !keeps) words_q[a*Width +: Width] <= wdata_i;
    end
  end
endmodule

module ram_1rw #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 64,
  parameter int unsigned MaskBits = 1,
  parameter int unsigned HoldData = 0,
  parameter int unsigned AddrBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                we_i,
  input  wire logic                re_i,
  input  wire logic [AddrBits-1:0] addr_i,
  input  wire logic [MaskBits-1:0] wmask_i,
  input  wire logic [Width-1:0]    wdata_i,
  output logic [Width-1:0]         rdata_o
);
  localparam int unsigned LaneBits = Width / MaskBits;
  logic [Depth*Width-1:0] words_q;
  logic [Width-1:0]       word;
  logic                   keeps;
  dedup_end_keeps i_keeps (.clk_i, .keeps_o(keeps));
  (* anyseq *) logic [Width-1:0] undefined;
  always_comb begin
    word = undefined;
    for (int unsigned a = 0; a < Depth; a++) begin
      if (addr_i == AddrBits'(a) && !we_i) word = words_q[a*Width +: Width];
    end
  end
  always_ff @(posedge clk_i) begin
    if (re_i || (we_i && HoldData == 0)) rdata_o <= word;
    for (int unsigned a = 0; a < Depth; a++) begin
      for (int unsigned l = 0; l < MaskBits; l++) begin
        if (we_i && wmask_i[l] && addr_i == AddrBits'(a) && !keeps)
          words_q[a*Width + l*LaneBits +: LaneBits] <= wdata_i[l*LaneBits +: LaneBits];
      end
    end
  end
endmodule

// High in the first cycles: the reset, and those before the first request.
module dedup_end_keeps (
  input  wire logic clk_i,
  output logic      keeps_o
);
`ifdef PROOF_ANY_METADATA
  logic [2:0] age_q;
  initial age_q = '0;
  always_ff @(posedge clk_i) if (!age_q[2]) age_q <= age_q + 1'b1;
  assign keeps_o = !age_q[2];
`else
  wire unused_clk = clk_i;
  assign keeps_o  = 1'b0;
`endif
endmodule
`default_nettype wire
