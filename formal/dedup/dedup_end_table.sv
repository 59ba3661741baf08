// dedup_end_table: the metadata of one kind in dedup_end, in place of a metadata cache: an entry for each line. Answers
// come in order, each after any number of cycles (hold_i), from 1 on; a write is done when it is taken.
`default_nettype none
module dedup_end_table #(
  parameter int unsigned LineBits = 3,
  parameter int unsigned Lines    = 6,
  parameter int unsigned Bits     = 2,  // kept of an entry
  parameter int unsigned DataBits = 2,  // of the port
  parameter int unsigned IdBits   = 2
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                hold_i,
  input  wire logic [Lines*Bits-1:0] initial_i,
  input  wire logic                req_valid_i,
  output logic                     req_ready_o,
  input  wire logic                req_write_i,
  input  wire logic [LineBits-1:0] req_index_i,
  input  wire logic [DataBits-1:0] req_data_i,
  input  wire logic [IdBits-1:0]   req_id_i,
  output logic                     rsp_valid_o,
  input  wire logic                rsp_ready_i,
  output logic [DataBits-1:0]      rsp_data_o,
  output logic [IdBits-1:0]        rsp_id_o,
  output logic [Lines*Bits-1:0]    entries_o
);
  logic [Lines*Bits-1:0] entries_q;
  logic                  full_q, take, give;
  logic [Bits-1:0]       read, data_q;
  assign entries_o   = entries_q;
  assign rsp_valid_o = full_q && !hold_i;
  assign rsp_data_o  = DataBits'(data_q);
  assign give        = rsp_valid_o && rsp_ready_i;
  assign req_ready_o = !full_q || !hold_i;
  assign take        = req_valid_i && req_ready_o;
  always_comb begin
    read = '0;
    for (int unsigned l = 0; l < Lines; l++) if (req_index_i == LineBits'(l)) read = entries_q[l*Bits +: Bits];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) full_q <= 1'b0;
    else full_q <= (take && !req_write_i) || (full_q && !give);
    if (take && !req_write_i) begin
      data_q   <= read;
      rsp_id_o <= req_id_i;
    end
    for (int unsigned l = 0; l < Lines; l++) begin
      if (!rst_ni) entries_q[l*Bits +: Bits] <= initial_i[l*Bits +: Bits];
      else if (take && req_write_i && req_index_i == LineBits'(l)) entries_q[l*Bits +: Bits] <= req_data_i[Bits-1:0];
    end
  end
endmodule
`default_nettype wire
