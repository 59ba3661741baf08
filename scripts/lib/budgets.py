"""The clock that a block reaches when its memories and what lies before and behind it take their time (synth/README.md).

Paths are told apart by their ends. A memory's output starts a path like a register, after its access time; its inputs end
one, before its set-up time.

  register  register to register          the whole period
  in        input to register             what the block before leaves
  out       register to output            what the block behind leaves
  through   input to output               what both leave
  between   input to output of a module without registers: it is timed between two flip-flops
"""

import re

import synthesis
from flow import FlowError

INPUTS = OUTPUTS = 0.3  # shares of the period that are others'
LOAD = 16               # inputs of the library's inverter at each output: four of four times the smallest
FAST_FO4 = 45           # the clock of the second point
LEFT = {"register": 1, "in": 1 - INPUTS, "out": 1 - OUTPUTS, "through": 1 - INPUTS - OUTPUTS}
PINS = {"ram_1r1w": ("we", "re", "waddr", "raddr", "wdata"), "ram_1rw": ("we", "re", "addr", "wmask", "wdata")}
MEMORY_PIN = re.compile(rf"(.*)ws_ram_(rdata\.i|{'|'.join(dict.fromkeys(pin for pins in PINS.values() for pin in pins))})")


class Ends:
    """What every bit of a netlist's ports is: {input bit: access time or None}, {output bit: is a module's output},
    {output bit: the longest set-up time of the memories that it feeds}, in FO4."""

    def __init__(self, module, memories):
        """`memories`: {name of the instance: {"access": FO4, "setup": {pin: FO4}}}."""
        self.starts, self.outputs, self.setups = {}, set(), {}
        for name, port in module["ports"].items():
            bits = [bit for bit in port["bits"] if isinstance(bit, int)]
            pin = MEMORY_PIN.fullmatch(name)
            if pin and pin[1] not in memories:
                raise FlowError(f"a pin of a memory that the RTL does not have: {name}")
            if port["direction"] == "input":
                self.starts.update(dict.fromkeys(bits, memories[pin[1]]["access"] if pin else None))
            elif pin:
                for bit in bits:
                    self.setups[bit] = max(self.setups.get(bit, 0), memories[pin[1]]["setup"][pin[2]])
            else:
                self.outputs.update(bits)

    def wired(self):
        """(kind, FO4, bit) of the paths without a gate, which a netlist for OpenSTA does not have."""
        for bit in self.starts:
            access = self.starts[bit]
            if bit in self.outputs:
                yield ("through", 0.0, bit) if access is None else ("out", access, bit)
            if bit in self.setups:
                yield ("in", self.setups[bit], bit) if access is None else ("register", access + self.setups[bit], bit)


def constraints(netlist, ends, tech):
    """Lines of Tcl; times in the library's unit."""
    unit = tech.fo4 / tech.library.time_ns
    clocks = {netlist.ports[p]["bits"][0] for p in ("clk_i", "rst_ni") if p in netlist.ports}
    ports = lambda bits: "[get_ports {" + " ".join(f"n{bit}" for bit in bits) + "}]"  # noqa: E731
    lines, times = [], {}
    for bit, access in ends.starts.items():
        if bit not in clocks:
            times.setdefault(access, []).append(bit)
    for access, bits in times.items():
        lines.append(f"set_input_delay {(access or 0) * unit:.6g} -clock {'arrive' if access is None else 'clk'} {ports(bits)}")
    outputs = [bit for bit in ends.outputs if bit not in ends.starts]
    if outputs:
        lines.append(f"set_output_delay 0 -clock depart {ports(outputs)}")
        lines.append(f"set_load {LOAD * tech.inverter_load():.6g} {ports(outputs)}")
    times = {}
    for bit, setup in ends.setups.items():
        if bit not in ends.starts:
            times.setdefault((setup, bit in ends.outputs), []).append(bit)
    for (setup, both), bits in times.items():
        lines.append(f"set_output_delay {setup * unit:.6g} -clock clk {'-add_delay ' if both else ''}{ports(bits)}")
    return "\n".join(lines)


def reports(text, tech):
    """{what a script of OpenSTA printed behind "kind": (FO4, start, end) of the path reported there}."""
    found = {}
    for part in text.split("\nkind ")[1:]:
        slack = re.search(r"(-?\d+\.\d+)\s+slack", part)
        if slack:
            names = (re.search(rf"{end}: (.*?)(?: \(|\n)", part)[1].strip() for end in ("Startpoint", "Endpoint"))
            fo4 = (synthesis.PERIOD_NS - float(slack[1]) * tech.library.time_ns) / tech.fo4
            found[part.split("\n", 1)[0]] = (fo4, *names)
    return found


def from_inputs(work, module, tech):
    """{input port: FO4 of the longest path from it}; budgets.tcl of paths() is there."""
    lines = ["source budgets.tcl"]
    for name, port in module["ports"].items():
        if port["direction"] == "input" and name not in ("clk_i", "rst_ni"):
            bits = " ".join(f"n{bit}" for bit in port["bits"])
            lines += [f'puts "kind {name}"', f"report_checks -from [get_ports {{{bits}}}] -digits 5 -format full"]
    (work / "inputs.tcl").write_text("\n".join(lines) + "\n")
    found = reports(synthesis.sta(work, "inputs.tcl"), tech)
    return {name: found[name][0] for name in module["ports"] if name in found}


def paths(work, point, module, memories, tech, straight=()):
    """{kind: [FO4, from, to]} of a mapped module, its longest path of each kind; `straight`: memories that drive outputs."""
    ends = Ends(module, memories)
    netlist = synthesis.Netlist(module, tech)
    longest = lambda found, kind, fo4, *names: None if kind in found and found[kind][0] >= fo4 else \
        found.update({kind: [fo4, *names]})  # noqa: E731
    found = {}
    for kind, fo4, bit in ends.wired():
        longest(found, kind, fo4, netlist.label.get(bit, ""), netlist.label.get(bit, ""))
    for name in straight:
        longest(found, "out", memories[name]["access"], f"{name}ws_ram_rdata", "output")
    if module["cells"]:
        synthesis.yosys(work, "budgets.tcl", "budgets.tcl", {"CONSTRAINTS": constraints(netlist, ends, tech)})
        for kind, (fo4, *names) in reports(synthesis.sta(work, "budgets.tcl"), tech).items():
            longest(found, kind, fo4, *(netlist.rtl_name(name).replace("rdata.i", "rdata") for name in names))
    registers = any(tech.library.cells[cell["type"]].sequential for cell in module["cells"].values())
    if "through" in found and not registers and not memories:
        fo4, *names = found.pop("through")
        found["between"] = [tech.clock_to_q + fo4 + tech.setup, *names]
    return found


def clock(found):
    """The shortest period in FO4 that all these paths allow, its kind of path, and the paths."""
    if not found:
        return {"clock": 0.0, "limit": "", "from": "", "to": "", "paths": {}}
    period = {kind: fo4 / LEFT.get(kind, 1) for kind, (fo4, *_) in found.items()}
    limit = max(period, key=period.get)
    return {"clock": round(period[limit], 1), "limit": limit, "from": found[limit][1], "to": found[limit][2],
            "paths": {kind: round(fo4, 1) for kind, (fo4, *_) in sorted(found.items())}}


def cuts(timed, overhead, target=FAST_FO4):
    """Registers that the limiting path needs at least to meet `target`, if it could be cut anywhere; `overhead`: of a flip-flop."""
    share = LEFT.get(timed["limit"], 1)
    number = 0
    while timed["clock"] * share > target * share + number * (target - overhead) + 1e-9:
        number += 1
    return number
