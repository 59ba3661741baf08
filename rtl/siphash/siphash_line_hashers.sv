// siphash_line_hashers: keyed 128-bit fingerprints of many lines at a time, in the order of the lines.
// It does what Units siphash_line_hasher do that take lines in turn, in the same cycles, but keeps the lines in RAM.
//
//                      ┌▶ word 0 ──────────────────────────────────┐
//   in {mask, data} ─▶ masked sectors first ─▶ 15 RAMs of a word ──┴▶ Units x siphash_unit ─▶ out tag
//                                              word 1 ... word 15
//
// Why one RAM for each word: a unit reads word w of its line a fixed number of cycles after it took the line, and one
// line is taken in a cycle. So no two units read the same RAM in one cycle, and nothing waits. Therefore the masked
// sectors are moved together first. Word 0 is needed in the next cycle and goes to the unit at once.
//
// latency     as siphash_line_hasher, from the cycle in which the line is taken: 11 + 8 n cycles for n sectors with
//             H = 2, 21 + 16 n with H = 1; a tag waits for those of older lines
// throughput  a line per cycle while a unit is free; Units per latency + 1
// in_ready_o is low while the unit whose turn it is has a line. Mask 0 is legal. key_i: see siphash_core.
// Source: decision C7.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module siphash_line_hashers #(
  parameter int unsigned Units = 8,  // lines at a time
  parameter int unsigned HalfRoundsPerCycle = 2  // 1 or 2
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic [127:0]  key_i,  // stable from the last cycle of reset on
  input  wire logic          in_valid_i,
  output logic               in_ready_o,
  input  wire logic [1023:0] in_data_i,    // byte i in bits 8i+7:8i; sector s in bytes 32s to 32s+31
  input  wire logic [3:0]    in_mask_i,  // sectors to hash
  output logic               out_valid_o,
  input  wire logic          out_ready_i,
  output logic [127:0]       out_digest_o,  // first byte of the tag in bits 7:0
  output logic               busy_o  // a line is in flight
);
  if (Units == 0) begin : g_bad_units
    $error("siphash_line_hashers: Units must be at least 1");
  end
  localparam int unsigned UnitBits = Units > 1 ? $clog2(Units) : 1;

  logic [UnitBits-1:0]  in_q, out_q;  // whose turn it is
  logic [Units-1:0]     busy, valid, in_turn, out_turn;
  logic [Units*128-1:0] digests;
  logic [Units*15-1:0]  reads;  // word 1 first
  logic                 take, give;

  assign in_ready_o  = (busy & in_turn) == '0;
  assign out_valid_o = (valid & out_turn) != '0;
  assign take        = in_valid_i && in_ready_o;
  assign give        = out_valid_o && out_ready_i;
  assign busy_o      = busy != '0;
  always_comb begin
    out_digest_o = '0;
    for (int unsigned u = 0; u < Units; u++) begin
      in_turn[u]   = in_q == UnitBits'(u);
      out_turn[u]  = out_q == UnitBits'(u);
      out_digest_o = out_digest_o | (digests[128*u +: 128] & {128{out_turn[u]}});
    end
  end
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      in_q  <= '0;
      out_q <= '0;
    end else begin
      if (take) in_q  <= in_q == UnitBits'(Units - 1) ? '0 : in_q + 1'b1;
      if (give) out_q <= out_q == UnitBits'(Units - 1) ? '0 : out_q + 1'b1;
    end
  end

  // The masked sectors, the lowest first. Places beyond them hold anything and are not written.
  logic [3:0]    m;
  logic [1023:0] sectors;
  logic [3:0]    filled;
  assign m = in_mask_i;
`ifdef PLANT_HASHERS_HIGHEST_FIRST  // planted bug: two sectors change places under one mask
  assign sectors[255:0]    = m[0] ? in_data_i[255:0] : m[1] && m != 4'b1010 ? in_data_i[511:256] :
                             m[2] ? in_data_i[767:512] : in_data_i[1023:768];
`else
  assign sectors[255:0]    = m[0] ? in_data_i[255:0] : m[1] ? in_data_i[511:256] :
                             m[2] ? in_data_i[767:512] : in_data_i[1023:768];
`endif
  assign sectors[511:256]  = m[0] && m[1] ? in_data_i[511:256] : (m[0] || m[1]) && m[2] ? in_data_i[767:512] :
                             in_data_i[1023:768];
  assign sectors[767:512]  = m[0] && m[1] && m[2] ? in_data_i[767:512] : in_data_i[1023:768];
  assign sectors[1023:768] = in_data_i[1023:768];
  always_comb begin
    logic [2:0] count;
    count = {2'b0, m[0]} + {2'b0, m[1]} + {2'b0, m[2]} + {2'b0, m[3]};
    for (int unsigned p = 0; p < 4; p++) filled[p] = count > 3'(p);
  end

  logic [959:0]         words;
  logic [15:1]          ram_we, ram_re;
  logic [15*UnitBits-1:0] ram_raddr;
`ifndef SYNTHESIS
  logic [15:1]          one_reads;
`endif
  for (genvar w = 1; w < 16; w++) begin : g_word
    logic [Units-1:0]    read;
    logic [UnitBits-1:0] reader;
    always_comb begin
      reader = '0;
      for (int unsigned u = 0; u < Units; u++) begin
        read[u] = reads[15*u + w - 1];
        reader  = reader | (UnitBits'(u) & {UnitBits{read[u]}});
      end
    end
    assign ram_we[w] = take && filled[w/4];
    assign ram_re[w] = read != '0;
    assign ram_raddr[UnitBits*(w-1) +: UnitBits] = reader;
    ram_1r1w #(.Width(64), .Depth(Units)) i_ram (
      .clk_i,
      .we_i(ram_we[w]),
      .waddr_i(in_q),
      .wdata_i(sectors[64*w +: 64]),
      .re_i(ram_re[w]),
      .raddr_i(ram_raddr[UnitBits*(w-1) +: UnitBits]),
      .rdata_o(words[64*(w-1) +: 64])
    );
`ifndef SYNTHESIS
    assign one_reads[w] = (read & (read - 1'b1)) == '0;
`endif
  end

  for (genvar u = 0; u < Units; u++) begin : g_unit
    siphash_unit #(.HalfRoundsPerCycle(HalfRoundsPerCycle)) i_unit (
      .clk_i,
      .rst_ni,
      .key_i,
      .start_i(take && in_turn[u]),
      .mask_i(in_mask_i),
      .first_i(sectors[63:0]),
      .busy_o(busy[u]),
      .read_o(reads[15*u +: 15]),
      .words_i(words),
      .out_valid_o(valid[u]),
      .out_ready_i(out_ready_i && out_turn[u]),
      .out_digest_o(digests[128*u +: 128])
    );
  end

`ifndef SYNTHESIS
  stream_check #(.Width(128)) i_out_check (
    .clk_i,
    .rst_ni,
    .valid_i(out_valid_o),
    .ready_i(out_ready_i),
    .data_i(out_digest_o)
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_one_reads: assert (&one_reads);
    c_all_busy: cover (&busy);
    c_waits:    cover (valid != '0 && !out_valid_o);
  end
`endif
`ifdef FORMAL_SIPHASH_LINE_HASHERS
  `include "siphash_line_hashers_props.svh"
`endif
endmodule
`default_nettype wire
