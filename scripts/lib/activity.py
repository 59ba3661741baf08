"""Toggles of a mapped netlist under recorded waveforms; the simulator of gates is scripts/replay/replay.cpp."""

import functools
import itertools
import json
import os
import re
import shutil
from pathlib import Path

import flow
import gated
import liberty
from flow import FlowError

LIMIT = 1800  # seconds for one run, and for one replay
MOST = 6      # inputs of a truth table


def table(function, pins, where):
    """The truth table as a number, first pin lowest."""
    value = 0
    for index, row in enumerate(itertools.product((False, True), repeat=len(pins))):
        try:
            value |= int(liberty.evaluate(function, dict(zip(pins, reversed(row))))) << index
        except (ValueError, KeyError, IndexError, TypeError):
            raise FlowError(f"{where} is '{function}', which is not understood")
    return value


class Gates:
    """A mapped module with its memories. Nets are numbered from 2; 0 and 1 are the constants."""

    def __init__(self, point, module, memories, library):
        self.point, self.library, self.memories = point, library, memories
        self.cells, self.ports = module["cells"], module["ports"]
        own = {n: p for n, p in self.ports.items() if "ws_ram_" not in n}
        self.inputs = {n: p["bits"] for n, p in own.items() if p["direction"] == "input" and n != "clk_i"}
        self.outputs = {n: p["bits"] for n, p in own.items() if p["direction"] == "output"}
        clock = self.ports.get("clk_i")
        self.clock = clock["bits"][0] if clock else None
        # Cut gates of the clock (gated.py): their clock, and the net that lets an edge pass.
        clocks = [n for n in self.ports if n.endswith(gated.CLOCK) and n[:-len(gated.CLOCK)] not in memories]
        self.gates = {self.ports[n]["bits"][0]: self.ports[n.replace(gated.CLOCK, gated.ENABLE)]["bits"][0] for n in clocks}
        self.gate_names = [n[:-len(gated.CLOCK) - 1] for n in clocks]
        bits = [b for c in self.cells.values() for pin in c["connections"].values() for b in pin]
        bits += [b for p in self.ports.values() for b in p["bits"]]
        self.nets = [b for b in dict.fromkeys(bits) if isinstance(b, int) and b != self.clock and b not in self.gates]
        self.place = {bit: index for index, bit in enumerate(self.nets)}

    def compared(self, name):
        """Nets of an output; None for a bit that a memory drives without a gate between: synthesis cuts the memory out, and
        the bit is a constant in the netlist, as one that the RTL ties is."""
        bits = self.outputs[name]
        cut = self.memories and not name.endswith(("valid_o", "ready_o"))
        return [None if cut and not isinstance(b, int) else b for b in bits]

    def net(self, bit):
        """Number of a net; an unknown constant is 0; one past the last for a bit that is not in the netlist."""
        if bit is None:
            return len(self.nets) + 2
        return self.place[bit] + 2 if isinstance(bit, int) else int(bit == "1")

    def list(self, bits):
        return " ".join(str(self.net(b)) for b in bits)

    def gate(self, cell):
        """Lines of one cell."""
        kind = self.library.cells[cell["type"]]
        pins = {p: bits[0] for p, bits in cell["connections"].items() if bits}
        if kind.flop:
            clock = pins[kind.flop.clock]
            if clock != self.clock and clock not in self.gates:
                raise FlowError(f"{self.point}: a {kind.name} has a clock that is not clk_i")
            outputs = [p for p, *_ in kind.outputs if p in pins]
            if outputs != [kind.flop.output]:
                raise FlowError(f"{self.point}: a {kind.name} uses the outputs {', '.join(outputs)}, {kind.flop.output} is expected")
            enable = f" {self.net(self.gates[clock])}" if clock in self.gates else ""
            return [f"flop {int(kind.flop.inverted)} {self.net(pins[kind.flop.data])} {self.net(pins[kind.flop.output])}{enable}"]
        if kind.sequential:
            raise FlowError(f"{self.point}: {kind.name} is no plain flip-flop and cannot be simulated")
        inputs = self.list(pins.get(p, "0") for p in kind.inputs)
        return [f"gate {self.table(kind, function)} {self.net(pins[pin])} {inputs}"
                for pin, function, _ in kind.outputs if pin in pins]

    def table(self, kind, function):
        known = kind.__dict__.setdefault("tables", {})
        if function not in known:
            if len(kind.inputs) > MOST:
                raise FlowError(f"{self.library.where}: {kind.name} has {len(kind.inputs)} inputs, at most {MOST} can be simulated")
            known[function] = table(function, kind.inputs, f"{self.library.where}: the function of {kind.name}")
        return known[function]

    def event(self, text):
        """One event, a Boolean function over port bits such as `in_valid_i in_ready_o in_mask_i[0]`."""
        ports = {**self.inputs, **self.outputs}
        names, where = [], f"{self.point}: the event"
        plain = lambda m: f"p{names.index(m[0]) if m[0] in names else (names.append(m[0]), len(names) - 1)[1]}"  # noqa: E731
        function = re.sub(r"[a-z]\w*(\[\d+\])?", plain, text)
        bits = []
        for name in names:
            port, _, index = name.rstrip("]").partition("[")
            if port not in ports or int(index or 0) >= len(ports[port]):
                raise FlowError(f"{where} '{text}' names {name}, which is no port bit of {self.point.module}")
            bits.append(ports[port][int(index or 0)])
        if len(bits) > MOST:
            raise FlowError(f"{where} '{text}' has more than {MOST} port bits")
        return f"event {table(function, [f'p{i}' for i in range(len(names))], where)} {self.list(bits)}"

    def text(self, events):
        """The netlist as replay.cpp reads it."""
        lines = [f"module {self.point.module}", f"nets {len(self.nets) + 2}"]
        lines += [f"param {n} {v}" for n, v in parameters(self.point).items()]
        lines += [f"in {n} {self.list(bits)}" for n, bits in self.inputs.items()]
        for name in self.outputs:
            bits = self.compared(name)
            if not any(b is not None for b in bits):
                continue
            control = name.endswith(("valid_o", "ready_o"))
            stem = max((n[:-len("valid_o")] for n in self.outputs if n.endswith("valid_o")
                        and name.startswith(n[:-len("valid_o")])), key=len, default=None)
            valid = 1 if control or stem is None else self.net(self.outputs[f"{stem}valid_o"][0])
            lines.append(f"out {name} {int(control)} {valid} {self.list(bits)}")
        for cell in self.cells.values():
            lines += self.gate(cell)
        for prefix, (width, depth, *_) in sorted(self.memories.items()):
            pin = lambda n: self.ports.get(f"{prefix}ws_ram_{n}", {}).get("bits")  # noqa: E731,B023
            read, mask = pin("rdata.i") or ["0"] * width, pin("wmask") or ["1"]
            to, source = pin("addr") or pin("waddr"), pin("addr") or pin("raddr")
            lines.append(f"ram {width} {depth} {len(to)} {len(mask)} " + " ".join(
                self.list(bits) for bits in (pin("we"), pin("re"), to, source, mask, pin("wdata"), read)))
        lines += [self.event(e) for e in events]
        lines += [f"event {table('e', ['e'], 'enable')} {self.net(enable)}" for enable in self.gates.values()]
        return "\n".join(lines) + "\n"


