// ram_1r1w: the one wrapper around every larger memory; one read and one write port, one clock.
//
//   raddr, re ──▶ [ Depth x Width ] ──▶ rdata     read latency 1, one read and one write per cycle
//   waddr, we, wdata ──▶
//
// Collision, a read and a write of one address in one cycle: with OldData = 1 rdata_o is the word from before the
// write, with OldData = 0 it is undefined. The write is done in both. So a memory macro or an FPGA's block RAM serves
// every instance with OldData = 0. One with OldData = 1 needs "read first", or a bypass in the file that replaces this.
// rdata_o holds its value while re_i is 0, whatever is written meanwhile.
// Nothing is reset: words never written and rdata_o before the first read are undefined.
// Addresses of Depth and above (non-power-of-two Depth): a write is lost, a read returns anything. Why this is no
// assertion: a module without defined state may do either before its reset.
// Synthesis black-boxes this module: logic is counted in gates, storage separately.
// AddrBits follows from Depth and is not to be set.
`default_nettype none
module ram_1r1w #(
  parameter int unsigned Width = 32,  // bits per word
  parameter int unsigned Depth = 64,  // words
  parameter int unsigned OldData = 0,  // 1: a collision reads the old word, 0: it reads anything
  parameter int unsigned AddrBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                we_i,  // write enable
  input  wire logic [AddrBits-1:0] waddr_i,  // write address
  input  wire logic [Width-1:0]    wdata_i,
  input  wire logic                re_i,  // read enable; low: rdata_o keeps its value
  input  wire logic [AddrBits-1:0] raddr_i,  // read address
  output logic [Width-1:0]         rdata_o  // word read, one cycle later
);
  if (Width == 0) begin : g_bad_width
    $error("ram_1r1w: Width must be at least 1");
  end
  if (Depth == 0) begin : g_bad_depth
    $error("ram_1r1w: Depth must be at least 1");
  end
  if (OldData > 1) begin : g_bad_old_data
    $error("ram_1r1w: OldData must be 0 or 1");
  end
  if (AddrBits != (Depth > 1 ? $clog2(Depth) : 1)) begin : g_bad_addr_bits
    $error("ram_1r1w: AddrBits follows from Depth and must not be overridden");
  end

  logic [Width-1:0] words_q [Depth];
  logic [Width-1:0] word;

`ifdef SYNTHESIS
  assign word = words_q[raddr_i];
`else  // what is undefined is free in proofs, wrong in two-state simulation, X in four-state simulation
`ifdef FORMAL
  (* anyseq *) logic [Width-1:0] undefined;
`else
  logic [Width-1:0] undefined;
`ifdef VERILATOR
  assign undefined = ~words_q[raddr_i];
`else
  assign undefined = 'x;
`endif
`endif
  assign word = OldData == 0 && we_i && waddr_i == raddr_i ? undefined : words_q[raddr_i];
`endif

  always_ff @(posedge clk_i) begin
`ifdef PLANT_RAM_WRITE_FIRST
    if (re_i) rdata_o <= we_i && waddr_i == raddr_i ? wdata_i : words_q[raddr_i];  // planted bug
`else
    if (re_i) rdata_o <= word;
`endif
    if (we_i) words_q[waddr_i] <= wdata_i;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) c_collision: cover (we_i && re_i && waddr_i == raddr_i);
`endif
`ifdef FORMAL_RAM_1R1W
  `include "ram_1r1w_props.svh"
`endif
endmodule
`default_nettype wire
