"""The parts of the tables that are about the clock: scripts/table."""

import budgets
import flow
import ram_timing
import storage

HEADS = ["Clock, FO4", f"GE at {budgets.FAST_FO4} FO4", "Clock reached"]
KINDS = {"register": "register to register", "in": "input to register", "out": "register to output",
         "through": "input to output", "between": "input to output, no registers"}


def cells(entry):
    """Of a point of the baseline: the clock of the netlist of the table, the gates of the faster one, and its clock."""
    if not entry or "timed" not in entry:
        return [""] * 3
    shown = [f"{entry['timed']['clock']:.1f}", "", ""]
    if "fast" in entry:
        fast = entry["fast"]
        gates = storage.gates({**entry, "ge": fast["ge"]}, flow.read_json(storage.RECORD, {"ge": {}}))
        shown[1] = f"{gates[0]:,.0f}" if gates else ""
        shown[2] = f"{fast['clock']:.1f}" if met(fast) else f"**{fast['clock']:.1f}**"
    return shown


def met(timed):
    return timed["clock"] <= budgets.FAST_FO4


def signal(name):
    return f"`{name}`" if name else ""


def missed():
    """The points that are slower than the clock that they were mapped for, and what their longest path needs."""
    record = flow.read_json(ram_timing.RECORD, {})
    overhead = record.get("clock_to_q", 0) + record.get("setup", 0)
    rows, number, total, unknown = [], 0, 0, 0
    for block in flow.blocks():
        baseline = flow.read_json(flow.ROOT / "synth" / "baseline" / f"{block}.json", {})
        for point in flow.points(block):
            fast = baseline.get(f"{point.module}@{point.name}", {}).get("fast")
            if not fast:
                unknown += 1
                continue
            total += 1
            if not met(fast):
                number += 1
                rows.append([f"`{point.module}`", point.name, f"{fast['clock']:.1f}", KINDS[fast["limit"]],
                             f"{fast['paths'][fast['limit']]:.1f}", signal(fast["from"]), signal(fast["to"]),
                             str(budgets.cuts(fast, overhead))])
    lines = [f"{total - number} of {total} points meet {budgets.FAST_FO4} FO4."
             + (f" {unknown} more were not mapped for it." if unknown else "") + (" These do not meet it:" if rows else "")]
    if rows:
        heads = ["Module", "Point", "Clock, FO4", "Limited by", "FO4 of the path", "From", "To", "Registers to add"]
        marks = ["---", "---", "--:", "---", "--:", "---", "---", "--:"]
        lines += ["", "| " + " | ".join(heads) + " |", "|" + "|".join(marks) + "|"]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)
