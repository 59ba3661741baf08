"""The table of rtl/README.md and the summary of the main job, from files written by hand."""

import json
import unittest
from unittest import mock

from support import Repository

import flow  # noqa: E402  (support.py puts scripts/lib on the path)
import proof_tables  # noqa: E402
import proofs  # noqa: E402

ENTRY = {"module": "counter", "point": "paper", "params": {"Width": "4", "Top": "9"}, "ge": 1234.5, "registers": 4,
         "storage_bits": 4130, "memories": {"256x16": 1, "17x2": 1}, "ns": 1.234, "fo4": 12.4, "from": "a", "to": "b", "recipe": "area"}
PROOF = {"module": "counter", "engine": "prove", "depth": 2, "params": {}, "result": "pass", "seconds": 1.6, "asserts": 3}


class Table(Repository):
    def setUp(self):
        super().setUp()
        self.write("rtl/README.md", "# Blocks\n\n<!-- table: begin (scripts/table) -->\n<!-- table: end -->\n")
        self.write("README.md", "# Product\n\n<!-- blocks: begin (scripts/table) -->\n<!-- blocks: end -->\n")
        self.write("rtl/toy/README.md", "# toy: counts\n")
        self.write("synth/baseline/toy.json", json.dumps({"counter@paper": ENTRY}))
        self.write("synth/storage.json", json.dumps({"ge": {"17x2": 370.25}}))
        with mock.patch.object(flow, "ROOT", self.root):
            key = proofs.proof_key(proofs.parse_proofs("toy")[0])
        self.write("formal/results.json", json.dumps({"toy": {
            "range": {**PROOF, "key": key}, "open": {**PROOF, "result": "TIMEOUT", "engine": "pdr", "seconds": 60},
            "bug": {**PROOF, "engine": "bug", "seconds": 9}}}))
        self.write("tb/rtl/toy/test_toy.cpp", "TEST(Toy, One) {\n}\nTEST_P(Toys, Two) {\n}\n// TEST(Not, Counted)\n")

    def test_row_joins_all_sources_and_counts_only_what_passed(self):
        self.assertEqual(self.call("table")[0], 0)
        text = (self.root / "rtl/README.md").read_text()
        self.assertIn("| toy | `counter` | paper | 1 | 1 | 1,605 | 1,234 | 4 | 4,096 | 1.23 | 12.4 |  |  |  | prove, 2 s |  |\n", text)
        self.assertIn("| toy | 2 |  | 1, 2 s | 1 |  |  |  |  |  |  |  |  |  |  |\n", text)
        self.assertIn("| [toy](rtl/toy/README.md) | counts | 1,605 | 1 |\n",
                      (self.root / "README.md").read_text())

    def test_memory_without_known_gates_leaves_the_sum_empty(self):
        self.write("synth/storage.json", json.dumps({"ge": {}}))
        self.assertEqual(self.call("table")[0], 0)
        self.assertIn("| paper | 1 | 1 |  | 1,234 | 4 | 4,130 | 1.23 |", (self.root / "rtl/README.md").read_text())

    def test_block_row_shows_mutants_and_coverage_as_recorded(self):
        logic = self.logic()
        self.write("tb/mutation/toy.json", json.dumps({"rtl": logic, "mutants": 200, "killed": 190, "hang": 1, "equivalent": 6,
                                                       "survived": 3, "percent": 98.5}))
        self.write("tb/long_runs.json", json.dumps({"toy": {"rtl": logic, "transactions": 1200000, "seconds": 30}}))
        self.write("tb/mutation/semantic/toy.json", json.dumps({"rtl": logic, "mutants": 21, "killed": 20, "by_proof_too": 7}))
        part = {"percent": 99.04, "total": 100, "hit": 99}
        self.write("tb/coverage/toy.json", json.dumps({"rtl": logic, "cpp": part, "sv": {**part, "percent": 100.0},
                                                       "toggle": part, "covers": {"total": 4, "hit": 4, "missed": []}}))
        self.assertEqual(self.call("table")[0], 0)
        self.assertIn("| toy | 2 | 1,200,000 | 1, 2 s | 1 | 98.5 % | 200 | 6 | 3 | 20 of 21 | 7 | 99.0 % | 100.0 % | 99.0 % | 4 of 4 |\n",
                      (self.root / "rtl/README.md").read_text())
        # A change of the RTL marks what was measured before it.
        self.edit("rtl/toy/counter.sv", "if (!rst_ni)", "if (rst_ni == 1'b0)")
        self.assertEqual(self.call("table", "--check")[0], 1)
        self.call("table")
        self.assertIn("| toy | 2 | 1,200,000 † | 1, 2 s † | 1 | 98.5 % † | 200 | 6 | 3 | 20 of 21 † | 7 | "
                      "99.0 % † | 100.0 % † | 99.0 % † | 4 of 4 |\n",
                      (self.root / "rtl/README.md").read_text())

    def logic(self):
        with mock.patch.object(flow, "ROOT", self.root):
            return flow.logic("toy")

    def test_comments_assertions_and_planted_bugs_are_no_change_of_the_rtl(self):
        before = self.logic()
        self.edit("rtl/toy/counter.sv", "    else if (step_i)", """`ifdef PLANT_STUCK
    else if (0)
`elsif PLANT_FAST  // a comment
    else if (1)
`else
    else if (step_i)
`endif
`ifndef SYNTHESIS
`ifdef FORMAL_COUNTER
    a_formal: assert (1);
`else
    a_simulated: assert (1);
`endif
`endif
   """)
        self.assertEqual(self.logic(), before)
        self.edit("rtl/toy/counter.sv", "`else\n    else if (step_i)", "`else\n    else if (!step_i)")
        self.assertNotEqual(self.logic(), before)

    def test_latency_and_rate_are_columns_of_the_points(self):
        for columns, expected in (("0 -", "comb. |  |"), ("12 1/3", "12 | 1/3 |"), ("- 1", " | 1 |")):
            self.write("rtl/toy/points.txt", f"paper counter {columns} Width=4 Top=9\n")
            self.assertEqual(self.call("table")[0], 0)
            self.assertIn(f"| paper | {expected}", (self.root / "rtl/README.md").read_text())
        self.write("rtl/toy/points.txt", "paper counter soon 1 Width=4 Top=9\n")
        self.assertIn("rtl/toy/points.txt:1: expected a latency", self.refused("table"))

    def test_text_around_the_table_stays_and_a_stale_table_is_noticed(self):
        self.call("table")
        path = self.root / "rtl/README.md"
        path.write_text(path.read_text() + "\nBelow.\n")
        self.assertEqual(self.call("table", "--check")[0], 0)
        self.write("synth/baseline/toy.json", json.dumps({"counter@paper": {**ENTRY, "ge": 2000}}))
        self.assertEqual(self.call("table", "--check")[0], 1)
        self.call("table")
        self.assertIn("2,000", path.read_text())
        self.assertTrue(path.read_text().endswith("\nBelow.\n"))

    def test_missing_markers_are_refused(self):
        self.write("rtl/README.md", "no table here\n")
        self.assertIn("markers", self.refused("table"))


