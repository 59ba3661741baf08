"""Points with all their figures: what synthesis.py makes, timed by budgets.py, and mapped once more for a faster clock."""

import fcntl
import json
import threading
from pathlib import Path

import budgets
import flow
import ram_timing
import storage
import synthesis
from budgets import FAST_FO4
from flow import FlowError

RECIPES = (*synthesis.RECIPES, "fanout")  # synth/abc/, in the order they are tried for FAST_FO4
HOPELESS = 2.4  # times FAST_FO4 by the first recipe: only the last two are tried then


class Runner:
    """Figures of points as synthesis.Flow has them, with `timed` (the same netlist) and, if asked for, `fast`."""

    def __init__(self, tech, fresh=False, fast=False):
        self.tech, self.fresh, self.fast = tech, fresh, fast
        self.flow, self.rams = synthesis.Flow(tech, fresh), ram_timing.Timing(tech)
        self.files = [Path(__file__).resolve(), Path(budgets.__file__).resolve(), synthesis.TEMPLATES / "budgets.tcl"]
        self.files += [synthesis.TEMPLATES / "abc" / f"{name}.abc" for name in RECIPES]
        self.lock = threading.Lock()

    def memories(self, entry):
        with self.lock:  # what the record lacks is made once
            return {name: self.rams.of(storage.shape_of(*sizes)) for name, sizes in entry["rams"].items()}

    def go(self, point):
        try:
            entry = self.flow.entry(point)
            folder, cached = entry.pop("folder"), entry["cached"]
            memories = self.memories(entry)
            flop = [self.tech.fo4, self.tech.clock_to_q, self.tech.setup]
            files = flow.sources(point.block, point.module)
            key = flow.digest(*self.files, self.flow.key(point, files), json.dumps([memories, flop, self.fast]))[:32]
            saved = flow.BUILD / "synth-cache" / f"{key}.json"
            more = None if self.fresh else flow.read_json(saved)
            if more is None:
                if cached:
                    self.flow.entry(point, keep_netlist=True)
                cached = False
                with open(folder.with_suffix(".lock"), "w", encoding="utf-8") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX)
                    more = self.measure(point, entry, folder, memories)
                flow.write_json(saved, more)
            cpu = entry["cpu"] + more.get("fast", {}).get("cpu", 0)
            return point, {**entry, **more, "cached": cached, "cpu_all": round(cpu, 1)}
        except FlowError as error:
            return point, {"error": str(error)}

    def measure(self, point, entry, folder, memories):
        timed = lambda recipe, module: budgets.clock(budgets.paths(  # noqa: E731
            folder / recipe, point, module, memories, self.tech, entry["straight"]))
        more = {"timed": timed(entry["recipe"], synthesis.mapped(folder, entry["recipe"], point.module))}
        if self.fast:
            more["fast"] = self.fastest(point, folder, timed)
        return more

    def fastest(self, point, folder, timed):
        """The first recipe that reaches FAST_FO4, else the fastest."""
        tried, spent = [], 0.0
        for recipe in RECIPES:
            if tried and tried[0]["clock"] > HOPELESS * FAST_FO4 and recipe not in RECIPES[-2:]:
                continue
            cpu, module = synthesis.map_recipe(folder, recipe, point, self.tech)
            spent += cpu
            area = sum(self.tech.library.cells[cell["type"]].area for cell in module["cells"].values())
            if not (folder / recipe / "timing.tcl").is_file():
                synthesis.time_netlist(folder / recipe, point, module, self.tech)  # writes the netlist, too
            tried.append({"recipe": recipe, "ge": round(area / self.tech.library.nand2.area, 1), **timed(recipe, module)})
            if tried[-1]["clock"] <= FAST_FO4:
                break
        best = tried[-1] if tried[-1]["clock"] <= FAST_FO4 else min(tried, key=lambda t: (t["clock"], t["ge"]))
        return {**best, "tried": {t["recipe"]: [t["ge"], t["clock"]] for t in tried}, "cpu": round(spent, 1)}
