// plru_tree: the definition of tree pseudo-LRU, node by node, and what it is used for. At each node on
// the way to the victim that has ways in both halves, the victim is in the half not touched last.
  `include "reset.svh"
  logic               f_touched_q;  // a way was touched since reset
  logic [WayBits-1:0] f_last_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_touched_q <= 1'b0;
    end else if (touch_valid_i) begin
      f_touched_q <= 1'b1;
      f_last_q    <= touch_way_i;
    end
  end

  for (genvar n = 1; n < Leaves; n++) begin : g_prop
    localparam int unsigned Bit      = WayBits - $clog2(n + 1);
    localparam int unsigned First    = (n << (Bit + 1)) - Leaves;  // ways First .. First + Span - 1 are below n
    localparam int unsigned Span     = 2 << Bit;
    localparam int unsigned UpperWay = First + Span / 2;
    logic f_upper_q, f_victim_below;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) f_upper_q <= 1'b1;
      else if (touch_valid_i && 32'(touch_way_i) >= First && 32'(touch_way_i) < First + Span) begin
        f_upper_q <= 32'(touch_way_i) >= UpperWay;
      end
    end
    assign f_victim_below = 32'(victim_o) >= First && 32'(victim_o) < First + Span;
    always_comb if (f_started_q && f_victim_below) begin
      if (UpperWay < Ways) assert ((32'(victim_o) >= UpperWay) == !f_upper_q);
      else                 assert (32'(victim_o) < UpperWay);
    end
    if (UpperWay < Ways) begin : g_state
      always_comb if (f_started_q) assert (node[n] == !f_upper_q);
    end
  end

  always_comb begin
    m_touch_in_range: assume (!touch_valid_i || 32'(touch_way_i) < Ways);
    if (f_started_q) begin
      a_victim_is_a_way:       assert (32'(victim_o) < Ways);
      a_victim_not_last_touch: assert (!f_touched_q || victim_o != f_last_q);
    end
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_victim_is_last_way: cover (32'(victim_o) == Ways - 1);
    c_victim_comes_back:  cover (f_touched_q && victim_o == '0);
  end
