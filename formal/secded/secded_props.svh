// secded: from any code word, no, one and two wrong bits at any places, for all data.
// f_flip are the wrong bits: the word that was encoded is the word decoded ^ f_flip.
  (* anyseq *) logic [Width+CheckBits-1:0] f_flip;
  logic [Width+CheckBits-1:0] f_less;     // f_flip without its lowest 1
  logic [Width-1:0]           f_data;     // what was encoded
  logic [CheckBits*Width-1:0] f_rows;
  logic [CheckBits-1:0]       f_check;    // its check bits, by the same columns
  logic                       f_encoded, f_none, f_one, f_two;

  assign f_data = data_i ^ f_flip[Width-1:0];
  for (genvar b = 0; b < Width; b++) begin : g_f_bit
    localparam int unsigned Turn = b % CheckBits;
    localparam logic [CheckBits-1:0] First = Firsts[8 * (b / CheckBits) +: CheckBits];
    localparam logic [CheckBits-1:0] Column = (First << Turn) | (First >> (CheckBits - Turn));
    for (genvar c = 0; c < CheckBits; c++) begin : g_f_row
      assign f_rows[c*Width + b] = Column[c] && f_data[b];
    end
  end
  for (genvar c = 0; c < CheckBits; c++) begin : g_f_check
    assign f_check[c] = ^f_rows[c*Width +: Width];
  end
  assign f_encoded = (check_i ^ f_flip[Width +: CheckBits]) == f_check;
  assign f_less    = f_flip & (f_flip - 1'b1);
  assign f_none    = f_flip == '0;
  assign f_one     = !f_none && f_less == '0;
  assign f_two     = f_less != '0 && (f_less & (f_less - 1'b1)) == '0;

  always_comb begin
    a_none: assert (!(f_encoded && f_none) || (data_o == f_data && !single_o && !fatal_o));
    a_one:  assert (!(f_encoded && f_one) || (data_o == f_data && single_o && !fatal_o));
    a_two:  assert (!(f_encoded && f_two) || (data_o == data_i && !single_o && fatal_o));
    a_either: assert (!(single_o && fatal_o));
    c_data_bit:  cover (f_encoded && f_one && data_o != data_i);
    c_check_bit: cover (f_encoded && f_one && data_o == data_i && data_i != '0);
    c_two:       cover (f_encoded && f_two && data_o != f_data);
  end
