"""Other libraries: cell maps, flip-flops with inverted outputs, tie cells, libraries in several files, and refusals."""

import json
import subprocess
import unittest

import liberties
from support import Repository

CONSTANT = ("input wire logic clk_i, input wire logic d_i, output logic q_o, output logic one_o, output logic zero_o",
            "  always_ff @(posedge clk_i) q_o <= d_i;\n  assign one_o = 1'b1;\n  assign zero_o = 1'b0;")


class Cells(Repository):
    def library(self, writer):
        return [str(self.write(f"{writer.name}.lib", writer.text()))]

    def asap7(self):
        return [str(self.write(f"asap7_{part}.lib", text)) for part, text in liberties.asap7_files().items()]

    def synth(self, files, *options):
        code, text = self.call("synth", *(o for f in files for o in ("--liberty", f)), *options)
        self.assertEqual(code, 0, text)
        name = next(line for line in text.splitlines() if line.startswith("synth: ")).split()[1].rstrip(",")
        return text, json.loads((self.root / f"build/synth/toy-{name}.json").read_text())

    def netlist(self, module="counter"):
        """Mapped JSON of the one netlist of a module."""
        found = list((self.root / "build/synth/toy").glob(f"{module}_paper-*/*/mapped.json"))
        self.assertTrue(found)
        return found[0]

    def equivalent(self, files, netlist):
        """Yosys: netlist and RTL of the counter have equal outputs in 24 cycles from reset, whatever is stepped.

        The counter has 10 states, so every state and step is among them.
        """
        read = "\n".join(f"read_liberty -ignore_miss_func {f}" for f in files)
        script = self.write("equivalent.ys", f"""
read_verilog -sv {self.root}/rtl/toy/counter.sv
prep -flatten -top counter
rename counter gold
design -stash gold
{read}
read_json {netlist}
prep -flatten -top counter
rename counter gate
design -stash gate
design -copy-from gold gold
design -copy-from gate gate
miter -equiv -flatten -make_outputs gold gate miter
hierarchy -top miter
async2sync
sat -verify -seq 24 -set-at 1 in_rst_ni 0 -prove-skip 1 -prove trigger 0 miter
""")
        result = subprocess.run(["yosys", "-s", script], capture_output=True, text=True, check=False)
        answer = [line for line in result.stdout.splitlines() if line.startswith("SAT proof finished")]
        self.assertEqual(len(answer), 1, result.stdout[-500:] + result.stderr)
        return "no model found: SUCCESS" in answer[0]

    def check(self, files, cell_map, nand2, flop, scale):
        """Figures, choice of cells and function of the counter in one library."""
        text, entries = self.synth(files)
        self.assertIn(f"cells of synth/cells/{cell_map}.json: NAND2 {nand2} ", text)
        entry = entries[0]
        self.assertEqual(entry["registers"], 4)
        used = {c["type"] for c in json.loads(self.netlist().read_text())["modules"]["counter"]["cells"].values()}
        self.assertIn(flop, used)
        self.assertAlmostEqual(entry["fo4_ns"], scale, delta=scale / 2)
        self.assertRegex(entry["from"] + " " + entry["to"], r"count_q|step_i|value_o")
        self.assertTrue(self.equivalent(files, self.netlist()))
        return entry, used

    def test_nangate45(self):
        _, used = self.check(self.library(liberties.nangate45()), "nangate45", "NAND2_X1", "DFF_X1", 0.04)
        self.assertNotIn("SDFF_X1", used)

    def test_sky130_without_its_isolation_cells(self):
        _, used = self.check(self.library(liberties.sky130()), "sky130_fd_sc_hd", "sky130_fd_sc_hd__nand2_1",
                             "sky130_fd_sc_hd__dfxtp_1", 0.04)
        self.assertNotIn("sky130_fd_sc_hd__lpflow_inputiso0n_1", used)

    def test_asap7_in_three_files_with_an_inverted_flip_flop_in_ps_and_ff(self):
        files = self.asap7()
        entry, _ = self.check(files, "asap7", "NAND2xp33_ASAP7_75t_R", "DFFHQNx1_ASAP7_75t_R", 0.02)
        self.assertLess(entry["ns"], 1.0)  # ns, although the library counts in ps

    def test_equivalence_check_sees_a_missing_inverter_behind_the_flip_flop(self):
        files = self.asap7()
        self.synth(files)
        netlist = json.loads(self.netlist().read_text())
        cells = netlist["modules"]["counter"]["cells"]
        flop = next(c for c in cells.values() if c["type"].startswith("DFFHQN"))
        inverter = next(n for n, c in cells.items() if c["type"].startswith("INV")
                        and c["connections"]["A"] == flop["connections"]["QN"])
        wire, name = cells.pop(inverter)["connections"]["Y"], flop["connections"]["QN"]
        for cell in cells.values():
            cell["connections"] = {p: wire if b == name else b for p, b in cell["connections"].items()}
        self.assertFalse(self.equivalent(files, self.write("wrong.json", json.dumps(netlist))))

    def test_constants_come_from_tie_cells(self):
        self.module("constant", *CONSTANT)
        for writer, ties in ((liberties.nangate45(), {"LOGIC0_X1": 1, "LOGIC1_X1": 1}),
                             (liberties.sky130(), {"sky130_fd_sc_hd__conb_1": 2})):
            with self.subTest(writer.name):
                self.synth(self.library(writer), "--module", "constant")
        found = [json.loads(p.read_text())["modules"]["constant"]
                 for p in (self.root / "build/synth/toy").glob("constant_paper-*/area/mapped.json")]
        kinds = sorted(sorted(c["type"] for c in module["cells"].values()) for module in found)
        self.assertEqual(kinds, [["DFF_X1", "LOGIC0_X1", "LOGIC1_X1"],
                                 ["sky130_fd_sc_hd__conb_1", "sky130_fd_sc_hd__conb_1", "sky130_fd_sc_hd__dfxtp_1"]])

    def test_packed_file_is_read(self):
        import gzip
        path = self.root / "nangate.lib.gz"
        path.write_bytes(gzip.compress(liberties.nangate45().text().encode()))
        text, _ = self.synth([str(path)])
        self.assertIn("nangate45.json", text)

    def test_library_without_a_map_is_read_by_function(self):
        writer = liberties.nangate45()
        path = self.write("own.lib", writer.text().replace("_X1", "_MINE"))
        text, entries = self.synth([str(path)])
        self.assertIn("cells found by function: NAND2 NAND2_MINE", text)
        self.assertEqual(entries[0]["registers"], 4)

    def test_own_map_chooses(self):
        writer = liberties.nangate45().gate("BIG", 1.6, ["A", "B"], "Y", "!(A B)")
        cells = self.write("mine.json", '{"nand2": "BIG"}')
        text, entries = self.synth(self.library(writer), "--cells", str(cells))
        self.assertIn("NAND2 BIG area 1.6", text)
        _, usual = self.synth(self.library(writer))
        self.assertAlmostEqual(entries[0]["ge"], usual[0]["ge"] * 0.798 / 1.6, delta=0.2)

    def test_what_a_map_holds_stays_in_its_line(self):
        cells = self.write("odd.json", json.dumps({"nand2": "BIG", "node\nm\x1b": 1}))
        text = self.refused("synth", "--liberty", self.library(liberties.nangate45())[0], "--cells", str(cells))
        self.assertIn(r"unknown 'node\nm\x1b'", text)

    def test_broken_libraries_say_what_was_expected(self):
        good = liberties.nangate45().text()
        cases = {
            "cut": (good[:len(good) // 2], r"cut\.lib:\d+: malformed Liberty: .* never closed|ends in the middle"),
            "missing cell": (good.replace("cell (NAND2_X1)", "cell (NAND2_X7)"),
                             r"looks like Nangate 45 .* no cell NAND2_X1, the 2-input NAND \(nand2\) in .*nangate45\.json"),
            "no area": (good.replace("area : 0.532; cell_leakage_power", "cell_leakage_power", 1),
                        r"no area\.lib:\d+: malformed Liberty: cell INV_X1 has no area"),
            "negative area": (good.replace("area : 0.532", "area : -1", 1), r":\d+: .*area of INV_X1 is '-1', a number of at"),
            "zero area": (good.replace("area : 0.532", "area : 0", 1), "INV_X1 .* has area 0"),
            "Verilog": ("module x(input a);\nendmodule\n", r"Verilog\.lib:\d+: malformed Liberty"),
            "wrong function": (good.replace("!(A1 & A2)", "A1 & A2"), "NAND2_X1 .* is no 2-input NAND: ZN = 'A1 & A2'"),
            "scan flip-flop": (good.replace('next_state : "D"', 'next_state : "D CK"'), "DFF_X1 .* is no plain rising-edge"),
            "time unit": (good.replace('"1ns"', '"fast"'), "time_unit is 'fast': expected"),
        }
        for name, (text, message) in cases.items():
            with self.subTest(name):
                self.assertRegex(self.refused("synth", "--liberty", str(self.write(f"{name}.lib", text))), message)

    def test_files_of_two_libraries_are_refused(self):
        files = self.asap7()[:1] + self.library(liberties.nangate45())
        self.assertRegex(self.refused("synth", *(o for f in files for o in ("--liberty", f))),
                         "NangateOpenCellLibrary.lib: time_unit is 1ns: expected 1ps as in .*asap7_SIMPLE.lib")

    def test_a_part_of_a_library_names_what_is_missing(self):
        files = self.asap7()
        self.assertRegex(self.refused("synth", "--liberty", files[0], "--liberty", files[1]),
                         "no cell DFFHQNx1_ASAP7_75t_R, the plain rising-edge flip-flop .*give all its files")

    def test_broken_maps(self):
        library = self.library(liberties.nangate45())[0]
        for text, message in (("[]", "expected a JSON object"), ('{"nand": "X"}', "unknown 'nand': expected nand2"),
                              ('{"flop": 3}', "expected the name of a cell"), ('{"flop": "NAND2_X1"}', "is no plain rising-edge")):
            with self.subTest(text):
                cells = self.write("mine.json", text)
                self.assertRegex(self.refused("synth", "--liberty", library, "--cells", str(cells)), message)


if __name__ == "__main__":
    unittest.main()
