"""Runs points with the program and returns their results."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Mapping, Sequence

from .results import Results, WarpsieveError, open_results


def program() -> str:
    """The program: the variable WARPSIEVE, else `warpsieve` of the PATH."""
    found = os.environ.get("WARPSIEVE") or shutil.which("warpsieve")
    if not found:
        raise WarpsieveError("no program: expected `warpsieve` in the PATH, or its path in the variable WARPSIEVE")
    return found


def run(workloads: Sequence[str], schemes: Sequence[str] = ("baseline", "cmd"), *, profile: str = "",
        scale: str = "", seeds: Sequence[int] = (1,), settings: Mapping[str, object] | None = None,
        sizes: Mapping[str, object] | None = None, repeat: int = 1, jobs: int = 1) -> Results:
    """Runs every workload under every scheme with every seed. WarpsieveError has the program's message.

    Without `profile`, the machine is the one that the last scheme is meant for. `repeat`: runs of each, with a cycle
    or two more in the latencies of network and DRAM, for the noise.
    """
    if not workloads or not schemes or not seeds:
        raise WarpsieveError("run: expected at least one workload, scheme and seed")
    common = [program(), "run", "--workload", *workloads, "--scheme", schemes[-1], "--jobs", str(jobs),
              "--repeat", str(repeat)]
    if len(schemes) > 1:
        common += ["--compare", ",".join(schemes[:-1])]
    for option, value in (("--profile", profile), ("--scale", scale)):
        if value:
            common += [option, value]
    for option, values in (("--set", settings), ("--size", sizes)):
        for name, value in (values or {}).items():
            common += [option, f"{name}={value}"]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            file = Path(folder) / f"{seed}.json"
            done = subprocess.run([*common, "--seed", str(seed), "--json", str(file)], capture_output=True, text=True)
            if done.returncode != 0:
                raise WarpsieveError(done.stderr.strip() or f"warpsieve ended with code {done.returncode}")
            rows += open_results(file).rows
    return Results("run", rows)
