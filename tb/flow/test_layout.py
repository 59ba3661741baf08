"""scripts/layout without its tools: LEF and DEF by hand, planted opens and shorts, parasitics, records, bad input.

With WARPSIEVE_LONG=1 and the tools installed a small block is placed and routed, too.
"""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import REPO

import flow
import layout
import layout_records as records
import routed
from flow import FlowError

LEF = """
LAYER metal1
  TYPE ROUTING ;
  DIRECTION HORIZONTAL ;
  WIDTH 0.3 ;
  RESISTANCE RPERSQ 0.06 ;
  CAPACITANCE CPERSQDIST 1e-05 ;
  EDGECAPACITANCE 2e-05 ;
END metal1
LAYER via
  TYPE CUT ;
END via
LAYER metal2
  TYPE ROUTING ;
  DIRECTION VERTICAL ;
  WIDTH 0.3 ;
  RESISTANCE RPERSQ 0.03 ;
  CAPACITANCE CPERSQDIST 2e-05 ;
  EDGECAPACITANCE 3e-05 ;
END metal2
VIA M2_M1 DEFAULT
  LAYER metal1 ;
    RECT -0.200 -0.200 0.200 0.200 ;
  LAYER via ;
    RECT -0.1 -0.1 0.1 0.1 ;
  LAYER metal2 ;
    RECT -0.200 -0.200 0.200 0.200 ;
END M2_M1
VIARULE viagen21 GENERATE
  LAYER metal1 ;
    WIDTH 0.3 TO 60 ;
END viagen21
MACRO INV
  SIZE 2.000 BY 10.000 ;
  PIN A
    PORT
      LAYER metal1 ;
        RECT 0.200 2.000 0.600 3.000 ;
    END
  END A
  PIN Y
    PORT
      LAYER metal1 ;
        RECT 1.400 2.000 1.800 3.000 ;
    END
  END Y
  OBS
    LAYER metal1 ;
      RECT 0.9 6.0 1.1 7.0 ;
  END
END INV
MACRO FILL
  SIZE 1.000 BY 10.000 ;
END FILL
"""
# An inverter at 0 drives one at 10 um: 5 um of metal1, 2 um up on metal2, and 4 um of metal1 to the pin at 10.4 um.
DEF = """VERSION 5.6 ;
DESIGN top ;
UNITS DISTANCE MICRONS 100 ;
DIEAREA ( -100 -100 ) ( 1400 1100 ) ;
COMPONENTS 3 ;
- INV_1 INV + PLACED ( 0 0 ) N ;
- INV_2 INV + PLACED ( 1000 0 ) N ;
- FILL_1 FILL + PLACED ( 1200 0 ) N ;
END COMPONENTS
PINS 1 ;
- n1 + NET n1
  + LAYER metal2 ( -15 -15 ) ( 15 15 )
  + PLACED ( 40 1000 ) N ;
END PINS
NETS 2 ;
- n1
  ( PIN n1 )
  ( INV_1 A )
+ ROUTED metal2 ( 40 1000 ) ( * 250 ) M2_M1 ;
- n2
  ( INV_1 Y )
  ( INV_2 A )
+ ROUTED metal1 ( 160 250 ) ( 660 * ) M2_M1
  NEW metal2 ( 660 250 ) ( * 450 ) M2_M1
  NEW metal1 ( 660 450 ) ( 1040 * )
  NEW metal1 ( 1040 450 ) ( * 250 ) ;
END NETS
END DESIGN
"""


