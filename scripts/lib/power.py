"""Energy of a mapped netlist from toggles and its Liberty.

Per toggle of a net: half of C V^2, C = pins it feeds + estimated wire, and the internal energy of the cell that drives
it (internal_power of its output, mean of rise and fall and of all related pins and conditions). Per toggle of an input
pin with internal_power of its own: that energy. Per cycle: the clock pins, two edges each; those behind a gate only in
cycles that it passes. Every edge has the slew of an
inverter that drives four of its kind; loads and slews beyond a table take its last value.
"""

import bisect

from flow import FlowError

WIRE_FF_PER_UM = 0.2  # a wire's capacitance, nearly the same in every technology
WIRE_PITCHES = 3      # wire per pin fed, in edges of an average cell: the estimate before placement


class Table:
    """A one- or two-dimensional table of a Liberty, over slew and load."""

    def __init__(self, group, templates):
        template = templates.get(group.arguments[0] if group.arguments else "")
        axes = []
        for number in (1, 2):
            index = group.attributes.get(f"index_{number}") or (template and template.attributes.get(f"index_{number}"))
            if index:
                kind = template.attributes.get(f"variable_{number}", "") if template else ""
                axes.append((kind, numbers(index)))
        values = numbers(group.attributes.get("values", []))
        size = 1
        for _, points in axes:
            size *= len(points)
        if len(values) != size:
            if len(values) != 1:
                raise FlowError(f"line {group.line}: {group.name} has {len(values)} values, {size} are expected")
            axes = []
        self.axes, self.values = axes, values

    def at(self, slew, load):
        """Straight lines between the points, the last value beyond them."""
        places = [place(points, load if "capacitance" in kind else slew) for kind, points in self.axes]
        if not places:
            return self.values[0]
        if len(places) == 1:
            i, part = places[0]
            return mixed(self.values, i, part)
        (i, part), (j, other) = places
        width = len(self.axes[1][1])
        rows = [mixed(self.values[r * width:(r + 1) * width], j, other) for r in (i, min(i + 1, len(self.axes[0][1]) - 1))]
        return rows[0] + part * (rows[1] - rows[0])


def numbers(texts):
    return [float(n) for text in ([texts] if isinstance(texts, str) else texts) for n in text.replace(",", " ").split()]


def place(points, value):
    """Index of the point below, and how far on to the next."""
    if len(points) == 1 or value <= points[0]:
        return 0, 0.0
    i = min(bisect.bisect_right(points, value) - 1, len(points) - 2)
    return i, min((value - points[i]) / (points[i + 1] - points[i]), 1.0)


def mixed(values, index, part):
    after = values[min(index + 1, len(values) - 1)]
    return values[index] + part * (after - values[index])


class Power:
    """Energies of a library's cells: pJ, with loads in pF and slews in the library's unit of time."""

    def __init__(self, library):
        self.library = library
        self.templates = {g.arguments[0]: g for g in library.groups if g.name.endswith("template") and g.arguments}
        self.volts = self.voltage()
        # Liberty: energies are in (unit of capacitance) x V^2.
        self.unit = library.cap_pf
        self.caps = {}  # (cell, pin): pF
        self.energies = {}  # (cell, pin): tables of (rise, fall)
        for cell in library.cells.values():
            for pin in cell.group.all("pin"):
                key = (cell.name, pin.arguments[0])
                self.caps[key] = float(pin.attributes.get("capacitance", 0)) * library.cap_pf
                self.energies[key] = [self.edges(g) for g in pin.all("internal_power")]
        self.slew = self.usual_slew()

    def voltage(self):
        conditions = {g.arguments[0]: g for g in self.library.groups if g.name == "operating_conditions" and g.arguments}
        chosen = conditions.get(self.library.attributes.get("default_operating_conditions", ""))
        text = (chosen.attributes.get("voltage") if chosen else None) or self.library.attributes.get("nom_voltage")
        if text is None:
            raise FlowError(f"{self.library.where}: no voltage: expected default_operating_conditions or nom_voltage")
        return float(text)

    def edges(self, group):
        """(table of rising, table of falling); a `power` group is both."""
        found = {g.name: Table(g, self.templates) for g in group.groups if g.name in ("rise_power", "fall_power", "power")}
        both = found.get("power")
        return found.get("rise_power", both), found.get("fall_power", both)

    def usual_slew(self):
        """Of an inverter that drives four of its kind and is driven by such a one; library's unit of time."""
        inverter = self.library.inverter
        load = 4 * self.caps[(inverter.name, inverter.inputs[0])] / self.library.cap_pf
        output = next(p for p in inverter.group.all("pin") if p.arguments[0] == inverter.outputs[0][0])
        tables = [Table(g, self.templates) for t in output.all("timing") for g in t.groups
                  if g.name in ("rise_transition", "fall_transition")]
        if not tables:
            raise FlowError(f"{self.library.where}: {inverter.name} has no rise_transition and fall_transition")
        slew = 0.0
        for _ in range(20):
            slew = sum(t.at(slew, load) for t in tables) / len(tables)
        return slew

    def internal(self, cell, pin, load):
        """(rising, falling) in pJ, the mean of what the Liberty gives; load in pF."""
        groups = self.energies.get((cell, pin)) or []
        load /= self.library.cap_pf
        total = [0.0, 0.0]
        for pair in groups:
            for edge, table in enumerate(pair):
                total[edge] += table.at(self.slew, load) * self.unit if table else 0.0
        return [t / len(groups) for t in total] if groups else total

    def gate_pins(self):
        """pJ per cycle of a gate's own clock pins: those of a flip-flop, which stands for the latch, and of a NAND2."""
        flop, nand = self.library.flop, self.library.nand2
        caps = self.caps[flop.name, flop.flop.clock] + self.caps[nand.name, nand.inputs[0]]
        return self.volts ** 2 * caps + sum(self.internal(flop.name, flop.flop.clock, 0))

    def gate_open(self, load):
        """pJ of a pulse that passes, besides that of the pins it feeds: a NAND2 that drives an inverter that drives `load` pF."""
        nand, inverter = self.library.nand2, self.library.inverter
        between = self.caps[inverter.name, inverter.inputs[0]]
        return self.volts ** 2 * between + sum(self.internal(nand.name, nand.outputs[0][0], between)) \
            + sum(self.internal(inverter.name, inverter.outputs[0][0], load))


