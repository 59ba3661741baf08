"""Reads and changes binary AIGER files: the two copies inside a miter get the same initial state."""

import re


def encode(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


class Aiger:
    def __init__(self, data):
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
        self.names = {"i": {}, "l": {}}  # literal: all its names
        for kind, number, text in re.findall(rb"(?m)^([il])(\d+) (.*)$", body[position:]):
            offset = 1 if kind == b"i" else 1 + self.inputs
            self.names[kind.decode()][2 * (int(number) + offset)] = text.decode().split()

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

    def pairs(self, kind, gold, gate):
        """(literal of the gold copy, of the gate copy) for names that differ in that prefix only."""
        home = {name: literal for literal, names in self.names[kind].items() for name in names}
        found = {}
        for literal, names in self.names[kind].items():
            for name in names:
                if name.startswith(gate) and gold + name[len(gate):] in home:
                    found.setdefault(literal, home[gold + name[len(gate):]])
        return [(b, a) for a, b in found.items() if a != b]

    def lonely(self, kind, prefix, taken):
        return [x for x, names in self.names[kind].items() if x not in taken and any(n.startswith(prefix) for n in names)]

    def same_start(self):
        """The free initial values of the gate copy are those of the gold copy."""
        joined = self.pairs("i", "init:i_gold.", "init:i_gate.")
        golds = self.lonely("i", "init:i_gold.", {a for a, _ in joined})
        gates = self.lonely("i", "init:i_gate.", {b for _, b in joined})
        if len(golds) == len(gates) == 1:  # the register whose output is mutated has lost its name
            joined.append((golds[0], gates[0]))
        self.substitute({b: a for a, b in joined})

    def tie(self, name, value):
        """Holds the input of that name at 0 or 1."""
        self.substitute({x: value for x, names in self.names["i"].items() if name in names})

    def same_after(self, known):
        """With the inputs and registers of these names at 0 or 1 and the others unknown: whatever the next value of a
        register of the gold copy is then for certain, its twin in the gate copy has it too."""
        value = {0: False, 1: True}
        for names in self.names.values():
            for literal, own in names.items():
                for name in known.keys() & own:
                    value[literal], value[literal ^ 1] = bool(known[name]), not known[name]
        for index, (a, b) in enumerate(self.gates):
            first, second = value.get(a), value.get(b)
            both = False if False in (first, second) else True if first and second else None
            if both is not None:
                out = self.literal(index)
                value[out], value[out ^ 1] = both, not both
        following = {2 * (1 + self.inputs + i): value.get(line[0]) for i, line in enumerate(self.latches)}
        return all(following[gold] in (None, following[gate]) for gold, gate in self.pairs("l", "i_gold.", "i_gate."))

    def watch_state(self):
        """The one output also rises when two registers of the same name differ."""
        differences = [self.differ(a, b) for a, b in self.pairs("l", "i_gold.", "i_gate.")]
        self.outputs = [self.any(self.outputs + differences)]

    def bytes(self):
        maximum = self.inputs + len(self.latches) + len(self.gates)
        head = ["aig", maximum, self.inputs, len(self.latches), len(self.outputs), len(self.gates)]
        if self.constraints:
            head += [0, len(self.constraints)]
        lines = [" ".join(map(str, head))] + [" ".join(map(str, line)) for line in self.latches]
        lines += [str(x) for x in self.outputs + self.constraints]
        binary = b"".join(encode(self.literal(i) - a) + encode(a - b) for i, (a, b) in enumerate(self.gates))
        symbols = [f"{kind}{literal // 2 - (1 if kind == 'i' else 1 + self.inputs)} {' '.join(names)}"
                   for kind, table in self.names.items() for literal, names in table.items()]
        return "\n".join(lines).encode() + b"\n" + binary + "".join(f"{s}\n" for s in symbols).encode()
