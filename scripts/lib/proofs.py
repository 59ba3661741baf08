"""The lines of formal/<block>/proofs.txt, and which RTL a record in formal/results.json is of (format: formal/README.md)."""

import re

import flow
from flow import FlowError

ENGINES = ("prove", "bmc", "cover", "pdr", "sat", "script", "bug")
OPTIONS = {  # option: allowed values, None for any
    "solver": ("z3", "cvc5"),
    "by": ("smt", "sat", "iprove", "pdr", "prove", "bmc", "bits"),
    "mem": ("map", "array", "free"),
    "skip": None,  # covers that this point cannot reach
    "of": None,    # bug: the proof whose planted bug must be found
    "file": None,  # script: the program
    "stub": None,  # modules replaced by free outputs
}


class Proof:
    def __init__(self, block, where, name, module, engine, depth, limit):
        self.block, self.where = block, where
        self.name, self.module, self.engine, self.depth, self.limit = name, module, engine, depth, limit
        self.params, self.defines, self.options = {}, [], {}
        self.replaced = {}  # file of the RTL: another one that is read in its place

    def option(self, key, default=None):
        return self.options.get(key, default)

    def macros(self):
        return ["FORMAL_" + self.module.upper()] + self.defines

    def sources(self):
        return [self.replaced.get(f, f) for f in flow.sources(self.block, self.module)]


def parse_line(block, where, words):
    """name module engine depth seconds, then parameters, macros and options."""
    name, module, engine, depth, limit = words[:5]
    if engine not in ENGINES:
        raise FlowError(f"{where}: unknown engine '{engine}' (one of {' '.join(ENGINES)})")
    if not depth.isdigit() or not limit.isdigit() or int(limit) == 0:
        raise FlowError(f"{where}: depth and seconds must be numbers, found '{depth} {limit}'")
    if engine in ("prove", "bmc", "cover") and int(depth) == 0:
        raise FlowError(f"{where}: {engine} needs a depth of at least 1")
    if not re.fullmatch(r"[\w.-]+", name):
        raise FlowError(f"{where}: a proof's name is letters, digits, '_', '-' and '.', found '{name}'")
    proof = Proof(block, where, name, module, engine, int(depth), int(limit))
    rest = iter(words[5:])
    for word in rest:
        if word == "-D" or word.startswith("-D"):
            macro = next(rest, "") if word == "-D" else word[2:]
            if not re.fullmatch(r"[A-Za-z_]\w*(=\w+)?", macro):
                raise FlowError(f"{where}: -D needs a macro name, found '{macro}'")
            proof.defines.append(macro)
        elif re.match(r"[A-Z]\w*=", word):
            proof.params.update(flow.parse_params([word], where))
        elif "=" in word and word.split("=")[0] in OPTIONS:
            key, value = word.split("=", 1)
            if OPTIONS[key] and value not in OPTIONS[key]:
                raise FlowError(f"{where}: {key} is one of {' '.join(OPTIONS[key])}, found '{value}'")
            proof.options[key] = value
        else:
            raise FlowError(f"{where}: neither a parameter, -D MACRO nor an option: '{word}'")
    return proof


def parse_proofs(block):
    path = flow.ROOT / "formal" / block / "proofs.txt"
    proofs = {}
    for where, words in flow.word_lines(path, 5, "name module engine depth seconds ..."):
        proof = parse_line(block, where, words)
        if proof.name in proofs:
            raise FlowError(f"{where}: second proof named '{proof.name}'")
        proofs[proof.name] = proof
    for proof in proofs.values():
        if proof.engine == "bug" and not any(d.startswith("PLANT_") for d in proof.defines):
            raise FlowError(f"{proof.where}: a bug line needs -D PLANT_<NAME>")
        check_proof(proof, proofs)
    if not proofs:
        raise FlowError(f"{flow.shown(path)}: holds no proof")
    return list(proofs.values())


