"""What a routed layout holds: LEF and DEF in, wires, vias, connections and parasitics out.

Lengths of LEF are micrometres; those of DEF are units of 1/100 um (`UNITS`), and so are all coordinates here.
Resistance is in ohms, capacitance in pF. Only what graywolf, qflow and qrouter write is read; anything else in a file ends
with one line that names file and line.
"""

import re
from collections import defaultdict, deque

from flow import FlowError, shown

UNITS = 100
WIRE_END = 15  # a wire goes on by half its width behind its last point
BIN = 1000     # side of the squares in which shapes look for their neighbours
POWER = ("vdd", "gnd")
SECTIONS = ("VIAS", "COMPONENTS", "PINS", "NETS", "SPECIALNETS")
STARTS = ("ROUTED", "FIXED", "NEW")  # of a wire


class Layer:
    """width and what one um of a wire of width w has: LEF's formula, area and both edges."""

    def __init__(self):
        self.width, self.ohm_square, self.pf_area, self.pf_edge, self.horizontal = 0.0, 0.0, 0.0, 0.0, False

    def pf(self, length, width):
        return length * (width * self.pf_area + 2 * self.pf_edge)

    def ohm(self, length, width):
        return length / width * self.ohm_square


class Macro:
    """Size in units, {pin: [(layer, x0, y0, x1, y1)]}, and other metal of the cell under the pin name None."""

    def __init__(self):
        self.width = self.height = 0
        self.pins = defaultdict(list)


class Lef:
    """Layers, vias ({name: {layer: rectangle}}) and cells of a library."""

    def __init__(self, path):
        self.layers, self.vias, self.macros = {}, {}, {}
        layer = macro = via = pin = metal = name = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            words = line.split("#")[0].replace(";", " ").split()
            if not words:
                continue
            try:
                key = words[0]
                if key == "END" and len(words) > 1:
                    layer, via = (None, None) if macro is None else (layer, via)
                    if macro is not None and words[1] == pin:
                        pin = None
                    elif macro is not None and words[1] == name:
                        macro = None
                elif macro is None and key == "MACRO":
                    name = words[1]
                    macro, pin = self.macros.setdefault(name, Macro()), None
                elif macro is not None:
                    if key == "SIZE":
                        macro.width, macro.height = units(words[1]), units(words[3])
                    elif key == "PIN":
                        pin = words[1]
                    elif key == "LAYER":
                        metal = words[1]
                    elif key == "RECT":
                        macro.pins[pin].append((metal, *map(units, words[1:5])))
                elif key == "VIA" and words[-1] == "DEFAULT":
                    via = self.vias.setdefault(words[1], {})
                elif key == "VIARULE":
                    via = {}  # of no interest
                elif key == "LAYER" and via is None:
                    layer = self.layers.setdefault(words[1], Layer())
                elif key == "LAYER":
                    metal = words[1]
                elif key == "RECT" and via is not None:
                    via[metal] = tuple(map(units, words[1:5]))
                elif layer is not None:
                    if key == "WIDTH":
                        layer.width = float(words[1])
                    elif key == "DIRECTION":
                        layer.horizontal = words[1] == "HORIZONTAL"
                    elif key == "RESISTANCE":
                        layer.ohm_square = float(words[2])
                    elif key == "CAPACITANCE":
                        layer.pf_area = float(words[2])
                    elif key == "EDGECAPACITANCE":
                        layer.pf_edge = float(words[1])
            except (ValueError, IndexError):
                raise FlowError(f"{shown(path)}:{number}: malformed LEF: '{line.strip()}'") from None
        if not self.macros:
            raise FlowError(f"{shown(path)}: the LEF file holds no MACRO")


def units(text):
    return round(float(text) * UNITS)


class Segment:
    """A straight wire; `width` in units, `end`: how far it goes on behind its last points."""

    def __init__(self, layer, x0, y0, x1, y1, width, end):
        self.layer, self.width, self.end = layer, width, end
        self.x0, self.x1 = sorted((x0, x1))
        self.y0, self.y1 = sorted((y0, y1))

    @property
    def length(self):
        return self.x1 - self.x0 + self.y1 - self.y0

    def box(self):
        half = self.width // 2
        along, across = (self.end, half) if self.y0 == self.y1 else (half, self.end)
        return self.x0 - along, self.y0 - across, self.x1 + along, self.y1 + across


