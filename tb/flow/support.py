"""A throw-away repository in a temporary folder, and the scripts of this repository run on it."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO / "scripts" / "lib"))

COUNTER = """// counter: counts to Top and starts again.  latency 1
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module counter #(parameter int unsigned Width = 4, parameter int unsigned Top = 9) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             step_i,
  output logic [Width-1:0]      value_o
);
  logic [Width-1:0] count_q;
  assign value_o = count_q;
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) count_q <= '0;
    else if (step_i) count_q <= count_q == Width'(Top) ? '0 : count_q + 1'b1;
  end
`ifdef FORMAL_COUNTER
  `include "counter_props.svh"
`endif
endmodule
`default_nettype wire
"""

COUNTER_PROPS = """
  `include "reset.svh"
  always_ff @(posedge clk_i) if (rst_ni && f_started_q) begin
`ifdef PLANT_TOP
    a_range: assert (count_q < Width'(Top));
`else
    a_range: assert (count_q <= Width'(Top));
`endif
    c_top: cover (count_q == Width'(Top));
  end
"""


def alive(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rsplit(")", 1)[1].split()[0] != "Z"  # nobody may reap it here


def wait_for(test, condition, seconds=60):
    """What the condition gives as soon as it gives something; the test fails when it never does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.1)
    return test.fail(f"waited for {seconds} s")


class Repository(unittest.TestCase):
    """self.root is a repository with one block, `toy`, whose one module is a counter."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="warpsieve-flow-")
        self.root = Path(self.folder.name)
        self.write("rtl/toy/counter.sv", COUNTER)
        self.write("rtl/toy/counter.f", "toy/counter.sv\n")
        self.write("rtl/toy/points.txt", "# point module latency rate parameters\npaper counter 1 1 Width=4 Top=9\n")
        self.write("formal/toy/counter_props.svh", COUNTER_PROPS)
        self.write("formal/toy/proofs.txt", "range counter prove 2 30 Width=4 Top=9\n")
        self.write("formal/reset.svh", (REPO / "formal" / "reset.svh").read_text())
        shutil.copytree(REPO / "synth", self.root / "synth", ignore=shutil.ignore_patterns("baseline"))

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def edit(self, name, old, new):
        text = (self.root / name).read_text()
        self.assertIn(old, text)
        self.write(name, text.replace(old, new))

    def module(self, name, ports, body, params=""):
        """Adds a module to the block, alone in its file, at a point named paper."""
        self.write(f"rtl/toy/{name}.sv", f"`default_nettype none\nmodule {name} {params} ({ports});\n{body}\n"
                                         "endmodule\n`default_nettype wire\n")
        self.write(f"rtl/toy/{name}.f", f"toy/{name}.sv\n")
        self.write("rtl/toy/points.txt", (self.root / "rtl/toy/points.txt").read_text() + f"paper {name} 1 1\n")

    def call(self, script, *options, env=None):
        """(exit code, what it printed)"""
        result = subprocess.run([sys.executable, REPO / "scripts" / script, *options], capture_output=True, text=True,
                                env=dict(os.environ, WARPSIEVE_ROOT=str(self.root),
                                         WARPSIEVE_BUILD=str(self.root / "build"), **(env or {})), check=False)
        return result.returncode, result.stdout + result.stderr

    def refused(self, script, *options):
        """The one line of an error with exit code 2."""
        code, text = self.call(script, *options)
        self.assertEqual(code, 2, text)
        lines = [line for line in text.splitlines() if "error:" in line]
        self.assertEqual(len(lines), 1, text)
        self.assertNotIn("Traceback", text)
        return lines[0]
