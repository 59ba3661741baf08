"""From RTL to a mapped, timed netlist: what scripts/synth and scripts/energy share (steps: synth/README.md)."""

import fcntl
import json
import os
import re
import shutil
import time
from pathlib import Path

import flow
import liberty
from flow import FlowError

DEFAULT_LIBERTY = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
RECIPES = ("area", "shallow", "balanced", "speed")  # synth/abc/, in the order they are tried
PERIOD_FO4 = 90   # a recipe that is this fast is fast enough
HOPELESS = 2.4    # times PERIOD_FO4 by the first recipe: no other comes near but perhaps the last one
LIMIT = 900       # seconds for one tool on one point
PERIOD_NS = 1000  # clock of OpenSTA: longer than any path
TEMPLATES = flow.ROOT / "synth"


class Technology:
    """The library and what is measured once per library: its FO4."""

    def __init__(self, paths=(), cells=""):
        """`cells`: a cell map of the user's; without one the library's cell names choose it (synth/cells)."""
        if not paths and not Path(DEFAULT_LIBERTY).is_file():
            raise FlowError(f"{DEFAULT_LIBERTY} is missing: install qflow-tech-osu018 (scripts/bootstrap) or give LIBERTY=file")
        paths = [Path(p) for p in paths or [DEFAULT_LIBERTY]]
        own_map = None
        if cells:
            value = flow.read_json(cells)
            if value is None:
                raise FlowError(f"{cells}: no such cell map")
            own_map = liberty.CellMap(cells, value)
        self.library = lib = liberty.Library(paths, own_map)
        self.is_default = [p.resolve() for p in paths] == [Path(DEFAULT_LIBERTY).resolve()]
        roles = [c.name if c else "" for c in (lib.nand2, lib.inverter, lib.flop, lib.driver, lib.tie_high, lib.tie_low)]
        self.key = flow.digest(lib.text, json.dumps([roles, lib.dont_use]))
        self.folder = flow.BUILD / "synth-cache" / f"library-{self.key[:16]}"
        self.path = paths[0].resolve()
        if len(paths) > 1 or paths[0].suffix == ".gz":
            self.path = self.keep("library.lib", lib.text)
        # Yosys takes the smallest flip-flop that fits: it is shown the chosen one only.
        self.flop_path = self.keep("flop.lib", f"library (flop) {{\n{lib.flop.text}\n}}\n")
        self.map_path = self.path
        if lib.dont_use:  # abc of Debian 12 has no option for it
            text = lib.text
            for name in lib.dont_use:
                text = text.replace(lib.cells[name].text, "")
            self.map_path = self.keep("map.lib", text)
        self.fo4 = self.clock_to_q = self.setup = 0.0  # ns; FO4; FO4

    def keep(self, name, text):
        path = self.folder / name
        if not path.is_file() or path.read_text() != text:
            self.folder.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(f".{os.getpid()}.part")
            part.write_text(text)
            os.replace(part, path)
        return path

    def measure(self):
        """A chain of inverters, each with four loads; the mean of two late stages, rising and falling."""
        inverter = self.library.inverter
        pin_in, pin_out = inverter.inputs[0], inverter.outputs[0][0]
        work = self.folder / "fo4"
        saved = flow.read_json(work / "fo4.json")
        if not saved:
            work.mkdir(parents=True, exist_ok=True)
            gates, stages = [], 8
            for stage in range(stages):
                for copy in range(4):
                    output = f"n{stage + 1}" if copy == 0 else f"unused{stage}_{copy}"
                    gates.append(f"  {inverter.name} g{stage}_{copy} (.{pin_in}(n{stage}), .{pin_out}({output}));")
            wires = [f"n{i}" for i in range(1, stages)] + [f"unused{s}_{c}" for s in range(stages) for c in (1, 2, 3)]
            (work / "timed.v").write_text(f"module chain (n0, n{stages});\n  input n0;\n  output n{stages};\n  wire "
                                           + ", ".join(wires) + ";\n" + "\n".join(gates) + "\nendmodule\n")
            (work / "fo4.tcl").write_text(
                f"read_liberty {self.path}\nread_verilog timed.v\nlink_design chain\n"
                f"create_clock -name clk -period {self.period():g}\nset_input_delay 0 -clock clk [get_ports n0]\n"
                f"set_output_delay 0 -clock clk [get_ports n{stages}]\n"
                "report_checks -path_delay max -digits 5 -format full\n")
            result = sta(work, "fo4.tcl")
            arrival = [float(m[1]) for m in re.finditer(rf"(\d+\.\d+)\s+[\^v]\s+g\d_0/{pin_out}\b", result)]
            if len(arrival) != stages or arrival[6] <= arrival[2]:
                raise FlowError(f"{self.library.where}: OpenSTA cannot time its inverter {inverter.name}")
            saved = {"fo4": round((arrival[6] - arrival[2]) / 4 * self.library.time_ns, 5)}
            flow.write_json(work / "fo4.json", saved)
        self.fo4 = saved["fo4"]
        self.measure_flop()

    def measure_flop(self):
        """Clock to output of the flip-flop with the load of an FO4, and its set-up time behind an inverter, in FO4."""
        inverter, flop = self.library.inverter, self.library.flop
        work = self.folder / "flop"
        saved = flow.read_json(work / "flop.json")
        if not saved:
            work.mkdir(parents=True, exist_ok=True)
            pins = f".{flop.flop.clock}(clk), .{flop.flop.data}(n0), .{flop.flop.output}(n1)"
            (work / "timed.v").write_text("module stage (clk, n0, n1);\n  input clk;\n  input n0;\n  output n1;\n"
                                          f"  {flop.name} g0 ({pins});\nendmodule\n")
            (work / "flop.tcl").write_text(
                f"read_liberty {self.path}\nread_verilog timed.v\nlink_design stage\n"
                f"create_clock -name clk -period {self.period():g} [get_ports clk]\n"
                f"set_input_delay 0 -clock clk [get_ports n0]\nset_driving_cell -lib_cell {inverter.name} [get_ports n0]\n"
                f"set_output_delay 0 -clock clk [get_ports n1]\nset_load {4 * self.inverter_load():.6g} [get_ports n1]\n"
                "report_checks -to [get_ports n1] -digits 5 -format full\n"
                "report_checks -from [get_ports n0] -digits 5 -format full\n")
            result = sta(work, "flop.tcl")
            slack = re.search(r"(-?\d+\.\d+)\s+slack", result)
            if not slack:
                raise FlowError(f"{self.library.where}: OpenSTA cannot time its flip-flop {flop.name}")
            # A set-up time in tables that OpenSTA does not read is none in its paths, either.
            setup = re.search(r"(-?\d+\.\d+)\s+-?\d+\.\d+\s+library setup time", result)
            unit = self.library.time_ns / self.fo4
            saved = {"clock_to_q": round(PERIOD_NS / self.fo4 - float(slack[1]) * unit, 2),
                     "setup": round(-float(setup[1]) * unit, 2) if setup else 0.0}
            flow.write_json(work / "flop.json", saved)
        self.clock_to_q, self.setup = saved["clock_to_q"], saved["setup"]

    def inverter_load(self):
        """Capacitance of the inverter's input in the library's unit."""
        cell = self.library.inverter
        pin = next(pin for pin in cell.group.all("pin") if pin.arguments[0] == cell.inputs[0])
        return float(pin.attributes.get("capacitance", 0))

    def period(self):
        """The clock of OpenSTA in the library's unit of time."""
        return PERIOD_NS / self.library.time_ns


