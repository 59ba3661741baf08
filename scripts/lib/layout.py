"""A module placed and routed in OSU 0.18 um cells: graywolf places, qrouter routes, OpenSTA times (steps: synth/README.md)."""

import inspect
import re
import shutil
import signal
from collections import Counter
from pathlib import Path

import flow
import routed
import synthesis
from flow import FlowError

FOLDER = Path(synthesis.DEFAULT_LIBERTY).parent  # Debian's qflow-tech-osu018
LEF, PARAMETERS = FOLDER / "osu018_stdcells.lef", FOLDER / "osu018.par"
SCRIPTS = Path("/usr/lib/qflow/scripts")         # of Debian's qflow: between the formats of the tools
FILL, LAYERS = "FILL", 6
STRIPES = ("-stripe", "2.0", "50.0", "PG")       # power stripes as osu018.sh has them: width and pitch in um
DENSITIES = (0.85, 0.7, 0.55)                    # share of the rows that cells fill, tried until all nets are routed
PIN_PITCH = 2.0                                  # um that graywolf takes for a pin at the edge; pins beside the rows' sides are not reached
DIED = {code for s in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS) for code in (-s, 128 + s)}
WALL = 20                                        # times the limit of processor seconds, on a machine that does other things, too


def need():
    """One line for what is missing, before the work."""
    flow.need("yosys", "sta", "graywolf", "qrouter", "tclsh")
    for path in (LEF, SCRIPTS / "blif2cel.tcl"):
        if not path.is_file():
            raise FlowError(f"{path} is missing: apt-get install qflow qflow-tech-osu018 (or scripts/bootstrap layout)")


