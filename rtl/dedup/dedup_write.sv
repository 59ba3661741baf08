// dedup_write: commits buffered writes in order (CMD IV.A, IV.B; decisions C4 to C7, C9, C11 to C13, C20).
// It finds out whether a prepared line (dedup_front.sv) is a duplicate. Then it changes metadata, hash store and DRAM.
// Every read still returns the last value written. Words of this project: sim_cpp/GLOSSARY.md.
//
//   Idle ▶ [Decide ▶ [[Fetch] ▶ Probe ▶ Probed ▶ [Compared]]] ▶ [Lock] ─▶ [Release ▶ Place ▶ [Freed] ▶ [slot]]
//     ▲                                                   (commit) │                                      │
//     └─ Done ◀─ Update or [Fetch] ▶ Write ◀───────────────────────┴──────────────────────────────────────┘
//   slot: Next ▶ Cand ▶ Check, again until the candidate is a line that can lend
//   pass: Fetch ▶ Old, before Lock when the line is mapped or intra, before Next when others use its home
//
// A state issues requests in its last cycle. The next state acts once all answers are there.
//
// What a commit does not wait for:
//   metadata write   it is done when it is granted (dedup_meta_port.sv)
//   DRAM write       it is done when it is granted, because the DRAM stream keeps its order; data_o stays until it is
//                    taken, and only the load of the next line's data waits for that
//   insertion        its answer sets flags of done only; the next commit starts with it
//
// Lock: nothing changes before the lock is held. The lock is free when no read depends on the line. It is taken in
// Decide when the kind of the line is known at once, else in Lock.
// Release and Place: only for lines that leave a slot or whose home may be in use.
//
// Why the line is loaded while Decide waits for the hash store: unique lines and verification need its data, and
// duplicates waste only one cycle of the banks. Nothing merges into an entry in process, and its old sectors are
// filled in, so what is loaded is final. Fetch is skipped unless that load failed: the data of the write before were
// not taken yet, the banks were busy, or the hash was bypassed.
//
// Cycles from Idle to Idle, with answers of the hash store after 3 cycles and a line that was untouched:
//   intra-duplicate 5, unique content 8, content that is not hashed 5.
//
// A line that was not hashed and goes home counts as untouched. All of it is at home, it has no entry, and nothing
// refers to it. So its next write has no entry to remove.
//
// ByteMasks: a line that passes (head_pass_i) is not looked up, and its bytes go home as they are, under bytes_o.
//   untouched   Type, mask and map stay: the home has every byte.
//   resident    Its entry loses this user, so that no look-up finds it any more. Then it is untouched: the home has
//               every byte, nothing refers to it, and its next write finds nothing to do.
//   intra       Its lent flag is looked up at once: only this module writes it. Not lent: Old adds the map value, and
//               value and bytes go home together. Then the line is untouched.
//   otherwise   The line is mapped, or others use its home. Then Old completes its sectors: from the map value, the
//               slot or the home, under the bytes that were written. After that it is a unique line like any other.
//               Reading ahead of the lock is safe: the content of a slot stays while the line uses it.
//
// Verify (parameter, and cfg_verify_i): a hit counts only after every masked sector equals the slot of the entry.
//   Sectors come from the L2 copy of the slot's owner R when R is resident, its L2 sectors are clean and no write of R
//   is in the write buffer (C14, C15). R cannot change meanwhile, because only this module commits writes.
//   The other sectors come from DRAM. Sectors that the dedup read took from the same slot are not compared again.
//   A difference makes the write unique, without an entry, because the hash is taken.
//   The mask stands in the upper bits of the fingerprint: lines that were written in other sectors never share,
//   whatever the hash. Why: one could later write a sector of its slot that the owner of the slot still reads there.
// DomainBits: the domain of the write is the upper part of the key of the hash store, so only lines of one domain
//   share.
//
// Why borrowed slots are safe (`lent` is an addition to the paper): a line stays in a borrowed slot only while its
// mask does not grow. The slot's owner may be partly written, and its other sectors are at its home, which is this
// slot. The masks of users and owner were equal when they joined.
//
// Why a borrowed slot can always be found. A line can lend when it is intra or mapped, fully written, and not lent.
// A join (inter) with a partial mask is allowed only while at most cfg_spare_lines/2 partial lines would be mapped.
//   1. Let T be the mapped partial lines. Let F be T plus the partial lines that are not mapped and whose home content
//      others use. Each of the latter has a mapped partial user of its own, because users do not grow in place.
//      So F <= 2T.
//   2. F grows only by joins, after which T <= spare/2. So T <= F <= spare.
//   3. When A borrows, others use A's home slot. Suppose no line can lend. Then the spare lines, the full intra lines
//      and the full mapped lines are all lent, each used by a mapped line of its own, and so is A's home:
//      spare + intra + full + 1 <= full + T, a contradiction.
//   4. A line that leaves its slot because it grows is partial itself and uses no slot then. In that case
//      spare + intra + full + 1 <= full + T - 1, a contradiction as well.
//
// Why it is found within a bound: slot_alloc knows the number of lines that can lend, by group. A line starts or stops
// to be one in four ways, and each is reported once, when nothing else can report:
//   Freed   the last user leaves the slot of a line
//   Check   a line lends its slot
//   Done    the line of this write becomes mapped or intra, or grows to a whole line, and its home is not lent; or it
//           returns home
// A commit waits in these states, and in Next, while slot_alloc clears its counts after a reset.
// The lent flag of a line that grows is not known. It is clear unless a partly written line left its home to others
// since the reset (partial_left_q). After that it is looked up in Update.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup_write #(
  parameter int unsigned LineBits    = 21,
  parameter int unsigned IndexBits   = 11,
  parameter int unsigned CountBits   = 16,
  parameter int unsigned FreeEntries = 256,
  parameter int unsigned GroupBits   = LineBits > 10 ? 8 : LineBits / 2,  // lines of a group of slots, log2
  parameter int unsigned VerifyTag   = 32,
  parameter int unsigned TagBits     = 10,
  parameter int unsigned SectorBits  = 256,  // less in proofs only
  parameter bit          Verify      = 1'b0,
  parameter bit          ByteMasks   = 1'b0,
  parameter int unsigned DomainBits  = 0,
  parameter int unsigned RegionBits  = 0,    // 0: no region filter
  parameter int unsigned DomainWidth = DomainBits > 0 ? DomainBits : 1,  // follows
  parameter int unsigned ByteBits    = SectorBits > 8 ? 8 : SectorBits,   // follows
  parameter int unsigned Bytes       = 4 * SectorBits / ByteBits          // follows
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 cfg_car_i,
  input  wire logic                 cfg_verify_i,
  input  wire logic                 cfg_region_i,
  input  wire logic                 cfg_fresh_i,
  input  wire logic [LineBits:0]    cfg_total_lines_i,
  input  wire logic [LineBits:0]    cfg_spare_lines_i,
  // head of the write buffer, prepared; map_i only in the cycle after commit_o, result_i from then on
  input  wire logic                 ready_i,
  output logic                      commit_o,
  input  wire logic [LineBits-1:0]  head_line_i,
  input  wire logic [3:0]           head_mask_i,
  input  wire logic [DomainWidth-1:0] head_domain_i,
  input  wire logic [1:0]           head_type_i,
  input  wire logic [3:0]           head_old_mask_i,
  input  wire logic                 head_intra_i,
  input  wire logic                 head_hashed_i,
  input  wire logic                 head_pass_i,
  input  wire logic [3:0]           head_some_i,    // partly written sectors
  input  wire logic [31:0]          map_i,
  input  wire logic [127:0]         result_i,
  output logic                      drop_o,
  output logic                      load_o,
  input  wire logic                 load_ok_i,
  input  wire logic [4*SectorBits-1:0] bank_data_i,    // in the cycle after load_ok_i
  input  wire logic [Bytes-1:0]     bank_bytes_i,   // that were written
  // reads that depend on line_o
  input  wire logic                 conflict_i,
  output logic [LineBits-1:0]       line_o,
  // metadata ports: 0 type, 1 mask, 2 address map, 3 lent
  output logic [3:0]                meta_want_o,
  output logic [3:0]                meta_write_o,
  output logic [LineBits-1:0]       meta_index_o,
  output logic [1:0]                type_data_o,
  output logic [3:0]                mask_data_o,
  output logic [31:0]               addr_data_o,
  output logic                      lent_data_o,
  input  wire logic [3:0]           meta_grant_i,
  input  wire logic [3:0]           meta_rsp_i,     // of lookups
  input  wire logic [1:0]           type_rsp_i,
  input  wire logic [3:0]           mask_rsp_i,
  input  wire logic                 lent_rsp_i,
  // region filter: line_o is about to be mapped; until the acknowledgement
  output logic                      region_set_o,
  input  wire logic                 region_ack_i,
  // DRAM stream: a write of data_o, which stays until dram_taken_i; else a read of old sectors or a verify read
  output logic                      dram_want_o,
  output logic                      dram_write_o,
  output logic                      dram_old_o,
  output logic [LineBits-1:0]       dram_line_o,
  output logic [3:0]                dram_mask_o,
  output logic [4*SectorBits-1:0]   data_o,
  output logic                      dram_plain_o,   // a write of the bytes bytes_o, else of all
  output logic [Bytes-1:0]          bytes_o,        // of data_o, and stays like it
  input  wire logic                 dram_grant_i,
  input  wire logic                 dram_taken_i,
  output logic                      verify_wait_o,  // a read is to be answered
  input  wire logic                 dram_rsp_fire_i,
  input  wire logic [TagBits-1:0]   dram_rsp_tag_i,
  input  wire logic [4*SectorBits-1:0] dram_rsp_data_i,
  // hash store
  output logic                      store_valid_o,
  input  wire logic                 store_ready_i,
  output logic [2:0]                store_op_o,
  output logic [127+DomainBits:0]   store_hash_o,
  output logic [LineBits-1:0]       store_ref_o,
  output logic [IndexBits-1:0]      store_index_o,
  input  wire logic                 store_rsp_valid_i,
  output logic                      store_rsp_ready_o,
  input  wire logic                 store_rsp_hit_i,
  input  wire logic [IndexBits-1:0] store_rsp_index_i,
  input  wire logic [LineBits-1:0]  store_rsp_ref_i,
  input  wire logic [CountBits-1:0] store_rsp_count_i,
  input  wire logic                 store_rsp_ok_i,
  input  wire logic                 store_rsp_evicted_i,
  // probe of the L2 for the reference line
  output logic                      probe_want_o,
  output logic [LineBits-1:0]       probe_line_o,
  output logic [3:0]                probe_mask_o,
  input  wire logic                 probe_grant_i,
  input  wire logic                 probe_rsp_i,
  input  wire logic [3:0]           probe_hit_i,
  input  wire logic [4*SectorBits-1:0] probe_data_i,
  output logic                      clearing_o,   // after a reset: commits may wait
  // one event per write; event_wait_o: the one of done_line_o is still to come although its write is done
  output logic                      event_wait_o,
  output logic                      done_valid_o,
  output logic [LineBits-1:0]       done_line_o,
  output logic [2:0]                done_outcome_o,
  output logic [7:0]                done_flags_o,   // no_entry, saturated, partial_limit, evicted, scanned,
                                                    // verified, collision, passed
  output logic [3:0]                done_read_o,    // sectors fetched by dedup reads
  output logic [3:0]                done_verify_o,  // sectors fetched to verify a hit
  output logic [3:0]                done_written_o  // sectors written to DRAM
);
  if (LineBits > 32) begin : g_bad_map
    $error("dedup_write: LineBits must be at most 32, the bits of a map entry");
  end

  typedef enum logic [4:0] {
    Idle, Decide, Fetch, Probe, Probed, Compared, Lock, Release, Place, Freed, Next, Cand, Check, Write,
    Update, Old, Done
  } state_e;
  localparam logic [1:0] Intra = 2'd0, Inter = 2'd1, Unique = 2'd2, Silent = 2'd3;  // what the content is
  localparam logic [2:0] OutIntra = 3'd0, OutInter = 3'd1, OutHome = 3'd2, OutInPlace = 3'd3, OutKept = 3'd4,
                         OutBorrowed = 3'd5, OutSilent = 3'd6;
  localparam logic [2:0] Lookup = 3'd0, Insert = 3'd1, Increment = 3'd2, Decrement = 3'd3;

  state_e               state_q;
  logic [LineBits-1:0]  line_q, target_q, hit_ref_q;
  logic [IndexBits-1:0] hit_index_q;
  logic [3:0]           new_mask_q, old_mask_q, read_q;
  logic [1:0]           type_q, kind_q;
  logic [31:0]          map_q;
  logic [2:0]           place_q;
  logic                 have_data_q, loaded_q;  // the line's data are there, or come in this cycle (loaded_q)
  logic                 commit_q, data_held_q, verifying_q, insert_q, left_q, freed_q, no_entry_q, saturated_q, limit_q;
  logic                 scanned_q;
  logic                 posted_q, post_rsp;  // an insertion is to be answered
  logic                 event_q;             // its event waits for that
  logic [LineBits:0]    partial_q;  // mapped blocks (type 10) that are not fully written