def sta(work, script):
    """OpenSTA's output; it ends with code 0 whatever happens, so errors are looked for."""
    result = flow.run(["sta", "-exit", script], LIMIT, cwd=work, log=Path(work) / "sta.log",
                      env=dict(os.environ, HOME=str(work)))
    if result.timed_out:
        raise FlowError(f"{flow.shown(work)}: OpenSTA did not end within {LIMIT} s")
    error = re.search(r"^(Error:.*|.*syntax error.*|.*invalid command name.*)$", result.output, re.M)
    if error or result.code:
        raise FlowError(f"{flow.shown(work)}: OpenSTA: {error[1] if error else flow.last_error(result.output)}")
    return result.output


def yosys(work, name, template, values, cwd=None):
    text = re.sub(r"(?m)^#.*\n", "", (TEMPLATES / template).read_text())
    for key, value in values.items():
        text = text.replace(f"@{key}@", str(value))
    Path(work).mkdir(parents=True, exist_ok=True)
    (Path(work) / name).write_text(text)
    if name.endswith(".ys"):
        result = flow.run(["yosys", "-s", Path(work) / name], LIMIT, cwd=cwd or work, log=Path(work) / f"{name}.log")
        if result.timed_out:
            raise FlowError(f"{flow.shown(work)}: Yosys did not end within {LIMIT} s")
        if result.code:
            raise FlowError(f"{flow.shown(work)}: {flow.last_error(result.output)}")
        return result.cpu
    return 0.0


