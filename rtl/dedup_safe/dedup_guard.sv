// dedup_guard: opens and closes a deduplication unit, so that no reset of what is around it loses data.
//
//            image written
//   init ─────────────────▶ open ◀───────────────── drained ◀─ at rest ─┐
//                             │   drain_i and warm_i are low            │
//                             └─ drain_i or warm_i ─▶ closed ───────────┘
//
//   open      reads and writes pass
//   closed    no read and no write is taken; what was taken goes on to its end
//   drained   nothing is left to do: all data are in DRAM, and metadata in the unit's memories
//
// warm_i says that the L2 is in reset and has forgotten its reads. From the next cycle on, until the unit is at rest:
//   drop_o    replies and reads of DRAM for the L2 go nowhere
//   answer    probes, also those that the L2 has taken and not answered, are answered with no sector
// The unit itself is not reset. So every write that it took is kept, with its metadata. A pulse of one cycle is enough.
//
//   latency   open_o falls the cycle after drain_i or warm_i; drained_o rises the cycle after the unit is at rest;
//             open_o rises the cycle after drained_o is high and neither is
//   at rest   not busy, no probe without an answer, no fetch of metadata without its sector
//
// Outputs depend on registers only. At most one probe of an id is open (dedup_read.sv), at most Fetches fetches of a
// cache (metadata_cache.sv: a fetch has a park). Source: this project.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup_guard #(
  parameter int unsigned Ids     = 3,  // of probes: 0 to Ids - 1
  parameter int unsigned IdBits  = 2,
  parameter int unsigned Caches  = 4,
  parameter int unsigned Fetches = 2   // of one cache, at a time
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic              drain_i,       // finish and stay closed, while high
  input  wire logic              warm_i,        // the L2 is in reset; stay closed, while high
  input  wire logic              image_done_i,  // the metadata have their initial image
  input  wire logic              busy_i,        // of the unit
  input  wire logic              sent_i,        // a probe of the unit is taken, by the L2 or for it
  input  wire logic [IdBits-1:0] sent_id_i,
  input  wire logic              back_i,        // the unit takes an answer to a probe
  input  wire logic [IdBits-1:0] back_id_i,
  input  wire logic [Caches-1:0] fetch_i,       // a fetch of metadata is taken
  input  wire logic [Caches-1:0] fill_i,        // the sector of one is taken
  output logic                   answer_valid_o,  // an answer with no sector, until back_i
  output logic [IdBits-1:0]      answer_id_o,
  output logic                   open_o,
  output logic                   drop_o,
  output logic                   drained_o
);
  localparam int unsigned FetchBits = $clog2(Fetches + 1);

  if (Ids == 0 || Ids > 2 ** IdBits) begin : g_bad_ids
    $error("dedup_guard: Ids must be at least 1 and fit IdBits");
  end
  if (Caches == 0 || Fetches == 0) begin : g_bad_size
    $error("dedup_guard: Caches and Fetches must be at least 1");
  end

  logic [Ids-1:0]              asked_q;  // probes without an answer
  logic [Caches*FetchBits-1:0] fetches_q;
  logic [Ids-1:0]              sent, back, others;
  logic [IdBits-1:0]           next_id;
  logic                        rest, reopen;

  for (genvar i = 0; i < Ids; i++) begin : g_id
    assign sent[i]   = sent_i && sent_id_i == IdBits'(i);
    assign back[i]   = back_i && back_id_i == IdBits'(i);
    assign others[i] = asked_q[i] && !(answer_valid_o && answer_id_o == IdBits'(i));
  end
  always_comb begin
    next_id = '0;
    for (int unsigned i = Ids; i > 0; i--) if (others[i-1]) next_id = IdBits'(i - 1);
  end
`ifdef PLANT_GUARD_FORGETS_FETCHES  // planted bug: at rest although a sector of metadata is still to come
  assign rest   = !busy_i && asked_q == '0;
`else
  assign rest   = !busy_i && asked_q == '0 && fetches_q == '0;
`endif
  assign reopen = drained_o && !drain_i && !warm_i;

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      open_o         <= 1'b0;
      drop_o         <= 1'b0;
      drained_o      <= 1'b0;
      answer_valid_o <= 1'b0;
      asked_q        <= '0;
      fetches_q      <= '0;
    end else begin
      open_o    <= reopen || (open_o && !drain_i && !warm_i);
      drained_o <= !open_o && !reopen && image_done_i && rest;
`ifdef PLANT_GUARD_DROP_ENDS  // planted bug: stale replies pass once the L2 is out of reset
      drop_o    <= warm_i;
`else
      drop_o    <= warm_i || (drop_o && !reopen);
`endif
`ifdef PLANT_GUARD_LATE_PROBES  // planted bug: of probes, only those of after the reset are answered
      asked_q   <= ((drop_o ? asked_q : '0) | sent) & ~back;
`else
      asked_q   <= (asked_q | sent) & ~back;
`endif
      answer_valid_o <= drop_o && ((answer_valid_o && !back_i) || others != '0);
      for (int unsigned c = 0; c < Caches; c++) begin
        fetches_q[c*FetchBits +: FetchBits] <=
          fetches_q[c*FetchBits +: FetchBits] + FetchBits'(fetch_i[c]) - FetchBits'(fill_i[c]);
      end
    end
  end
  always_ff @(posedge clk_i) if (!answer_valid_o || back_i) answer_id_o <= next_id;

`ifndef SYNTHESIS
  for (genvar c = 0; c < Caches; c++) begin : g_fetches
    always_ff @(posedge clk_i) if (rst_ni) begin
      assert (!fetch_i[c] || fill_i[c] || fetches_q[c*FetchBits +: FetchBits] != FetchBits'(Fetches));
      assert (!fill_i[c] || fetches_q[c*FetchBits +: FetchBits] != '0);
    end
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_one_probe_of_an_id:   assert ((sent & asked_q) == '0);
    a_answer_was_asked_for: assert ((back & ~asked_q) == '0);
    a_known_id:             assert ((!sent_i || sent != '0) && (!back_i || back != '0));
    a_answers_own:          assert (!answer_valid_o || !back_i || back_id_i == answer_id_o);
    a_closed_when_dropping: assert (!(drop_o && open_o));
    a_rest_stays:           assert (!drained_o || rest);  // what the unit promises by not being busy
  end
`endif
`ifdef FORMAL_DEDUP_GUARD
  `include "dedup_guard_props.svh"
`endif
endmodule
`default_nettype wire
