"""The tutorial, done: every file and every command of scripts/tutorial/README.md, in a copy of the tree.

The copy is an overlay in a mount namespace of its own: tree and build folder keep their paths, so that CMake builds only
what the tutorial adds, and what it writes is gone afterwards. WARPSIEVE_BUILD names the build folder. Where mount
namespaces are not allowed the test is skipped (exit code 77).
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from support import REPO

BUILD = Path(os.environ.get("WARPSIEVE_BUILD", REPO / "build")).resolve()
PAGE = REPO / "scripts" / "tutorial" / "README.md"
LIMIT = 600  # seconds for one command


def steps(text):
    """What the page asks for, in its order: ("file", path, content) and ("run", command)."""
    found, before = [], ""
    for part in re.split(r"(?m)^(```\w*\n.*?^```\n)", text, flags=re.S):
        fence = re.fullmatch(r"```(\w*)\n(.*?)```\n", part, re.S)
        if not fence:
            before = part
            continue
        named = re.search(r"File\s+`([^`]+)`:\s*$", before)
        if named:
            found.append(("file", named[1], fence[2]))
        elif fence[1] == "bash":
            found += [("run", line) for line in re.sub(r"\s*\\\n\s*", " ", fence[2]).splitlines()]
        before = ""
    return found


def overlay(folder, store):
    for name in ("up", "work"):
        (store / name).mkdir(parents=True)
    options = f"lowerdir={folder},upperdir={store / 'up'},workdir={store / 'work'}"
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, folder], check=True)


def inside(store):
    """Runs in the namespace; prints what became of every command, as JSON."""
    store = Path(store)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", store], check=True)
    overlay(REPO, store / "tree")
    if not BUILD.is_relative_to(REPO):
        overlay(BUILD, store / "build")
    os.chdir(REPO)
    shown = os.path.relpath(BUILD, REPO) if BUILD.is_relative_to(REPO) else str(BUILD)
    done = []
    for step in steps(PAGE.read_text()):
        if step[0] == "file":
            path = REPO / step[1]
            assert not path.exists(), f"{step[1]} is not new"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step[2])
            continue
        command = re.sub(r"(?<![\w/])build(?=/| |$)", shown, step[1])
        command = command.replace(f"cmake --{shown}", "cmake --build")
        started = time.monotonic()
        ran = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=LIMIT, env=dict(os.environ, WARPSIEVE_BUILD=str(BUILD)), check=False)
        done.append({"command": step[1], "code": ran.returncode, "text": ran.stdout,
                     "seconds": round(time.monotonic() - started, 1)})
        if ran.returncode:
            break
    wave = BUILD / "cfd.zero_victims.mc0.slice0.zero_table.0-20000"
    print(json.dumps({"done": done, "waves": [wave.with_name(wave.name + end).is_file() for end in (".fst", ".gtkw")]}))


class Reading(unittest.TestCase):
    def test_files_and_commands_of_a_page(self):
        text = ("x\n\n```\npicture\n```\n\nText. File\n`a/b.c`:\n\n```cpp\nint a;\n```\n\nthen\n\n"
                "```bash\none\ntwo \\\n  -x\n```\n")
        self.assertEqual(steps(text), [("file", "a/b.c", "int a;\n"), ("run", "one"), ("run", "two -x")])


class Tutorial(unittest.TestCase):
    def test_every_command_of_the_page(self):
        names = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-U", "-r", "-m"]
        with tempfile.TemporaryDirectory(prefix="warpsieve-tutorial-") as store:
            probe = f"mount -t tmpfs tmpfs {store} && mkdir {store}/u {store}/w && mount -t overlay overlay " \
                    f"-o lowerdir={REPO},upperdir={store}/u,workdir={store}/w {REPO}"
            if subprocess.run([*names, "sh", "-c", probe], capture_output=True, check=False).returncode:
                self.skipTest("no mount namespace with an overlay here")
            ran = subprocess.run([*names, sys.executable, __file__, "--inside", store], capture_output=True, text=True,
                                 check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        result = json.loads(ran.stdout)
        for step in result["done"]:
            print(f"{step['seconds']:6.1f} s  {step['command']}", file=sys.stderr)
            self.assertEqual(step["code"], 0, f"{step['command']}\n{step['text'][-4000:]}")
        commands = [s[1] for s in steps(PAGE.read_text()) if s[0] == "run"]
        self.assertEqual([s["command"] for s in result["done"]], commands)

        files = [s[1] for s in steps(PAGE.read_text()) if s[0] == "file"]
        scheme = [f for f in files if f.startswith("sim_cpp/schemes/")]
        self.assertGreater(len(scheme), 1)
        self.assertEqual({os.path.dirname(f) for f in scheme}, {"sim_cpp/schemes/zero_victims"})
        for path in files:
            self.assertFalse((REPO / path).exists(), f"{path}: the tutorial must not change a file of the tree")
        self.assertFalse([c for c in commands if re.search(r"\bsed\b|>", c)], "commands that edit the tree")

        def said(part):
            return next(s["text"] for s in result["done"] if part in s["command"])

        self.assertIn("[  PASSED  ] 6 tests", said("build/tb/test_rtl_zero_table"))
        self.assertIn("4 of 4 passed", said("scripts/formal"))
        self.assertIn("zero_table", said("scripts/synth"))
        rows = [line.split() for line in said("--compare baseline").splitlines() if line.startswith("cfd ")]
        self.assertEqual([row[1] for row in rows], ["baseline", "zero_victims"])
        self.assertEqual([row[-1] for row in rows], ["clean", "clean"])
        change = re.search(r"% +\d+ +([+-][\d.]+) %", said("--compare baseline"))
        self.assertLess(float(change[1]), 0, "zeros answered by the table are not read from DRAM")
        self.assertEqual(result["waves"], [True, True])
        self.assertFalse((REPO / "rtl" / "zero_table").exists(), "the tree itself must not change")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2])
    else:
        ended = unittest.main(exit=False).result
        sys.exit(0 if ended.wasSuccessful() and not ended.skipped else 77 if ended.wasSuccessful() else 1)
