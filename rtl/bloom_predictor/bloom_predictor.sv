// bloom_predictor: JUSTIT's 1-1 predictor. It chooses where a request that touches one sector of a line is cached.
//
//   req {line, sectors} ──▶ one sector? ──▶ bloom_array ──▶ [choice] ──▶ fifo ──▶ rsp
//
//   latency     2 cycles, responses in order
//   throughput  one request per cycle
//
//   sectors      key seen before   rsp_choice_o
//   2 or more    (not looked up)   0  L1
//   1            no                1  bypass: singular access, no fill    (0 unless bypass_enable_i)
//   1            yes               2  spare shared memory                 (0 unless shm_enable_i)
//
// Send every request, hit or miss, beside the tag lookups of L1 and shared memory (J7). Each one-sector request is
// recorded, and the answer counts when both miss. Sectors are independent keys (J10).
// "Seen" is bloom_array's answer. It never misses one of the last Period one-sector requests. A false positive costs
// only a place for a sector that is not used again.
// bypass_enable_i and shm_enable_i are levels, read in the cycle after a request is taken.
// flush_i forgets everything (J13; normally only at reset): req_ready_o is low for a background clear.
// Every ready, valid and payload depends on state only. busy_o is low when nothing happens until an input
// arrives. Source: JUSTIT paper, section 2; decisions J1, J3 to J7, J10, J13.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module bloom_predictor #(
  // Small defaults: a proof's sources are elaborated at them first. Paper: 4096, 2, 16, 33, 1, 512.
  parameter int unsigned Counters = 16,    // per array
  parameter int unsigned CounterBits = 2,  // bits of a counter, which saturates
  parameter int unsigned Lanes = 2,        // counters per memory word
  parameter int unsigned LineBits = 2,     // line address
  parameter int unsigned Threshold = 1,  // a key is seen when all its counters exceed this
  parameter int unsigned Period = 4,  // inserts between two changes of roles
  parameter int unsigned Seed = 1  // of the H3 hashes
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                bypass_enable_i,  // low: answer L1 instead of bypass
  input  wire logic                shm_enable_i,  // low: answer L1 instead of shared memory
  input  wire logic                flush_i,  // clears the history
  input  wire logic                req_valid_i,
  output logic                     req_ready_o,
  input  wire logic [LineBits-1:0] req_line_i,  // line address
  input  wire logic [3:0]          req_sectors_i,  // sectors of the line that the request touches
  output logic                     rsp_valid_o,
  input  wire logic                rsp_ready_i,
  output logic [1:0]               rsp_choice_o,  // 0 L1, 1 bypass, 2 shared memory
  output logic                     busy_o  // low: the state changes only on an input
);
  localparam logic [1:0] L1 = 2'd0, Bypass = 2'd1, Shm = 2'd2;
  localparam int unsigned RspSlots = 3;  // one being tested and two waiting keep one request per cycle
  if (LineBits == 0) begin : g_bad_line
    $error("bloom_predictor: LineBits must be at least 1");
  end

  logic       array_ready, array_busy, seen, fire, rsp_fire, one_sector;
  logic [1:0] credit_q;       // requests in the test stage and in the response FIFO
  logic       valid_q, one_sector_q;
  logic [1:0] choice;

  assign req_ready_o = array_ready && credit_q != 2'(RspSlots);
  assign fire        = req_valid_i && req_ready_o;
  assign rsp_fire    = rsp_valid_o && rsp_ready_i;
  assign one_sector  = $onehot(req_sectors_i);

  bloom_array #(.Counters(Counters), .CounterBits(CounterBits), .Lanes(Lanes), .KeyBits(LineBits + 2),
                .Threshold(Threshold), .Period(Period), .Seed(Seed)) i_array (
    .clk_i, .rst_ni, .flush_i, .ready_o(array_ready), .insert_i(fire && one_sector),
    .key_i({req_line_i, req_sectors_i[3] || req_sectors_i[2], req_sectors_i[3] || req_sectors_i[1]}),
    .seen_o(seen), .busy_o(array_busy)
  );

  always_comb begin
    choice = L1;
    if (one_sector_q && seen && shm_enable_i) choice = Shm;
    if (one_sector_q && !seen && bypass_enable_i) choice = Bypass;
  end

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      credit_q <= '0;
    end else begin
      valid_q <= fire;
`ifdef PLANT_BLOOM_LOSES_CREDIT
      // planted bug: a slot is not given back while a request waits for one
      if (fire != rsp_fire && (fire || !(req_valid_i && &credit_q))) credit_q <= fire ? credit_q + 1'b1 : credit_q - 1'b1;
`else
      if (fire != rsp_fire) credit_q <= fire ? credit_q + 1'b1 : credit_q - 1'b1;
`endif
    end
  end
  always_ff @(posedge clk_i) one_sector_q <= one_sector;

  logic unused_fifo_ready;  // room is reserved when a request is taken
  fifo #(.Width(2), .Depth(RspSlots)) i_rsp (
    .clk_i,
    .rst_ni,
    .in_valid_i(valid_q),
    .in_ready_o(unused_fifo_ready),
    .in_data_i(choice),
    .out_valid_o(rsp_valid_o),
    .out_ready_i(rsp_ready_i),
    .out_data_o(rsp_choice_o)
  );
  assign busy_o = valid_q || rsp_valid_o || array_busy;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_rsp_fits: assert (unused_fifo_ready || !valid_q);
    c_bypass:   cover (rsp_fire && rsp_choice_o == Bypass);
    c_shm:      cover (rsp_fire && rsp_choice_o == Shm);
    c_blocked:  cover (req_valid_i && array_ready && !req_ready_o);
  end
`endif
`ifdef FORMAL_BLOOM_PREDICTOR
  `include "bloom_predictor_props.svh"
`endif
endmodule
`default_nettype wire
