// ram_1rw: the wrapper around every larger memory with one port, for one read or one write per cycle.
//
//   re, addr ──────────────▶ [ Depth x Width ] ──▶ rdata     read latency 1, one access per cycle
//   we, addr, wmask, wdata ──▶
//
// A word has MaskBits lanes of equal width, lane 0 at the low end. A write changes the lanes that wmask_i names.
// With MaskBits = 1 words are whole, and wmask_i is tied to 1.
// rdata_o holds its value while re_i and we_i are 0. Across a write it holds with HoldData = 1; with HoldData = 0 it is
// undefined after one. So any macro serves an instance with HoldData = 0. One with HoldData = 1 needs a macro whose
// output stays ("no change"), or a register for it in the file that replaces this.
// A read and a write in one cycle: the write is done, rdata_o is undefined. Users assert that it never happens. Why
// this is no assertion here: a module without defined state may do it before its reset.
// Nothing is reset: lanes never written and rdata_o before the first read are undefined.
// Addresses of Depth and above (non-power-of-two Depth): a write is lost, a read returns anything.
// Synthesis black-boxes this module: logic is counted in gates, storage separately.
// AddrBits follows from Depth and is not to be set.
`default_nettype none
module ram_1rw #(
  parameter int unsigned Width = 32,  // bits per word
  parameter int unsigned Depth = 64,  // words
  parameter int unsigned MaskBits = 1,  // lanes written apart, divides Width; 1: whole words
  parameter int unsigned HoldData = 0,  // 1: a write leaves rdata_o as it is, 0: it is anything after one
  parameter int unsigned AddrBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                we_i,  // write enable
  input  wire logic                re_i,  // read enable, never with we_i
  input  wire logic [AddrBits-1:0] addr_i,  // of the word read or written
  input  wire logic [MaskBits-1:0] wmask_i,  // lanes that a write changes
  input  wire logic [Width-1:0]    wdata_i,
  output logic [Width-1:0]         rdata_o  // word read, one cycle later
);
  if (Width == 0) begin : g_bad_width
    $error("ram_1rw: Width must be at least 1");
  end
  if (Depth == 0) begin : g_bad_depth
    $error("ram_1rw: Depth must be at least 1");
  end
  if (MaskBits == 0 || Width % (MaskBits == 0 ? 1 : MaskBits) != 0) begin : g_bad_mask_bits
    $error("ram_1rw: MaskBits must be at least 1 and divide Width");
  end
  if (HoldData > 1) begin : g_bad_hold_data
    $error("ram_1rw: HoldData must be 0 or 1");
  end
  if (AddrBits != (Depth > 1 ? $clog2(Depth) : 1)) begin : g_bad_addr_bits
    $error("ram_1rw: AddrBits follows from Depth and must not be overridden");
  end

  localparam int unsigned LaneBits = Width == 0 ? 1 : Width / MaskBits;  // Width 0 is named above
`ifdef FORMAL_RAM_1RW
  (* anyconst *) logic [AddrBits-1:0] f_addr;
  logic [Width-1:0]                   f_words;
`endif
  // A lane has an array of its own: Yosys takes minutes for a wide one that is written in parts.
  for (genvar lane = 0; lane < MaskBits; lane++) begin : g_lane
    logic [LaneBits-1:0] words_q [Depth];
    logic                write;
`ifdef PLANT_RAM_WHOLE_WORDS  // planted bug: a write changes all lanes
    assign write = we_i;
`else
    assign write = we_i && wmask_i[lane];
`endif

`ifndef SYNTHESIS  // what is undefined is free in proofs, wrong in two-state simulation, X in four-state simulation
`ifdef FORMAL
    (* anyseq *) logic [LaneBits-1:0] undefined;
`else
    logic [LaneBits-1:0] undefined;
`ifdef VERILATOR
    assign undefined = ~words_q[addr_i];
`else
    assign undefined = 'x;
`endif
`endif
`endif

    always_ff @(posedge clk_i) begin
      if (write) words_q[addr_i] <= wdata_i[lane*LaneBits +: LaneBits];
      if (re_i) rdata_o[lane*LaneBits +: LaneBits] <= words_q[addr_i];
`ifndef SYNTHESIS
`ifdef PLANT_RAM_SHOWS_WRITE  // planted bug: a write appears at the output
      if (we_i) rdata_o[lane*LaneBits +: LaneBits] <= wdata_i[lane*LaneBits +: LaneBits];
`else
      if (we_i && (re_i || HoldData == 0)) rdata_o[lane*LaneBits +: LaneBits] <= undefined;
`endif
`endif
    end
`ifdef FORMAL_RAM_1RW
    assign f_words[lane*LaneBits +: LaneBits] = words_q[f_addr];
`endif
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) c_part_written: cover (we_i && (MaskBits == 1 || !(&wmask_i)) && |wmask_i);
`endif
`ifdef FORMAL_RAM_1RW
  `include "ram_1rw_props.svh"
`endif
endmodule
`default_nettype wire
