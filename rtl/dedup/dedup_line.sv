// dedup_line: the line of a commit: its data, which bytes of it were written, and old content under them.
//
//   banks ──load──▶ [data, bytes] ──▶ data_o, bytes_o
//                      ▲       └────▶ compared with the L2's copy and with the DRAM's answer, sector by sector
//   DRAM's answer, map value: of the sectors add_i, where no byte was written
//
// Latency 1. A load, an answer and a value come in different cycles. A sector with the value counts as written.
// Without ByteMasks every byte was written and nothing is added.
`default_nettype none
module dedup_line #(
  parameter int unsigned SectorBits = 256,  // less in proofs only
  parameter bit          Verify     = 1'b0,
  parameter bit          ByteMasks  = 1'b0,
  parameter int unsigned ByteBits   = SectorBits > 8 ? 8 : SectorBits,  // follows
  parameter int unsigned Bytes      = 4 * SectorBits / ByteBits         // follows
) (
  input  wire logic                    clk_i,
  input  wire logic                    load_i,
  input  wire logic [4*SectorBits-1:0] bank_data_i,
  input  wire logic [Bytes-1:0]        bank_bytes_i,
  input  wire logic [3:0]              mask_i,       // sectors that were written, some bytes at least
  input  wire logic [3:0]              add_i,
  input  wire logic                    add_value_i,  // value_i, else rsp_data_i
  input  wire logic [31:0]             value_i,      // each word of the old content
  input  wire logic [4*SectorBits-1:0] rsp_data_i,
  input  wire logic [4*SectorBits-1:0] probe_data_i,
  output logic [4*SectorBits-1:0]      data_o,
  output logic [Bytes-1:0]             bytes_o,
  output logic [3:0]                   rsp_differs_o,
  output logic [3:0]                   probe_differs_o
);
  if (SectorBits == 0 || SectorBits % (SectorBits > 32 ? 32 : SectorBits) != 0) begin : g_bad_sector
    $error("dedup_line: SectorBits must be 1 to 32 or a multiple of 32");
  end
  if (ByteBits != (SectorBits > 8 ? 8 : SectorBits) || Bytes != 4 * SectorBits / ByteBits) begin : g_bad_derived
    $error("dedup_line: ByteBits and Bytes follow from SectorBits and must not be overridden");
  end

  localparam int unsigned ValueBits = SectorBits > 32 ? 32 : SectorBits;
  logic [4*SectorBits-1:0] data_q;
  logic                    clk;
  assign data_o = data_q;
  for (genvar s = 0; s < 4; s++) begin : g_differs
    assign probe_differs_o[s] = Verify && probe_data_i[s*SectorBits +: SectorBits] != data_q[s*SectorBits +: SectorBits];
    assign rsp_differs_o[s]   = Verify && rsp_data_i[s*SectorBits +: SectorBits] != data_q[s*SectorBits +: SectorBits];
  end

  if (ByteMasks) begin : g_bytes
    logic [Bytes-1:0]        bytes_q, under;
    logic [4*SectorBits-1:0] old;
    assign bytes_o = bytes_q;
    assign old     = add_value_i ? {(4 * SectorBits / ValueBits){value_i[ValueBits-1:0]}} : rsp_data_i;
    for (genvar b = 0; b < Bytes; b++) begin : g_under
      localparam int unsigned S = b * ByteBits / SectorBits;
`ifdef PLANT_LINE_OLD_OVER_NEW
      assign under[b] = add_i[S];  // planted bug: see formal/dedup/proofs.txt
`else
      assign under[b] = add_i[S] && !(mask_i[S] && bytes_q[b]);
`endif
    end
    clock_gate i_clock_gate (
      .clk_i,
      .enable_i(load_i || add_i != '0),
      .test_i(1'b0),
      .clk_o(clk)
    );
    always_ff @(posedge clk) begin
      if (load_i) bytes_q <= bank_bytes_i;
      for (int unsigned b = 0; b < Bytes; b++) begin
        if (!load_i && add_value_i && add_i[b * ByteBits / SectorBits]) bytes_q[b] <= 1'b1;
        if (load_i) data_q[b*ByteBits +: ByteBits] <= bank_data_i[b*ByteBits +: ByteBits];
        else if (under[b]) data_q[b*ByteBits +: ByteBits] <= old[b*ByteBits +: ByteBits];
      end
    end
  end else begin : g_sectors
    assign bytes_o = '1;
    clock_gate i_clock_gate (.clk_i, .enable_i(load_i), .test_i(1'b0), .clk_o(clk));
    always_ff @(posedge clk) if (load_i) data_q <= bank_data_i;
    wire unused_old = &{bank_bytes_i, mask_i, add_i, add_value_i, value_i};
  end
endmodule
`default_nettype wire
