"""Lint and the layering check: each finding is planted once and must be named."""

import shutil
import subprocess
import unittest

from support import REPO, Repository

PORTS = ("input wire logic clk_i, input wire logic rst_ni, input wire logic in_valid_i, output logic in_ready_o, "
         "output logic out_valid_o, input wire logic out_ready_i")
STATE = "  logic full_q;\n  always_ff @(posedge clk_i) full_q <= rst_ni && (full_q ? !out_ready_i : in_valid_i);\n"


class Lint(Repository):
    def finding(self, *options):
        code, text = self.call("lint", "--block", "toy", *options)
        self.assertEqual(code, 1, text)
        return text

    def test_clean_block(self):
        code, text = self.call("lint", "--block", "toy")
        self.assertEqual(code, 0, text)
        self.assertIn("toy/counter@paper", text)

    def test_ready_from_state_is_clean(self):
        self.module("slot", PORTS, STATE + "  assign in_ready_o = !full_q;\n  assign out_valid_o = full_q;")
        code, text = self.call("lint", "--block", "toy")
        self.assertEqual(code, 0, text)

    def test_ready_that_looks_at_an_input(self):
        self.module("slot", PORTS, STATE + "  assign in_ready_o = !full_q || out_ready_i;\n  assign out_valid_o = full_q;")
        self.assertIn("from input out_ready_i to an output", self.finding())

    def test_path_through_an_asynchronous_memory_read(self):
        self.module("peek", "input wire logic clk_i, input wire logic [1:0] a_i, input wire logic d_i, output logic q_o",
                    "  logic words_q [4];\n  always_ff @(posedge clk_i) words_q[a_i] <= d_i;\n  assign q_o = words_q[a_i];")
        text = self.finding()
        self.assertIn("from input a_i to an output", text)
        self.assertNotIn("from input d_i", text)

    def test_combinational_module_may_have_paths(self):
        self.module("gate", "input wire logic a_i, output logic y_o", "  assign y_o = !a_i;")
        self.assertEqual(self.call("lint", "--block", "toy")[0], 0)

    def test_verilator_warning(self):
        self.edit("rtl/toy/counter.sv", "count_q + 1'b1", "count_q + 2'd1")
        self.edit("rtl/toy/counter.sv", "Width = 4", "Width = 5")
        self.assertIn("WIDTH", self.finding())

    def test_wire_without_driver(self):
        self.edit("rtl/toy/counter.sv", "assign value_o = count_q;", "logic loose;\n  assign value_o = count_q ^ Width'(loose);")
        self.assertRegex(self.finding(), "UNDRIVEN|no driver")

    def test_construct_that_only_yosys_rejects(self):
        self.edit("rtl/toy/counter.sv", "assign value_o = count_q;",
                  "logic [1:0][1:0] pair;\n  assign pair = count_q;\n  assign value_o = pair;")
        self.assertIn("yosys:", self.finding())

    def test_latch_that_only_gated_clocks_have(self):
        shutil.copy(REPO / "rtl/common/clock_gate.sv", self.root / "rtl/toy/clock_gate.sv")
        gate = "  clock_gate i_gate (.clk_i, .enable_i(in_valid_i), .test_i(1'b0), .clk_o(clk));"
        body = STATE.replace("posedge clk_i", "posedge clk") + "  assign in_ready_o = !full_q;\n  assign out_valid_o = full_q;"
        self.module("slot", PORTS, f"  logic clk;\n{gate}\n{body}")
        self.write("rtl/toy/slot.f", "toy/clock_gate.sv\ntoy/slot.sv\n")
        code, text = self.call("lint", "--block", "toy")
        self.assertEqual(code, 0, text)
        self.edit("rtl/toy/slot.sv", "assign out_valid_o = full_q;", "`ifdef WARPSIEVE_CLOCK_GATE\n  logic held;\n"
                  "  always_latch if (!clk_i) held = full_q;\n  assign out_valid_o = held;\n`else\n  assign out_valid_o = full_q;\n`endif")
        self.assertIn("yosys, gated clocks: ", self.finding())

    def test_reset_to_what_is_no_constant(self):
        self.edit("rtl/toy/counter.sv", "count_q <= '0;\n", "count_q <= Width'(step_i);\n")
        self.assertIn("asynchronous reset", self.finding())

    def test_illegal_parameter_at_one_point(self):
        self.write("rtl/toy/points.txt", "good counter 1 1 Width=4 Top=9\nbad counter 1 1 Width=4 Topp=3\n")
        text = self.finding()
        self.assertRegex(text, r"toy/counter@good +clean")
        self.assertRegex(text, r"toy/counter@bad +\d+ findings")

    def test_bad_points_and_lists_are_refused(self):
        self.write("rtl/toy/points.txt", "paper\n")
        self.assertIn("rtl/toy/points.txt:1", self.refused("lint", "--block", "toy"))
        self.write("rtl/toy/points.txt", "paper counter 1 1 Width\n")
        self.assertIn("'Width'", self.refused("lint", "--block", "toy"))
        self.assertIn("blocks: toy", self.refused("lint", "--block", "nosuch"))
        self.write("rtl/toy/points.txt", "paper counter - -\n")
        self.write("rtl/toy/counter.f", "toy/gone.sv\n")
        self.assertIn("no such file: toy/gone.sv", self.finding())


