"""Memories that no compiler makes: below ROWS rows or BITS bits a ram_1r1w counts as flip-flops, in gates.

A baseline of synthesis names the shapes of a point's memories, `{"WIDTHxDEPTH": number}`. synth/storage.json has the gates of
each small shape: rtl/common/ram_1r1w.sv itself, synthesized as any other module.
"""

import re

import flow
import synthesis
from flow import FlowError

ROWS, BITS = 16, 512
RECORD = flow.ROOT / "synth" / "storage.json"


def size(shape):
    match = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", shape)
    if not match:
        raise FlowError(f"expected the shape of a memory, WIDTHxDEPTH, found '{shape}'")
    return int(match[1]), int(match[2])


def bits(shape):
    width, depth = size(shape)
    return width * depth


def small(shape):
    return size(shape)[1] < ROWS or bits(shape) < BITS


def shapes(memories):
    """{shape: number} of {instance: [width, depth]}."""
    found = {}
    for width, depth in memories.values():
        found[f"{width}x{depth}"] = found.get(f"{width}x{depth}", 0) + 1
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
    names = ["synth/ram_1r1w.v" if f == flow.ROOT / "rtl" / synthesis.RAM else f.relative_to(flow.ROOT)
             for f in flow.sources(point.block, point.module)]
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
    width, depth = size(shape)
    point = flow.Point("common", shape, "ram_1r1w", "1", "1", {"Width": str(width), "Depth": str(depth)})
    work = flow.BUILD / "synth" / "storage" / (shape if tech.is_default else f"{shape}-{tech.key[:8]}")
    work.parent.mkdir(parents=True, exist_ok=True)
    # By another name of the file: under its own one, synthesis puts the stand-in for memories there.
    entry = synthesis.synthesize(point, [flow.ROOT / "rtl" / ".." / "rtl" / synthesis.RAM], tech, work)
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
