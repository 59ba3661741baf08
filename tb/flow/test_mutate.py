"""Mutation: netlist, build, runs, solver and record on the toy block; its helpers alone."""

import itertools
import json
import stat
import unittest

from support import REPO, Repository

import mutation  # noqa: E402  (support.py puts scripts/lib on the path)
from aiger import Aiger, encode  # noqa: E402
from facts import Search, nearest, solved  # noqa: E402
from induction import Step  # noqa: E402
from miter import doubled, frame  # noqa: E402

TESTS = r"""
#include <gtest/gtest.h>
#include <cstdlib>
#include "Vcounter_paper.h"
double sc_time_stamp() { return 0; }

// Steps at random and compares with arithmetic; WEAK looks at nothing.
TEST(Counter, FollowsArithmetic) {
  Vcounter_paper dut;
  std::srand(1);
  unsigned expected = 0;
  for (unsigned cycle = 0; cycle < 400; ++cycle) {
    dut.rst_ni = cycle > 1 && std::rand() % 50 != 0;
    dut.step_i = std::rand() % 4 != 0;
    dut.clk_i = 1;
    dut.eval();
    dut.clk_i = 0;
    dut.eval();
    expected = !dut.rst_ni ? 0 : dut.step_i ? (expected == 9 ? 0 : expected + 1) : expected;
    if (!std::getenv("WEAK")) ASSERT_EQ(dut.value_o, expected);
  }
  if (std::getenv("BROKEN")) FAIL();
}
TEST(Other, UsesNoModel) {}
int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
"""

BUILD = """#!/bin/sh
set -e
cd "$1"
mkdir -p tb
verilator --cc --exe --build {options} -O1 -Wno-fatal -Wno-lint -Wno-style --prefix Vcounter_paper --top-module counter \\
  --Mdir obj {sources} {root}/tests.cpp {repo}/scripts/cmake/mutant_select.cpp \\
  -LDFLAGS "-lgtest -lpthread" -o ../tb/test_rtl_toy
"""


def write_tests(repository, sources, options=""):
    """The toy's test program, and build.sh, which builds it from these sources."""
    repository.write("tests.cpp", TESTS)
    build = repository.write("build.sh", BUILD.format(root=repository.root, repo=REPO, sources=sources, options=options))
    build.chmod(build.stat().st_mode | stat.S_IXUSR)


