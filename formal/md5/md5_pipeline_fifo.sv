// fifo as its own proof (formal/common) shows it to be, seen from the control of md5_pipeline: a count. The data on
// offer are that count, so that the properties can speak of it; what they say of data ends at the FIFO's input.
`default_nettype none
module fifo #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 8
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             in_valid_i,
  output logic                  in_ready_o,
  input  wire logic [Width-1:0] in_data_i,
  output logic                  out_valid_o,
  input  wire logic             out_ready_i,
  output logic [Width-1:0]      out_data_o
);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  logic [CountBits-1:0] count_q;
  wire unused_data = ^in_data_i;
  assign in_ready_o  = count_q != CountBits'(Depth);
  assign out_valid_o = count_q != '0;
  assign out_data_o  = Width'(count_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= count_q + CountBits'(in_valid_i && in_ready_o) - CountBits'(out_valid_o && out_ready_i);
  end
endmodule
`default_nettype wire
