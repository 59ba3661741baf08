"""Reads what the flow needs of a Liberty file: cells with area, pins, functions, flip-flops.

A malformed file gives one FlowError with file and line. Cells are found by what they do, not by name, so
that any library works: the smallest 2-input NAND, inverter and plain rising-edge flip-flop.
"""

import itertools
import re
from pathlib import Path

from flow import FlowError, shown

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}();:,]|[^\s{}();:,"]+', re.S)


class Group:
    """name (arguments) { attributes; groups }"""

    def __init__(self, name, arguments, line):
        self.name, self.arguments, self.line = name, arguments, line
        self.attributes, self.groups = {}, []

    def all(self, name):
        return [g for g in self.groups if g.name == name]


def tokens(text):
    """(token, line), comments and line continuations removed."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    text = re.sub(r"(?m)//[^\n]*$", "", text)
    text = text.replace("\\\n", " \n")
    line, last = 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", last, match.start())
        last = match.start()
        yield match[0], line


def parse(path):
    path = Path(path)
    try:
        text = path.read_text(errors="strict")
    except FileNotFoundError:
        raise FlowError(f"{shown(path)}: no such Liberty file")
    except (UnicodeDecodeError, IsADirectoryError, PermissionError) as error:
        raise FlowError(f"{shown(path)}: not a Liberty file: {error.__class__.__name__}")
    stream = list(tokens(text))
    if not stream:
        raise FlowError(f"{shown(path)}: empty Liberty file")
    position = 0
    root = Group("", [], 1)
    stack = [root]

    def bad(message, line):
        return FlowError(f"{shown(path)}:{line}: malformed Liberty: {message}")

    def take():
        nonlocal position
        if position >= len(stream):
            raise bad("the file ends in the middle of a statement", stream[-1][1])
        position += 1
        return stream[position - 1]

    while position < len(stream):
        word, line = take()
        if word == "}":
            if len(stack) == 1:
                raise bad("'}' without '{'", line)
            stack.pop()
            continue
        if word == ";":
            continue
        if word in "{(),:":
            raise bad(f"unexpected '{word}'", line)
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
                group = Group(word, arguments, line)
                stack[-1].groups.append(group)
                stack.append(group)
            else:
                stack[-1].attributes.setdefault(word, arguments)
        else:
            raise bad(f"expected ':' or '(' after '{word}', found '{following}'", line)
    if len(stack) > 1:
        raise bad(f"{stack[-1].name} opened here is never closed", stack[-1].line)
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
            value = values[word] if word not in "01" else word == "1"
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


class Cell:
    def __init__(self, name, area):
        self.name, self.area = name, area
        self.inputs, self.outputs, self.flop = [], [], None  # flop: (clock, data, output)


class Library:
    def __init__(self, path, override=None):
        self.path = Path(path)
        group = parse(path)
        self.name = group.arguments[0] if group.arguments else self.path.stem
        self.cells = {}
        for cell in group.all("cell"):
            self.add(cell)
        if not self.cells:
            raise FlowError(f"{shown(self.path)}: the library holds no cell")
        override = override or {}
        self.nand2 = self.pick(override, "nand2", lambda c: self.does(c, [True, True, True, False]))
        self.inverter = self.pick(override, "inverter", lambda c: self.does(c, [True, False]))
        self.flop = self.pick(override, "flop", lambda c: c.flop)
        self.driver = self.pick(override, "driver", lambda c: self.does(c, [False, True]), self.inverter)

    def add(self, group):
        if not group.arguments:
            raise FlowError(f"{shown(self.path)}:{group.line}: malformed Liberty: a cell without a name")
        name = group.arguments[0]
        try:
            cell = Cell(name, float(group.attributes.get("area", "0")))
        except ValueError:
            raise FlowError(f"{shown(self.path)}:{group.line}: malformed Liberty: the area of {name} is "
                            f"'{group.attributes['area']}'")
        for pin in group.all("pin"):
            direction = str(pin.attributes.get("direction", "")).strip()
            if direction == "input":
                cell.inputs.append(pin.arguments[0])
            elif direction == "output":
                cell.outputs.append((pin.arguments[0], pin.attributes.get("function", ""),
                                     "three_state" in pin.attributes))
        flops = group.all("ff")
        if len(flops) == 1 and not {"clear", "preset"} & set(flops[0].attributes):
            clock = flops[0].attributes.get("clocked_on", "").strip("() ")
            data = flops[0].attributes.get("next_state", "").strip("() ")
            state = flops[0].arguments[0] if flops[0].arguments else ""
            out = [pin for pin, function, _ in cell.outputs if function.strip("() ") == state]
            if clock in cell.inputs and data in cell.inputs and len(cell.inputs) == 2 and out:
                cell.flop = (clock, data, out[0])
        cell.sequential = bool(flops or group.all("latch") or group.all("statetable"))
        self.cells[name] = cell

    def does(self, cell, table):
        """True when the cell is a one-output gate with this truth table."""
        if cell.sequential or len(cell.outputs) != 1 or 2 ** len(cell.inputs) != len(table) or cell.outputs[0][2]:
            return False
        return truth(cell.outputs[0][1], cell.inputs) == table

    def pick(self, override, role, fits, fallback=None):
        if role in override:
            if override[role] not in self.cells:
                raise FlowError(f"{shown(self.path)}: has no cell {override[role]} (named as {role})")
            return self.cells[override[role]]
        found = sorted((c for c in self.cells.values() if c.area > 0 and fits(c)), key=lambda c: (c.area, c.name))
        if not found:
            if fallback:
                return fallback
            raise FlowError(f"{shown(self.path)}: no cell found that is a {role}; name it in CELLS=file.json")
        return found[0]
