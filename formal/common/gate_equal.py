#!/usr/bin/env python3
"""Gated and transparent form of a block with clock_gate: the same outputs in every cycle, for all inputs (proof by `script`).

formal/<block>/<module>_gate.toml says how the two forms differ. Each [[state]] has `when`, registers and their values; the
states are disjoint, and the forms agree in these registers. `always`: registers that have these values in the state.
`differ`: registers that may differ between the forms in the state. `same`: expressions
over registers, with which such a register is equal after all. `holds`: expressions that hold in the state. `stable`,
above the states: inputs that do not change after reset. A `holds` may name a signal that depends on them alone.
A name in `always` or `differ` that does not exist at the parameters counts for nothing, and so does an expression with one.

`exact = true` instead of states: the forms never differ, if they start with the same registers. Asserted: where a gate's
enable is low, each register behind it would load the value that it has, in reset or not. Memories, which have no gate,
hold anything here.

Two copies of the block's logic get one cycle. In the gated one a register behind a gate keeps its value where enable_i is
low. Asserted:

  from any two values of the registers, a cycle in reset ends in a state
  from a state, a cycle ends in a state                                  (the relation is an invariant)
  in a state, the outputs are equal; payload counts while its valid is high

Registers are inputs here, equal where the relation says so; those of `when` and `always` are constants. So the two copies
are one circuit, but for what may differ, and berkeley-abc compares them. The latch is proved by clock_gate's own proof.
Environment and exit codes: formal/README.md.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT, WORK = Path(os.environ["WARPSIEVE_ROOT"]), Path(os.environ["WS_WORK"])
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
import flow  # noqa: E402
from icarus import stem_of  # noqa: E402

GATES = ["techmap", "setundef -zero", "opt_expr", "opt_clean", "aigmap", "opt_clean"]
MOST = 3  # asserts that fail and are named
NAMES = re.compile(r"[a-z_]\w*(?:\.\w+)*")  # registers in an expression
MEMORY = re.compile("|".join(flow.MEMORIES))
CLOCK, RESET = "clk_i", "rst_ni"


class Problem(Exception):
    """No proof and no counterexample."""


def tool(command, log):
    result = subprocess.run([str(c) for c in command], cwd=WORK, capture_output=True, text=True, check=False)
    (WORK / log).write_text(result.stdout + result.stderr)
    if result.returncode:
        raise Problem(f"{command[0]}: {flow.last_error(result.stdout + result.stderr)}")
    return result.stdout


def yosys(name, lines):
    (WORK / f"{name}.ys").write_text("\n".join(lines) + "\n")
    tool(["yosys", "-q", "-s", f"{name}.ys"], f"{name}.log")


def elaborated(module):
    """The flat module as JSON; clock gates and memories stay cells."""
    defines = " ".join(f"-D {d}" for d in os.environ["WS_DEFINES"].split())
    includes = f"-I{ROOT}/rtl"
    params = dict(p.split("=", 1) for p in os.environ["WS_PARAMS"].split())
    lines = [f"read_verilog -sv -D SYNTHESIS {defines} {includes} {f}" for f in os.environ["WS_SOURCES"].split()]
    lines += flow.elaborate(module, params)
    kept = " ".join(f"{m} $paramod*{m}*" for m in flow.MEMORIES)
    lines += [f"setattr -mod -set keep_hierarchy 1 clock_gate {kept}", "proc", "flatten", "opt_expr", "check -assert",
              f"memory -nordff {module}", "peepopt", "opt_clean", "dffunmap", "select -assert-min 1 t:clock_gate",
              f"select -assert-none {module}/t:$mem* {module}/t:$dlatch {module}/t:$adff {module}/t:$dffsr", "write_json flat.json"]
    yosys("flat", lines)
    return json.loads((WORK / "flat.json").read_text())["modules"][module]


def rank(name):
    """Of the names of a register the lowest is taken: the one of the RTL ends in _q."""
    return not name.endswith("_q"), name.count("."), len(name), name


class Step:
    """The logic of one cycle: registers and the gates' enables are ports."""

    def __init__(self, flat):
        self.ports = {n: p for n, p in flat["ports"].items() if n != CLOCK}
        self.widths = {n: len(p["bits"]) for n, p in self.ports.items()}
        label = {}  # bit: (register, index)
        for name, net in flat["netnames"].items():
            for index, bit in enumerate([] if net.get("hide_name") else net["bits"]):
                if bit not in label or rank(name) < rank(label[bit][0]):
                    label[bit] = (name, index)
        found = {n: c["connections"] for n, c in flat["cells"].items() if c["type"] == "clock_gate"}
        self.names, gates = list(found), {pins["clk_o"][0]: pins for pins in found.values()}
        clock = flat["ports"][CLOCK]["bits"][0]
        if any(g["clk_i"][0] != clock or g["test_i"][0] != "0" for g in gates.values()):
            raise Problem("a clock_gate has a clock that is not clk_i, or a test_i that is not 0")
        self.enables = [g["enable_i"][0] for g in gates.values()]
        self.memories = 0  # what they hold is free
        self.registers = {}  # name: {index: number of its gate, None without one}
        state, following, cells = {}, {}, {}
        for name, cell in flat["cells"].items():
            if cell["type"] == "clock_gate":
                continue
            if MEMORY.search(cell["type"]):
                self.memories += 1
                if cell["connections"]["clk_i"][0] != clock:
                    raise Problem(f"{name}: a memory behind a gate")
                read = [b for b in cell["connections"]["rdata_o"] if isinstance(b, int)]
                self.ports[f"memory{self.memories}"] = {"direction": "input", "bits": read}
                self.widths[f"memory{self.memories}"] = len(read)
                continue
            if cell["type"] != "$dff":
                cells[name] = cell
                continue
            pins = cell["connections"]
            if cell["parameters"]["CLK_POLARITY"][-1:] not in ("1", 1):
                raise Problem(f"{name} has a falling edge")
            if pins["CLK"][0] != clock and pins["CLK"][0] not in gates:
                raise Problem(f"{name} has a clock of its own")
            gate = list(gates).index(pins["CLK"][0]) if pins["CLK"][0] in gates else None
            for d, q in zip(pins["D"], pins["Q"]):
                if q not in label:
                    label[q] = (re.sub(r"\W", "_", name), len(state))
                register, index = label[q]
                self.registers.setdefault(register, {})[index] = gate
                state[register, index], following[register, index] = q, d
        self.gated = sum(g is not None for bits in self.registers.values() for g in bits.values())
        self.order = sorted(state)
        self.cells, self.state, self.probes = cells, [state[k] for k in self.order], []
        self.outputs = {"following": [following[k] for k in self.order], "enables": self.enables}

    def write(self):
        ports = {n: {"direction": p["direction"], "bits": p["bits"]} for n, p in self.ports.items()}
        ports["state"] = {"direction": "input", "bits": self.state}
        ports |= {n: {"direction": "output", "bits": bits} for n, bits in self.outputs.items()}
        nets = {n: {"hide_name": 0, "bits": p["bits"], "attributes": {}} for n, p in ports.items()}
        (WORK / "step.json").write_text(json.dumps({"modules": {"step": {"attributes": {}, "ports": ports, "cells": self.cells,
                                                                         "netnames": nets}}}))
        yosys("step", ["read_json step.json", *GATES, "write_ilang step.il"])

    def expression(self, text, vector):
        """An expression over registers, and signals of stable inputs, as one over the bits of a vector."""
        def whole(match):
            if match[0] in self.probes:
                return f"probe{self.probes.index(match[0])}"
            return "{" + ", ".join(f"{vector}[{i}]" for i in reversed(range(len(self.order))) if self.order[i][0] == match[0]) + "}"
        return f"({NAMES.sub(whole, text)})"

    def known(self, text):
        return all(n in self.registers or n in self.probes for n in NAMES.findall(text))

    def probe(self, flat, name, stable):
        """A signal becomes an output of the step; it must depend on stable inputs only."""
        driver = {b: c for c in self.cells.values() for pin, bits in c["connections"].items()
                  if c["port_directions"][pin] == "output" for b in bits}
        allowed = {b for n in stable for b in flat["ports"][n]["bits"]}
        bits = flat["netnames"][name]["bits"]
        open_bits, seen = [b for b in bits if isinstance(b, int)], set()
        while open_bits:
            bit = open_bits.pop()
            if bit in seen or bit in allowed:
                continue
            seen.add(bit)
            if bit not in driver:
                raise Problem(f"{name} depends on more than {', '.join(stable) or 'nothing'}")
            cell = driver[bit]
            open_bits += [b for pin, used in cell["connections"].items() if cell["port_directions"][pin] == "input"
                          for b in used if isinstance(b, int)]
        self.probes.append(name)
        self.outputs[f"probe{len(self.probes) - 1}"] = bits

    def bits(self, names, kind):
        """{place: 0 or 1} of registers with values, or the set of places of registers."""
        if kind == "differ":
            return {i for i, (register, _) in enumerate(self.order) if register in names}
        return {i: names[register] >> index & 1 for i, (register, index) in enumerate(self.order) if register in names}


