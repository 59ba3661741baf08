"""Icarus Verilog as a second, four-state simulator: the RTL's text in its subset, a testbench from recorded waveforms.

Icarus 11 (Debian 12) lacks some of the language that the RTL uses. RULES change the text where it does; no rule changes what a
module does. The testbench drives the inputs of a recorded run of the verilated model, with X on the payload of a stream
while its valid is low, and compares every output: none may be X where the model's output means something.
"""

import random
import re
from pathlib import Path

import activity
import block_tables
import flow
from flow import FlowError

LIMIT = 600     # seconds for one tool on one point
MOST_BITS = 4000000  # of a table of vectors
MOST_CYCLES = 1500
MOST_FILES = 6  # waveforms of one point
POINTS = 2       # of a module that are simulated: the first ones of points.txt, the smallest


def numbers(text):
    return re.sub(r"\b(parameter|localparam) int unsigned\b", r"\1 [31:0]", text)


def bits(text):
    text = re.sub(r"\b(parameter|localparam) bit\b", r"\1 [0:0]", text)
    return re.sub(r"\b(parameter|localparam) logic\b", r"\1", text)


def parameter_ports(text):
    """Icarus takes `parameter` only before the ports."""
    def header(match):
        return match[0].replace("localparam", "parameter")
    return re.sub(r"(?ms)^module \w+ #\(.*?^\) \(", header, text)


def checks(text):
    return re.sub(r"(begin : g_bad\w*\s+)\$error\(", r"\1initial $fatal(1, ", text)


def labels(text):
    """What is X and stays X is stable to an assertion."""
    def one(match):
        return re.sub(r"(?<![=!<>])([=!]=)(?!=)", r"\1=", re.sub(r"^a_\w+:\s*", "", match[0]))
    return re.sub(r"\ba_\w+:\s*assert\b[^;]*;", one, text)


def onehot(text):
    """Debian's `$onehot0` of a concatenation of zeros is 0. What is X is no finding, as there."""
    return re.sub(r"\$onehot0\(((?:[^()]|\([^()]*\))*)\)", r"((|((\1) & ((\1) - 1'b1))) !== 1'b1)", text)


def covers(text):
    return re.sub(r"\bc_\w+:\s*cover\b[^;]*;", ";", text)


def function_loops(text):
    """A function with a call inside a block that declares its loop variable is no constant function to Icarus."""
    def one(match):
        names = dict.fromkeys(re.findall(r"for \(int(?: unsigned)? (\w+) =", match[2]))
        body = re.sub(r"for \(int(?: unsigned)? (\w+) =", r"for (\1 =", match[2])
        return match[1] + "".join(f" logic [31:0] {name};" for name in names) + body
    return re.sub(r"(?s)(\bfunction automatic [^;]*;)(.*?\bendfunction)", one, text)


def combinational(text):
    """Debian's `always_comb` may run for ever where blocks feed each other."""
    return re.sub(r"\balways_comb\b", "always @*", text)


def adders(text):
    """A carry that a loop computes bit by bit wakes what reads it for every bit: minutes, where adders follow each other.

    tb/flow/test_icarus.py simulates md5_add itself.
    """
    return re.sub(r"(?ms)^(module md5_add #.*?^\);\n).*?^endmodule", r"\1  assign sum_o = x_i + y_i;\nendmodule", text)


def casts_of_calls(text):
    return re.sub(r"\b(\d+)'\((\w+::\w+\((?:[^()]|\([^()]*\))*\))\)", r"(\1'd0 | \2)", text)


RULES = {
    "numbers": (numbers, "`parameter int unsigned` becomes `parameter [31:0]`"),
    "bits": (bits, "`parameter bit` becomes `parameter [0:0]`; `parameter logic [..]` loses `logic`"),
    "parameter ports": (parameter_ports, "`localparam` among the parameters of a module's header becomes `parameter`"),
    "checks": (checks, "`$error` of a parameter check becomes `initial $fatal`: the check is made when simulation starts"),
    "labels": (labels, "assertions lose their label, and compare with `===`"),
    "onehot": (onehot, "`$onehot0(x)` becomes `(|(x & (x - 1))) !== 1'b1`"),
    "covers": (covers, "`cover` statements go"),
    "function loops": (function_loops, "loop variables of functions are declared at the function's top"),
    "combinational": (combinational, "`always_comb` becomes `always @*`"),
    "adders": (adders, "`md5_add` becomes `sum_o = x_i + y_i`: without it adders behind each other take minutes"),
    "casts of calls": (casts_of_calls, "`32'(pkg::f(x))` becomes `(32'd0 | pkg::f(x))`"),
}