class Net:
    def __init__(self):
        self.terminals, self.segments, self.vias = [], [], []  # (instance or PIN, pin); Segment; (name, x, y)


class Def:
    """die (x0, y0, x1, y1), components {name: (macro, x, y, orientation)}, pins {name: (layer, box)}, nets {name: Net}."""

    def __init__(self, path, lef):
        self.path, self.lef, self.vias = path, lef, dict(lef.vias)
        self.die, self.components, self.pins, self.nets = None, {}, {}, defaultdict(Net)
        try:
            text = path.read_text()
        except FileNotFoundError:
            raise FlowError(f"{shown(path)}: no such DEF file") from None
        if match := re.search(r"UNITS DISTANCE MICRONS (\d+)", text):
            if int(match[1]) != UNITS:
                raise FlowError(f"{shown(path)}: expected UNITS DISTANCE MICRONS {UNITS}, found {match[1]}")
        section = ""
        for match in re.finditer(r"(?s)(\S[^;]*?)\s+;|^END (\w+)", text, re.M):
            if match[2]:
                section = ""
                continue
            words = match[1].split()
            if words[0] == "END":  # a section's end stands in front of the next statement
                section, words = "", words[2:] or [""]
            if words[0] in SECTIONS:
                section = words[0]
            elif words[0] == "DIEAREA":
                self.die = tuple(int(float(words[i])) for i in (2, 3, 6, 7))
            elif words[0] == "-":
                try:
                    getattr(self, f"read_{section.lower()}")(words[1:])
                except (ValueError, IndexError, KeyError, AttributeError):
                    line = text.count("\n", 0, match.start()) + 1
                    raise FlowError(f"{shown(path)}:{line}: malformed DEF: '{' '.join(words[:8])}'") from None
        if not self.die or not self.components:
            raise FlowError(f"{shown(path)}: the DEF file has no DIEAREA or no COMPONENTS")

    def read_vias(self, words):
        via = self.vias.setdefault(words[0], {})
        for at in (i for i, w in enumerate(words) if w == "RECT"):
            via[words[at + 1]] = tuple(int(float(words[at + i])) for i in (3, 4, 7, 8))

    def read_components(self, words):
        place = words.index("(")
        macro = self.lef.macros[words[1]]
        x, y, turn = int(float(words[place + 1])), int(float(words[place + 2])), words[place + 4]
        if turn not in ("N", "S", "FN", "FS") or not macro.width:
            raise ValueError
        self.components[words[0]] = (words[1], x, y, turn)

    def read_pins(self, words):
        layer, place = words.index("LAYER"), words.index("PLACED")
        box = [int(float(words[layer + i])) for i in (3, 4, 7, 8)]
        x, y = int(float(words[place + 2])), int(float(words[place + 3]))
        self.pins[words[0]] = (words[layer + 1], (x + box[0], y + box[1], x + box[2], y + box[3]))

    def read_nets(self, words):
        net = self.nets[words[0]]
        at = 1
        while at < len(words) and words[at] == "(":
            net.terminals.append((words[at + 1], words[at + 2]))
            at += 4
        self.read_wires(net, words[at:], special=False)

    def read_specialnets(self, words):
        start = next((i for i, w in enumerate(words) if w in STARTS), len(words))
        self.read_wires(self.nets[words[0]], words[start:], special=True)

    def read_wires(self, net, words, special):
        at = 0
        while at < len(words):
            if words[at] == "+":
                at += 1
                continue
            if words[at] not in STARTS:
                raise ValueError
            layer, at = words[at + 1], at + 2
            width, end = round(self.lef.layers[layer].width * UNITS), WIRE_END
            if special:
                width, end, at = int(words[at]), 0, at + 1
            point = None
            while at < len(words) and words[at] not in STARTS and words[at] != "+":
                if words[at] == "(":
                    close = words.index(")", at)
                    x, y = (point[i] if w == "*" else int(float(w)) for i, w in enumerate(words[at + 1:at + 3]))
                    if point and (x, y) != point:
                        if x != point[0] and y != point[1]:
                            raise ValueError
                        net.segments.append(Segment(layer, *point, x, y, width, end))
                    point, at = (x, y), close + 1
                elif words[at] in self.vias:
                    net.vias.append((words[at], *point))
                    at += 1
                else:
                    raise ValueError

    def terminal(self, instance, pin):
        """[(layer, box)] of a pin of a cell or of the block."""
        if instance == "PIN":
            return [self.pins[pin]]
        return self.cell_shapes(instance, pin)

    def cell_shapes(self, instance, pin):
        name, x, y, turn = self.components[instance]
        macro = self.lef.macros[name]
        found = []
        for layer, x0, y0, x1, y1 in macro.pins[pin]:
            if turn in ("S", "FN"):
                x0, x1 = macro.width - x1, macro.width - x0
            if turn in ("S", "FS"):
                y0, y1 = macro.height - y1, macro.height - y0
            found.append((layer, (x + x0, y + y0, x + x1, y + y1)))
        return found

    def pads(self, via):
        """[(layer, box)] of the metal of a via."""
        name, x, y = via
        return [(layer, (x + b[0], y + b[1], x + b[2], y + b[3])) for layer, b in self.vias[name].items()
                if layer in self.lef.layers and self.lef.layers[layer].width]

    def rows(self):
        """Box around all cells, fillers included."""
        boxes = [(x, y, x + self.lef.macros[m].width, y + self.lef.macros[m].height) for m, x, y, _ in self.components.values()]
        return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def touch(a, b):
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


