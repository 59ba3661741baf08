#!/usr/bin/env python3
"""The cell map of the synthesis flow (CELLS=file.json), damaged: it is read or refused in one line, never otherwise.

  cells.py [--inputs N | --seconds S] [--seed N]

Text and structure are changed, from the maps of synth/cells and seeded: with 1, or with the time of day in a run of S
seconds, so that a second run sees other inputs. Prints how many inputs there were and the seed; the first one that raises
anything but FlowError is shown, with exit code 1.
"""

import argparse
import copy
import json
import random
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
import flow  # noqa: E402
import liberty  # noqa: E402

ODD = [None, True, 0, -1, 1e300, "", "x" * 300, [], [1], {}, {"a": []}, "\ud800", [[["a"]]]]
CELL = """library(toy) { cell(INVX1) { area: 1; pin(A) { direction: input; } pin(Y) { direction: output; function: "!A"; } } }
"""


def changed(value, pick):
    """A copy with one to three places replaced, removed or added."""
    value = copy.deepcopy(value)
    for _ in range(pick.randint(1, 3)):
        if not isinstance(value, dict) or not value or pick.random() < 0.05:
            return pick.choice(ODD)
        key = pick.choice(sorted(value, key=str))
        how = pick.randrange(4)
        if how == 0:
            value[key] = copy.deepcopy(pick.choice(ODD))
        elif how == 1:
            del value[key]
        elif how == 2:
            value[pick.choice(["", "area", "NAND2", key + "x"])] = value[key]
        elif isinstance(value[key], list):
            value[key].append(copy.deepcopy(pick.choice(ODD)))
    return value


def damaged(text, pick):
    out = bytearray(text.encode())
    for _ in range(pick.randint(1, 4)):
        at = pick.randrange(len(out) or 1)
        how = pick.randrange(4)
        if how == 0 and out:
            out[at] = pick.randrange(256)
        elif how == 1:
            del out[at:at + pick.randint(1, 16)]
        elif how == 2:
            out[at:at] = out[at:at + 8]
        else:
            out[at:at] = pick.choice([b"[" * 20000, b"{", b"}", b'"', b"1e999", b"NaN", b"\\ud800"])
    return bytes(out)


def attempt(path, library):
    """What the flow does with CELLS=path."""
    try:
        cells = liberty.CellMap(path, flow.read_json(path))
        liberty.Library([library], cells)
    except flow.FlowError as error:
        if not str(error) or "\n" in str(error):
            raise AssertionError(f"an error must be one line: {error!r}") from error


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()
    if args.seed is None:
        args.seed = time.time_ns() if args.seconds else 1
    pick = random.Random(args.seed)
    seeds = [json.loads(p.read_text()) for p in sorted((ROOT / "synth" / "cells").glob("*.json"))]
    seeds.append({"nand2": "INVX1", "inverter": "INVX1"})
    end, count = time.monotonic() + args.seconds, 0
    with tempfile.TemporaryDirectory() as folder:
        path, library = Path(folder) / "cells.json", Path(folder) / "toy.lib"
        library.write_text(CELL)
        while time.monotonic() < end if args.seconds else count < args.inputs:
            seed = pick.choice(seeds)
            text = json.dumps(seed, indent=1)
            path.write_bytes(damaged(text, pick) if count % 2 else json.dumps(changed(seed, pick)).encode())
            try:
                attempt(path, library)
            except Exception as error:  # anything but a refusal
                why = str(error).splitlines()[0] if str(error) else ""
                print(f"{path.read_bytes()[:400]!r}: {type(error).__name__}: {why}; "
                      f"replay: tb/fuzz/cells.py --inputs {count + 1} --seed {args.seed}", file=sys.stderr)
                return 1
            count += 1
    print(f"{count} inputs of seed {args.seed}, each read or refused in one line")
    return 0


if __name__ == "__main__":
    sys.exit(main())