class Spent:
    """Processor seconds that one layout has left."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.by_step = Counter()

    def run(self, step, command, work, name):
        left = self.seconds - sum(self.by_step.values())
        if left < 1:
            raise TimeoutError
        result = flow.run(command, WALL * left, cwd=work, log=work / f"{name}.log", cpu_limit=left)
        self.by_step[step] += result.cpu
        if result.timed_out:
            raise TimeoutError
        if result.code in DIED:
            raise ChildProcessError
        if result.code:
            raise FlowError(f"{flow.shown(work)}/{name}.log: {flow.last_error(result.output)}")
        return result.output


class Block:
    """A mapped netlist under the names that blif2cel and place2def give: NAND2X1_3 is the third NAND2X1."""

    def __init__(self, point, module, tech):
        self.point, self.module, self.netlist = point, module, synthesis.Netlist(module, tech)
        names = {module["ports"][p]["bits"][0]: p for p in ("clk_i", "rst_ni") if p in module["ports"]}
        net = lambda bit: names.get(bit, f"n{bit}")  # noqa: E731
        self.inputs = [net(b) for b in self.netlist.bits("input")]
        self.outputs = [net(b) for b in self.netlist.bits("output") if b not in self.netlist.bits("input")]
        self.cells = []  # (type, {pin: net}, DEF name), in the order of the netlist
        count = Counter()
        for cell in module["cells"].values():
            pins = {pin: bits[0] for pin, bits in cell["connections"].items() if bits}
            if not all(isinstance(bit, int) for bit in pins.values()):
                raise FlowError(f"{point}: {cell['type']} has a constant input: this library has no cell for it")
            count[cell["type"]] += 1
            self.cells.append((cell["type"], {p: net(b) for p, b in pins.items()}, f"{cell['type']}_{count[cell['type']]}"))
        if not self.cells:
            raise FlowError(f"{point}: holds no cell: there is nothing to place")

    def blif(self):
        lines = [".model top", " ".join([".inputs", *self.inputs]), " ".join([".outputs", *self.outputs])]
        lines += [f".gate {kind} " + " ".join(f"{p}={n}" for p, n in pins.items()) for kind, pins, _ in self.cells]
        return "\n".join(lines + [".end", ""])

    def terminals(self):
        """{net: its sorted terminals} as a DEF file must have them."""
        found = {}
        for _, pins, name in self.cells:
            for pin, net in pins.items():
                found.setdefault(net, []).append((name, pin))
        for net in self.inputs + self.outputs:
            found.setdefault(net, []).append(("PIN", net))
        return {net: sorted(of) for net, of in found.items() if len(of) > 1}

    def density(self, lef):
        """Share of the rows that the cells may fill when all pins stand around the rows."""
        sizes = [lef.macros[kind] for kind, *_ in self.cells]
        side = PIN_PITCH * len(self.inputs + self.outputs) / 4
        return sum(m.width * m.height for m in sizes) / routed.UNITS ** 2 / side ** 2

    def drivers(self):
        """The terminals that are outputs of cells."""
        cells = self.netlist.library.cells
        return {(name, pin) for kind, _, name in self.cells for pin, *_ in cells[kind].outputs}


def place(block, work, spent, density):
    """top.def with placed cells and pins, and the obstructions of the router."""
    (work / "top.blif").write_text(block.blif())
    (work / "top.cfg").write_text(f"read_lef {LEF}\n")
    shutil.copy(PARAMETERS, work / "top.par")
    spent.run("place", ["qrouter", "-i", "top.info", "-c", "top.cfg"], work, "info")
    script = lambda name, *words: spent.run("place", [SCRIPTS / name, *words], work, name)  # noqa: E731
    script("blif2cel.tcl", "--blif", "top.blif", "--lef", LEF, "--cel", "top.cel")
    script("decongest.tcl", "top", LEF, FILL, str(density), "--units=100")
    (work / "top.acel").rename(work / "top.cel")
    spent.run("place", ["graywolf", "-n", "top"], work, "graywolf")
    script("place2def.tcl", "top", FILL, str(LAYERS))
    script("addspacers.tcl", *STRIPES, "top", LEF, FILL)
    for old, new in (("top_filled.def", "top.def"), ("top.obsx", "top.obs")):
        if (work / old).is_file():
            (work / old).rename(work / new)
    script("arrangepins.tcl", "top")
    if (work / "top_mod.def").is_file():
        (work / "top_mod.def").rename(work / "top.def")
    if not (work / "top.def").is_file():
        raise FlowError(f"{flow.shown(work)}: graywolf left no placement: graywolf.log says why")


def route(work, spent):
    """routed.def with all wires."""
    (work / "route.cfg").write_text("\n".join([
        "verbose 1", f"read_lef {LEF}", f"catch {{layers {LAYERS}}}", "via stack 1", "vdd vdd", "gnd gnd",
        (work / "top.obs").read_text(), "read_def top.def", "qrouter::standard_route routed.def false", "quit", ""]))
    spent.run("route", ["qrouter", "-nog", "-s", "route.cfg"], work, "qrouter")


def placed_and_routed(block, work, spent, density):
    """False when a tool dies (qrouter does, on some placements). What was routed before from the same input is kept."""
    made_of = flow.digest(block.blif(), density, LEF, PARAMETERS, *map(inspect.getsource, (place, route)))
    saved = flow.read_json(work / "made_of.json", {})
    if saved.get("key") == made_of:
        spent.by_step.update(saved["cpu"])
        return True
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    before = Counter(spent.by_step)
    try:
        place(block, work, spent, density)
        route(work, spent)
    except ChildProcessError:
        return False
    flow.write_json(work / "made_of.json", {"key": made_of, "cpu": dict(spent.by_step - before)})
    return True


def parasitics(block, layout):
    """(SPEF text, nets that are not in one piece, pF of all wires)."""
    place_of = {name: f"g{index}" for index, (_, _, name) in enumerate(block.cells)}
    outputs = block.drivers()
    lines = ['*SPEF "IEEE 1481-1998"', f'*DESIGN "{block.point.module}"', '*DATE ""', '*VENDOR ""', '*PROGRAM ""', '*VERSION ""',
             '*DESIGN_FLOW ""', "*DIVIDER /", "*DELIMITER :", "*BUS_DELIMITER [ ]", "*T_UNIT 1 NS", "*C_UNIT 1 PF", "*R_UNIT 1 OHM",
             "*L_UNIT 1 HENRY"]
    is_open, whole = [], 0.0
    for net, of in block.terminals().items():
        tree = routed.Tree(layout, layout.nets[net])
        if tree.pieces != 1:
            is_open.append(net)
            continue
        title = {t: t[1] if t[0] == "PIN" else f"{place_of[t[0]]}:{t[1]}" for t in of}
        drives = next((t for t in of if t in outputs), ("PIN", net))
        number = {}
        node = lambda p: f"{net}:{number.setdefault(p, len(number) + 1)}"  # noqa: B023,E731
        whole += sum(tree.pf.values())
        resistors = [f"{title[t]} {node(tree.name['pin', *t])} 0.001" for t in of]
        resistors += [f"{node(a)} {node(b)} {ohm:.5g}" for a, b, ohm in tree.spanning(tree.name["pin", *drives])]
        lines += [f"*D_NET {net} {sum(tree.pf.values()):.6g}", "*CONN"]
        lines += [f"*{'P' if t[0] == 'PIN' else 'I'} {title[t]} {'IO'[(t == drives) != (t[0] == 'PIN')]}" for t in of]
        lines += ["*CAP"] + [f"{i} {node(p)} {pf:.6g}" for i, (p, pf) in enumerate(tree.pf.items(), 1)]
        lines += ["*RES"] + [f"{i} {text}" for i, text in enumerate(resistors, 1)] + ["*END"]
    return "\n".join(lines + [""]), is_open, whole


def path(text):
    """(slack, start, end) of OpenSTA's worst path."""
    slack = re.search(r"(-?\d+\.\d+)\s+slack", text)
    ends = [match[1].strip() if (match := re.search(rf"{kind}: (.*?)(?: \(|\n)", text)) else "?"
            for kind in ("Startpoint", "Endpoint")]
    return (float(slack[1]), *ends) if slack else (None, *ends)


