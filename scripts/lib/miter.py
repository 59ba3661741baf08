"""The miter of a network and its copy with a fault: common inputs, `bad` rises when a defined output differs.

The network holds all the faults of a netlist behind one select input, so that Yosys makes it once for all of them.
"""

import re

from aiger import Aiger
from induction import Hashed, values

FAULT = "fault_i"  # select input of the network: 0 = unmutated, n = mutant n of the block
WIDTH = 16
WHEN = "when_"  # output of the frame: the output of that name means something


def frame(top, ports, promised):
    """Verilog of a module around `top`_copy: what is assumed of a run, and when an output is defined."""
    inputs = {n: len(p["bits"]) for n, p in ports.items() if p["direction"] == "input"}
    outputs = {n: len(p["bits"]) for n, p in ports.items() if p["direction"] == "output"}
    stems = sorted((n[:-len("valid_o")] for n in outputs if n.endswith("valid_o")), key=len, reverse=True)
    when = {}
    for name in outputs:
        conditions = [f"({promised.means[name]})"] if name in promised.means else []
        stem = next((s for s in stems if name.startswith(s) and name != f"{s}valid_o"), None)
        if stem is not None and not name.endswith(("ready_o", "valid_o")):
            conditions.append(f"{stem}valid_o[0]")
        if conditions:
            when[name] = " && ".join(conditions)
    heads = [f"input wire [{w - 1}:0] {n}" for n, w in inputs.items()] + [f"input wire [{WIDTH - 1}:0] {FAULT}"]
    heads += [f"output wire [{w - 1}:0] {n}" for n, w in outputs.items()] + [f"output wire {WHEN}{n}" for n in when]
    lines = ["module mutant_frame(" + ", ".join(heads) + ");",
             f"  {top}_copy i_copy (" + ", ".join(f".{n}({n})" for n in [*inputs, *outputs, FAULT]) + ");"]
    lines += [f"  assign {WHEN}{name} = {condition};" for name, condition in when.items()]
    offers = [n for n in inputs if n.endswith("valid_i")]
    if offers and "rst_ni" in inputs:
        lines.append(f"  always @* assume (rst_ni[0] || !({' || '.join(offers)}));")
    return "\n".join(lines + [f"  always @* assume ({a});" for a in promised.assumed] + ["endmodule"]) + "\n"


def compared(one):
    """(output, output that tells when it is defined, or None) for every output bit of the network."""
    index = {name: i for i, names in one.names["o"].items() for name in names}
    for i, names in sorted(one.names["o"].items()):
        if not names[0].startswith(WHEN):
            yield i, index.get(WHEN + re.sub(r"\[\d+\]$", "", names[0]))


def doubled(one, number, clocked):
    """Miter of `one` without a fault and with fault `number`; input early_i puts the fault before the first reset, too.

    twins: (literal in the original, in the copy with the fault) of the registers that matter to an output.
    """
    graph = Hashed()
    select = {x: int(re.sub(r"\D", "", name)) for x, names in one.names["i"].items() for name in names
              if name.startswith(f"{FAULT}[")}
    inputs = {2 + 2 * i: graph.free() for i in range(one.inputs)}
    early = graph.free()
    matter = one.cone(one.outputs)
    gold = {x: graph.free() for x in one.latch_literals()}
    gate = {x: graph.free() if x in matter else 0 for x in gold}
    started, bad = (graph.free(), graph.free()) if clocked else (1, 0)
    present = graph.both(started ^ 1, early ^ 1) ^ 1
    copies = []
    for latches, on in ((gold, 0), (gate, present)):
        faults = {x: on if number >> bit & 1 else 0 for x, bit in select.items()}
        copies.append(values(one, graph, {**inputs, **faults, **latches}))
    wrong = []
    for i, when in compared(one):
        differ = graph.differ(*(v[one.outputs[i]] for v in copies))
        wrong.append(differ if when is None else graph.both(differ, copies[0][one.outputs[when]]))
    found = graph.any(wrong)
    following = []  # (register, its next value, rest of its line)
    for latches, value in zip((gold, gate), copies):
        following += [(latches[x], value[line[0]], line[1:], x) for x, line in zip(one.latch_literals(), one.latches)
                      if latches[x]]
    if clocked:
        reset = next(x for x, names in one.names["i"].items() if "rst_ni" in names)
        # One cycle late, as are the clocked assertions that rule out the state.
        following += [(started, graph.both(started ^ 1, inputs[reset]) ^ 1, [], None),
                      (bad, graph.both(started, found), [], None)]
    # Numbers as AIGER wants them: inputs, registers, gates.
    order = [*(x >> 1 for x in inputs.values()), early >> 1, *(f[0] >> 1 for f in following)]
    place = {0: 0} | {node: i for i, node in enumerate(order, 1)}
    for node, operands in enumerate(graph.nodes):
        if operands:
            place[node] = len(place)
    here = lambda x: 2 * place[x >> 1] + (x & 1)  # noqa: E731
    two = Aiger()
    two.inputs = one.inputs + 1
    # An uninitialised register names itself as its start.
    two.latches = [[here(after)] + [here(register) if s == x else s for s in start] for register, after, start, x in following]
    two.outputs = [here(bad if clocked else found)]
    two.constraints = [here(copies[0][x]) for x in one.constraints]
    two.gates = [tuple(sorted((here(a), here(b)), reverse=True)) for a, b in filter(None, graph.nodes)]
    two.names["i"] = dict(one.names["i"]) | {here(early): ["early_i"]}
    two.twins = [(here(gold[x]), here(gate[x])) for x in gold if gate[x]]
    two.started = here(started)
    two.home = {x: here(gold[x]) for x in gold}  # registers of `one` in the copy without a fault
    return two
