// Where the planes of each step begin in the stream of a line: one text for dpc_encoder, which appends there, and
// dpc_decoder, which reads there. Both assert it, so a step of one reads what the same step of the other appended.
//
// `DPC_STREAM(NAME, C, ES, MASK): NAME[16*k +: 16] bits of the stream stand before step k; k = Steps: its length.
`define DPC_STREAM(NAME, C, ES, MASK) \
  logic [16*(Steps+1)-1:0] NAME; \
  always_comb begin \
    logic [15:0] words, at; \
    words = '0; \
    for (int unsigned i = 0; i < 4; i++) if (MASK[i]) words = words + 16'(SubWords); \
    at = C ? 16'(1 + Planes) : 16'd1; \
    for (int unsigned k = 0; k <= Steps; k++) begin \
      NAME[16*k +: 16] = at; \
      for (int unsigned g = 0; g < Rows; g++) begin \
        if (k * Rows + g < Planes) at = at + (C && ES[k*Rows + g] && words != '0 ? 16'd1 : words); \
      end \
    end \
  end