def rewritten(text, rules=None):
    """The text in Icarus' subset; line numbers stay."""
    for name, (change, _) in RULES.items():
        if rules is None or name in rules:
            text = change(text)
    return text


def write_sources(files, folder, rules=None):
    """The files, rewritten, below `folder`; their paths."""
    found = []
    for path in files:
        target = Path(folder) / path.relative_to(flow.ROOT)
        flow.write_changed(target, rewritten(path.read_text(), rules))
        found.append(target)
    return found


def compile_text(sources, top, output, options=()):
    """Why Icarus does not take it; empty: it does. Warnings about synthesis are about nothing here."""
    output.parent.mkdir(parents=True, exist_ok=True)
    result = flow.run(["iverilog", "-g2012", "-o", output, "-s", top, *options, *sources], LIMIT)
    if result.code == 0 and not result.timed_out:
        return ""
    errors = [line for line in result.output.splitlines() if "error" in line.lower()]
    return (errors or result.output.splitlines() or [f"exit code {result.code}"])[0]


def elaborate(point, folder, rules=None):
    work = folder / f"{point.module}_{point.name}"
    sources = write_sources(flow.sources(point.block, point.module), work / "text", rules)
    sets = [f"-P{point.module}.{name}={value}" for name, value in point.params.items()]
    return compile_text(sources, point.module, work / "point.vvp", sets)


class Hints:
    """tb/rtl/<block>/icarus.txt: `module port when EXPRESSION`, `module port bits EXPRESSION`.

    `when`: the port means something only then, besides the valid of its stream; `bits`: a mask of those that do. Of an
    input the rest is driven as X, of an output not looked at. `module point NAME`: simulated instead of the first ones.
    `module cycles NUMBER` of a waveform, `module files NUMBER`: where a cycle takes Icarus long.
    `module port known`: X is no finding, as the tests read what nothing has written.
    `* tests FILTER`: the tests that leave waveforms.
    `module random NUMBER`: a combinational module of which there are no waveforms gets so many random inputs; no output may be X.
    """

    def __init__(self, block):
        self.masks, self.points, self.cycles, self.files, self.random = {}, {}, {}, {}, {}
        self.tests = "-*illion*:*Refused*:*Unknown*"  # of the test program, as GoogleTest's filter
        path = flow.ROOT / "tb" / "rtl" / block / "icarus.txt"
        if not path.is_file():
            return
        for where, words in flow.word_lines(path, 3, "module port when|bits EXPRESSION"):
            if words[1] == "point":
                self.points.setdefault(words[0], []).append(words[2])
            elif words[1] in ("cycles", "files", "random") and words[2].isdigit():
                getattr(self, words[1])[words[0]] = int(words[2])
            elif words[:2] == ["*", "tests"]:
                self.tests = words[2]
            elif words[2] == "known":
                self.masks[words[0], words[1]] = ("known", "")
            elif words[2] in ("when", "bits") and len(words) > 3:
                self.masks[words[0], words[1]] = (words[2], " ".join(words[3:]))
            else:
                raise FlowError(f"{where}: expected 'module port when|bits EXPRESSION', 'module point NAME' or "
                                "'module cycles NUMBER'")


def stem_of(name, suffix, names):
    """The valid of the stream that a port is part of; empty: of none, or the valid or ready itself."""
    if name.endswith((f"valid_{suffix}", "ready_i", "ready_o")):
        return ""
    stems = [n for n in names if n.endswith(f"valid_{suffix}") and name.startswith(n[:-len(f"valid_{suffix}")])]
    return max(stems, key=len, default="")


