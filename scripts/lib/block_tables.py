"""The generated parts of a block's README: parameters, ports and an instance of a module, from its header."""

import re
import textwrap

import flow

PARAMETER = re.compile(r"\s*parameter\s+(?:int unsigned|int|bit|logic)\s*(?:\[[^\]]*\])?\s*(\w+)\s*=\s*(.*?),?\s*$")
PORT = re.compile(r"\s*(input|output)\s+(?:wire\s+)?logic\s*(?:\[([^:\]]*):0\])?\s*(\w+),?\s*$")
DERIVED = re.compile(r"\bfollows?\b|not to be set")
COLUMNS = 6  # more points than that have a table of their own
USUAL = {"clk_i": "clock", "rst_ni": "reset, active low"}


def width(high):
    """Bits of `[high:0]`, as a reader writes them."""
    if not high:
        return "1"
    high = high.replace(" ", "")
    if high.isdigit():
        return str(int(high) + 1)
    if high.endswith("-1"):
        return f"`{high[:-2]}`"
    less = re.fullmatch(r"(.*)-(\d+)", high)
    return f"`{less[1]} - {int(less[2]) - 1}`" if less else f"`{high} + 1`"


def header(path):
    """(parameters, ports) of the module in `path`: [name, default, comment] and [name, direction, bits, comment]."""
    parameters, ports, last = [], [], None
    inside = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        inside = inside or line.startswith(f"module {path.stem} ") or line.startswith(f"module {path.stem}(")
        if not inside or line.startswith(("module ", ") (", "`")):
            continue
        if line.startswith(");"):
            return parameters, ports
        code, _, comment = (part.strip() for part in line.partition("//"))
        if not code:
            if comment and last and len(line) - len(line.lstrip()) > 20:
                last[-1] += " " + comment  # goes on from the line before
            continue
        if match := PARAMETER.fullmatch(code):
            last = [match[1], match[2], comment]
            parameters.append(last)
        elif match := PORT.fullmatch(code):
            last = [match[3], "in" if match[1] == "input" else "out", width(match[2]), comment]
            ports.append(last)
        else:
            raise flow.FlowError(f"{flow.shown(path)}:{number}: expected one parameter or one port, found '{code}'")
    raise flow.FlowError(f"{flow.shown(path)}: no header of module {path.stem}")


def settable(parameters):
    """Those that an instance sets: not the ones that follow from others."""
    return [p for p in parameters if not DERIVED.search(p[2]) and not re.search(r"[$?]|[A-Za-z]{2}", p[1])]


def meanings(text):
    """The last cell of each table row by the name in its first cell."""
    found = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) > 2 and re.match(r"`\w+`", cells[0]):
            found[cells[0]] = cells[-1]
    return found


def table(heads, rows):
    marks = ["---"] * len(heads)
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, marks, *rows])


def port_rows(ports, kept):
    names = {name for name, *_ in ports}
    for name, direction, bits, comment in ports:
        pair = re.fullmatch(r"(?:(\w+)_)?valid_([io])", name)
        if pair:
            stream, other = (pair[1] or ""), "o" if pair[2] == "i" else "i"
            ready = f"{stream}_ready_{other}" if stream else f"ready_{other}"
            if ready in names:
                label = f"`{name}`, `{ready}`"
                yield [label, "in, out" if direction == "in" else "out, in", "1, 1",
                       comment or kept.get(label) or f"handshake of `{stream}`"]
                continue
        ready = re.fullmatch(r"(?:(\w+)_)?ready_([io])", name)
        if ready and f"{ready[1]}_valid_{'i' if ready[2] == 'o' else 'o'}" in names:
            continue  # stands beside its valid
        yield [f"`{name}`", direction, bits, comment or kept.get(f"`{name}`") or USUAL.get(name, "")]


def generated(block, module, old):
    """The part for `module`; `old` is the present part, whose meanings stay where the header has no comment."""
    parameters, ports = header(flow.ROOT / "rtl" / block / f"{module}.sv")
    kept = meanings(old)
    points = [point for point in flow.points(block) if point.module == module]
    parts = []
    if shown := settable(parameters):
        columns = points if len(points) <= COLUMNS else []
        rows = [[f"`{name}`", default, *[str(point.params.get(name, default)) for point in columns],
                 comment or kept.get(f"`{name}`", "")] for name, default, comment in shown]
        parts.append(table(["parameter", "default", *[f"`{point.name}`" for point in columns], "meaning"], rows))
        if not columns:
            rows = [[point.name, *[str(point.params.get(name, default)) for name, default, _ in shown]] for point in points]
            parts.append(table(["point", *[f"`{name}`" for name, *_ in shown]], rows))
    parts.append(table(["port", "direction", "bits", "meaning"], list(port_rows(ports, kept))))
    sets = textwrap.fill(", ".join(f".{name}({default})" for name, default, _ in shown), 90, subsequent_indent="  ")
    lines = textwrap.wrap(", ".join(f".{name}" for name, *_ in ports), 100, initial_indent="  ", subsequent_indent="  ")
    parts.append("\n".join([f"Sources: `{block}/{module}.f`, relative to `rtl/`. An instance:", "", "```systemverilog",
                            f"{module} #({sets}) u_{module} (" if sets else f"{module} u_{module} (", *lines, ");", "```"]))
    return "\n\n".join(parts)


