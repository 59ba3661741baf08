"""A project of its own, outside the tree, takes blocks by file list and by FuseSoC, and simulates them on two simulators."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import REPO

RTL = REPO / "rtl"
BLOCKS = ("md5_core", "dpc_encoder", "affine_cache")
TOP = """`timescale 1ns/1ns
module top;
  reg clk = 0, rst_n = 0;
  always #5 clk = !clk;

  // md5_core: the digest of "abc". Word 0 is the text and 0x80, word 14 the length in bits.
  reg start = 0;
  wire start_ready, last, md5_valid;
  wire [3:0] index;
  wire [5:0] step;
  wire [31:0] word = index == 0 ? 32'h80636261 : index == 14 ? 32'd24 : 32'd0;
  wire [127:0] digest;
  md5_core #(.StepsPerCycle(1)) i_md5 (
    .clk_i(clk), .rst_ni(rst_n), .start_valid_i(start), .start_ready_o(start_ready), .start_more_i(1'b0),
    .msg_index_o(index), .msg_step_o(step), .msg_last_o(last), .msg_word_i(word), .out_valid_o(md5_valid),
    .out_ready_i(1'b0), .out_digest_o(digest)
  );

  // dpc_encoder: a line of zeros is the flag, 4 ES bits and a bit per plane.
  reg line_valid = 0;
  wire line_ready, bits_valid, bits_last;
  wire [15:0] bits;
  wire [4:0] count;
  wire [3:0] mask_out;
  wire [5:0] length;
  dpc_encoder #(.SubWords(2), .Planes(4)) i_dpc (
    .clk_i(clk), .rst_ni(rst_n), .in_valid_i(line_valid), .in_ready_o(line_ready), .in_line_i(32'd0), .in_mask_i(4'hf),
    .out_valid_o(bits_valid), .out_ready_i(1'b0), .out_bits_o(bits), .out_count_o(count), .out_last_o(bits_last),
    .out_mask_o(mask_out), .out_length_o(length)
  );

  // affine_cache: 3, 4, 5 is stored as base and stride and comes back.
  reg request = 0;
  reg [1:0] op = 1;
  wire request_ready, answer, write_back, affine, busy;
  wire [3:0] line;
  wire [2:0] mask;
  wire [11:0] data;
  affine_cache #(.Lanes(3), .Width(4)) i_cache (
    .clk_i(clk), .rst_ni(rst_n), .req_valid_i(request), .req_ready_o(request_ready), .req_op_i(op), .req_line_i(4'd6),
    .req_mask_i(3'b111), .req_data_i(12'h543), .rsp_valid_o(answer), .rsp_ready_i(1'b1), .rsp_write_back_o(write_back),
    .rsp_affine_o(affine), .rsp_line_o(line), .rsp_mask_o(mask), .rsp_data_o(data), .busy_o(busy)
  );

  integer cycle = 0, answers = 0;
  always @(posedge clk) begin
    cycle <= cycle + 1;
    rst_n <= cycle >= 3;
    start <= cycle == 4;
    line_valid <= cycle >= 4 && !(line_valid && line_ready) && (line_valid || cycle == 4);
    request <= cycle == 6 || cycle == 30;
    op <= cycle < 20 ? 2'd1 : 2'd0;
    if (rst_n && answer) begin
      answers <= answers + 1;
      $display("answer %0d affine %b line %0d mask %b data %h", op, affine, line, mask, op == 0 ? data : 12'h0);
    end
    if (cycle == 100) begin
      $display("md5 %b %h", md5_valid, digest);
      $display("dpc %b %0d %h", bits_valid && bits_last, length, bits);
      $display("%0d answers", answers);
      $finish;
    end
  end
endmodule
"""
DIGEST = bytes.fromhex("900150983cd24fb0d6963f7d28e17f72")[::-1].hex()
SAID = ["answer 1 affine 1 line 6 mask 111 data 000", "answer 0 affine 0 line 6 mask 111 data 543", f"md5 1 {DIGEST}",
        "dpc 1 9 001f", "2 answers"]


def run(*command, cwd):
    return subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True, timeout=600)


class Project(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="warpsieve-project-")
        self.root = Path(self.folder.name)
        (self.root / "top.sv").write_text(TOP)

    def tearDown(self):
        self.folder.cleanup()

    def said(self, output):
        lines = [line for line in output.splitlines() if line.startswith(("answer", "md5", "dpc")) or line.endswith("answers")]
        self.assertEqual(lines, SAID, output)

    def test_verilator_by_file_lists(self):
        lists = [word for block in BLOCKS for word in ("-F", RTL / "lists" / f"{block}.f")]
        built = run("verilator", "--binary", "-O0", "-CFLAGS", "-O0", "-Wno-fatal", "-Wno-lint", "-Wno-MODDUP", "--top-module",
                    "top", *lists, "top.sv", cwd=self.root)
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        self.said(run("obj_dir/Vtop", cwd=self.root).stdout)

    @unittest.skipUnless(shutil.which("iverilog"), "iverilog is not installed")
    def test_icarus_by_the_written_text(self):
        written = run(REPO / "scripts/icarus", "--text", "rtl", *BLOCKS, cwd=self.root)
        self.assertEqual(written.returncode, 0, written.stderr)
        files = dict.fromkeys(name for block in BLOCKS for name in (self.root / "rtl" / f"{block}.f").read_text().split())
        built = run("iverilog", "-g2012", "-o", "top.vvp", "-s", "top", *files, "top.sv", cwd=self.root)
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        self.said(run("vvp", "-N", "top.vvp", cwd=self.root).stdout)

    def test_yosys_by_the_list_without_checks(self):
        for block in BLOCKS:
            path = RTL / "lists" / f"{block}.synth.f"
            files = " ".join(str((path.parent / name).resolve()) for name in path.read_text().split())
            self.assertNotIn("stream_check", files)
            read = run("yosys", "-q", "-p", f"read_verilog -sv {files}; hierarchy -check -top {block}; proc", cwd=self.root)
            self.assertEqual(read.returncode, 0, read.stderr)

    def test_what_is_made_from_the_file_lists_is_up_to_date(self):
        checked = run(REPO / "scripts/cores", "--check", cwd=self.root)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        text = (RTL / "Bender.yml").read_text()
        for path in (RTL).glob("*/*.sv"):
            self.assertIn(f"- {path.relative_to(RTL)}\n", text)

    @unittest.skipUnless(shutil.which("fusesoc"), "fusesoc is not installed")
    def test_fusesoc(self):
        (self.root / "top.core").write_text(
            "CAPI=2:\nname: stranger::top:1.0.0\nfilesets:\n  rtl:\n    files: [top.sv]\n    file_type: systemVerilogSource\n"
            "    depend: [warpsieve:rtl:md5, warpsieve:rtl:dpc, warpsieve:rtl:affine_cache]\ntargets:\n  sim:\n"
            "    filesets: [rtl]\n    toplevel: top\n    default_tool: verilator\n    tools:\n      verilator:\n"
            "        mode: binary\n        verilator_options: [-Wno-fatal, -Wno-lint, -O0]\n")
        ran = run("fusesoc", f"--cores-root={RTL}", f"--cores-root={self.root}", "run", "--target=sim", "--setup",
                  "stranger::top", cwd=self.root)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        script = next(self.root.rglob("*.vc"))
        built = run("verilator", "--binary", "-O0", "-Wno-fatal", "-Wno-lint", "--top-module", "top", "-f", script.name,
                    cwd=script.parent)
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)


if __name__ == "__main__":
    unittest.main()
