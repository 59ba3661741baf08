// Liveness as bounded response, for `include behind reset.svh. README.md says what it claims and assumes.
//
// LIVE_SINK    `valid` without `ready` for at most LIVE_K - 1 cycles at a stretch: assumed. g_<label>.f_left: in at
//              most so many cycles an offer of now is taken.
// LIVE_ACCEPT  a producer with `valid` waits at most `within` cycles for `ready`; with 1'b1 for `valid`, ready is low
//              for at most so many cycles at a stretch: what LIVE_SINK assumes, if `within` is LIVE_K - 1.
// LIVE_LEAVE   an item leaves at most `within` cycles after the cycle that took it. `inside`: the followed item is
//              held, from the cycle after it was taken; `leaves`: it leaves now.
// LIVE_STREAM  a buffer that keeps order, with at most `depth` items; an item is offered `more` + 1 cycles after it was
//              taken when none is ahead of it. One item is chosen freely and followed: what holds for it holds for all.
//              An item leaves at most depth * LIVE_K + more cycles after it was taken. The sink is assumed.
//              g_<label>.f_held_q: items inside; g_<label>.f_left: of its sink, as above.
//
// `left` is the argument: by the state now, it happens in at most so many cycles; 0: now. Induction shows that it falls
// in every cycle. With engine pdr `left` may be 0: the engine then finds the invariant.
`ifndef LIVE_K
  `define LIVE_K 3
`endif
`define LIVE_SINK(label, valid, ready) \
  if (1) begin : g_``label \
    logic [15:0] f_stalled_q, f_left; \
    always_ff @(posedge clk_i) begin \
      if (!rst_ni || !(valid) || (ready)) f_stalled_q <= '0; \
      else f_stalled_q <= f_stalled_q + 16'd1; \
    end \
    assign f_left = 16'(`LIVE_K - 1) - f_stalled_q; \
    always_comb if (f_started_q) begin \
      m_``label: assume (!(valid) || (ready) || f_left != '0); \
      a_``label: assert (f_stalled_q == '0 || ((valid) && f_stalled_q < 16'(`LIVE_K))); \
    end \
  end
`define LIVE_ACCEPT(label, valid, ready, left, within) \
  if (1) begin : g_``label \
    logic [15:0] f_waited_q; \
    always_ff @(posedge clk_i) begin \
      if (!rst_ni || !(valid) || (ready)) f_waited_q <= '0; \
      else f_waited_q <= f_waited_q + 16'd1; \
    end \
    always_comb if (f_started_q) begin \
      a_``label: assert (17'(f_waited_q) + 17'(left) <= 17'(within)); \
    end \
  end
`define LIVE_LEAVE(label, inside, leaves, left, within) \
  if (1) begin : g_``label \
    logic [15:0] f_age_q; \
    always_ff @(posedge clk_i) begin \
      if (!rst_ni || !(inside) || (leaves)) f_age_q <= 16'd1; \
      else f_age_q <= f_age_q + 16'd1; \
    end \
    always_comb if (f_started_q) begin \
      a_``label: assert (!(inside) || 17'(f_age_q) + 17'(left) <= 17'(within)); \
    end \
  end
`define LIVE_STREAM(label, in_valid, in_ready, out_valid, out_ready, depth, more) \
  if (1) begin : g_``label \
    (* anyseq *) logic f_choose; \
    logic        f_in, f_out, f_inside_q; \
    logic [15:0] f_held_q, f_ahead_q, f_still, f_left; \
    assign f_in    = (in_valid) && (in_ready); \
    assign f_out   = (out_valid) && (out_ready); \
    always_ff @(posedge clk_i) begin \
      if (!rst_ni) begin \
        f_inside_q <= 1'b0; \
        f_held_q   <= '0; \
      end else begin \
        f_held_q <= f_held_q + 16'(f_in) - 16'(f_out); \
        if (f_inside_q && f_out) begin \
          f_inside_q <= f_ahead_q != '0; \
          f_ahead_q  <= f_ahead_q - 16'd1; \
        end else if (!f_inside_q && f_in && f_choose) begin \
          f_inside_q <= 1'b1; \
          f_ahead_q  <= f_held_q - 16'(f_out); \
        end \
      end \
    end \
    `LIVE_SINK(label``_sink, out_valid, out_ready) \
    assign f_left = g_``label``_sink.f_left; \
    `LIVE_LEAVE(label``_item, f_inside_q, f_out && f_ahead_q == '0, \
                16'(`LIVE_K) * f_ahead_q + f_left + f_still, depth * `LIVE_K + more) \
    assign f_still = g_``label``_item.f_age_q > 16'(more) ? 16'd0 : 16'(more + 1) - g_``label``_item.f_age_q; \
  end
