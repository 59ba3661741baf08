"""One step of induction over a miter of two copies: from equal registers, whatever they hold, equal registers follow.

Both copies are unrolled over common registers, so that everything outside the cone of the fault falls together while the
gates are read. What is left is combinational and small, however large the netlist is.
"""

from aiger import encode


class Hashed:
    """And gates over free variables; literals are 2 * node + inverted, node 0 is constant 0."""

    def __init__(self):
        self.nodes, self.known = [None], {}  # None: a free variable (or the constant), else two literals

    def free(self):
        self.nodes.append(None)
        return 2 * len(self.nodes) - 2

    def both(self, a, b):
        if a > b:
            a, b = b, a
        if a == 0 or a == b ^ 1:
            return 0
        if a == 1 or a == b:
            return b
        if (a, b) not in self.known:
            self.nodes.append((a, b))
            self.known[a, b] = 2 * len(self.nodes) - 2
        return self.known[a, b]

    def differ(self, a, b):
        return self.both(self.both(a, b) ^ 1, self.both(a ^ 1, b ^ 1) ^ 1)

    def any(self, literals):
        found = sorted(set(literals) - {0})
        while len(found) > 1:
            found = [self.both(a ^ 1, b ^ 1) ^ 1 for a, b in zip(found[::2], found[1::2])] + \
                    (found[-1:] if len(found) % 2 else [])
        return found[0] if found else 0

    def bytes(self, output):
        """Binary AIGER of the gates that `output` depends on."""
        cone, stack = set(), [output >> 1]
        while stack:
            node = stack.pop()
            if node not in cone:
                cone.add(node)
                stack += [x >> 1 for x in self.nodes[node] or ()]
        inputs = sorted(n for n in cone if n and self.nodes[n] is None)
        ands = sorted(n for n in cone if self.nodes[n])
        place = {0: 0} | {n: i for i, n in enumerate(inputs + ands, 1)}
        here = lambda x: 2 * place[x >> 1] + (x & 1)  # noqa: E731
        body = b""
        for node in ands:
            low, high = sorted(here(x) for x in self.nodes[node])
            body += encode(2 * place[node] - high) + encode(high - low)
        head = f"aig {len(inputs) + len(ands)} {len(inputs)} 0 1 {len(ands)}\n{here(output)}\n"
        return head.encode() + body


def values(network, graph, latches):
    """Literal of everything in `network` in one cycle, its inputs free."""
    value = {0: 0, 1: 1}
    for index in range(network.inputs):
        value[2 + 2 * index] = graph.free()
    value.update(latches)
    for literal in list(value):
        value[literal ^ 1] = value[literal] ^ 1
    for index, (a, b) in enumerate(network.gates):
        out = network.literal(index)
        value[out] = graph.both(value[a], value[b])
        value[out ^ 1] = value[out] ^ 1
    return value


def one_step(network):
    """A combinational network (AIGER, one output) that can rise only if the copies can part: b"" when none can.

    The state before: registers of the same name hold the same, and those that are an output themselves (`bad`) are 0.
    A run counts only as long as the constraints hold, so they are taken to hold in this cycle and in the next.
    None when the copies do not start alike: nothing follows then.
    """
    literal = {2 * (1 + network.inputs + i): line for i, line in enumerate(network.latches)}
    start = {x: line[1] if len(line) > 1 else 0 for x, line in literal.items()}
    twins = [(a, b) for a, b in network.pairs("l", "i_gold.", "i_gate.") if start[a] == start[b]]
    watched = [x for x in network.outputs if x in literal]
    if any(start[x] != 0 for x in watched):
        return None
    graph = Hashed()
    state = {x: graph.free() for x in literal}
    state.update({gate: state[gold] for gold, gate in twins})
    state.update({x: 0 for x in watched})
    now = values(network, graph, state)
    after = {x: now[line[0]] for x, line in literal.items()}
    late = values(network, graph, after)
    wrong = [graph.differ(after[a], after[b]) for a, b in twins] + [after[x] for x in watched]
    wrong += [now[x] for x in network.outputs if x not in literal]
    found = graph.any(wrong)
    for constraint in network.constraints:
        found = graph.both(found, graph.both(now[constraint], late[constraint]))
    return graph.bytes(found) if found else b""
