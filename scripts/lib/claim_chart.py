"""The bar chart of sim_cpp/claims/README.md: normalised IPC of each paper's main claim, by workload, as papers draw it."""

import math
from xml.sax.saxutils import escape

import claim_tables

WIDTH, LEFT, RIGHT, PANEL, GAP, TOP = 1000, 46, 10, 150, 96, 30
STYLE = """
  text { font: 11px sans-serif; fill: #24292f; }
  .title { font-size: 13px; font-weight: 600; }
  .small { font-size: 10px; fill: #57606a; }
  .grid { stroke: #d0d7de; stroke-width: 1; }
  .one { stroke: #57606a; stroke-width: 1; }
  .whisker { stroke: #24292f; stroke-width: 1.2; fill: none; }
  .paper { fill: #0072b2; } .quarter { fill: #e69f00; } .stated { fill: #8c959f; }
  .noise { fill-opacity: 0.45; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .small { fill: #9da7b1; }
    .grid { stroke: #30363d; } .one { stroke: #9da7b1; } .whisker { stroke: #e6edf3; }
    .paper { fill: #56b4e9; } .quarter { fill: #e69f00; } .stated { fill: #6e7681; }
  }"""


def text(x, y, words, kind="", anchor="middle", turn=""):
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind} text-anchor="{anchor}"{turn}>{escape(words)}</text>'


def groups(of):
    """[(label, [(series, ratio, noise or None, inside the noise)])] of one paper: its workloads, then the means."""
    heads = {scale: claim_tables.headline(paper, rows) for scale, (paper, rows) in of.items()}
    names = dict.fromkeys(name for head in heads.values() for name in head["workloads"])
    out = []
    for name in names:
        bars = []
        for scale, head in heads.items():
            figure = head["workloads"].get(name)
            if figure:
                noise = figure["noise"] if head["repetitions"] > 1 else None
                bars.append((scale, 1 + figure["mean"] / 100, noise and noise / 100, abs(figure["mean"]) <= figure["noise"]))
        out.append((name, bars))
    mean, geometric = [], []
    for scale, head in heads.items():
        noise = head["noise"] / 100 if head["repetitions"] > 1 else None
        mean.append((scale, 1 + head["ours"] / 100, noise, head["verdict"] == "no effect"))
        if head["geometric"] is not None:
            geometric.append((scale, 1 + head["geometric"] / 100, None, False))
    first = next(iter(heads.values()))
    mean.append(("stated", 1 + first["paper"] / 100, None, False))
    return out + [("mean", mean), ("geo. mean", geometric)]


def panel(y, title, found):
    """The elements of one paper's panel, whose top is at y."""
    bars = [bar for _, group in found for bar in group]
    high = max([ratio + (noise or 0) for _, ratio, noise, _ in bars] + [1.1])
    step = next(s for s in (0.25, 0.5, 1, 2, 5, 10) if high / s <= 8)
    top = math.ceil(high / step) * step
    at = lambda value: y + PANEL * (1 - max(value, 0) / top)  # noqa: E731
    out = [text(LEFT, y - 12, title, "title", "start")]
    for i in range(round(top / step) + 1):
        value = i * step
        kind = "one" if value == 1 else "grid"
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at(value):.1f}" y2="{at(value):.1f}" class="{kind}"/>')
        out.append(text(LEFT - 5, at(value) + 4, f"{value:g}", "small", "end"))
    room = (WIDTH - LEFT - RIGHT) / len(found)
    for n, (label, group) in enumerate(found):
        wide = min(14, room * 0.8 / max(len(group), 1))
        x = LEFT + room * (n + 0.5) - wide * len(group) / 2
        for series, ratio, noise, unsure in group:
            out.append(f'<rect x="{x:.1f}" y="{at(ratio):.1f}" width="{wide - 1:.1f}" height="{at(0) - at(ratio):.1f}" '
                       f'class="{series}{" noise" if unsure else ""}"><title>{escape(label)}, {series}: {ratio:.3f}'
                       f'{f" ± {noise:.3f}" if noise is not None else ""}</title></rect>')
            if noise is not None:
                middle, low, up = x + (wide - 1) / 2, at(ratio - noise), at(ratio + noise)
                out.append(f'<path d="M{middle - 3:.1f} {up:.1f}h6M{middle:.1f} {up:.1f}V{low:.1f}M{middle - 3:.1f} {low:.1f}h6" '
                           'class="whisker"/>')
            x += wide
        middle = LEFT + room * (n + 0.5)
        out.append(text(middle + 3, y + PANEL + 12, label, "", "end", f' transform="rotate(-35 {middle + 3:.1f} {y + PANEL + 12:.1f})"'))
    return out


def chart(results):
    out, y, used = [], TOP + 40, set()
    for paper, name in claim_tables.PAPERS.items():
        of = {scale: (paper, results[scale][paper][1]) for scale in claim_tables.SCALES if paper in results[scale]}
        of = {scale: found for scale, found in of.items() if claim_tables.headline(*found)["ours"] is not None}
        if not of:
            continue
        used |= set(of)
        head = claim_tables.headline(*next(iter(of.values())))
        out += panel(y, f"{name}: {head['what'].replace('change', 'ratio')}", groups(of))
        y += PANEL + GAP
    x = LEFT
    for series, words in (("paper", "scale paper"), ("quarter", "scale quarter"), ("stated", "the paper's mean")):
        if series in used or series == "stated":
            out.append(f'<rect x="{x}" y="12" width="12" height="12" class="{series}"/>')
            out.append(text(x + 17, 22, words, "", "start"))
            x += 150
    out.append(text(x, 22, "whiskers: 95 % interval over repetitions; pale: inside the noise", "small", "start"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y - 30}" role="img" '
            f'aria-label="Normalised performance by workload, ours and the papers\' means">\n<style>{STYLE}\n</style>\n'
            + "\n".join(out) + "\n</svg>\n")
