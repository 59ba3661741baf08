"""The clock of a block: memories, loads, boundaries, the mapping for 45 FO4, and what the tables make of it."""

import copy
import json
import math
import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import REPO, Repository

BUILD = tempfile.mkdtemp(prefix="warpsieve-clock-")
unittest.addModuleCleanup(shutil.rmtree, BUILD)
os.environ["WARPSIEVE_BUILD"] = BUILD  # of what runs in this process

import budgets  # noqa: E402
import cacti  # noqa: E402
import clock_tables  # noqa: E402
import flow  # noqa: E402
import ram_timing  # noqa: E402
import storage  # noqa: E402
import synthesis  # noqa: E402
import timed_points  # noqa: E402

SWEEP = "sim_cpp/cost/data/cacti_sweep.csv"


def port(direction, *bits):
    return {"direction": direction, "bits": list(bits)}


def gate(a, y):
    return {"type": "INVX1", "connections": {"A": [a], "Y": [y]}}


def flop(d, q):
    return {"type": "DFFPOSX1", "connections": {"CLK": [2], "D": [d], "Q": [q]}}


def memory(access=20.0, setup=2.0):
    return {"i_ram.": {"access": access, "setup": dict.fromkeys(budgets.PINS["ram_1r1w"], setup)}}


class Paths(unittest.TestCase):
    """Netlists by hand: a_i and the memory's data go through inverters to registers, a register to q_o and the memory."""

    PORTS = {"clk_i": port("input", 2), "a_i": port("input", 3), "q_o": port("output", 7),
             "i_ram.ws_ram_rdata.i": port("input", 5), "i_ram.ws_ram_we": port("output", 8)}
    CELLS = {"to_f": gate(3, 4), "f": flop(4, 7), "to_g": gate(5, 6), "g": flop(6, 9), "to_ram": gate(9, 8)}

    @classmethod
    def setUpClass(cls):
        cls.tech = synthesis.Technology()
        cls.tech.measure()

    def paths(self, memories, ports=None, cells=None, straight=()):
        module = {"ports": ports or self.PORTS, "cells": self.CELLS if cells is None else cells}
        module["netnames"] = {name: {"bits": at["bits"]} for name, at in module["ports"].items()}
        point, work = flow.Point("toy", "p", "toy", "1", "1", {}), Path(tempfile.mkdtemp(dir=BUILD))
        synthesis.time_netlist(work, point, module, self.tech)
        return budgets.paths(work, point, module, memories, self.tech, straight)

    def test_a_slower_memory_moves_the_path_behind_it_by_as_much(self):
        fast, slow = self.paths(memory(access=20)), self.paths(memory(access=30))
        self.assertEqual(fast["register"][1], "i_ram.ws_ram_rdata")
        self.assertGreater(fast["register"][0], 20 + self.tech.setup)
        self.assertAlmostEqual(slow["register"][0] - fast["register"][0], 10, places=2)
        self.assertEqual(slow["in"], fast["in"])
        self.assertEqual(slow["out"], fast["out"])

    def test_a_longer_set_up_moves_the_path_before_it_by_as_much(self):
        fast, slow = self.paths(memory(0, 40)), self.paths(memory(0, 50))
        self.assertEqual(fast["register"][2], "i_ram.ws_ram_we")
        self.assertGreater(fast["register"][0], 40 + 1)
        self.assertAlmostEqual(slow["register"][0] - fast["register"][0], 10, places=2)

    def test_a_load_at_the_outputs_slows_them(self):
        loaded = self.paths(memory())
        with mock.patch.object(budgets, "LOAD", 0):
            free = self.paths(memory())
        self.assertGreater(loaded["out"][0], free["out"][0] + 1)
        self.assertEqual(loaded["in"], free["in"])
        self.assertLess(free["out"][0], self.tech.clock_to_q)  # that has the load of four inverters

    def test_paths_without_a_gate_are_there(self):
        ports = {**self.PORTS, "b_i": port("input", 20), "b_o": port("output", 20), "i_ram.ws_ram_waddr": port("output", 20),
                 "i_ram.ws_ram_wdata": port("output", 5), "r_o": port("output", 5)}
        found = self.paths(memory(20, 2), ports, cells={})
        self.assertEqual({kind: fo4 for kind, (fo4, *_) in found.items()}, {"through": 0, "in": 2, "register": 22, "out": 20})
        found = self.paths(memory(20, 2), {"i_ram.ws_ram_we": port("output", "0")}, cells={}, straight=["i_ram."])
        self.assertEqual(found["out"][0], 20)

    def test_a_module_without_registers_stands_between_two(self):
        found = self.paths({}, {"a_i": port("input", 3), "q_o": port("output", 4)}, {"g": gate(3, 4)})
        self.assertEqual(list(found), ["between"])
        self.assertGreater(found["between"][0], self.tech.clock_to_q + self.tech.setup + 1)
        # Beside registers such a path has to leave time to both neighbours.
        found = self.paths(memory(), {**self.PORTS, "r_o": port("output", 4)})
        self.assertLess(found["through"][0], self.tech.clock_to_q + self.tech.setup)

    def test_a_pin_of_an_unknown_memory_is_an_error(self):
        with self.assertRaisesRegex(flow.FlowError, "i_ram.ws_ram_rdata.i"):
            self.paths({})