class Layout(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpsieve-layout-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def lef(self, text=LEF):
        (self.folder / "cells.lef").write_text(text)
        return routed.Lef(self.folder / "cells.lef")

    def read(self, text=DEF):
        (self.folder / "top.def").write_text(text)
        return routed.Def(self.folder / "top.def", self.lef())

    def changed(self, *pairs):
        text = DEF
        for old, new in pairs:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        return self.read(text)

    def test_figures_of_a_layout(self):
        self.assertEqual(routed.figures(self.read(), "FILL"), {
            "cells": 2, "cell_um2": 40.0, "core_um2": 130.0, "die_um2": 180.0, "wire_um": {"metal1": 10.8, "metal2": 9.5},
            "vias": 3, "nets": 2})

    def test_parasitics_of_a_net_by_hand(self):
        found = self.read()
        tree = routed.Tree(found, found.nets["n2"])
        self.assertEqual(tree.pieces, 1)
        # Per um of 0.3 um wire: area 0.3 um2, two edges.
        metal1, metal2 = 0.3 * 1e-5 + 2 * 2e-5, 0.3 * 2e-5 + 2 * 3e-5
        self.assertAlmostEqual(sum(tree.pf.values()), 10.8 * metal1 + 2.0 * metal2)
        ohms = sum(ohm for *_, ohm in tree.spanning(tree.name["pin", "INV_1", "Y"]))
        self.assertAlmostEqual(ohms, 10.8 / 0.3 * 0.06 + 2.0 / 0.3 * 0.03)

    def test_cells_that_are_turned(self):
        for turn, box in (("N", (20, 200, 60, 300)), ("FN", (140, 200, 180, 300)), ("FS", (20, 700, 60, 800)),
                          ("S", (140, 700, 180, 800))):
            found = self.changed(("INV + PLACED ( 0 0 ) N", f"INV + PLACED ( 0 0 ) {turn}"))
            self.assertEqual(found.terminal("INV_1", "A"), [("metal1", box)])

    def test_an_open_net_is_found(self):
        for old, new in (("NEW metal1 ( 660 450 )", "NEW metal1 ( 760 450 )"),   # beside the via
                         ("( 1040 * )", "( 1140 * )"),                           # crosses the last piece: still connected
                         ("( * 250 ) ;", "( * 340 ) ;")):                        # short of the pin
            found = self.changed((old, new))
            self.assertEqual(routed.Tree(found, found.nets["n2"]).pieces, 1 if "1140" in new else 2, new)

    def test_an_offset_within_the_metal_is_no_open_net(self):
        found = self.changed(("NEW metal1 ( 660 450 )", "NEW metal1 ( 660 460 )"), ("NEW metal1 ( 1040 450 )", "NEW metal1 ( 1040 460 )"))
        self.assertEqual(routed.Tree(found, found.nets["n2"]).pieces, 1)

    def test_a_loop_counts_its_metal_and_is_cut(self):
        found = self.changed(("NEW metal1 ( 1040 450 ) ( * 250 ) ;",
                              "NEW metal1 ( 1040 450 ) ( * 250 ) ( 660 * ) ;"))
        tree = routed.Tree(found, found.nets["n2"])
        self.assertEqual(tree.pieces, 1)
        self.assertAlmostEqual(sum(tree.pf.values()), 14.6 * 4.3e-5 + 2.0 * 6.6e-5)
        edges = list(tree.spanning(tree.name["pin", "INV_1", "Y"]))
        self.assertEqual(len(edges), len(set(tree.name.values())) - 1)

    def test_shorts_are_found(self):
        self.assertEqual(routed.shorts(self.read()), [])
        touching = self.changed(("( 660 250 ) ( * 450 ) M2_M1", "( 660 250 ) ( * 450 ) M2_M1\n  NEW metal2 ( 0 400 ) ( 100 * )"))
        self.assertEqual(routed.shorts(touching), [("metal2", "n1", "n2")])
        last = "NEW metal1 ( 1040 450 ) ( * 250 )"
        inside = self.changed((f"{last} ;", f"{last}\n  NEW metal1 ( 50 650 ) ( 120 * ) ;"))
        self.assertEqual(routed.shorts(inside), [("metal1", "INV_1/inside", "n2")])

    def test_bad_files_give_one_line_with_their_place(self):
        with self.assertRaisesRegex(FlowError, r"top\.def:6: malformed DEF: '- INV_1 NOR"):
            self.changed(("- INV_1 INV +", "- INV_1 NOR +"))
        with self.assertRaisesRegex(FlowError, r"top\.def:16: malformed DEF"):
            self.changed(("metal2 ( 40 1000 ) ( * 250 )", "metal7 ( 40 1000 ) ( * 250 )"))
        with self.assertRaisesRegex(FlowError, r"top\.def: expected UNITS DISTANCE MICRONS 100, found 2000"):
            self.changed(("MICRONS 100", "MICRONS 2000"))
        with self.assertRaisesRegex(FlowError, r"cells\.lef:5: malformed LEF: 'WIDTH wide ;'"):
            self.lef(LEF.replace("WIDTH 0.3 ;", "WIDTH wide ;", 1))
        with self.assertRaisesRegex(FlowError, r"cells\.lef: the LEF file holds no MACRO"):
            self.lef("VERSION 5.4 ;\n")
        with self.assertRaisesRegex(FlowError, r"no such DEF file"):
            routed.Def(self.folder / "none.def", self.lef())

    def test_worst_path_of_opensta(self):
        text = "Startpoint: g3 (rising edge-triggered)\nEndpoint: n9 (output)\n   998.98535   slack (MET)\n"
        self.assertEqual(layout.path(text), (998.98535, "g3", "n9"))
        self.assertEqual(layout.path("No paths found.")[0], None)

    def test_spef_and_netlist_names(self):
        pins = [{"A": "n1", "Y": "n2"}, {"A": "n2", "Y": "n3"}]
        block = mock.Mock(cells=[("INV", p, f"INV_{i}") for i, p in enumerate(pins, 1)], inputs=["n1"], outputs=[])
        block.drivers.return_value = {("INV_1", "Y"), ("INV_2", "Y")}
        block.terminals.side_effect = lambda: layout.Block.terminals(block)
        block.point.module = "top"
        self.assertEqual(block.terminals(), {"n1": [("INV_1", "A"), ("PIN", "n1")], "n2": [("INV_1", "Y"), ("INV_2", "A")]})
        text, is_open, pf = layout.parasitics(block, self.read())
        self.assertEqual(is_open, [])
        self.assertAlmostEqual(pf, 7.5 * 6.6e-5 + 10.8 * 4.3e-5 + 2.0 * 6.6e-5)
        for line in ("*P n1 I", "*I g0:A I", "*I g0:Y O", "*I g1:A I"):
            self.assertIn(f"\n{line}\n", text)
        broken = self.changed(("( * 250 ) ;", "( * 340 ) ;"))
        self.assertEqual(layout.parasitics(block, broken)[1], ["n2"])

    def test_picture(self):
        point = next(p for p in flow.points("common") if p.module == "fifo")
        text = records.picture(self.read(), point)
        self.assertIn("fifo (min): 15 x 12 µm", text)
        self.assertEqual(text.count('stroke="#0072b2"'), 1)  # metal1
        self.assertEqual(text, records.picture(self.read(), point))
        with mock.patch.object(records, "WIRES", 2):
            self.assertIn("wires from 5 µm on", records.picture(self.read(), point))

    def test_table_says_what_was_not_routed(self):
        whole = {"point": "paper", "cells": 1000, "registers": 9, "cell_um2": 900.0, "core_um2": 1000.0, "die_um2": 1100.0,
                 "wire_um": {"metal1": 500.0, "metal2": 1500.0}, "vias": 1234, "synthesized": {"ns": 2.0}, "routed": {"ns": 2.5}}
        late = {"point": "s1", "cells": 5, "registers": 1, "failed": "not routed in 30 minutes of the processor"}
        with mock.patch.object(records, "records", lambda: [("a", whole), ("b", late)]):
            found = list(records.rows())
            self.assertEqual(records.pictures(), "![a placed and routed](layout/a.svg)")
        self.assertEqual(found[0], ["`a`", "paper", "1,000", "9", "900", "1,000", "1,100", "90 %", "2.0", "1,234", "2.00", "2.50", "+25 %"])
        self.assertEqual(found[1], ["`b`", "s1", "5", "1", "not routed in 30 minutes of the processor", *[""] * 8])


class Records(unittest.TestCase):
    """In a copy of the tree, so that something may be changed."""

    def check(self, change):
        with tempfile.TemporaryDirectory(prefix="warpsieve-layout-") as folder:
            root = Path(folder)
            for part in ("rtl", "synth", "scripts/lib"):
                shutil.copytree(REPO / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
            change(root)
            done = subprocess.run([REPO / "scripts" / "layout", "--check"], capture_output=True, text=True, check=False,
                                  env=dict(os.environ, WARPSIEVE_ROOT=folder, WARPSIEVE_BUILD=f"{folder}/build"))
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout.splitlines()

    def test_fresh_records_and_a_comment(self):
        path = "rtl/common/fifo.sv"
        code, lines = self.check(lambda root: (root / path).write_text("// new\n" + (root / path).read_text()))
        self.assertEqual((code, len(lines)), (0, 1), lines)

    def test_another_rtl_script_point_netlist_or_a_missing_picture(self):
        def replaced(path, old, new):
            def change(root):
                text = (root / path).read_text()
                self.assertIn(old, text)
                (root / path).write_text(text.replace(old, new, 1))
            return change
        again = "make layout BLOCK=fifo"
        for change, said in (
                (replaced("rtl/common/fifo.sv", "always_ff", "logic more;\n  always_ff"),
                 f"synth/layout/fifo.json: is of another RTL: {again}"),
                (replaced("rtl/common/points.txt", "Width=32 Depth=8", "Width=32 Depth=9"),
                 f"synth/layout/fifo.json: rtl/common/points.txt has no fifo@paper with its parameters: {again}"),
                (replaced("synth/layout/fifo.json", '"ge": 2', '"ge": 3'), "synth/layout/fifo.json: its netlist has 3"),
                (lambda root: (root / "synth/layout/fifo.svg").unlink(), f"synth/layout/fifo.svg: is missing: {again}")):
            code, lines = self.check(change)
            self.assertEqual((code, len(lines)), (1, 1), lines)
            self.assertTrue(lines[0].startswith(said), lines)
        code, lines = self.check(replaced("scripts/lib/routed.py", "WIRE_END = 15", "WIRE_END = 16"))
        self.assertEqual((code, len(lines)), (1, len(records.records())), lines)

    def test_bad_input_gives_one_line(self):
        for words, said in ((["--block", "fifos"], "no block or module named 'fifos', did you mean fifo?"),
                            (["--block", "fifo", "--point", "papr"], "no point named 'papr', did you mean paper?"),
                            (["--minutes", "0"], "--minutes: expected at least 1, found 0")):
            done = subprocess.run([REPO / "scripts" / "layout", *words], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
            self.assertTrue(done.stderr.startswith(f"layout: error: {said}"), done.stderr)

    @unittest.skipUnless(os.environ.get("WARPSIEVE_LONG") and shutil.which("graywolf") and shutil.which("qrouter"),
                         "long: WARPSIEVE_LONG=1, with graywolf and qrouter")
    def test_a_small_block_through_the_tools(self):
        point = next(p for p in flow.points("common") if (p.module, p.name) == ("plru_tree", "paper"))
        with tempfile.TemporaryDirectory(prefix="warpsieve-layout-") as folder, mock.patch.object(flow, "BUILD", Path(folder)):
            entry, found = layout.measure(point, 600)
        self.assertGreater(entry["routed"]["ns"], entry["synthesized"]["ns"])
        self.assertEqual(routed.shorts(found), [])


if __name__ == "__main__":
    unittest.main()
