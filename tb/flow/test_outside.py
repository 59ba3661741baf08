"""A project outside the tree takes three blocks by their file lists and simulates them on Verilator and on Icarus."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import REPO

MODULES = ["md5_core", "dpc_encoder", "affine_cache"]


class Outside(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="warpsieve-outside-")
        self.work = Path(self.folder.name)
        shutil.copy(REPO / "tb" / "flow" / "outside.sv", self.work)

    def tearDown(self):
        self.folder.cleanup()

    def run_in(self, *command):
        done = subprocess.run(command, cwd=self.work, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def wrong(self):
        text = (self.work / "outside.sv").read_text()
        self.assertIn("== 4'd0 ? 32'h80", text)
        (self.work / "outside.sv").write_text(text.replace("== 4'd0 ? 32'h80", "== 4'd0 ? 32'h81"))

    def verilator(self):
        lists = [word for module in MODULES for word in ("-F", REPO / "rtl" / "lists" / f"{module}.f")]
        # Lists name what blocks share each for itself.
        self.run_in("verilator", "--binary", "--timing", "-O0", "-CFLAGS", "-O0", "-Wno-MODDUP", "--top-module", "outside",
                    "--Mdir", "verilated", *lists, "outside.sv")
        return self.run_in("verilated/Voutside")

    def test_verilator(self):
        self.assertIn("all answers as expected", self.verilator())

    @unittest.skipUnless(shutil.which("iverilog"), "iverilog is not installed")
    def test_icarus(self):
        self.run_in(sys.executable, REPO / "scripts" / "icarus", "--text", "text", *MODULES)
        for change, expected in ((lambda: None, "all answers as expected"),
                                 (self.wrong, "wrong: digest of the empty message")):
            change()
            self.run_in("iverilog", "-g2012", "-s", "outside", "-o", "out.vvp", "-c", "text/all.f", "outside.sv")
            self.assertIn(expected, self.run_in("vvp", "out.vvp"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