`ifdef PROOF_ANY_METADATA  // a proof begins with any metadata (formal/dedup/dedup_end.sv)
  (* anyconst *) logic [LineBits:0] any_partial;
  (* anyconst *) logic              any_partial_left;
`endif
  logic                 verified_q, collision_q, differs_q;  // differs_q: a compared sector is not the line's
  logic [3:0]           copied_q, verify_read_q;             // sectors compared with the L2; read from DRAM
  // hashed_q: has a fingerprint. pass_q: not looked up. completed_q: data_q has every byte of the line's sectors.
  // plain: home as it is
  logic                 hashed_q, pass_q, completed_q, completing_q, dram_old_q, old_home_q, plain, old_plain, old_rsp;
  logic [3:0]           some_q, old_value_q, old_slot_q, old_rest_q, old_read_q;  // sectors from map, slot, home; read

  // Answers.
  logic [1:0]           type_got_q;
  logic [3:0]           mask_got_q;
  logic                 lent_got_q, hit_got_q, ok_got_q;
  logic [IndexBits-1:0] index_got_q;
  logic [LineBits-1:0]  ref_got_q;
  logic [CountBits-1:0] count_got_q;

  // Outstanding requests.
  logic [3:0]           meta_todo_q, meta_wait_q, meta_write_q;
  logic [LineBits-1:0]  meta_index_q;
  logic                 lent_data_q, dram_todo_q, dram_write_q, verify_wait_q, verify_rsp;
  logic                 store_todo_q, store_wait_q, probe_todo_q, probe_wait_q, busy, act;
  logic                 region_todo_q, issue_region, stalled;
  logic                 clk, clk_enable, waits;
  logic [2:0]           store_op_q;

  assign busy = meta_todo_q != '0 || meta_wait_q != '0 || dram_todo_q || verify_wait_q || store_todo_q || store_wait_q ||
                probe_todo_q || probe_wait_q || region_todo_q;
  assign act  = !busy && !stalled;
  assign post_rsp = posted_q && store_rsp_valid_i;
  assign event_wait_o = event_q;

  // What the line is.
  logic                 mapped_out, resident, has_map, counted, joined_full, saturated;
  logic [3:0]           mask;
  logic [LineBits-1:0]  slot;  // where the old content lives (types 10 and 11)
  assign mask        = old_mask_q | new_mask_q;
  assign mapped_out  = type_q == 2'b10;
  assign resident    = type_q == 2'b11;
  assign has_map     = type_q == 2'b01 || mapped_out;
  assign slot        = resident ? line_q : map_q[LineBits-1:0];
  assign counted     = mapped_out && old_mask_q != 4'hf;
  assign joined_full = mask != 4'hf && partial_q - {{LineBits{1'b0}}, counted} >= {1'b0, cfg_spare_lines_i[LineBits:1]};
`ifdef PLANT_WRITE_IGNORES_SATURATION
  assign saturated   = 1'b0;  // planted bug: see formal/dedup/proofs.txt
`else
  assign saturated   = count_got_q == '1;
`endif

  // Verification of a hit. silent, joins, check: valid in Decide; the others in Probed and Compared.
  logic       silent, joins, check, refuted;
  logic [3:0] to_verify, trusted, unread, probe_differs, dram_differs;
  assign silent    = hit_got_q && (mapped_out || resident) && ref_got_q == slot;
  assign joins     = hit_got_q && !saturated && !joined_full;
  assign check     = Verify && cfg_verify_i && (silent || joins);
  assign to_verify = kind_q == Silent ? new_mask_q : mask;
  assign trusted   = type_got_q == 2'b11 ? copied_q : '0;  // C14: type_got_q is that of R
  assign unread    = to_verify & ~trusted;
  always_comb begin
    refuted = differs_q;
    if (state_q == Probed) refuted = (differs_q && trusted != '0) || (kind_q == Silent && mask != old_mask_q);
`ifdef PLANT_WRITE_BELIEVES_L2
    if (state_q == Probed) refuted = 1'b0;  // planted bug: see formal/dedup/proofs.txt
`endif
`ifdef PLANT_WRITE_BELIEVES_DRAM
    if (state_q == Compared) refuted = 1'b0;  // planted bug: see formal/dedup/proofs.txt
`endif
  end

  // Commit: where the new content goes. Valid in Place.
  logic left, keep, free_slot, home_free, borrow;
  assign left      = (mapped_out || resident) && hit_got_q && count_got_q != '0;
  assign keep      = kind_q == Unique && mapped_out && !left && lent_got_q && slot != line_q && mask == old_mask_q;
  assign free_slot = mapped_out && !left && !keep;
  assign home_free = !resident && (!lent_got_q || (free_slot && slot == line_q));
  assign borrow    = kind_q == Unique && !keep && !home_free && !(resident && !left);

  // The line, what goes home as it is, and what has to be completed first.
  logic [3:0]              head_old;
  logic                    old_value;
  dedup_line #(.SectorBits(SectorBits), .Verify(Verify), .ByteMasks(ByteMasks)) i_line (
    .clk_i,
    .load_i(loaded_q && rst_ni),  // before the reset loaded_q says nothing
    .bank_data_i,
    .bank_bytes_i,
    .mask_i(new_mask_q),
    .add_i(old_rsp ? old_read_q : old_value ? old_value_q : '0),
    .add_value_i(!old_rsp),
    .value_i(map_q),
    .rsp_data_i(dram_rsp_data_i),
    .probe_data_i,
    .data_o,
    .bytes_o,
    .rsp_differs_o(dram_differs),
    .probe_differs_o(probe_differs)
  );
  assign plain     = pass_q && !completed_q;
`ifdef PLANT_WRITE_ALL_BYTES
  assign dram_plain_o = 1'b0;  // planted bug: see formal/dedup/proofs.txt
`else
  assign dram_plain_o = plain;
`endif
  // Valid in Old: with the value added the line can go home as it is.
`ifdef PLANT_WRITE_PLAIN_THOUGH_LENT
  assign old_plain = type_q == 2'b01;  // planted bug: see formal/dedup/proofs.txt
`else
  assign old_plain = type_q == 2'b01 && !lent_got_q;
`endif
  assign head_old  = head_old_mask_i & ~(head_mask_i & ~head_some_i);
  assign old_rsp   = verify_rsp && dram_old_q;
  assign old_value = act && state_q == Old && !loaded_q && old_value_q != '0;

  // The block's new metadata. Valid in Update.
  logic [1:0]           new_type;
  logic [31:0]          new_map;
  logic                 new_counted, lend;
  logic                 forgets;  // goes home without an entry: untouched from then on, whatever the mask says
  logic [2:0]           changes;  // of type, mask and map
`ifdef PLANT_WRITE_FORGETS_BORROWED
  assign forgets = kind_q == Unique && !hashed_q;  // planted bug: see formal/dedup/proofs.txt
`else
  assign forgets = kind_q == Unique && !hashed_q && place_q != OutKept && place_q != OutBorrowed;
`endif
  always_comb begin
    unique case (kind_q)
      Intra:   new_type = 2'b01;
      Inter:   new_type = 2'b10;
      default: new_type = forgets ? 2'b00 : (place_q == OutKept || place_q == OutBorrowed) ? 2'b10 : 2'b11;
    endcase
  end
  assign new_map     = kind_q == Intra ? result_i[31:0] : kind_q == Inter ? 32'(hit_ref_q) : 32'(target_q);
  // A resident line has no map: its entry in the hash store is found by its number.
  assign changes     = forgets ? {2'b00, type_q != 2'b00} : {(new_type == 2'b01 || new_type == 2'b10) && (!has_map || new_map != map_q),
                        mask != old_mask_q, new_type != type_q};
  // The region of a line that was mapped before is set in the filter already.
`ifdef PLANT_WRITE_FORGETS_REGION
  assign issue_region = 1'b0;  // planted bug: see formal/dedup/proofs.txt
`else
  assign issue_region = RegionBits != 0 && cfg_region_i && act && (state_q == Write || state_q == Update) &&
                        (new_type == 2'b01 || new_type == 2'b10) && !has_map;
`endif
  assign region_set_o = region_todo_q;
  assign new_counted = new_type == 2'b10 && mask != 4'hf;
  assign lend        = kind_q != Unique && mask == 4'hf && (type_q == 2'b00 || (resident && !left_q));

  // Slots.
  logic                alloc_push, alloc_next, alloc_scanned;
  logic [LineBits-1:0] alloc_line, lend_line, cand;
  logic                got_lendable, grows, returns, starts_lending, lend_up, lend_down, alloc_busy;
  logic                partial_left_q;
  slot_alloc #(.LineBits(LineBits), .FreeEntries(FreeEntries), .GroupBits(GroupBits)) i_alloc (
    .clk_i,
    .rst_ni,
    .cfg_fresh_i,
    .cfg_total_lines_i,
    .cfg_spare_lines_i,
    .push_i(alloc_push),
    .push_line_i(alloc_line),
    .up_i(lend_up),
    .down_i(lend_down),
    .line_i(lend_line),
    .next_i(alloc_next),
    .cand_o(cand),
    .scanned_o(alloc_scanned),
    .busy_o(alloc_busy),
    .clearing_o
  );
`ifdef PLANT_WRITE_BORROWS_PARTIAL
  assign got_lendable = (type_got_q == 2'b01 || type_got_q == 2'b10) && mask_got_q[2:0] == 3'h7;  // planted bug
`else
  assign got_lendable = (type_got_q == 2'b01 || type_got_q == 2'b10) && mask_got_q == 4'hf;
`endif
  assign alloc_push   = act && ((state_q == Freed && freed_q && got_lendable) || (state_q == Update && lend));
  assign alloc_line   = state_q == Freed ? slot : line_q;
  assign alloc_next   = act && state_q == Next;

  // Which lines can lend: see the header. grows: valid in Update; starts_lending, returns: in Done.
  assign grows          = (kind_q == Intra || kind_q == Inter) && has_map && old_mask_q != 4'hf && mask == 4'hf;
  assign starts_lending = (kind_q == Intra || kind_q == Inter) && mask == 4'hf &&
                          (type_q == 2'b00 || (resident && !left_q) || (grows && !(partial_left_q && lent_got_q)));
  assign returns        = kind_q == Unique && place_q == OutHome && has_map && old_mask_q == 4'hf;
`ifdef PLANT_WRITE_COUNTS_GROWN
  assign lend_up        = (alloc_push && state_q == Freed) ||  // planted bug: see formal/dedup/proofs.txt
                          (drop_o && (starts_lending || grows));
`else
  assign lend_up        = (alloc_push && state_q == Freed) || (drop_o && starts_lending);
`endif
  assign lend_down      = (act && state_q == Check && got_lendable && !lent_got_q) || (drop_o && returns);
  assign lend_line      = state_q == Freed ? slot : state_q == Check ? cand : line_q;
  assign stalled        = alloc_busy || (clearing_o && (state_q == Freed || state_q == Next || state_q == Check ||
                                                         (state_q == Done && (starts_lending || returns))));

  assign commit_o          = act && state_q == Idle && ready_i && (!posted_q || post_rsp);
  wire loading = state_q == Decide || state_q == Fetch || (state_q == Lock && kind_q == Unique && !hashed_q);
`ifdef PLANT_WRITE_LOADS_TOO_EARLY
  assign load_o            = loading && !have_data_q;  // planted bug
`else
  assign load_o            = loading && !have_data_q && !data_held_q;
`endif
`ifdef PLANT_WRITE_DONE_EARLY
  assign drop_o            = state_q == Done;  // planted bug: see formal/dedup/proofs.txt
`else
  assign drop_o            = act && state_q == Done;
`endif
  assign line_o            = line_q;
  assign meta_want_o       = meta_todo_q;
  assign meta_write_o      = meta_write_q;
  assign meta_index_o      = meta_index_q;
  assign type_data_o       = new_type;
  assign mask_data_o       = mask;
  assign addr_data_o       = new_map;
  assign lent_data_o       = lent_data_q;
  assign dram_want_o       = dram_todo_q;
  assign dram_write_o      = dram_write_q;
  assign dram_old_o        = dram_old_q;
  assign dram_line_o       = dram_write_q ? target_q : !dram_old_q ? hit_ref_q : old_home_q ? line_q : slot;
  always_comb begin
    dram_mask_o = (place_q == OutInPlace || place_q == OutKept) ? new_mask_q : mask;
`ifdef PLANT_WRITE_BORROWS_NEW_ONLY
    if (place_q == OutBorrowed) dram_mask_o = new_mask_q;  // planted bug: see formal/dedup/proofs.txt
`endif
    if (!dram_write_q) dram_mask_o = dram_old_q ? old_read_q : verify_read_q;
  end
  assign probe_want_o      = probe_todo_q;
  assign probe_line_o      = hit_ref_q;
  assign probe_mask_o      = to_verify;
  assign verify_wait_o     = verify_wait_q;
  assign verify_rsp        = (Verify || ByteMasks) && dram_rsp_fire_i && dram_rsp_tag_i == TagBits'(VerifyTag);
  assign store_valid_o     = store_todo_q;
  assign store_op_o        = store_op_q;
  // A lookup is on offer before map_q is there; what it does not need stays unchanged, too.
  assign store_ref_o       = store_op_q == Decrement ? slot : store_op_q == Insert ? target_q : hit_ref_q;
  assign store_index_o     = hit_index_q;  // an INCREMENT's
  assign store_rsp_ready_o = store_wait_q || posted_q;
  logic [127:0] fingerprint;
  logic         verifies_q;  // a register, so that no input is seen at the output
  always_ff @(posedge clk) if (commit_o) verifies_q <= cfg_verify_i;
  assign fingerprint = Verify && verifies_q ? {mask, result_i[123:0]} : result_i;
  if (DomainBits > 0) begin : g_domain
    logic [DomainBits-1:0] domain_q;
    always_ff @(posedge clk) if (commit_o) domain_q <= head_domain_i;
    assign store_hash_o = {domain_q, fingerprint};
  end else begin : g_one_domain
    wire unused_domain = head_domain_i;
    assign store_hash_o = fingerprint;
  end

  // Requests issued by the state that acts now.
  logic [3:0]          meta_issue, meta_issue_write;
  logic [LineBits-1:0] meta_issue_index;
  logic                issue_write, issue_store, issue_probe, issue_verify, issue_dram, issue_old, complete;
  logic [2:0]          issue_op;
  logic                issue_post, lock, settled;
  logic [1:0]          kind;  // settled: the kind of the line is known in Decide
  assign issue_dram = issue_write || issue_verify || issue_old;
  assign issue_old  = ByteMasks && act && state_q == Old && !loaded_q && !old_plain && (old_slot_q | old_rest_q) != '0;
  assign settled    = state_q == Decide && !check && !silent;
  assign kind       = settled && joins ? Inter : kind_q;
`ifdef PLANT_WRITE_SKIPS_LOCK
  assign lock       = act && (settled || state_q == Lock);  // planted bug: see formal/dedup/proofs.txt
`else
  assign lock       = act && (settled || state_q == Lock) && !conflict_i;
`endif
  always_comb begin
    meta_issue       = '0;
    meta_issue_write = '0;
    meta_issue_index = line_q;
    issue_write      = 1'b0;
    issue_store      = 1'b0;
    issue_post       = 1'b0;
    issue_probe      = 1'b0;
    issue_verify     = 1'b0;
    issue_op         = Lookup;
    if (act) begin
      unique case (state_q)
        Idle: begin
          issue_store      = commit_o && head_hashed_i;
          meta_issue[3]    = ByteMasks && commit_o && head_pass_i && head_type_i == 2'b01;
          meta_issue_index = head_line_i;
        end
        Probe: begin
          issue_probe      = Verify && cfg_car_i;
          meta_issue[0]    = issue_probe;
          meta_issue_index = hit_ref_q;
        end
        Probed: issue_verify = !refuted && unread != '0;
        Decide, Lock: begin
          issue_store = lock && kind == Inter;
          issue_op    = Increment;
        end
        Release: begin
          issue_store   = mapped_out || resident;
          issue_op      = Decrement;
          meta_issue[3] = kind_q == Unique && (type_q == 2'b01 || mapped_out);
        end
        Place: begin
          if (free_slot) begin
            meta_issue          = 4'b1011;
            meta_issue_write[3] = 1'b1;
            meta_issue_index    = slot;
`ifdef PLANT_WRITE_LENDS_WHOLE_ONLY
          end else if (resident && left && old_mask_q == 4'hf) begin  // planted bug: see formal/dedup/proofs.txt
`else
          end else if (resident && left) begin
`endif
            meta_issue[3]       = 1'b1;
            meta_issue_write[3] = 1'b1;
          end
        end
        Cand: begin
          meta_issue       = 4'b1011;
          meta_issue_index = cand;
        end
        Check: begin
          meta_issue[3]       = got_lendable && !lent_got_q;
          meta_issue_write[3] = 1'b1;
          meta_issue_index    = cand;
        end
        Write: begin
          issue_write      = 1'b1;
          issue_post       = insert_q;
          issue_op         = Insert;
          meta_issue       = {1'b0, changes};
          meta_issue_write = 4'b0111;
        end
        Update: begin
          meta_issue       = {grows && partial_left_q, changes};
          meta_issue_write = 4'b0111;
        end
        default: ;
      endcase
    end
  end

  // A write that waits, or an answer, wakes the registers.
  assign waits = meta_todo_q != '0 || meta_wait_q != '0 || dram_todo_q || data_held_q || loaded_q || commit_q || verify_wait_q ||
                 store_todo_q || store_wait_q || posted_q || region_todo_q || event_q || probe_todo_q || probe_wait_q ||
                 done_valid_o;
  assign clk_enable = !rst_ni || state_q != Idle || waits || commit_o || load_ok_i || meta_rsp_i != '0 || probe_rsp_i ||
                      verify_rsp;
  clock_gate i_clock_gate (.clk_i, .enable_i(clk_enable), .test_i(1'b0), .clk_o(clk));

  // Where a locked and a placed write go on.
  state_e write_state, locked_state, release_state;
  assign release_state = pass_q && type_q == 2'b01 ? Place : Release;  // its lent flag was looked up at first
  assign write_state  = kind != Unique ? Update : (have_data_q || ((state_q == Decide || state_q == Lock) && load_ok_i)) ? Write : Fetch;
`ifdef PLANT_WRITE_KEEPS_ENTRY
  assign locked_state = (mapped_out || (resident && !pass_q) || (kind == Unique && type_q == 2'b01)) ? release_state : write_state;
`else
  assign locked_state = (mapped_out || resident || (kind == Unique && type_q == 2'b01)) ? release_state : write_state;
`endif
  // Valid in Idle and Place: the line cannot go home as it is.
  assign complete     = ByteMasks && (state_q == Idle ? head_pass_i && head_type_i[0] != head_type_i[1]
                                                      : plain && borrow);

  always_ff @(posedge clk `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      state_q      <= Idle;
      meta_todo_q  <= '0;
      meta_wait_q  <= '0;
      dram_todo_q  <= 1'b0;
      data_held_q  <= 1'b0;
      loaded_q     <= 1'b0;
      commit_q     <= 1'b0;
      verify_wait_q <= 1'b0;
      store_todo_q <= 1'b0;
      store_wait_q <= 1'b0;
      posted_q     <= 1'b0;
      region_todo_q <= 1'b0;
      event_q      <= 1'b0;
      probe_todo_q <= 1'b0;
      probe_wait_q <= 1'b0;
      done_valid_o <= 1'b0;
`ifdef PROOF_ANY_METADATA
      partial_q      <= any_partial;
      partial_left_q <= any_partial_left;
`else
      partial_q    <= '0;
      partial_left_q <= 1'b0;
`endif
    end else begin
      meta_todo_q  <= (meta_todo_q & ~meta_grant_i) | meta_issue;
      meta_wait_q  <= (meta_wait_q & ~meta_rsp_i) | (meta_issue & ~meta_issue_write);
      dram_todo_q  <= (dram_todo_q && !dram_grant_i) || issue_dram;
      loaded_q     <= load_ok_i;
      commit_q     <= commit_o;
      data_held_q  <= (data_held_q && !dram_taken_i) || issue_write;
      verify_wait_q <= (verify_wait_q && !verify_rsp) || issue_verify || issue_old;
      store_todo_q <= (store_todo_q && !store_ready_i) || issue_store || issue_post;
      region_todo_q <= (region_todo_q && !region_ack_i) || issue_region;
      posted_q     <= (posted_q && !store_rsp_valid_i) || issue_post;
      event_q      <= (drop_o || event_q) && posted_q && !post_rsp;
      store_wait_q <= (store_wait_q && !store_rsp_valid_i) || issue_store;
      probe_todo_q <= (probe_todo_q && !probe_grant_i) || issue_probe;
      probe_wait_q <= (probe_wait_q && !probe_rsp_i) || issue_probe;
      done_valid_o <= (drop_o || event_q) && (!posted_q || post_rsp);
      if (drop_o && kind_q != Silent && resident && left_q && mask != 4'hf) partial_left_q <= 1'b1;
      if (act) begin
        unique case (state_q)
          Idle:    if (commit_o) state_q <= head_hashed_i ? Decide : complete ? Fetch : Lock;
          Decide:  state_q <= check ? ((have_data_q || load_ok_i) ? Probe : Fetch) : silent ? Done :
                              lock ? locked_state : Lock;
          Fetch:   if (have_data_q || load_ok_i) state_q <= verifying_q ? Probe : completing_q ? Old : Write;
          Old:     if (!loaded_q && !issue_old) state_q <= resident ? Next : Lock;
          Probe:   state_q <= Probed;
          Probed:  state_q <= issue_verify ? Compared : (refuted || kind_q != Silent) ? Lock : Done;
          Compared: state_q <= (refuted || kind_q != Silent) ? Lock : Done;
          Lock:    if (lock) state_q <= locked_state;
          Release: state_q <= Place;
          Place:   state_q <= complete ? Fetch : free_slot ? Freed : borrow ? Next : write_state;
          Freed:   state_q <= place_q == OutBorrowed ? Next : write_state;
          Next:    state_q <= Cand;
          Cand:    state_q <= Check;
          Check:   state_q <= (got_lendable && !lent_got_q) ? write_state : Next;
          Write, Update: begin
            state_q   <= Done;
            partial_q <= partial_q + {{LineBits{1'b0}}, new_counted} - {{LineBits{1'b0}}, counted};
          end
          default: state_q <= Idle;
        endcase
      end
    end

  end
  always_ff @(posedge clk) begin
    if (meta_issue != '0) begin
      meta_index_q <= meta_issue_index;
      meta_write_q <= meta_issue_write;
      lent_data_q  <= state_q == Check || !free_slot;
    end
    if (issue_dram) dram_write_q <= issue_write;
    if (issue_dram) dram_old_q <= issue_old;
    if (issue_store || issue_post) store_op_q <= issue_op;
    if (meta_rsp_i[0]) type_got_q <= type_rsp_i;
    if (meta_rsp_i[1]) mask_got_q <= mask_rsp_i;
    if (meta_rsp_i[3]) lent_got_q <= lent_rsp_i;
    if (store_wait_q && store_rsp_valid_i) begin
      hit_got_q   <= store_rsp_hit_i;
      ok_got_q    <= store_rsp_ok_i;
      index_got_q <= store_rsp_index_i;
      ref_got_q   <= store_rsp_ref_i;
      count_got_q <= store_rsp_count_i;
    end
    if (commit_q) map_q <= map_i;
    if (act && state_q == Decide) begin
      differs_q <= 1'b0;
      copied_q  <= '0;
    end else if (probe_rsp_i) begin
      copied_q  <= probe_hit_i & to_verify;
      differs_q <= (probe_hit_i & to_verify & probe_differs) != '0;
    end else if (issue_verify) begin
      differs_q <= 1'b0;
    end else if (verify_rsp) begin
      differs_q <= (verify_read_q & dram_differs) != '0;
    end

    if (load_ok_i) have_data_q <= 1'b1;
    if (issue_old) begin
      old_home_q <= old_slot_q == '0;
      old_read_q <= old_slot_q != '0 ? old_slot_q : old_rest_q;
      read_q     <= read_q | (old_slot_q != '0 ? old_slot_q : old_rest_q);
      old_slot_q <= '0;
      if (old_slot_q == '0) old_rest_q <= '0;
    end

    if (act) begin
      if (commit_o) begin
        line_q      <= head_line_i;
        new_mask_q  <= head_mask_i;
        kind_q      <= head_intra_i ? Intra : Unique;
        type_q      <= head_type_i;
        old_mask_q  <= head_old_mask_i;
        target_q    <= head_line_i;
        place_q     <= OutHome;
        have_data_q <= 1'b0;
        verifying_q <= 1'b0;
        insert_q    <= 1'b0;
        left_q      <= 1'b0;
        freed_q     <= 1'b0;
        no_entry_q  <= !head_intra_i && !head_hashed_i;
        saturated_q <= 1'b0;
        limit_q     <= 1'b0;
        scanned_q   <= 1'b0;
        verified_q  <= 1'b0;
        collision_q <= 1'b0;
        read_q      <= head_type_i == 2'b01 || head_pass_i ? '0 : head_old_mask_i & ~head_mask_i;
        verify_read_q <= '0;
        hashed_q    <= head_hashed_i;
        pass_q      <= ByteMasks && head_pass_i;
        some_q      <= head_some_i;
        completed_q <= 1'b0;
        completing_q <= complete;
        old_value_q <= head_type_i == 2'b01 ? head_old : '0;
        old_slot_q  <= head_type_i == 2'b10 ? head_old : '0;
        old_rest_q  <= head_some_i & ~head_old_mask_i;
      end
      if (state_q == Place && complete) begin  // a resident line: all at home
        completing_q <= 1'b1;
        old_slot_q   <= '0;
        old_rest_q   <= (old_mask_q & ~(new_mask_q & ~some_q)) | some_q;
      end
      if (state_q == Old && !loaded_q) begin
        old_value_q  <= '0;
        if (!issue_old && !old_plain) completed_q <= 1'b1;
      end
      if (state_q == Probed) verifying_q <= 1'b0;
      if (state_q == Decide) begin
        hit_index_q <= index_got_q;
        hit_ref_q   <= ref_got_q;
        verified_q  <= check;
        verifying_q <= check;
        if (silent) begin
          kind_q <= Silent;
        end else if (joins) begin
          kind_q <= Inter;
        end else begin
          insert_q    <= !hit_got_q;
          no_entry_q  <= hit_got_q;
          saturated_q <= hit_got_q && saturated;
          limit_q     <= hit_got_q && !saturated;
        end
      end
      if (issue_verify) verify_read_q <= unread;
      if ((state_q == Probed || state_q == Compared) && refuted) begin
        kind_q      <= Unique;
        no_entry_q  <= 1'b1;
        collision_q <= 1'b1;
      end
      if (state_q == Place) begin
        left_q   <= left;
        freed_q  <= free_slot;
        target_q <= keep ? slot : line_q;
        place_q  <= keep ? OutKept : borrow ? OutBorrowed : resident ? OutInPlace : OutHome;
      end
      if (state_q == Check) begin
        target_q  <= cand;
        scanned_q <= alloc_scanned;
      end
    end
    // The answer of an insertion comes before the write is done or after that.
    if (post_rsp) begin
      done_flags_o[3] <= store_rsp_evicted_i;
      done_flags_o[0] <= !store_rsp_ok_i;
    end
    if (drop_o) begin
      done_line_o    <= line_q;
      done_flags_o[7:4] <= {pass_q, collision_q, verified_q, scanned_q};
      done_flags_o[2:1] <= {limit_q, saturated_q};
      if (!insert_q) begin
        done_flags_o[3] <= 1'b0;
        done_flags_o[0] <= no_entry_q;
      end
      done_read_o    <= read_q;
      done_verify_o  <= verify_read_q;
      done_written_o <= kind_q == Unique ? dram_mask_o : '0;
      unique case (kind_q)
        Intra:   done_outcome_o <= OutIntra;
        Inter:   done_outcome_o <= OutInter;
        Unique:  done_outcome_o <= place_q;
        default: done_outcome_o <= OutSilent;
      endcase
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
`ifndef FORMAL_DEDUP_WRITE  // these follow from what caches and hash store hold
    a_increment_hits: assert (!(act && state_q == Release && kind_q == Inter) || (hit_got_q && ok_got_q));
    a_silent_mask:    assert (!(act && state_q == Done && kind_q == Silent) || mask == old_mask_q);
    a_borrow_other:   assert (!(act && state_q == Check && got_lendable && !lent_got_q) || cand != line_q);
    a_partial_bound:  assert (partial_q <= cfg_spare_lines_i);  // T <= spare, see the header
    a_write_mask:     assert (!commit_o || head_mask_i != '0);
`endif
    c_grows:          cover (act && state_q == Update && grows && !partial_left_q);
    c_grows_asked:    cover (act && state_q == Update && grows && partial_left_q);
    c_returns:        cover (drop_o && returns);
    c_searched:       cover (alloc_busy);
    c_cleared_late:   cover (!busy && stalled && clearing_o);
    if (ByteMasks) begin
      c_pass_home:     cover (act && state_q == Write && plain && type_q == 2'b00);
      c_pass_resident: cover (act && state_q == Write && plain && resident);
      c_old_value:     cover (old_value && !issue_old);
      c_old_plain:     cover (act && state_q == Write && plain && type_q == 2'b01);
      c_old_twice:     cover (issue_old && read_q != '0);
      c_old_moves:     cover (act && state_q == Old && !issue_old && !loaded_q && resident);
    end
    c_data_held:      cover (state_q == Fetch && data_held_q);
    c_load_early:     cover (load_ok_i && state_q == Decide && busy);
    c_load_at_last:   cover (load_ok_i && state_q == Decide && act);
    c_load_wasted:    cover (drop_o && have_data_q && kind_q != Unique);
    c_load_late:      cover (load_ok_i && state_q == Fetch && !verifying_q);
    c_load_in_time:   cover (state_q == Fetch && busy && load_ok_i);
    c_untouched:      cover (lock && locked_state == Write);
    c_lock_at_once:   cover (lock && settled);
    c_lock_late:      cover (act && settled && !lock);
    c_posted_late:    cover (event_q && post_rsp);
    c_posted_early:   cover (drop_o && insert_q && !posted_q);
    c_keep:           cover (act && state_q == Place && keep);
    c_grows_out:      cover (act && state_q == Place && borrow && free_slot && mask != old_mask_q);
    c_home_returns:   cover (act && state_q == Place && free_slot && slot == line_q);
    c_scan:           cover (act && state_q == Check && alloc_scanned);
    c_limit:          cover (limit_q);
    c_saturated:      cover (saturated_q);
    if (Verify) begin
      c_verify_early:  cover (act && state_q == Decide && check && have_data_q);
      c_verify_late:   cover (load_ok_i && state_q == Fetch && verifying_q);
      c_believed_l2:   cover (act && state_q == Probed && !refuted && unread == '0);
      c_believed_dram: cover (act && state_q == Compared && !refuted && trusted == '0);
      c_believed_both: cover (act && state_q == Compared && !refuted && trusted != '0);
      c_refuted_l2:    cover (act && state_q == Probed && refuted && differs_q);
      c_refuted_dram:  cover (act && state_q == Compared && refuted);
      c_refuted_same_slot: cover (act && state_q == Compared && refuted && kind_q == Silent);
    end
  end
`endif
`ifdef WRITE_LENDS
  `include "dedup_lend_props.svh"
`elsif FORMAL_DEDUP_WRITE
  `include "dedup_write_props.svh"
`endif
endmodule
`default_nettype wire
