"""The build with models only: nothing is verilated, and a block's RTL is a clear error.

WARPSIEVE_LONG=1 also builds it and runs the README's first example, as `make quick` does.
"""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import REPO

CALL = """#define FMT_HEADER_ONLY
#include <cstdio>
#include "rtl_points/victim_fifo/victim_fifo.h"
int main() {
  try {
    warpsieve::make_at_point<warpsieve::rtl_points::victim_fifo, int>(
        {{"Entries", 16}, {"TagBits", 24}, {"Sectors", 4}, {"DataBits", 256}}, []<class V>() { return nullptr; });
  } catch (const std::invalid_argument& error) { std::puts(error.what()); }
}
"""


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)


class Quick(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpsieve-quick-")
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)

    def configure(self, value, *points):
        done = run("cmake", "-S", REPO, "-B", self.build / value, "-G", "Ninja", "--log-level=WARNING",
                   f"-DWARPSIEVE_RTL={value}", f"-DWARPSIEVE_RTL_POINTS={';'.join(points)}",
                   "-DWARPSIEVE_TESTS=OFF", "-DWARPSIEVE_UNITY=OFF")
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = run("ninja", "-C", self.build / value, "-t", "inputs", "warpsieve")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        return [line.strip() for line in listed.stdout.splitlines()]

    def test_nothing_is_verilated(self):
        with_rtl = [name for name in self.configure("ON") if name.endswith("__ALL.cpp")]
        self.assertIn("victim_fifo", " ".join(with_rtl))
        without = self.configure("OFF")
        self.assertTrue(any(name.endswith("victim_fifo_model.cpp") for name in without))
        self.assertEqual([name for name in without if name.endswith("__ALL.cpp") or name.endswith(".sv")], [])

    def test_only_the_points_asked_for_are_verilated(self):
        verilated = [Path(name).parent.name for name in self.configure("ON", "victim_fifo@paper", "rata@six")
                     if name.endswith("__ALL.cpp")]
        self.assertEqual(sorted(verilated), ["Vrata_six", "Vvictim_fifo_paper"])

    def test_a_point_that_is_not_there_is_refused(self):
        done = run("cmake", "-S", REPO, "-B", self.build / "b", "-G", "Ninja", "-DWARPSIEVE_RTL_POINTS=rata@seven")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no point 'rata@seven': expected module@point of rtl/*/points.txt", " ".join(done.stderr.split()))

    def test_a_block_without_rtl_says_so(self):
        self.configure("OFF")
        source = self.build / "call.cpp"
        source.write_text(CALL)
        made = run("g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", REPO / "sim_cpp", "-I",
                   self.build / "OFF" / "points", source, "-o", self.build / "call")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("victim_fifo@paper: no RTL in this program (WARPSIEVE_RTL, WARPSIEVE_RTL_POINTS)", run(self.build / "call").stdout)

    @unittest.skipUnless(os.environ.get("WARPSIEVE_LONG"), "builds the program: WARPSIEVE_LONG=1")
    def test_the_readmes_first_example(self):
        main = [REPO / "scripts" / "run_main", "--build", self.build / "b", "--quick"]
        done = run(*main)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for text in ("stage 1 of 2", "stage 2 of 2 done", "0 left"):
            self.assertIn(text, done.stdout)
        text = (REPO / "README.md").read_text()
        table = text.split("```\n$ build/warpsieve run")[1].split("```")[0].splitlines()[1:]
        for line in table:
            self.assertIn(line, [shown.rstrip() for shown in done.stdout.splitlines()])
        program = self.build / "b" / "warpsieve"
        refused = run(program, "run", "--workload", "vecadd", "--scale", "small", "--scheme", "cmd", "--backend", "rtl")
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertEqual(len(refused.stderr.splitlines()), 1, refused.stderr)
        self.assertIn("no RTL in this program", refused.stderr)


if __name__ == "__main__":
    unittest.main()
