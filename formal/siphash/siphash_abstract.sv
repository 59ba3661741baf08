// The adder as what its own proof (formal/md5, add_64) shows it to be.
`default_nettype none
module md5_add #(
  parameter int unsigned Width = 32,
  parameter int unsigned Block = 8
) (
  input  wire logic [Width-1:0] x_i,
  input  wire logic [Width-1:0] y_i,
  output logic [Width-1:0]      sum_o
);
  assign sum_o = x_i + y_i;
endmodule
`default_nettype wire
