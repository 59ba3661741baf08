"""Semantic mutants: how they stand in one source, how they are killed and proved, and the lists of the blocks."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import COUNTER, REPO, Repository
from test_mutate import write_tests

import flow  # noqa: E402  (support.py puts scripts/lib on the path)
import semantic  # noqa: E402

LIST = """
[proofs]
range = "counter 14 30 of=range"
[[mutant]]
name = "wraps_late"
file = "counter.sv"
fault = "counts one beyond Top"
old = "count_q == Width'(Top)"
new = "count_q == Width'(Top + 1)"
proof = "range"
[[mutant]]
name = "ignores_step"
file = "counter.sv"
fault = "counts in every cycle"
old = "else if (step_i) count_q <= count_q == Width'(Top) ? '0 : count_q + 1'b1;"
new = "else count_q <= count_q == Width'(Top) ? '0 : count_q + 1'b1;"
[[mutant]]
name = "steps_down"
file = "counter.sv"
fault = "counts down"
old = "count_q + 1'b1"
new = "count_q - 1'b1"
"""


class OnToy(Repository):
    def setUp(self):
        super().setUp()
        write_tests(self, "$(cat netlists/Vcounter_paper.list)", "--assert -GWidth=4 -GTop=9")
        # Statements are chosen as a whole: a branch of an `if` alone is none.
        self.write("rtl/toy/counter.sv", COUNTER.replace("    if (!rst_ni) count_q <= '0;\n    else if",
                                                         "    if (!rst_ni) count_q <= '0;\n    if (rst_ni) begin\n    if")
                   .replace("+ 1'b1;\n", "+ 1'b1;\n    end\n"))
        self.list(LIST.replace("else if (step_i)", "if (step_i)").replace('"else count_q', '"count_q'))

    def list(self, text):
        self.write("tb/mutation/semantic/toy.toml", text)

    def mutate(self, *options, **env):
        return self.call("mutate", "--semantic", "--block", "toy", *options,
                         env={"WARPSIEVE_MUTATE_BUILD": str(self.root / "build.sh"), **env})

    def test_killed_by_tests_and_by_a_proof(self):
        code, text = self.mutate("--record")
        self.assertEqual(code, 0, text)
        self.assertIn("3 mutants: 3 killed, 0 by a hang", text)
        record = json.loads((self.root / "tb/mutation/semantic/toy.json").read_text())
        self.assertEqual((record["mutants"], record["killed"], record["survived"]), (3, 3, 0))
        self.assertEqual(record["points"], ["counter@paper"])
        self.assertEqual([row["by"] for row in record["results"]], ["Counter.FollowsArithmetic"] * 3)
        self.assertRegex(record["results"][0]["proof"], r"^found: .*a_range.* at step \d+$")
        self.assertNotIn("proof", record["results"][1])
        code, text = self.mutate("--list")
        self.assertIn("toy 1 wraps_late (rtl/toy/counter.sv:19): counts one beyond Top", text)

    def test_survivors_fail(self):
        code, text = self.mutate(WEAK="1")
        self.assertEqual(code, 1, text)
        self.assertIn("3 survived: 0.0 %", text)
        self.assertIn("steps_down (rtl/toy/counter.sv:19): counts down; all tests pass", text)

    def test_a_proof_that_does_not_see_it_fails(self):
        text = (self.root / "tb/mutation/semantic/toy.toml").read_text()
        self.list(text.replace('fault = "counts in every cycle"', 'fault = "counts in every cycle"\nproof = "range"'))
        code, text = self.mutate()  # it stays in the range
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"ignores_step .*proof range: ")

    def test_mistakes_are_refused(self):
        good = (self.root / "tb/mutation/semantic/toy.toml").read_text()
        for change, complaint in (
                (('"count_q + 1\'b1"', '"count_q + 2"'), "steps_down: counter.sv has its old text 0 times"),
                (('"count_q + 1\'b1"', '"count_q"'), "once is expected"),
                (('"count_q + 1\'b1"', '"Width\'(Top) ? \'0"'), "overlaps with that of"),
                (('"count_q + 1\'b1"', '"count_q + 1\'b1;"'), "begins within one"),
                (("steps_down", "wraps_late"), "the second of this name"),
                (("counter.sv", "other.sv"), "no such file: rtl/toy/other.sv"),
                (('proof = "range"', 'proof = "rang"'), "[proofs] has no 'rang', did you mean range?"),
                (("of=range", "of=rang"), "names no proof"),
                (("of=range", ""), "of=PROOF is missing"),
                (("fault =", "faults ="), "expected a text for 'fault'"),
                (("[[mutant]]", "[[mutant]"), "toy.toml: ")):
            self.assertIn(change[0], good)
            self.list(good.replace(*change))
            self.assertIn(complaint, self.refused("mutate", "--semantic", "--block", "toy", "--list"), change)
        self.assertIn("blocks: toy", self.refused("mutate", "--semantic", "--block", "tay"))


class Lists(unittest.TestCase):
    def test_every_block_has_twenty_that_are_in_its_rtl(self):
        self.assertEqual(semantic.blocks(), flow.blocks())
        for block in semantic.blocks():
            faults = semantic.Faults(block)
            self.assertGreaterEqual(len(faults.mutants), 20, block)
            mutated = {m.path for m in faults.mutants}
            left = [p.name for p in (REPO / "rtl" / block).glob("*.sv") if p not in mutated and "always" in p.read_text()]
            # One holds assertions only, the other a latch that the default form lacks.
            self.assertEqual([name for name in left if name not in ("stream_check.sv", "clock_gate.sv")], [], block)

    def test_every_text_is_read_by_verilator(self):
        # What an old text leaves over or a new one lacks is a syntax error only where it stands.
        with tempfile.TemporaryDirectory() as folder:
            for block in semantic.blocks():
                faults = semantic.Faults(block)
                left = {m.path for m in faults.mutants}
                for point in faults.points:
                    sources = semantic.Sources(point, faults)
                    if not left & {m.path for m in sources.mutants}:
                        continue  # its files were read within other modules
                    left -= {m.path for m in sources.mutants}
                    sources.write(Path(folder))
                    run = subprocess.run(
                        ["verilator", "--lint-only", "--assert", "-Wno-fatal", "-Wno-lint", "-Wno-style", f"-I{REPO}/rtl",
                         "--top-module", point.module, *[f"-G{n}={v}" for n, v in point.params.items()],
                         *(Path(folder) / f"{sources.name}.list").read_text().split()], capture_output=True, text=True)
                    self.assertEqual(run.returncode, 0, f"{block} {point.module}: {run.stderr[:2000]}")
                self.assertEqual(left, set(), block)


if __name__ == "__main__":
    unittest.main()
