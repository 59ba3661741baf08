// dup_detect_core against the naive definition, for all inputs: every word of every sector in the mask compared
// with the first one, where the RTL looks at columns of bits.
  localparam int unsigned FWords = Sectors * Words;
  logic                f_covered, f_all_equal, f_any;
  logic [WordBits-1:0] f_first;

  always_comb begin
    f_covered   = 1'b1;
    f_any       = 1'b0;
    f_first     = '0;
    f_all_equal = 1'b1;
    for (int s = 0; s < Sectors; s++) begin
      if (old_mask_i[s] && !new_mask_i[s]) f_covered = 1'b0;
      if (old_mask_i[s] || new_mask_i[s]) begin
        if (!f_any) f_first = data_i[s*SectorBits +: WordBits];
        f_any = 1'b1;
      end
    end
    for (int w = 0; w < FWords; w++) begin
      if ((old_mask_i[w / Words] || new_mask_i[w / Words]) &&
`ifdef PLANT_DUP_SKIPS_LAST_WORD
          w != FWords - 1 &&
`endif
          data_i[w*WordBits +: WordBits] != f_first) begin
        f_all_equal = 1'b0;
      end
    end
  end

  `include "dup_detect_core_contract.svh"
  `MERGED_MASK(eq2, assert, merged_mask_o, old_mask_i, new_mask_i)
  always_comb begin
    a_eq1:     assert (covered_o == f_covered);
`ifdef PLANT_DUP_MERGE_IS_NEW
    a_eq2:     assert (merged_mask_o == (covered_o ? new_mask_i : merged_mask_o & new_mask_i));
`endif
    a_missing: assert ((missing_o | new_mask_i) == merged_mask_o && (missing_o & new_mask_i) == '0);
    a_intra:   assert (intra_o == (f_any && f_all_equal));
    a_value:   assert (value_o == f_first);
    c_intra_partial: cover (intra_o && merged_mask_o != '1 && value_o != '0);
    c_all_sectors:   cover (intra_o && merged_mask_o == '1);
    c_not_covered:   cover (!covered_o && !intra_o);
  end