def states_of(listed, path, step, flat):
    states, stable = listed["state"], listed.get("stable", [])
    for name in {n for s in states for e in s.get("holds", []) for n in NAMES.findall(e)}:
        if name not in step.registers and name in flat["netnames"]:
            step.probe(flat, name, stable)
    for state in states:
        missing = [r for r in state["when"] if r not in step.registers]
        if missing:
            raise Problem(f"{path.name}: no register {', '.join(missing)}; there are {', '.join(step.registers)}")
        state["when_bits"] = step.bits(state["when"], "when")
        state["fixed"] = {**step.bits(state.get("always", {}), "always"), **state["when_bits"]}
        state["holds"] = [e for e in state.get("holds", []) if step.known(e)]
        state["same"] = {r: e for r, e in state.get("same", {}).items() if r in step.registers}
        state["free"] = step.bits(state.get("differ", []), "differ")
    for state in states:  # what is assumed of a state is asserted of the one after, or the proof is none
        if state["free"] & set(state["fixed"]):
            raise Problem(f"{path.name}: state {state['name']}: a register with a value is one that may differ")
        if not step.bits(state["same"], "differ") <= state["free"]:
            raise Problem(f"{path.name}: state {state['name']}: `same` names a register that may not differ")
        if any(set(other["when_bits"]) & state["free"] for other in states):
            raise Problem(f"{path.name}: state {state['name']}: a register of `when` is one that may differ")
        for other in states:
            if other is not state and all(other["when_bits"].get(i, v) == v for i, v in state["when_bits"].items()):
                raise Problem(f"{path.name}: states {state['name']} and {other['name']} are not disjoint")
    return states


