"""Semantic mutants: faults that a designer makes, written by hand as text of the RTL, all in one compiled model.

tb/mutation/semantic/<block>.toml:

  points = ["paper"]                  # optional: these points are mutated, too
  [proofs]                            # optional: how a counterexample is looked for, as lines of formal/<block>/proofs.txt
  safe = "hash_store 20 120 of=safe"  # of engine `bug` without name and engine: module depth seconds of=PROOF ...
  [[mutant]]
  name = "count_saturates_late"       # unique in the block
  file = "hash_store.sv"              # in rtl/<block>/
  fault = "a count goes one beyond its maximum"
  old = "count_q == MaxCount"         # once in the file, planted bugs aside: a whole operand, or whole statements of a procedural block
  new = "count_q == MaxCount - 1'b1"
  proof = "safe"                      # optional: this proof fails with the mutant
"""

import re
import tomllib

import flow
from flow import FlowError
from mutation import chosen_points
from proofs import fault_proof

PACKAGE = "warpsieve_mutants"
# The number is asked for when the model is made, before anything is evaluated.
SELECT = """// Which mutant of the block is switched on; 0: none.
package {package};
  import "DPI-C" function int warpsieve_mutant(input string model);
  int number = warpsieve_mutant("{model}");
endpackage
"""


def as_built(text):
    """The text with blanks, as many, in place of planted bugs: what stands there is in no model."""
    return re.sub(r"(?ms)(?<=^`ifdef PLANT_).*?(?=^`(else|endif)\b)", lambda m: re.sub(r"[^\n]", " ", m[0]), text)


class Mutant:
    def __init__(self, number, entry, path, where):
        self.number, self.path, self.where = number, path, where
        self.name, self.fault = entry["name"], entry["fault"]
        self.old, self.new, self.proof = entry["old"].strip(), entry["new"].strip(), entry.get("proof", "")
        text = as_built(path.read_text())
        found = text.count(self.old)
        if found != 1:
            raise FlowError(f"{where}: {path.name} has its old text {found} times, once is expected")
        if self.old == self.new:
            raise FlowError(f"{where}: its new text is the old one")
        self.begin = text.index(self.old)
        self.end = self.begin + len(self.old)
        self.line = text.count("\n", 0, self.begin) + 1
        before = re.sub(r"//[^\n]*", "", text[:self.begin]).rstrip()
        if self.statements and not re.search(r"(;|\)|\b(begin|else|end|endcase|endif)|(^|\n)[^?\n]*:)$", before):
            raise FlowError(f"{where}: its old text ends as statements do, and begins within one")

    @property
    def statements(self):
        return bool(re.search(r"(;|\b(end|endcase))$", self.old))

    def __str__(self):
        return f"{self.name} ({flow.shown(self.path)}:{self.line}): {self.fault}"


def file_of(block):
    return flow.ROOT / "tb" / "mutation" / "semantic" / f"{block}.toml"


def blocks():
    return sorted(p.stem for p in file_of("x").parent.glob("*.toml"))


