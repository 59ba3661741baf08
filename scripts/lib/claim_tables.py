"""The tables of the papers' claims, from what `warpsieve claims --results FILE --json` prints of the committed results."""

import json

import flow

PAPERS = {"cmd": "CMD", "rata": "RATA", "justit": "JUSTIT", "dpc": "DPC and data filtering", "avc": "AVC",
          "sieve": "Goals of sieve", "rtx3070": "Goals of sieve on an RTX 3070"}
HEADLINES = {"cmd": "cmd.ipc_cmd", "rata": "rata.ipc_ideal", "justit": "justit.ipc", "dpc": "dpc.ipc_over_base",
             "avc": "avc.perf", "sieve": "sieve.ipc", "rtx3070": "rtx3070.ipc"}
VERDICTS = ("reproduced", "stronger", "weaker", "marginal", "no effect", "opposite")
SCALES = ("paper", "quarter")
RESULTS = flow.ROOT / "sim_cpp" / "claims" / "results"


def files():
    """{scale: {paper: file}} of the committed results, in the order of PAPERS."""
    return {scale: {paper: RESULTS / scale / f"{paper}.json" for paper in PAPERS if (RESULTS / scale / f"{paper}.json").is_file()}
            for scale in SCALES}


def load(program):
    """{scale: {paper: (about the runs, rows)}} as the program judges them."""
    found = {}
    for scale, of in files().items():
        found[scale] = {}
        for paper, file in of.items():
            printed = flow.run([str(program), "claims", "--results", str(file), "--json", "--cacti", "recorded"], 120)
            if printed.code != 0:
                raise flow.FlowError(f"{flow.shown(program)}: {flow.last_error(printed.output)}")
            result = json.loads(printed.output[printed.output.index("{"):])  # behind warnings
            found[scale][paper] = result["papers"][paper], result["claims"]
    return found


def number(row, value):
    if value is None:
        return ""
    if row["answer"] == "runs":
        return f"{value:.1f}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def ours(row):
    """"12.1 ± 0.4", "~ 0.2 ± 0.5" inside the noise."""
    if row["ours"] is None or row["answer"] != "runs":
        return number(row, row["ours"])
    noise = f" ± {row['noise']:.1f}" if row["repetitions"] > 1 else ""
    worst = f" ({row['worst']})" if "worst" in row else ""
    return ("~ " if row["verdict"] == "no effect" else "") + number(row, row["ours"]) + noise + worst


def agree(row):
    return f"{row['agree']} of {len(row['workloads'])}" if row.get("workloads") else ""


def anchor(name):
    return name.lower().replace(" ", "-")


def headline(paper, rows):
    return next(row for row in rows if row["id"] == HEADLINES[paper])


def scores(results):
    """(paper, its name, scale, about, rows) of each line of a scoreboard."""
    for paper, name in PAPERS.items():
        for scale in SCALES:
            if paper in results[scale]:
                yield paper, name, scale, *results[scale][paper]


def count(rows, word):
    return str(sum(row["verdict"] == word for row in rows))


def scoreboard(results):
    """A line per paper and scale, with a link to the paper's section of the same page."""
    lines = ["| paper | scale | " + " | ".join(VERDICTS) + " | not testable | no runs | headline | paper's | ours | median | agree |",
             "|---|---|" + "--:|" * (len(VERDICTS) + 2) + "---|--:|--:|--:|--:|"]
    for paper, name, scale, _, rows in scores(results):
        head = headline(paper, rows)
        median = number(head, head["median"]) if "median" in head else ""
        lines.append(f"| [{name}](#{anchor(name)}) | {scale} | " + " | ".join(count(rows, word) for word in VERDICTS)
                     + f" | {count(rows, 'not testable here')} | {count(rows, 'no runs')} | {head['what']}, {head['unit']} | "
                     f"{number(head, head['paper'])} | {ours(head)} | {median} | {agree(head)} |")
    return "\n".join(lines)


