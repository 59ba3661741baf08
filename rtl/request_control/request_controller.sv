// request_controller: decides whether a read miss requests its sub-blocks only or the whole line. Combinational.
//
//   need = all ones               ─▶ whole line  DEMANDED   (the warp needs it)
//   FDR window over its limit     ─▶ whole line  FDR        nearly all lines are needed in full
//   again (the line is being fetched and lacks what is needed now) ─▶ whole line  AGAIN
//   ICA window of max(64 B, need) over ─▶ whole line  ICA
//   otherwise                     ─▶ need        PARTIAL
//
// want_o is the choice, send_o the part of it that was not requested yet. Each sub-block of a fetch is requested once,
// so replies never overlap and none can arrive after its fetch is over.
// The verdict of the 128-byte window is not an input: a request of that size is whole already.
// Source: DPC thesis 4.1 and figure 4.5; decisions D11, D12.
`default_nettype none
module request_controller (
  input  wire logic       enable_i,    // 0: chapter 3 alone, never widen
  input  wire logic       fdr_over_i,  // of windows_manager
  input  wire logic [1:0] ica_over_i,  // 64 and 96 bytes
  input  wire logic       again_i,     // subsequent miss
  input  wire logic [3:0] need_i,      // sub-blocks, at least one
  input  wire logic [3:0] asked_i,     // sub-blocks of this fetch asked for before
  output logic [3:0]      want_o,
  output logic [3:0]      send_o,
  output logic [2:0]      reason_o     // 0 PARTIAL, 1 DEMANDED, 2 FDR, 3 AGAIN, 4 ICA
);
  localparam logic [2:0] Partial = 3'd0, Demanded = 3'd1, Fdr = 3'd2, Again = 3'd3, Ica = 3'd4;

  logic three;  // sub-blocks or more
  assign three = (need_i[0] & need_i[1] & (need_i[2] | need_i[3])) | (need_i[2] & need_i[3] & (need_i[0] | need_i[1]));

  always_comb begin
    if (need_i == '1)                reason_o = Demanded;
    else if (!enable_i)              reason_o = Partial;
    else if (fdr_over_i)             reason_o = Fdr;
    else if (again_i)                reason_o = Again;
`ifdef PLANT_CONTROLLER_ONE_WINDOW  // planted bug: the 64-byte window speaks for all sizes
    else if (ica_over_i[0])          reason_o = Ica;
`else
    else if (ica_over_i[three])      reason_o = Ica;
`endif
    else                             reason_o = Partial;
    want_o = reason_o == Partial ? need_i : '1;
`ifdef PLANT_CONTROLLER_ASKS_TWICE
    send_o = want_o;
`else
    send_o = want_o & ~asked_i;
`endif
  end

`ifdef FORMAL_REQUEST_CONTROLLER
  `include "request_controller_props.svh"
`endif
endmodule
`default_nettype wire