def runs(places):
    """("[high:low]", value) of neighbours with one value, from (place, value)."""
    found = []
    for place, value in places:
        if found and found[-1][1] + 1 == place and found[-1][2] == value:
            found[-1][1] = place
        else:
            found.append([place, place, value])
    return [(f"[{high}:{low}]", value) for low, high, value in found]


def miter(step, states, case):
    """(Verilog, names of the asserts) of a cycle from one state; case None: in reset, from anything."""
    size, asserts = len(step.order), []
    inputs = [n for n, p in step.ports.items() if p["direction"] == "input"]
    outputs = [n for n, p in step.ports.items() if p["direction"] == "output"]
    fixed, free = (case["fixed"], case["free"]) if case else ({}, set(range(size)))
    same = {r: step.expression(e, "plain_q") for r, e in case["same"].items()} if case else {}
    same = {i: same[r] for i, (r, _) in enumerate(step.order) if r in same and i in free}
    drive = lambda n: ".rst_ni(1'b0)" if n == RESET and case is None else f".{n}({n})"  # noqa: E731
    lines = [f"  wire [{size - 1}:0] plain_q, held_q, plain_d, held_f, held_d;",
             f"  wire [{len(step.enables) - 1}:0] plain_on, held_on;"]
    lines += [f"  wire [{len(step.outputs[f'probe{i}']) - 1}:0] probe{i};" for i in range(len(step.probes))]
    for part, kind in runs((i, str(fixed[i]) if i in fixed else same.get(i, "b") if i in free else "a") for i in range(size)):
        value = f"{{({part[1:-1].replace(':', ' - ')} + 1){{1'b{kind}}}}}" if kind in ("0", "1") else ""
        lines.append(f"  assign plain_q{part} = {value or f'a{part}'};")
        other = f"{kind}{part}" if kind in ("a", "b") else f"{kind} ? a{part} : b{part}"
        lines.append(f"  assign held_q{part} = {value or other};")
    for copy, following in (("plain", "plain_d"), ("held", "held_f")):
        lines += [f"  wire [{step.widths[n] - 1}:0] {copy}_{n};" for n in outputs]
        pins = [drive(n) for n in inputs] + [f".{n}({copy}_{n})" for n in outputs]
        lines.append(f"  step {copy} ({', '.join(pins)}, .state({copy}_q), .following({following}), .enables({copy}_on)"
                     + "".join(f", .probe{i}({f'probe{i}' if copy == 'plain' else ''})" for i in range(len(step.probes))) + ");")
    for part, gate in runs((i, step.registers[register][index]) for i, (register, index) in enumerate(step.order)):
        lines.append(f"  assign held_d{part} = " + (f"held_f{part};" if gate is None else
                                                    f"held_on[{gate}] ? held_f{part} : held_q{part};"))

    lines.append("  wire there = " + " && ".join(["1'b1", *(step.expression(e, "plain_q") for e in (case or {}).get("holds", []))])
                 + ";")

    def check(name, expression):
        lines.append(f"  assign bad[{len(asserts)}] = there && !({expression});")
        asserts.append(f"{case['name'] if case else 'reset'}: {name}")

    reached = []
    for number, state in enumerate(states):
        is_there = " && ".join(f"plain_d[{i}] == 1'b{v}" for i, v in state["when_bits"].items())
        lines.append(f"  wire to{number} = {is_there};")
        reached.append(f"to{number}")
        groups = {}
        for i, (register, _) in enumerate(step.order):
            if i in state["free"] and register not in state["same"]:
                continue
            groups.setdefault(register, []).append((i, None))
            if i in state["fixed"]:
                check(f"{register} in {state['name']}", f"!to{number} || plain_d[{i}] == 1'b{state['fixed'][i]}")
        for register, places in groups.items():
            terms = [f"plain_d{part} == held_d{part}" for part, _ in runs(places)]
            unless = f"!{step.expression(state['same'][register], 'plain_d')} || " if register in state["same"] else ""
            check(f"{register} in {state['name']}", f"!to{number} || {unless}({' && '.join(terms)})")
        for text in state["holds"]:
            check(f"{text} in {state['name']}", f"!to{number} || {step.expression(text, 'plain_d')}")
    check("ends in a state", " || ".join(reached))
    if case is None:
        check("the gates are open", " && ".join(f"held_on[{g}]" for g in range(len(step.enables))))
    else:
        check("the gates agree", "plain_on == held_on")
        for name in outputs:
            valid = stem_of(name, "o", outputs)
            check(f"output {name}", (f"!plain_{valid} || " if valid else "") + f"plain_{name} == held_{name}")
    head = [f"module miter (input [{size - 1}:0] a, b, " + ", ".join(f"input [{step.widths[n] - 1}:0] {n}" for n in inputs)
            + f", output [{len(asserts) - 1}:0] bad);"]
    return "\n".join(head + lines + ["endmodule", ""]), asserts


