"""The tables of sim_cpp/claims/README.md from the committed results: what `warpsieve claims --json` printed."""

import json
import statistics

import flow

PAPERS = {"cmd": "CMD", "rata": "RATA", "justit": "JUSTIT", "dpc": "DPC and data filtering", "avc": "AVC"}
HEADLINES = {"cmd": "cmd.ipc_cmd", "rata": "rata.ipc_ideal", "justit": "justit.ipc", "dpc": "dpc.ipc_over_base",
             "avc": "avc.perf"}
VERDICTS = ("within", "direction", "contradicts")


SCALES = {"paper": "paper", "quarter": ""}  # folders of the results


def load(folder):
    """{scale: {paper: what the program printed}}, in the order of PAPERS; a paper without results at a scale is left out."""
    files = {scale: {paper: folder / sub / f"{paper}.json" for paper in PAPERS} for scale, sub in SCALES.items()}
    return {scale: {paper: json.loads(file.read_text()) for paper, file in of.items() if file.is_file()}
            for scale, of in files.items()}


def verdict(row):
    if row["answer"] == "nobody":
        return "not modelled"
    return "no runs" if row["ours"] is None else row["verdict"]


def figure(row, value):
    if value is None:
        return ""
    if row["answer"] == "runs":
        return f"{value:.1f}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def scoreboard(results):
    """A line per paper and scale, with a link to the paper's section of the same page."""
    lines = ["| paper | scale | profile | within | direction | contradicts | not modelled | headline | paper's | ours |",
             "|---|---|---|--:|--:|--:|--:|---|--:|--:|"]
    for name, scale, result, counts, head in score_rows(results):
        lines.append(f"| [{name}](#{anchor(name)}) | {scale} | `{result['profiles'][head['id'].split('.')[0]]}` | "
                     + " | ".join(str(n) for n in counts)
                     + f" | {head['what']}, {head['unit']} | {figure(head, head['paper'])} | {figure(head, head['ours'])} |")
    return lines


def score_rows(results):
    """(paper, scale, result, numbers of rows by verdict, the headline's row) of each line of a scoreboard."""
    for paper, name in PAPERS.items():
        for scale in SCALES:
            if paper in results[scale]:
                rows = results[scale][paper]["claims"]
                counts = [sum(verdict(row) == word for row in rows) for word in (*VERDICTS, "not modelled")]
                yield name, scale, results[scale][paper], counts, next(row for row in rows if row["id"] == HEADLINES[paper])


def anchor(name):
    return name.lower().replace(" ", "-")


def median(row):
    return f"{statistics.median(row['workloads'].values()):.1f}" if row["workloads"] else ""


def reasons(scale, result):
    """The causes of differences, and which differences have none that is known at this scale."""
    causes = [f"- `{row['id']}`: {row['why']}.".replace("..", ".") for row in result["claims"]
              if row["why"] and row["answer"] != "hardware"]
    open_rows = dict.fromkeys(f"`{row['id']}`" for row in result["claims"]
                              if not row["why"] and verdict(row) in VERDICTS[1:])
    if open_rows:
        causes.append(f"- The cause is not known at this scale: {', '.join(open_rows)}.")
    return ["", f"Why they differ at scale `{scale}`:", "", *causes] if causes else []


def paper_table(paper, of):
    """`of`: {scale: result}. One row per claim, the scales side by side."""
    lines = [f"## {PAPERS[paper]}", ""]
    for scale, result in of.items():
        option = " --scale paper" if scale == "paper" else ""
        lines.append(f"`warpsieve claims --paper {paper} --run results/{paper}{option}`: profile `{result['profiles'][paper]}`.")
    lines += ["", "| claim | what | where | unit | paper's | " + " | ".join(f"at `{scale}` | median | workloads | verdict" for scale in of)
              + " |", "|---|---|---|---|--:|" + "--:|--:|--:|---|" * len(of)]
    for rows in zip(*(result["claims"] for result in of.values()), strict=True):
        first = rows[0]
        if any((row["id"], row["what"]) != (first["id"], first["what"]) for row in rows):
            raise flow.FlowError(f"claims of {paper}: the results of the scales have other rows, at {first['id']}")
        lines.append(f"| `{first['id']}` | {first['what']}, {first['scope']} | {first['where']} | {first['unit']} | "
                     f"{'< ' if first['bound'] else ''}{figure(first, first['paper'])} | "
                     + " | ".join(f"{figure(row, row['ours'])} | {median(row)} | {len(row['workloads']) or ''} | {verdict(row)}"
                                  for row in rows) + " |")
    for scale, result in of.items():
        lines += reasons(scale, result)
    return lines


def text(folder):
    results = load(folder)
    lines = scoreboard(results)
    for paper in PAPERS:
        of = {scale: results[scale][paper] for scale in SCALES if paper in results[scale]}
        if of:
            lines += ["", *paper_table(paper, of)]
    return "\n".join(lines)


def summary(folder, page):
    """The scoreboard in six columns, for another page."""
    lines = ["| paper, scale | within | direction | contradicts | main claim | paper's | ours |",
             "|---|--:|--:|--:|---|--:|--:|"]
    for name, scale, _, counts, head in score_rows(load(folder)):
        lines.append(f"| [{name}]({page}#{anchor(name)}), {scale} | " + " | ".join(str(n) for n in counts[:3])
                     + f" | {head['what']}, {head['unit']} | {figure(head, head['paper'])} | {figure(head, head['ours'])} |")
    return "\n".join(lines)
