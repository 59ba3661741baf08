"""Mutants of one module at one point: the list, the netlist that holds them all, equivalence by solver."""

import re
import shutil
import threading
from pathlib import Path

import flow
from aiger import Aiger
from facts import Search, nearest, solved
from flow import FlowError
from induction import Step
from miter import FAULT, WIDTH, doubled, frame

PREFERRED = ("odd", "tiny") + flow.HEADLINE  # the point that is mutated: small, without the symmetry of powers of two
SELECT = "mutant_i"  # select input of the netlist: 0 = unmutated, n = mutant n of the block
CLOCKS = ("CLK", "WR_CLK", "RD_CLK")  # a mutated clock is no fault that a cycle-based test could name
NO_RESETS = ("RD_ARST", "RD_SRST")  # of a memory, which has none: Yosys cannot write one that has
LARGE = 1_500_000  # bytes of a netlist of which only one step of induction is asked
SOLVER = 7  # revision of equivalent()


class Mutant:
    """One line of Yosys' `mutate -list`."""

    def __init__(self, line, block):
        words = line.split()
        self.options = dict(zip(words[1::2], words[2::2]))
        self.mode, self.cell = self.options["-mode"], self.options["-cell"]
        self.port, self.bit = self.options["-port"].lstrip("\\"), int(self.options["-portbit"])
        kind = re.match(r"(?:\$flatten\\.*\.)?\$(?:auto\$)?(\w+)", self.cell)
        self.kind = kind[1] if kind else self.cell  # add, procmux, ff; a memory by its name
        self.wire = ""
        if "-wire" in self.options:
            self.wire = f"{self.options['-wire']}[{self.options['-wirebit']}]"
        places = [b for a, b in zip(words, words[1:]) if a == "-src" and "rtl/" in b]
        own = [p for p in places if f"rtl/{block}/" in p]
        # The cell's own place is the last; a wire's declaration, if it has one, comes before.
        place = (own or places or ["?"])[-1]
        self.src = re.sub(r"^.*?(?=rtl/)", "", place).split("-")[0].rsplit(".", 1)[0]
        # -wire, -wirebit and -src are comments of the list; the rest is what `mutate` needs.
        keep = ["-mode", "-module", "-cell", "-port", "-portbit", "-ctrlbit"]
        self.command = "mutate " + " ".join(f"{o} {self.options[o]}" for o in keep if o in self.options)

    def key(self):
        """What survives an edit elsewhere in the file; cell names hold counters and are left out."""
        return f"{self.mode} {self.kind}.{self.port}[{self.bit}] {self.wire}".strip()

    def code(self):
        """The text of the source line."""
        name, _, number = self.src.partition(":")
        try:
            return " ".join((flow.ROOT / name).read_text().splitlines()[max(int(number), 1) - 1].split())
        except (OSError, ValueError, IndexError):
            return ""

    def __str__(self):
        return f"{self.src} {self.mode} of {self.kind}.{self.port}[{self.bit}]" + (f" ({self.wire})" if self.wire else "")


def chosen_points(block, module="", point=""):
    """One point per module: the named one, else what the contract says, else the first of PREFERRED, else the first."""
    found = {}
    for candidate in flow.chosen(flow.points(block), point, module):
        rank = PREFERRED.index(candidate.name) if candidate.name in PREFERRED else len(PREFERRED)
        rank = -1 if contract(block, candidate.module).point == candidate.name else rank
        if candidate.module not in found or rank < found[candidate.module][0]:
            found[candidate.module] = (rank, candidate)
    if not found:
        raise FlowError(f"rtl/{block}/points.txt names no point")
    return [candidate for _, candidate in found.values()]


def shares(weights, total):
    """Splits `total` in proportion to the square root of each weight: small modules are not forgotten."""
    roots = [max(w, 1) ** 0.5 for w in weights]
    exact = [total * r / sum(roots) for r in roots]
    whole = [int(e) for e in exact]
    for i in sorted(range(len(exact)), key=lambda i: whole[i] - exact[i])[:total - sum(whole)]:
        whole[i] += 1
    return whole


class Contract:
    """What may be relied on when mutants of one module are judged, and which point of it is mutated."""

    def __init__(self, assumed=(), means=None, point=""):
        self.assumed, self.means, self.point = list(assumed), dict(means or {}), point


