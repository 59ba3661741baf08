"""Energy: toggles and pJ that can be computed by hand, and what the replay notices."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import liberties
from support import REPO, Repository

import activity
import flow
import liberty
import power

POWER = 0.004  # pJ, internal energy of a rising output of the stand-in inverter; three times that when it falls


def library(folder):
    writer = liberties.Writer("hand").gate("NAND2", 1.0, ["A", "B"], "Y", "!(A & B)")
    writer.gate("INV", 0.5, ["A"], "Y", "!A", power=POWER, leakage=5.0).gate("BUF", 0.8, ["A"], "Y", "A")
    writer.flop("DFF", 4.0, "CK", "D", "D", [("Q", "IQ")])
    path = Path(folder) / "hand.lib"
    path.write_text(writer.text())
    return liberty.Library([path])


class Waveform:
    """Writes FST files; the program is compiled once."""
    program = None

    @classmethod
    def write(cls, path, module, text):
        if cls.program is None:
            root = subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], capture_output=True, text=True, check=True).stdout
            cls.folder = tempfile.TemporaryDirectory(prefix="warpsieve-fst-")
            cls.program = Path(cls.folder.name) / "write_fst"
            subprocess.run(["g++", "-std=c++20", "-O1", "-w", f"-I{root.strip()}/include", REPO / "tb/flow/write_fst.cpp", "-lz",
                            "-o", cls.program], check=True)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([cls.program, path, module], input=text, text=True, check=True)
        return Path(path)


def port(direction, *bits):
    return {"direction": direction, "bits": list(bits)}


def chain():
    """clk_i, a_i -> three inverters -> y_o, and a flip-flop of a_i that feeds nothing."""
    gate = lambda a, y: {"type": "INV", "connections": {"A": [a], "Y": [y]}}  # noqa: E731
    return {"ports": {"clk_i": port("input", 2), "rst_ni": port("input", 7), "a_i": port("input", 3), "y_o": port("output", 6)},
            "cells": {"g0": gate(3, 4), "g1": gate(4, 5), "g2": gate(5, 6),
                      "f": {"type": "DFF", "connections": {"CK": [2], "D": [3], "Q": [8]}}}}


class Chain(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="warpsieve-energy-")
        self.root = Path(self.folder.name)
        self.library = library(self.root)
        self.old, flow.BUILD = flow.BUILD, self.root / "build"

    def tearDown(self):
        flow.BUILD = self.old
        self.folder.cleanup()

    def replay(self, a, events=("a_i",), y=None, module=None, params="param Depth 3\n"):
        point = flow.Point("toy", "paper", "chain", "-", "-", {"Depth": "3"})
        (self.root / "rtl").mkdir(exist_ok=True)
        gates = activity.Gates(point, module or chain(), {}, self.library)
        activity.parameters = lambda p: {"Depth": 3}
        values = y or "".join("10"[int(v)] for v in a)
        text = params + "in rst_ni 1\nin a_i 1\nout y_o 1\n" + "cycle 0 0 1\n" * 2
        text += "".join(f"cycle 1 {v} {w}\n" for v, w in zip(a, values))
        wave = Waveform.write(self.root / "w.fst", "chain", text)
        return gates, activity.replay(gates, self.root / "work", [wave], list(events))

    def test_toggles_are_those_of_the_input_on_every_net_of_the_chain(self):
        gates, found = self.replay("0110100")
        at = lambda bit: found["toggles"][gates.place[bit]]  # noqa: E731
        self.assertEqual([at(3), at(4), at(5), at(6)], [4, 4, 4, 4])
        self.assertEqual(at(8), 4)  # the flip-flop, one cycle later
        self.assertEqual(at(7), 0)  # reset: not counted while it lasts
        self.assertEqual((found["cycles"], found["events"], found["files"]), (7, [3], 1))
        self.assertEqual((found["control_differences"], found["payload_differences"]), (0, 0))

    def test_energy_is_toggles_times_what_a_toggle_costs(self):
        gates, found = self.replay("0110100")
        meter = power.Power(self.library)
        netlist = power.Netlist(gates, meter)
        parts = netlist.energy(found["toggles"])
        # 1 V; pins of 2 fF: a_i feeds an inverter and a flip-flop, two nets one inverter each, y_o and Q nothing.
        self.assertAlmostEqual(parts["pins"], 4 * 0.5 * (2 + 1 + 1) * 0.002, places=9)
        # Three inverters, mean of rise and fall.
        self.assertAlmostEqual(parts["cells"], 4 * 3 * (POWER + 3 * POWER) / 2, places=9)
        pitch = ((3 * 0.5 + 4.0) / 4) ** 0.5
        wire = power.WIRE_PITCHES * pitch * power.WIRE_FF_PER_UM / 1000
        self.assertAlmostEqual(parts["wires"], 4 * 0.5 * 4 * wire, places=9)
        self.assertAlmostEqual(netlist.clock, 0.003, places=9)  # C V^2 of one clock pin, both edges
        self.assertAlmostEqual(netlist.leakage_nw, 3 * 5.0, places=9)

    def test_twice_the_voltage_is_four_times_the_energy_of_the_loads(self):
        gates, found = self.replay("01010101")
        once = power.Netlist(gates, power.Power(self.library)).energy(found["toggles"])
        self.library.attributes["nom_voltage"] = "2.0"
        twice = power.Netlist(gates, power.Power(self.library)).energy(found["toggles"])
        self.assertAlmostEqual(twice["pins"], 4 * once["pins"], places=9)
        self.assertAlmostEqual(twice["cells"], once["cells"], places=9)

    def test_a_quiet_input_costs_the_clock_only(self):
        gates, found = self.replay("00000")
        self.assertEqual(sum(found["toggles"]), 0)
        self.assertEqual(found["cycles"], 5)

    def gated(self, enable, values):
        """The flip-flop of a_i behind a gate that passes its clock while e_i is high; y_o is the flip-flop."""
        module = {"ports": {"clk_i": port("input", 2), "rst_ni": port("input", 7), "a_i": port("input", 3), "e_i": port("input", 4),
                            "y_o": port("output", 5), "g.ws_ram_rdata.i": port("input", 6), "g.ws_ram_we": port("output", 4)},
                  "cells": {"f": {"type": "DFF", "connections": {"CK": [6], "D": [3], "Q": [5]}}}}
        point = flow.Point("toy", "paper", "chain", "-", "-", {"Depth": "3"})
        (self.root / "rtl").mkdir(exist_ok=True)
        gates = activity.Gates(point, module, {}, self.library)
        activity.parameters = lambda p: {"Depth": 3}
        text = "param Depth 3\nin rst_ni 1\nin a_i 1\nin e_i 1\nout y_o 1\n" + "cycle 0 0 1 0\n" * 2
        text += "".join(f"cycle 1 {a} {e} {y}\n" for a, e, y in zip("0110100", enable, values))
        wave = Waveform.write(self.root / "w.fst", "chain", text)
        return gates, activity.replay(gates, self.root / "work", [wave], ["a_i"])

    def test_a_register_behind_a_gate_keeps_its_value_while_the_enable_is_low(self):
        _, found = self.gated("1100101", "0111110")
        self.assertEqual((found["payload_differences"], found["events"], found["enabled"]), (0, [3], [4]))
        _, found = self.gated("1100101", "0110100")  # what it gives with its clock in every cycle
        self.assertGreater(found["payload_differences"], 0)

    def test_clock_pins_behind_a_gate_count_in_the_cycles_that_it_passes(self):
        gates, _ = self.gated("1100101", "0111110")
        netlist = power.Netlist(gates, power.Power(self.library))
        # 1 V, both edges. In every cycle the gate's pins: a flip-flop's of 3 fF and a NAND2's of 2 fF.
        self.assertAlmostEqual(netlist.clock, 0.005, places=9)
        # In one that passes the flip-flop's 3 fF, an inverter's 2 fF, and that inverter's two edges.
        self.assertAlmostEqual(netlist.passed[0], 0.003 + 0.002 + 4 * POWER, places=9)
        self.assertAlmostEqual(netlist.clock_energy(7, [4]), 7 * 0.005 + 4 * netlist.passed[0], places=9)
        # By the name of the gate: its edges count for the event of that name, else for the entry's.
        self.assertEqual(gates.gate_names, ["g"])
        self.assertEqual(netlist.edges_by_name(gates.gate_names, [4], ["g"]), [0, 4 * netlist.passed[0]])
        self.assertEqual(netlist.edges_by_name(gates.gate_names, [4], ["h"]), [4 * netlist.passed[0], None])

    def test_an_output_that_differs_from_the_waveform_is_reported(self):
        _, found = self.replay("0110", y="1000")
        self.assertEqual(found["payload_differences"], 1)
        self.assertIn("y_o", found["first_difference"])

    def test_state_that_nothing_set_is_not_compared(self):
        module = chain()
        module["ports"]["y_o"] = port("output", 9)  # a flip-flop that holds what it started with
        module["cells"]["hold"] = {"type": "DFF", "connections": {"CK": [2], "D": [9], "Q": [9]}}
        _, found = self.replay("0101", y="0110", module=module)
        self.assertEqual(found["payload_differences"], 0)

    def test_waveforms_of_other_parameters_are_refused(self):
        with self.assertRaisesRegex(flow.FlowError, "none of 1 waveforms holds chain at these parameters"):
            self.replay("01", params="param Depth 4\n")

    def test_events_of_unknown_ports_and_wide_ones_are_refused(self):
        for event, message in (("b_i", "names b_i, which is no port bit"), ("a_i[1]", r"names a_i\[1\]"), ("a_i (", "not understood")):
            with self.assertRaisesRegex(flow.FlowError, message):
                self.replay("01", events=[event])

    def test_loop_of_gates_is_refused(self):
        module = chain()
        module["cells"]["g0"]["connections"]["A"] = [6]
        with self.assertRaisesRegex(flow.FlowError, "loop of gates"):
            self.replay("01", module=module)

    def test_tables_are_straight_lines_and_keep_their_last_value(self):
        meter = power.Power(self.library)
        group = liberty.parse("t", "library (t) { lu_table_template (g) { variable_1 : input_net_transition; variable_2 : "
                              "total_output_net_capacitance; index_1 (\"0, 2\"); index_2 (\"0, 10\"); }\n"
                              "rise_power (g) { values (\"0, 100\", \"20, 120\"); } }")
        table = power.Table(group.all("rise_power")[0], {"g": group.all("lu_table_template")[0]})
        self.assertEqual([table.at(0, 0), table.at(1, 0), table.at(1, 5), table.at(9, 99)], [0, 10, 60, 120])
        self.assertEqual(meter.volts, 1.0)


class Script(Repository):
    def test_counter_from_waveform_to_record(self):
        values = [(i + 1) % 10 for i in range(40)]
        text = "param Width 4\nparam Top 9\nin rst_ni 1\nin step_i 1\nout value_o 4\n" + "cycle 0 0 0000\n" * 2
        text += "".join(f"cycle 1 1 {v:04b}\n" for v in values)
        wave = Waveform.write(self.root / "counter.fst", "counter", text)
        program = self.write("build/test_rtl_toy", f'#!/bin/sh\ncp {wave} "$WARPSIEVE_FST.counter.0.fst"\n')
        program.chmod(0o755)
        entry = {"block": "toy", "module": "counter", "point": "paper", "event": "step", "count": ["step_i"],
                 "run": "test_rtl_toy", "workload": "forty steps"}
        self.write("synth/traffic.json", json.dumps([entry]))
        replay = self.write("scripts/replay/replay.cpp", (REPO / "scripts/replay/replay.cpp").read_text())
        self.write("scripts/replay/waves.h", (REPO / "scripts/replay/waves.h").read_text())
        code, text = self.call("energy", "--record")
        self.assertEqual(code, 0, text)
        found = json.loads((self.root / "synth/energy/toy.json").read_text())["counter@paper"]
        self.assertEqual((found["events"], found["cycles"]), (40, 40))
        self.assertGreater(found["pj_per_event"], 0.1)
        self.assertAlmostEqual(found["pj_per_event"], sum(found["parts"].values()), places=3)
        self.assertEqual(found["liberty"], "osu018_stdcells")
        self.write("synth/baseline/toy.json", json.dumps({"counter@paper": {"cells": found["cells"]}}))
        self.assertEqual(self.call("energy", "--check")[0], 0)
        self.write("synth/baseline/toy.json", json.dumps({"counter@paper": {"cells": found["cells"] + 1}}))
        code, text = self.call("energy", "--check")
        self.assertEqual(code, 1)
        self.assertIn("energy: toy/counter@paper: recorded with", text)
        # A netlist that is not the RTL's: the waveform counts differently.
        lines = "param Width 4\nparam Top 9\nin rst_ni 1\nin step_i 1\nout value_o 4\n" + "cycle 0 0 0000\n" * 2
        lines += "".join(f"cycle 1 1 {(2 * i + 2) % 10:04b}\n" for i in range(5))
        Waveform.write(wave, "counter", lines)
        program.write_text(program.read_text() + "# changed\n")
        code, wrong = self.call("energy")
        self.assertEqual(code, 1, wrong)
        self.assertIn("the netlist differs from the RTL: value_o at time", wrong)
        self.assertTrue(replay.is_file())

    def test_broken_traffic_lists(self):
        good = {"block": "toy", "module": "counter", "point": "paper", "event": "step", "count": ["step_i"], "run": "none",
                "workload": "none"}
        for change, message in (({"point": "other"}, "points.txt has no counter@other"), ({"count": "step_i"}, "a list of them for count"),
                                ({"extra": "x"}, "expected texts for"),
                                ({"clocks": {}}, "clocks: expected objects with"),
                                ({"clocks": [{"event": "read", "count": "step_i", "gates": "i_read"}]}, "clocks: expected objects with"),
                                ({}, "'none' is not built .*run make build")):
            with self.subTest(message):
                self.write("synth/traffic.json", json.dumps([{**good, **change}]))
                self.assertRegex(self.refused("energy"), message)
        self.write("synth/traffic.json", "{}")
        self.assertIn("expected a list", self.refused("energy"))


if __name__ == "__main__":
    unittest.main()
