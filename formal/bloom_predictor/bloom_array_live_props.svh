// bloom_array in time: ready at most Words + 1 cycles after reset or a flush, and until the next one.
  `include "reset.svh"
  `define PROMISE assert
  if (1) begin : g_contract
    localparam int unsigned CWords = Words;
    logic c_ready, c_flush;
    assign {c_ready, c_flush} = {ready_o, flush_i};
    `include "bloom_array_contract.svh"
  end
  `undef PROMISE
  always_comb if (f_started_q) a_word: assert (!both_q || (clearing_q && 16'(word_q) == g_contract.c_low_q));