def fault_proof(block, where, name, line):
    """The proof that must fail with a fault in the RTL; `line`: of engine `bug`, without its name and engine."""
    words = line.split()
    if len(words) < 3:
        raise FlowError(f"{where}: expected 'module depth seconds of=PROOF ...', found '{line}'")
    proof = parse_line(block, where, [name, words[0], "bug", *words[1:]])
    if "of" not in proof.options:
        raise FlowError(f"{where}: of=PROOF is missing in '{line}'")
    check_proof(proof, {p.name: p for p in parse_proofs(block)})
    return proof


def check_proof(proof, proofs):
    if proof.engine == "bug":
        if "of" in proof.options:
            base = proofs.get(proof.options["of"])
            if base is None or base.engine in ("bug", "cover"):
                raise FlowError(f"{proof.where}: of={proof.options['of']} names no proof of this file")
            proof.params = {**base.params, **proof.params}
            proof.defines = base.defines + [d for d in proof.defines if d not in base.defines]
            by = base.option("by", "smt") if base.engine == "sat" else "bits" if base.option("by") == "bits" else base.engine
            proof.options = {**base.options, "by": by, **proof.options}
    if proof.engine not in ("prove", "bmc", "bug") and proof.option("by") == "bits":
        raise FlowError(f"{proof.where}: by=bits is for prove, bmc and bug")
    if proof.engine == "script" and "file" not in proof.options:
        raise FlowError(f"{proof.where}: a script line needs file=<program in formal/{proof.block}>")
    if "file" in proof.options:
        script = flow.ROOT / "formal" / proof.block / proof.options["file"]
        if not script.is_file():
            raise FlowError(f"{proof.where}: no such file: {flow.shown(script)}")


def active_text(path, macros, seen):
    """What a proof with these `macros` reads from `path`, comments and empty lines left out, with what it includes.

    A file <module>_props.svh is included under FORMAL_<MODULE> only: of the proof's own module, and by -D of others.
    """
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    lines = [re.sub(r"\s+", " ", line.split("//")[0]).strip() for line in text.splitlines()]
    parts = ["\n".join(line for line in lines if line)]
    for name in re.findall(r'`include\s+"([^"]+)"', parts[0]):
        if name.endswith("_props.svh") and f"FORMAL_{name.removesuffix('_props.svh').upper()}" not in macros:
            continue
        for folder in (path.parent, *seen["folders"]):
            if (folder / name).is_file():
                if folder / name not in seen["files"]:
                    seen["files"].add(folder / name)
                    parts += active_text(folder / name, macros, seen)
                break
    return parts


LABEL = re.compile(r"\b\w+ ?: ?(?=(assert|assume)\b)")  # covers keep theirs: skip= names them


def proof_key(proof):
    """Hash of the line, of the RTL and of the properties that it reads, names of properties left out: another one is
    another proof."""
    formal = flow.ROOT / "formal"
    seen = {"folders": (formal / proof.block, formal, flow.ROOT / "rtl"), "files": set()}
    parts = [proof.module, proof.engine, proof.depth, sorted(proof.params.items()), sorted(proof.defines),
             sorted((k, v) for k, v in proof.options.items() if k != "of")]
    for path in flow.sources(proof.block, proof.module):
        parts += [LABEL.sub("", text) for text in active_text(path, proof.macros(), seen)]
    if proof.engine == "script" or proof.option("by") == "script":
        folder = formal / proof.block
        read = [*sorted(folder.glob("*")), folder / proof.options["file"]]
        parts += [p for p in read if p.suffix not in (".md", ".txt", ".svh") and p.is_file()]
    return flow.digest(*parts)[:16]


STALE = {"none": "no record", "other": "recorded for another RTL, property or line", "failed": "did not pass"}


def stale_records(block, results):
    """{proof: reason} of the proofs of a block whose record is not one of today's proof."""
    found = {}
    for proof in parse_proofs(block):
        entry = results.get(block, {}).get(proof.name)
        reason = "none" if entry is None else "other" if entry.get("key") != proof_key(proof) \
            else "failed" if entry["result"] != "pass" else ""
        if reason:
            found[proof.name] = reason
    return found
