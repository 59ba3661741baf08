"""Records of layouts in synth/layout: <module>.json and its picture <module>.svg; the table and what is stale."""

import flow
import routed
from flow import FlowError

RECORDS = flow.ROOT / "synth" / "layout"
DEFAULT = ("md5_core", "fifo", "affine_decoder")  # laid out when nothing is named
CODE = ("layout.py", "routed.py")                 # decide the figures
DRIFT = 0.03                                      # of scripts/synth --check
SIDE = 1000                                       # of a picture, in its own units
WIRES = 4000                                      # longest ones in a picture
LOGIC, FLOP = "#d5dde6", "#9fb1c6"
COLOURS = {"metal1": "#0072b2", "metal2": "#d55e00", "metal3": "#009e73", "metal4": "#cc79a7", "metal5": "#e69f00",
           "metal6": "#6a5a00"}


def chosen(name, point):
    """The point that stands for a module, or for each module of a block, or the one with that name."""
    plan = [p for block in flow.blocks() for p in flow.points(block)]
    mine = [p for p in plan if name in (p.module, p.block)]
    if not mine:
        known = list(dict.fromkeys(n for p in plan for n in (p.block, p.module)))
        raise FlowError(f"no block or module named '{name}'{flow.did_you_mean(name, known)}")
    return flow.chosen(mine, point) if point else flow.headline(mine)


def key(point):
    """Digests of what the record is of: the RTL and these scripts."""
    return {"rtl": flow.digest(flow.logic_of(flow.sources(point.block, point.module)), sorted(point.params.items()))[:16],
            "script": flow.digest(*(flow.ROOT / "scripts" / "lib" / name for name in CODE))[:16]}


def write(point, entry, layout):
    flow.write_json(RECORDS / f"{point.module}.json", entry)
    drawing = RECORDS / f"{point.module}.svg"
    if layout:
        flow.write_text(drawing, picture(layout, point))
    else:
        drawing.unlink(missing_ok=True)


def records():
    """[(module, record)], in the order of their names."""
    return [(path.stem, flow.read_json(path)) for path in sorted(RECORDS.glob("*.json"))]


def stale():
    """A line for each record that is not of today's RTL, points, scripts or netlist."""
    for module, entry in records():
        again = f"make layout BLOCK={module}"
        where = f"synth/layout/{module}.json"
        if missing := {"block", "module", "point", "params", "ge", "rtl", "script"} - set(entry):
            yield f"{where}: has no '{sorted(missing)[0]}': {again}"
            continue
        point = next((p for p in (flow.points(entry["block"]) if entry["block"] in flow.blocks() else ())
                      if (p.module, p.name) == (module, entry["point"])), None)
        if point is None or point.params != entry["params"]:
            yield f"{where}: rtl/{entry['block']}/points.txt has no {module}@{entry['point']} with its parameters: {again}"
            continue
        now = key(point)
        for what, name in (("rtl", "another RTL"), ("script", "another scripts/lib/" + " or ".join(CODE))):
            if now[what] != entry[what]:
                yield f"{where}: is of {name}: {again}"
        base = flow.read_json(flow.ROOT / "synth" / "baseline" / f"{entry['block']}.json", {}).get(f"{module}@{point.name}")
        if base and abs(base["ge"] - entry["ge"]) > DRIFT * base["ge"]:
            yield f"{where}: its netlist has {entry['ge']} GE, synth/baseline has {base['ge']}: {again}"
        if "failed" not in entry and not (RECORDS / f"{module}.svg").is_file():
            yield f"synth/layout/{module}.svg: is missing: {again}"


def rows():
    for module, entry in records():
        first = [f"`{module}`", entry["point"], f"{entry['cells']:,}", f"{entry['registers']:,}"]
        if "failed" in entry:
            yield [*first, entry["failed"], *[""] * 8]
            continue
        before, after = entry["synthesized"]["ns"], entry["routed"]["ns"]
        yield [*first, f"{entry['cell_um2']:,.0f}", f"{entry['core_um2']:,.0f}", f"{entry['die_um2']:,.0f}",
               f"{100 * entry['cell_um2'] / entry['core_um2']:.0f} %", f"{sum(entry['wire_um'].values()) / 1000:,.1f}",
               f"{entry['vias']:,}", f"{before:.2f}", f"{after:.2f}", f"{100 * (after / before - 1):+.0f} %"]