def summary(results, page):
    """The scoreboard for another page."""
    lines = ["| paper, scale | " + " | ".join(VERDICTS) + " | main claim, % | paper's | ours |",
             "|---|" + "--:|" * len(VERDICTS) + "---|--:|--:|"]
    for paper, name, scale, _, rows in scores(results):
        head = headline(paper, rows)
        lines.append(f"| [{name}]({page}#{anchor(name)}), {scale} | " + " | ".join(count(rows, word) for word in VERDICTS)
                     + f" | {head['what']} | {number(head, head['paper'])} | {ours(head)} |")
    return "\n".join(lines)


def reasons(scale, rows):
    """Causes with the rows that have them, and the rows that differ without a known one."""
    causes, unknown = {}, {}
    for row in rows:
        if row["answer"] == "hardware" or row["verdict"] in ("reproduced", "no runs"):
            continue
        if row["why"]:
            causes.setdefault((row["why"], row["evidence"]), {})[row["id"]] = None
        else:
            unknown[row["id"]] = None
    lines = []
    for (why, evidence), ids in causes.items():
        shown = f" Shown by `{evidence}`." if evidence else ""
        lines.append(f"- {', '.join(f'`{i}`' for i in ids)}: {why}.{shown}")
    if unknown:
        lines.append(f"- The cause is not known at this scale: {', '.join(f'`{i}`' for i in unknown)}.")
    return ["", f"Why they differ at scale `{scale}`:", "", *lines] if lines else []


def dram_table(of):
    """How near the DRAM is to its limits without the scheme."""
    scales = [scale for scale in of if of[scale][0]["dram"]]
    names = dict.fromkeys(w for scale in scales for w in of[scale][0]["dram"])
    if not names:
        return []
    lines = ["", "DRAM without the scheme, in % of the kernels' time:", "",
             "| workload | " + " | ".join(f"data bus, {s} | activates, {s} | bound, {s}" for s in scales) + " |",
             "|---|" + "--:|--:|---|" * len(scales)]
    for name in names:
        cells = []
        for scale in scales:
            load = of[scale][0]["dram"].get(name)
            cells += [f"{load['data_bus']:.0f}", f"{load['activates']:.0f}", "yes" if load["bound"] else ""] if load else [""] * 3
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def paper_table(paper, of):
    """`of`: {scale: (about, rows)}. One row per claim, the scales side by side."""
    lines = [f"## {PAPERS[paper]}", ""]
    for scale, (about, _) in of.items():
        lines.append(f"- Scale `{scale}`: `{about['command']}`, profile `{about['profile']}`, program `{about['version']}`.")
    lines += ["", "| claim | what | where | unit | paper's | " + " | ".join(f"at `{s}` | median | agree | verdict" for s in of) + " |",
              "|---|---|---|---|--:|" + "--:|--:|--:|---|" * len(of)]
    for rows in zip(*(rows for _, rows in of.values()), strict=True):
        first = rows[0]
        if any((row["id"], row["what"]) != (first["id"], first["what"]) for row in rows):
            raise flow.FlowError(f"claims of {paper}: the results of the scales have other rows, at {first['id']}")
        what = ", ".join(filter(None, (first["what"], first["scope"])))
        lines.append(f"| `{first['id']}` | {what} | {first['where']} | {first['unit']} | "
                     f"{'< ' if first['bound'] else ''}{number(first, first['paper'])} | "
                     + " | ".join(f"{ours(row)} | {number(row, row.get('median'))} | {agree(row)} | {row['verdict']}"
                                  for row in rows) + " |")
    if paper == "sieve":
        lines += ["", "![IPC of random reads over their footprint, under cmd and sieve](reach.svg)"]
    for scale, (_, rows) in of.items():
        lines += reasons(scale, rows)
    return lines + dram_table(of)


def text(results):
    lines = []
    for paper in PAPERS:
        of = {scale: results[scale][paper] for scale in SCALES if paper in results[scale]}
        if of:
            lines += ["", *paper_table(paper, of)] if lines else paper_table(paper, of)
    return "\n".join(lines)
