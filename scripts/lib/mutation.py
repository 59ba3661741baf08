"""Mutants of one module at one point: the list, the netlist that holds them all, equivalence by solver."""

import re
import shutil
from pathlib import Path

import flow
from aiger import Aiger
from flow import FlowError
from induction import one_step

PREFERRED = ("odd", "tiny") + flow.HEADLINE  # the point that is mutated: small, without the symmetry of powers of two
SELECT = "mutant_i"  # select input of the netlist: 0 = unmutated, n = mutant n of the block
FAULT = "fault_i"  # input of the gate copy in the miter: 1 = mutated
CLOCKS = ("CLK", "WR_CLK", "RD_CLK")  # a mutated clock is no fault that a cycle-based test could name
LARGE = 1_500_000  # bytes of a netlist of which only one step of induction is asked
SOLVER = 6  # revision of equivalent()


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
    for candidate in flow.points(block):
        if (module and candidate.module != module) or (point and candidate.name != point):
            continue
        rank = PREFERRED.index(candidate.name) if candidate.name in PREFERRED else len(PREFERRED)
        rank = -1 if contract(block, candidate.module).point == candidate.name else rank
        if candidate.module not in found or rank < found[candidate.module][0]:
            found[candidate.module] = (rank, candidate)
    if not found:
        wanted = " ".join(filter(None, [f"module '{module}'" if module else "", f"point '{point}'" if point else ""]))
        raise FlowError(f"block {block} has no {wanted}" if wanted else f"rtl/{block}/points.txt names no point")
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
        self.mutants = []
        folder.mkdir(parents=True, exist_ok=True)

    def yosys_once(self, name, lines, inputs, outputs, then=lambda: None):
        """Like yosys(), unless the outputs are there from the same lines and inputs: minutes for a large netlist."""
        stamp = self.folder / f"{self.name}.{name}.stamp"
        key = flow.digest(Path(__file__), *lines, *inputs)
        if stamp.is_file() and stamp.read_text() == key and all(path.is_file() for path in outputs):
            return
        stamp.unlink(missing_ok=True)
        self.yosys(name, lines)
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
        others = [f for f in files if f.parent.name != self.point.block and f.name != "ram_1r1w.sv"]
        away = " ".join(f"a:src=*rtl/{f.parent.name}/{f.name}* %d" for f in others)
        loose = "a:src=* %i" if others else ""  # without a source nobody knows whose they are
        self.own = f"select -set own c:* c:$out$* %d {loose} {away}"
        count = self.folder / f"{self.name}.count"
        self.yosys_once("base", [f"read_verilog -sv -formal -Irtl {f.relative_to(flow.ROOT)}" for f in files]
                   + flow.elaborate(self.point.module, self.point.params)
                   + ["proc", "flatten", "opt", "wreduce", "opt", "memory_collect", "chformal -cover -remove", "opt_clean", f"write_ilang {self.checked}",
                      "chformal -remove", "opt_clean", f"write_ilang {self.base}"],
            files, [self.checked, self.base], self.buffer)
        ports = self.folder / f"{self.name}.json"
        self.yosys_once("count", [f"read_ilang {self.base}", f"write_json {ports}", self.own,
                                  f"tee -q -o {count} select -count @own"], [self.base], [ports, count])
        self.ports = flow.read_json(ports)["modules"][self.point.module]["ports"]
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
            if mutant.port not in CLOCKS:
                seen.setdefault(mutant.command, mutant)
        found = list(seen.values())
        # Thin out evenly, so that no mode and no corner of the module is cut off.
        if len(found) > count:
            found = [found[i * len(found) // count] for i in range(count)]
        self.mutants = found
        for number, mutant in enumerate(found, first):
            mutant.number, mutant.netlist = number, self
        return found

    def write(self, path):
        """One SystemVerilog file under the module's own name and ports; the select comes from the test program."""
        text = self.folder / f"{self.name}.raw.sv"
        select = [m.command.replace("mutate ", f"mutate -ctrl {SELECT} 16 {m.number} ", 1) for m in self.mutants]
        # A net with two drivers after a mutation reads like a loop: Verilator 5.006 then computes wrong values.
        self.yosys_once("mutants", [f"read_ilang {self.base}"] + select + [
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
        if not path.is_file() or path.read_text() != verilog:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(verilog)
        return flow.digest(verilog)

    def equivalent(self, mutant, seconds):
        """'proved', 'differs in cycle N', or why the solver cannot tell.

        Both copies start from the same arbitrary state and see the same inputs in every cycle, reset included. What
        the first cycle of reset leaves undefined is taken to be the same in both: the fault begins after it, once it
        is known that with the fault, too, that cycle gives every register the value it gives without. The assertions of the RTL (proved in formal/, and checked in every simulation) and what
        tb/mutation/<block>.contract promises are assumed of the original, and that nobody offers anything (X_valid_i)
        during reset. Outputs are compared from the first reset on; payload X_*_o only while X_valid_o offers it.
        """
        top, stem = self.point.module, f"{self.name}.{mutant.number}"
        both, aig = self.folder / f"{stem}.miter.sv", self.folder / f"{stem}.aig"
        both.write_text(miter(top, self.ports, contract(self.point.block, top)))
        large = self.base.stat().st_size > LARGE
        # Merging the copies level by level takes time that grows with the square of their size; one_step() does it at once.
        tidy = ["opt_expr", "opt_clean"] if large else ["opt -fast"]
        try:
            self.yosys(str(mutant.number), [
                f"read_ilang {self.checked}", "chformal -assert2assume", f"rename {top} gold_copy", "design -stash gold",
                f"read_ilang {self.base}", mutant.command.replace("mutate ", f"mutate -ctrl {FAULT} 1 1 ", 1),
                f"rename {top} gate_copy",
                "design -copy-from gold gold_copy", f"read_verilog -sv -formal {both}",
                "hierarchy -check -top mutant_miter", "proc", "flatten"] + (tidy if large else ["opt"])
                + ["memory -nordff", "async2sync", "setundef -undriven -zero", "setundef -zero"] + tidy + ["techmap"] + tidy
                + ["dffunmap", "abc -g AND -fast", "opt_clean", f"write_aiger -symbols -zinit {aig}"], seconds * 20 + 600)
        except FlowError:
            return f"no answer: {stem}.log"
        network = Aiger(aig.read_bytes())
        network.same_start()
        network.tie("early_i", 0 if network.same_after({"rst_ni": 0, "early_i": 1}) else 1)
        # First, and enough for most: one step from any common state. Its cone is small whatever the size of the netlist.
        step = one_step(network)
        if step == b"" or step and self.never(step, stem, min(seconds, max(10, seconds // 2))):
            both.unlink()
            aig.unlink()
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
        for path in (aig, strict, both):
            path.unlink(missing_ok=True)
        return answer

    def abc(self, aig, commands, seconds):
        program = shutil.which("berkeley-abc") or shutil.which("abc") or "berkeley-abc"
        # CPU seconds: a busy machine changes no answer.
        return flow.run(["prlimit", f"--cpu={seconds}", program, "-c", f"read_aiger {aig}; {commands}"],
                        seconds * 20 + 60, log=aig.with_suffix(".abc.log"))

    def never(self, step, stem, seconds):
        """The combinational network is 0 for all inputs."""
        aig = self.folder / f"{stem}.step.aig"
        aig.write_bytes(step)
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


def miter(top, ports, promised):
    """Verilog of both copies with common inputs; bad_o rises when a defined output differs."""
    assumed, means = promised.assumed, promised.means
    inputs = {n: len(p["bits"]) for n, p in ports.items() if p["direction"] == "input"}
    outputs = {n: len(p["bits"]) for n, p in ports.items() if p["direction"] == "output"}
    clocked = "clk_i" in inputs and "rst_ni" in inputs
    lines = ["module mutant_miter(" + ", ".join([f"input wire [{w - 1}:0] {n}" for n, w in inputs.items()]
                                                + ["input wire early_i", "output wire bad_o"]) + ");",
             "  reg started = 0, bad = 0;" if clocked else "  wire started = 1;"]
    for copy in ("gold", "gate"):
        lines += [f"  wire [{w - 1}:0] {copy}_{n};" for n, w in outputs.items()]
        joined = ", ".join([f".{n}({n})" for n in inputs] + [f".{n}({copy}_{n})" for n in outputs]
                           + [f".{FAULT}(started || early_i)"] * (copy == "gate"))
        lines.append(f"  {copy}_copy i_{copy} ({joined});")
    here = lambda text: re.sub(r"\b[a-z]\w*_o\b", lambda m: f"gold_{m[0]}", text)  # noqa: E731
    bad = []
    stems = sorted((n[:-len("valid_o")] for n in outputs if n.endswith("valid_o")), key=len, reverse=True)
    for name in outputs:
        differ = f"gold_{name} != gate_{name}"
        stem = next((s for s in stems if name.startswith(s) and name != f"{s}valid_o"), None)
        if stem is not None and not name.endswith(("ready_o", "valid_o")):
            differ = f"(gold_{stem}valid_o[0] && {differ})"
        if name in means:
            differ = f"(({here(means[name])}) && {differ})"
        bad.append(differ)
    offers = [n for n in inputs if n.endswith("valid_i")]
    if offers and "rst_ni" in inputs:
        lines.append(f"  always @* assume (rst_ni[0] || !({' || '.join(offers)}));")
    lines += [f"  always @* assume ({here(a)});" for a in assumed]
    if clocked:
        lines += ["  always @(posedge clk_i) begin",
                  "    started <= started || !rst_ni[0];",
                  # One cycle late, as are the clocked assertions that rule out the state.
                  f"    bad <= started && ({' || '.join(bad) or '0'});",
                  "  end", "  assign bad_o = bad;"]
    else:
        lines.append(f"  assign bad_o = ({' || '.join(bad) or '0'});")
    lines.append("endmodule")
    return "\n".join(lines) + "\n"
