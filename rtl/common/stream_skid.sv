// stream_skid: register slice that cuts a ready/valid stream in both directions.
//
//   in ──▶ [spare] ──▶ [head] ──▶ out      latency 1, one item per cycle, 2 items deep
//
// in_ready_o depends on state only, never on out_ready_i or in_valid_i.
// Active-low reset clears the valid bits; payload flops are not reset.
// FollowsInput saves one two-way choice per bit, because both registers then load the same; spare toggles with the
// input, too, instead of only when the output is stalled.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module stream_skid #(
  parameter int unsigned Width        = 32,   // bits per item
  parameter bit          FollowsInput = 1'b0  // 1: spare takes the input whenever it is empty
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             in_valid_i,
  output logic                  in_ready_o,
  input  wire logic [Width-1:0] in_data_i,
  output logic                  out_valid_o,
  input  wire logic             out_ready_i,
  output logic [Width-1:0]      out_data_o  // oldest item
);
  if (Width == 0) begin : g_bad_width
    $error("stream_skid: Width must be at least 1");
  end

  logic             head_valid_q, head_valid_d, spare_valid_q, spare_valid_d;
  logic [Width-1:0] head_q, spare_q, next;
  logic             in_fire, head_free;

  assign in_ready_o    = !spare_valid_q;
  assign out_valid_o   = head_valid_q;
  assign out_data_o    = head_q;
  assign in_fire       = in_valid_i && in_ready_o;
  assign head_free     = !head_valid_q || out_ready_i;
  assign next          = spare_valid_q ? spare_q : in_data_i;
  assign head_valid_d  = head_free ? (spare_valid_q || in_fire) : 1'b1;
`ifdef PLANT_SKID_SPARE_STAYS
  assign spare_valid_d = spare_valid_q || (!head_free && in_fire);  // planted bug: see formal/common/proofs.txt
`else
  assign spare_valid_d = !head_free && (spare_valid_q || in_fire);
`endif

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      head_valid_q  <= 1'b0;
      spare_valid_q <= 1'b0;
    end else begin
      head_valid_q  <= head_valid_d;
      spare_valid_q <= spare_valid_d;
    end
  end
  always_ff @(posedge clk_i) begin
`ifdef PLANT_SKID_OVERTAKE
    if (head_free) head_q  <= in_data_i;  // planted bug: see formal/common/proofs.txt
`else
    if (head_free) head_q  <= next;
`endif
    if (FollowsInput)  spare_q <= next;
    else if (in_fire)  spare_q <= in_data_i;
  end

`ifndef SYNTHESIS
  stream_check #(.Width(Width)) i_out_check (
    .clk_i,
    .rst_ni,
    .valid_i(out_valid_o),
    .ready_i(out_ready_i),
    .data_i(out_data_o)
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_spare_behind_head: assert (!spare_valid_q || head_valid_q);
    c_full:              cover (spare_valid_q && in_valid_i);
  end
`endif
`ifdef FORMAL_STREAM_SKID
  `include "stream_skid_props.svh"
`endif
endmodule
`default_nettype wire
