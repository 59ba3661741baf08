// stream_check: the one statement of the ready/valid rule, instantiated inside blocks.
//
// Once valid rises it stays, with the same payload, until ready takes it. Simulation checks it in
// every run; a proof of the surrounding block proves it.
`default_nettype none
module stream_check #(
  parameter int unsigned Width = 32
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,
  input wire logic             valid_i,
  input wire logic             ready_i,
  input wire logic [Width-1:0] data_i
);
  logic             waiting_q;
  logic [Width-1:0] data_q;

  always_ff @(posedge clk_i) begin
    waiting_q <= rst_ni && valid_i && !ready_i;
    data_q    <= data_i;
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    a_valid_stays:  assert (!waiting_q || valid_i);
    a_data_stays:   assert (!waiting_q || data_i == data_q);
    c_backpressure: cover (waiting_q && ready_i);
  end
endmodule
`default_nettype wire
