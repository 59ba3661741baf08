// A project outside the tree: md5_core, dpc_encoder and affine_cache by their file lists, with answers known from
// elsewhere. Inputs change at the falling edge, where outputs are looked at; both are stable until the rising one.
`default_nettype none
module outside;
  reg clk, rst_n;
  integer errors, i;

  initial begin
    clk = 0;
    forever #5 clk = !clk;
  end

  task check(input ok, input [8*40-1:0] what);
    if (ok !== 1'b1) begin
      $display("wrong: %0s", what);
      errors = errors + 1;
    end
  endtask

  // The empty message, padded: its first word is 0x80, the others are 0.
  reg          md5_start_valid, md5_out_ready;
  wire         md5_start_ready, md5_last, md5_out_valid;
  wire [3:0]   md5_index;
  wire [5:0]   md5_step;
  wire [127:0] md5_digest;
  md5_core #(.StepsPerCycle(1)) u_md5 (
    .clk_i        (clk),
    .rst_ni       (rst_n),
    .start_valid_i(md5_start_valid),
    .start_ready_o(md5_start_ready),
    .start_more_i (1'b0),
    .msg_index_o  (md5_index),
    .msg_step_o   (md5_step),
    .msg_last_o   (md5_last),
    .msg_word_i   (md5_index == 4'd0 ? 32'h80 : 32'h0),
    .out_valid_o  (md5_out_valid),
    .out_ready_i  (md5_out_ready),
    .out_digest_o (md5_digest)
  );

  reg           dpc_in_valid, dpc_out_ready;
  reg  [1023:0] dpc_line;
  wire          dpc_in_ready, dpc_out_valid, dpc_last;
  wire [255:0]  dpc_flit;
  wire [8:0]    dpc_count;
  wire [3:0]    dpc_mask;
  wire [10:0]   dpc_flit_length;
  reg  [1279:0] dpc_bits;    // flits of the line so far
  reg  [10:0]   dpc_length;  // of its stream
  reg           dpc_done;
  dpc_encoder #(.SubWords(8), .Planes(32), .PlanesPerCycle(8), .FlitBits(256)) u_dpc (
    .clk_i       (clk),
    .rst_ni      (rst_n),
    .in_valid_i  (dpc_in_valid),
    .in_ready_o  (dpc_in_ready),
    .in_line_i   (dpc_line),
    .in_mask_i   (4'hf),
    .out_valid_o (dpc_out_valid),
    .out_ready_i (dpc_out_ready),
    .out_bits_o  (dpc_flit),
    .out_count_o (dpc_count),
    .out_last_o  (dpc_last),
    .out_mask_o  (dpc_mask),
    .out_length_o(dpc_flit_length)
  );
  integer dpc_flits = 0;
  always @(posedge clk) begin
    dpc_done <= dpc_out_valid && dpc_last;
    if (dpc_out_valid) begin
      dpc_bits <= dpc_flits == 0 ? {1024'h0, dpc_flit} : dpc_bits | ({1024'h0, dpc_flit} << (256 * dpc_flits));
      dpc_flits <= dpc_last ? 0 : dpc_flits + 1;
      if (dpc_flits == 0) dpc_length <= dpc_flit_length;
    end
  end

  reg           avc_req_valid;
  reg  [1:0]    avc_op;
  reg  [24:0]   avc_line;
  reg  [1023:0] avc_data, affine, raw;
  wire          avc_req_ready, avc_rsp_valid, avc_write_back, avc_affine, avc_busy;
  wire [24:0]   avc_rsp_line;
  wire [31:0]   avc_rsp_mask;
  wire [1023:0] avc_rsp_data;
  affine_cache #(.Lanes(32), .Width(32), .StrideBits(3), .Slots(16), .Sets(64), .Ways(2), .LineBits(25)) u_avc (
    .clk_i           (clk),
    .rst_ni          (rst_n),
    .req_valid_i     (avc_req_valid),
    .req_ready_o     (avc_req_ready),
    .req_op_i        (avc_op),
    .req_line_i      (avc_line),
    .req_mask_i      (32'hffffffff),
    .req_data_i      (avc_data),
    .rsp_valid_o     (avc_rsp_valid),
    .rsp_ready_i     (1'b1),
    .rsp_write_back_o(avc_write_back),
    .rsp_affine_o    (avc_affine),
    .rsp_line_o      (avc_rsp_line),
    .rsp_mask_o      (avc_rsp_mask),
    .rsp_data_o      (avc_rsp_data),
    .busy_o          (avc_busy)
  );

  // Returns when the last flit of the stream has left.
  task encode(input [1023:0] line);
    begin
      dpc_line = line;
      dpc_in_valid = 1;
      while (!dpc_in_ready) @(negedge clk);
      @(negedge clk);
      dpc_in_valid = 0;
      while (!dpc_done) @(negedge clk);
    end
  endtask

  // Returns at the falling edge at which the first answer or write-back is on offer.
  task access(input [1:0] op, input [1023:0] data);
    begin
      avc_op = op;
      avc_data = data;
      avc_req_valid = 1;
      while (!avc_req_ready) @(negedge clk);
      @(negedge clk);
      avc_req_valid = 0;
      while (!avc_rsp_valid) @(negedge clk);
    end
  endtask

  initial begin
    errors = 0;
    rst_n = 0;
    md5_start_valid = 0;
    md5_out_ready = 1;
    dpc_in_valid = 0;
    dpc_out_ready = 1;
    dpc_line = 0;
    avc_req_valid = 0;
    avc_op = 0;
    avc_line = 7;
    avc_data = 0;
    repeat (3) @(negedge clk);
    rst_n = 1;
    @(negedge clk);

    md5_start_valid = 1;
    while (!md5_start_ready) @(negedge clk);
    @(negedge clk);
    md5_start_valid = 0;
    while (!md5_out_valid) @(negedge clk);
    // RFC 1321, A.5: d41d8cd98f00b204e9800998ecf8427e; byte 0 in the low bits.
    check(md5_digest === 128'h7e42f8ec_980980e9_04b2008f_d98c1dd4, "digest of the empty message");

    encode(1024'h0);  // compressed, 32 planes of one bit each
    check(dpc_length === 11'd65 && dpc_bits === {1247'h0, 33'h1ffffffff}, "DPC of zeros");
    @(negedge clk);
    for (i = 0; i < 32; i = i + 1) dpc_line[32*i +: 32] = 32'h9e3779b9 * (i + 1);
    encode(dpc_line);  // every plane differs: all planes, bit 31 of every word first, behind a 0
    for (i = 0; i < 1024; i = i + 1) raw[i] = dpc_line[32*(i % 32) + 31 - i/32];
    check(dpc_length === 11'd1025 && dpc_bits === {255'h0, raw, 1'b0}, "DPC of a raw line");
    @(negedge clk);

    for (i = 0; i < 32; i = i + 1) affine[32*i +: 32] = 32'd400 + 4 * i;
    access(2'd1, affine);
    check(!avc_write_back && avc_affine, "an affine store is taken");
    @(negedge clk);
    access(2'd0, 1024'h0);
    check(!avc_write_back && avc_rsp_mask === 32'hffffffff && avc_rsp_data === affine, "its words are loaded");
    @(negedge clk);
    access(2'd1, dpc_line);
    check(!avc_write_back && !avc_affine, "another store is refused");
    @(negedge clk);
    access(2'd0, 1024'h0);
    check(avc_rsp_mask === 32'h0, "the words before it are dropped");
    @(negedge clk);
    access(2'd1, affine);
    @(negedge clk);
    access(2'd3, 1024'h0);
    check(avc_write_back && avc_rsp_line === 25'd7 && avc_rsp_mask === 32'hffffffff && avc_rsp_data === affine,
          "a flush writes back");

    if (errors == 0) $display("all answers as expected");
    $finish;
  end

  initial #100000 begin
    $display("wrong: no end");
    $finish;
  end
endmodule
`default_nettype wire
