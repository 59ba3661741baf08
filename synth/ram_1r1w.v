// Stands in for rtl/common/ram_1r1w.sv in synthesis: storage is counted in bits, not in gates.
//
// The ports of the memory become ports of the netlist (wires named ws_ram_*, see synthesize.ys), so that
// paths into and out of it are timed, with the memory's own access time taken as zero.
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
  (* keep, ws_depth = Depth *) wire [Width-1:0] ws_ram_rdata;
  (* keep *) wire ws_ram_we = we_i;
  (* keep *) wire ws_ram_re = re_i;
  (* keep *) wire [AddrBits-1:0] ws_ram_waddr = waddr_i;
  (* keep *) wire [AddrBits-1:0] ws_ram_raddr = raddr_i;
  (* keep *) wire [Width-1:0] ws_ram_wdata = wdata_i;
  assign rdata_o = ws_ram_rdata;
endmodule
`default_nettype wire