class Bins:
    """Shapes by layer and square, so that each meets its neighbours only."""

    def __init__(self):
        self.of = defaultdict(list)

    @staticmethod
    def squares(layer, box):
        for column in range(box[0] // BIN, box[2] // BIN + 1):
            for row in range(box[1] // BIN, box[3] // BIN + 1):
                yield layer, column, row

    def add(self, layer, box, what):
        for square in self.squares(layer, box):
            self.of[square].append((box, what))

    def near(self, layer, box):
        for square in self.squares(layer, box):
            yield from self.of.get(square, ())


def shorts(layout):
    """[(layer, net, what it touches)]: metal of a route that overlaps metal of another net or of the inside of a cell."""
    bins = Bins()
    owner = {(i, p): name for name, net in layout.nets.items() for i, p in net.terminals}
    for instance, (macro, *_) in layout.components.items():
        for pin in layout.lef.macros[macro].pins:
            name = pin if pin in POWER else owner.get((instance, pin), f"{instance}/{pin or 'inside'}")
            for layer, box in layout.cell_shapes(instance, pin):
                bins.add(layer, box, name)
    for pin, (layer, box) in layout.pins.items():
        bins.add(layer, box, owner.get(("PIN", pin), pin))
    found = set()
    for name, net in layout.nets.items():
        shapes = [(s.layer, s.box()) for s in net.segments] + [pad for via in net.vias for pad in layout.pads(via)]
        for layer, box in shapes:
            for other, what in bins.near(layer, box):
                if what != name and overlap(box, other):
                    found.add((layer, *sorted((name, what))))
            bins.add(layer, box, name)
    return sorted(found)


class Tree:
    """A net's wires as resistances and capacitances between points."""

    def __init__(self, layout, net):
        self.layout, self.net, self.up = layout, net, {}
        self.edges = []  # (point, point, ohm)
        self.pf = defaultdict(float)
        self.pieces = 0  # separate parts: 1 when all terminals are connected
        self.build()

    def root(self, point):
        self.up.setdefault(point, point)
        while self.up[point] != point:
            self.up[point] = self.up[self.up[point]]
            point = self.up[point]
        return point

    def join(self, a, b):
        self.up[self.root(a)] = self.root(b)

    def build(self):
        """Points are (layer, x, y); those of a via are one, and so are those on the metal of one pin."""
        net, layout = self.net, self.layout
        points = defaultdict(set)
        reach = defaultdict(lambda: WIRE_END)
        for s in net.segments:
            points[s.layer] |= {(s.x0, s.y0), (s.x1, s.y1)}
            for end in ((s.x0, s.y0), (s.x1, s.y1)):
                reach[s.layer, *end] = max(reach[s.layer, *end], s.end)
        for via in net.vias:
            pads = layout.pads(via)
            for layer, box in pads:
                points[layer].add(via[1:])
                reach[layer, *via[1:]] = max(reach[layer, *via[1:]], (box[2] - box[0]) // 2)
            self.join((pads[0][0], *via[1:]), (pads[1][0], *via[1:]))
        for instance, pin in net.terminals:
            key = ("pin", instance, pin)
            self.root(key)
            for layer, box in layout.terminal(instance, pin):
                near = [p for p in points[layer] if touch(box, (p[0] - reach[layer, *p], p[1] - reach[layer, *p],
                                                                p[0] + reach[layer, *p], p[1] + reach[layer, *p]))]
                for s in net.segments if not near else ():  # a wire that crosses the pin without a point on it
                    if s.layer == layer and touch(box, s.box()):
                        near.append((min(max(s.x0, box[0]), s.x1), min(max(s.y0, box[1]), s.y1)))
                        points[layer].add(near[-1])
                for point in near:
                    self.join((layer, *point), key)
        self.join_overlaps(points, reach)
        by_line = defaultdict(list)
        for layer, of_layer in points.items():
            for x, y in of_layer:
                by_line[layer, "x", x].append((y, x, y))
                by_line[layer, "y", y].append((x, x, y))
        joined = self.up.copy()
        for s in net.segments:
            flat = s.y0 == s.y1
            low, high = (s.x0, s.x1) if flat else (s.y0, s.y1)
            on = sorted(p for p in by_line[s.layer, "y" if flat else "x", s.y0 if flat else s.x0] if low <= p[0] <= high)
            for (_, *a), (_, *b) in zip(on, on[1:]):
                length = abs(a[0] - b[0] + a[1] - b[1]) / UNITS
                width, layer = s.width / UNITS, layout.lef.layers[s.layer]
                ends = [(s.layer, *a), (s.layer, *b)]
                self.edges.append((*ends, layer.ohm(length, width)))
                for end in ends:
                    self.pf[end] += layer.pf(length, width) / 2
        # Names of points: those joined by metal without resistance are one.
        whole = self.up
        self.up = joined
        name = {p: self.root(p) for p in list(whole) + [e for edge in self.edges for e in edge[:2]]}
        self.edges = [(name[a], name[b], ohm) for a, b, ohm in self.edges if name[a] != name[b]]
        total = defaultdict(float)
        for point, pf in self.pf.items():
            total[name[point]] += pf
        self.pf, self.name = total, name
        for a, b, _ in self.edges:
            self.join(a, b)
        used = {name[("pin", *t)] for t in net.terminals} | set(total)
        self.pieces = len({self.root(p) for p in used})

    def join_overlaps(self, points, reach):
        """The router sets a via or a wire's end up to half a width beside the wire that it meets."""
        for s in self.net.segments:
            box = s.box()
            for x, y in list(points[s.layer]):
                far = reach[s.layer, x, y]
                at = (min(max(x, s.x0), s.x1), min(max(y, s.y0), s.y1))
                if at != (x, y) and touch(box, (x - far, y - far, x + far, y + far)):
                    points[s.layer].add(at)
                    self.join((s.layer, x, y), (s.layer, *at))

    def spanning(self, start):
        """Edges of a tree from the driver on, nearest first; loops of the wires are cut."""
        beside = defaultdict(list)
        for a, b, ohm in self.edges:
            beside[a].append((b, ohm))
            beside[b].append((a, ohm))
        seen, front = {start}, deque([start])
        while front:
            point = front.popleft()
            for other, ohm in beside[point]:
                if other not in seen:
                    seen.add(other)
                    front.append(other)
                    yield point, other, ohm


def figures(layout, fill):
    """Areas in um2, wire length in um by layer, and the number of cells, vias and nets."""
    area = lambda box: (box[2] - box[0]) * (box[3] - box[1]) / UNITS ** 2  # noqa: E731
    cells = [layout.lef.macros[m] for m, *_ in layout.components.values() if m != fill]
    wires = defaultdict(float)
    for name, net in layout.nets.items():
        for s in net.segments if name not in POWER else ():
            wires[s.layer] += s.length / UNITS
    cell_area = sum(c.width * c.height for c in cells) / UNITS ** 2
    return {"cells": len(cells), "cell_um2": round(cell_area, 1), "core_um2": round(area(layout.rows()), 1),
            "die_um2": round(area(layout.die), 1), "wire_um": {k: round(v, 1) for k, v in sorted(wires.items())},
            "vias": sum(len(net.vias) for name, net in layout.nets.items() if name not in POWER),
            "nets": sum(bool(net.segments) for name, net in layout.nets.items() if name not in POWER)}