class Netlist:
    """What each net of a mapped module costs per toggle, and its clock per cycle; pJ."""

    def __init__(self, gates, power):
        self.gates, self.power = gates, power
        library, half = power.library, power.volts ** 2 / 2
        loads, fed, self.clock = {}, {}, 0.0
        behind, behind_pf = dict.fromkeys(gates.gates, 0.0), dict.fromkeys(gates.gates, 0.0)  # gates of the clock
        self.leakage_nw = 0.0
        leak_unit = leakage_unit(library)
        for cell in gates.cells.values():
            kind = library.cells[cell["type"]]
            self.leakage_nw += leakage(kind) * leak_unit
            for pin in kind.inputs:
                bit = (cell["connections"].get(pin) or [None])[0]
                cap = power.caps[(kind.name, pin)]
                if bit == gates.clock and bit is not None:
                    self.clock += 2 * half * cap + sum(power.internal(kind.name, pin, 0))
                elif bit in behind:
                    behind[bit] += 2 * half * cap + sum(power.internal(kind.name, pin, 0))
                    behind_pf[bit] += cap
                elif isinstance(bit, int):
                    loads[bit] = loads.get(bit, 0.0) + cap
                    fed[bit] = fed.get(bit, 0) + 1
        # Of each gate: pJ of a cycle that it passes, beside those of every cycle.
        self.passed = [pj + power.gate_open(behind_pf[bit]) for bit, pj in behind.items()]
        self.clock += len(behind) * power.gate_pins()
        nets = len(gates.nets)
        area = sum(library.cells[c["type"]].area for c in gates.cells.values())
        pitch = (area / max(len(gates.cells), 1)) ** 0.5  # um
        wire = WIRE_PITCHES * pitch * WIRE_FF_PER_UM / 1000  # pF per pin fed
        self.pins, self.wires, self.cells = ([0.0] * nets for _ in range(3))
        for bit, index in gates.place.items():
            self.pins[index] = half * loads.get(bit, 0.0)
            self.wires[index] = half * wire * fed.get(bit, 0)
        for cell in gates.cells.values():
            kind = library.cells[cell["type"]]
            for pin, bits in cell["connections"].items():
                if not bits or not isinstance(bits[0], int) or bits[0] == gates.clock or bits[0] in gates.gates:
                    continue
                drives = pin not in kind.inputs
                load = loads.get(bits[0], 0.0) + wire * fed.get(bits[0], 0) if drives else 0.0
                self.cells[gates.place[bits[0]]] += sum(power.internal(kind.name, pin, load)) / 2

    def clock_energy(self, cycles, enabled):
        """pJ of the clock pins; `enabled`: of each gate the cycles that it passes."""
        return cycles * self.clock + sum(n * pj for n, pj in zip(enabled, self.passed))

    def edges_by_name(self, names, enabled, starts):
        """[pJ behind all other gates, pJ behind the gates whose name starts with each of `starts`]; None where there is no gate."""
        left = {name: n * pj for name, n, pj in zip(names, enabled, self.passed, strict=True)}
        own = [[left.pop(name) for name in list(left) if name.startswith(start)] for start in starts]
        return [sum(left.values()), *(sum(pj) if pj else None for pj in own)]

    def energy(self, toggles):
        """{part: pJ} of all the toggles."""
        return {name: sum(t * e for t, e in zip(toggles, values))
                for name, values in (("cells", self.cells), ("pins", self.pins), ("wires", self.wires))}


def leakage(cell):
    """Of one cell in the library's unit: cell_leakage_power, or the mean of its conditions."""
    if "cell_leakage_power" in cell.group.attributes:
        return float(cell.group.attributes["cell_leakage_power"])
    values = [float(g.attributes["value"]) for g in cell.group.all("leakage_power") if "value" in g.attributes]
    return sum(values) / len(values) if values else 0.0


def leakage_unit(library):
    """leakage_power_unit in nW."""
    text = str(library.attributes.get("leakage_power_unit", "1nW")).strip().lower()
    scale = {"w": 1e9, "mw": 1e6, "uw": 1e3, "nw": 1.0, "pw": 1e-3, "fw": 1e-6}
    digits = text.rstrip("wmunpf")
    unit = text[len(digits):].strip()
    if unit not in scale:
        raise FlowError(f"{library.where}: leakage_power_unit is '{text}': expected a unit such as 1nW")
    return float(digits or 1) * scale[unit]
