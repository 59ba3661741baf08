"""Builds the test program of one block for scripts/coverage and scripts/mutate."""

import re
from pathlib import Path

import flow
from flow import FlowError


def add_option(parser):
    parser.add_argument("--models", metavar="DIR", default="",
                        help="finished build that lends the verilated models which are not measured (saves their build)")


def finished(models, jobs):
    """Brings the verilated models of that build up to date; its folder, or nothing."""
    if not models:
        return ""
    folder = Path(models).resolve()
    if not (folder / "build.ninja").is_file():
        raise FlowError(f"--models: {flow.shown(folder)} is no build: run `make build`")
    result = flow.run(["ninja", "-C", folder, "-j", str(jobs), "verilated"], 7200)
    if result.code != 0:
        raise FlowError(f"--models: {flow.shown(folder)}: {flow.last_error(result.output)}")
    return folder


def build(block, folder, options, jobs, models="", custom=""):
    """The program; `custom` is the build command that tests of the scripts bring."""
    program = folder / "tb" / f"test_rtl_{block}"
    # Said always: an earlier run of this folder may have said something else.
    options = [*options, f"-DWARPSIEVE_TEST=rtl/{block}", f"-DWARPSIEVE_RTL_FROM={models}"]
    commands = [[custom, folder]] if custom else [
        ["cmake", "-S", flow.ROOT, "-B", folder, "-G", "Ninja", "--log-level=WARNING", *options],
        ["ninja", "-C", folder, "-j", str(jobs), program.name]]
    folder.mkdir(parents=True, exist_ok=True)
    for command in commands:
        result = flow.run(command, 3600, log=folder / "build.log")
        if result.code != 0:
            lines = [line for line in result.output.splitlines() if re.search(r"error:|Error|FAILED", line)]
            raise FlowError(f"block {block}: the build failed: {(lines or [flow.last_error(result.output)])[0]} "
                            f"({flow.shown(folder)}/build.log)")
    if not program.is_file():
        raise FlowError(f"block {block}: the build made no {flow.shown(program)}")
    return program