class Bench:
    """The testbench of one module at one point."""

    def __init__(self, point, hints):
        self.point, self.hints = point, hints
        path = next(f for f in flow.sources(point.block, point.module) if f.stem == point.module)
        self.parameters, ports = block_tables.header(path)
        text = re.sub(r"//[^\n]*", "", path.read_text())
        declared = re.findall(r"logic\s*(\[[^\]]*\])?\s*(\w+)\s*(?=[,\n)])", text.split(");")[0])
        ranges = {name: high for high, name in declared}
        self.range = {name: ranges.get(name, "") for name, *_ in ports}
        self.inputs = [name for name, direction, *_ in ports if direction == "in" and name != "clk_i"]
        self.outputs = [name for name, direction, *_ in ports if direction == "out"]
        self.clock = any(name == "clk_i" for name, *_ in ports)

    def valid(self, name, suffix):
        return stem_of(name, suffix, self.inputs if suffix == "i" else self.outputs)

    def mask(self, name, suffix):
        """Bits of the port that mean something, as an expression; empty: all, always."""
        parts, size = [], f"$bits({name})"
        if valid := self.valid(name, suffix):
            parts.append(f"{{{size}{{{valid}}}}}")
        kind, text = self.hints.masks.get((self.point.module, name), ("", ""))
        if text:
            parts.append(f"{{{size}{{({text}) != 0}}}}" if kind == "when" else f"({text})")
        return " & ".join(parts)

    def text(self, widths):
        """`widths`: bits of the ports in the vectors, inputs first; 0: not there, not compared."""
        module, size = self.point.module, dict(zip(self.inputs + self.outputs, widths))
        known = [n for n in self.outputs if size[n]]
        clock = ["clk_i"] if self.clock else []
        reset = "rst_ni_v" if "rst_ni" in self.inputs else "1'b0"
        ports = ", ".join(f".{n}({n})" for n in clock + self.inputs + self.outputs)
        sets = ", ".join(f".{n}({n})" for n in self.point.params)
        recorded = r"\b(" + "|".join(self.inputs) + r")\b"
        lines = ["`timescale 1ns/1ns", "module bench;"]
        lines += [f"  localparam [31:0] {name} = {self.point.params.get(name, default)};" for name, default, _ in self.parameters]
        lines += ["  reg clk_i = 0;"] * self.clock
        lines += [f"  reg {self.range[name]} {name}, {name}_v;" for name in self.inputs]
        lines += [f"  wire {self.range[name]} {name};\n  reg {self.range[name]} {name}_v;" for name in self.outputs]
        lines += [f"  {module} {f'#({sets}) ' if sets else ''}dut ({ports});"]
        for name in self.inputs + known:
            if mask := self.mask(name, "i" if name in self.inputs else "o"):
                mask = re.sub(recorded, r"\1_v", mask) if name in self.inputs else mask
                lines.append(f"  wire [$bits({name})-1:0] {name}_m = {mask};")
        vector = ", ".join(f"{n}_v" for n in self.inputs + known)
        lines += [f"  reg [{sum(widths) - 1}:0] vectors [0:{MOST_CYCLES - 1}];", "  reg [8*512-1:0] file;",
                  "  integer cycle, cycles, compared;", "  reg was_reset;", "  initial begin",
                  '    if (!$value$plusargs("vectors=%s", file) || !$value$plusargs("cycles=%d", cycles)) $fatal(1, "vectors");',
                  "    $readmemb(file, vectors, 0, cycles - 1);", "    was_reset = 0; compared = 0;",
                  "    for (cycle = 0; cycle < cycles; cycle = cycle + 1) begin", f"      {{{vector}}} = vectors[cycle];",
                  f"      if (!{reset}) was_reset = 1;", "      if (was_reset) begin", "        #1;"]
        for name in self.inputs:
            unknown = f" ^ (~{name}_m & {{$bits({name}){{1'bx}}}})" if self.mask(name, "i") else ""
            lines.append(f"        {name} = {name}_v{unknown};")
        lines += [f"`ifdef {flow.ASYNC_RESET}", f"        #1 if (!{reset}) begin"] if reset != "1'b0" else ["`ifdef NEVER", "        begin"]
        for name in self.outputs:
            if name.endswith("valid_o"):
                lines += [f"          if ({name} !== 1'b0) begin",
                          f'            $display("{name} is %h, expected 0 as soon as reset is, in cycle %0d", {name}, cycle);',
                          "            $finish;", "          end"]
        lines += ["        end", "`endif"]
        lines += ["        #1 clk_i = 1;"] * self.clock + ["        #1;"]
        lines += [f"        if ({reset}) begin" if "rst_ni" in self.inputs else "        begin"]
        for name in known:
            mask, valid = f" & {name}_m" if self.mask(name, "o") else "", self.valid(name, "o")
            wrong = "=== 1'b1" if self.hints.masks.get((module, name), ("",))[0] == "known" else "!== 1'b0"
            lines += [f"          if ((|(({name} ^ {name}_v){mask})) {wrong}) begin",
                      f'            $display("{name} is %h, expected %h, in cycle %0d", {name}, {name}_v, cycle);',
                      "            $finish;", "          end"]
            if valid:
                lines.append(f"          if ({valid} === 1'b1) compared = compared + 1;")
            elif not name.endswith(("valid_o", "ready_o")):
                lines.append("          compared = compared + 1;")
        for name in self.outputs if module in self.hints.random else []:
            lines += [f"          if ((^{name}) === 1'bx) begin", f'            $display("{name} is %h, expected no X", {name});',
                      "            $finish;", "          end", "          compared = compared + 1;"]
        lines += ["        end"] + ["        #1 clk_i = 0;"] * self.clock
        lines += ["      end", "    end", '    $display("done %0d %0d", cycles, compared);', "    $finish;", "  end", "endmodule", ""]
        return "\n".join(lines)


