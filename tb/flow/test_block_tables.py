"""The generated parts of block READMEs (scripts/table, scripts/lib/block_tables.py)."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import REPO

sys.path.insert(0, str(REPO / "scripts" / "lib"))
import block_tables  # noqa: E402
import flow  # noqa: E402

MODULE = """// a queue
`default_nettype none
module queue #(
  parameter int unsigned Width = 32,  // bits per item
  parameter int unsigned Depth = 4,
  parameter int unsigned Bits = $clog2(Depth)  // follows
) (
  input  wire logic              clk_i,
  input  wire logic              in_valid_i,
  output logic                   in_ready_o,
  // data
  input  wire logic [Width-1:0]  in_data_i,  // the item,
                                             // all of it
  output logic [Width:0]         sum_o,
  output logic [Width-3:0]       rest_o,
  output logic [2*Width-1:0]     twice_o,
  output logic [3:0]             four_o
);
endmodule
"""


class Header(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "queue.sv"

    def header(self, text):
        self.path.write_text(text)
        return block_tables.header(self.path)

    def test_names_directions_bits_and_comments(self):
        parameters, ports = self.header(MODULE)
        self.assertEqual([p[0] for p in parameters], ["Width", "Depth", "Bits"])
        self.assertEqual([p[0] for p in block_tables.settable(parameters)], ["Width", "Depth"])
        self.assertEqual([p[2] for p in ports], ["1", "1", "1", "`Width`", "`Width + 1`", "`Width - 2`", "`2*Width`", "4"])
        self.assertEqual(ports[3][3], "the item, all of it")
        self.assertEqual(ports[2][3], "")  # a comment line of its own is a heading, not a meaning

    def test_handshakes_are_one_row_and_meanings_stay(self):
        ports = self.header(MODULE)[1]
        kept = block_tables.meanings("| `sum_o` | out | 9 | a \\| b |\n| `in_data_i` | in | 1 | old |\n")
        rows = {row[0]: row for row in block_tables.port_rows(ports, kept)}
        self.assertEqual(rows["`in_valid_i`, `in_ready_o`"][1:3], ["in, out", "1, 1"])
        self.assertNotIn("`in_ready_o`", rows)
        self.assertEqual(rows["`sum_o`"][3], "a \\| b")
        self.assertEqual(rows["`in_data_i`"][3], "the item, all of it")  # the header's comment comes first

    def test_what_is_no_port_is_an_error(self):
        with self.assertRaisesRegex(flow.FlowError, r"queue.sv:14: expected one parameter or one port"):
            self.header(MODULE.replace("output logic [Width:0]         sum_o,", "output logic a_o, b_o,"))
        with self.assertRaisesRegex(flow.FlowError, "no header of module queue"):
            self.header(MODULE.replace("module queue", "module cue"))


class Timing(unittest.TestCase):
    def test_lines_with_latency_become_rows(self):
        head = ("// a queue\n//\n//   in ──▶ out      latency 2\n//\n//   latency     1 cycle,\n//               or 2\n"
                "//   throughput  one per cycle\n// Text.\n")
        self.assertEqual(block_tables.timing_rows(head), [["latency", "1 cycle, or 2"], ["throughput", "one per cycle"]])

    def test_a_table_of_sizes_keeps_its_columns(self):
        head = "//   S        1     2\n//   latency  66    34   = 64 / S + 2\n"
        self.assertEqual(block_tables.timing_rows(head), [["S", "1", "2"], ["latency", "66", "34", "= 64 / S + 2"]])
        self.assertEqual(block_tables.timing_rows("// latency 2\n"), [])

    def test_costs_are_those_of_the_test(self):
        self.assertIn("| `cmd+verify` |", block_tables.costs())


class Readmes(unittest.TestCase):
    def test_a_changed_port_makes_the_readme_stale(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for part in ("rtl", "synth/baseline", "synth/energy", "synth/fpga", "synth/layout", "formal", "tb/mutation", "tb/coverage",
                         "tb/rtl"):
                shutil.copytree(REPO / part, root / part)
            for part in ("README.md", "synth/README.md", "synth/storage.json", "synth/ram_timing.json", "tb/long_runs.json"):
                shutil.copy(REPO / part, root / part)

            def table(*words):
                return subprocess.run([REPO / "scripts" / "table", *words], capture_output=True, text=True, check=False,
                                      env=dict(os.environ, WARPSIEVE_ROOT=folder, WARPSIEVE_BUILD=f"{folder}/build"))
            fresh = table("--check")
            self.assertEqual((fresh.returncode, fresh.stdout, fresh.stderr), (0, "", ""))
            path = root / "rtl" / "md5" / "md5_core.sv"
            text = path.read_text()
            path.write_text(text.replace("out_digest_o  // byte 0", "out_digest_o,  // first byte", 1)
                            .replace("\n);", "\n  output logic new_o\n);", 1))
            self.assertNotEqual(path.read_text(), text)
            stale = table("--check")
            self.assertEqual(stale.returncode, 1)
            self.assertIn("README.md is stale", stale.stdout)
            self.assertEqual(table().returncode, 0)
            self.assertEqual(table("--check").returncode, 0)
            self.assertIn("| `out_digest_o` | out | 128 | first byte, printed first, in bits 7:0 |\n| `new_o` | out | 1 |  |",
                          (root / "rtl" / "md5" / "README.md").read_text())


if __name__ == "__main__":
    unittest.main()
