// dedup_meta_port: one metadata port of the dedup unit, shared by the read contexts and the writes.
//
//   contexts (lookups) ────┐
//   preparation (lookups) ─┼─▶ round robin ─▶ [register] ─▶ req
//   commit ────────────────┘
//
// Latency 1, one request per cycle while the cache takes them.
//
//   id of a request          sender
//   context number           a read context
//   front_id_i               the preparation of writes
//   CommitId                 lookups of the commit
//   CommitId + 1             writes of the commit; their answers are ignored
//
// A write is done when it is granted, because the cache keeps the order of requests to one sector.
// deny_i, a function of pick_index_o and pick_o, rejects the choice: it counts as served, but no request leaves.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup_meta_port #(
  parameter int unsigned Contexts = 16,
  parameter int unsigned LineBits = 21,
  parameter int unsigned DataBits = 2,
  parameter int unsigned IdBits   = 5,
  parameter int unsigned CommitId = 24,
  parameter int unsigned PickBits = $clog2(Contexts + 2)  // follows
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  input  wire logic [Contexts-1:0]          want_i,
  input  wire logic [Contexts*LineBits-1:0] index_i,
  input  wire logic                         deny_i,
  output logic [Contexts-1:0]               grant_o,
  output logic [LineBits-1:0]               pick_index_o,
  output logic [PickBits-1:0]               pick_o,  // context, Contexts: preparation, Contexts + 1: commit
  input  wire logic                         front_want_i,
  input  wire logic [LineBits-1:0]          front_index_i,
  input  wire logic [IdBits-1:0]            front_id_i,
  output logic                              front_grant_o,
  input  wire logic                         seq_want_i,
  input  wire logic                         seq_write_i,
  input  wire logic [LineBits-1:0]          seq_index_i,
  input  wire logic [DataBits-1:0]          seq_data_i,
  output logic                              seq_grant_o,
  output logic                              req_valid_o,
  input  wire logic                         req_ready_i,
  output logic                              req_write_o,
  output logic [LineBits-1:0]               req_index_o,
  output logic [DataBits-1:0]               req_data_o,
  output logic [IdBits-1:0]                 req_id_o
);
  if (Contexts == 0 || LineBits == 0 || DataBits == 0) begin : g_bad_size
    $error("dedup_meta_port: Contexts, LineBits and DataBits must be at least 1");
  end
  if (CommitId < Contexts || CommitId + 2 > 2 ** IdBits) begin : g_bad_id
    $error("dedup_meta_port: CommitId must be at least Contexts, and CommitId + 1 fit IdBits");
  end
  if (PickBits != $clog2(Contexts + 2)) begin : g_bad_pick
    $error("dedup_meta_port: PickBits follows from Contexts and must not be overridden");
  end

  logic              free, any, write;
  logic [IdBits-1:0] id;
  assign free  = !req_valid_o || req_ready_i;
  assign write = seq_write_i && pick_o == PickBits'(Contexts + 1);

  dedup_pick #(.N(Contexts + 2)) i_pick (
    .clk_i,
    .rst_ni,
    .want_i({seq_want_i, front_want_i, want_i}),
    .take_i(free),
    .any_o(any),
    .index_o(pick_o),
    .grant_o({seq_grant_o, front_grant_o, grant_o})
  );

  always_comb begin
    pick_index_o = seq_index_i;
    id           = write ? IdBits'(CommitId + 1) : IdBits'(CommitId);
    if (pick_o == PickBits'(Contexts)) begin
      pick_index_o = front_index_i;
      id           = front_id_i;
    end
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (pick_o == PickBits'(c)) begin
        pick_index_o = index_i[c*LineBits +: LineBits];
        id           = IdBits'(c);
      end
    end
  end

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) req_valid_o <= 1'b0;
    else if (free) req_valid_o <= any && !deny_i;
  end
  always_ff @(posedge clk_i) begin
    if (free) begin
      req_write_o <= write;
      req_index_o <= pick_index_o;
      req_data_o  <= write ? seq_data_i : '0;
      req_id_o    <= id;
    end
  end

`ifndef SYNTHESIS
  stream_check #(.Width(1 + LineBits + DataBits + IdBits)) i_req_check (
    .clk_i,
    .rst_ni,
    .valid_i(req_valid_o),
    .ready_i(req_ready_i),
    .data_i({req_write_o, req_index_o, req_data_o, req_id_o})
  );
`endif
`ifdef FORMAL_DEDUP_META_PORT
  `include "dedup_meta_port_props.svh"
`endif
endmodule
`default_nettype wire
