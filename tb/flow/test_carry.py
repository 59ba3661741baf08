"""Records of RTL that was only written differently are carried over, those of other logic are not."""

import json
import shutil
import subprocess
import unittest

from support import REPO, Repository  # before flow: it names the folder

import flow

OLD = """  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) count_q <= '0;
    else if (step_i) count_q <= count_q == Width'(Top) ? '0 : count_q + 1'b1;
  end
"""
REWRITTEN = """  logic [Width-1:0] count_d;
  assign count_d = count_q != Width'(Top) ? Width'(1) + count_q : '0;
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= step_i ? count_d : count_q;
  end
"""


class Carry(Repository):
    def setUp(self):
        super().setUp()
        self.before = flow.logic_of([self.root / "rtl/toy/counter.sv"])
        self.write("tb/mutation/toy.json", json.dumps({"rtl": self.before, "percent": 100.0}))
        self.write("tb/long_runs.json", json.dumps({"toy": {"rtl": self.before}, "other": {"rtl": "0"}}))
        subprocess.run(["git", "-C", self.root, "init", "-q"], check=True, capture_output=True)
        self.commit("one")

    def commit(self, subject):
        for words in (("add", "."), ("-c", "user.name=t", "-c", "user.email=t@invalid", "commit", "-q", "-m", subject)):
            subprocess.run(["git", "-C", self.root, *words], check=True, capture_output=True)

    def records(self):
        return [json.loads((self.root / "tb/mutation/toy.json").read_text())["rtl"],
                json.loads((self.root / "tb/long_runs.json").read_text())["toy"]["rtl"]]

    def test_the_same_logic_takes_its_records_along(self):
        self.edit("rtl/toy/counter.sv", OLD, REWRITTEN)
        now = flow.logic_of([self.root / "rtl/toy/counter.sv"])
        self.assertNotEqual(now, self.before)
        code, text = self.call("carry", "HEAD")
        self.assertEqual((code, self.records()), (0, [self.before] * 2), text)
        self.assertRegex(text, r"toy/counter@paper +the same, 1 modules compared")
        code, text = self.call("carry", "HEAD", "--record")
        self.assertEqual((code, self.records()), (0, [now] * 2), text)
        self.assertIn("2 records carried over", text)

    def test_other_logic_does_not(self):
        for change in (("!= Width'(Top)", "!= Width'(Top - 1)"),       # another next state
                       ("if (!rst_ni) count_q <= '0;\n    else", "")):  # no reset
            self.write("rtl/toy/counter.sv", (self.root / "rtl/toy/counter.sv").read_text().replace(OLD, REWRITTEN))
            kept = (self.root / "rtl/toy/counter.sv").read_text()
            self.edit("rtl/toy/counter.sv", *change)
            code, text = self.call("carry", "HEAD", "--record")
            self.assertEqual((code, self.records()), (1, [self.before] * 2), f"{change}: {text}")
            self.assertRegex(text, r"toy/counter@paper +OTHER")
            self.write("rtl/toy/counter.sv", kept)

    def test_a_clock_gate_changes_nothing(self):
        (self.root / "rtl/common").mkdir(exist_ok=True)
        shutil.copy(REPO / "rtl/common/clock_gate.sv", self.root / "rtl/common")
        self.commit("a gate")
        listing = (self.root / "rtl/toy/counter.f").read_text()
        self.write("rtl/toy/counter.f", f"common/clock_gate.sv\n{listing}")
        gate = "  logic clk;\n  clock_gate i_gate (.clk_i, .enable_i(!rst_ni || step_i), .test_i(1'b0), .clk_o(clk));\n"
        self.edit("rtl/toy/counter.sv", OLD, gate + OLD.replace("posedge clk_i", "posedge clk"))
        code, text = self.call("carry", "HEAD", "--record")
        self.assertEqual((code, self.records()), (0, [flow.logic_of([self.root / "rtl/toy/counter.sv"])] * 2), text)
        self.assertNotEqual(self.records()[0], self.before)

    def test_a_record_that_was_old_stays_old(self):
        self.write("tb/mutation/toy.json", json.dumps({"rtl": "1234"}))
        self.edit("rtl/toy/counter.sv", OLD, REWRITTEN)
        self.assertEqual(self.call("carry", "HEAD", "--record")[0], 0)
        self.assertEqual(self.records()[0], "1234")

    def test_mistakes_in_the_input(self):
        self.assertIn("nosuch", self.refused("carry", "nosuch"))
        self.assertIn("blocks: toy", self.refused("carry", "HEAD", "--block", "nosuch"))


if __name__ == "__main__":
    unittest.main(argv=[__file__, "-v"])