def vectors(bench, waves, work):
    """[waveform, file of vectors, cycles, bits of every port] of the first waveforms that are of this point."""
    work.mkdir(parents=True, exist_ok=True)
    known = activity.parameters(bench.point)  # whose value is plain
    cycles, files = (hint.get(bench.point.module, most) for hint, most in ((bench.hints.cycles, MOST_CYCLES),
                                                                           (bench.hints.files, MOST_FILES)))
    result = flow.run([activity.program("vectors"), bench.point.module, cycles, MOST_BITS, files, work / "vectors",
                       *(f"{n}={v}" for n, v in known.items()), "in", *bench.inputs, "out", *bench.outputs, "file", *waves],
                      LIMIT)
    if result.code:
        raise FlowError(flow.last_error(result.output))
    for index, line in enumerate(result.output.splitlines()):
        wave, cycles, *widths = line.split()
        yield Path(wave).name, work / f"vectors{index}", int(cycles), [int(n) for n in widths]


def random_vectors(bench, work, count):
    """What vectors() gives, for a combinational module that no test leaves waveforms of."""
    probe = work / "widths.v"
    flow.write_text(probe, "module bench;\n" + "".join(
        f"  localparam [31:0] {name} = {bench.point.params.get(name, default)};\n" for name, default, _ in bench.parameters) + "".join(
        f"  reg {bench.range[name]} {name};\n" for name in bench.inputs) + "  initial $display(\"" + " ".join(
        "%0d" for _ in bench.inputs) + '", ' + ", ".join(f"$bits({name})" for name in bench.inputs) + ");\nendmodule\n")
    if problem := compile_text([probe], "bench", work / "widths.vvp"):
        raise FlowError(problem)
    widths = [int(n) for n in flow.run(["vvp", "-N", work / "widths.vvp"], LIMIT).output.split()]
    source = random.Random(1)
    flow.write_text(work / "vectors0", "".join(f"{source.getrandbits(sum(widths)):0{sum(widths)}b}\n" for _ in range(count)))
    yield "random inputs", work / "vectors0", count, widths + [0] * len(bench.outputs)


def simulate(point, waves, folder, hints, macro=""):
    """(waveforms, cycles, compared outputs, what is wrong) of the point's replay in Icarus, with this macro defined.

    With flow.ASYNC_RESET every valid must be low as soon as reset is, before the clock's edge.
    """
    bench = Bench(point, hints)
    if problem := elaborate(point, folder):
        return 0, 0, 0, problem
    work = folder / f"{point.module}_{point.name}{macro and f'-{macro}'}"
    sources = write_sources(flow.sources(point.block, point.module), work / "text")
    files = cycles = compared = 0
    compiled = None
    tables = random_vectors(bench, work, hints.random[point.module]) if point.module in hints.random else \
        vectors(bench, waves, work)
    for wave, table, rows, widths in tables:
        if compiled != widths:
            flow.write_text(work / "bench.v", bench.text(widths))
            if problem := compile_text([*sources, work / "bench.v"], "bench", work / "bench.vvp", [f"-D{macro}"] if macro else []):
                return files, cycles, compared, problem
            compiled = widths
        result = flow.run(["vvp", "-N", work / "bench.vvp", f"+vectors={table}", f"+cycles={rows}"], LIMIT)
        done = re.search(r"(?m)^done (\d+) (\d+)$", result.output)
        wrong = [line for line in result.output.splitlines() if re.search(r"expected|ERROR|FATAL|error:", line)]
        if not done or wrong or result.code:
            return files, cycles, compared, f"{wave}: " + (wrong or result.output.splitlines() or ["no end"])[0]
        files, cycles, compared = files + 1, cycles + int(done[1]), compared + int(done[2])
    return files, cycles, compared, ""