def keeps(step):
    """(Verilog, names of the asserts): no gate holds back an edge with which a register behind it would change."""
    size, asserts = len(step.order), []
    inputs = [n for n, p in step.ports.items() if p["direction"] == "input"]
    lines = [f"  wire [{size - 1}:0] next;", f"  wire [{len(step.enables) - 1}:0] on;",
             f"  step one ({', '.join(f'.{n}({n})' for n in inputs)}, .state(a), .following(next), .enables(on));"]
    groups = {}
    for i, (register, index) in enumerate(step.order):
        if (gate := step.registers[register][index]) is not None:
            groups.setdefault((register, gate), []).append((i, None))
    for (register, gate), places in groups.items():
        same = " && ".join(f"next{part} == a{part}" for part, _ in runs(places))
        lines.append(f"  assign bad[{len(asserts)}] = !(on[{gate}] || ({same}));")
        asserts.append(f"{register} behind gate {step.names[gate]}")
    head = [f"module miter (input [{size - 1}:0] a, " + ", ".join(f"input [{step.widths[n] - 1}:0] {n}" for n in inputs)
            + f", output [{len(asserts) - 1}:0] bad);"]
    return "\n".join(head + lines + ["endmodule", ""]), asserts


def holds(name, asserts):
    """Names of the asserts that fail."""
    yosys(name, [f"read_verilog -sv {name}.v", "read_ilang step.il", "hierarchy -check -top miter", "flatten", "opt_clean", *GATES,
                 f"write_aiger {name}.aig"])
    abc = lambda command, log: tool([os.environ["WS_ABC"], "-c", f"read_aiger {name}.aig; {command}"], log)  # noqa: E731
    text = abc("strash; orpos; iprove", f"{name}.abc.log")
    if "UNSATISFIABLE" in text:
        return []
    if not re.search(r"\bSATISFIABLE", text):
        raise Problem(f"abc: {flow.last_error(text)}")
    failed = []
    for index, what in enumerate(asserts):
        text = abc(f"cone -O {index}; strash; iprove", f"{name}.cone.log")
        if "UNSATISFIABLE" not in text:
            failed.append(what)
            if len(failed) == MOST:
                break
    if not failed:
        raise Problem("abc finds that an assert fails, and none that does")
    return failed