def memories(flat, module):
    """{name of the instance: [width, depth]} of every ram_1r1w, [width, depth, lanes] of every ram_1rw."""
    number = lambda value: int(value, 2) if isinstance(value, str) else value  # noqa: E731
    found = {}
    for name, wire in flat["modules"][module]["netnames"].items():
        attributes = wire.get("attributes", {})
        if "ws_depth" in attributes:
            sizes = [number(attributes[key]) for key in ("ws_depth", "ws_lanes") if key in attributes]
            found[name[:-len("ws_ram_rdata")]] = [len(wire["bits"]), *sizes]
    return found


def at_outputs(flat, module):
    """Names, as in memories(), of those whose data are outputs of the module without a gate between."""
    module = flat["modules"][module]
    outputs = {bit for port in module["ports"].values() if port["direction"] == "output" for bit in port["bits"]}
    return sorted(name[:-len("ws_ram_rdata")] for name, wire in module["netnames"].items()
                  if "ws_depth" in wire.get("attributes", {}) and outputs.intersection(wire["bits"]))


class Netlist:
    """A mapped module: plain structural Verilog for OpenSTA, and the way back to RTL names."""

    def __init__(self, module, tech):
        self.cells, self.ports, self.library = module["cells"], module["ports"], tech.library
        self.label = {}  # bit -> shortest RTL name
        for name, net in module["netnames"].items():
            for index, bit in enumerate(net["bits"] if not net.get("hide_name") else []):
                text = name if len(net["bits"]) == 1 else f"{name}[{index}]"
                if bit not in self.label or len(text) < len(self.label[bit]):
                    self.label[bit] = text
        if self.library.flop.flop.inverted:  # the RTL's name is behind an inverter
            for cell in self.cells.values():
                known = self.library.cells.get(cell["type"])
                if known and self.library.fits(known, "inverter"):
                    source, result = (cell["connections"][p][0] for p in (known.inputs[0], known.outputs[0][0]))
                    if source not in self.label and result in self.label:
                        self.label[source] = self.label[result]

    def bits(self, direction):
        return dict.fromkeys(bit for port in self.ports.values() if port["direction"] == direction
                             for bit in port["bits"] if isinstance(bit, int))

    def write(self, path, module):
        """Every port bit is a scalar port; outputs that are constants or inputs have no path and are left out.

        Yosys's own Verilog has concatenations in `assign`, which OpenSTA of Debian 12 does not read.
        """
        names = {self.ports[p]["bits"][0]: p for p in ("clk_i", "rst_ni") if p in self.ports}
        inputs = self.bits("input")
        outputs = [b for b in self.bits("output") if b not in inputs]
        net = lambda bit: names.get(bit, f"n{bit}") if isinstance(bit, int) else f"1'b{bit}"  # noqa: E731
        wires = dict.fromkeys(bit for cell in self.cells.values() for pin in cell["connections"].values()
                              for bit in pin if isinstance(bit, int) and bit not in inputs)
        lines = [f"module {module} ({', '.join(net(b) for b in [*inputs, *outputs])});"]
        lines += [f"  input {net(b)};" for b in inputs] + [f"  output {net(b)};" for b in outputs]
        lines += [f"  wire {net(b)};" for b in wires if b not in set(outputs)]
        for index, cell in enumerate(self.cells.values()):
            pins = ", ".join(f".{pin}({net(bits[0])})" for pin, bits in cell["connections"].items() if bits)
            lines.append(f"  {cell['type']} g{index} ({pins});")
        Path(path).write_text("\n".join(lines + ["endmodule", ""]))

    def rtl_name(self, name):
        """g<index> is the flip-flop that holds a signal, n<bit> a net."""
        if match := re.fullmatch(r"g(\d+)", name):
            cell = list(self.cells.values())[int(match[1])]
            bits = cell["connections"].get(self.library.flop.flop.output)
            return self.label.get(bits[0], name) if bits else name
        if match := re.fullmatch(r"n(\d+)", name):
            return self.label.get(int(match[1]), name)
        return name


