// Stands in for rtl/common/ram_1rw.sv in synthesis, as ram_1r1w.v beside it does for ram_1r1w.sv.
`default_nettype none
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
  (* keep, ws_depth = Depth, ws_lanes = MaskBits *) wire [Width-1:0] ws_ram_rdata;
  (* keep *) wire ws_ram_we = we_i;
  (* keep *) wire ws_ram_re = re_i;
  (* keep *) wire [AddrBits-1:0] ws_ram_addr = addr_i;
  (* keep *) wire [MaskBits-1:0] ws_ram_wmask = wmask_i;
  (* keep *) wire [Width-1:0] ws_ram_wdata = wdata_i;
  assign rdata_o = ws_ram_rdata;
endmodule
`default_nettype wire
