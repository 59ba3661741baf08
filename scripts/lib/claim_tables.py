"""The tables of sim_cpp/claims/README.md from the committed results: what `warpsieve claims --json` printed."""

import json
import statistics

PAPERS = {"cmd": "CMD", "rata": "RATA", "justit": "JUSTIT", "dpc": "DPC and data filtering", "avc": "AVC"}
HEADLINES = {"cmd": "cmd.ipc_cmd", "rata": "rata.ipc_ideal", "justit": "justit.ipc", "dpc": "dpc.ipc_over_base",
             "avc": "avc.perf"}
VERDICTS = ("within", "direction", "contradicts")


def load(folder):
    """{paper: what the program printed}, in the order of PAPERS."""
    return {paper: json.loads((folder / f"{paper}.json").read_text()) for paper in PAPERS}


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


def scoreboard(results, page=""):
    """One line per paper; its link leads to the paper's section in `page` (empty: the same page)."""
    lines = ["| paper | profile | within | direction | contradicts | not modelled | headline | paper's | ours |",
             "|---|---|--:|--:|--:|--:|---|--:|--:|"]
    for paper, result in results.items():
        rows = result["claims"]
        counts = [sum(verdict(row) == name for row in rows) for name in (*VERDICTS, "not modelled")]
        head = next(row for row in rows if row["id"] == HEADLINES[paper])
        lines.append(f"| [{PAPERS[paper]}]({page}#{PAPERS[paper].lower().replace(' ', '-')}) | `{result['profiles'][paper]}` | "
                     + " | ".join(str(n) for n in counts)
                     + f" | {head['what']}, {head['unit']} | {figure(head, head['paper'])} | {figure(head, head['ours'])} |")
    return lines


def paper_table(paper, result):
    lines = [f"## {PAPERS[paper]}", "",
             f"`warpsieve claims --paper {paper} --run results/{paper}`, profile `{result['profiles'][paper]}`.", "",
             "| claim | what | where | unit | paper | ours | median | workloads | verdict |",
             "|---|---|---|---|--:|--:|--:|--:|---|"]
    causes = []
    for row in result["claims"]:
        values = list(row["workloads"].values())
        median = f"{statistics.median(values):.1f}" if values else ""
        bound = "< " if row["bound"] else ""
        lines.append(f"| `{row['id']}` | {row['what']}, {row['scope']} | {row['where']} | {row['unit']} | "
                     f"{bound}{figure(row, row['paper'])} | {figure(row, row['ours'])} | {median} | {len(values) or ''} | "
                     f"{verdict(row)} |")
        if row["why"] and row["answer"] != "hardware":
            causes.append(f"- `{row['id']}`: {row['why']}.".replace("..", "."))
    if causes:
        lines += ["", "Why they differ:", "", *causes]
    return lines


def text(folder):
    results = load(folder)
    lines = scoreboard(results)
    for paper, result in results.items():
        lines += ["", *paper_table(paper, result)]
    return "\n".join(lines)


def summary(folder, page):
    """The scoreboard alone, for another page."""
    return "\n".join(scoreboard(load(folder), page))
