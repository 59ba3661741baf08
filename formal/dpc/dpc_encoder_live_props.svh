// dpc_encoder in time, whatever its planes and chunks are, with any register slice that keeps what live-skid proves
// (stub=stream_skid: `room` at least once in LIVE_K cycles). A line needs a cycle with `room` for each of its steps,
// and may wait for the last step and the rest of the line before it. Its last flit enters the slice at most 2 LIVE_K
// cycles after the line was taken, and leaves that at most 2 LIVE_K cycles later (live-skid).
  `include "reset.svh"
  `include "live.svh"
  `include "stream_rule.svh"
  `STREAM_RULE(in_rule, assume, Cols * Planes + 4, in_valid_i, in_ready_o, ({in_line_i, in_mask_i}))
  `LIVE_SINK(live_room, 1'b1, room)
  localparam int unsigned FRooms = Steps > 1 ? Steps + 1 : 3;
  logic [15:0] f_loads, f_rooms, f_left;  // steps to load before the last one; cycles with room that it takes
  always_comb begin
    f_loads = '0;
    for (int unsigned i = 0; i < Steps; i++) if (step_q[i]) f_loads = 16'(Steps - 1 - i);
    f_rooms = f_loads + (held_q ? 16'd1 + 16'(rest_q) + 16'(last_q) : 16'd0);
    f_left  = !held_q ? (f_loads == '0 ? 16'd0 : f_loads + 16'(rest_q)) * 16'(`LIVE_K) : (f_rooms - 16'd1) * 16'(`LIVE_K) + g_live_room.f_left;
  end
  `LIVE_ACCEPT(live_line, in_valid_i, in_ready_o, f_left, FRooms * `LIVE_K - 1)
  if (Steps > 1) begin : g_last
    `LIVE_LEAVE(live_flit, (held_q && last_q) || rest_q, room && (rest_q || (held_q && emits)) && last,
                (held_q && last_q ? 16'(`LIVE_K) : 16'd0) + g_live_room.f_left, 2 * `LIVE_K)
  end
  logic [Steps-1:0] f_held_step;  // the step whose planes wait
  assign f_held_step = Steps'({step_q[0], step_q} >> 1);
  always_comb if (f_started_q) begin
    a_one_step:  assert ($onehot(step_q));
    a_held:      assert (!held_q || (last_q == f_held_step[Steps-1] && first_q == f_held_step[0]));
    a_rest:      assert (!rest_q || !held_q || first_q);
    a_mid_line:  assert (step_q[0] || (g_in_rule.f_waits_q && held_q));
  end
