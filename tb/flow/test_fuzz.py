"""scripts/fuzz with programs that only say what a fuzz target would: targets at a time, findings, totals."""

import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import REPO, alive, wait_for

# Each waits until the other has started: with one target at a time it would give up.
TARGET = """#!/bin/sh
touch "$0.on"
for i in $(seq 100); do
  [ -e "$(dirname "$0")/fuzz_{other}.on" ] && break
  [ "$i" = 100 ] && {{ echo "terminate called: alone"; exit 1; }}
  sleep 0.1
done
echo "#64 INITED cov: 12 ft: 20"
echo "$@" >&2
{end}
echo "stat::number_of_executed_units: {count}"
exit {code}
"""


class Fuzz(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpsieve-fuzz-")
        self.addCleanup(folder.cleanup)
        self.root, self.build = Path(folder.name) / "repo", Path(folder.name) / "build"
        for part in ("scripts/lib", "tb/fuzz", "synth/cells"):
            shutil.copytree(REPO / part, self.root / part)
        shutil.copy(REPO / "scripts" / "fuzz", self.root / "scripts" / "fuzz")
        self.programs = self.build / "tb" / "fuzz"
        self.programs.mkdir(parents=True)

    def target(self, name, other, count, code=0, end=""):
        program = self.programs / f"fuzz_{name}"
        program.write_text(TARGET.format(other=other, count=count, code=code, end=end))
        program.chmod(0o755)

    def fuzz(self, *words):
        return subprocess.run([sys.executable, self.root / "scripts" / "fuzz", "--build", self.build, "--seconds", "1", *words],
                              capture_output=True, text=True, check=False)

    def totals(self):
        text = (self.root / "tb" / "fuzz" / "README.md").read_text()
        return {name: int(count.replace(",", "")) for name, count in re.findall(r"(?m)^\| `?(\w+)`? +\| *([\d,]+) \|", text)}

    def test_targets_at_a_time_and_their_totals(self):
        self.target("mesh", "image", 1234)
        self.target("image", "mesh", 4321)
        before = self.totals()
        run = self.fuzz("--jobs", "2", "--target", "mesh", "--target", "image", "--record")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"(?m)^mesh +1,234 +\d+ +12  -$")
        self.assertRegex(run.stdout, r"(?m)^image +4,321 +\d+ +12  -$")
        self.assertIn("fuzz: 5,555 executions, 0 targets with a finding", run.stdout)
        added = {name: count - before[name] for name, count in self.totals().items() if count != before[name]}
        self.assertEqual(added, {"mesh": 1234, "image": 4321, "all": 5555})
        self.assertIn("-max_total_time=1", (self.build / "mesh.log").read_text())

    def test_a_finding_is_reported_and_the_others_go_on(self):
        self.target("mesh", "image", 10, 77, 'echo "==1==ERROR: AddressSanitizer: heap-buffer-overflow" >&2')
        self.target("image", "mesh", 20)
        run = self.fuzz("--jobs", "2", "--target", "mesh", "--target", "image")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"(?m)^mesh .*ERROR: AddressSanitizer: heap-buffer-overflow$")
        self.assertRegex(run.stdout, r"(?m)^image +20 .* -$")
        self.assertIn("1 targets with a finding, inputs in", run.stdout)

    def test_a_stopped_target_is_no_finding(self):
        self.target("mesh", "image", 10, 72, 'echo "==1== libFuzzer: run interrupted; exiting" >&2')
        self.target("image", "mesh", 20, end="kill -9 $$")
        run = self.fuzz("--jobs", "2", "--target", "mesh", "--target", "image", "--record")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"(?m)^mesh +10 .* interrupted, no finding$")
        self.assertRegex(run.stdout, r"(?m)^image +0 .* killed, no finding$")
        self.assertIn("fuzz: 10 executions, 0 targets with a finding, 2 stopped before their time", run.stdout)
        findings = re.compile(r"(?m)^\| all .*\| +(\d+) \|$")
        self.assertEqual(*(findings.search((root / "tb/fuzz/README.md").read_text())[1] for root in (REPO, self.root)))

    def test_a_signal_to_the_runner_ends_the_targets(self):
        self.target("mesh", "image", 10, end="echo $$ > $0.pid; exec sleep 300")
        self.target("image", "mesh", 10, end="echo $$ > $0.pid; exec sleep 300")
        for number in (signal.SIGINT, signal.SIGTERM):
            command = [sys.executable, self.root / "scripts" / "fuzz", "--build", self.build, "--jobs", "2"]
            with subprocess.Popen([*command, "--target", "mesh", "--target", "image"], stdout=subprocess.DEVNULL) as run:
                files = [self.programs / f"fuzz_{name}.pid" for name in ("mesh", "image")]
                pids = [wait_for(self, lambda f=f: f.is_file() and f.read_text().strip()) for f in files]
                run.send_signal(number)
                self.assertEqual(run.wait(timeout=60), 128 + number)
            for pid, file in zip(pids, files):
                wait_for(self, lambda p=pid: not alive(p))
                file.unlink()

    def test_one_at_a_time_unless_asked(self):
        self.target("mesh", "image", 10)
        run = self.fuzz("--target", "mesh")
        self.assertEqual(run.returncode, 1)
        self.assertIn("terminate called: alone", run.stdout)

    def test_cell_maps_have_another_seed_each_time(self):
        self.assertEqual(self.fuzz("--target", "cells").returncode, 0)
        first = (self.build / "cells.log").read_text()
        self.assertRegex(first, r"^\d+ inputs of seed \d+, each read or refused in one line$")
        self.assertEqual(self.fuzz("--target", "cells").returncode, 0)
        self.assertNotEqual(first.split(" of ")[1], (self.build / "cells.log").read_text().split(" of ")[1])

    def test_a_missing_program_and_an_unknown_target_before_anything_runs(self):
        for name, said in (("mesh", "no such program; `make fuzz` builds it"), ("meshes", "no target 'meshes'")):
            run = self.fuzz("--target", "cells", "--target", name)
            self.assertEqual(run.returncode, 2)
            self.assertFalse((self.build / "cells.log").exists())
            self.assertIn(said, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
