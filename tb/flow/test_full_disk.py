"""Every command that writes a file, on a disk that is really full: one line that names the file, exit code 2, and nothing
half written is left under the file's name (but for waveforms).

WARPSIEVE_BUILD names the build folder. The disk is a tmpfs of 64 KB, or of a size at which waveforms get so far, in a mount
namespace of its own; skipped (exit code 77) where that is not allowed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import REPO

OFF_CHIP = ("--set", "gpu.image_in_l2=0", "--set", "gpu.launch_latency=0")  # or the blocks would idle in these windows
PROGRAM = Path(os.environ.get("WARPSIEVE_BUILD", REPO / "build")) / "warpsieve"
SWEEP = 'scale = "small"\nschemes = ["baseline", "cmd"]\nworkloads = ["vecadd"]\n'


def on_full_disk(disk, words, size="64k", filler="fill"):
    """(the result of a command, names on the disk afterwards) with a tmpfs mounted at `disk`, full but for no filler."""
    fill = f'cat /dev/zero > "$0/{filler}" 2>/dev/null; ' if filler else ""
    script = (f'mount -t tmpfs -o size={size} tmpfs "$0" && mkdir "$0/d" && {{ {fill}"$@"; '
              'code=$?; cd "$0" && echo "left: $(find . -type f | sort | tr "\\n" " ")" >&2; exit $code; }')
    return subprocess.run(["unshare", "-m", "sh", "-c", script, str(disk), *map(str, words)], capture_output=True, text=True,
                          check=False)


class FullDisk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpsieve-full-")
        root = Path(cls.folder.name)
        cls.disk = root / "disk"
        cls.disk.mkdir()
        (root / "s.toml").write_text(SWEEP)
        (root / "accesses").write_text("".join(f"0 {32 * i:x} R\n" for i in range(64)))
        accelsim = root / "accelsim"
        accelsim.mkdir()
        (accelsim / "kernelslist.g").write_text("kernel-1.traceg\n")
        shutil.copy(REPO / "tb" / "fuzz" / "corpus" / "traceg" / "v5", accelsim / "kernel-1.traceg")
        cls.root = root
        for words in (("run", "-w", "bfs", "--scale", "small", "-s", "cmd", "--json", root / "ok.json"),
                      ("sweep", "run", root / "s.toml", "-o", root / "sweep"),
                      ("trace", "import", accelsim / "kernelslist.g", "-o", root / "ok.wst")):
            ran = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
            assert ran.returncode == 0, ran.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def refused(self, *words, what="No space left on device", name="x", left=()):
        """The last line names the file and what happened; the disk holds no part of it."""
        ran = on_full_disk(self.disk, [PROGRAM, *words])
        *others, line, rest = ran.stderr.splitlines()
        self.assertEqual(ran.returncode, 2, ran.stderr)
        self.assertRegex(line, f"^warpsieve: {self.disk}.*{name}.*: .*{what}")
        self.assertFalse([other for other in others if "warpsieve: " in other and " points to simulate, about " not in other], ran.stderr)
        self.assertEqual(rest.split()[1:], sorted(["./fill", *left]))

    def test_a_run(self):
        self.refused("run", "-w", "vecadd", "--scale", "small", "--json", self.disk / "x.json")
        # The writer of waveforms keeps its files open to the end.
        name = "./bfs.cmd.mc0.dedup.0-30000.fst"
        self.refused("run", "-w", "bfs", "--scale", "small", "-s", "cmd", *OFF_CHIP, "--fst", "dedup@mc0:0-30000",
                     "--fst-dir", self.disk, name="", left=[name, name + ".hier"])

    def test_waveforms_on_disks_of_several_sizes(self):
        """Wherever the writer stops: in memory that has no disk behind it, or with a file that is cut."""
        self.assertIsNone(os.environ.get("WARPSIEVE_FST"))
        line = f"^warpsieve: {self.disk}.*: cannot write.*: No space left on device$"
        for size in (16, 64, 96, 128, 192, 256, 384):
            with self.subTest(kilobytes=size):
                ran = on_full_disk(self.disk, [PROGRAM, "run", "-w", "vecadd,kmeans", "--scale", "small", "--compare", "baseline",
                                               "-s", "cmd", *OFF_CHIP, "--fst", "dedup@mc1:0-5000", "--fst-dir", self.disk, "--json",
                                               self.root / "some.json"], size=f"{size}k", filler="")
                self.assertEqual(ran.returncode, 2, ran.stderr)
                said, rest = ran.stderr.splitlines()
                self.assertRegex(said, line)
                self.assertTrue(rest.startswith("left:"))
                self.assertRegex(ran.stdout, "(?m)^vecadd +baseline .* clean$")  # what was finished
                self.assertIn('"scheme": "baseline"', (self.root / "some.json").read_text())
        for size in (64, 128, 512, 1024, 2048):
            with self.subTest(whole=True, kilobytes=size):
                ran = on_full_disk(self.disk, ["env", f"WARPSIEVE_FST={self.disk}/w", PROGRAM, "run", "-w", "vecadd", "--scale",
                                               "small", "--compare", "baseline", "-s", "cmd", *OFF_CHIP, "-b", "rtl", "-j", "2"],
                                   size=f"{size}k", filler="")
                self.assertEqual(ran.returncode, 2, ran.stderr)
                said, _ = ran.stderr.splitlines()
                self.assertRegex(said, line)
                self.assertRegex(ran.stdout, "(?m)^vecadd +baseline .* clean$")

    def test_a_sweep(self):
        self.refused("sweep", "run", self.root / "s.toml", "-o", self.disk / "x")
        # SQLite keeps its own file; a later merge goes on with it.
        self.refused("sweep", "merge", self.root / "sweep", "-o", self.disk / "x.sqlite", what="(disk is full|disk I/O error)",
                     left=["./x.sqlite"])

    def test_a_report(self):
        self.refused("report", self.root / "ok.json", "-o", self.disk / "x.html")

    def test_traces(self):
        self.refused("trace", "record", "vecadd", "--scale", "small", "-o", self.disk / "x.wst")
        self.refused("trace", "import", self.root / "accelsim" / "kernelslist.g", "-o", self.disk / "x.wst")

    def test_claims(self):
        self.refused("claims", "--paper", "cmd", "--run", self.disk / "x", name="sweep.json")

    def test_bench(self):
        self.refused("bench", "--quick", "--only", "vecadd", "--json", self.disk / "x.json")

    def test_dram_commands(self):
        self.refused("dram", "--trace", self.root / "accesses", "--commands", self.disk / "x")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as probe:
        allowed = on_full_disk(probe, ["true"])
    if allowed.returncode != 0:
        print(f"skipped: no file system may be mounted here: {allowed.stderr.strip()}")
        sys.exit(77)
    unittest.main()
