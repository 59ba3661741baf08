"""The integration pages of the blocks: every instance compiles as it is printed, and a wrong one does not."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import REPO

import block_tables
import flow
import icarus

PAGES = sorted(REPO.glob("rtl/*/integration.md"))
TOPS = {"md5_core", "line_hasher", "siphash_line_hasher", "siphash_line_hashers", "dpc_encoder", "dpc_decoder", "bpc_encoder",
        "bpc_decoder", "affine_cache", "rata", "bloom_predictor", "dedup_unit"}


def instances():
    """(module, file of the module, text of the instance) of every page."""
    for page in PAGES:
        for text in re.findall(r"(?s)```systemverilog\n(.*?)\n```", page.read_text()):
            module = re.match(r"\w+", text)[0]
            yield module, page.parent / f"{module}.sv", text


def bench(path, text):
    """A module around the instance, with a signal of its own for every port."""
    parameters, ports = block_tables.header(path)
    declared = re.findall(r"logic\s*(\[[^\]]*\])?\s*(\w+)\s*(?=[,\n)])", re.sub(r"//[^\n]*", "", path.read_text()).split(");")[0])
    ranges = {name: high for high, name in declared}
    lines = [f"  localparam [31:0] {name} = {value};" for name, value, _ in parameters]
    lines += [f"  wire {ranges.get(name, '')} {block_tables.signal(name)};" for name, *_ in ports]
    return "\n".join(["module integration_bench;", *lines, text, "endmodule", ""])


class Integration(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="warpsieve-integration-")
        self.work = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def verilator(self, module, text):
        source = self.work / "integration_bench.sv"
        source.write_text(text)
        command = ["verilator", "--lint-only", "-Wall", "-Wno-UNDRIVEN", "-Wno-UNUSED", "-Wno-DECLFILENAME", "--top-module",
                   "integration_bench", "-F", REPO / "rtl/lists" / f"{module}.f", source]
        return subprocess.run(command, capture_output=True, text=True, timeout=300)

    def test_every_top_block_has_a_page_with_one_connection_per_line(self):
        found = list(instances())
        self.assertEqual({module for module, *_ in found}, TOPS)
        for module, path, text in found:
            names = [name for name, *_ in block_tables.header(path)[1]]
            lines = [line for line in text.splitlines() if re.match(r"  \.\w+_(?:i|o|ni) *\(", line)]
            self.assertEqual([re.match(r"  \.(\w+)", line)[1] for line in lines], names, module)

    def test_every_page_is_linked(self):
        text = (REPO / "rtl/README.md").read_text()
        for page in PAGES:
            self.assertIn(f"({page.relative_to(REPO / 'rtl')})", text)

    def test_every_instance_compiles_with_verilator(self):
        for module, path, text in instances():
            result = self.verilator(module, bench(path, text))
            self.assertEqual((result.returncode, result.stderr), (0, ""), module)

    @unittest.skipUnless(shutil.which("iverilog"), "iverilog is not installed")
    def test_every_instance_compiles_with_icarus(self):
        for module, path, text in instances():
            sources = icarus.write_sources(flow.sources(path.parent.name, module), self.work / module)
            top = self.work / module / "bench.v"
            top.write_text(bench(path, text))
            self.assertEqual(icarus.compile_text([*sources, top], "integration_bench", self.work / "bench.vvp"), "", module)

    def test_a_port_that_is_renamed_or_narrower_is_an_error(self):
        module, path, text = next(one for one in instances() if one[0] == "rata")
        renamed = self.verilator(module, bench(path, text).replace(".rsp_valid_o", ".rsp_there_o"))
        self.assertIn("rsp_there_o", renamed.stderr)
        self.assertNotEqual(renamed.returncode, 0)
        narrow = bench(path, text).replace("[LineBits-1:0] lookup_line", "[LineBits-2:0] lookup_line")
        self.assertNotEqual(narrow, bench(path, text))
        self.assertNotEqual(self.verilator(module, narrow).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
