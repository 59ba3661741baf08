"""scripts/icarus: the changes of the text, the testbench and that it can fail; skipped without Icarus."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import REPO

import flow
import icarus

ADD = """module bench;
  reg [63:0] x, y;
  wire [31:0] blocks, ripple;
  wire [63:0] wide;
  md5_add #(.Width(32), .Block(8)) i_blocks (.x_i(x[31:0]), .y_i(y[31:0]), .sum_o(blocks));
  md5_add #(.Width(32), .Block(32)) i_ripple (.x_i(x[31:0]), .y_i(y[31:0]), .sum_o(ripple));
  md5_add #(.Width(64), .Block(8)) i_wide (.x_i(x), .y_i(y), .sum_o(wide));
  integer i, seed;
  initial begin
    seed = 1;
    for (i = 0; i < 500; i = i + 1) begin
      x = {$random(seed), $random(seed)};
      y = i % 3 == 0 ? ~x + (i % 5) : {$random(seed), $random(seed)};
      #1;
      if (blocks !== x[31:0] + y[31:0] || ripple !== x[31:0] + y[31:0] || wide !== x + y) begin
        $display("wrong sum of %h and %h", x, y);
        $finish;
      end
    end
    $display("500 sums");
    $finish;
  end
endmodule
"""


@unittest.skipUnless(shutil.which("iverilog"), "iverilog is not installed")
class Icarus(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="warpsieve-icarus-")
        self.work = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def run_bench(self, sources, bench, *plus):
        (self.work / "bench.v").write_text(bench)
        self.assertEqual(icarus.compile_text([*sources, self.work / "bench.v"], "bench", self.work / "bench.vvp"), "")
        return subprocess.run(["vvp", "-N", self.work / "bench.vvp", *plus], capture_output=True, text=True, timeout=60).stdout

    def test_the_adder_that_the_testbenches_replace_adds(self):
        rules = [name for name in icarus.RULES if name != "adders"]
        sources = icarus.write_sources([REPO / "rtl/md5/md5_add.sv"], self.work, rules)
        self.assertIn("carry", sources[0].read_text())
        self.assertEqual(self.run_bench(sources, ADD), "500 sums\n")

    def skid(self, change=lambda text: text):
        """Output of stream_skid@min: two bits go in, one after the other."""
        point = next(p for p in flow.points("common") if p.module == "stream_skid")
        bench = icarus.Bench(point, icarus.Hints("common"))
        self.assertEqual(bench.inputs, ["rst_ni", "in_valid_i", "in_data_i", "out_ready_i"])
        self.assertEqual(bench.outputs, ["in_ready_o", "out_valid_o", "out_data_o"])
        # reset, valid, data, ready; ready, valid, data
        rows = ["0000100", "0000100", "1111111", "1101110", "1001100"]
        (self.work / "vectors").write_text("\n".join(rows) + "\n")
        sources = icarus.write_sources(flow.sources("common", "stream_skid"), self.work)
        text = sources[-1].read_text()
        self.assertTrue("module stream_skid" in text)
        sources[-1].write_text(change(text))
        return self.run_bench(sources, bench.text([1] * 7), f"+vectors={self.work / 'vectors'}", f"+cycles={len(rows)}")

    def test_a_module_that_does_as_recorded_passes(self):
        self.assertEqual(self.skid(), "done 5 2\n")

    def test_another_value_is_found(self):
        said = self.skid(lambda text: text.replace("in_data_i;", "~in_data_i;"))
        self.assertEqual(said, "out_data_o is 0, expected 1, in cycle 2\n")

    def test_x_on_a_valid_output_is_found(self):
        said = self.skid(lambda text: text.replace("if (head_free) head_q  <= next;", ""))
        self.assertEqual(said, "out_data_o is x, expected 1, in cycle 2\n")

    def test_changes_of_the_text(self):
        for before, after in (
                ("parameter int unsigned A = 1,", "parameter [31:0] A = 1,"),
                ("localparam logic [1:0] B = 2'd1;", "localparam [1:0] B = 2'd1;"),
                ("begin : g_bad_a\n  $error(\"a\");", "begin : g_bad_a\n  initial $fatal(1, \"a\");"),
                ("a_x: assert (!v || a == b);", "assert (!v || a === b);"),
                ("c_x: cover (a);", ";"),
                ("always_comb x = y;", "always @* x = y;"),
                ("x = 32'(p::f(3'(w)));", "x = (32'd0 | p::f(3'(w)));"),
                ("assert ($onehot0({a, b}));", "assert (((|(({a, b}) & (({a, b}) - 1'b1))) !== 1'b1));")):
            self.assertEqual(icarus.rewritten(before), after)

    def test_every_point_of_a_block_elaborates(self):
        run = subprocess.run([sys.executable, REPO / "scripts/icarus", "--block", "dpc"], capture_output=True, text=True,
                             env={"PATH": "/usr/bin:/bin", "WARPSIEVE_BUILD": str(self.work)}, timeout=300)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(run.stdout.count(" elaborated "), len(flow.points("dpc")))


if __name__ == "__main__":
    unittest.main()