class Mutate(Repository):
    def setUp(self):
        super().setUp()
        write_tests(self, "netlists/Vcounter_paper.sv")

    def mutate(self, *options, **env):
        return self.call("mutate", "--block", "toy", "--count", "30", *options,
                         env={"WARPSIEVE_MUTATE_BUILD": str(self.root / "build.sh"), **env})

    def test_from_netlist_to_record(self):
        code, text = self.mutate("--record")
        self.assertEqual(code, 0, text)
        self.assertIn("counter@paper (30)", text)
        self.assertRegex(text, r"toy: 30 mutants: \d+ killed, 0 by a hang, \d+ proved equivalent, 0 survived: 100.0 %")
        stored = (self.root / "build/mutate/toy/results.jsonl").read_text().splitlines()
        self.assertEqual(len(stored), 30)
        self.assertGreater(sum(json.loads(line)["by"] == "Counter.FollowsArithmetic" for line in stored), 20)
        record = json.loads((self.root / "tb/mutation/toy.json").read_text())
        self.assertEqual((record["mutants"], record["survived"], record["survivors"]), (30, 0, []))
        self.assertRegex(record["rtl"], "^[0-9a-f]{16}$")

        # Nothing is run twice; a torn last line of a stopped run is harmless.
        with (self.root / "build/mutate/toy/results.jsonl").open("a") as store:
            store.write('{"result": "kil')
        code, text = self.mutate()
        self.assertEqual(code, 0, text)
        self.assertIn("30 results of earlier runs are used", text)

        # What was proved under another contract is asked again.
        path = self.root / "build/mutate/toy/results.jsonl"
        first, *rest = path.read_text().splitlines()[:30]
        stale = {**json.loads(first), "result": "equivalent", "by": "", "solver": "another"}
        path.write_text("\n".join([*rest, json.dumps(stale)]) + "\n")
        self.assertIn("29 results of earlier runs are used", self.mutate()[1])

        # Tests that look at nothing kill nothing: survivors are named, and reasons survive a new record.
        (self.root / "build/mutate/toy/results.jsonl").unlink()
        code, text = self.mutate("--record", WEAK="1")
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"survivor \d+: counter@paper rtl/toy/counter.sv:\d+ \w+ of .*; solver: differs in cycle \d+")
        path = self.root / "tb/mutation/toy.json"
        record = json.loads(path.read_text())
        self.assertGreater(record["survived"], 20)
        self.assertEqual(record["survived"] + record["equivalent"], 30)
        record["survivors"][0]["reason"] = "written by hand"
        path.write_text(json.dumps(record))
        self.mutate("--record", WEAK="1")
        self.assertEqual(json.loads(path.read_text())["survivors"][0]["reason"], "written by hand")

        # The solver may be left for a later run.
        (self.root / "build/mutate/toy/results.jsonl").unlink()
        code, text = self.mutate("--solver", "0", WEAK="1")
        self.assertIn("0 proved equivalent, 30 survived", text)
        self.assertIn("solver: not asked", text)
        self.assertNotIn("not asked", self.mutate(WEAK="1")[1])

        # Tests that fail by themselves prove nothing.
        code, text = self.mutate(BROKEN="1")
        self.assertEqual(code, 2, text)
        self.assertIn("fail without any mutant: Counter.FollowsArithmetic", text)

    def test_list_names_mutants_and_runs_nothing(self):
        code, text = self.mutate("--list")
        self.assertEqual(code, 0, text)
        lines = text.splitlines()
        self.assertEqual(len(lines), 30)
        self.assertTrue(all("rtl/toy/counter.sv:" in line for line in lines), text)
        self.assertFalse(any(".CLK[" in line for line in lines))
        first = {path: path.stat().st_mtime_ns for path in self.root.glob("build/mutate/toy/yosys/*.il")}
        self.assertEqual(text, self.mutate("--list")[1])
        self.assertEqual({path: path.stat().st_mtime_ns for path in first}, first)  # a netlist is made once
        self.edit("rtl/toy/counter.sv", "count_q + 1'b1", "count_q - 1'b1")
        self.assertEqual(self.mutate("--list")[0], 0)
        self.assertTrue(all(path.stat().st_mtime_ns > before for path, before in first.items()))
        self.assertNotEqual(text, self.mutate("--list", "--seed", "2")[1])

    def test_contract_names_the_point_that_is_mutated(self):
        self.write("rtl/toy/points.txt", "odd counter 1 1 Width=3 Top=5\npaper counter 1 1 Width=4 Top=9\n")
        self.assertIn("counter@odd", self.mutate("--list")[1])
        self.write("tb/mutation/toy.contract", "counter point paper  # why\n")
        self.assertIn("counter@paper", self.mutate("--list")[1])
        self.assertIn("counter@odd", self.mutate("--list", "--point", "odd")[1])

    def test_mistakes_are_refused(self):
        self.assertIn("blocks: toy", self.refused("mutate", "--block", "nosuch"))
        self.assertIn("no point named 'odd'", self.refused("mutate", "--block", "toy", "--point", "odd"))
        for line, complaint in (("counter point odd", "toy.contract:1: counter has no point 'odd'"),
                                ("counter assume", "toy.contract:1: expected"), ("counter x y", "found 'counter x y'"),
                                ("counter output value_o", "found 'counter output value_o'")):
            self.write("tb/mutation/toy.contract", line + "\n")
            self.assertIn(complaint, self.refused("mutate", "--block", "toy", "--list"))
        self.assertIn("is no build: run `make build`", self.refused("mutate", "--block", "toy", "--models", "nosuch"))
        self.assertIn("whole blocks", self.refused("mutate", "--block", "toy", "--record", "--only", "1"))
        self.assertIn("--count", self.refused("mutate", "--block", "toy", "--count", "0"))


