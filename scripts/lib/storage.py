"""Memories that no compiler makes: below ROWS rows or BITS bits a memory counts as flip-flops, in gates.

A baseline of synthesis names the shapes of a point's memories, `{"WIDTHxDEPTH": number}` for ram_1r1w, "WIDTHxDEPTHrwLANES" for
ram_1rw. synth/storage.json has the gates of each small shape: the wrapper of rtl/common itself, synthesized as any other module.
"""

import re

import flow
import synthesis
from flow import FlowError

ROWS, BITS = 16, 512
RECORD = flow.ROOT / "synth" / "storage.json"


def parts(shape):
    """(width, depth, lanes written apart, 0 for a memory with a port for reads and one for writes)."""
    match = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)(?:rw([1-9]\d*))?", shape)
    if not match:
        raise FlowError(f"expected the shape of a memory, WIDTHxDEPTH or WIDTHxDEPTHrwLANES, found '{shape}'")
    return int(match[1]), int(match[2]), int(match[3] or 0)


def size(shape):
    return parts(shape)[:2]


def wrapper(shape):
    """The module that wraps such a memory."""
    return "ram_1rw" if parts(shape)[2] else "ram_1r1w"


def shape_of(width, depth, lanes=0):
    return f"{width}x{depth}rw{lanes}" if lanes else f"{width}x{depth}"


def bits(shape):
    width, depth = size(shape)
    return width * depth


def small(shape):
    return size(shape)[1] < ROWS or bits(shape) < BITS


def shapes(memories):
    """{shape: number} of {instance: sizes of shape_of}."""
    found = {}
    for sizes in memories.values():
        shape = shape_of(*sizes)
        found[shape] = found.get(shape, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-bits(item[0]), item[0])))


def gates(entry, record):
    """(GE with small memories, RAM bits that are left) of a baseline's point; None: a shape or its gates are not recorded."""
    ge, left = entry["ge"], 0
    if "memories" not in entry:
        return None if entry["storage_bits"] else (ge, 0)
    for shape, count in entry["memories"].items():
        if not small(shape):
            left += count * bits(shape)
        elif shape in record["ge"]:
            ge += count * record["ge"][shape]
        else:
            return None
    return ge, left


def elaborated(point, work):
    """The shapes of a point, without its synthesis."""
    names = flow.with_stand_ins(flow.sources(point.block, point.module))
    work.mkdir(parents=True, exist_ok=True)
    script = [f"read_verilog -sv -Irtl {name}" for name in names] + flow.elaborate(point.module, point.params)
    script += ["proc", "flatten", "opt_expr", "opt_clean", f"write_json {work / 'flat.json'}"]
    (work / "elaborate.ys").write_text("\n".join(script) + "\n")
    result = flow.run(["yosys", "-q", "-s", work / "elaborate.ys"], synthesis.LIMIT, cwd=flow.ROOT)
    if result.code or result.timed_out:
        raise FlowError(f"{point}: {flow.last_error(result.output)}")
    found = shapes(synthesis.memories(flow.read_json(work / "flat.json"), point.module))
    (work / "flat.json").unlink()
    return found


def as_flip_flops(shape, tech):
    """(figures, point, netlist, its folder) of the memory made of flip-flops."""
    width, depth, lanes = parts(shape)
    sizes = {"Width": width, "Depth": depth, **({"MaskBits": lanes} if lanes else {})}
    point = flow.Point("common", shape, wrapper(shape), "1", "1", {name: str(value) for name, value in sizes.items()})
    work = flow.BUILD / "synth" / "storage" / (shape if tech.is_default else f"{shape}-{tech.key[:8]}")
    work.parent.mkdir(parents=True, exist_ok=True)
    # By another name of the file: under its own one, synthesis puts the stand-in for memories there.
    entry = synthesis.synthesize(point, [flow.ROOT / "rtl" / ".." / "rtl" / "common" / f"{point.module}.sv"], tech, work)
    return entry, point, synthesis.mapped(work, entry["recipe"], point.module), work


def refresh(tech, blocks):
    """Completes the baselines of these blocks and the record; says what it did. The shapes of all memories."""
    needed, shapes_of_all = set(), set()
    for block in flow.blocks():
        path = flow.ROOT / "synth" / "baseline" / f"{block}.json"
        baseline = flow.read_json(path, {})
        for point in flow.points(block):
            entry = baseline.get(f"{point.module}@{point.name}")
            if entry is None:
                continue
            if "memories" not in entry and block not in blocks:
                continue
            if "memories" not in entry:
                found = elaborated(point, flow.BUILD / "synth" / "storage" / block) if entry["storage_bits"] else {}
                total = sum(count * bits(shape) for shape, count in found.items())
                if total != entry["storage_bits"]:
                    print(f"synth: {point}: {total} bits of memory, the baseline is of an RTL with {entry['storage_bits']}")
                    continue
                entry["memories"] = found
            shapes_of_all |= set(entry["memories"])
            needed |= {shape for shape in entry["memories"] if small(shape)}
        flow.write_json(path, baseline)
    flop = tech.library.flop
    record = flow.read_json(RECORD, {"ge": {}})
    record.update(flip_flop=flop.name, flip_flop_ge=round(flop.area / tech.library.nand2.area, 2), liberty=tech.library.name)
    record["ge"] = {shape: ge for shape, ge in record["ge"].items() if shape in needed}
    for shape in sorted(needed - set(record["ge"]), key=bits):
        record["ge"][shape] = as_flip_flops(shape, tech)[0]["ge"]
        print(f"synth: {shape} {record['ge'][shape]:.1f} GE as flip-flops, {record['ge'][shape] / bits(shape):.2f} a bit",
              flush=True)
        flow.write_json(RECORD, record)
    flow.write_json(RECORD, record)
    return shapes_of_all
