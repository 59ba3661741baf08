"""scripts/lib/fpga.py: what it reads of Yosys and nextpnr, and a small block through the tools."""

import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import REPO  # noqa: F401  (puts scripts/lib on the path)

import flow
import fpga

STAT = """
=== top ===

   Number of wires:                 12
   Number of cells:                  3
     SB_LUT4                         3

=== design hierarchy ===

   Number of cells:                 21
     SB_CARRY                        2
     SB_DFFESR                       3
     SB_DFF                          1
     SB_LUT4                        12
     SB_RAM40_4K                     3
"""
LOG = """Info: Max frequency for clock 'clk_i$SB_IO_IN_$glb_clk': 99.01 MHz (PASS at 12.00 MHz)
Info: Max frequency for clock 'clk_i$SB_IO_IN_$glb_clk': 121.30 MHz (PASS at 12.00 MHz)
"""


class Fpga(unittest.TestCase):
    def test_cells_of_the_last_module(self):
        self.assertEqual(fpga.cells(STAT), {"SB_CARRY": 2, "SB_DFFESR": 3, "SB_DFF": 1, "SB_LUT4": 12, "SB_RAM40_4K": 3})

    def test_counts_of_each_chip(self):
        self.assertEqual(fpga.counted("ice40", fpga.cells(STAT)), {"luts": 12, "registers": 4, "rams": 3})
        self.assertEqual(fpga.counted("ecp5", {"LUT4": 5, "CCU2C": 3, "PFUMX": 2, "TRELLIS_FF": 7, "DP16KD": 1}),
                         {"luts": 11, "registers": 7, "rams": 1})
        self.assertEqual(fpga.counted("xilinx", {"LUT6": 5, "LUT2": 1, "RAM32M": 2, "FDRE": 4, "RAMB36E1": 1, "RAMB18E1": 1,
                                                 "BUFG": 1, "MUXF7": 3}), {"luts": 14, "registers": 4, "rams": 3})

    def test_speed_is_that_after_routing(self):
        self.assertEqual(fpga.megahertz(LOG), 121.3)
        self.assertIsNone(fpga.megahertz("Info: no clocks"))

    def test_rows_say_what_was_left_out(self):
        counts = {"luts": 12000, "registers": 4, "rams": 0}
        entry = {"ice40": counts, "ecp5": {"skipped": "more than 300 s of the processor"}, "xilinx": counts}
        with mock.patch.object(flow, "read_json", lambda path, default: {"fifo@paper": entry} if path.stem == "common" else {}):
            found = list(fpga.rows())
        self.assertEqual(found, [["common", "`fifo`", "paper", "12,000", "4", "0", "too large", "", "", "", "12,000", "4", "0"]])

    @unittest.skipUnless(shutil.which("nextpnr-ice40"), "nextpnr-ice40 is not installed")
    def test_a_small_fifo(self):
        point = next(p for p in flow.points("common") if (p.module, p.name) == ("fifo", "min"))
        with tempfile.TemporaryDirectory(prefix="warpsieve-fpga-") as folder, mock.patch.object(flow, "BUILD", Path(folder)):
            entry = fpga.measure(point, 60)
        for chip in fpga.CHIPS:  # the item and what says that it is there, and two pointers that are always 0
            self.assertIn(entry[chip]["registers"], (2, 4))
            self.assertEqual(entry[chip]["rams"], 0)
        self.assertGreater(entry["ice40"]["mhz"], 50)


if __name__ == "__main__":
    unittest.main()
