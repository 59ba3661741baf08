"""points.txt is the only list of a module's points: a line more is a compiled point more."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
#include <iostream>
#include "rtl_points/toy/counter.h"
using namespace warpsieve;
struct Base { virtual ~Base() = default; virtual const char* name() const = 0; };
template <class V> struct At : Base { const char* name() const override { return V::name; } };
int main(int, char** argv) try {
  std::cout << make_at_point<rtl_points::counter, Base>(
      {{"Width", std::stoull(argv[1])}, {"Top", std::stoull(argv[2]), argv[3][0] == '+'}},
      [&]<class V>() { return std::make_unique<At<V>>(); })->name();
} catch (const std::invalid_argument& error) {
  std::cout << error.what();
}
"""


class Points(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "rtl/toy").mkdir(parents=True)
        (self.root / "rtl/toy/counter.sv").write_text(
            "module counter #(parameter int unsigned Width = 4, parameter int unsigned Top = 9) ();\nendmodule\n")
        self.points = self.root / "rtl/toy/points.txt"
        self.points.write_text("# point module latency rate parameters\nmin counter 1 1 Width=2 Top=3\n")

    def generate(self):
        return subprocess.run(["cmake", f"-DROOT={self.root}", "-DBLOCK=toy", f"-DOUT={self.root}", "-P",
                               ROOT / "sim_cpp/blocks/points_header.cmake"], capture_output=True, text=True, check=False)

    def build(self):
        done = self.generate()
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in re.findall(r"#include <(V\w+)\.h>", (self.root / "rtl_points/toy/counter.h").read_text()):
            (self.root / f"{name}.h").write_text(
                f'struct {name} {{ static constexpr const char* name = "{name}"; }};\n')
        (self.root / "main.cpp").write_text(PROGRAM)
        subprocess.run(["g++", "-std=c++20", f"-I{self.root}", f"-I{ROOT / 'sim_cpp'}", self.root / "main.cpp", "-o",
                        self.root / "main", "-lfmt"], check=True)

    def ask(self, *words):
        return subprocess.run([self.root / "main", *words], capture_output=True, text=True, check=True).stdout

    def test_one_line_more_is_one_point_more(self):
        self.build()
        self.assertEqual(self.ask("2", "3", "="), "Vcounter_min")
        self.assertEqual(self.ask("7", "9", "="),
                         "counter: no RTL compiled for Width 7 Top 9: see rtl/toy/points.txt")
        with self.points.open("a") as file:
            file.write("planted counter - 1/2 Width=7  # Top: the default of counter.sv\nwide counter 3 - Width=7 Top=12\n")
        self.build()
        self.assertEqual(self.ask("2", "3", "="), "Vcounter_min")
        self.assertEqual(self.ask("7", "9", "="), "Vcounter_planted")
        # The first line that serves is taken; a greater value serves only where that is asked for.
        self.assertEqual(self.ask("7", "10", "+"), "Vcounter_wide")
        self.assertEqual(self.ask("7", "1", "+"), "Vcounter_planted")
        self.assertIn("no RTL compiled for Width 7 Top 10", self.ask("7", "10", "="))

    def test_a_wrong_line_is_refused(self):
        for line, message in (("odd counter 1 1 Width=x", "expected Name=number, found 'Width=x'"),
                              ("odd counter one 1 Width=2", "expected a latency"), ("odd counter 1 2 Width=2", "expected a latency"),
                              ("odd", "expected 'point module latency rate Name=value...'"),
                              ("odd counter 1 1 Width=2 Top=3\nbad counter 1 1 Width=2 Step=1", "Step is missing")):
            self.points.write_text(line + "\n")
            done = self.generate()
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, " ".join(done.stderr.split()))

    def test_no_list_is_left(self):
        """Verilated classes of single points are named by generated headers, and by tests of one point."""
        for path in [*(ROOT / "sim_cpp").rglob("*.h"), *(ROOT / "sim_cpp").rglob("*.cpp"), *(ROOT / "tb").rglob("*.cpp")]:
            named = re.findall(r'#include [<"](V[a-z]\w*_\w+\.h)[>"]', path.read_text())
            self.assertLessEqual(len(named), "tb" in path.relative_to(ROOT).parts[:1], f"{path}: {named}")


if __name__ == "__main__":
    sys.exit(unittest.main())
