"""Reads, changes and writes networks in binary AIGER."""

import re


def encode(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


class Aiger:
    """inputs: how many; latches: [next value] or [next value, start]; gates: pairs of literals; names: by literal, of outputs
    by index; twins: registers that hold the same in the two copies of a miter."""

    def __init__(self, data=b"aig 0 0 0 0 0\n"):
        head, _, rest = data.partition(b"\n")
        counts = [int(w) for w in head.split()[1:]] + [0, 0]
        self.inputs, latches, outputs, ands, bads, constraints = counts[1:7]
        lines = rest.split(b"\n", latches + outputs + bads + constraints)
        body = lines.pop()
        self.latches = [[int(w) for w in line.split()] for line in lines[:latches]]
        self.outputs = [int(line) for line in lines[latches:latches + outputs + bads]]
        self.constraints = [int(line) for line in lines[latches + outputs + bads:]]
        self.gates, position = [], 0
        for index in range(ands):
            operands = []
            for _ in range(2):
                value = shift = 0
                while True:
                    byte = body[position]
                    position += 1
                    value |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        break
                operands.append(value)
            first = self.literal(index) - operands[0]
            self.gates.append((first, first - operands[1]))
        self.names = {"i": {}, "l": {}, "o": {}}
        for kind, number, text in re.findall(rb"(?m)^([ilo])(\d+) (.*)$", body[position:]):
            self.names[kind.decode()][self.named(kind.decode(), int(number))] = text.decode().split()
        self.twins = []

    def named(self, kind, number):
        """Key in names[kind]."""
        return number if kind == "o" else 2 * (number + (1 if kind == "i" else 1 + self.inputs))

    def literal(self, gate):
        """Of the gate with this index."""
        return 2 * (1 + self.inputs + len(self.latches) + gate)

    def both(self, first, second):
        self.gates.append((max(first, second), min(first, second)))
        return self.literal(len(self.gates) - 1)

    def differ(self, first, second):
        return self.both(self.both(first, second) ^ 1, self.both(first ^ 1, second ^ 1) ^ 1)

    def any(self, literals):
        """Their disjunction, as a balanced tree."""
        while len(literals) > 1:
            literals = [self.both(a ^ 1, b ^ 1) ^ 1 for a, b in zip(literals[::2], literals[1::2])] + \
                       (literals[-1:] if len(literals) % 2 else [])
        return literals[0] if literals else 0

    def substitute(self, table):
        """Inputs or constants for inputs."""
        swap = lambda x: table.get(x & ~1, x & ~1) ^ (x & 1)  # noqa: E731
        self.gates = [(max(swap(a), swap(b)), min(swap(a), swap(b))) for a, b in self.gates]
        self.latches = [[swap(line[0])] + line[1:] for line in self.latches]
        self.outputs = [swap(x) for x in self.outputs]
        self.constraints = [swap(x) for x in self.constraints]

    def latch_literals(self):
        return [2 * (1 + self.inputs + i) for i in range(len(self.latches))]

    def cone(self, literals, deep=True):
        """Registers that these literals depend on, in this cycle or (deep) in any."""
        first, gates = 1 + self.inputs, 1 + self.inputs + len(self.latches)
        seen, stack = set(), [x >> 1 for x in literals]
        while stack:
            node = stack.pop()
            if node >= first and node not in seen:
                seen.add(node)
                if node >= gates:
                    stack += [x >> 1 for x in self.gates[node - gates]]
                elif deep:
                    stack.append(self.latches[node - first][0] >> 1)
        return {2 * node for node in seen if node < gates}

    def tie(self, name, value):
        """Holds the input of that name at 0 or 1."""
        self.substitute({x: value for x, names in self.names["i"].items() if name in names})

    def same_after(self, known):
        """With the inputs and registers of these names at 0 or 1 and the others unknown: whatever the next value of a
        register of the original is then for certain, its twin with the fault has it too."""
        value = {0: False, 1: True}
        for literal, own in (*self.names["i"].items(), *self.names["l"].items()):
            for name in known.keys() & own:
                value[literal], value[literal ^ 1] = bool(known[name]), not known[name]
        for index, (a, b) in enumerate(self.gates):
            first, second = value.get(a), value.get(b)
            both = False if False in (first, second) else True if first and second else None
            if both is not None:
                out = self.literal(index)
                value[out], value[out ^ 1] = both, not both
        following = {2 * (1 + self.inputs + i): value.get(line[0]) for i, line in enumerate(self.latches)}
        return all(following[gold] in (None, following[gate]) for gold, gate in self.twins)

    def watch_state(self):
        """The one output also rises when a register and its twin differ."""
        differences = [self.differ(a, b) for a, b in self.twins]
        self.outputs = [self.any(self.outputs + differences)]

    def bytes(self):
        maximum = self.inputs + len(self.latches) + len(self.gates)
        head = ["aig", maximum, self.inputs, len(self.latches), len(self.outputs), len(self.gates)]
        if self.constraints:
            head += [0, len(self.constraints)]
        lines = [" ".join(map(str, head))] + [" ".join(map(str, line)) for line in self.latches]
        lines += [str(x) for x in self.outputs + self.constraints]
        binary = b"".join(encode(self.literal(i) - a) + encode(a - b) for i, (a, b) in enumerate(self.gates))
        number = {"i": lambda x: x // 2 - 1, "l": lambda x: x // 2 - 1 - self.inputs, "o": lambda x: x}
        symbols = [f"{kind}{number[kind](x)} {' '.join(names)}" for kind, table in self.names.items()
                   for x, names in table.items()]
        return "\n".join(lines).encode() + b"\n" + binary + "".join(f"{s}\n" for s in symbols).encode()
