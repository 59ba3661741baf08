// dedup_meta_port: stream_check inside proves that the request stays until taken; here: a granted, not
// denied requester's own request comes out in the next cycle.
`ifdef FORMAL_DEDUP_META_PORT_LIVE
  `include "dedup_meta_port_live_props.svh"
`else
  `include "reset.svh"
  (* anyconst *) logic [IdBits-1:0] f_who;
  logic                f_granted_q, f_seq_q, f_seq_write_q, f_front_q;
  logic [LineBits-1:0] f_index_q, f_seq_index_q, f_front_index_q;
  logic [IdBits-1:0]   f_front_id_q;
  logic [DataBits-1:0] f_seq_data_q;
  logic [LineBits-1:0] f_index;
  logic                f_grant;
  always_comb begin
    m_who: assume (16'(f_who) < 16'(Contexts));
    f_index = '0;
    f_grant = 1'b0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (f_who == IdBits'(c)) begin
        f_index = index_i[c*LineBits +: LineBits];
        f_grant = grant_o[c];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    f_granted_q   <= f_started_q && rst_ni && f_grant && !deny_i;
    f_seq_q       <= f_started_q && rst_ni && seq_grant_o && !deny_i;
    f_front_q     <= f_started_q && rst_ni && front_grant_o && !deny_i;
    f_front_index_q <= front_index_i;
    f_front_id_q  <= front_id_i;
    f_index_q     <= f_index;
    f_seq_index_q <= seq_index_i;
    f_seq_data_q  <= seq_data_i;
    f_seq_write_q <= seq_write_i;
  end
  always_comb if (f_started_q) begin
    a_lookup_comes: assert (!f_granted_q || (req_valid_o && !req_write_o && req_id_o == f_who && req_index_o == f_index_q));
    a_front_comes:  assert (!f_front_q || (req_valid_o && !req_write_o && req_id_o == f_front_id_q && req_index_o == f_front_index_q));
    a_seq_comes:    assert (!f_seq_q || (req_valid_o && req_write_o == f_seq_write_q && req_id_o == IdBits'(CommitId) + IdBits'(f_seq_write_q) &&
                                         req_index_o == f_seq_index_q && (!f_seq_write_q || req_data_o == f_seq_data_q)));
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_seq_write_waits: cover (req_valid_o && req_write_o && !req_ready_i && want_i != '0);
  end
`endif