def parameters(point):
    """{name: number}: those of the point, and the plain defaults of those that it leaves alone."""
    text = next(f for f in flow.sources(point.block, point.module) if f.stem == point.module).read_text()
    head = re.search(rf"^module {point.module}\b(.*?)\);", re.sub(r"//.*", "", text), re.S | re.M)
    defaults = re.findall(r"parameter\s+(?:int\s+unsigned|int|logic|bit)?\s*(?:\[[^\]]*\])?\s*(\w+)\s*=\s*"
                          r"([0-9]+|[0-9]*'[bdh][0-9a-fA-F_]+)\s*[,)\n]", head[1] if head else "")
    return {n: number(v) for n, v in {**dict(defaults), **point.params}.items()}


def number(text):
    """A parameter of points.txt as a number."""
    if "'" not in text:
        return int(text)
    base, digits = re.fullmatch(r"[0-9]*'([bdh])([0-9a-fA-F_]+)", text).groups()
    return int(digits.replace("_", ""), {"b": 2, "d": 10, "h": 16}[base])


def program(name):
    """A program of scripts/replay, compiled once."""
    return compiled(name, flow.BUILD)


@functools.cache
def compiled(name, build):
    source = flow.ROOT / "scripts" / "replay" / f"{name}.cpp"
    found = flow.run(["verilator", "--getenv", "VERILATOR_ROOT"], 60)
    root = found.output.strip()
    if found.code or not root:
        raise FlowError("verilator, whose reader of waveforms is used, is not installed: run scripts/bootstrap")
    folder = build / "energy" / f"{name}-{flow.digest(source, source.with_name('waves.h'), root)[:16]}"
    built = folder / name
    if not built.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"{name}.{os.getpid()}"
        result = flow.run(["g++", "-std=c++20", "-O2", f"-I{root}/include", source, "-lz", "-o", part], LIMIT)
        if result.code:
            raise FlowError(f"{flow.shown(source)}: {flow.last_error(result.output)}")
        os.replace(part, built)
    return built


def replay(gates, work, waves, events):
    """Counts of a replay: cycles, events, toggles by net, and how the outputs compared with the waveforms."""
    work.mkdir(parents=True, exist_ok=True)
    netlist = work / "netlist.txt"
    netlist.write_text(gates.text(events))
    result = flow.run([program("replay"), netlist, *waves], LIMIT, cwd=work)
    if result.timed_out or result.code:
        raise FlowError(f"{gates.point}: " + ("no end of the replay" if result.timed_out else flow.last_error(result.output)))
    found = json.loads(result.output)
    if not found["files"]:
        raise FlowError(f"{gates.point}: none of {len(waves)} waveforms holds {gates.point.module} at these parameters")
    found["toggles"] = found["toggles"][2:]  # by the order of gates.nets
    found["events"], found["enabled"] = found["events"][:len(events)], found["events"][len(events):]  # cycles, by gate
    return found


def record(command, stem, limit=LIMIT):
    """Runs a program of the build with every RTL block's waveform dumped; its waveforms, and what it printed."""
    stem = Path(stem)
    shutil.rmtree(stem.parent, ignore_errors=True)
    stem.parent.mkdir(parents=True)
    result = flow.run(command, limit, env=dict(os.environ, WARPSIEVE_FST=str(stem), WARPSIEVE_SHRINK="0"),
                      log=stem.with_suffix(".log"), cwd=stem.parent)
    if result.code:
        raise FlowError(f"{' '.join(str(c) for c in command)}: {flow.last_error(result.output)} ({stem.with_suffix('.log')})")
    waves = sorted(stem.parent.glob(f"{stem.name}.*.fst"))
    if not waves:
        raise FlowError(f"{' '.join(str(c) for c in command)}: no RTL block left a waveform")
    return waves
