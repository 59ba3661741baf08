"""What a line of the table of modules says about proofs: of the module itself, of its parts only, and at which size."""

import block_tables
import flow

OLDER = " †"  # measured before the last change of what it is of


def seconds(proved):
    return f"{sum(p['seconds'] for p in proved):.0f} s" + (OLDER if any(p["older"] for p in proved) else "")


def engines(proved):
    """Kinds of proof; a bounded one says how far it looks."""
    return ", ".join(sorted({f"bmc to {p['depth']} cycles" if p["engine"] == "bmc" else p["engine"] for p in proved}))


def defaults(block, module):
    """{parameter: default} of the module's settable parameters; of a module for a proof only, none."""
    path = flow.ROOT / "rtl" / block / f"{module}.sv"
    try:
        parameters, _ = block_tables.header(path)
    except (FileNotFoundError, flow.FlowError):  # an inner module may have a header of its own layout
        return {}
    return {name: default for name, default, _ in block_tables.settable(parameters)}


# Of these the smaller number is the larger design; a seed is no size.
INVERSE, NO_SIZE = {"StepsPerStage"}, {"Seed"}
# Proofs that have a part of the module's properties only: what the table says of their size, and which they are.
PARTS = (("in part", lambda proof: "FULL_SIZE" in proof.get("defines", [])),
         ("between parts", lambda proof: proof.get("name", "").startswith("parts_")),
         ("in time", lambda proof: proof.get("name", "").startswith("live")),
         ("clock gates", lambda proof: proof.get("name", "").startswith("gate_")))


def size(block, module, proved, full):
    """'full size', or the largest sizes proved of the full one; empty where no parameter says how large the module is.

    `full`: {parameter: value} at the point that stands for the module. Of the largest sizes, the parameters are named that are
    smaller than there.
    """
    plain = defaults(block, module)
    names = [n for n in full if n not in NO_SIZE and (n in plain or any(n in p["params"] for p in proved))]
    if not names or not all(full[n].isdigit() for n in names):
        return ""
    order = [-1 if n in INVERSE else 1 for n in names]
    found = set()
    for proof in proved:
        values = {**plain, **proof["params"]}
        if all(values.get(n, "").isdigit() for n in names):
            found.add(tuple(sign * int(values[n]) for n, sign in zip(names, order)))
    whole = tuple(sign * int(full[n]) for n, sign in zip(names, order))
    within = lambda one, other: all(a <= b for a, b in zip(one, other))  # noqa: E731
    if not found or any(within(whole, s) for s in found):
        return "full size" if found else ""
    parts = []
    for one in sorted((s for s in found if not any(s != o and within(s, o) for o in found)), reverse=True):
        less = [i for i in range(len(names)) if one[i] < whole[i]]
        times = " x ".join
        parts.append(f"{times(names[i] for i in less)}: {times(str(abs(one[i])) for i in less)} of "
                     f"{times(str(abs(whole[i])) for i in less)}")
    return "; ".join(dict.fromkeys(parts))


def sizes(block, module, proved, full):
    """Size of the proofs that have all properties, then those of PARTS."""
    groups = [("", [p for p in proved if not any(is_part(p) for _, is_part in PARTS)])]
    groups += [(f"{label} ", [p for p in proved if is_part(p)]) for label, is_part in PARTS]
    found = [(label, size(block, module, some, full)) for label, some in groups]
    return [label + said for label, said in found if said]


def cells(block, module, proved, full):
    """The two cells of a module: its own proofs, and those of what only it uses. `proved`: both."""
    own = [p for p in proved if p["module"] in (module, f"{module}_proof")]
    rest = [p for p in proved if p not in own]
    first = "; ".join([f"{engines(own)}, {seconds(own)}", *sizes(block, module, own, full)]) if own else ""
    if not rest:
        return [first, ""]
    smaller = []
    for part in dict.fromkeys(p["module"] for p in rest):
        said = sizes(block, part, [p for p in rest if p["module"] == part], full)
        smaller += [f"`{part}` {one}" for one in said if one != "full size"]
    return [first, "; ".join([f"{engines(rest)}, {seconds(rest)}", *smaller])]