def pictures():
    """Markdown: the picture of each module that was routed."""
    return "\n".join(f"![{module} placed and routed](layout/{module}.svg)" for module, entry in records() if "failed" not in entry)


def picture(layout, point):
    """An SVG: rows of cells, power stripes, the longest wires on them, pins at the edge. Whole numbers keep it small."""
    x0, y0, x1, y1 = layout.die
    scale = SIDE / max(x1 - x0, y1 - y0)
    across, down = (lambda x: round((x - x0) * scale)), (lambda y: round((y1 - y) * scale))
    width, height = across(x1), down(y0)

    def box(left, bottom, right, top):
        return f"M{across(left)} {down(top)}h{across(right) - across(left)}v{down(bottom) - down(top)}H{across(left)}z"

    cells = {"fill": [], "logic": [], "flop": []}
    for name, x, y, _ in layout.components.values():
        macro = layout.lef.macros[name]
        kind = "fill" if name.startswith("FILL") else "flop" if name.startswith("DFF") else "logic"
        cells[kind].append(box(x, y, x + macro.width, y + macro.height))
    wires = sorted((s for name, net in layout.nets.items() if name not in routed.POWER for s in net.segments),
                   key=lambda s: -s.length)
    drawn = wires[:WIRES]
    by_layer = {}
    for s in sorted(drawn, key=lambda s: (s.layer, s.x0, s.y0)):
        move = f"H{across(s.x1)}" if s.y0 == s.y1 else f"V{down(s.y1)}"
        by_layer.setdefault(s.layer, []).append(f"M{across(s.x0)} {down(s.y0)}{move}")
    thick = max(layout.lef.layers["metal2"].width * routed.UNITS * scale, 0.5)
    um = lambda value: f"{value / routed.UNITS:.0f}"  # noqa: E731
    shortest = f", wires from {um(drawn[-1].length)} µm on" if len(drawn) < len(wires) else ""
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 40} {height + 116}" width="{(width + 40) // 2}" '
           'font-family="sans-serif" font-size="22">',
           f"<title>{point.module} in OSU 0.18 µm cells, placed and routed</title>",
           '<rect width="100%" height="100%" fill="#fff"/>', '<g transform="translate(20 20)">',
           f'<rect width="{width}" height="{height}" fill="#f4f4f4" stroke="#333"/>']
    for kind, colour in (("fill", "#fff"), ("logic", LOGIC), ("flop", FLOP)):
        if cells[kind]:
            out.append(f'<path fill="{colour}" stroke="#fff" stroke-width=".3" d="{"".join(cells[kind])}"/>')
    power = [box(*s.box()) for name in routed.POWER if name in layout.nets for s in layout.nets[name].segments]
    if power:
        out.append(f'<path fill="#bbb" d="{"".join(power)}"/>')
    for layer, parts in by_layer.items():
        out.append(f'<path fill="none" stroke="{COLOURS[layer]}" stroke-width="{thick:.1f}" opacity=".7" d="{"".join(parts)}"/>')
    pins = sorted((across((b[0] + b[2]) / 2), down((b[1] + b[3]) / 2)) for _, b in layout.pins.values())
    out.append('<path fill="#333" d="' + "".join(f"M{x - 2} {y - 2}h4v4h-4z" for x, y in pins) + '"/>')
    out.append(f'<text y="{height + 32}">{point.module} ({point.name}): {um(x1 - x0)} x {um(y1 - y0)} µm{shortest}</text>')
    for place, (name, colour) in enumerate((("logic", LOGIC), ("flip-flops", FLOP), *((k, COLOURS[k]) for k in by_layer))):
        out.append(f'<rect x="{140 * place}" y="{height + 52}" width="18" height="18" fill="{colour}"/>'
                   f'<text x="{140 * place + 24}" y="{height + 68}">{name}</text>')
    return "\n".join([*out, "</g>", "</svg>", ""])
