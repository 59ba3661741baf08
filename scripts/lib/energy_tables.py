"""The table of gated clocks in synth/README.md: scripts/table."""

import flow


def gated():
    """A row per record of scripts/energy that has a form with gated clocks."""
    heads = ["Module", "Point", "pJ per event", "gated", "Clock, pJ per cycle", "gates open", "gates shut",
             "Edges behind gates, pJ", "Clock of the whole run, nJ", "gated"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "|".join(["---"] * 2 + ["--:"] * 8) + "|"]
    for block in flow.blocks():
        for found in flow.read_json(flow.ROOT / "synth" / "energy" / f"{block}.json", {}).values():
            form = found.get("gated")
            if not form:
                continue
            run = form.get("whole_run")
            cells = [f"`{found['module']}`", found["point"], f"{found['pj_per_event']:,.0f}", f"{form['pj_per_event']:,.0f}",
                     f"{found['clock_pj_per_cycle']:.1f}", f"{form['busy_clock_pj']:.1f}", f"{form['idle_clock_pj']:.2f}",
                     "; ".join(f"{e['pj']:,.0f} per {e['event']}" for e in form["clock_events"]),
                     f"{run['clock_nj_without_gates']:,.0f}" if run else "", f"{run['clock_nj']:,.0f}" if run else ""]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
