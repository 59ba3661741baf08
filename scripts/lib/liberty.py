"""Reads what the flow needs of a Liberty file: cells with area, pins, functions, flip-flops.

A malformed file gives one FlowError with file and line. Cells have roles (ROLES): named by a cell map (a JSON of
synth/cells, found by its cell names, or the user's own) or, for a library that no map knows, found by what they do:
the smallest 2-input NAND, inverter and plain rising-edge flip-flop.
"""

import fnmatch
import gzip
import itertools
import re
import zlib
from pathlib import Path

import flow
from flow import FlowError, shown

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}();:,]|[^\s{}();:,"]+', re.S)


class Group:
    """name (arguments) { attributes; groups }, from character `begin` to `end` of its file"""

    def __init__(self, name, arguments, line, begin=0):
        self.name, self.arguments, self.line = name, arguments, line
        self.begin, self.end = begin, begin
        self.attributes, self.groups = {}, []

    def all(self, name):
        return [g for g in self.groups if g.name == name]


def tokens(text):
    """(token, line, position), comments and line continuations removed."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    text = re.sub(r"(?m)//[^\n]*$", lambda m: " " * len(m[0]), text)
    text = text.replace("\\\n", " \n")
    line, last = 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", last, match.start())
        last = match.start()
        yield match[0], line, match.start()


def read(path):
    """The text, unpacked when the name ends in .gz."""
    try:
        data = Path(path).read_bytes()
        return (gzip.decompress(data) if Path(path).suffix == ".gz" else data).decode()
    except FileNotFoundError:
        raise FlowError(f"{shown(path)}: no such Liberty file")
    except (UnicodeDecodeError, OSError, EOFError, zlib.error) as error:
        raise FlowError(f"{shown(path)}: not a Liberty file: {error.__class__.__name__}")


def parse(path, text):
    """The one library group of the text."""
    stream = list(tokens(text))
    if not stream:
        raise FlowError(f"{shown(path)}: empty Liberty file")
    position, place = 0, 0
    root = Group("", [], 1)
    stack = [root]

    def bad(message, line):
        return FlowError(f"{shown(path)}:{line}: malformed Liberty: {message}")

    def take():
        nonlocal position, place
        if position >= len(stream):
            raise bad("the file ends in the middle of a statement", stream[-1][1])
        position += 1
        word, line, place = stream[position - 1]
        return word, line

    while position < len(stream):
        word, line = take()
        if word == "}":
            if len(stack) == 1:
                raise bad("'}' without '{'", line)
            stack.pop().end = place + 1
            continue
        if word == ";":
            continue
        if word in "{(),:":
            raise bad(f"unexpected '{word}'", line)
        begin = place
        following, line = take()
        if following == ":":
            value, line = take()
            if value in "{}();:":
                raise bad(f"attribute {word} has no value", line)
            while position < len(stream) and stream[position][0] not in ";{}" and stream[position][1] == line:
                value += " " + take()[0]
            stack[-1].attributes[word] = value.strip('"')
        elif following == "(":
            arguments = []
            while (item := take())[0] != ")":
                if item[0] in "{};":
                    raise bad(f"unexpected '{item[0]}' in the arguments of {word}", item[1])
                if item[0] != ",":
                    arguments.append(item[0].strip('"'))
            if position < len(stream) and stream[position][0] == "{":
                position += 1
                group = Group(word, arguments, line, begin)
                stack[-1].groups.append(group)
                stack.append(group)
            else:
                stack[-1].attributes.setdefault(word, arguments)
        else:
            raise bad(f"expected ':' or '(' after '{word}', found '{following}'", line)
    if len(stack) > 1:
        raise bad(f"{stack[-1].name} ({', '.join(stack[-1].arguments)}) opened here is never closed, "
                  "the file ends before its '}'", stack[-1].line)
    libraries = root.all("library")
    if len(libraries) != 1:
        raise FlowError(f"{shown(path)}: holds {len(libraries)} library groups, one is expected")
    return libraries[0]


def evaluate(function, values):
    """A Liberty boolean function: ! and ' for not, & * and juxtaposition for and, ^, then | and +."""
    words = re.findall(r"\w+|[!'&*^|+()]", function)
    position = 0

    def peek():
        return words[position] if position < len(words) else None

    def take():
        nonlocal position
        position += 1
        return words[position - 1]

    def factor():
        word = take()
        if word == "!":
            return not factor()
        if word == "(":
            value = either()
            if take() != ")":
                raise ValueError(function)
        else:
            value = values[word] if word not in ("0", "1") else word == "1"
        while peek() == "'":
            take()
            value = not value
        return value

    def exclusive():
        value = factor()
        while peek() == "^":
            take()
            value ^= factor()
        return value

    def both():
        value = exclusive()
        while peek() and peek() not in "|+)":
            if peek() in "&*":
                take()
            value &= exclusive()
        return value

    def either():
        value = both()
        while peek() in ("|", "+"):
            take()
            value |= both()
        return value

    value = either()
    if position != len(words):
        raise ValueError(function)
    return value


def truth(function, pins):
    """The truth table, first pin slowest; None for a function that is not understood (a flip-flop's state)."""
    try:
        return [evaluate(function, dict(zip(pins, row))) for row in itertools.product((False, True), repeat=len(pins))]
    except (ValueError, KeyError, IndexError, TypeError):
        return None


ROLES = {"nand2": "2-input NAND", "inverter": "inverter", "flop": "plain rising-edge flip-flop", "driver": "buffer",
         "tie_high": "constant 1", "tie_low": "constant 0"}
TABLES = {"nand2": [True, True, True, False], "inverter": [True, False], "driver": [False, True], "tie_high": [True],
          "tie_low": [False]}
UNITS = ("time_unit", "voltage_unit", "capacitive_load_unit", "leakage_power_unit", "nom_voltage")


class Flop:
    """A rising-edge flip-flop without set, reset and enable; `inverted`: its output is the inverse of the data."""

    def __init__(self, clock, data, output, inverted):
        self.clock, self.data, self.output, self.inverted = clock, data, output, inverted


class Cell:
    def __init__(self, name, area, group):
        self.name, self.area, self.group = name, area, group
        self.inputs, self.flop = [], None
        self.outputs = []  # (pin, function, three-state)
        self.sequential = False


class CellMap:
    """Names of cells by role: a JSON object; `path` is shown in errors."""

    def __init__(self, path, value):
        self.path = path
        if not isinstance(value, dict):
            raise FlowError(f"{shown(path)}: no cell map: expected a JSON object with {', '.join(ROLES)}, dont_use")
        unknown = set(value) - set(ROLES) - {"library", "node_nm", "dont_use"}
        if unknown:
            raise FlowError(f"{shown(path)}: unknown '{sorted(unknown)[0]}': expected {', '.join(ROLES)}, dont_use, "
                            "library, node_nm")
        names = [value[role] for role in ROLES if role in value]
        self.names = {role: value[role] for role in ROLES if role in value}
        self.dont_use = value.get("dont_use", [])
        if not all(isinstance(n, str) for n in names) or not isinstance(self.dont_use, list) \
                or not all(isinstance(n, str) for n in self.dont_use):
            raise FlowError(f"{shown(path)}: expected the name of a cell for each role and a list in dont_use")
        self.library, self.node_nm = value.get("library", ""), value.get("node_nm")


def find_map(cells, path):
    """The map of synth/cells that names cells of this library: all of them, or at least half (then one is missing
    and the library says which); None for a library that no map knows."""
    best = (0.0, None)
    for file in sorted((flow.ROOT / "synth" / "cells").glob("*.json")):
        known = CellMap(file, flow.read_json(file))
        share = sum(name in cells for name in known.names.values()) / max(len(known.names), 1)
        if share > best[0]:
            best = (share, known)
    if 0.5 <= best[0] < 1:
        missing = next(role for role, name in best[1].names.items() if name not in cells)
        raise FlowError(f"{shown(path)}: looks like {best[1].library} but has no cell {best[1].names[missing]}, the "
                        f"{ROLES[missing]} ({missing}) in {shown(best[1].path)}; give all its files, or name another in CELLS=")
    return best[1] if best[0] == 1 else None


class Library:
    """Cells of one or more Liberty files; `text` is one file with all of them."""

    def __init__(self, paths, cell_map=None):
        self.paths = [Path(p) for p in paths]
        self.cells, self.attributes = {}, {}
        self.where = shown(self.paths[0])
        for number, path in enumerate(self.paths):
            text = read(path)
            group = parse(path, text)
            if not number:
                self.name = group.arguments[0] if group.arguments else path.stem
                self.text, self.attributes, self.groups = text[:group.end - 1], group.attributes, group.groups
            else:
                self.merge(path, group, text)
            for cell in group.all("cell"):
                self.add(path, cell, text)
        self.text += "}\n"
        if not self.cells:
            raise FlowError(f"{self.where}: the library holds no cell")
        self.map = cell_map or find_map(self.cells, self.paths[0])
        named = self.map.names if self.map else {}
        self.nand2, self.inverter, self.flop = (self.pick(named, role) for role in ("nand2", "inverter", "flop"))
        self.driver = self.pick(named, "driver", self.inverter)
        # Only where a map says so: what a cell without a map does may not be meant for it.
        self.tie_high, self.tie_low = (self.pick(named, role) if role in named else None for role in ("tie_high", "tie_low"))
        patterns = self.map.dont_use if self.map else []
        self.dont_use = sorted(n for n in self.cells if any(fnmatch.fnmatchcase(n, p) for p in patterns))
        self.time_ns = self.unit("time_unit", r"([\d.]+)\s*([munpf]?)s", 1e9)
        self.cap_pf = self.unit("capacitive_load_unit", r"([\d.]+)\s*,?\s*([munpf]?)f", 1e12)

    def unit(self, name, pattern, factor):
        """A unit of the library in ns, pF...; what Liberty takes when the attribute is missing: 1ns, 1pF."""
        value = self.attributes.get(name, "1ns" if name == "time_unit" else ["1", "pf"])
        text = ",".join(value) if isinstance(value, list) else value
        match = re.fullmatch(pattern, text.strip().lower())
        if not match:
            raise FlowError(f"{self.where}: {name} is '{text}': expected a number and a unit such as 1ns or 1,pf")
        return float(match[1]) * {"": 1, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15}[match[2]] * factor

    def merge(self, path, group, text):
        """Cells and table templates of a further file; its units must be those of the first."""
        for name in UNITS:
            first, here = (str(a.get(name, "")) for a in (self.attributes, group.attributes))
            if first != here:
                raise FlowError(f"{shown(path)}: {name} is {here or 'missing'}: expected {first or 'none'} as in {self.where}")
        known = {(g.name, tuple(g.arguments)) for g in self.groups} | {("cell", (name,)) for name in self.cells}
        for part in group.groups:
            if (part.name == "cell" or part.name.endswith("template")) and (part.name, tuple(part.arguments)) not in known:
                self.text += text[part.begin:part.end] + "\n"
                self.groups.append(part)

    def add(self, path, group, text):
        where = f"{shown(path)}:{group.line}"
        if not group.arguments:
            raise FlowError(f"{where}: malformed Liberty: a cell without a name")
        name = group.arguments[0]
        if name in self.cells:
            return
        outputs = [p for p in group.all("pin") if str(p.attributes.get("direction", "")).strip() == "output"]
        if "area" not in group.attributes and any("function" in p.attributes for p in outputs):
            raise FlowError(f"{where}: malformed Liberty: cell {name} has no area")
        try:
            area = float(group.attributes.get("area", "0"))
        except (ValueError, TypeError):
            area = -1.0
        if area < 0:
            raise FlowError(f"{where}: malformed Liberty: the area of {name} is '{group.attributes['area']}', a number of "
                            "at least 0 is expected")
        cell = Cell(name, area, group)
        cell.text = text[group.begin:group.end]
        for pin in group.all("pin"):
            direction = str(pin.attributes.get("direction", "")).strip()
            if not pin.arguments:
                raise FlowError(f"{shown(path)}:{pin.line}: malformed Liberty: a pin of {name} without a name")
            if direction == "input":
                cell.inputs.append(pin.arguments[0])
            elif direction == "output":
                cell.outputs.append((pin.arguments[0], pin.attributes.get("function", ""),
                                     "three_state" in pin.attributes))
        flops = group.all("ff")
        cell.sequential = bool(flops or group.all("latch") or group.all("statetable"))
        if len(flops) == 1 and not {"clear", "preset"} & set(flops[0].attributes):
            cell.flop = self.plain_flop(cell, flops[0])
        self.cells[name] = cell

    @staticmethod
    def plain_flop(cell, ff):
        """The flip-flop when it has a clock and one data input and nothing else; a true output is preferred."""
        clock = str(ff.attributes.get("clocked_on", "")).strip("() ")
        data = [pin for pin in cell.inputs if pin != clock]
        if clock not in cell.inputs or len(data) != 1 or not ff.arguments:
            return None
        follows = truth(ff.attributes.get("next_state", ""), data)
        found = []
        for pin, function, three_state in cell.outputs:
            try:
                states = [evaluate(function, {name: v == (i == 0) for i, name in enumerate(ff.arguments)}) for v in (False, True)]
            except (ValueError, KeyError, IndexError, TypeError):
                continue
            if not three_state and follows in ([False, True], [True, False]) and states[0] != states[1]:
                found.append(Flop(clock, data[0], pin, follows[0] != states[0]))
        return min(found, key=lambda f: f.inverted, default=None)

    def fits(self, cell, role):
        if role == "flop":
            return cell.flop is not None
        table = TABLES[role]
        if role.startswith("tie"):
            return not cell.inputs and self.tie_pin(cell, role) is not None
        if cell.sequential or len(cell.outputs) != 1 or 2 ** len(cell.inputs) != len(table) or cell.outputs[0][2]:
            return False
        return truth(cell.outputs[0][1], cell.inputs) == table

    @staticmethod
    def tie_pin(cell, role):
        """The output that is constant 1 (tie_high) or 0."""
        return next((pin for pin, function, _ in cell.outputs if truth(function, []) == TABLES[role]), None)

    def pick(self, named, role, fallback=None):
        if role in named:
            cell, where = self.cells.get(named[role]), f"named as {role} in {shown(self.map.path)}"
            if cell is None:
                raise FlowError(f"{self.where}: has no cell {named[role]} ({where})")
            if not self.fits(cell, role):
                raise FlowError(f"{self.where}: {cell.name} ({where}) is no {ROLES[role]}: "
                                + "; ".join(f"{pin} = '{function}'" for pin, function, _ in cell.outputs))
            if cell.area <= 0 and not role.startswith("tie"):
                raise FlowError(f"{self.where}: {cell.name} ({where}) has area 0")
            return cell
        found = sorted((c for c in self.cells.values() if c.area > 0 and self.fits(c, role)), key=lambda c: (c.area, c.name))
        if not found:
            if fallback:
                return fallback
            raise FlowError(f"{self.where}: no cell found that is a {ROLES[role]} ({role}); name it in CELLS=file.json")
        return found[0]
