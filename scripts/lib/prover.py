"""Runs one proof: prepares the design, starts the engine, reads its answer (lines and engines: formal/README.md)."""

import os
import re
import sys
import time

import flow
from flow import FlowError
from proofs import proof_key

WALL = 30  # times the limit in processor seconds


class Failed(Exception):
    """The run ended with a result other than a pass."""

    def __init__(self, result, detail):
        super().__init__(detail)
        self.result, self.detail = result, detail


class Runner:
    """One proof: prepares the design, runs the engine, all within the proof's time limit."""

    def __init__(self, proof):
        self.proof = proof
        self.dir = flow.BUILD / "formal" / proof.block / proof.name
        self.dir.mkdir(parents=True, exist_ok=True)
        for old in self.dir.glob("*"):
            old.unlink()
        self.cpu = 0.0  # processor seconds so far
        self.asserts = self.covers = 0

    def left(self):
        return self.proof.limit - self.cpu

    def tool(self, name, command, ok=(0,), env=None):
        # Processor seconds, because a proof must not fail when the machine is busy; the other limit is for a tool that waits.
        result = flow.run(command, WALL * self.proof.limit, cwd=self.dir, env=env, log=self.dir / f"{name}.log",
                          cpu_limit=max(self.left(), 1))
        self.cpu += result.cpu
        if result.timed_out:
            raise Failed("TIMEOUT", f"{name} did not end within {self.proof.limit} s")
        if ok is not None and result.code not in ok:
            raise Failed("ERROR", f"{name}: {flow.last_error(result.output)}")
        return result

    def prepare(self, output):
        """Yosys: elaborate at the parameters, refuse loose ends, write the model(s)."""
        p = self.proof
        defines = " ".join(f"-D {m}" for m in p.macros())
        files = p.sources()
        planted = [d.split("=")[0] for d in p.defines if d.startswith("PLANT_")]
        props = list((flow.ROOT / "formal").glob("*.svh")) + list((flow.ROOT / "formal" / p.block).glob("*.sv*"))
        for macro in planted:
            if not any(re.search(rf"`(ifdef|ifndef|elsif)\s+{macro}\b", f.read_text()) for f in files + props):
                raise Failed("ERROR", f"no source of {p.module} reads the macro {macro}")
        includes = f"-I{flow.ROOT}/formal/{p.block} -I{flow.ROOT}/formal -I{flow.ROOT}/rtl"
        lines = [f"read_verilog -sv -formal {defines} {includes} {f}" for f in files]
        lines += flow.elaborate(p.module, p.params)
        stubs = [s for s in p.option("stub", "").split(",") if s]
        if p.option("mem") == "free":
            stubs += [f.stem for f in files if f.stem in flow.MEMORIES]
        for stub in stubs:  # instances become free outputs: a proof that passes holds for any behaviour
            lines.append(f"select -assert-min 1 t:{stub} t:$paramod*{stub}* %u")
            lines.append(f"cutpoint t:{stub} t:$paramod*{stub}*")
        lines += ["proc", "flatten", "opt_expr", "check -assert", "opt_clean"]
        lines += ["memory -nordff -nomap" if p.option("mem") == "array" else "memory -nordff"]
        lines += ["async2sync", "setundef -undriven -anyseq", "opt -keepdc -fast", "dffunmap", "opt_clean",
                  "tee -q -o asserts.txt select -count t:$assert", "tee -q -o covers.txt select -count t:$cover",
                  "tee -q -o assumes.txt select -count t:$assume",
                  "select -assert-none t:$check t:$mem t:$mem_v2" if p.option("mem") != "array"
                  else "select -assert-none t:$check"]
        if output != "sat" or p.engine != "bug":
            lines += ["write_smt2 -wires model.smt2"]
        if output == "aiger":
            lines += ["delete t:$cover", "delete -output o:*", "opt_clean", "opt -keepdc -fast", "techmap", "opt -fast",
                      "dffunmap", "abc -g AND -fast", "opt_clean", "write_aiger -zinit -map model.aim model.aig"]
        elif output == "sat":
            lines += ["delete t:$cover", f"sat -verify -prove-asserts -set-assumes -set-def-inputs -show-ports "
                      f"-timeout {max(int(self.left()), 1)} -dump_vcd trace.vcd"]
        (self.dir / "model.ys").write_text("\n".join(lines) + "\n")
        result = self.tool("yosys", ["yosys", "-q", "-s", "model.ys"], ok=(0,) if output != "sat" else None)
        self.asserts, self.covers = (self.count(f) for f in ("asserts.txt", "covers.txt"))
        if p.engine == "cover":
            if self.covers == 0:
                raise Failed("ERROR", "the design holds no cover")
        elif self.asserts == 0:
            raise Failed("ERROR", "the design holds no assert: nothing would be proved" if self.has_count()
                         else f"yosys: {flow.last_error(result.output)}")
        return result

    def has_count(self):
        return (self.dir / "asserts.txt").is_file()

    def count(self, name):
        path = self.dir / name
        match = re.search(r"(\d+) objects", path.read_text()) if path.is_file() else None
        return int(match[1]) if match else 0

    def smtbmc(self, name, *options):
        solver = self.proof.option("solver", "z3")
        return self.tool(name, ["yosys-smtbmc", "--noprogress", "--unroll", "-s", solver, "-m", self.proof.module,
                                "--dump-vcd", f"{name}.vcd", *options, "model.smt2"], ok=(0, 1))

    def base(self, depth):
        result = self.smtbmc("base", "--presat", "-t", str(depth))
        if "Status: PASSED" in result.output:
            return
        if re.search(r"Assumptions are unsatisfiable|PREUNSAT", result.output):
            raise Failed("ERROR", "the assumptions contradict each other: the proof would be empty")
        failed = re.findall(r"Assert failed in .*?: (.*)", result.output)
        if failed:
            step = re.findall(r"Checking assertions in step (\d+)", result.output)
            raise Failed("FAIL", f"{', '.join(failed)} at step {step[-1] if step else '?'}, "
                                 f"{flow.shown(self.dir)}/base.vcd")
        raise Failed("ERROR", f"smtbmc: {flow.last_error(result.output)}")

    def not_empty(self):
        """After a pass of an engine that does not look itself: some trace satisfies the assumptions."""
        if self.proof.engine != "bug" and self.count("assumes.txt"):
            steps = "1" if self.proof.engine == "sat" else "3"
            if "Status: PASSED" not in self.smtbmc("assumptions", "-g", "-t", steps).output:
                raise Failed("ERROR", "the assumptions contradict each other: the proof would be empty")

    def not_empty_on_bits(self):
        """The same by abc: with asserts that fail always, one fails in the third cycle, where the assumptions held."""
        if not self.count("assumes.txt"):
            return
        data = (self.dir / "model.aig").read_bytes()
        latches, outputs, _, asserts = (int(word) for word in data.split(b"\n", 1)[0].split()[3:7])
        lines = data.split(b"\n", 1 + latches + outputs + asserts)  # the header, a line each, the rest
        lines[1 + latches + outputs:-1] = [b"1"] * asserts
        (self.dir / "assumptions.aig").write_bytes(b"\n".join(lines))
        if "was asserted in frame 2" not in self.abc("bmc3 -S 2 -F 3", name="assumptions", model="assumptions.aig"):
            raise Failed("ERROR", "the assumptions contradict each other: the proof would be empty")

    def prove(self):
        if self.proof.option("by") == "bits":
            return self.prove_on_bits()
        self.prepare("smt2")
        self.base(self.proof.depth)
        result = self.smtbmc("induction", "-i", "-t", str(self.proof.depth))
        if "Status: PASSED" not in result.output:
            failed = sorted(set(re.findall(r"Assert failed in .*?: (.*)", result.output)))
            if not failed:
                raise Failed("ERROR", f"smtbmc: {flow.last_error(result.output)}")
            raise Failed("UNPROVED", f"no counterexample, but induction does not close at depth {self.proof.depth}: "
                                     f"{', '.join(failed)}, {flow.shown(self.dir)}/induction.vcd")
        return f"induction, {self.asserts} asserts"

    def prove_on_bits(self):
        """The same induction by abc's SAT solver. Its frames count the one in which the asserts are to hold."""
        depth = self.proof.depth
        self.bmc_on_bits()
        text = self.abc(f"ind -F {depth + 1}", name="induction")
        if re.search(r"Networks are UNDECIDED|Networks are NOT EQUIVALENT", text):
            raise Failed("UNPROVED", f"no counterexample, but induction does not close at depth {depth}")
        if not re.search(r"Networks are equivalent", text):
            return self.abc_failed(text)
        return f"induction on bits, {self.asserts} asserts"

    def bmc_on_bits(self):
        self.prepare("aiger")
        self.not_empty_on_bits()
        text = self.abc(f"scleanup; scorr; dc2; bmc3 -g -F {self.proof.depth}; write_cex -a trace.aiw", name="base", joined=False)
        if "Does not work for combinational networks" in text:
            raise Failed("ERROR", "no assert depends on a register: engine sat")
        if not re.search(rf"No output asserted in {self.proof.depth} frames", text):
            self.abc_failed(text)

    def bmc(self):
        if self.proof.option("by") == "bits":
            self.bmc_on_bits()
            return f"bounded to {self.proof.depth} cycles on bits, {self.asserts} asserts"
        self.prepare("smt2")
        self.base(self.proof.depth)
        return f"bounded to {self.proof.depth} cycles, {self.asserts} asserts"

    def cover(self):
        self.prepare("smt2")
        skip = [s for s in self.proof.option("skip", "").split(",") if s]
        result = self.smtbmc("cover", "-c", "-t", str(self.proof.depth))
        missed = re.findall(r"Unreached cover statement at (.*?)\.?$", result.output, re.M)
        reached = re.findall(r"Reached cover statement at (.*?) in step", result.output)
        if not reached and not missed:
            raise Failed("ERROR", f"smtbmc: {flow.last_error(result.output)}")
        is_skipped = lambda where: any(re.search(rf"(^|[^\w]){re.escape(s)}\b", where) for s in skip)  # noqa: E731
        for name in skip:
            if not any(re.search(rf"(^|[^\w]){re.escape(name)}\b", where) for where in missed + reached):
                raise Failed("ERROR", f"skip={name} names no cover of {self.proof.module}")
            if any(re.search(rf"(^|[^\w]){re.escape(name)}\b", where) for where in reached):
                raise Failed("FAIL", f"skip={name}, but it was reached")
        open_covers = [m for m in missed if not is_skipped(m)]
        if open_covers:
            raise Failed("FAIL", f"not reached within {self.proof.depth} cycles: {', '.join(open_covers)}")
        return f"{len(reached)} covers reached" + (f", {len(skip)} unreachable here" if skip else "")

    def abc(self, command, name="abc", model="model.aig", joined=True):
        """joined: the asserts are one output. Else each that was shown for a cycle helps with the next one."""
        join = "orpos; " if joined else ""
        result = self.tool(name, [abc_program(), "-c", f"read_aiger {model}; fold; strash; {join}{command}"])
        return result.output

    def pdr(self):
        self.prepare("aiger")
        text = self.abc("pdr -F 0; write_cex -a trace.aiw")
        if re.search(r"Property proved", text):
            self.not_empty()
            return f"pdr, {self.asserts} asserts"
        return self.abc_failed(text)

    def abc_failed(self, text):
        hit = re.search(r"was asserted in frame (\d+)", text)
        if hit:
            raise Failed("FAIL", self.broken_asserts(f" at step {hit[1]}"))
        if re.search(r"\bSATISFIABLE|NOT EQUIVALENT|counter-example|trivially", text, re.I) and \
           not re.search(r"UNSATISFIABLE", text):
            raise Failed("FAIL", self.broken_asserts())
        raise Failed("ERROR", f"abc: {flow.last_error(text)}")

    def broken_asserts(self, when=""):
        """abc knows the asserts by number only: its counterexample in the model that they have names in, with waveforms.
        What fails, when, and the file that shows it."""
        witness = self.dir / "trace.aiw"
        # smtbmc misreads the witness of a design without registers; one step of that is found again.
        sequential = witness.is_file() and witness.read_text().partition("\n")[0]
        options = ["--aig", "model.aim:trace.aiw", "--aig-noheader"] if sequential else ["-t", "1"]
        try:
            result = self.smtbmc("trace", *options)
        except Failed as failed:  # what abc found stays found
            return f"an assert{when} (not named: {failed.detail}), {flow.shown(witness)}"
        failed = re.findall(r"Assert failed in .*?: (.*)", result.output)
        if not failed:
            raise Failed("ERROR", f"abc's counterexample fails no assert of the model ({flow.shown(self.dir)}/trace.log)")
        return f"{', '.join(failed)}{when}, {flow.shown(self.dir)}/trace.vcd"

    def sat(self):
        by = self.proof.option("by", "smt")
        if by == "sat":
            result = self.prepare("sat")
            if result.code == 0:
                self.not_empty()
                return f"sat, {self.asserts} asserts"
            if "timed out" in result.output or "Timeout" in result.output or "interrupted" in result.output:
                raise Failed("TIMEOUT", f"sat did not end within {self.proof.limit} s")
            if re.search(r"proof did fail|model found|FAIL", result.output):
                raise Failed("FAIL", f"an assert fails, {flow.shown(self.dir)}/trace.vcd")
            raise Failed("ERROR", f"yosys: {flow.last_error(result.output)}")
        if by == "pdr":
            return self.pdr()
        if by == "iprove":
            self.prepare("aiger")
            text = self.abc("iprove")
            if re.search(r"UNSATISFIABLE", text):
                self.not_empty()
                return f"iprove, {self.asserts} asserts"
            return self.abc_failed(text)
        self.prepare("smt2")
        self.base(1)
        return f"all inputs, {self.asserts} asserts"

    def script(self):
        """formal/<block>/<file> MODULE DEPTH Name=value...; exit 0 proved, 1 counterexample, else error."""
        p = self.proof
        program = flow.ROOT / "formal" / p.block / p.option("file")
        starter = {".ys": ["yosys", "-q", "-s"], ".py": [sys.executable], ".sh": ["bash"]}.get(program.suffix, [])
        env = dict(os.environ, WARPSIEVE_ROOT=str(flow.ROOT), WS_WORK=str(self.dir), WS_MODULE=p.module,
                   WS_DEPTH=str(p.depth), WS_DEFINES=" ".join(p.defines), WS_SOLVER=p.option("solver", "z3"),
                   WS_ABC=abc_program(), WS_PARAMS=" ".join(f"{k}={v}" for k, v in p.params.items()),
                   WS_SOURCES=" ".join(map(str, p.sources())))
        result = self.tool("script", starter + [str(program), p.module, str(p.depth)]
                           + [f"{k}={v}" for k, v in p.params.items()], ok=(0, 1), env=env)
        lines = [line for line in result.output.splitlines() if line.strip()]
        if result.code == 1:
            raise Failed("FAIL" if program.suffix != ".ys" else "ERROR", lines[-1] if lines else "no output")
        counted = re.findall(r"^asserts:?\s+(\d+)", result.output, re.M)
        self.asserts = sum(map(int, counted))
        if self.asserts == 0:
            raise Failed("ERROR", "the script printed no 'asserts N' with N > 0: nothing would be proved")
        return lines[-1]

    def bug(self):
        """The planted bug must be found: a counterexample, not a time-out and not an unclosed induction."""
        by = self.proof.option("by", "bmc")
        method = {"prove": self.bmc, "bmc": self.bmc, "bits": self.bmc, "pdr": self.pdr, "script": self.script}.get(by, self.sat)
        try:
            method()
        except Failed as failed:
            if failed.result != "FAIL":
                raise
            return f"found: {failed.detail}"
        what = f"the planted bug {' '.join(self.proof.defines)}" if self.proof.defines else "the fault"
        raise Failed("FAIL", f"{what} was not found")

    def go(self):
        start = time.monotonic()
        key = proof_key(self.proof)
        try:
            result, detail = "pass", getattr(self, self.proof.engine)()
        except Failed as failed:
            result, detail = failed.result, failed.detail
        except FlowError as error:
            result, detail = "ERROR", str(error)
        return {"proof": self.proof.name, "module": self.proof.module, "engine": self.proof.engine,
                "depth": self.proof.depth, "params": self.proof.params, "defines": self.proof.defines,
                "result": result, "detail": detail, "asserts": self.asserts,
                "seconds": round(self.cpu, 1), "wall": round(time.monotonic() - start, 1), "limit": self.proof.limit,
                "key": key}


def abc_program():
    for folder in os.environ.get("PATH", "").split(":"):
        for name in ("berkeley-abc", "yosys-abc"):
            if os.access(os.path.join(folder, name), os.X_OK):
                return name
    raise FlowError("neither berkeley-abc nor yosys-abc is installed: run scripts/bootstrap")
