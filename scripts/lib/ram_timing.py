"""Access and set-up time of every memory, in FO4: synth/ram_timing.json, and what it does not have is made.

  compiled memories   CACTI's access time behind a flip-flop: the memory takes its address at the clock edge. Its inputs have
                      a flip-flop's set-up time.
  small memories      flip-flops (storage.py). Data come from the read register; the set-up times, multiplexers included, are
                      measured on the netlist of its wrapper
"""

from pathlib import Path

import budgets
import cacti
import flow
import storage
import synthesis
from flow import FlowError

UNRECORDED = 0.5  # of budgets.FAST_FO4: access time of a memory that CACTI's sweep does not have
RECORD = flow.ROOT / "synth" / "ram_timing.json"


class Timing:
    def __init__(self, tech):
        self.tech = tech
        # The record is of the default library.
        self.known = dict(flow.read_json(RECORD, {}).get("shapes", {})) if tech.is_default else {}

    def of(self, shape):
        """{"access": FO4 from the clock to its data, "setup": {pin: FO4 before the clock}, "source"} of a shape (storage.parts)."""
        if shape not in self.known:
            self.known[shape] = self.small(shape) if storage.small(shape) else self.compiled(shape)
        return self.known[shape]

    def compiled(self, shape):
        try:
            access, source = cacti.access(*storage.size(shape), "1RW" if storage.parts(shape)[2] else "1R1W")
        except FlowError as error:
            access, source = UNRECORDED * budgets.FAST_FO4, f"{100 * UNRECORDED:g} % of {budgets.FAST_FO4} FO4: {error}"
        return {"access": round(self.tech.clock_to_q + access, 2), "source": source,
                "setup": dict.fromkeys(budgets.PINS[storage.wrapper(shape)], self.tech.setup)}

    def small(self, shape):
        wrapper = flow.ROOT / "rtl" / "common" / f"{storage.wrapper(shape)}.sv"
        key = flow.digest(Path(synthesis.__file__).resolve(), Path(budgets.__file__).resolve(), wrapper)
        saved = self.tech.folder / "memories" / f"{shape}-{key[:16]}.json"
        times = flow.read_json(saved)
        if not times:
            times = self.measured(shape)
            flow.write_json(saved, times)
        return times

    def measured(self, shape):
        entry, point, module, work = storage.as_flip_flops(shape, self.tech)
        budgets.paths(work / entry["recipe"], point, module, {}, self.tech)
        before = budgets.from_inputs(work / entry["recipe"], module, self.tech)
        return {"access": self.tech.clock_to_q, "source": "flip-flops, synthesized",
                "setup": {pin: round(before.get(f"{pin}_i", 0.0), 2) for pin in budgets.PINS[storage.wrapper(shape)]}}


def refresh(tech, shapes):
    """Completes the record, which then has these shapes and no other."""
    timing = Timing(tech)
    ordered = sorted(shapes, key=lambda shape: (storage.bits(shape), shape))
    flow.write_json(RECORD, {"liberty": tech.library.name, "fo4_ns": tech.fo4, "clock_to_q": tech.clock_to_q,
                             "setup": tech.setup, "cacti_node_nm": cacti.NODE_NM, "cacti_fo4_ps": round(cacti.fo4_ps(), 3),
                             "shapes": {shape: timing.of(shape) for shape in ordered}})
