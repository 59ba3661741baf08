"""What always holds between the small registers of a network, from the first reset on: found and proved by induction.

A candidate says that some bits never hold certain values together: one bit, two bits, or a vector and a value. All of
them are candidates; simulation drops most of those that do not hold, and then a solver is asked for a step that starts
with all that are left, or with a reset, and breaks one. What nothing can break any more is proved (Houdini).
"""

import itertools
import random
import re

import flow
from induction import Hashed, values

LANES = 256  # runs simulated at a time
CONTROL = 12  # bits: a wider register is data
VECTOR = 5  # bits: every value of such a register is a candidate of its own
MOST = 128  # bits that are looked at together
CYCLES = 200  # simulated before the solver is asked
CPU = 120  # seconds of the solver for one question


def vectors(network):
    """{register: all registers of its vector} for those of at most CONTROL bits."""
    groups = {}
    for x in network.latch_literals():
        name = network.names["l"].get(x, [f"?{x}"])[0]
        groups.setdefault(re.sub(r"\[\d+\]$", "", name), []).append(x)
    return {x: group for group in groups.values() if len(group) <= CONTROL for x in group}


def nearest(network, first):
    """At most MOST registers of small vectors, those first that decide about `first`, then what decides about them."""
    small, following = vectors(network), dict(zip(network.latch_literals(), (line[0] for line in network.latches)))
    found, level = set(), set(first) & small.keys()
    while level:
        for x in sorted(level, key=lambda x: (len(small[x]), x)):  # the smaller the more it controls
            if x not in found and len(found) + len(small[x]) <= MOST:
                found |= set(small[x])
        reached = network.cone([following[x] for x in found], deep=False)
        level = {x for x in reached & small.keys() - found if len(found) + len(small[x]) <= MOST}
    return sorted(found)


def candidates(network, chosen):
    """Tuples of (register, value) that perhaps never come together."""
    single = [(x, value) for x in chosen for value in (0, 1)]
    found = {(a,) for a in single} | {tuple(sorted((a, b))) for a, b in itertools.combinations(single, 2) if a[0] != b[0]}
    small = vectors(network)
    for group in {tuple(small[x]) for x in chosen}:
        if len(group) <= VECTOR:
            found |= {tuple(sorted(zip(group, value))) for value in itertools.product((0, 1), repeat=len(group))}
    return found


def literal(x):
    """Of a CNF; constants have none."""
    return -(x >> 1) if x & 1 else x >> 1


def written(clauses):
    return "".join(" ".join(map(str, c)) + " 0\n" for c in clauses)


def solved(question, path):
    """The variables that a solution of the CNF sets; None when there is none. `path` holds it meanwhile."""
    path.write_text(question)
    result = flow.run(["prlimit", f"--cpu={CPU}", "z3", "-dimacs", path], CPU * 20 + 60)
    path.unlink()
    if re.search(r"(?m)^s UNSATISFIABLE", result.output):
        return None
    if not re.search(r"(?m)^s SATISFIABLE", result.output):
        raise TimeoutError
    return {int(v) for line in re.findall(r"(?m)^v (.*)", result.output) for v in line.split() if int(v) > 0}


