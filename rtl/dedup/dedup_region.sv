// dedup_region: one bit for each region of lines says whether a line of it may be mapped (types 01 and 10).
// A read of a clear region needs no metadata: its data are at home.
//
//   read ──▶ word of 64 bits ──▶ bit ──▶ maybe_o, in the next cycle
//   set  ──▶ read, then write back with the bit set ──▶ set_ack_o
//
// A bit is set before the first line of its region is mapped and never cleared until the reset. After a cold reset
// (cfg_fresh_i: metadata hold their initial image, in which no addressed line is mapped) all bits are cleared, after a
// warm one all are set: one word per cycle, and until then every answer is "maybe" and no bit is set from outside.
// A set takes two cycles; busy_o keeps reads away, so that a word is never read while it is written.
// Latency: 1 cycle. Throughput: a read per cycle while busy_o is low, a set per two cycles.
// Source: this project; decision C24.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup_region #(
  parameter int unsigned NumberBits = 16   // of a region
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  cfg_fresh_i,
  input  wire logic                  read_i,       // only while busy_o is low
  input  wire logic [NumberBits-1:0] read_number_i,
  output logic                       maybe_o,      // of the read of the cycle before
  input  wire logic                  set_i,        // until set_ack_o
  input  wire logic [NumberBits-1:0] set_number_i,
  output logic                       set_ack_o,
  output logic                       busy_o,
  output logic                       clearing_o
);
  if (NumberBits == 0) begin : g_bad_number
    $error("dedup_region: NumberBits must be at least 1");
  end
  localparam int unsigned BitBits    = NumberBits > 6 ? 6 : NumberBits;
  localparam int unsigned WordBits   = 2 ** BitBits;
  localparam int unsigned Words      = 2 ** (NumberBits - BitBits);
  localparam int unsigned AddrBits   = Words > 1 ? $clog2(Words) : 1;

  logic [NumberBits-1:0] number;
  logic [AddrBits-1:0]   number_word;
  logic [AddrBits:0]     clear_q;  // words cleared since reset
  logic [BitBits-1:0]    bit_q;
  logic [WordBits-1:0]   word;
  logic                  write_q, cleared_q, start;

  assign clearing_o  = clear_q != (AddrBits + 1)'(Words);
  assign busy_o      = set_i && !clearing_o;
  assign start       = busy_o && !write_q;
  assign set_ack_o   = write_q;
  assign number      = busy_o ? set_number_i : read_number_i;
  if (Words > 1) begin : g_words
    assign number_word = number[NumberBits-1 -: AddrBits];
  end else begin : g_word
    assign number_word = '0;
  end
`ifdef PLANT_REGION_FORGETS
  wire [WordBits-1:0] word_set = word;  // planted bug: see formal/dedup/proofs.txt
`else
  wire [WordBits-1:0] word_set = word | (WordBits'(1) << bit_q);
`endif
  ram_1r1w #(.Width(WordBits), .Depth(Words)) i_bits (
    .clk_i,
    .we_i(clearing_o || write_q),
    .waddr_i(clearing_o ? clear_q[AddrBits-1:0] : number_word),
    .wdata_i(clearing_o ? {WordBits{!cfg_fresh_i}} : word_set),
    .re_i(read_i || start),
    .raddr_i(number_word),
    .rdata_o(word)
  );
  assign maybe_o = !cleared_q || word[bit_q];

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      clear_q <= '0;
      write_q <= 1'b0;
    end else begin
      if (clearing_o) clear_q <= clear_q + 1'b1;
      write_q <= start;
    end
  end
  always_ff @(posedge clk_i) begin
    if (read_i || start) bit_q <= number[BitBits-1:0];
    if (read_i) cleared_q <= !clearing_o;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_read_alone: assert (!(read_i && busy_o));
    c_set:        cover (set_ack_o);
    c_clear:      cover (read_i && !clearing_o);
  end
`endif
`ifdef FORMAL_DEDUP_REGION
  `include "dedup_region_props.svh"
`endif
endmodule
`default_nettype wire
