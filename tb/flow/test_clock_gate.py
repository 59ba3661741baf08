"""Gated clocks: the latch on Icarus for any enable, and the lock-step tests of line_hasher with its clock gated."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import REPO

import flow
import icarus

# The enable changes at any time but just before the clock rises. A pulse of clk_o begins and ends with one of the clock.
BENCH = """`timescale 1ns/1ns
module bench;
  reg clk = 0, enable = 0, test = 0, expected;
  wire gated;
  clock_gate dut (.clk_i(clk), .enable_i(enable), .test_i(test), .clk_o(gated));
  integer pulses = 0, held = 0, part, cycle;
  always @(gated) if (cycle > 0 && $time % 20 != (gated ? 0 : 10)) begin
    $display("clk_o is %b within a phase of the clock", gated);
    $finish;
  end
  initial begin
    for (cycle = 0; cycle < 2000; cycle = cycle + 1) begin
      for (part = 0; part < 18; part = part + 1) begin  // high for half of it, but for the first cycle
        if (part == 10) clk = 0;
        #1 enable = $random; test = $random % 4 == 0;
      end
      expected = enable || test;
      #2 clk = 1;
      #0 if (gated !== expected) begin
        $display("clk_o is %b, expected %b", gated, expected);
        $finish;
      end
      if (expected) pulses = pulses + 1; else held = held + 1;
    end
    $display("done %0d %0d", pulses, held);
    $finish;
  end
endmodule
"""


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)


class Latch(unittest.TestCase):
    def simulated(self, *macros):
        if not shutil.which("iverilog"):
            self.skipTest("iverilog is not installed")
        with tempfile.TemporaryDirectory(prefix="warpsieve-gate-") as folder:
            sources = icarus.write_sources([REPO / "rtl" / "common" / "clock_gate.sv"], folder)
            (Path(folder) / "bench.v").write_text(BENCH)
            output = Path(folder) / "bench.vvp"
            problem = icarus.compile_text([*sources, Path(folder) / "bench.v"], "bench", output, [f"-D{m}" for m in macros])
            self.assertEqual(problem, "")
            return run("vvp", "-N", output).stdout

    def test_whole_pulses_where_the_enable_is_high_before_the_edge(self):
        done, pulses, held = self.simulated(flow.CLOCK_GATE).split()
        self.assertEqual(done, "done")
        self.assertGreater(int(pulses), 500)
        self.assertGreater(int(held), 500)

    def test_without_the_latch_the_enable_cuts_pulses(self):
        self.assertIn("within a phase", self.simulated(flow.CLOCK_GATE, "PLANT_GATE_NO_LATCH"))

    def test_without_the_macro_every_pulse_passes(self):
        self.assertIn("expected 0", self.simulated())


class Gated(unittest.TestCase):
    def test_line_hasher_passes_its_tests_in_lock_step(self):
        if not (flow.BUILD / "rtl" / "libVmd5_core_s1.a").is_file():
            self.skipTest(f"{flow.BUILD} holds no verilated models: run make build")
        folder = flow.BUILD / "gated"
        done = run("cmake", "-S", REPO, "-B", folder, "-G", "Ninja", "--log-level=WARNING", "-DWARPSIEVE_TEST=rtl/md5",
                   f"-DWARPSIEVE_RTL_FROM={flow.BUILD}", "-DWARPSIEVE_GATED_CLOCKS=ON")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("ninja", "-C", folder, "-j2", "test_rtl_md5")
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])
        texts = [p.read_text() for p in sorted((folder / "rtl" / "md5" / "Vline_hasher_s4").glob("*DepSet*.cpp"))]
        self.assertTrue(any("open_q" in text for text in texts), "the model has no latch")
        done = run(folder / "tb" / "test_rtl_md5", "--gtest_filter=*LineHasher*", env=dict(os.environ, WARPSIEVE_SHRINK="0"))
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])
        self.assertIn("[  PASSED  ]", done.stdout)


if __name__ == "__main__":
    unittest.main()