def time_netlist(work, point, module, tech):
    if not module["cells"]:
        return 0.0, "", ""
    has_clock = "clk_i" in module["ports"]
    netlist = Netlist(module, tech)
    netlist.write(work / "timed.v", point.module)
    yosys(work, "timing.tcl", "timing.tcl", {"LIBERTY": tech.path, "TOP": point.module, "DRIVER":
          tech.library.driver.name, "HAS_CLOCK": int(has_clock), "LOAD": 0, "PERIOD": f"{tech.period():g}"})
    text = sta(work, "timing.tcl")
    slack = re.search(r"(-?\d+\.\d+)\s+slack", text)
    if not slack:
        raise FlowError(f"{point}: OpenSTA found no path: {flow.shown(work)}/sta.log")
    ends = []
    for kind in ("Startpoint", "Endpoint"):
        match = re.search(rf"{kind}: (.*?)(?: \(|\n)", text)
        raw = match[1].strip() if match else "?"
        ends.append(netlist.rtl_name(raw))
    return round(PERIOD_NS - float(slack[1]) * tech.library.time_ns, 4), ends[0], ends[1]


def mapped(work, recipe, name):
    """The netlist of a recipe as Yosys writes it."""
    return flow.read_json(work / recipe / "mapped.json")["modules"][name]


def map_recipe(work, recipe, point, tech):
    """(seconds of the processor, netlist); a recipe that is mapped already stays so."""
    lib, cpu = tech.library, 0.0
    if not (work / recipe / "mapped.json").is_file():
        ties = ""
        if lib.tie_high and lib.tie_low:
            ties = "hilomap -singleton " + " ".join(f"-{side} {cell.name} {lib.tie_pin(cell, role)}" for side, cell, role in (
                ("hicell", lib.tie_high, "tie_high"), ("locell", lib.tie_low, "tie_low")))
        values = {"LIBERTY": tech.map_path, "RECIPE": TEMPLATES / "abc" / f"{recipe}.abc", "TIES": ties}
        cpu = yosys(work / recipe, "map.ys", "map.ys", values)
        os.replace(work / recipe / "mapping.json", work / recipe / "mapped.json")  # whole, or not there
    netlist = mapped(work, recipe, point.module)
    unknown = {c["type"] for c in netlist["cells"].values()} - set(lib.cells)
    if unknown:
        raise FlowError(f"{point}: not mapped to the library: {', '.join(sorted(unknown))}")
    return cpu, netlist