class Clock(unittest.TestCase):
    def test_the_kind_with_the_longest_period_limits(self):
        found = {"register": [40.0, "a", "b"], "in": [30.0, "c", "d"], "out": [20.0, "e", "f"], "through": [10.0, "g", "h"]}
        clock = budgets.clock(found)
        self.assertEqual((clock["clock"], clock["limit"], clock["from"], clock["to"]), (42.9, "in", "c", "d"))  # 30 / 0.7
        found["through"][0] = 20.0
        self.assertEqual((budgets.clock(found)["clock"], budgets.clock(found)["limit"]), (50.0, "through"))  # 20 / 0.4
        with mock.patch.dict(budgets.LEFT, {"in": 0.5, "through": 0.8}):
            self.assertEqual(budgets.clock(found)["clock"], 60.0)  # 30 / 0.5
        self.assertEqual(budgets.clock({})["clock"], 0)

    def test_registers_to_add(self):
        # Each register adds 45 less the 4 FO4 of its own; 0.7 and 0.4 of the period are left of the first part.
        for limit, clock, number in (("register", 45, 0), ("register", 45.1, 1), ("register", 86, 1), ("register", 86.1, 2),
                                     ("in", 45, 0), ("in", 72.5 / 0.7, 1), ("in", 72.6 / 0.7, 2), ("through", 59 / 0.4, 1),
                                     ("through", 59.1 / 0.4, 2), ("between", 127, 2)):
            self.assertEqual(budgets.cuts({"limit": limit, "clock": clock}, overhead=4), number, (limit, clock))