class Check(Repository):
    """A script without tools that prints its findings."""

    def found(self, *options):
        code, text = self.call(self.SCRIPT, *options)
        self.assertEqual(code, 1, text)
        return text


class Layering(Check):
    SCRIPT = "check_layering"

    def setUp(self):
        super().setUp()
        self.write("tb/rtl/toy/test_toy.cpp", '#include "blocks/toy/toy.h"\n')
        self.write("sim_cpp/blocks/toy/toy.h", '#include "cosim/block.h"\n')

    def test_clean(self):
        code, text = self.call("check_layering")
        self.assertEqual(code, 0, text)

    def test_missing_mirrors(self):
        self.write("rtl/other/other.sv", "`default_nettype none\n")
        text = self.found()
        for mirror in ("formal/other", "tb/rtl/other", "sim_cpp/blocks/other"):
            self.assertIn(f"rtl/other: its mirror {mirror}", text)

    def test_simulator_includes_a_test_helper(self):
        self.write("sim_cpp/core/clock.cpp", '#include "support/property.h"\n')
        self.assertIn("sim_cpp/core/clock.cpp:1", self.found())

    def test_block_includes_the_simulator(self):
        self.write("sim_cpp/blocks/toy/toy.cpp", '// fine\n#include "memsys/l2.h"\n')
        self.assertIn("sim_cpp/blocks/toy/toy.cpp:2: must not include memsys/l2.h: expected blocks or one of: core,", self.found())

    def test_network_includes_a_cache(self):
        self.write("sim_cpp/memsys/noc/link.h", '#include "memsys/noc/network.h"\n#include "memsys/types.h"\n#include "memsys/l1/l1.h"\n')
        self.assertIn("sim_cpp/memsys/noc/link.h:3: must not include memsys/l1/l1.h: expected noc or one of: context,", self.found())

    def test_lower_folder_includes_a_higher_one(self):
        self.write("sim_cpp/workloads/toy.cpp", '#include "core/ring.h"\n#include "schemes/scheme.h"\n')
        self.assertIn("sim_cpp/workloads/toy.cpp:2: must not include schemes/scheme.h", self.found())

    def test_block_includes_properties_that_do_not_exist(self):
        hook = "`default_nettype none\n`ifdef FORMAL_SLOT\n  `include \"slot_props.svh\"\n`endif\n"
        self.write("rtl/toy/slot.sv", hook)
        self.assertIn("rtl/toy/slot.sv:3: includes slot_props.svh, which does not exist", self.found())
        self.write("formal/toy/slot_props.svh", "\n")
        self.assertEqual(self.call("check_layering")[0], 0)

    def test_rtl_list_refers_to_the_simulator(self):
        self.write("rtl/toy/counter.f", "../sim_cpp/blocks/toy/x.sv\n")
        self.assertIn("rtl/toy/counter.f:1", self.found())

    def test_path_of_the_workspace(self):
        self.write("scripts/thing.py", 'open("../shared/data/x")\n')
        self.write("tb/rtl/toy/skip.cpp", '// ../shared/data may be absent: skip\nauto p = "../shared/data";\n')
        text = self.found()
        self.assertIn("scripts/thing.py:1", text)
        self.assertNotIn("skip.cpp", text)

    def test_prose_may_name_anything(self):
        self.write("sim_cpp/core/clock.h", "// see tb/support/lockstep.h and ../shared/design\n")
        self.assertEqual(self.call("check_layering")[0], 0)

    def test_documents_of_a_finished_block(self):
        text = self.found("--documents")
        for what in ("rtl/toy: no README.md", "rtl/toy: no diagram.svg", "rtl/toy: no wave.svg",
                     "toy: no tb/mutation/toy.json", "toy: no tb/coverage/toy.json",
                     "toy/counter@paper: not in synth/baseline/toy.json"):
            self.assertIn(what, text)
        self.assertNotIn("proofs.txt", text)
        self.write("rtl/toy/README.md", "![d](diagram.svg)\n")
        for name in ("rtl/toy/diagram.svg", "rtl/toy/wave_write.svg", "tb/mutation/toy.json", "tb/coverage/toy.json"):
            self.write(name, "{}")
        self.write("synth/baseline/toy.json", '{"counter@paper": {}}')
        self.assertIn("layering: rtl/toy/README.md does not show wave_write.svg\nlayering: 1 findings",
                      self.found("--documents"))
        self.write("rtl/toy/README.md", '![d](diagram.svg) <img src="wave_write.svg">\n')
        self.assertEqual(self.call("check_layering", "--documents")[0], 0)
        self.assertEqual(self.call("check_layering", "--nosuch")[0], 2)

    def test_reset_that_cannot_be_asynchronous(self):
        self.edit("rtl/toy/counter.sv", " `WARPSIEVE_RESET)", ")")
        self.assertIn("rtl/toy/counter.sv: a register with reset and without `WARPSIEVE_RESET", self.found())

    def test_label_of_another_kind(self):
        self.edit("formal/toy/counter_props.svh", "c_top: cover", "a_top: cover")
        self.assertIn("formal/toy/counter_props.svh: a label that says something else than its cover", self.found())

    def test_bind_and_nettype(self):
        self.edit("rtl/toy/counter.sv", "`default_nettype none\n", "")
        self.write("rtl/toy/late.sv", "`default_nettype none\nbind counter late i_late();\n")
        text = self.found()
        self.assertIn("rtl/toy/counter.sv: no `default_nettype none", text)
        self.assertIn("rtl/toy/late.sv: bind", text)