def timed(block, work, tech, spef):
    """ns, start and end of the worst path without and with the wires: the same netlist, clock, inputs and outputs."""
    bare = synthesis.time_netlist(work, block.point, block.module, tech)
    (work / "routed.spef").write_text(spef)
    script = (work / "timing.tcl").read_text()
    link = f"link_design {block.point.module}\n"
    if script.count(link) != 1:
        raise FlowError(f"synth/timing.tcl: expected '{link.strip()}' once")
    (work / "routed.tcl").write_text(script.replace(link, link + "read_spef routed.spef\n"))
    text = synthesis.sta(work, "routed.tcl")
    slack, start, end = path(text)
    if slack is None or re.search(r"(?i)warning.*spef|spef.*(not found|syntax)", text):
        raise FlowError(f"{block.point}: OpenSTA did not take the wires: {flow.shown(work)}/sta.log")
    names = [block.netlist.rtl_name(n) for n in (start, end)]
    return bare, (round(synthesis.PERIOD_NS - slack * tech.library.time_ns, 4), *names)


def attempt(block, work, spent, density):
    """(layout, SPEF, pF); None when nets are left open or touch others, or a tool dies."""
    if not placed_and_routed(block, work, spent, density):
        return None
    layout = routed.Def(work / "routed.def", routed.Lef(LEF))
    here = {net: sorted(of.terminals) for net, of in layout.nets.items() if net not in routed.POWER and len(of.terminals) > 1}
    if here != block.terminals():
        wrong = sorted(net for net in set(here) | set(block.terminals()) if here.get(net) != block.terminals().get(net))
        raise FlowError(f"{flow.shown(work)}/routed.def: net {wrong[0]} does not connect what the netlist connects")
    spef, is_open, pf = parasitics(block, layout)
    touching = routed.shorts(layout)
    (work / "checks.txt").write_text("".join(f"open {net}\n" for net in is_open) + "".join(f"short {t}\n" for t in touching))
    return None if is_open or touching else (layout, spef, pf)


def measure(point, seconds):
    """(record, routed layout); the record of what was not routed says why, and there is no layout."""
    tech = synthesis.Technology()
    tech.measure()
    figures, module, rams = synthesis.Flow(tech).netlist(point)
    if rams:
        raise FlowError(f"{point}: holds a memory ({', '.join(rams)}): these cells have none to place")
    block = Block(point, module, tech)
    work = flow.BUILD / "layout" / f"{point.module}_{point.name}"
    entry = {"block": point.block, "module": point.module, "point": point.name, "params": point.params, "ge": figures["ge"],
             "registers": figures["registers"], "recipe": figures["recipe"], "cells": len(block.cells)}
    spent, done = Spent(seconds), None
    most = block.density(routed.Lef(LEF))
    for density in (round(min(share, most * share / DENSITIES[0]), 3) for share in DENSITIES):
        try:
            done = attempt(block, work / str(density), spent, density)
        except TimeoutError:
            return {**entry, "failed": f"not routed in {seconds // 60} minutes of the processor"}, None
        if done:
            break
    if not done:
        return {**entry, "failed": f"open nets or shorts with rows filled to {100 * density:.0f} %"}, None
    layout, spef, pf = done
    bare, wired = timed(block, work / str(density), tech, spef)
    keys = ("ns", "from", "to")
    entry.update(routed.figures(layout, FILL), density=density, wire_pf=round(pf, 3), synthesized=dict(zip(keys, bare)),
                 routed=dict(zip(keys, wired)), fo4_ns=tech.fo4, cpu={step: round(s, 1) for step, s in spent.by_step.items()})
    return entry, layout
