"""The Python package: rows of all three formats, means, noise, figures, and the cells of the example notebook."""

import contextlib
import importlib.util
import inspect
import io
import json
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import warnings
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

    def test_interval_is_students(self):
        self.assertAlmostEqual(Noise(0, math.sqrt(3), 3).half, 4.303)
        self.assertTrue(math.isnan(Noise(1, math.nan, 1).half))

    def test_repetitions_are_paired_one_by_one(self):
        def repeated(scheme, values):
            one = row("a", scheme, values[0], 100)
            one.run["repeats"] = {"ipc": {"values": values}, "off_chip_requests": {"values": [v * 10 for v in values]}}
            return one
        some = Results("repeated", [repeated("baseline", [1.0, 2.0, 4.0]), repeated("cmd", [1.1, 2.4, 4.0])])
        ipc = warpsieve.relative(some)["cmd"]["a"]
        self.assertEqual(ipc.count, 3)
        self.assertAlmostEqual(ipc.mean, (1.1 + 1.2 + 1.0) / 3)
        self.assertAlmostEqual(warpsieve.relative(some, "off_chip")["cmd"]["a"].mean, 1.1)
        self.assertEqual(warpsieve.relative(some, "cycles")["cmd"]["a"].count, 1)

    def test_every_public_name_has_types_and_a_docstring(self):
        from warpsieve import digest, figures, results, runs, stats
        for module in (digest, figures, results, runs, stats):
            self.assertTrue(module.__doc__)
            for name, thing in vars(module).items():
                if name.startswith("_") or getattr(thing, "__module__", "") != module.__name__:
                    continue
                self.assertTrue(thing.__doc__, name)
                if inspect.isfunction(thing):
                    self.assertEqual(set(inspect.signature(thing).parameters) | {"return"}, set(thing.__annotations__), name)

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

    def results(self):
        """The text of a small run, with noise."""
        if not hasattr(Files, "text"):
            file = self.root / "run.json"
            subprocess.run([PROGRAM, "run", "-w", "nn", "--scale", "small", "--compare", "baseline", "-s", "cmd",
                            "--repeat", "2", "--json", file], check=True, capture_output=True)
            Files.text = file.read_text()
        return Files.text

    def write(self, name, text):
        file = self.root / name
        file.write_text(text)
        return file

    def test_a_changed_digit_names_the_file(self):
        text = self.results()
        self.assertIn('"digest"', text)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(len(warpsieve.open_results(self.write("good.json", text)).rows), 2)
        for number, name in enumerate(("cycles", "ipc", "seed")):
            spot = re.search(rf'"{name}": [\d.]*?(\d)[,\n]', text).start(1)
            changed = text[:spot] + str((int(text[spot]) + 1) % 10) + text[spot + 1:]
            with self.assertRaisesRegex(WarpsieveError, f"changed{number}.json: changed since it was written: expected"):
                warpsieve.open_results(self.write(f"changed{number}.json", changed))
        # Layout is no content.
        whole = json.loads(text)
        self.assertEqual(len(warpsieve.open_results(self.write("flat.json", json.dumps(whole, ensure_ascii=False))).rows), 2)

    def test_a_changed_digit_in_a_sweep_names_the_file(self):
        copy = self.root / "changed.sweep"
        shutil.copytree(self.root / "s.sweep", copy)
        point = next((copy / "results").glob("*.json"))
        whole = json.loads(point.read_text())
        whole["run"]["cycles"] += 1
        point.write_text(json.dumps(whole))
        with self.assertRaisesRegex(WarpsieveError, f"{point.name}: changed since it was written"):
            warpsieve.open_results(copy)

    def test_a_changed_digit_in_a_database_names_the_file(self):
        for number, change in enumerate((
                "UPDATE point SET cycles = cycles + 1", "UPDATE statistic SET value = value + 1 WHERE name = 'l2.read_sectors'",
                "UPDATE statistic SET value = value + 1 WHERE name = 'ipc'",
                "UPDATE point SET run = replace(run, '\"cycles\":', '\"cycles\":1')")):
            file = self.root / f"changed{number}.sqlite"
            shutil.copy(self.root / "s.sweep" / "sweep.sqlite", file)
            with contextlib.closing(sqlite3.connect(file)) as database:
                cursor = database.execute(change)
                self.assertGreater(cursor.rowcount, 0, change)
                database.commit()
            with self.assertRaisesRegex(WarpsieveError, rf"changed{number}.sqlite: changed since it was written: point"):
                warpsieve.open_results(file)

    def test_what_did_not_end_is_warned_about(self):
        whole = json.loads(self.results())
        whole["complete"] = False
        del whole["digest"]
        file = self.write("cut.json", json.dumps(whole))
        with self.assertWarnsRegex(UserWarning, "cut.json: incomplete"):
            self.assertEqual(len(warpsieve.open_results(file).rows), 2)

    def test_run_repeats(self):
        ran = warpsieve.run(["nn"], scale="small", repeat=3)
        self.assertEqual(warpsieve.relative(ran)["cmd"]["nn"].count, 3)

    def test_over_the_axis_of_a_sweep(self):
        swept = warpsieve.open_results(self.root / "s.sweep")
        by_axis = warpsieve.over_axis(swept, "FIFO")["cmd"]
        self.assertEqual(set(by_axis), {"1", "4"})
        ratios = [r.number("ipc") / b.number("ipc") for r in swept.rows for b in swept.rows
                  if (r.scheme, b.scheme, r.axes, b.axes, r.seed) == ("cmd", "baseline", {"FIFO": "4"}, r.axes, b.seed)]
        self.assertAlmostEqual(by_axis["4"].mean, warpsieve.mean(ratios))
        with self.assertRaisesRegex(WarpsieveError, "no axis 'L9' .there is: FIFO"):
            warpsieve.over_axis(swept, "L9")

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
        self.assertAlmostEqual(whiskers[0][1][1] - whiskers[0][0][1], 2 * 12.706)  # 2 and 4: half is t x 1

    def test_change_of_ipc_diverges_around_zero(self):
        from warpsieve import figures
        heights = self.heights(figures.ipc_change(TWO))
        self.assertAlmostEqual(heights["a"], 200)
        self.assertAlmostEqual(heights["b"], -50)
        self.assertAlmostEqual(heights["geomean"], 100 * (math.sqrt(1.5) - 1))

    def test_lines_over_an_axis_have_markers(self):
        from warpsieve import figures
        some = Results("axis", [Row(r.workload, r.scheme, r.seed, "1", {"ways": ways}, r.run)
                                for ways in ("4", "16") for r in TWO.rows])
        axes = figures.change_over_axis(some, "ways").axes[0]
        line = next(x for x in axes.lines if x.get_marker() == "o")
        self.assertEqual([round(y, 6) for y in line.get_ydata()], [round(100 * (6.5 / 3 - 1), 6)] * 2)
        self.assertEqual([t.get_text() for t in axes.get_xticklabels()], ["4", "16"])
        self.assertEqual(axes.get_xlabel(), "ways")

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
        for figure in ("ipc", "ipc_change", "traffic"):
            self.assertEqual(len(names[figure].axes[0].patches), 2 + (1 if figure == "traffic" else 2), figure)


if __name__ == "__main__":
    unittest.main()