def synthesize(point, files, tech, work):
    lib = tech.library
    # Relative names: Yosys makes them part of cell names, and abc's result depends on their order.
    read = [f"read_verilog -sv -Irtl {name}" for name in flow.with_stand_ins(files)]
    shutil.rmtree(work, ignore_errors=True)
    cpu = yosys(work, "synthesize.ys", "synthesize.ys",
                {"READ": "\n".join(read), "ELABORATE": "\n".join(flow.elaborate(point.module, point.params)),
                 "TOP": point.module, "LIBERTY": tech.flop_path, "WORK": work}, cwd=flow.ROOT)
    flat = flow.read_json(work / "flat.json")
    rams, straight = memories(flat, point.module), at_outputs(flat, point.module)
    flow.write_json(work / "memories.json", rams)
    (work / "abc.constr").write_text(f"set_driving_cell {lib.driver.name}\nset_load 0 [all_outputs]\n")
    tried = []
    for recipe in RECIPES:
        if tried and tried[0]["ns"] > HOPELESS * PERIOD_FO4 * tech.fo4 and recipe != RECIPES[-1]:
            continue
        seconds, netlist = map_recipe(work, recipe, point, tech)
        cpu += seconds
        area = sum(lib.cells[c["type"]].area for c in netlist["cells"].values())
        ns, start, end = time_netlist(work / recipe, point, netlist, tech)
        tried.append({"recipe": recipe, "area": area, "ns": ns, "from": start, "to": end,
                      "cells": len(netlist["cells"]),
                      "registers": sum(lib.cells[c["type"]].sequential for c in netlist["cells"].values())})
        if ns <= PERIOD_FO4 * tech.fo4:
            break
    best = tried[-1] if tried[-1]["ns"] <= PERIOD_FO4 * tech.fo4 else min(tried, key=lambda t: (t["ns"], t["area"]))
    (work / "flat.json").unlink()
    stored = sum(width * depth for width, depth, *_ in rams.values())
    return {**best, "ge": round(best["area"] / lib.nand2.area, 1), "fo4": round(best["ns"] / tech.fo4, 1),
            "rams": rams, "straight": straight, "storage_bits": stored, "timing": "OpenSTA",
            "tried": {t["recipe"]: [round(t["area"] / lib.nand2.area, 1), t["ns"]] for t in tried}, "cpu": round(cpu, 1)}


class Flow:
    def __init__(self, tech, fresh=False):
        self.tech, self.fresh = tech, fresh
        tools = [flow.run(["yosys", "-V"], 20).output.strip()]
        self.common = [tech.key, tools[0], Path(__file__).resolve()]
        self.common += [TEMPLATES / name for name in ("map.ys", "synthesize.ys", "timing.tcl", *(f"{m}.v" for m in flow.MEMORIES))]
        self.common += [TEMPLATES / "abc" / f"{name}.abc" for name in RECIPES]

    def key(self, point, files):
        return flow.digest(*self.common, str(point), *flow.elaborate(point.module, point.params), *files)[:32]

    def entry(self, point, keep_netlist=False):
        """Figures of the point; with keep_netlist also its netlist, which the cache of figures does not hold."""
        files = flow.sources(point.block, point.module)
        key = self.key(point, files)
        cached = flow.BUILD / "synth-cache" / f"{key}.json"
        # Netlists of other libraries have folders of their own: they must not replace each other.
        folder = flow.BUILD / "synth" / point.block / (f"{point.module}_{point.name}" if self.tech.is_default else
                                                     f"{point.module}_{point.name}-{self.tech.key[:8]}")
        there = lambda: not keep_netlist or flow.read_json(folder / "key.json") == key  # noqa: E731
        entry = None if self.fresh else flow.read_json(cached)
        if entry and there():
            return dict(entry, cached=True, folder=folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with open(folder.with_suffix(".lock"), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two runs may meet in one build folder
            entry = None if self.fresh else flow.read_json(cached)
            if entry and there():
                return dict(entry, cached=True, folder=folder)
            start = time.monotonic()
            entry = synthesize(point, files, self.tech, folder)
            flow.write_json(folder / "key.json", key)
        entry.update(block=point.block, module=point.module, point=point.name, params=point.params,
                     liberty=self.tech.library.name, fo4_ns=self.tech.fo4, nand2_area=self.tech.library.nand2.area,
                     seconds=round(time.monotonic() - start, 1))
        flow.write_json(cached, entry)
        return dict(entry, cached=False, folder=folder)

    def go(self, point):
        try:
            entry = self.entry(point)
            entry.pop("folder")
            return point, entry
        except FlowError as error:
            return point, {"error": str(error)}

    def netlist(self, point):
        """(figures, mapped module, memories) of the recipe that was chosen."""
        entry = self.entry(point, keep_netlist=True)
        return entry, mapped(entry["folder"], entry["recipe"], point.module), flow.read_json(entry["folder"] / "memories.json")
