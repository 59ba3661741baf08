"""Tests of what a source of sim_cpp can include: the folders that its target links, and no others."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["WARPSIEVE_BUILD"])


def included(target, header):
    """What the compiler says of `#include "header"`, with the folders in which the sources of a target look."""
    commands = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", target], capture_output=True, text=True, check=True).stdout
    own = [c for c in commands.splitlines() if f"/{target}.dir/" in c and " -c " in c]
    assert own, f"{target}: no source is compiled for it"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source.cpp"
        source.write_text(f'#include "{header}"\n')
        roots = re.findall(r"(?:-I|-isystem )(\S+)", own[-1])
        command = ["g++", "-std=c++20", "-fsyntax-only", *(f"-I{root}" for root in roots), source]
        return subprocess.run(command, cwd=BUILD, capture_output=True, text=True)


class Headers(unittest.TestCase):
    def test_a_target_finds_what_it_links(self):
        for target, header in (("core", "core/ring.h"), ("memsys", "simt/warp_trace.h"), ("schemes", "memsys/ports.h"),
                               ("block_md5", "cosim/block.h"), ("sweep", "run/simulate.h")):
            with self.subTest(target=target):
                done = included(target, header)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_nobody_finds_what_is_above_it(self):
        for target, header in (("core", "memsys/types.h"), ("simt", "workloads/common.h"), ("memsys", "schemes/scheme.h"),
                               ("workloads", "memsys/types.h"), ("block_md5", "blocks/dedup/dedup.h"), ("run", "sweep/store.h")):
            with self.subTest(target=target):
                done = included(target, header)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(f"{header}: No such file or directory", done.stderr)


if __name__ == "__main__":
    unittest.main()
