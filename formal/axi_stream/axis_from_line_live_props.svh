// axis_from_line in time, with any register slice that keeps what live-skid proves (stub=stream_skid): a line waits
// until the beats of the line before it are gone, LIVE_K cycles for each, and its own last beat enters the slice as
// long after it was taken.
  `include "reset.svh"
  `include "live.svh"
  `LIVE_SINK(live_room, 1'b1, room)
  `include "line_length.svh"
  `LINE_LENGTH(in_length, assume, in_valid_i, in_length_i, LineBits)
  logic [15:0] f_beats, f_left;  // to send; cycles until the last of them is taken
  assign f_beats = (16'(left_q) + 16'(DataBytes) - 16'd1) / 16'(DataBytes);
  assign f_left  = (f_beats - 16'd1) * 16'(`LIVE_K) + g_live_room.f_left;
  `LIVE_ACCEPT(live_line, in_valid_i, in_ready_o, busy ? f_left : 16'd0, Beats * `LIVE_K - 1)
  `LIVE_LEAVE(live_beats, busy, move && last, f_left, Beats * `LIVE_K)
  always_comb if (f_started_q) a_beats: assert (32'(left_q) <= Beats * DataBytes);
