// dpc_loop: the planes of a step packed and unpacked, for the proof that nothing is lost. Not part of any design.
//
// behind_i stands for what follows the chunk in the stream.
`default_nettype none
module dpc_loop #(
  parameter int unsigned SubWords = 2,
  parameter int unsigned Rows     = 4
) (
  input  wire logic [4*SubWords*Rows-1:0] rows_i,
  input  wire logic [3:0]                 mask_i,
  input  wire logic [Rows-1:0]            same_i,
  input  wire logic [4*SubWords*Rows-1:0] behind_i,
  output logic [4*SubWords*Rows-1:0]      rows_o
);
  localparam int unsigned Cols       = 4 * SubWords;
  localparam int unsigned Cells      = Rows * Cols;
  logic [Cells-1:0] chunk;
  logic [3:0]       count;
  int unsigned      w, bits;
  always_comb begin
    for (int unsigned k = 0; k < 4; k++) count[k] = $countones(mask_i) == k + 1;
    w = $countones(mask_i) * SubWords;
    bits = 0;
    for (int unsigned g = 0; g < Rows; g++) bits = bits + (same_i[g] ? 1 : w);
  end
  dpc_pack #(.SubWords(SubWords), .Rows(Rows)) i_pack (
    .rows_i,
    .mask_i,
    .count_i(count),
    .same_i,
    .chunk_o(chunk)
  );
  dpc_unpack #(.SubWords(SubWords), .Rows(Rows)) i_unpack (
    .chunk_i(chunk | (behind_i << bits)),
    .mask_i,
    .count_i(count),
    .same_i,
    .rows_o
  );
`ifdef FORMAL_DPC_LOOP
  // A plane may be marked compressed if its critical bits are equal, and need not be (raw lines).
  logic [Cells-1:0] p_want;
  logic             p_legal;
  always_comb begin
    p_legal = 1'b1;
    for (int unsigned j = 0; j < Cells; j++) p_want[j] = rows_i[j] && mask_i[(j % Cols) / SubWords];
    for (int unsigned g = 0; g < Rows; g++) begin
      logic [Cols-1:0] critical;
      for (int unsigned j = 0; j < Cols; j++) critical[j] = mask_i[j/SubWords];
      if (same_i[g] && (rows_i[g*Cols +: Cols] & critical) != '0 && (rows_i[g*Cols +: Cols] & critical) != critical)
        p_legal = 1'b0;
    end
    a_lossless: assert (!p_legal || rows_o == p_want);
    c_packed:   cover (p_legal && mask_i == 4'b1111 && |same_i && rows_i != '0 && rows_i != '1);
  end
`endif
endmodule
`default_nettype wire