class Memories(unittest.TestCase):
    def test_fo4_of_cacti(self):
        # 13.4 kOhm of 33 nm of width times 0.342 fF; 1.354 of that in a chain.
        self.assertAlmostEqual(cacti.fo4_ps(), 13.385 * 0.3424 * (1 + math.sqrt(1 + 4 * math.log(2) ** 2)) / 2, delta=0.02)

    def test_lanes_are_those_of_the_area_model(self):
        # As tb/sim/cost/test_area.cpp.
        self.assertEqual(cacti.lane(64, 1024), (8192, 64))
        self.assertEqual(cacti.lane(21, 256), (672, 32))
        self.assertEqual(cacti.lane(496, 64)[0], 248 * 64 // 8)

    def test_recorded_points_are_exact_and_others_lie_between(self):
        rows = (REPO / SWEEP).read_text()
        group = rows.split("g,ram,22,itrs-hp,8,64,1,1R1W,normal,default,350\n")[1].split("\ng,")[0]
        known = {int(row.split(",")[0]): float(row.split(",")[1]) for row in group.splitlines() if "!" not in row}
        exact = lambda size: 1000 * known[size] / cacti.fo4_ps()  # noqa: E731
        self.assertAlmostEqual(cacti.access(64, 1024)[0], exact(8192))
        between = cacti.access(64, 768)
        self.assertTrue(exact(4096) < between[0] < exact(8192))
        self.assertIn("from 4096 and 8192 B", between[1])
        with self.assertRaisesRegex(flow.FlowError, "no recorded ram of 8388608 B"):
            cacti.access(64, 1 << 20)

    def test_a_memory_outside_the_sweep_gets_a_stated_share(self):
        tech = mock.Mock(is_default=False, clock_to_q=2.0, setup=1.5)
        times = ram_timing.Timing(tech).of("64x1048576")
        self.assertEqual((times["access"], times["setup"]["we"]), (24.5, 1.5))
        self.assertRegex(times["source"], "^50 % of 45 FO4: CACTI: no recorded ram of 8388608 B")

    def test_the_record_is_of_the_sweep_and_has_every_shape(self):
        record = json.loads(ram_timing.RECORD.read_text())
        needed = {shape for path in (REPO / "synth/baseline").glob("*.json") for entry in json.loads(path.read_text()).values()
                  for shape in entry.get("memories", {})}
        self.assertEqual(set(record["shapes"]), needed)
        for shape, times in record["shapes"].items():
            if not storage.small(shape):
                access, source = cacti.access(*storage.size(shape), "1RW" if storage.parts(shape)[2] else "1R1W")
                self.assertEqual((times["access"], times["source"]), (round(record["clock_to_q"] + access, 2), source), shape)

    def test_a_small_memory_is_measured(self):
        tech = synthesis.Technology()
        tech.measure()
        record = json.loads(ram_timing.RECORD.read_text())
        self.assertEqual((record["fo4_ns"], record["clock_to_q"], record["setup"]), (tech.fo4, tech.clock_to_q, tech.setup))
        timing = ram_timing.Timing(tech)
        timing.known = {}
        self.assertEqual(timing.of("4x4"), record["shapes"]["4x4"])

    def test_a_memory_with_one_port_is_faster_than_one_with_two_and_has_its_pins(self):
        timing = ram_timing.Timing(mock.Mock(is_default=False, clock_to_q=2.0, setup=1.5))
        one, two = timing.of("256x128rw16"), timing.of("256x128")
        self.assertLess(one["access"], two["access"])
        self.assertIn("one port", one["source"])
        self.assertEqual(set(one["setup"]), {"we", "re", "addr", "wmask", "wdata"})
        self.assertEqual(set(two["setup"]), {"we", "re", "waddr", "raddr", "wdata"})
        self.assertEqual(storage.shapes({"a.": [256, 128, 16], "b.": [256, 128], "c.": [256, 128, 16]}),
                         {"256x128rw16": 2, "256x128": 1})
        with self.assertRaisesRegex(flow.FlowError, "WIDTHxDEPTHrwLANES, found '4x4rw0'"):
            storage.parts("4x4rw0")


class Tables(unittest.TestCase):
    ENTRY = {"ge": 100.0, "storage_bits": 0, "memories": {}, "timed": {"clock": 80.0},
             "fast": {"ge": 120.0, "clock": 45.0, "limit": "in", "from": "a_i", "to": "b_q", "paths": {"in": 31.5}}}

    def test_a_clock_that_is_missed_is_marked(self):
        entry = copy.deepcopy(self.ENTRY)
        self.assertEqual(clock_tables.cells(entry), ["80.0", "120", "45.0"])
        entry["fast"]["clock"] = 45.1
        self.assertEqual(clock_tables.cells(entry), ["80.0", "120", "**45.1**"])
        del entry["fast"]
        self.assertEqual(clock_tables.cells(entry), ["80.0", "", ""])
        del entry["timed"]
        self.assertEqual(clock_tables.cells(entry), ["", "", ""])

    def test_points_that_miss_it_are_listed_with_their_path(self):
        entry = copy.deepcopy(self.ENTRY)
        points = [flow.Point("toy", name, "toy", "1", "1", {}) for name in ("good", "bad", "new")]
        slow = copy.deepcopy(entry)
        slow["fast"].update(clock=50.0, paths={"in": 35.0})
        baseline = {"toy@good": entry, "toy@bad": slow}
        read = lambda path, default=None: baseline if path.name == "toy.json" else flow_read(path, default)  # noqa: E731
        flow_read = flow.read_json
        with mock.patch.object(flow, "blocks", lambda: ["toy"]), mock.patch.object(flow, "points", lambda block: points), \
                mock.patch.object(flow, "read_json", read):
            text = clock_tables.missed()
        self.assertIn("1 of 2 points meet 45 FO4. 1 more were not mapped for it.", text)
        self.assertIn("| `toy` | bad | 50.0 | input to register | 35.0 | `a_i` | `b_q` | 1 |", text)
        self.assertNotIn("good", text)


class Synth(Repository):
    def results(self, *options):
        code, text = self.call("synth", *options)
        self.assertEqual(code, 0, text)
        return {e["module"]: e for e in json.loads((self.root / "build/synth/toy.json").read_text())}, text

    def table(self):
        """A module with a compiled memory, whose data and write enable have a gate each."""
        self.write("rtl/common/ram_1r1w.sv", (REPO / "rtl/common/ram_1r1w.sv").read_text())
        self.write(SWEEP, (REPO / SWEEP).read_text())
        self.module("table", "input wire logic clk_i, input wire logic we_i, input wire logic [5:0] a_i, "
                    "input wire logic [31:0] d_i, output logic [31:0] q_o",
                    "  logic [31:0] r;\n  ram_1r1w #(.Width(32), .Depth(64)) i_ram (.clk_i, .we_i(we_i && a_i != 6'd3),\n"
                    "    .waddr_i(a_i), .wdata_i(d_i), .re_i(1'b1), .raddr_i(a_i), .rdata_o(r));\n  assign q_o = ~r;")
        self.write("rtl/toy/table.f", "common/ram_1r1w.sv\ntoy/table.sv\n")

    def test_a_slower_memory_moves_the_clock_without_new_synthesis(self):
        self.table()
        first, _ = self.results("--module", "table")
        path = self.root / "synth/ram_timing.json"
        record = json.loads(path.read_text())
        self.assertIn("32x64", record["shapes"])
        record["shapes"]["32x64"]["access"] += 14
        path.write_text(json.dumps(record))
        slower, text = self.results("--module", "table")
        self.assertNotIn("(cached)", text)
        self.assertAlmostEqual(slower["table"]["timed"]["clock"], first["table"]["timed"]["clock"] + 20, delta=0.11)  # 14 / 0.7
        self.assertEqual(slower["table"]["seconds"], first["table"]["seconds"])  # the same netlist
        for figure in ("ge", "ns", "fo4"):
            self.assertEqual(slower["table"][figure], first["table"][figure])
        self.assertIn("(cached)", self.results("--module", "table")[1])

    def test_a_memory_that_the_record_lacks_is_computed(self):
        self.table()
        first, _ = self.results("--module", "table")
        (self.root / "synth/ram_timing.json").unlink()
        again, _ = self.results("--module", "table", "--fresh")
        self.assertEqual(again["table"]["timed"], first["table"]["timed"])

    def test_a_faster_clock_costs_gates_and_a_miss_is_recorded(self):
        self.module("multiply", "input wire logic clk_i, input wire logic [9:0] a_i, input wire logic [9:0] b_i, "
                    "output logic [9:0] q_o", "  logic [9:0] a_q;\n"
                    "  always_ff @(posedge clk_i) begin a_q <= a_i; q_o <= a_q * b_i * a_q; end")
        found, _ = self.results("--module", "multiply", "--fast")
        fast = found["multiply"]["fast"]
        self.assertEqual(set(fast["tried"]), set(timed_points.RECIPES))
        self.assertEqual(fast["clock"], min(clock for _, clock in fast["tried"].values()))
        self.assertGreater(fast["clock"], 45)
        self.assertLess(fast["clock"], found["multiply"]["timed"]["clock"])
        self.assertEqual((fast["limit"], fast["to"][:3]), ("in", "q_o"))
        self.assertGreater(budgets.cuts(fast, 4), 0)

    def test_figures_of_the_faster_mapping_go_with_their_netlist(self):
        self.results("--fast", "--update")
        path = self.root / "synth/baseline/toy.json"
        base = json.loads(path.read_text())
        self.assertEqual(base["counter@paper"]["fast"]["recipe"], "area")  # it is fast enough as it is
        self.results("--fast", "--check")
        for part, figure in (("fast", "clock"), ("fast", "ge"), ("timed", "clock")):
            changed = copy.deepcopy(base)
            changed["counter@paper"][part][figure] *= 1.05
            path.write_text(json.dumps(changed))
            code, text = self.call("synth", "--fast", "--check")
            self.assertEqual(code, 1)
            self.assertIn(f"{'fast ' if part == 'fast' else ''}{figure} ", text)
        path.write_text(json.dumps(base))
        self.results("--update")
        self.assertEqual(json.loads(path.read_text()), base)
        self.edit("rtl/toy/counter.sv", "assign value_o = count_q;", "assign value_o = count_q ^ (count_q >> 1);")
        self.results("--update")
        self.assertNotIn("fast", json.loads(path.read_text())["counter@paper"])
        code, text = self.call("synth", "--fast", "--check")
        self.assertEqual(code, 1)
        self.assertIn("fast ge: not in the baseline", text)


if __name__ == "__main__":
    unittest.main()
