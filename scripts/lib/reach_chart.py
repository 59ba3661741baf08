"""The curve of sim_cpp/claims/README.md: what random reads pay for metadata as they reach further than the metadata caches."""

import math
import statistics

import flow
from claim_chart import STYLE, text
from claim_tables import SCALES, files

WORKLOAD, SIZE, BYTES = "gather", "window=", 4  # elements of the window, bytes of one
SCHEMES = ("cmd", "sieve")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 300, 60, 150, 40, 60
COLOURS = """
  .cmd { stroke: #d55e00; fill: #d55e00; } .sieve { stroke: #0072b2; fill: #0072b2; }
  .line { stroke-width: 2; fill: none; } .quarter.line { stroke-dasharray: 6 4; }
  @media (prefers-color-scheme: dark) {
    .cmd { stroke: #e69f00; fill: #e69f00; } .sieve { stroke: #56b4e9; fill: #56b4e9; }
  }"""


def curves():
    """{(scale, scheme): [(MB, mean change of IPC in %, the repetitions' changes)]} from the committed results."""
    out = {}
    for scale in SCALES:
        file = files()[scale].get("sieve")
        if file is None:
            continue
        ipc = {}  # of all repetitions, by MB and scheme
        for run in flow.read_json(file)["runs"]:
            sizes = [size.removeprefix(SIZE) for size in run.get("sizes", []) if size.startswith(SIZE)]
            if run["workload"] == WORKLOAD and len(sizes) == 1:
                value = run["statistics"]["ipc"]
                ipc[int(sizes[0]) * BYTES / 2**20, run["scheme"]] = value if isinstance(value, list) else [value]
        for megabytes in sorted({place for place, _ in ipc}):
            for scheme in SCHEMES:
                pairs = zip(ipc[megabytes, scheme], ipc[megabytes, "baseline"], strict=False)  # repetitions that both have
                changes = [100 * (ours / plain - 1) for ours, plain in pairs]
                out.setdefault((scale, scheme), []).append((megabytes, statistics.mean(changes), changes))
    if not out:
        raise flow.FlowError(f"{flow.shown(files()[SCALES[-1]]['sieve'])}: expected runs of {WORKLOAD}")
    return out


def chart():
    found = curves()
    places = sorted({place for curve in found.values() for place, _, _ in curve})
    changes = [value for curve in found.values() for _, value, _ in curve]
    low, high = 10 * math.floor(min([*changes, -10]) / 10), 10 * math.ceil((max(changes) - 1) / 10)
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    x = lambda place: LEFT + wide * (math.log2(place / places[0]) / math.log2(places[-1] / places[0]))  # noqa: E731
    y = lambda value: TOP + tall * (high - value) / (high - low)  # noqa: E731
    out = [text(LEFT, TOP - 16, "IPC of random reads against the baseline, %", "title", "start")]
    for value in range(low, high + 1, 10):
        out.append(f'<line x1="{LEFT}" x2="{LEFT + wide}" y1="{y(value):.1f}" y2="{y(value):.1f}" class="{"grid" if value else "one"}"/>')
        out.append(text(LEFT - 6, y(value) + 4, f"{value:g}", "small", "end"))
    for place in places:
        out.append(text(x(place), HEIGHT - BOTTOM + 18, f"{place:g}"))
    out.append(text(LEFT + wide / 2, HEIGHT - BOTTOM + 40, "footprint of the reads, MB"))
    labels = []
    for (scale, scheme), curve in found.items():
        points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value, _ in curve)
        out.append(f'<polyline points="{points}" class="{scheme} {scale} line"/>')
        for place, value, each in curve:
            of = f", {len(each)} repetitions: {min(each):.1f} to {max(each):.1f} %" if len(each) > 1 else ", one run"
            out.append(f'<circle cx="{x(place):.1f}" cy="{y(value):.1f}" r="3.5" class="{scheme}"><title>{scheme}, scale {scale}, '
                       f'{place:g} MB: {value:.1f} %{of}</title></circle>')
        labels.append((y(curve[-1][1]), f"{scheme}, {scale}"))
    last = math.inf
    for at, words in sorted(labels, reverse=True):  # from below, so that none comes near the axis
        last = min(at, last - 14)
        out.append(text(LEFT + wide + 10, last + 4, words, "", "start"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'aria-label="IPC of random reads under {" and ".join(SCHEMES)} against the baseline, over the footprint">\n'
            f"<style>{STYLE}{COLOURS}\n</style>\n" + "\n".join(out) + "\n</svg>\n")
