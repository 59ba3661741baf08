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

    def cone(self, *literals):
        """Nodes that these literals depend on."""
        cone, stack = set(), [x >> 1 for x in literals]
        while stack:
            node = stack.pop()
            if node not in cone:
                cone.add(node)
                stack += [x >> 1 for x in self.nodes[node] or ()]
        return cone

    def bytes(self, output):
        """Binary AIGER of the gates that `output` depends on."""
        cone = self.cone(output)
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


def values(network, graph, known):
    """Literal of everything in `network` in one cycle; `known` holds its registers, other inputs are free."""
    value = {0: 0, **known}
    for index in range(network.inputs):
        if 2 + 2 * index not in value:
            value[2 + 2 * index] = graph.free()
    for literal in list(value):
        value[literal ^ 1] = value[literal] ^ 1
    for index, (a, b) in enumerate(network.gates):
        out = network.literal(index)
        value[out] = graph.both(value[a], value[b])
        value[out ^ 1] = value[out] ^ 1
    return value


class Step:
    """Of a miter: `found` can rise only if the copies can part in one step.

    The state before: registers of the same name hold the same, and those that are an output themselves (`bad`) are 0.
    A run counts only as long as the constraints hold, so they are taken to hold in this cycle and in the next.
    `found` is None when the copies do not start alike: nothing follows then.
    """

    def __init__(self, network):
        literal = dict(zip(network.latch_literals(), network.latches))
        start = {x: line[1] if len(line) > 1 else 0 for x, line in literal.items()}
        twins = [(a, b) for a, b in network.twins if start[a] == start[b]]
        watched = [x for x in network.outputs if x in literal]
        self.found, self.facts = None, 1
        if any(start[x] != 0 for x in watched):
            return
        graph = self.graph = Hashed()
        self.state = {x: graph.free() for x in literal}
        self.state.update({gate: self.state[gold] for gold, gate in twins})
        self.state.update({x: 0 for x in watched})
        now = values(network, graph, self.state)
        after = {x: now[line[0]] for x, line in literal.items()}
        late = values(network, graph, after)
        wrong = [graph.differ(after[a], after[b]) for a, b in twins] + [after[x] for x in watched]
        wrong += [now[x] for x in network.outputs if x not in literal]
        self.found, self.held = graph.any(wrong), 1
        for constraint in network.constraints:
            self.held = graph.both(self.held, graph.both(now[constraint], late[constraint]))

    def registers(self):
        """Those that `found` depends on."""
        cone, home = self.graph.cone(self.found), {}
        for x, literal in self.state.items():
            home.setdefault(literal >> 1, x)
        return {home[node] for node in cone & home.keys() if node}

    def never(self, when, clauses):
        """From now on: while register `when` is 1 (or always, if it is 1), no clause of (register, value) is true."""
        graph = self.graph
        for clause in clauses:
            together = self.state.get(when, when)
            for x, value in clause:
                together = graph.both(together, self.state[x] ^ (1 - value))
            self.facts = graph.both(self.facts, together ^ 1)

    def bytes(self):
        """A combinational network (AIGER, one output); b"" when it is 0."""
        question = self.graph.both(self.graph.both(self.found, self.held), self.facts)
        return self.graph.bytes(question) if question else b""