class Netlist:
    """A module at one point, flat and at word level."""

    def __init__(self, point, folder):
        self.point, self.folder = point, folder
        self.name = f"V{point.module}_{point.name}"
        self.base = folder / f"{self.name}.il"
        self.checked = folder / f"{self.name}.checked.il"  # with its assertions, for the solver
        self.mutants, self.one, self.known, self.making = [], None, {}, threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)

    def yosys_once(self, name, lines, inputs, outputs, then=lambda: None, limit=600):
        """Like yosys(), unless the outputs are there from the same lines and inputs: minutes for a large netlist."""
        stamp = self.folder / f"{self.name}.{name}.stamp"
        key = flow.digest(Path(__file__), *lines, *inputs)
        if stamp.is_file() and stamp.read_text() == key and all(path.is_file() for path in outputs):
            return
        stamp.unlink(missing_ok=True)
        self.yosys(name, lines, limit)
        then()
        stamp.write_text(key)

    def yosys(self, name, lines, limit=600):
        script = self.folder / f"{self.name}.{name}.ys"
        script.write_text("\n".join(lines) + "\n")
        # In the repository's root with relative names: cell names hold file names.
        result = flow.run(["yosys", "-q", "-s", script], limit, cwd=flow.ROOT, log=self.folder / f"{self.name}.{name}.log")
        if result.code != 0:
            raise FlowError(f"{self.point}: yosys: {flow.last_error(result.output)} ({flow.shown(script)})")
        return result.output

    def prepare(self):
        """Elaborates, with and without the assertions; returns the number of cells that may be mutated."""
        files = flow.sources(self.point.block, self.point.module)
        # Cells of other blocks inside this one have mutants of their own there; a memory stays, it is wiring here.
        others = [f for f in files if f.parent.name != self.point.block and f.stem not in flow.MEMORIES]
        away = " ".join(f"a:src=*rtl/{f.parent.name}/{f.name}* %d" for f in others)
        loose = "a:src=* %i" if others else ""  # without a source nobody knows whose they are
        self.own = f"select -set own c:* c:$out$* %d {loose} {away}"
        count = self.folder / f"{self.name}.count"
        # Of a memory the text for synthesis: what it leaves undefined is a free cell in proofs, which Verilator lacks.
        kind = lambda f: "-D SYNTHESIS" if f.stem in flow.MEMORIES else "-formal"  # noqa: E731
        self.yosys_once("base", [f"read_verilog -sv {kind(f)} -Irtl {f.relative_to(flow.ROOT)}" for f in files]
                   + flow.elaborate(self.point.module, self.point.params)
                   + ["proc", "flatten", "opt", "wreduce", "opt", "memory_collect", "chformal -cover -remove", "opt_clean", f"write_ilang {self.checked}",
                      "chformal -remove", "opt_clean", f"write_ilang {self.base}"],
            files, [self.checked, self.base], self.buffer)
        ports = self.folder / f"{self.name}.json"
        self.yosys_once("count", [f"read_ilang {self.base}", f"write_json {ports}", self.own,
                                  f"tee -q -o {count} select -count @own"], [self.base], [ports, count])
        self.ports = flow.read_json(ports)["modules"][self.point.module]["ports"]
        self.clocked = {"clk_i", "rst_ni"} <= self.ports.keys()
        return int(re.search(r"(\d+) objects", count.read_text())[1])

    def buffer(self):
        for path in (self.checked, self.base):
            path.write_text(buffered(path.read_text()))

    def choose(self, count, seed, first):
        """Picks `count` mutants, numbered from `first`; fewer when the module has no more."""
        path = self.folder / f"{self.name}.list"
        # Some more than needed: those on clocks and duplicates go.
        self.yosys_once("list", [f"read_ilang {self.base}", self.own,
                                 f"mutate -list {count + count // 4 + 5} -seed {seed} -o {path} @own"], [self.base], [path])
        seen = {}
        for line in path.read_text().splitlines():
            mutant = Mutant(line, self.point.block)
            if mutant.port not in CLOCKS + NO_RESETS:
                seen.setdefault(mutant.command, mutant)
        found = list(seen.values())
        # Thin out evenly, so that no mode and no corner of the module is cut off.
        if len(found) > count:
            found = [found[i * len(found) // count] for i in range(count)]
        self.mutants = found
        for number, mutant in enumerate(found, first):
            mutant.number, mutant.netlist = number, self
        return found

    def selected(self, select):
        return [m.command.replace("mutate ", f"mutate -ctrl {select} {WIDTH} {m.number} ", 1) for m in self.mutants]

    def write(self, path):
        """One SystemVerilog file under the module's own name and ports; the select comes from the test program."""
        text = self.folder / f"{self.name}.raw.sv"
        # A net with two drivers after a mutation reads like a loop: Verilator 5.006 then computes wrong values.
        self.yosys_once("mutants", [f"read_ilang {self.base}"] + self.selected(SELECT) + [
            "opt_clean", "splitnets -driver", f"delete -input w:{SELECT}", f"write_verilog -noattr {text}"],
            [self.base], [text])
        verilog = text.read_text()
        declared = re.findall(rf"(?m)^  wire \[15:0\] {SELECT};$", verilog)
        if self.mutants and len(declared) != 1:
            raise FlowError(f"{self.point}: the netlist declares {SELECT} {len(declared)} times, once is expected")
        verilog = verilog.replace(f"  wire [15:0] {SELECT};\n", f"""  reg [15:0] {SELECT};
  import "DPI-C" function int warpsieve_mutant(input string model);
  initial {SELECT} = 16'(warpsieve_mutant("{self.name}"));
""", 1)
        flow.write_changed(path, verilog)

    def network(self):
        """All faults of the module in one network, in a frame that says what is assumed; made once, for minutes."""
        with self.making:
            if self.one is None:
                around, aig = self.folder / f"{self.name}.frame.sv", self.folder / f"{self.name}.faults.aig"
                around.write_text(frame(self.point.module, self.ports, contract(self.point.block, self.point.module)))
                tidy = ["opt_expr", "opt_clean"]
                self.yosys_once("faults", [f"read_ilang {self.checked}"] + self.selected(FAULT) + [
                    "chformal -assert2assume", f"rename {self.point.module} {self.point.module}_copy",
                    f"read_verilog -sv -formal {around}", "hierarchy -check -top mutant_frame", "proc", "flatten"] + tidy
                    + ["memory -nordff", "async2sync", "setundef -undriven -zero", "setundef -zero"] + tidy
                    + ["techmap"] + tidy + ["dffunmap", "abc -g AND -fast", "opt_clean",
                                            f"write_aiger -symbols -zinit {aig}"],
                    [self.checked, around], [aig], limit=7200)
                self.one = Aiger(aig.read_bytes())
                # What was found out about this very network, by this very search, minutes ago.
                self.found_by = flow.digest(aig, *(Path(__file__).parent / f"{m}.py" for m in ("facts", "induction", "aiger")))
                stored = flow.read_json(self.folder / f"{self.name}.facts.json", {})
                if stored.get("by") == self.found_by:
                    self.known = {tuple(chosen): {tuple(map(tuple, clause)) for clause in clauses}
                                  for chosen, clauses in stored["known"]}
        return self.one

    def equivalent(self, mutant, seconds):
        """'proved', 'differs in cycle N', or why the solver cannot tell.

        Both copies start from the same arbitrary state and see the same inputs in every cycle, reset included. What
        the first cycle of reset leaves undefined is taken to be the same in both: the fault begins after it, once it
        is known that with the fault, too, that cycle gives every register the value it gives without. The assertions
        of the RTL (proved in formal/, and checked in every simulation) and what tb/mutation/<block>.contract promises
        are assumed of the original, and that nobody offers anything (X_valid_i) during reset. Outputs are compared from
        the first reset on; payload X_*_o only while X_valid_o offers it.
        """
        stem = f"{self.name}.{mutant.number}"
        aig, large = self.folder / f"{stem}.aig", self.base.stat().st_size > LARGE
        try:
            network = doubled(self.network(), mutant.number, self.clocked)
        except FlowError:
            return f"no answer: {self.name}.faults.log"
        network.tie("early_i", 0 if network.same_after({"rst_ni": 0, "early_i": 1}) else 1)
        # First, and enough for most: one step from any common state. Its cone is small whatever the size of the netlist.
        step, share = Step(network), min(seconds, max(10, seconds // 2))
        if step.found is not None:
            if not step.found or self.never(step, stem, share):
                return "proved"
            # Once more, from common states in which what is proved of the original holds: what is known from other
            # mutants, then what can be found out about the registers that matter here.
            for new in (False, True):
                step.never(network.started, self.facts(network, step.registers(), new))
                if self.never(step, stem, share):
                    return "proved"
        if large:
            return "open: one step of induction does not settle it, and the netlist is too large for more"
        aig.write_bytes(network.bytes())
        network.watch_state()
        strict = self.folder / f"{stem}.strict.aig"
        strict.write_bytes(network.bytes())
        # No register ever differs, with what else induction finds out. Then outputs alone.
        answer = self.pdr(strict, "pdr", min(seconds, max(10, seconds // 2)))
        if answer != "proved":
            answer = self.pdr(aig, "scorr; pdr", seconds)
        for path in (aig, strict):
            path.unlink(missing_ok=True)
        return answer

    def abc(self, aig, commands, seconds):
        program = shutil.which("berkeley-abc") or shutil.which("abc") or "berkeley-abc"
        # CPU seconds: a busy machine changes no answer.
        return flow.run(["prlimit", f"--cpu={seconds}", program, "-c", f"read_aiger {aig}; {commands}"],
                        seconds * 20 + 60, log=aig.with_suffix(".abc.log"))

    def facts(self, network, registers, new):
        """Of the copy without a fault in a miter: what is known of any registers, or (new) found out about these."""
        found = set()
        with self.making:
            if not new:
                found = found.union(*self.known.values())
            elif self.clocked:
                home = {x: own for own, x in network.home.items()}
                chosen = tuple(nearest(self.one, [home[x] for x in registers if x in home]))
                if chosen not in self.known:
                    inputs = {name: x for x, names in self.one.names["i"].items() for name in names}
                    faults = [x for name, x in inputs.items() if name.startswith(FAULT)]
                    search = Search(self.one, chosen, faults, inputs["rst_ni"])
                    self.known[chosen] = search.prove(lambda question: solved(question, self.folder / f"{self.name}.cnf"))
                    flow.write_json(self.folder / f"{self.name}.facts.json",
                                    {"by": self.found_by, "known": [[c, sorted(f)] for c, f in self.known.items()]})
                found = self.known[chosen]
        return [[(network.home[x], value) for x, value in clause] for clause in found]

    def never(self, step, stem, seconds):
        """The step is possible for no input."""
        data = step.bytes()
        if not data:
            return True
        aig = self.folder / f"{stem}.step.aig"
        aig.write_bytes(data)
        result = self.abc(aig, "strash; iprove", seconds)
        aig.unlink()
        return re.search(r"UNSATISFIABLE", result.output) is not None

    def pdr(self, aig, commands, seconds):
        result = self.abc(aig, f"fold; strash; orpos; {commands}", seconds)
        hit = re.search(r"was asserted in frame (\d+)", result.output)
        if re.search(r"Property proved", result.output):
            return "proved"
        return f"differs in cycle {hit[1]}" if hit else f"open after {seconds} s"


def buffered(text):
    """RTLIL with every output port behind a buffer of its own, so that the net inside can be split."""
    ports = re.findall(r"(?m)^  wire(?: width (\d+))?.* output \d+ \\(\w+)$", text)
    for width, name in ports:
        line = re.search(rf"(?m)^  wire.* output \d+ \\{name}$", text)[0]
        text = re.sub(rf"\\{name}(?=\s)", lambda _: f"\\{name}$in", text)
        inside = re.sub(r" output \d+", "", line) + "$in"
        width = width or "1"
        cell = (f"  cell $pos $out${name}\n    parameter \\A_SIGNED 0\n    parameter \\A_WIDTH {width}\n"
                f"    parameter \\Y_WIDTH {width}\n    connect \\A \\{name}$in\n    connect \\Y \\{name}\n  end\n")
        text = text.replace(line + "$in\n", f"{line}\n{inside}\n{cell}", 1)
    return text


def contract(block, module):
    """What tb/mutation/<block>.contract says of a module; its lines, in Verilog over the ports:

      module assume EXPRESSION       # the inputs keep to this; a run is only looked at as long as they do
      module output NAME EXPRESSION  # NAME means something only in cycles in which this holds
      module point NAME              # this point is mutated
    """
    path = flow.ROOT / "tb" / "mutation" / f"{block}.contract"
    found = Contract()
    for number, line in enumerate(path.read_text().splitlines() if path.is_file() else [], 1):
        words = line.split("#")[0].split(None, 2)
        if not words:
            continue
        if len(words) < 3 or words[1] not in ("assume", "output", "point") or \
                (words[1] == "output" and " " not in words[2]):
            raise FlowError(f"{flow.shown(path)}:{number}: expected 'module assume EXPRESSION', "
                            f"'module output NAME EXPRESSION' or 'module point NAME', found '{line.strip()}'")
        if words[0] != module:
            continue
        if words[1] == "assume":
            found.assumed.append(words[2])
        elif words[1] == "output":
            name, condition = words[2].split(None, 1)
            found.means[name] = condition
        else:
            found.point = words[2].strip()
            if found.point not in (p.name for p in flow.points(block) if p.module == module):
                raise FlowError(f"{flow.shown(path)}:{number}: {module} has no point '{found.point}'")
    return found
