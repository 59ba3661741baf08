"""Coverage: what gcov and Verilator's points say, from a program that brings hand-written points; waveforms; totals."""

import json
import os
import stat
import subprocess
import sys
import unittest

from support import REPO, Repository, alive, wait_for

from cpp_text import class_heads  # noqa: E402  (support.py puts scripts/lib on the path)

CPP = """int toy(int x) {
  if (x > 3) {
    return 1;
  }
  return 2;
}
"""
MAIN = """#include <cstdlib>
#include <fstream>
int toy(int x);
int main() {
  std::ofstream(std::getenv("WARPSIEVE_COVERAGE")) << std::ifstream(std::getenv("POINTS")).rdbuf();
  return std::getenv("FAIL") ? 1 : toy(std::getenv("BIG") ? 5 : 1) == 0;
}
"""
BUILD = """#!/bin/sh
set -e
mkdir -p "$1/tb" "$1/block_toy.dir"
cd "$1/block_toy.dir"
g++ --coverage -c {root}/sim_cpp/blocks/toy/toy.cpp -o toy.o
g++ --coverage toy.o {root}/main.cpp -o ../tb/test_rtl_toy
"""


def point(page, line, comment, count, lines="", file="rtl/toy/counter.sv", hier="top"):
    fields = {"f": f"/somewhere/{file}", "l": line, "page": f"{page}/counter", "o": comment, "S": lines, "h": hier}
    return "C '" + "".join(f"\x01{k}\x02{v}" for k, v in fields.items()) + f"' {count}\n"


class Coverage(Repository):
    def setUp(self):
        super().setUp()
        self.write("sim_cpp/blocks/toy/toy.cpp", CPP)
        self.write("main.cpp", MAIN)
        build = self.write("build.sh", BUILD.format(root=self.root))
        build.chmod(build.stat().st_mode | stat.S_IXUSR)
        self.points(point("v_line", 10, "block", 5, "10-11"), point("v_branch", 12, "if", 0, "12,14", hier="a"),
                    point("v_branch", 12, "if", 2, "12,14", hier="b"), point("v_line", 13, "block", 0, "13"),
                    point("v_toggle", 9, "count_q[0]", 4), point("v_toggle", 9, "count_q[1]", 0),
                    point("v_user", 20, "cover c_top", 0), point("v_user", 21, "cover c_step", 7),
                    point("v_line", 3, "block", 0, "3", file="rtl/common/other.sv"))

    def points(self, *lines):
        self.write("points.txt", "# SystemC::Coverage-3\n" + "".join(lines))

    def cover(self, *options, **env):
        return self.call("coverage", "--block", "toy", *options, env={
            "WARPSIEVE_COVERAGE_BUILD": str(self.root / "build.sh"), "POINTS": str(self.root / "points.txt"), **env})

    def test_lines_instances_and_points_are_added_up(self):
        code, text = self.cover("--missed", "--record")
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"C\+\+ +75.0 % of 4 lines, SystemVerilog +80.0 % of 5 lines, toggles +50.0 %, cover points 1 of 2")
        self.assertIn("cover point not hit: rtl/toy/counter.sv:c_top", text)
        self.assertIn("not reached: sim_cpp/blocks/toy/toy.cpp:3", text)
        self.assertIn("not reached: rtl/toy/counter.sv:13", text)
        record = json.loads((self.root / "tb/coverage/toy.json").read_text())
        self.assertEqual(record["covers"]["missed"], ["rtl/toy/counter.sv:c_top"])
        self.assertEqual(record["sv"]["percent"], 80.0)

    def test_a_source_that_no_test_links_is_unreached(self):
        self.write("sim_cpp/blocks/toy/unused.cpp", "int unused(int x) {\n  return x;\n}\n")
        with (self.root / "build.sh").open("a") as build:
            build.write(f"g++ --coverage -c {self.root}/sim_cpp/blocks/toy/unused.cpp -o unused.o\n")
        code, text = self.cover("--missed")
        self.assertRegex(text, r"C\+\+ +50.0 % of 6 lines")
        self.assertIn("not reached: sim_cpp/blocks/toy/unused.cpp:1-2", text)

    def test_the_head_of_a_class_is_no_line(self):
        text = ("template <class T>\nclass Inlet final : public InPort<T> {\n  bool ready() const override { return r; }\n"
                "  struct Req final : InPort<MetaReq> {\n    struct Two { int v = twice(); };\n  };\n  struct Two two = make();\n"
                "struct Entry {\n")
        self.assertEqual(class_heads(text), {2, 4, 8})

    def test_exceptions_excuse_what_they_name_and_must_still_be_needed(self):
        self.write("tb/coverage/exceptions.txt", "toy rtl/toy/counter.sv:c_top unreachable: proof range\n"
                   "toy sim_cpp/blocks/toy/toy.cpp:`return 1;` no caller has more than three\n"
                   f"toy rtl/toy/counter.sv:`{(self.root / 'rtl/toy/counter.sv').read_text().splitlines()[12].strip()}` x\n")
        code, text = self.cover()
        self.assertEqual(code, 0, text)
        code, text = self.cover(BIG="1")
        self.assertEqual(code, 1, text)
        self.assertIn("toy.cpp:return 1; is reached or unknown: remove the line", text)

    def test_a_function_of_the_elaboration_is_excused_as_a_whole(self):
        self.edit("rtl/toy/counter.sv", "  logic [Width-1:0] count_q;\n", "  logic [Width-1:0] count_q;\n"
                  "  function automatic logic twice(input logic a);\n    twice = a;\n  endfunction\n")
        number = (self.root / "rtl/toy/counter.sv").read_text().splitlines().index("    twice = a;") + 1
        self.points(point("v_line", number, "block", 0, str(number)), point("v_line", number + 4, "block", 1))
        self.assertEqual(self.cover(BIG="1")[0], 1)
        self.write("tb/coverage/exceptions.txt", "toy rtl/toy/counter.sv:function=twice only elaboration calls it\n"
                   "toy sim_cpp/blocks/toy/toy.cpp:`return 1;` no caller\n")
        code, text = self.cover()
        self.assertEqual(code, 0, text)

    def test_mistakes_are_refused(self):
        self.assertIn("blocks: toy", self.refused("coverage", "--block", "nosuch"))
        self.assertIn("is no build: run `make build`", self.refused("coverage", "--block", "toy", "--models", "nosuch"))
        code, text = self.cover(FAIL="1")
        self.assertEqual(code, 2)
        self.assertIn("its tests fail", text)
        self.points()
        self.write("tb/coverage/exceptions.txt", "toy something\n")
        self.assertIn("exceptions.txt:1", self.refused("coverage", "--block", "toy"))