class Parts(Repository):
    def test_shares_add_up_and_forget_nobody(self):
        self.assertEqual(sum(mutation.shares([1, 100, 10000], 200)), 200)
        self.assertEqual(mutation.shares([5, 5], 7), [4, 3])
        self.assertGreaterEqual(min(mutation.shares([1, 10000], 200)), 1)

    def test_frame_tells_when_an_output_is_defined(self):
        bits = {"bits": [2, 3]}
        ports = {"clk_i": {"direction": "input", "bits": [1]}, "rst_ni": {"direction": "input", "bits": [1]},
                 "in_valid_i": {"direction": "input", "bits": [1]},
                 "out_valid_o": {"direction": "output", "bits": [1]}, "out_data_o": {"direction": "output", **bits}}
        text = frame("toy", ports, mutation.Contract(["clk_i == out_data_o"], {"out_data_o": "in_valid_i"}))
        self.assertIn("assign when_out_data_o = (in_valid_i) && out_valid_o[0];", text)
        self.assertNotIn("when_out_valid_o", text)
        self.assertIn("assume (rst_ni[0] || !(in_valid_i))", text)
        self.assertIn("assume (clk_i == out_data_o)", text)

    # q takes d in the end of every cycle, or 0 in reset; with fault 1 it takes d in reset, too, and fault 2 changes what
    # nobody sees: register 14. Inputs: rst_ni, d, fault_i[0], fault_i[1]; registers 10 (q) and 12 (a copy of d ^ fault).
    def network(self, outputs=("10", "2"), names=b"o0 q_o\no1 when_q_o\n"):
        gates = [(14, 7, 3), (16, 15, 4), (18, 8, 4), (20, 9, 5), (22, 21, 19)]  # 16: d & (rst_ni | fault 1); 22: d ^ fault 2
        binary = b"".join(encode(a - b) + encode(b - c) for a, b, c in gates)
        head = "\n".join(["aig 11 4 2 2 5", "16", "22", *outputs]) + "\n"
        return head.encode() + binary + b"i0 rst_ni\ni1 d_i\ni2 fault_i[0]\ni3 fault_i[1]\nl0 q\nl1 p\n" + names

    def test_aiger_survives_and_is_doubled(self):
        data = self.network()
        self.assertEqual(Aiger(data).bytes(), data)
        unseen = doubled(Aiger(data), 2, clocked=True)
        self.assertEqual(len(unseen.twins), 1)  # the other register reaches no output
        self.assertEqual(Step(unseen).bytes(), b"")
        seen = doubled(Aiger(self.network(outputs=("10", "12"), names=b"o0 q_o\no1 p_o\n")), 2, clocked=True)
        self.assertEqual(len(seen.twins), 2)
        self.assertTrue(Step(seen).bytes())
        self.assertEqual(Aiger(seen.bytes()).bytes(), seen.bytes())

    def test_a_fault_in_the_reset_is_told_from_one_behind_it(self):
        for fault, same in ((1, False), (2, True)):
            network = doubled(Aiger(self.network()), fault, clocked=True)
            self.assertEqual(network.same_after({"rst_ni": 0, "early_i": 1}), same)
            self.assertTrue(network.same_after({"rst_ni": 1, "early_i": 1}))
            network.tie("early_i", 1)
            self.assertEqual(network.same_after({"rst_ni": 0}), same)

    def can_part(self, gates, following, output="8", constraints=(), starts=("", "")):
        """Input 2; registers 4 (gold) and 6 (gate) of one name, and 8, which is the output."""
        binary = b"".join(encode(a - b) + encode(b - c) for a, b, c in gates)
        head = f"aig {4 + len(gates)} 1 3 1 {len(gates)}" + (f" 0 {len(constraints)}" if constraints else "")
        lines = [head, f"{following[0]}{starts[0]}", f"{following[1]}{starts[1]}", following[2], output, *map(str, constraints)]
        network = Aiger("\n".join(map(str, lines)).encode() + b"\n" + binary)
        network.twins = [(4, 6)]
        return self.possible(Step(network))

    def possible(self, step):
        """b"" when nothing needs to be looked at."""
        if not step.bytes():
            return b""
        network = Aiger(step.bytes())
        for values in itertools.product((0, 1), repeat=network.inputs):
            value = {0: 0, 1: 1}
            for index, bit in enumerate(values):
                value[2 + 2 * index], value[3 + 2 * index] = bit, 1 - bit
            for index, (a, b) in enumerate(network.gates):
                out = network.literal(index)
                value[out] = value[a] & value[b]
                value[out + 1] = 1 - value[out]
            if value[network.outputs[0]]:
                return True
        return False

    def test_one_step_of_induction(self):
        both = [(10, 4, 2), (12, 6, 2)]  # q & input in the copies
        self.assertEqual(self.can_part(both, (10, 12, 0)), b"")  # the same gate over the same register
        self.assertTrue(self.can_part(both, (10, 6, 0)))  # the gate copy forgets the input
        self.assertTrue(self.can_part(both, (10, 13, 0)))
        self.assertFalse(self.can_part(both, (10, 6, 0), constraints=[2]))  # which is promised to be 1
        self.assertFalse(self.can_part(both, (10, 6, 0), constraints=[5]))  # nothing is left to lose: q is 0
        self.assertFalse(self.can_part(both, (10, 6, 0), constraints=[4]))  # what must hold in the next cycle counts, too
        self.assertTrue(self.can_part(both, (10, 12, 10)))  # bad rises, whatever the registers do
        self.assertTrue(self.can_part(both, (10, 12, 0), output=10))
        # Registers that start apart are not taken for equal afterwards.
        self.assertTrue(self.can_part(both + [(14, 12, 11)], (10, 12, 14), starts=("", " 1")))
        self.assertFalse(self.can_part(both + [(14, 12, 11)], (10, 12, 14)))

    def search(self, wanted):
        """What is proved of a counter 0, 1, 2, 0, ... that goes to 3 when rst_ni and 40 inputs are 1 and `wanted` is."""
        network = Aiger()
        network.inputs, network.latches = 41, [[0], [0], [0]]
        low, high, data = network.latch_literals()
        network.names["l"] = {low: ["q[0]"], high: ["q[1]"], data: ["data"]}
        key = wanted
        for index in range(1, 41):
            key = network.both(key, 2 + 2 * index)
        clear = network.both(low ^ 1, high ^ 1)
        either = [network.any([x, key]) for x in (clear, low)]
        network.latches = [[network.both(2, either[0])], [network.both(2, either[1])], [4]]
        chosen = nearest(network, [low, data])
        self.assertEqual(chosen, [low, high, data])  # high decides about low
        return Search(network, chosen, [], 2).prove(lambda question: solved(question, self.root / "q.cnf")), low, high, data

    def test_facts_are_found_and_false_ones_refused(self):
        found, low, high, data = self.search(wanted=0)
        self.assertIn(((low, 1), (high, 1)), found)
        self.assertNotIn(((low, 0), (high, 0)), found)
        self.assertFalse([clause for clause in found if data in dict(clause) and len(clause) < 3])  # an input: anything
        # No simulation finds a key of 40 bits; the solver does.
        found, low, high, data = self.search(wanted=1)
        self.assertEqual(found, set())

    def test_facts_wait_for_the_solver(self):
        def gives_up(question):
            raise TimeoutError
        network = Aiger()
        network.inputs, network.latches = 1, [[0]]
        self.assertEqual(Search(network, network.latch_literals(), [], 2).prove(gives_up), set())
        path = self.root / "q.cnf"
        self.assertEqual(Search(network, network.latch_literals(), [], 2).prove(lambda q: solved(q, path)), {((4, 1),)})

    def test_facts_narrow_the_step(self):
        # The copy takes q & r, the original q: with r never 0 once the register 8 is 1, that is the same.
        network = Aiger()
        network.inputs, network.latches = 1, [[0]] * 5
        gold, gate, r, started, bad = network.latch_literals()
        network.latches = [[gold], [network.both(gate, r)], [2], [1], [0]]
        network.outputs, network.twins = [bad], [(gold, gate)]
        for when, possible in ((started, True), (1, False)):
            step = Step(network)
            self.assertEqual(step.registers(), {gate, r} if gate in step.registers() else {gold, r})
            step.never(when, [((r, 0),)])
            self.assertEqual(self.possible(step), possible)
        step = Step(network)
        step.never(started, [((r, 0),), ((r, 1),)])
        step.never(1, [((started, 0),)])
        self.assertFalse(self.possible(step))

    def test_large_numbers_are_coded_in_sevens(self):
        self.assertEqual(encode(127), b"\x7f")
        self.assertEqual(encode(128), b"\x80\x01")


if __name__ == "__main__":
    unittest.main()