def signal(port):
    """What the template connects to a port: its name without the mark of its direction."""
    return re.sub(r"_([io]|ni)$", lambda m: "_n" if m[1] == "ni" else "", port)


def template(module, parameters, ports):
    """An instance with one parameter and one port per line."""
    shown, lines = settable(parameters), [module]
    if shown:
        size = max(len(name) for name, *_ in shown)
        lines = [f"{module} #(", ",\n".join(f"  .{name:<{size}}({default})" for name, default, _ in shown), ")"]
    size = max(len(name) for name, *_ in ports)
    connections = ",\n".join(f"  .{name:<{size}}({signal(name)})" for name, *_ in ports)
    return "\n".join(lines) + f" u_{module} (\n{connections}\n);"


def integration(block, module, old):
    """The generated part of a page rtl/<block>/integration.md: file lists, ports, and an instance to copy."""
    parameters, ports = header(flow.ROOT / "rtl" / block / f"{module}.sv")
    points = [point for point in flow.points(block) if point.module == module]
    rows = [[f"`{p.name}`", " ".join(f"`{n}={v}`" for n, v in p.params.items()), p.latency.strip("-"), p.rate.strip("-")]
            for p in points]
    return "\n\n".join([
        f"Files: `rtl/lists/{module}.f`, or `rtl/lists/{module}.synth.f` for synthesis.",
        table(["port", "direction", "bits", "meaning"], list(port_rows(ports, meanings(old)))),
        table(["point", "parameters", "latency", "items per cycle"], rows),
        "```systemverilog\n" + template(module, parameters, ports) + "\n```"])


TIMED = re.compile(r"(?:latency|throughput|cycles)\b")


def timing_rows(head):
    """Cells of the table in a head comment that says latency, throughput or cycles; two blanks part them."""
    runs, run = [], []
    for line in head.splitlines() + [""]:
        inside = re.fullmatch(r"//   (\s*)(\S.*)", line)
        if inside:
            run.append((len(inside[1]), inside[2]))
        elif run:
            runs.append(run)
            run = []
    for run in runs:
        if any(TIMED.match(text) for _, text in run):
            rows = []
            for indent, text in run:
                cells = re.split(r"\s{2,}", text)
                if indent and rows:
                    rows[-1][-1] += " " + " ".join(cells)  # goes on from the line before
                else:
                    rows.append(cells)
            if max(map(len, rows)) > 1:
                return rows
    return []


def timing(block):
    """The timing tables of the block's modules, from their head comments."""
    parts = []
    for module in dict.fromkeys(point.module for point in flow.points(block)):
        text = (flow.ROOT / "rtl" / block / f"{module}.sv").read_text()
        rows = timing_rows(re.split(r"(?m)^module ", text, 1)[0])
        if not rows:
            continue
        columns = max(len(row) for row in rows)
        rows = [row + [""] * (columns - len(row)) for row in rows]
        if columns == 2:
            heads = ["`" + module + "`", ""]
        else:
            heads, rows = ["`" + module + "`: " + rows[0][0], *rows[0][1:]], rows[1:]
        parts.append(table(heads, rows))
    return "\n\n".join(parts)


def costs():
    """Cycles of an isolated write in the deduplication unit, as a test asserts them."""
    test = flow.ROOT / "tb" / "rtl" / "dedup" / "test_dedup_secure.cpp"
    found = re.findall(r"write_costs\(Fingerprint::(\w+), (\w+)\), \(WriteCosts\{(\d+), (\d+), (\d+)\}", test.read_text())
    schemes = {("md5", "false"): "`cmd`, `cmd+domain`", ("md5", "true"): "`cmd+verify`",
               ("siphash", "false"): "`cmd+siphash`", ("siphash", "true"): "`cmd+secure`"}
    if {row[:2] for row in found} != set(schemes):
        raise flow.FlowError(f"{flow.shown(test)}: expected write_costs of each hash with and without verification")
    return table(["scheme", "unique content", "duplicate of a line in DRAM", "duplicate of a line in the L2"],
                 [[schemes[row[:2]], *row[2:]] for row in found])


def documents(area):
    """(path, begin, end, text) of each generated part of the pages of blocks; `area(block)` is the table of points."""
    parts = {"area": area, "timing": timing, "costs": lambda _: costs()}
    for block, page in [(block, page) for block in flow.blocks() for page in ("README.md", "integration.md")]:
        path = flow.ROOT / "rtl" / block / page
        text = path.read_text() if path.is_file() else ""
        for name in re.findall(r"(?m)^<!-- (\w+): begin \(scripts/table\) -->$", text):
            begin, end = f"<!-- {name}: begin (scripts/table) -->", f"<!-- {name}: end -->"
            old = text.split(begin, 1)[1].split(end, 1)[0]
            if name in parts:
                made = parts[name](block)
            else:
                made = (integration if page == "integration.md" else generated)(block, name, old)
            yield path, begin, end, made