class Faults:
    """The mutants of a block, the points that are mutated, and how each counterexample is looked for."""

    def __init__(self, block, point=""):
        self.block, self.listing = block, file_of(block)
        shown = flow.shown(self.listing)
        if not self.listing.is_file():
            raise FlowError(f"no {shown}{flow.did_you_mean(block, blocks())}; blocks: {', '.join(blocks()) or 'none'}")
        try:
            data = tomllib.loads(self.listing.read_text())
        except tomllib.TOMLDecodeError as error:
            raise FlowError(f"{shown}: {error}") from None
        self.mutants, self.proofs = [], data.get("proofs", {})
        for number, entry in enumerate(data.get("mutant", []), 1):
            where = f"{shown}: mutant {entry.get('name') or number}"
            for key in ("name", "file", "fault", "old", "new"):
                if not isinstance(entry.get(key), str) or not entry[key].strip():
                    raise FlowError(f"{where}: expected a text for '{key}'")
            for key in entry.keys() - {"name", "file", "fault", "old", "new", "proof"}:
                raise FlowError(f"{where}: unknown key '{key}'")
            path = flow.ROOT / "rtl" / block / entry["file"]
            if not path.is_file():
                raise FlowError(f"{where}: no such file: {flow.shown(path)}")
            if entry["name"] in (m.name for m in self.mutants):
                raise FlowError(f"{where}: the second of this name")
            if entry.get("proof", next(iter(self.proofs), "")) not in (*self.proofs, ""):
                raise FlowError(f"{where}: [proofs] has no '{entry['proof']}'{flow.did_you_mean(entry['proof'], self.proofs)}")
            self.mutants.append(Mutant(number, entry, path, where))
        if not self.mutants:
            raise FlowError(f"{shown}: names no mutant")
        for name, line in self.proofs.items():
            fault_proof(block, f"{shown}: proof {name}", name, line)
        for path in {m.path for m in self.mutants}:
            combined(path, self.mutants)
        self.points = chosen_points(block, "", point)
        if not point:
            known = [p for name in data.get("points", []) for p in flow.chosen(flow.points(block), name)]
            self.points += [p for p in known if (p.module, p.name) not in {(q.module, q.name) for q in self.points}]

    def proof_of(self, mutant, folder):
        """Reads the file with this mutant alone in place of the block's own."""
        proof = fault_proof(self.block, mutant.where, f"mutant.{mutant.name}", self.proofs[mutant.proof])
        text = mutant.path.read_text()
        changed = folder / mutant.name / mutant.path.name
        changed.parent.mkdir(parents=True, exist_ok=True)
        new = mutant.new if mutant.statements else f"({mutant.new})"
        changed.write_text(text[:mutant.begin] + new + text[mutant.end:])
        if mutant.path not in proof.sources():
            raise FlowError(f"{mutant.where}: {proof.module} of its proof does not read {mutant.path.name}")
        proof.replaced[mutant.path] = changed
        return proof


class Sources:
    """A module at one point with every mutant of the block's files in it, behind a number."""

    def __init__(self, point, faults):
        self.point, self.name = point, f"V{point.module}_{point.name}"
        self.files = flow.sources(point.block, point.module)
        self.mutants = [m for m in faults.mutants if m.path in self.files]
        self.faults = faults

    def write(self, folder):
        """folder/<class>.list names the files in the order in which they are compiled."""
        listed = [folder / self.name / "warpsieve_mutants.sv"]
        flow.write_changed(listed[0], SELECT.format(package=PACKAGE, model=self.name))
        for path in self.files:
            if path in {m.path for m in self.mutants}:
                own = folder / self.name / path.name
                flow.write_changed(own, combined(path, self.faults.mutants))
                path = own
            listed.append(path)
        flow.write_changed(folder / f"{self.name}.list", "".join(f"{path}\n" for path in listed))


def combined(path, mutants):
    """The text of the file with all mutants in it, each where its number is the selected one."""
    text = path.read_text()
    return _between(text, 0, len(text), sorted((m for m in mutants if m.path == path), key=lambda m: (m.begin, -m.end, m.number)))


def _between(text, begin, end, mutants):
    """text[begin:end] with these mutants, which lie within it, the outer ones first."""
    out, at = [], begin
    while mutants:
        first = mutants[0]
        inner = [m for m in mutants[1:] if m.begin < first.end]
        for m in inner:
            if m.end > first.end:
                raise FlowError(f"{m.where}: its old text overlaps with that of {first.name}")
        mutants = mutants[1 + len(inner):]
        kept = _between(text, first.begin, first.end, inner)
        out += [text[at:first.begin], _choice(first, kept)]
        at = first.end
    return "".join(out) + text[at:end]


def _choice(mutant, kept):
    selected = f"{PACKAGE}::number == {mutant.number}"
    if mutant.statements:
        return f"if ({selected}) begin\n{mutant.new}\nend else begin\n{kept}\nend"
    return f"(({selected}) ? ({mutant.new}) : ({kept}))"