class Waves(Repository):
    """npm and node are stand-ins: what is checked is when something is rendered."""

    def setUp(self):
        super().setUp()
        self.write("rtl/toy/wave.json5", "{ signal: [] }\n")
        for name, body in (("npm", "exit 0"), ("node", 'case "$(cat "$2")" in *bad*) echo "SyntaxError: bad"; exit 1;; '
                                                       'esac; echo "<svg/>"')):
            path = self.write(f"bin/{name}", f"#!/bin/sh\n{body}\n")
            path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def waves(self, *options):
        return self.call("wavedrom", *options, env={"PATH": f"{self.root}/bin:{os.environ['PATH']}"})

    def test_rendered_once_and_again_after_an_edit(self):
        code, text = self.waves("--check")
        self.assertEqual(code, 1)
        self.assertIn("rtl/toy/wave.json5 has not been rendered", text)
        self.assertEqual(self.waves()[0], 0)
        self.assertEqual(self.waves("--check")[0], 0)
        self.assertIn("0 of 1 rendered", self.waves()[1])
        self.write("rtl/toy/wave.json5", "{ signal: [{}] }\n")
        self.assertIn("differs from its rendered form", self.waves("--check")[1])
        self.assertIn("1 of 1 rendered", self.waves()[1])

    def test_bad_source_and_orphan(self):
        self.write("rtl/toy/wave.json5", "bad\n")
        self.write("rtl/toy/wave_old.svg", "<svg/>\n")
        code, text = self.waves()
        self.assertEqual(code, 1)
        self.assertIn("rtl/toy/wave.json5: SyntaxError: bad", text)
        self.assertIn("rtl/toy/wave_old.svg has no source", text)


class Regress(Repository):
    def test_totals_by_folder_and_blocks_below_a_million(self):
        self.write("build/CTestTestfile.cmake", 'add_test([=[rtl/toy/One]=] "true")\nadd_test([=[rtl/toy/Two]=] "false")\n'
                   'add_test([=[sim/core/Env]=] "/bin/sh" "-c" "test -n \\"$WARPSIEVE_LONG\\"")\n')
        code, text = self.call("regress", "--jobs", "2")
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"rtl/toy +1 +0 +1")
        self.assertRegex(text, r"sim/core +1 +0 +0")
        self.assertIn("fewer than a million shadow transactions in: toy", text)
        self.assertIn("regress: failed: rtl/toy/Two", text)
        says = "[ long     ] {} transactions\\n"
        # What a failed test went through counts for nothing.
        self.write("build/CTestTestfile.cmake",
                   f'add_test([=[rtl/toy/One]=] "sh" "-c" "printf \'{says.format(2000000)}\'; false")\n')
        code, text = self.call("regress", "--block", "toy")
        self.assertEqual(code, 1, text)
        self.assertIn("fewer than a million shadow transactions in: toy", text)
        for second, expected in ((399999, 1), (400000, 0)):
            self.write("build/CTestTestfile.cmake",
                       f'add_test([=[rtl/toy/One]=] "printf" "{says.format(600000)}")\n'
                       f'add_test([=[rtl/toy/Two]=] "printf" "{"x" * 5000}\\n{says.format(second)}")\n'
                       'add_test([=[sim/core/Env]=] "false")\n')
            code, text = self.call("regress", "--block", "toy", "--record")
            self.assertEqual(code, expected, text)
            self.assertIn("regress: 2 passed, 0 failed, 0 skipped", text)
            self.assertEqual("fewer than a million" in text, bool(expected))
            record = json.loads((self.root / "tb/long_runs.json").read_text())
            self.assertEqual(record["toy"]["transactions"], 600000 + second)
            self.assertRegex(record["toy"]["rtl"], "^[0-9a-f]{16}$")

    def test_a_signal_ends_the_tests_too(self):
        pid = self.root / "pid"
        self.write("build/CTestTestfile.cmake", f'add_test([=[rtl/toy/One]=] "sh" "-c" "echo $$ > {pid}; exec sleep 300")\n')
        with subprocess.Popen([sys.executable, REPO / "scripts" / "regress"], stdout=subprocess.DEVNULL, env=dict(
                os.environ, WARPSIEVE_ROOT=str(self.root), WARPSIEVE_BUILD=str(self.root / "build"))) as run:
            wait_for(self, lambda: pid.is_file() and pid.read_text().strip())
            run.terminate()
            self.assertEqual(run.wait(timeout=60), 128 + 15)
        wait_for(self, lambda: not alive(int(pid.read_text())))

    def test_no_build_is_refused(self):
        self.assertIn("make build", self.refused("regress"))


if __name__ == "__main__":
    unittest.main()
