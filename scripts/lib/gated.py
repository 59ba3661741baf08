"""Netlists with gated clocks, for scripts/energy: each clock_gate is cut out, its clock an input and its enable an output."""

import fcntl

import flow
import synthesis

CELL = "clock_gate"
STAND_IN = flow.ROOT / "synth" / f"{CELL}.v"
CLOCK, ENABLE = "ws_ram_rdata.i", "ws_ram_we"  # ports that Yosys makes of the stand-in's wires


def has_gate(point):
    return any(f.stem == CELL for f in flow.sources(point.block, point.module))


def netlist(synthesis_flow, point, recipe):
    """The module, mapped with this recipe. It is not timed: its clock is that of the module without gates."""
    tech = synthesis_flow.tech
    files = [STAND_IN if f.stem == CELL else f for f in flow.sources(point.block, point.module)]
    work = flow.BUILD / "energy" / point.block / f"{point.module}_{point.name}-{tech.key[:8]}-gated"
    work.mkdir(parents=True, exist_ok=True)
    key = [synthesis_flow.key(point, files), recipe]
    with open(work / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if flow.read_json(work / "key.json") != key:
            (work / recipe / "mapped.json").unlink(missing_ok=True)
            synthesis.yosys(work, "synthesize.ys", "synthesize.ys",
                            {"READ": "\n".join(f"read_verilog -sv -Irtl {name}" for name in flow.with_stand_ins(files)),
                             "ELABORATE": "\n".join(flow.elaborate(point.module, point.params)),
                             "TOP": point.module, "LIBERTY": tech.flop_path, "WORK": work}, cwd=flow.ROOT)
            rams = synthesis.memories(flow.read_json(work / "flat.json"), point.module)
            flow.write_json(work / "memories.json", rams)
            (work / "abc.constr").write_text(f"set_driving_cell {tech.library.driver.name}\nset_load 0 [all_outputs]\n")
            synthesis.map_recipe(work, recipe, point, tech)
            flow.write_json(work / "key.json", key)
    return synthesis.mapped(work, recipe, point.module), flow.read_json(work / "memories.json")
