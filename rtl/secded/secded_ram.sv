// secded_ram: ram_1r1w whose words correct one wrong bit and report two.
//
//   waddr, we, wdata ──▶ [secded] ──^ flip──▶ [ ram_1r1w ] ──▶ [secded] ──▶ rdata, single, fatal     raddr, re ──▶
//
//   latency     1 cycle; the decoder stands behind the memory's output
//   throughput  one read and one write per cycle
//
// A word has Width / WordBits parts, each with check bits of its own. The outputs hold while re_i is 0.
// A corrected word is not written back: the wrong bit stays in the memory until the word is written again.
// flip_i puts errors in: bits of the stored word {check bits and data of the last part, ..., of part 0} that are
// written inverted. It is 0 in use, where synthesis removes it.
// Collisions, undefined words and addresses of Depth and above: as in ram_1r1w. Both report errors at random.
`default_nettype none
module secded_ram #(
  parameter int unsigned Width = 64,     // bits per word, a multiple of WordBits
  parameter int unsigned Depth = 64,     // words
  parameter int unsigned WordBits = 64,  // bits that share check bits, 1 to 64
  parameter int unsigned OldData = 0,    // 1: a collision reads the old word, 0: it reads anything
  // follow from the others and are not to be set
  parameter int unsigned AddrBits = Depth > 1 ? $clog2(Depth) : 1,
  parameter int unsigned Parts = WordBits > 0 ? Width / WordBits : 1,
  parameter int unsigned CheckBits = WordBits > 57 ? 8 : WordBits > 26 ? 7 : WordBits > 11 ? 6 : WordBits > 4 ? 5 : WordBits > 1 ? 4 : 3
) (
  input  wire logic                                  clk_i,
  input  wire logic                                  we_i,     // write enable
  input  wire logic [AddrBits-1:0]                   waddr_i,  // write address
  input  wire logic [Width-1:0]                      wdata_i,
  input  wire logic [Parts*(WordBits+CheckBits)-1:0] flip_i,   // stored bits to write inverted, for tests
  input  wire logic                                  re_i,     // read enable; low: the outputs keep their values
  input  wire logic [AddrBits-1:0]                   raddr_i,  // read address
  output logic [Width-1:0]                           rdata_o,  // word read, corrected, one cycle later
  output logic [Parts-1:0]                           single_o, // parts of it in which a bit was wrong
  output logic [Parts-1:0]                           fatal_o   // parts of it that are not to be used
);
  if (WordBits == 0 || Width == 0 || Width % WordBits != 0) begin : g_bad_width
    $error("secded_ram: Width must be a multiple of WordBits, and both at least 1");
  end
  localparam int unsigned Stored = WordBits + CheckBits;

  logic [Parts*Stored-1:0] written, read;
  ram_1r1w #(.Width(Parts * Stored), .Depth(Depth), .OldData(OldData)) i_ram (
    .clk_i,
    .we_i,
    .waddr_i,
    .wdata_i(written ^ flip_i),
    .re_i,
    .raddr_i,
    .rdata_o(read)
  );
  for (genvar p = 0; p < Parts; p++) begin : g_part
    logic [CheckBits-1:0] check, unused_check;
    logic [WordBits-1:0]  unused_data;
    logic                 unused_single, unused_fatal;
    secded #(.Width(WordBits)) i_encode (
      .data_i(wdata_i[p*WordBits +: WordBits]),
      .check_i('0),
      .check_o(check),
      .data_o(unused_data),
      .single_o(unused_single),
      .fatal_o(unused_fatal)
    );
`ifdef PLANT_SECDED_RAM_INVERTS  // planted bug: the check bits are stored inverted
    assign written[p*Stored +: Stored] = {~check, wdata_i[p*WordBits +: WordBits]};
`else
    assign written[p*Stored +: Stored] = {check, wdata_i[p*WordBits +: WordBits]};
`endif
    secded #(.Width(WordBits)) i_decode (
      .data_i(read[p*Stored +: WordBits]),
      .check_i(read[p*Stored + WordBits +: CheckBits]),
      .check_o(unused_check),
      .data_o(rdata_o[p*WordBits +: WordBits]),
      .single_o(single_o[p]),
      .fatal_o(fatal_o[p])
    );
  end
`ifdef FORMAL_SECDED_RAM
  `include "secded_ram_props.svh"
`endif
endmodule
`default_nettype wire