class Summary(Repository):
    def results(self, clean):
        self.write("build/synth/toy.json", json.dumps([ENTRY]))
        self.write("build/formal/toy.json", json.dumps([{**PROOF, "proof": "range"}]))
        self.write("build/results/main.json", json.dumps({"runs": [
            {"workload": "bfs", "scheme": "cmd", "ipc": 1.5, "off_chip_requests": {"write": 0, "data_read": 70, "total": 70},
             "integrity": {"clean": clean, "checked_sectors": {"dram": 30, "read_back": 12}}, "verify": ""}]}))
        return self.call("summary")

    def test_gates_proofs_and_workloads_in_one_place(self):
        code, text = self.results(True)
        self.assertEqual(code, 0)
        self.assertRegex(text, r"toy +counter +paper +1234 +4 +4130 +1\.23 +12\.4")
        self.assertIn("proofs toy: 1 of 1 passed", text)
        self.assertRegex(text, r"bfs +cmd +IPC 1\.500 .*data_read 70, total 70; data: clean \(42 sectors checked\)")

    def test_corrupt_data_fails(self):
        code, text = self.results(False)
        self.assertEqual(code, 1)
        self.assertIn("data: WRONG", text)

    def test_what_is_no_result_is_named(self):
        for text in ('{"runs": [{}]}', '{"runs": 3}', "[]", '{"runs": [{"workload": 1}]}', "{}", "{"):
            self.write("build/results/other.json", text)
            self.assertIn("build/results/other.json: ", self.refused("summary"), text)