class Decisions(Check):
    SCRIPT = "check_decisions"
    ENTRIES = "# Decisions\n\n## C\n\n### C4\n\nText.\n\n### C5\n\nText.\n\n### C6\n\nText.\n"

    def setUp(self):
        super().setUp()
        self.write("sim_cpp/schemes/DECISIONS.md", self.ENTRIES)
        self.write("sim_cpp/schemes/toy.h", "// toy (decisions C4, C6), again (C5)\n")

    def test_clean(self):
        code, text = self.call("check_decisions", "--list")
        self.assertEqual(code, 0, text)
        self.assertIn("C4 sim_cpp/schemes/toy.h:1\n", text)
        self.assertIn("decisions: 3 cited, no findings", text)

    def test_code_without_entry(self):
        for name, line in (("rtl/toy/counter.sv", "// ... (C7)"), ("sim_cpp/toy.cpp", 'declare("source", "IV.A; C7");'),
                           ("sim_cpp/configs/toy.toml", "sets = 4  # C7: 16 KB"), ("rtl/toy/README.md", "As says C7. And"),
                           ("tb/sim/trace/test_toy.cpp", "// decisions C4 and C7"),
                           ("README.md", "[why](sim_cpp/schemes/DECISIONS.md#c7)")):
            with self.subTest(name=name):
                path = self.root / name
                before = path.read_text() if path.exists() else ""
                self.write(name, f"{before}\n{line}\n")
                self.assertRegex(self.found(), rf"decisions: {name}:\d+: decision C7 has no entry in sim_cpp/schemes/DECISIONS.md")
                self.write(name, before)

    def test_range_names_all_between(self):
        self.write("sim_cpp/schemes/DECISIONS.md", self.ENTRIES.replace("### C5", "### C15"))
        for line in ("// decisions C4-C6", "// decisions C4 to C6"):
            self.write("sim_cpp/schemes/toy.h", line + "\n")
            self.assertIn("decision C5 has no entry", self.found())

    def test_names_that_are_no_codes(self):
        self.write("tb/sim/trace/test_toy.cpp", '"1 R255 LDG 1 R9"\n')
        self.write("sim_cpp/toy.cpp", "constexpr auto kC77 = xC77 + C771;\n")
        self.assertEqual(self.call("check_decisions")[0], 0)

    def test_two_entries_and_no_list(self):
        self.write("sim_cpp/schemes/DECISIONS.md", self.ENTRIES + "\n### C4\n")
        self.assertIn("two entries for C4", self.found())
        (self.root / "sim_cpp/schemes/DECISIONS.md").unlink()
        self.assertIn("decision C5 has no entry", self.found())
        self.assertEqual(self.call("check_decisions", "--nosuch")[0], 2)


