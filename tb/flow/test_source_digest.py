"""The version that results are kept by: every source that can change a simulated figure changes it, others do not."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Folders of sim_cpp that read, keep or show figures, and change none; run/simulate has a line of its own below.
OUTSIDE = {"claims", "cli", "cost", "report", "run", "sweep", "validate"}


class SourceDigest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name) / "tree"
        for part in ("sim_cpp", "rtl"):
            shutil.copytree(ROOT / part, cls.root / part)
        cls.before = cls.digest()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def digest(cls):
        out = Path(cls.folder.name) / "version.cpp"
        subprocess.run(["cmake", f"-DROOT={cls.root}", "-DVERSION=1.2.3", f"-DOUT={out}", "-P",
                        str(ROOT / "scripts" / "cmake" / "source_digest.cmake")], check=True)
        return re.search(r'"1\.2\.3\+([0-9a-f]{16})"', out.read_text()).group(1)

    def changed(self, path):
        """The digest with one more line in this file."""
        text = path.read_bytes()
        path.write_bytes(text + b"\n")
        try:
            return self.digest()
        finally:
            path.write_bytes(text)

    def test_every_folder_of_the_simulator_counts(self):
        folders = {p.parent for p in self.root.glob("sim_cpp/**/*") if p.suffix in (".cpp", ".h")
                   and p.relative_to(self.root / "sim_cpp").parts[0] not in OUTSIDE}
        self.assertGreater(len(folders), 20)
        for folder in sorted(folders):
            source = min(p for p in folder.iterdir() if p.suffix in (".cpp", ".h"))
            with self.subTest(source.relative_to(self.root)):
                self.assertNotEqual(self.changed(source), self.before)

    def test_other_sources_that_count(self):
        blocks = {p.parent for p in self.root.glob("rtl/*/*.sv")}
        files = [min(b.glob("*.sv")) for b in blocks] + [min(b.glob("points.txt")) for b in blocks if
                                                         (b / "points.txt").exists()]
        files += [self.root / "sim_cpp" / name for name in ("configs/cmd.toml", "run/simulate.cpp")]
        for file in sorted(files):
            with self.subTest(file.relative_to(self.root)):
                self.assertNotEqual(self.changed(file), self.before)

    def test_what_only_reads_or_names_points_does_not(self):
        for name in ("report/data.cpp", "cli/main.cpp", "cost/energy.cpp", "sweep/README.md", "sweep/pool.cpp", "run/child.cpp",
                     "memsys/CMakeLists.txt", "configs/suites/cmd.toml", "configs/claims/cmd.toml"):
            with self.subTest(name):
                self.assertEqual(self.changed(self.root / "sim_cpp" / name), self.before)

    def test_a_part_that_is_not_there_is_said(self):
        away = self.root.parent / "away"
        (self.root / "sim_cpp" / "simt").rename(away)
        try:
            done = subprocess.run(["cmake", f"-DROOT={self.root}", "-DVERSION=1", f"-DOUT={self.root}/v.cpp", "-P",
                                   str(ROOT / "scripts" / "cmake" / "source_digest.cmake")], capture_output=True, text=True)
        finally:
            away.rename(self.root / "sim_cpp" / "simt")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no file matches sim_cpp/simt/*", done.stderr)


if __name__ == "__main__":
    unittest.main()
