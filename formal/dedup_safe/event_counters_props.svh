// event_counters: one freely chosen counter counts its events, stops at all ones, is cleared by nothing but a legal
// write, and is what the bus reads.
  `include "reset.svh"

  (* anyconst *) logic [5:0] f_counter;
  always_comb m_counter: assume (f_counter < 6'(Counters));
  always_comb m_access:  assume (setup_q == (psel_i && penable_i));  // APB: an access follows its setup
  logic [7:0] f_address_q;
  logic       f_write_q;
  always_ff @(posedge clk_i) begin
    f_address_q <= paddr_i;
    f_write_q   <= pwrite_i;
  end
  always_comb m_steady: assume (!setup_q || (paddr_i == f_address_q && pwrite_i == f_write_q));

  logic [EventBits-1:0]  f_count_q, f_read_q;
  logic [StatusBits-1:0] f_status_q;
  logic                  f_event, f_clear;
  assign f_event = events_i[f_counter];
  assign f_clear = psel_i && penable_i && pwrite_i && paddr_i == 8'd0 && pwdata_i[0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_count_q <= '0;
    else if (f_clear) f_count_q <= EventBits'(f_event);
    else if (f_event && f_count_q != '1) f_count_q <= f_count_q + 1'b1;
    f_read_q   <= f_count_q;
    f_status_q <= status_i;
  end
  always_comb if (f_started_q) begin
    a_counts: assert (counts_q[f_counter*EventBits +: EventBits] == f_count_q);
    a_ready:  assert (pready_o);
    a_reads:  assert (!(setup_q && !pwrite_i && paddr_i == {f_counter + 6'd1, 2'b00}) || (prdata_o == 32'(f_read_q) && !pslverr_o));
    a_status: assert (!(setup_q && !pwrite_i && paddr_i == 8'd0) || (prdata_o == 32'(f_status_q) && !pslverr_o));
    a_error:  assert (!setup_q || pslverr_o == (paddr_i[1:0] != '0 || paddr_i[7:2] > 6'(Counters) ||
                                              (pwrite_i && paddr_i != 8'd0)));
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_reads: cover (setup_q && !pslverr_o && prdata_o != '0 && paddr_i != 8'd0);
    c_error: cover (setup_q && pslverr_o);
  end