class Texts(Check):
    SCRIPT = "check_texts"
    LONG = "This sentence has " + "many " * 17 + "words."  # 21

    def setUp(self):
        super().setUp()
        (self.root / "synth/README.md").unlink()

    def test_each_kind_is_found_once(self):
        for name, text, finding in (
                ("README.md", f"Short one. {self.LONG}\n", "README.md:1: sentences: 21 words"),
                ("README.md", "# Toy\n\n- It takes 3 cycles of 4 or 5.\n", "README.md:3: figures: 3 numbers"),
                ("README.md", "a" * 121 + "\n", "README.md:1: columns: 121 columns"),
                ("README.md", "Nobody waits.\n", "README.md:1: words: 'Nobody'"),
                ("README.md", "See issue 12.\n", "README.md:1: words: 'issue 12'"),
                ("README.md", "Stored in /work/data.\n", "README.md:1: paths: /work/"),
                ("rtl/toy/late.sv", "`default_nettype none\n// the one who waits\n", "late.sv:2: words: 'who'"),
                ("sim_cpp/toy.h", "int x;  // from ../shared/data\n", "sim_cpp/toy.h:1: paths: ../shared")):
            with self.subTest(finding=finding):
                self.write(name, text)
                out = self.found()
                self.assertIn(finding, out)
                self.assertIn("expected at most 0", out)
                (self.root / name).unlink()
        self.assertEqual(self.call("check_texts")[0], 0)

    def test_what_does_not_count(self):
        self.write("README.md", f"| {self.LONG} |\n|---|\n\n```\n{self.LONG}\n```\n\n<!-- t: begin (x) -->\n{self.LONG}\n<!-- t: end -->\n"
                                "\n`a 1 2 3 b` [one](http://a/1/2/3) is `C 1 2 3` here.\n")
        self.write("sim_cpp/toy.cpp", 'auto nobody = "who";\n')
        code, text = self.call("check_texts")
        self.assertEqual(code, 0, text)

    def test_the_record_only_shrinks(self):
        self.write("README.md", f"{self.LONG} {self.LONG}\n")
        self.assertIn("2, expected at most 0", self.found())
        self.call("check_texts", "--shrink")
        self.assertEqual(self.call("check_texts")[0], 0)
        self.write("README.md", f"{self.LONG} {self.LONG} {self.LONG}\n")
        self.call("check_texts", "--shrink")
        self.assertIn("sentences: 3, expected at most 2", self.found())
        self.write("README.md", f"{self.LONG}\n")
        self.assertIn("README.md: the record is too high", self.found())
        self.call("check_texts", "--shrink")
        self.assertEqual(self.call("check_texts")[0], 0)
        self.assertEqual((self.root / "scripts/text_debt.json").read_text(),
                         '{\n "README.md": {\n  "sentences": 1\n }\n}\n')

    def test_mistakes_in_the_input(self):
        self.assertIn("unknown option --nosuch", self.refused("check_texts", "--nosuch"))
        self.assertIn("gone.md", self.refused("check_texts", "gone.md"))
        self.write("scripts/text_debt.json", "{")
        self.assertIn("not JSON", self.refused("check_texts"))


class Style(Check):
    SCRIPT = "check_style"

    def setUp(self):
        super().setUp()
        for tool in ("clang-format", "shellcheck", "flake8"):
            if not shutil.which(tool):
                self.skipTest(f"{tool} is not installed (scripts/bootstrap lint)")
        self.write(".clang-format", (REPO / ".clang-format").read_text())

    def test_each_tool_finds_its_own_and_names_the_place(self):
        self.assertEqual(self.call("check_style")[0], 0)
        for name, text, finding in (
                ("sim_cpp/toy.h", "#pragma once\n\nint  x;\n", "sim_cpp/toy.h:3: not as clang-format lays it out"),
                ("scripts/toy", "#!/usr/bin/env bash\ncd $1\n", "scripts/toy:2:1: warning: Use 'cd"),
                ("scripts/toy", "#!/usr/bin/env python3\nimport os\n", "scripts/toy:2:1: F401 'os' imported but unused"),
                ("scripts/lib/toy.py", "def a():\n  return 1\n", "scripts/lib/toy.py:2:3: E111")):
            with self.subTest(finding=finding):
                self.write(name, text)
                out = self.found()
                self.assertIn(f"style: {finding}", out)
                self.assertIn(", 1 findings", out)
                (self.root / name).unlink()

    def test_fix_lays_out(self):
        path = self.write("sim_cpp/toy.h", "#pragma once\n\nint  x;\n")
        self.assertEqual(self.call("check_style", "--fix")[0], 0)
        self.assertEqual(path.read_text(), "#pragma once\n\nint x;\n")

    def test_mistakes_in_the_input(self):
        self.assertIn("unknown option --nosuch", self.refused("check_style", "--nosuch"))