class Proofs(unittest.TestCase):
    """Cells of proof_tables: own properties and those of parts, with the size."""

    FULL = {"SubWords": "8", "Planes": "32"}

    def cells(self, module, *proved):
        proved = [{**PROOF, "older": False, **p} for p in proved]
        with mock.patch.object(proof_tables, "defaults", lambda block, module: {"SubWords": "2", "Planes": "4"}):
            return proof_tables.cells("dpc", module, proved, self.FULL)

    def test_module_without_a_property_of_its_own_shows_none(self):
        self.assertEqual(self.cells("dpc_encoder", {"module": "dpc_pack", "engine": "sat",
                                                    "params": {"SubWords": "3", "Planes": "9"}},
                                    {"module": "dpc_select", "engine": "sat", "params": self.FULL}),
                         ["", "sat, 3 s; `dpc_pack` SubWords x Planes: 3 x 9 of 8 x 32"])

    def test_largest_sizes_are_named_by_what_is_smaller(self):
        own = [{"module": "a", "params": {"SubWords": s, "Planes": p}} for s, p in (("8", "9"), ("3", "32"), ("3", "9"))]
        self.assertEqual(self.cells("a", *own), ["prove, 5 s; Planes: 9 of 32; SubWords: 3 of 8", ""])
        self.assertEqual(self.cells("a", *own, {"module": "a_proof", "params": self.FULL}), ["prove, 6 s; full size", ""])

    def test_size_of_a_proof_of_some_properties_is_not_that_of_all(self):
        own = [{"module": "a", "params": {"SubWords": "3", "Planes": "9"}},
               {"module": "a", "params": self.FULL, "name": "live-one", "engine": "pdr"},
               {"module": "a", "params": self.FULL, "name": "wide", "defines": ["FULL_SIZE"]}]
        self.assertEqual(self.cells("a", *own)[0],
                         "pdr, prove, 5 s; SubWords x Planes: 3 x 9 of 8 x 32; in part full size; in time full size")
        self.assertEqual(self.cells("a", own[1])[0], "pdr, 2 s; in time full size")
        self.assertEqual(self.cells("b", own[1])[1], "pdr, 2 s; `a` in time full size")
        gate = {"module": "a", "params": self.FULL, "name": "gate_paper", "engine": "script"}
        self.assertEqual(self.cells("a", own[0], gate)[0],
                         "prove, script, 3 s; SubWords x Planes: 3 x 9 of 8 x 32; clock gates full size")
        self.assertEqual(self.cells("a", {"module": "a", "params": self.FULL, "name": "parts_paper"})[0],
                         "prove, 2 s; between parts full size")

    def test_bounded_proof_says_how_far_it_looks(self):
        self.assertEqual(self.cells("a", {"module": "a", "engine": "bmc", "depth": 14})[0],
                         "bmc to 14 cycles, 2 s; SubWords x Planes: 2 x 4 of 8 x 32")


if __name__ == "__main__":
    unittest.main()