def verdict(failed, total, step, how):
    if failed:
        print(f"the forms differ: {', '.join(failed)}")
        return 1
    print(f"asserts {total}")
    print(f"gated and transparent form agree: {total} asserts, {step.gated} registers behind {len(step.enables)} gate(s), {how}")
    return 0


def main():
    module = os.environ["WS_MODULE"]
    planted = [d for d in os.environ["WS_DEFINES"].split() if d.startswith("PLANT_")]
    text = "".join(Path(f).read_text() for f in os.environ["WS_SOURCES"].split())
    for macro in planted:
        if not re.search(rf"`ifdef\s+{macro}\b", text):
            raise Problem(f"no source of {module} reads the macro {macro}")
    path = next(iter(sorted((ROOT / "formal").glob(f"*/{module}_gate.toml"))), None)
    if path is None:
        raise Problem(f"no formal/<block>/{module}_gate.toml")
    flat = elaborated(module)
    step = Step(flat)
    listed = tomllib.loads(path.read_text())
    if listed.get("exact"):
        step.write()
        verilog, asserts = keeps(step)
        (WORK / "exact.v").write_text(verilog)
        return verdict(holds("exact", asserts), len(asserts), step, "and never differ")
    if step.memories:
        raise Problem(f"{path.name}: a module with memories can only be `exact`: they must hold the same in both forms")
    states = states_of(listed, path, step, flat)
    step.write()
    total, failed = 0, []
    for case in [None, *states]:
        name = case["name"] if case else "reset"
        verilog, asserts = miter(step, states, case)
        (WORK / f"{name}.v").write_text(verilog)
        total += len(asserts)
        failed += holds(name, asserts)
        if failed:
            break
    return verdict(failed, total, step, f"{len(states)} states")


try:
    sys.exit(main())
except (Problem, flow.FlowError) as error:
    print(error)
    sys.exit(2)