class Tidy(Check):
    SCRIPT = "tidy"

    def setUp(self):
        super().setUp()
        if not shutil.which("clang-tidy"):
            self.skipTest("clang-tidy is not installed (scripts/bootstrap tidy)")
        self.write(".clang-tidy", (REPO / ".clang-tidy").read_text())
        self.write("build/build.ninja", f"rule cc\n  command = c++ -I{self.root}/sim_cpp -c $in -o $out\n"
                                        "build a.o: cc ../sim_cpp/a.cpp\nbuild b.o: cc ../sim_cpp/b.cpp\n")
        self.write("sim_cpp/part/a.h", "#pragma once\nint a();\n")
        self.write("sim_cpp/a.cpp", '#include "part/a.h"\nint a() { return 1; }\n')
        self.write("sim_cpp/b.cpp", "int b() { return 2; }\n")

    def test_a_finding_in_a_source_and_in_a_header(self):
        code, text = self.call("tidy")
        self.assertEqual((code, "tidy: 2 sources, no findings" in text), (0, True), text)
        self.write("sim_cpp/part/a.h", "#pragma once\nint a();\ninline bool odd(int x) { return x % 2 ? true : false; }\n")
        self.write("sim_cpp/b.cpp", "int b(int x) {\n  if (x);\n  return 2;\n}\n")
        text = self.found()
        self.assertIn("tidy: sim_cpp/part/a.h:3:", text)
        self.assertIn("tidy: sim_cpp/b.cpp:2:", text)
        self.assertNotIn("part/a.h", self.found(str(self.root / "sim_cpp/b.cpp")))

    def test_since_looks_at_what_includes_a_changed_header(self):
        for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "one"]):
            subprocess.run(["git", "-C", self.root, *words], check=True)
        self.assertIn("tidy: 0 sources, no findings", self.call("tidy", "--since", "HEAD")[1])
        self.edit("sim_cpp/part/a.h", "int a();", "int a();  // one")
        self.assertIn("tidy: 1 sources, no findings", self.call("tidy", "--since", "HEAD")[1])
        self.assertIn("--since nosuch: ", self.refused("tidy", "--since", "nosuch"))

    def test_sources_that_are_compiled_together(self):
        self.write("build/unity/part_1.cpp", '#include "a.cpp"\n#include "b.cpp"\n')
        self.write("build/build.ninja", f"rule cc\n  command = c++ -I{self.root}/sim_cpp -c $in -o $out\n"
                                        "build p.o: cc unity/part_1.cpp\n")
        self.assertIn("tidy: 2 sources, no findings", self.call("tidy")[1])
        self.write("sim_cpp/b.cpp", "int b(int x) {\n  if (x);\n  return 2;\n}\n")
        self.assertIn("tidy: sim_cpp/b.cpp:2:", self.found())

    def test_lint_looks_at_what_the_branch_changed(self):
        def git(*words):
            subprocess.run(["git", "-C", self.root, "-c", "user.name=t", "-c", "user.email=t@t", *words], check=True)

        git("init", "-q", "-b", "main")
        git("add", "-A")
        git("commit", "-qm", "one")
        git("checkout", "-q", "-b", "mine")
        self.write("sim_cpp/b.cpp", "int b(int x) {\n  if (x);\n  return 2;\n}\n")
        text = self.call("lint")[1]
        self.assertIn("tidy: sim_cpp/b.cpp:2:", text)
        self.assertIn("tidy: 1 sources, ", text)
        (self.root / "build/build.ninja").unlink()
        self.assertIn("tidy: no build: C++ not looked at", self.call("lint")[1])

    def test_mistakes_in_the_input(self):
        self.assertIn("no source of sim_cpp", self.refused("tidy", "nosuch.cpp"))
        self.assertIn("run make build first", self.refused("tidy", "--build", str(self.root / "away")))
        self.edit("sim_cpp/a.cpp", "part/a.h", "part/gone.h")
        self.assertIn("gone.h", self.found())


if __name__ == "__main__":
    unittest.main()
