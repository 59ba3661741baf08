"""The proof runner: what passes, what fails, and what must not be taken for a proof."""

import json
import os
import unittest

from support import Repository


class Formal(Repository):
    def proofs(self, *lines, env=None):
        self.write("formal/toy/proofs.txt", "\n".join(lines) + "\n")
        code, text = self.call("formal", env=env)
        entries = json.loads((self.root / "build/formal/toy.json").read_text())
        return code, {e["proof"]: e for e in entries}, text

    def test_every_engine_proves_the_counter(self):
        code, results, text = self.proofs(
            "k counter prove 2 30", "k5 counter prove 2 30 solver=cvc5", "p counter pdr 0 30", "b counter bmc 4 30",
            "c counter cover 14 30", "x counter bug 12 30 of=k -D PLANT_TOP", "xp counter bug 0 30 of=p -D PLANT_TOP",
            "kb counter prove 2 30 by=bits", "bb counter bmc 4 30 by=bits", "xb counter bug 12 30 of=kb -D PLANT_TOP")
        self.assertEqual(code, 0, text)
        self.assertEqual({e["result"] for e in results.values()}, {"pass"}, text)
        self.assertEqual(results["k"]["asserts"], 1)

    def test_counterexample_fails(self):
        code, results, _ = self.proofs("k counter prove 12 30 -D PLANT_TOP", "p counter pdr 0 30 -D PLANT_TOP",
                                       "b counter prove 12 30 by=bits -D PLANT_TOP")
        self.assertEqual(code, 1)
        self.assertEqual({e["result"] for e in results.values()}, {"FAIL"})
        for entry, trace in (results["k"], "k/base.vcd"), (results["p"], "p/trace.vcd"), (results["b"], "b/trace.vcd"):
            self.assertIn("a_range at step ", entry["detail"])
            self.assertIn("count_q", (self.root / "build/formal/toy" / trace).read_text())

    def test_counterexample_that_cannot_be_named_still_fails(self):
        broken = self.write("bin/yosys-smtbmc", "#!/bin/sh\necho out of order\nexit 3\n")
        broken.chmod(0o755)
        _, results, text = self.proofs("p counter pdr 0 30 -D PLANT_TOP", env={"PATH": f"{broken.parent}:{os.environ['PATH']}"})
        self.assertEqual(results["p"]["result"], "FAIL", text)
        self.assertRegex(results["p"]["detail"], r"^an assert at step \d+ \(not named: trace: .*out of order\), .*/p/trace\.aiw$")
        self.assertTrue((self.root / "build/formal/toy/p/trace.aiw").is_file())

    def test_counterexample_without_registers_names_the_assert_too(self):
        self.module("adder", "input wire logic clk_i, input wire logic [7:0] a_i, b_i, output logic [7:0] y_o",
                    "  assign y_o = a_i + b_i;\n  always_comb begin\n    a_right: assert (y_o == b_i + a_i);\n"
                    "    a_wrong: assert (y_o != 8'h5a);\n  end")
        _, results, text = self.proofs("i adder sat 0 30 by=iprove", "q adder sat 0 30 by=pdr", "z adder sat 0 30")
        for entry in results.values():
            self.assertEqual(entry["result"], "FAIL", text)
            self.assertIn("a_wrong", entry["detail"])
            self.assertNotIn("a_right", entry["detail"])

    def test_planted_bug_that_is_not_found_fails(self):
        code, results, _ = self.proofs("x counter bug 3 30 -D PLANT_TOP",  # too shallow to count to 9
                                       "b counter bug 3 30 by=bits -D PLANT_TOP")
        self.assertEqual(code, 1)
        for entry in results.values():
            self.assertIn("not found", entry["detail"])

    def test_planted_bug_that_no_source_reads_is_an_error(self):
        _, results, _ = self.proofs("x counter bug 12 30 -D PLANT_TYPO")
        self.assertEqual(results["x"]["result"], "ERROR")
        self.assertIn("PLANT_TYPO", results["x"]["detail"])

    def test_no_asserts_is_an_error(self):
        self.write("formal/toy/counter_props.svh", "")
        code, results, _ = self.proofs("k counter prove 2 30", "p counter pdr 0 30", "s counter sat 0 30 by=sat",
                                       "b counter prove 2 30 by=bits")
        self.assertEqual(code, 1)
        for entry in results.values():
            self.assertIn("no assert", entry["detail"])

    def test_bound_assert_that_yosys_drops_is_an_error(self):
        self.write("formal/toy/counter_props.svh", "")
        self.edit("rtl/toy/counter.sv", "`default_nettype wire",
                  "module wrong(input wire logic clk_i);\n always_ff @(posedge clk_i) assert (1'b0);\nendmodule\n"
                  "bind counter wrong i_wrong(.clk_i);\n`default_nettype wire")
        _, results, _ = self.proofs("k counter prove 2 30")
        self.assertIn("no assert", results["k"]["detail"])

    def test_contradicting_assumptions_are_an_error(self):
        with open(self.root / "formal/toy/counter_props.svh", "a", encoding="utf-8") as props:
            props.write("  always_comb begin assume (step_i); assume (!step_i); end\n")
        _, results, _ = self.proofs("k counter prove 2 30", "p counter pdr 0 30", "b counter prove 2 30 by=bits",
                                    "m counter bmc 4 30 by=bits")
        for entry in results.values():
            self.assertEqual(entry["result"], "ERROR")
            self.assertIn("contradict", entry["detail"])

    def test_free_wire_is_an_error(self):
        self.edit("rtl/toy/counter.sv", "assign value_o = count_q;", "logic loose;\n  assign value_o = count_q ^ loose;")
        _, results, _ = self.proofs("k counter prove 2 30")
        self.assertIn("check -assert", results["k"]["detail"])

    def test_unreachable_cover_fails_unless_named(self):
        line = "c counter cover 14 30 Width=4 Top=15"
        self.edit("formal/toy/counter_props.svh", "c_top: cover", "c_never: cover (count_q > Width'(Top));\n    c_top: cover")
        code, results, _ = self.proofs("c counter cover 14 30")
        self.assertEqual(code, 1)
        self.assertIn("c_never", results["c"]["detail"])
        code, results, _ = self.proofs("c counter cover 14 30 skip=c_never")
        self.assertEqual(code, 0)
        _, results, _ = self.proofs(line + " skip=c_never")  # 15 steps are needed, 14 are given
        self.assertIn("c_top", results["c"]["detail"])

    def test_skipped_cover_that_is_reached_fails(self):
        _, results, _ = self.proofs("c counter cover 14 30 skip=c_top")
        self.assertEqual(results["c"]["result"], "FAIL")

    def test_induction_that_does_not_close_is_not_a_proof_and_not_a_bug_found(self):
        self.edit("formal/toy/counter_props.svh", "a_range: assert (count_q <= Width'(Top));",
                  "a_other: assert (count_q != Width'(12));")
        code, results, _ = self.proofs("k counter prove 1 30", "x counter bug 1 30 of=k -D PLANT_TOP",
                                       "kb counter prove 1 30 by=bits", "xb counter bug 1 30 of=kb -D PLANT_TOP")
        self.assertEqual(code, 1)
        for proof, bug in ("k", "x"), ("kb", "xb"):
            self.assertEqual(results[proof]["result"], "UNPROVED")
            self.assertEqual(results[bug]["result"], "FAIL")

    def test_stub_that_is_not_in_the_design_is_an_error(self):
        self.module("delay", "input wire logic clk_i, input wire logic d_i, output logic q_o",
                    "  always_ff @(posedge clk_i) q_o <= d_i;")
        self.module("pair", "input wire logic clk_i, input wire logic d_i",
                    "  logic q;\n  delay i_delay (.clk_i, .d_i, .q_o(q));\n"
                    "  always_comb a_some: assert (q || !q || d_i);")
        self.write("rtl/toy/pair.f", "toy/delay.sv\ntoy/pair.sv\n")
        code, results, _ = self.proofs("s pair bmc 2 30 stub=delay", "n pair bmc 2 30 stub=delay,counter")
        self.assertEqual(code, 1)
        self.assertEqual([results[n]["result"] for n in "sn"], ["pass", "ERROR"], results)
        self.assertIn("counter", results["n"]["detail"])

    def test_time_limit_ends_the_proof(self):
        self.module("product", "input wire logic [31:0] a_i, input wire logic [31:0] b_i",
                    "  always_comb a_split: assert (a_i * b_i == a_i * {b_i[31:13], 13'd0} + a_i * {19'd0, b_i[12:0]});\n"
                    "`ifdef PLANT_NONE\n`endif")
        code, results, _ = self.proofs("f product sat 0 2", "x product bug 0 2 by=sat -D PLANT_NONE")
        self.assertEqual(code, 1)
        self.assertEqual(results["f"]["result"], "TIMEOUT", results)
        self.assertEqual(results["x"]["result"], "TIMEOUT")
        self.assertLess(results["f"]["seconds"], 10)

    def test_script_must_name_its_asserts(self):
        self.write("formal/toy/good.sh", "echo asserts 2\necho composed\n")
        self.write("formal/toy/empty.sh", "echo fine\n")
        self.write("formal/toy/bad.sh", "echo counterexample\nexit 1\n")
        code, results, _ = self.proofs("g counter script 1 9 file=good.sh", "e counter script 1 9 file=empty.sh",
                                       "b counter script 1 9 file=bad.sh")
        self.assertEqual(code, 1)
        self.assertEqual([results[n]["result"] for n in "geb"], ["pass", "ERROR", "FAIL"])

    def test_bad_lines_are_refused_with_file_and_line(self):
        for line, word in (("range counter prove 2", "expected"), ("r counter magic 2 30", "magic"),
                           ("r counter prove two 30", "two"), ("r counter prove 2 0", "numbers"),
                           ("r counter prove 2 30 Width=four", "Width=four"), ("r counter prove 2 30 solver=abc", "abc"),
                           ("r counter prove 2 30 nonsense", "nonsense"), ("r counter prove 2 30 -D", "macro"),
                           ("r counter bug 2 30", "PLANT_"), ("r counter script 2 30", "file="),
                           ("r counter bug 2 30 of=x -D PLANT_X", "of=x"), ("r counter script 2 30 file=no", "no such")):
            self.write("formal/toy/proofs.txt", "# comment\n" + line + "\n")
            error = self.refused("formal")
            self.assertIn("formal/toy/proofs.txt:2", error)
            self.assertIn(word, error)

    def test_unknown_block_and_parameter_are_refused(self):
        self.assertIn("toy", self.refused("formal", "--block", "nosuch"))
        _, results, _ = self.proofs("k counter prove 2 30 Wdith=3")
        self.assertIn("Wdith", results["k"]["detail"])

    def test_record_keeps_what_was_proved(self):
        self.assertEqual(self.call("formal", "--record")[0], 0)
        kept = json.loads((self.root / "formal/results.json").read_text())
        self.assertEqual(kept["toy"]["range"]["result"], "pass")

    def test_record_of_another_rtl_is_named_and_not_shown(self):
        text = self.refused_check("no record")
        self.assertEqual(self.call("formal", "--record")[0], 0)
        self.assertIn("1 records, 0 to be proved again", self.call("formal", "--check")[1])
        self.edit("rtl/toy/counter.sv", "assign value_o = count_q;", "assign value_o = count_q;  // a comment changes nothing")
        self.assertEqual(self.call("formal", "--check")[0], 0)
        for path, old, new in (("rtl/toy/counter.sv", "count_q + 1'b1", "count_q + 2'd1"),
                               ("formal/toy/counter_props.svh", "c_top: cover", "c_other: cover"),
                               ("formal/toy/proofs.txt", "prove 2 30", "prove 3 30")):
            self.edit(path, old, new)
            self.refused_check("another RTL")
            self.assertEqual(self.call("formal", "--record")[0], 0)
            self.assertEqual(self.call("formal", "--check")[0], 0)
        self.assertIn("--proof '^range$'", text)

    def test_record_is_of_the_properties_that_a_macro_of_the_line_brings_in(self):
        self.write("formal/toy/counter_proof.sv", "module counter_proof(input wire logic clk_i, input wire logic rst_ni);\n"
                   "  logic [3:0] value;\n  counter i_counter (.clk_i, .rst_ni, .step_i(1'b1), .value_o(value));\nendmodule\n")
        self.write("formal/toy/counter_proof.f", "toy/counter.sv\nformal/toy/counter_proof.sv\n")
        self.write("formal/toy/proofs.txt", "range counter_proof prove 2 30 -D FORMAL_COUNTER\n")
        self.assertEqual(self.call("formal", "--record")[0], 0)
        self.assertEqual(self.call("formal", "--check")[0], 0)
        self.edit("formal/toy/counter_props.svh", "count_q <= Width'(Top)", "count_q < 5'd16")
        self.refused_check("another RTL")

    def refused_check(self, reason):
        code, text = self.call("formal", "--check")
        self.assertEqual(code, 1, text)
        self.assertIn(f"toy range: {reason}" if reason == "no record" else reason, text)
        return text

    def test_processor_seconds_are_limited_and_recorded_not_those_of_the_clock(self):
        self.write("formal/toy/idle.sh", "sleep 3\necho asserts 1\n")
        self.write("formal/toy/busy.sh", "sh -c 'while :; do :; done' &\nwait $!\n")
        code, results, text = self.proofs("i counter script 1 1 file=idle.sh", "b counter script 1 1 file=busy.sh")
        self.assertEqual([results[n]["result"] for n in "ib"], ["pass", "TIMEOUT"], text)
        self.assertGreaterEqual(results["i"]["wall"], 3)
        self.assertLess(results["i"]["seconds"], results["i"]["wall"] / 3)
        self.assertEqual(code, 1)

    def test_bits_are_for_sequential_engines(self):
        self.write("formal/toy/proofs.txt", "s counter sat 0 30 by=bits\n")
        code, text = self.call("formal")
        self.assertEqual(code, 2)
        self.assertIn("by=bits", text)


if __name__ == "__main__":
    unittest.main()