class Search:
    def __init__(self, network, chosen, tied, reset):
        """tied: inputs held at 0; reset: literal of rst_ni."""
        self.network, self.chosen, self.tied, self.reset = network, chosen, set(tied), reset
        self.registers = network.latch_literals()
        self.random = random.Random(1)
        self.following = dict(zip(self.registers, (line[0] for line in network.latches)))
        bound = network.cone(network.constraints, deep=False)
        # How often a neighbour of a state that was found differs in a register: one in 2^n.
        self.rare = {x: 6 if x in chosen else 10 if x in bound else 1 + index % 3 for index, x in enumerate(self.registers)}
        self.always = [x for x in self.registers if self.following[x] == 1]  # hold 1 from the second cycle on
        self.left = candidates(network, chosen)
        self.state = {x: self.random.getrandbits(LANES) for x in self.registers}
        graph = self.graph = Hashed()
        self.free = {x: graph.free() for x in self.registers}
        self.inputs = {2 + 2 * i: 0 if 2 + 2 * i in self.tied else graph.free() for i in range(network.inputs)}
        self.value = values(network, graph, {**self.free, **self.inputs})
        self.shared = self.body()

    def sparse(self, rare):
        """A word in which one bit in 2^rare is 1."""
        word = self.random.getrandbits(LANES)
        for _ in range(rare - 1):
            word &= self.random.getrandbits(LANES)
        return word

    def allowed(self):
        """The runs in whose state every candidate holds."""
        every = (1 << LANES) - 1
        word = {(x, v): self.state[x] if v else ~self.state[x] for x in self.chosen for v in (0, 1)}
        good = every
        for x in self.always:
            good &= self.state[x]
        for clause in self.left:
            together = good
            for bit in clause:
                together &= word[bit]
            good &= ~together
        return good

    def drop(self, alive):
        """What the runs `alive` have reached is no candidate."""
        word = {(x, v): (self.state[x] if v else ~self.state[x]) & alive for x in self.chosen for v in (0, 1)}
        kept = set()
        for clause in self.left:
            together = alive
            for bit in clause:
                together &= word[bit]
            if not together:
                kept.add(clause)
        self.left = kept

    def cycle(self, inputs):
        """Next value of all registers, and the runs that keep the constraints."""
        every, value = (1 << LANES) - 1, [0] * (2 * (1 + self.network.inputs + len(self.registers) + len(self.network.gates)))
        value[1] = every
        for x, word in (*inputs.items(), *self.state.items()):
            value[x], value[x ^ 1] = word, word ^ every
        out = 2 * (1 + self.network.inputs + len(self.registers))
        for a, b in self.network.gates:
            word = value[a] & value[b]
            value[out], value[out + 1] = word, word ^ every
            out += 2
        kept = every
        for x in self.network.constraints:
            kept &= value[x]
        return {x: value[self.following[x]] for x in self.registers}, kept

    def run(self, cycles, alive, first=None):
        """From self.state: random inputs, or those of the cycle before where the constraints forbid them. Runs that end in
        a forbidden cycle begin again with a reset."""
        every = (1 << LANES) - 1
        before = first or {x: 0 for x in self.inputs}
        for number in range(cycles):
            bits = self.random.getrandbits
            fresh = {x: 0 if x in self.tied else bits(LANES) & bits(LANES) if index % 3 else bits(LANES) | bits(LANES)
                     for index, x in enumerate(self.inputs)}
            if number == 0 and first:
                fresh = {x: first[x] ^ (0 if x in self.tied else bits(LANES) & bits(LANES) & bits(LANES) & ~1) for x in first}
            fresh[self.reset] = alive
            after, kept = self.cycle(fresh)
            if kept != every:
                held = {x: fresh[x] & kept | before[x] & ~kept & every for x in fresh}
                held[self.reset] = alive
                fresh = held
                after, kept = self.cycle(fresh)
            self.state, before, alive = after, fresh, kept
            self.drop(alive)

    def after(self, bit):
        """Literal: the register of (register, value) holds the value in the next cycle."""
        return self.value[self.following[bit[0]]] ^ (1 - bit[1])

    def body(self):
        """The clauses that all questions share: the gates, the constraints, and where a step begins."""
        graph, held = self.graph, [self.value[x] for x in self.network.constraints]
        clauses = [[literal(x)] if x else [] for x in held if x != 1]
        clauses.append([len(graph.nodes), -literal(self.value[self.reset])])
        clauses += [[-len(graph.nodes), literal(self.free[x])] for x in self.always]
        for node in graph.cone(*(self.after((x, 1)) for x in self.chosen), *held):
            if graph.nodes[node]:
                a, b = map(literal, graph.nodes[node])
                clauses += [[-node, a], [-node, b], [node, -a, -b]]
        return len(clauses), written(clauses)

    def question(self):
        """CNF: a step from where all candidates hold, or out of a reset, to where one does not. Variable n is node n."""
        started = last = len(self.graph.nodes)  # 0: the step is a reset
        clauses, wrong = [], []
        for clause in self.left:
            clauses.append([-started] + [-literal(self.free[x]) if v else literal(self.free[x]) for x, v in clause])
            ends = [self.after(bit) for bit in clause]
            if 0 not in ends:
                last += 1
                wrong.append(last)
                clauses += [[-last, literal(x)] for x in ends if x != 1]
        clauses.append(wrong)
        count, text = self.shared
        return f"p cnf {last} {count + len(clauses)}\n{text}{written(clauses)}"

    def prove(self, solve):
        """The candidates that are left when no step breaks one; none when the solver gives up (see solved())."""
        self.run(CYCLES, 0)  # begins with a reset
        while self.left:
            try:
                true = solve(self.question())
            except TimeoutError:
                return set()
            if true is None:
                break
            count, every = len(self.left), (1 << LANES) - 1
            # The first run starts in the state found, with the inputs found; the others with some that are like them.
            exact = {x: every if node >> 1 in true else 0 for x, node in self.free.items()}
            self.state = {x: word ^ self.sparse(self.rare[x]) & ~1 for x, word in exact.items()}
            allowed = self.allowed()
            for x in itertools.chain(self.chosen, self.always):
                self.state[x] = self.state[x] & allowed | exact[x] & ~allowed & every
            first = {x: every if node >> 1 in true else 0 for x, node in self.inputs.items()}
            self.run(2, first[self.reset], first)
            if len(self.left) == count:
                raise flow.FlowError("the solver found a step that breaks nothing")
        return self.left
