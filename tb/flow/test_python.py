"""The Python package: rows of all three formats, means, noise, figures, and the cells of the example notebook."""

import contextlib
import importlib.util
import io
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO / "scripts" / "python"))
PROGRAM = Path(os.environ.get("WARPSIEVE_BUILD", REPO / "build")) / "warpsieve"
os.environ["WARPSIEVE"] = str(PROGRAM)

import warpsieve  # noqa: E402
from warpsieve import Noise, Results, Row, WarpsieveError  # noqa: E402

HAS_PANDAS = importlib.util.find_spec("pandas") is not None
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


def row(workload, scheme, ipc, off_chip, seed=1):
    run = {"workload": workload, "scheme": scheme, "ipc": ipc, "cycles": 10, "counters": {"l2.read_hits": 7},
           "off_chip_requests": {"write": 1, "total": off_chip}}
    return Row(workload, scheme, seed, "1", {}, run)


TWO = Results("two", [row("a", "baseline", 1.0, 100), row("a", "cmd", 2.0, 50), row("b", "baseline", 2.0, 10),
                      row("b", "cmd", 1.0, 12), row("a", "baseline", 1.0, 100, 2), row("a", "cmd", 4.0, 70, 2)])


class Statistics(unittest.TestCase):
    def test_means(self):
        self.assertAlmostEqual(warpsieve.mean([1, 2, 6]), 3)
        self.assertAlmostEqual(warpsieve.geometric_mean([1, 4, 16]), 4)
        for bad in ([], [1, 0], [-1]):
            with self.assertRaises(WarpsieveError):
                warpsieve.geometric_mean(bad)

    def test_noise(self):
        some = warpsieve.noise([2, 4, 4, 4, 5, 5, 7, 9])
        self.assertAlmostEqual(some.mean, 5)
        self.assertAlmostEqual(some.deviation, math.sqrt(32 / 7))
        self.assertTrue(math.isnan(warpsieve.noise([3]).deviation))
        self.assertTrue(warpsieve.inside_noise(Noise(10, 2, 4), Noise(11, 2, 4)))
        self.assertFalse(warpsieve.inside_noise(Noise(10, 0.2, 4), Noise(11, 0.2, 4)))
        self.assertIsNone(warpsieve.inside_noise(Noise(10, math.nan, 1), Noise(11, 2, 4)))

    def test_relative_pairs_by_seed(self):
        ipc = warpsieve.relative(TWO)["cmd"]
        self.assertAlmostEqual(ipc["a"].mean, 3)
        self.assertEqual(ipc["a"].count, 2)
        self.assertAlmostEqual(ipc["b"].mean, 0.5)
        self.assertAlmostEqual(warpsieve.relative(TWO, "off_chip")["cmd"]["a"].mean, 0.6)
        with self.assertRaisesRegex(WarpsieveError, "no runs of the baseline 'bpc' .*baseline, cmd"):
            warpsieve.relative(TWO, "ipc", "bpc")

    def test_numbers(self):
        self.assertEqual(TWO.rows[0].number("l2.read_hits"), 7)
        self.assertEqual(TWO.rows[0].number("off_chip.write"), 1)
        with self.assertRaisesRegex(WarpsieveError, "a under baseline: no figure 'l9'"):
            TWO.rows[0].number("l9")


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpsieve-python-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.root = Path(cls.folder.name)
        (cls.root / "s.toml").write_text(
            'name = "s"\nprofile = "cmd-quarter"\nscale = "small"\nschemes = ["baseline", "cmd"]\n'
            'workloads = ["nn"]\nseeds = [1, 2]\n[[axis]]\nname = "FIFO"\nparameter = "cmd.fifo_entries"\n'
            "values = [1, 4]\n")
        for words in (["run", "s.toml", "-o", "s.sweep"], ["merge", "s.sweep"]):
            subprocess.run([PROGRAM, "sweep", *words], cwd=cls.root, check=True, capture_output=True)

    def test_folder_and_database_have_the_same_rows(self):
        folder, database = (warpsieve.open_results(self.root / "s.sweep" / part) for part in ("", "sweep.sqlite"))
        self.assertEqual(len(folder.rows), 8)
        self.assertEqual({r.axes["FIFO"] for r in folder.rows}, {"1", "4"})
        self.assertEqual([r.flat() for r in folder.rows], [r.flat() for r in database.rows])

    def test_missing_points_are_counted(self):
        import shutil
        copy = self.root / "copy.sweep"
        shutil.copytree(self.root / "s.sweep", copy)
        next((copy / "results").glob("*.json")).unlink()
        self.assertEqual(warpsieve.open_results(copy).missing, 1)

    def test_run_gives_what_the_sweep_gives(self):
        ran = warpsieve.run(["nn"], scale="small", profile="cmd-quarter", seeds=[1, 2],
                            settings={"cmd.fifo_entries": 4})
        swept = [r for r in warpsieve.open_results(self.root / "s.sweep").rows if r.axes["FIFO"] == "4"]
        self.assertEqual(sorted((r.scheme, r.seed, r.number("cycles")) for r in ran.rows),
                         sorted((r.scheme, r.seed, r.number("cycles")) for r in swept))

    def test_bad_input_is_one_line(self):
        bad, other = self.root / "bad.json", self.root / "other.json"
        bad.write_text("{")
        other.write_text('{"format": "something"}')
        cut = self.root / "cut.sqlite"
        cut.write_bytes(b"SQLite format 3\0" + b"x" * 200)
        for path, words in ((bad, "expected JSON"), (other, "expected format warpsieve-run-1"), (cut, "expected a database"),
                            (self.root / "none", "cannot read")):
            with self.assertRaises(WarpsieveError) as caught:
                warpsieve.open_results(path)
            self.assertIn(words, str(caught.exception))
            self.assertIn(path.name, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
        with self.assertRaisesRegex(WarpsieveError, "nosuch"):
            warpsieve.run(["nosuch"])

    @unittest.skipUnless(HAS_PANDAS, "pandas is not here")
    def test_frame(self):
        frame = warpsieve.open_results(self.root / "s.sweep").frame()
        self.assertEqual(len(frame), 8)
        self.assertTrue((frame["cycles"] > 0).all())


@unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not here")
class Figures(unittest.TestCase):
    def heights(self, figure):
        axes = figure.axes[0]
        names = [label.get_text() for label in axes.get_xticklabels()]
        return dict(zip(names, (bar.get_height() for bar in axes.patches)))

    def test_normalised_ipc(self):
        from warpsieve import figures
        figure = figures.normalised_ipc(TWO)
        heights = self.heights(figure)
        self.assertEqual(list(heights), ["a", "b", "mean", "geomean"])
        for name, value in (("a", 3), ("b", 0.5), ("mean", 1.75), ("geomean", math.sqrt(1.5))):
            self.assertAlmostEqual(heights[name], value)
        whiskers = figure.axes[0].collections[0].get_segments()
        self.assertEqual(len(whiskers), 1)  # workload b ran once
        self.assertAlmostEqual(whiskers[0][1][1] - whiskers[0][0][1], 2 * math.sqrt(2))

    def test_traffic_diverges_around_zero(self):
        from warpsieve import figures
        heights = self.heights(figures.off_chip_change(TWO))
        self.assertAlmostEqual(heights["a"], -40)
        self.assertAlmostEqual(heights["b"], 20)
        self.assertAlmostEqual(heights["mean"], -10)


@unittest.skipUnless(HAS_PANDAS and HAS_MATPLOTLIB, "pandas or matplotlib is not here")
class Notebook(unittest.TestCase):
    def test_cells_run(self):
        notebook = json.loads((REPO / "scripts" / "python" / "example.ipynb").read_text())
        names, printed = {"__name__": "notebook"}, io.StringIO()
        with contextlib.redirect_stdout(printed):
            for number, cell in enumerate(notebook["cells"]):
                if cell["cell_type"] == "code":
                    exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
        self.assertEqual(len(names["results"].rows), 12)
        self.assertIn("cmd geometric mean", printed.getvalue())
        self.assertEqual(len(names["frame"]), 12)


if __name__ == "__main__":
    unittest.main()
