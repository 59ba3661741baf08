// dedup_front: prepares buffered writes, many at a time and without side effects. A commit then finds metadata, old
// content and fingerprint of its line ready (CMD IV.A, IV.B; decisions C4 to C8).
//
//   next ▶ type, mask ──▶ map ──▶ [old sectors: map value or dedup read] ──▶ detect ──▶ [digest] ──▶ ready ▶ commit
//          in order       in order  as they come                             in order   in order     in order
//
// One state per entry of the write buffer:
//
//   Free ▶ Look ─┬─────────────────────────────────▶ Whole ─┬─▶ Skip ───┬─▶ Ready ▶ Free (drop_i)
//                └▶ MapWait ─┬───────────────────────▲      └─▶ Hash ───┘
//                            └▶ Part [▶ ReadWait] ───┘
//
// Why the preparation may run ahead of older commits:
//   metadata   Only commits of a line write its type, mask and map. The lines in process are all different
//              (next_blocked_i). An entry is dropped when the last metadata write of its commit is granted, before the
//              next write of the line is looked at. The caches keep the order of requests to one sector.
//              Commits of other lines write the lent flag, so it is not looked up here.
//   content    The content of a slot does not change while a line uses it (dedup_write.sv), and the line uses it until
//              its own commit. So a dedup read returns what a read of the L2 would, whatever older commits write.
//   banks      Sectors that are filled in were not written, so nothing is forwarded from them. Entries in process do
//              not merge.
//
// pass: an entry that goes home as it is, unhashed; the commit knows what to do (dedup_write.sv).
//   partly written sectors   always. It is not looked at, and nothing is filled in.
//   few, with cfg_pass_i     fewer than four sectors. It is not hashed, but may be an intra-duplicate. When its old
//                            sectors would have to be read for that, it passes at once. Else it is looked at, and
//                            passes if it is none and has no map. With a map it is a unique line without an entry.
//
// A read of a line in process either began before, and the commit waits for it, or it waits until the write is done.
// Lookups wait for the caches, dedup reads for DRAM, digests for the hashers. None waits for a read.
// A bank port is held while a line is offered to the hasher, which has room then (hashing_q).
//
// Data of dedup reads and writes of the L2 take turns at the banks (turn_q). A source of data whose clock is slower may
// offer them in some cycles only, and see no ready in the others, always in the same turn. So once an offer was missed
// and is gone, the turn stays until the next one (missed_q).
//
// Entries e with equal e mod Lookups share an id and are not looked up at the same time.
// Hashers answer in order, so a digest belongs to the oldest line that was given to them.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup_front #(
  parameter int unsigned LineBits  = 21,
  parameter int unsigned Entries   = 32,
  parameter int unsigned Lookups   = 8,
  parameter int unsigned HashUnits = 8,   // lines that the hasher takes before it gives the first digest
  parameter int unsigned FirstId   = 16,
  parameter int unsigned IdBits    = 5,
  parameter int unsigned TagBits   = 10,
  parameter int unsigned LevelBits = 6,
  parameter bit          ByteMasks = 1'b0,
  parameter int unsigned SectorBits = 256,  // less in proofs only
  parameter int unsigned PtrBits   = Entries > 1 ? $clog2(Entries) : 1  // follows
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  input  wire logic                        cfg_hash_i,
  input  wire logic [LevelBits-1:0]        cfg_bypass_level_i,
  input  wire logic                        cfg_pass_i,
  // write buffer
  input  wire logic [LevelBits-1:0]        count_i,
  input  wire logic [Entries*LineBits-1:0] lines_i,
  input  wire logic [Entries*4-1:0]        masks_i,
  input  wire logic [Entries*4-1:0]        some_i,     // partly written
  input  wire logic [PtrBits-1:0]          head_i,
  input  wire logic [PtrBits-1:0]          next_i,
  input  wire logic                        next_valid_i,
  input  wire logic                        next_blocked_i,
  output logic                             take_o,
  output logic                             fill_turn_o,
  output logic                             fill_we_o,
  output logic [PtrBits-1:0]               fill_entry_o,
  output logic [3:0]                       fill_mask_o,
  output logic [4*SectorBits-1:0]          fill_data_o,
  // banks: load_want_o until load_ok_i, bank_data_i in the cycle after and while hold_o
  output logic                             load_want_o,
  output logic [PtrBits-1:0]               load_entry_o,
  input  wire logic                        load_ok_i,
  output logic                             hold_o,
  input  wire logic [4*SectorBits-1:0]     bank_data_i,
  // metadata: 0 type, 1 mask, 2 address map
  output logic [2:0]                       meta_want_o,
  output logic [LineBits-1:0]              ask_line_o,     // of type and mask
  output logic [IdBits-1:0]                ask_id_o,
  output logic [LineBits-1:0]              map_line_o,
  output logic [IdBits-1:0]                map_id_o,
  input  wire logic [2:0]                  meta_grant_i,
  input  wire logic                        type_rsp_valid_i,
  input  wire logic [1:0]                  type_rsp_data_i,
  input  wire logic [IdBits-1:0]           type_rsp_id_i,
  input  wire logic                        mask_rsp_valid_i,
  input  wire logic [3:0]                  mask_rsp_data_i,
  input  wire logic [IdBits-1:0]           mask_rsp_id_i,
  input  wire logic                        addr_rsp_valid_i,
  input  wire logic [31:0]                 addr_rsp_data_i,
  input  wire logic [IdBits-1:0]           addr_rsp_id_i,
  // dedup reads: their tag is the entry
  output logic                             read_want_o,
  output logic [LineBits-1:0]              read_line_o,
  output logic [3:0]                       read_mask_o,
  output logic [PtrBits-1:0]               read_entry_o,
  input  wire logic                        read_grant_i,
  input  wire logic                        verify_wait_i,  // an answer for the commit is due, too
  input  wire logic                        dram_rsp_valid_i,
  output logic                             dram_rsp_ready_o,
  input  wire logic [TagBits-1:0]          dram_rsp_tag_i,
  input  wire logic [4*SectorBits-1:0]     dram_rsp_data_i,
  // line hasher, data: bank_data_i
  output logic                             hash_valid_o,
  input  wire logic                        hash_ready_i,
  output logic [3:0]                       hash_mask_o,
  input  wire logic                        hash_rsp_valid_i,
  output logic                             hash_rsp_ready_o,
  input  wire logic [127:0]                hash_rsp_digest_i,
  // commit of the head: map_o and result_o in the cycle after commit_i and until the next one at least
  output logic                             ready_o,
  input  wire logic                        commit_i,
  output logic [1:0]                       type_o,
  output logic [3:0]                       old_mask_o,
  output logic                             intra_o,
  output logic                             hashed_o,
  output logic                             pass_o,
  output logic [31:0]                      map_o,      // only in the cycle after commit_i
  output logic [127:0]                     result_o,   // digest, or the value of an intra-duplicate
  input  wire logic                        drop_i
);
  if (Lookups == 0 || HashUnits == 0 || Entries % Lookups != 0) begin : g_bad_size
    $error("dedup_front: Lookups must divide Entries, HashUnits must be at least 1");
  end

  typedef enum logic [3:0] {Free, Look, MapWait, Part, ReadWait, Whole, Skip, Hash, Ready} state_e;
  typedef enum logic [1:0] {Idle, Load, Detect, Offer} loader_e;
  localparam int unsigned RoomBits = $clog2(HashUnits + 1);
  localparam int unsigned ValueBits = SectorBits > 32 ? 32 : SectorBits;

  logic [Entries*4-1:0] state_q, old_mask_q;
  logic [Entries*2-1:0] type_q;
  logic [Entries-1:0]   type_got_q, mask_got_q, intra_q, hashed_q, pass_q, few_q, map_here, part, waiting, missing_any;
  logic [1:0]           ask_q;  // type, mask: to be asked for
  logic [PtrBits-1:0]   ask_at_q, map_at_q, read_at_q, detect_at_q, digest_at_q, part_pick, map_entry;
  logic                 reading_q, turn_q, missed_q, filling, rsp_wait, id_taken, looked_up, map_skip, map_step, read_start;
  logic [RoomBits-1:0]  hashing_q;
  loader_e              loader_q;
  logic [3:0]           detect_state, digest_state;
  logic                 room, intra, hash_it, skip_it, pass_it, digest, digest_next;
  logic                 map_some, map_few, map_missing, map_pass, detect_pass, detect_few, detect_home;
  logic [ValueBits-1:0] value;
  logic [1:0]           read_type, map_type;
  logic [3:0]           new_mask, old_mask;
  logic [LineBits-1:0]  read_home;

  function automatic logic [PtrBits-1:0] after(input logic [PtrBits-1:0] entry);
    after = (entry == PtrBits'(Entries - 1)) ? '0 : entry + 1'b1;
  endfunction

  // What the pointers see.
  always_comb begin
    ask_line_o   = '0;
    ask_id_o     = '0;
    map_line_o   = '0;
    map_id_o     = '0;
    map_type     = '0;
    map_some     = 1'b0;
    map_few      = 1'b0;
    map_missing  = 1'b0;
    detect_pass  = 1'b0;
    detect_few   = 1'b0;
    detect_home  = 1'b0;
    looked_up    = 1'b0;
    read_type    = '0;
    read_mask_o  = '0;
    fill_mask_o  = '0;
    read_home    = '0;
    detect_state = Free;
    new_mask     = '0;
    old_mask     = '0;
    digest_state = Free;
    ready_o      = 1'b0;
    type_o       = '0;
    old_mask_o   = '0;
    intra_o      = 1'b0;
    hashed_o     = 1'b0;
    pass_o       = 1'b0;
    for (int unsigned e = 0; e < Entries; e++) begin
      if (ask_at_q == PtrBits'(e)) begin
        ask_line_o = lines_i[e*LineBits +: LineBits];
        ask_id_o   = IdBits'(FirstId + e % Lookups);
      end
      if (map_at_q == PtrBits'(e)) begin
        map_line_o = lines_i[e*LineBits +: LineBits];
        map_id_o   = IdBits'(FirstId + e % Lookups);
        map_type   = type_q[e*2 +: 2];
        map_some   = some_i[e*4 +: 4] != '0;
        map_few    = cfg_pass_i && masks_i[e*4 +: 4] != 4'hf;
        map_missing = missing_any[e];
        looked_up  = state_q[e*4 +: 4] == Look && type_got_q[e] && mask_got_q[e];
      end
      if (read_at_q == PtrBits'(e)) begin
        read_type = type_q[e*2 +: 2];
        read_home = lines_i[e*LineBits +: LineBits];
        read_mask_o = old_mask_q[e*4 +: 4] & ~masks_i[e*4 +: 4];
      end
      if (fill_entry_o == PtrBits'(e)) fill_mask_o = old_mask_q[e*4 +: 4] & ~masks_i[e*4 +: 4];
      if (detect_at_q == PtrBits'(e)) begin
        detect_state = state_q[e*4 +: 4];
        new_mask     = masks_i[e*4 +: 4];
        detect_pass  = ByteMasks && pass_q[e];
        detect_few   = ByteMasks && few_q[e];
        detect_home  = type_q[e*2] == type_q[e*2+1];  // no map
        old_mask     = type_q[e*2 +: 2] == 2'b00 ? '0 : old_mask_q[e*4 +: 4];
      end
      if (digest_at_q == PtrBits'(e)) digest_state = state_q[e*4 +: 4];
      if (head_i == PtrBits'(e)) begin
        ready_o    = state_q[e*4 +: 4] == Ready && !reading_q;
        type_o     = type_q[e*2 +: 2];
        old_mask_o = type_q[e*2 +: 2] == 2'b00 ? '0 : old_mask_q[e*4 +: 4];
        intra_o    = intra_q[e];
        hashed_o   = hashed_q[e];
        pass_o     = ByteMasks && pass_q[e];
      end
    end
  end

  // Lookups.
  always_comb begin
    id_taken = 1'b0;
    for (int unsigned e = 0; e < Entries; e++) begin
      for (int unsigned n = e % Lookups; n < Entries; n += Lookups) begin
        if (next_i == PtrBits'(n) && (state_q[e*4 +: 4] == Look || state_q[e*4 +: 4] == MapWait)) id_taken = 1'b1;
      end
    end
  end
`ifdef PLANT_FRONT_AHEAD_OF_ITSELF
  assign take_o      = ask_q == '0 && next_valid_i && !id_taken;  // planted bug: see formal/dedup/proofs.txt
`elsif PLANT_FRONT_SHARES_ID
  assign take_o      = ask_q == '0 && next_valid_i && !next_blocked_i;  // planted bug: see formal/dedup/proofs.txt
`else
  assign take_o      = ask_q == '0 && next_valid_i && !id_taken && !next_blocked_i;
`endif
  assign map_skip    = looked_up && map_type[0] == map_type[1];  // untouched and resident lines have no map
  assign map_step    = map_skip || (meta_want_o[2] && meta_grant_i[2]);
  assign map_pass    = ByteMasks && (map_some || (map_few && map_type[1] && map_missing));
  assign meta_want_o = {looked_up && !map_skip, ask_q};

  always_comb begin
    map_entry = '0;
    for (int unsigned e = 0; e < Entries; e++) begin
      map_here[e]    = addr_rsp_valid_i && addr_rsp_id_i == IdBits'(FirstId + e % Lookups) && state_q[e*4 +: 4] == MapWait;
      missing_any[e] = (old_mask_q[e*4 +: 4] & ~masks_i[e*4 +: 4]) != '0;
      if (map_here[e]) map_entry = PtrBits'(e);
    end
  end

  // Old content: one line at a time until it is filled in from the map or asked of the DRAM.
  always_comb begin
    part_pick = '0;
    for (int unsigned k = 0; k < Entries; k++) begin
      part[k]    = state_q[k*4 +: 4] == Part;
      waiting[k] = state_q[k*4 +: 4] == ReadWait;
      if (state_q[(Entries-1-k)*4 +: 4] == Part) part_pick = PtrBits'(Entries - 1 - k);
    end
  end
  assign filling          = reading_q && read_type == 2'b01;
  assign read_start       = !reading_q && !commit_i && part != '0;
  assign read_want_o      = reading_q && !filling;
  assign read_line_o      = read_type == 2'b11 ? read_home : map_o[LineBits-1:0];
  assign read_entry_o     = read_at_q;
  assign rsp_wait         = verify_wait_i || waiting != '0;
  assign dram_rsp_ready_o = rsp_wait && turn_q && !filling;
  assign fill_turn_o      = filling || dram_rsp_ready_o;
  assign fill_we_o        = filling || (dram_rsp_ready_o && dram_rsp_valid_i && 32'(dram_rsp_tag_i) < 32'(Entries));
  assign fill_entry_o     = filling ? read_at_q : dram_rsp_tag_i[PtrBits-1:0];
  assign fill_data_o      = filling ? {(4 * SectorBits / ValueBits){map_o[ValueBits-1:0]}} : dram_rsp_data_i;

  // Detection and hash.
  assign load_want_o      = loader_q == Load;
  assign load_entry_o     = detect_at_q;
  assign hold_o           = loader_q == Detect || loader_q == Offer;
  assign room             = hashing_q != RoomBits'(HashUnits);
  assign hash_it          = loader_q == Detect && !intra && !detect_few && cfg_hash_i &&
                            (cfg_bypass_level_i == '0 || count_i < cfg_bypass_level_i);
  assign skip_it          = loader_q == Detect && !hash_it;
  assign pass_it          = loader_q == Idle && detect_state == Whole && detect_pass;
  assign hash_valid_o     = loader_q == Offer;
  assign hash_rsp_ready_o = digest_state == Hash && loader_q != Detect;
  assign digest           = hash_rsp_ready_o && hash_rsp_valid_i;
  assign digest_next      = digest || digest_state == Skip;
  logic [3:0] missing_unused;
  logic       covered_unused;
  dup_detect_core #(.SectorBits(SectorBits), .WordBits(ValueBits)) i_detect (
    .old_mask_i(old_mask),
    .new_mask_i(new_mask),
    .data_i(bank_data_i),
    .covered_o(covered_unused),
    .merged_mask_o(hash_mask_o),
    .missing_o(missing_unused),
    .intra_o(intra),
    .value_o(value)
  );

  // Maps and results of the entries.
  ram_1r1w #(.Width(32), .Depth(Entries)) i_map (
    .clk_i,
    .we_i(map_here != '0),
    .waddr_i(map_entry),
    .wdata_i(addr_rsp_data_i),
    .re_i(commit_i || read_start),
    .raddr_i(commit_i ? head_i : part_pick),
    .rdata_o(map_o)
  );
  ram_1r1w #(.Width(128), .Depth(Entries)) i_result (
    .clk_i,
    .we_i(digest || skip_it),
    .waddr_i(digest ? digest_at_q : detect_at_q),
    .wdata_i(digest ? hash_rsp_digest_i : 128'(value)),
    .re_i(commit_i),
    .raddr_i(head_i),
    .rdata_o(result_o)
  );

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      ask_q       <= '0;
      map_at_q    <= '0;
      detect_at_q <= '0;
      digest_at_q <= '0;
      hashing_q   <= '0;
      reading_q   <= 1'b0;
      turn_q      <= 1'b0;
      missed_q    <= 1'b0;
      loader_q    <= Idle;
    end else begin
      ask_q <= take_o ? 2'b11 : ask_q & ~meta_grant_i[1:0];
      if (map_step) map_at_q <= after(map_at_q);
      if (read_start) reading_q <= 1'b1;
      else if (filling || read_grant_i) reading_q <= 1'b0;
`ifdef PLANT_FRONT_TAKES_TURNS
      turn_q <= rsp_wait && !turn_q;  // planted bug: see formal/dedup/proofs.txt
`else
      turn_q <= rsp_wait && (!turn_q || (missed_q && !dram_rsp_valid_i));
`endif
      missed_q <= rsp_wait && (dram_rsp_valid_i ? !dram_rsp_ready_o : missed_q);
      if (digest_next) digest_at_q <= after(digest_at_q);
      if (skip_it || pass_it || (hash_valid_o && hash_ready_i)) detect_at_q <= after(detect_at_q);
      hashing_q <= hashing_q + RoomBits'(hash_valid_o && hash_ready_i) - RoomBits'(digest);
      unique case (loader_q)
        Idle:    if (detect_state == Whole && !detect_pass && room) loader_q <= Load;
        Load:    if (load_ok_i) loader_q <= Detect;
        Detect:  loader_q <= hash_it ? Offer : Idle;
        default: if (hash_ready_i) loader_q <= Idle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_o) ask_at_q <= next_i;
    if (read_start) read_at_q <= part_pick;
  end

  // Entries change on these events only, and most wait most of the time.
  logic clk_state, clk_answer, clk_kind, moves;
  assign moves = take_o || map_step || map_here != '0 || (reading_q && (filling || read_grant_i)) || fill_we_o || skip_it ||
                 pass_it || (hash_valid_o && hash_ready_i) || digest_next || drop_i;
  clock_gate i_gate_state (.clk_i, .enable_i(!rst_ni || moves), .test_i(1'b0), .clk_o(clk_state));
  clock_gate i_gate_answer (
    .clk_i,
    .enable_i(take_o || type_rsp_valid_i || mask_rsp_valid_i),
    .test_i(1'b0),
    .clk_o(clk_answer)
  );
  clock_gate i_gate_kind (
    .clk_i,
    .enable_i(loader_q == Detect || pass_it || map_step),
    .test_i(1'b0),
    .clk_o(clk_kind)
  );

  for (genvar e = 0; e < Entries; e++) begin : g_entry
    localparam logic [IdBits-1:0] Id = IdBits'(FirstId + e % Lookups);
    logic look, takes, detects;
    assign look    = state_q[e*4 +: 4] == Look;
    assign takes   = take_o && next_i == PtrBits'(e);
    assign detects = loader_q == Detect && detect_at_q == PtrBits'(e);
    always_ff @(posedge clk_state `WARPSIEVE_RESET) begin
      if (!rst_ni) begin
        state_q[e*4 +: 4] <= Free;
      end else begin
        unique case (state_q[e*4 +: 4])
          Free:     if (takes) state_q[e*4 +: 4] <= Look;
          Look: begin
            if (map_step && map_at_q == PtrBits'(e))
              state_q[e*4 +: 4] <= !map_skip ? MapWait : map_type[0] && missing_any[e] && !map_pass ? Part : Whole;
          end
          MapWait:  if (map_here[e]) state_q[e*4 +: 4] <= missing_any[e] && !(ByteMasks && pass_q[e]) ? Part : Whole;
          Part: begin
            if (reading_q && read_at_q == PtrBits'(e)) begin
              if (filling) state_q[e*4 +: 4] <= Whole;
              else if (read_grant_i) state_q[e*4 +: 4] <= ReadWait;
            end
          end
          ReadWait: if (fill_we_o && !filling && 32'(dram_rsp_tag_i) == 32'(e)) state_q[e*4 +: 4] <= Whole;
          Whole: begin
            if ((detects && skip_it) || (pass_it && detect_at_q == PtrBits'(e))) state_q[e*4 +: 4] <= Skip;
            else if (hash_valid_o && hash_ready_i && detect_at_q == PtrBits'(e)) state_q[e*4 +: 4] <= Hash;
          end
          Skip, Hash: if (digest_next && digest_at_q == PtrBits'(e)) state_q[e*4 +: 4] <= Ready;
          default:  if (drop_i && head_i == PtrBits'(e)) state_q[e*4 +: 4] <= Free;
        endcase
      end
    end
    always_ff @(posedge clk_answer) begin
      if (takes) begin
        type_got_q[e] <= 1'b0;
        mask_got_q[e] <= 1'b0;
      end else if (look) begin
        if (type_rsp_valid_i && type_rsp_id_i == Id) begin
          type_got_q[e]    <= 1'b1;
          type_q[e*2 +: 2] <= type_rsp_data_i;
        end
        if (mask_rsp_valid_i && mask_rsp_id_i == Id) begin
          mask_got_q[e]        <= 1'b1;
          old_mask_q[e*4 +: 4] <= mask_rsp_data_i;
        end
      end
    end
    always_ff @(posedge clk_kind) begin
      if (detects) begin
        intra_q[e]  <= intra;
        hashed_q[e] <= hash_it;
      end else if (pass_it && detect_at_q == PtrBits'(e)) begin
        intra_q[e]  <= 1'b0;
        hashed_q[e] <= 1'b0;
      end
      if (map_step && map_at_q == PtrBits'(e)) begin
        pass_q[e] <= map_pass;
        few_q[e]  <= map_few;
`ifdef PLANT_FRONT_MAPPED_PASSES
      end else if (detects && detect_few && !intra) begin  // planted bug: see formal/dedup/proofs.txt
`else
      end else if (detects && detect_few && detect_home && !intra) begin
`endif
        pass_q[e] <= 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  stream_check #(.Width(4 + 4 * SectorBits)) i_hash_check (
    .clk_i,
    .rst_ni,
    .valid_i(hash_valid_o),
    .ready_i(hash_ready_i),
    .data_i({hash_mask_o, bank_data_i})
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_read_expected: assert (!(dram_rsp_valid_i && dram_rsp_ready_o) || 32'(dram_rsp_tag_i) >= 32'(Entries) ||
                             waiting[dram_rsp_tag_i[PtrBits-1:0]]);
    c_id_taken:      cover (next_valid_i && !next_blocked_i && ask_q == '0 && id_taken);
    c_filled:        cover (filling);
    if (ByteMasks) begin
      c_pass_mapped:   cover (map_step && map_pass && !map_skip);
      c_pass_sectors:  cover (map_step && map_pass && !map_some);
      c_few_intra:     cover (loader_q == Detect && detect_few && intra);
      c_few_passes:    cover (loader_q == Detect && detect_few && !intra && detect_home);
      c_few_mapped:    cover (loader_q == Detect && detect_few && !intra && !detect_home);
    end
    c_missed:        cover (turn_q && missed_q && !dram_rsp_valid_i);
    c_read_late:     cover (fill_we_o && !filling);
    c_no_room:       cover (detect_state == Whole && !room);
    c_two_hashed:    cover (32'(hashing_q) > 32'd1);
    c_digest_waits:  cover (hash_rsp_valid_i && digest_state == Hash && !hash_rsp_ready_o);
  end
`endif
`ifdef FORMAL_DEDUP_FRONT
  `include "dedup_front_props.svh"
`endif
endmodule
`default_nettype wire
