"""Synthesis: figures that can be counted by hand, drift, the cache, and broken libraries."""

import json
import re
import unittest
from pathlib import Path

from support import REPO, Repository

LIBERTY = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")


class Synth(Repository):
    def results(self, *options):
        code, text = self.call("synth", *options)
        self.assertEqual(code, 0, text)
        return {e["module"]: e for e in json.loads((self.root / "build/synth/toy.json").read_text())}

    def test_one_nand_is_one_gate(self):
        self.module("nand_gate", "input wire logic a_i, input wire logic b_i, output logic y_o", "  assign y_o = !(a_i && b_i);")
        entry = self.results("--module", "nand_gate")["nand_gate"]
        self.assertEqual((entry["ge"], entry["cells"], entry["registers"], entry["storage_bits"]), (1.0, 1, 0, 0))
        self.assertGreater(entry["ns"], 0.01)
        self.assertLess(entry["ns"], 0.5)

    def test_plain_register_costs_four_gates_per_bit(self):
        self.module("register", "input wire logic clk_i, input wire logic [7:0] d_i, output logic [7:0] q_o",
                    "  always_ff @(posedge clk_i) q_o <= d_i;")
        entry = self.results("--module", "register")["register"]
        self.assertEqual((entry["ge"], entry["registers"]), (32.0, 8))

    def test_reset_and_enable_are_gates_before_a_plain_register(self):
        entry = self.results()["counter"]
        self.assertEqual(entry["registers"], 4)
        self.assertGreater(entry["ge"], 16 + 4)  # more than the registers alone
        self.assertLess(entry["ge"], 16 + 30)

    def test_worst_path_is_named_by_rtl_signals(self):
        entry = self.results()["counter"]
        for end in (entry["from"], entry["to"]):
            self.assertRegex(end, r"^(count_q|value_o|step_i)(\[\d\])?$")

    def test_fo4_of_the_default_library(self):
        self.assertAlmostEqual(self.results()["counter"]["fo4_ns"], 0.10, delta=0.01)

    def test_memory_counts_in_bits_and_its_paths_are_timed(self):
        self.write("rtl/common/ram_1r1w.sv", (REPO / "rtl/common/ram_1r1w.sv").read_text())
        self.module("table", "input wire logic clk_i, input wire logic we_i, input wire logic [4:0] a_i, "
                    "input wire logic [6:0] d_i, output logic [6:0] q_o",
                    "  logic [6:0] r;\n  ram_1r1w #(.Width(7), .Depth(20)) i_ram (.clk_i, .we_i(we_i && a_i != 5'd3),\n"
                    "    .waddr_i(a_i), .wdata_i(d_i), .re_i(1'b1), .raddr_i(a_i), .rdata_o(r));\n  assign q_o = ~r;")
        self.write("rtl/toy/table.f", "common/ram_1r1w.sv\ntoy/table.sv\n")
        entry = self.results("--module", "table")["table"]
        self.assertEqual((entry["storage_bits"], entry["registers"]), (140, 0))
        self.assertIn("ws_ram_we", entry["to"])  # the comparison before the write enable is the longest path
        self.assertLess(entry["ge"], 20)

    def test_latch_is_refused(self):
        self.module("latch", "input wire logic e_i, input wire logic d_i, output logic q_o",
                    "  always_latch if (e_i) q_o = d_i;")
        code, text = self.call("synth", "--module", "latch")
        self.assertEqual(code, 1)
        self.assertIn("$_DLATCH", text)

    def test_drift_beyond_three_percent_fails_until_the_baseline_is_updated(self):
        self.assertEqual(self.call("synth", "--check")[0], 1)  # no baseline yet
        self.assertEqual(self.call("synth", "--update")[0], 0)
        self.assertEqual(self.call("synth", "--check")[0], 0)
        self.edit("rtl/toy/counter.sv", "assign value_o = count_q;", "assign value_o = count_q ^ (count_q >> 1);")
        code, text = self.call("synth", "--check")
        self.assertEqual(code, 1)
        self.assertRegex(text, r"toy/counter@paper: ge [\d.]+ -> [\d.]+ \(\+[\d.]+ %\)")
        self.assertEqual(self.call("synth", "--update")[0], 0)
        self.assertEqual(self.call("synth", "--check")[0], 0)

    def test_two_percent_is_tolerated_four_are_not(self):
        self.assertEqual(self.call("synth", "--update")[0], 0)
        path = self.root / "synth/baseline/toy.json"
        original = json.loads(path.read_text())
        for factor, code in ((1.02, 0), (0.96, 1)):
            changed = json.loads(json.dumps(original))
            changed["counter@paper"]["ge"] *= factor
            path.write_text(json.dumps(changed))
            self.assertEqual(self.call("synth", "--check")[0], code)

    def test_unchanged_points_come_from_the_cache(self):
        self.assertNotIn("(cached)", self.call("synth")[1])
        self.assertIn("(cached)", self.call("synth")[1])
        self.edit("rtl/toy/counter.sv", "latency 1", "latency one")
        self.assertNotIn("(cached)", self.call("synth")[1])

    def test_fresh_run_gives_the_same_figures(self):
        first = self.results()["counter"]
        again = self.results("--fresh")["counter"]
        for entry in (first, again):
            for time in ("seconds", "cpu"):
                entry.pop(time)
        self.assertEqual(first, again)

    def test_broken_libraries_give_one_line(self):
        good = LIBERTY.read_text()
        inner = good.index("cell (BUFX2)")
        cases = {
            "empty": ("", "empty"),
            "cut": (good[: len(good) // 2], "never closed|middle"),
            "extra": (good + "\n}\n", r":\d+: malformed Liberty: '}' without"),
            "garbage": ("\x00\x01\x02{{{{((((", "malformed|library groups"),
            "text": ("hello world\n", ":1: malformed"),
            "no cells": ("library(x) { time_unit : \"1ns\"; }", "no cell"),
            "area": (re.sub(r"area : 24", "area : big", good, count=1), "area of"),
            "no nand": (re.sub(r"cell \(NAND2X1\)", "cell_ (NAND2X1)", good), "nand2"),
            "colon": (good[:inner].replace("nom_voltage : 1.8", "nom_voltage 1.8") + good[inner:], "malformed"),
        }
        for name, (text, message) in cases.items():
            with self.subTest(name):
                path = self.write("broken.lib", text)
                self.assertRegex(self.refused("synth", "--liberty", str(path)), message)

    def test_missing_library_or_cell_map_gives_one_line(self):
        self.assertIn("no such Liberty", self.refused("synth", "--liberty", str(self.root / "none.lib")))
        cells = self.write("cells.json", '{"nand2": "NAND99"}')
        self.assertIn("NAND99", self.refused("synth", "--liberty", str(LIBERTY), "--cells", str(cells)))
        cells = self.write("cells.json", "{")
        self.assertIn("not JSON", self.refused("synth", "--cells", str(cells)))

    def test_another_library_is_not_compared_with_the_baseline(self):
        path = self.write("other.lib", LIBERTY.read_text())
        self.assertIn("default library", self.refused("synth", "--liberty", str(path), "--check"))
        self.assertEqual(self.call("synth", "--liberty", str(path))[0], 0)


class LibertyFunctions(unittest.TestCase):
    def test_dialects_of_boolean_functions(self):
        import liberty
        for function, table in (("!(A B)", [1, 1, 1, 0]), ("(A&B)'", [1, 1, 1, 0]), ("(A*B)", [0, 0, 0, 1]),
                                ("A'|B'", [1, 1, 1, 0]), ("(A+B)", [0, 1, 1, 1]), ("A^B", [0, 1, 1, 0]),
                                ("!(A^B)", [1, 0, 0, 1]), ("!A B", [0, 1, 0, 0]), ("A (B+!A)", [0, 0, 0, 1])):
            self.assertEqual(liberty.truth(function, ["A", "B"]), [bool(v) for v in table], function)
        for function in ("IQ", "A B)", "(A", "", "A ^"):
            self.assertIsNone(liberty.truth(function, ["A", "B"]), function)


if __name__ == "__main__":
    unittest.main()
