"""`warpsieve report` in headless Chromium: charts with the values of the input, nothing loaded, no error, any width.

WARPSIEVE_BUILD names the build folder; screenshots go to its report-pages/. Skipped (exit code 77) without Chromium, node
or npm (scripts/bootstrap docs), or when npm cannot fetch playwright-core.
"""

import copy
import csv
import io
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import xml.dom.minidom
from pathlib import Path

from colour_vision import VISIONS, luminance, seen_as
from support import REPO

os.environ.setdefault("WARPSIEVE_BUILD", str(REPO / "build"))
import flow  # noqa: E402
import npm  # noqa: E402

BUILD = Path(os.environ["WARPSIEVE_BUILD"])
PROGRAM = BUILD / "warpsieve"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
KINDS = {"write": ["write"], "data-read": ["data_read"], "read-only": ["read_only"],
         "metadata": ["metadata_read", "metadata_write"], "dedup-read": ["dedup_read"], "verify-read": ["verify_read"]}


def warpsieve(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)


def value(text):
    """The number behind the colon of a mark's label, or of a cell."""
    return float(text.rsplit(": ", 1)[-1].split(" ")[0].replace(",", "").replace("−", "-"))


class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpsieve-report-")
        cls.root = Path(cls.folder.name)
        cls.results = cls.root / "results.json"
        # Inputs of this size would be in the L2 from the start: charts of requests without a bar.
        ran = warpsieve("run", "-w", "bfs,kmeans", "--scale", "small", "--set", "gpu.image_in_l2=0", "--compare",
                        "baseline,dedup", "--scheme", "cmd",
                        "--json", cls.results)
        assert ran.returncode == 0, ran.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def report(self, name, *results):
        page = self.root / f"{name}.html"
        ran = warpsieve("report", *results, "-o", page, "--cacti", "recorded")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return page

    def data(self, page):
        return json.loads(page.read_text().split('id="data">')[1].split("</script>")[0])

    def browse(self, page, *other, whole=False):
        """What the browser saw; `whole`: dark, narrow, printed and used, too, with screenshots."""
        pictures = BUILD / "report-pages" / page.stem
        if whole:
            pictures.mkdir(parents=True, exist_ok=True)
        folder = npm.install("report", REPO / "sim_cpp" / "report" / "web")
        shutil.copy(Path(__file__).with_name("report_browser.mjs"), folder)
        words = ["node", folder / "report_browser.mjs", CHROMIUM, page, pictures if whole else "", *other]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr[-2000:])
        seen = json.loads(ran.stdout)
        self.assertEqual(seen["errors"], [])
        self.assertEqual(seen["requests"], [])
        for name, view in seen["views"].items():
            self.assertLessEqual(view["width"], 390 if "phone" in name else 1400, name)
            for section in view["sections"].values():
                self.assertTrue(all(count > 0 for count in section["charts"]))
                self.assertTrue(section["tables"] or not section["charts"], "a table under the charts")
                self.assertTrue(all(m["inside"] for m in section["marks"]))
                self.assertEqual(section["captions"], section["labels"], "what a screen reader calls the chart")
                self.assertEqual(section["buttons"], [["Save SVG", "Save CSV"]] * len(section["charts"]))
                for table in section["tables"]:
                    if table["rows"]:
                        self.assertEqual("more columns" in table["hint"], table["wide"], table["title"])
                        self.assertEqual(table["filter"], len(table["rows"]) > 9, table["title"])
        if not whole:
            return seen
        backgrounds = {name: view["background"] for name, view in seen["views"].items()}
        self.assertNotEqual(backgrounds["light"], backgrounds["dark"])
        self.assertEqual((backgrounds["light"], backgrounds["dark"]), (backgrounds["phone"], backgrounds["dark_phone"]))
        self.assertTrue(seen["print_widths"])
        self.assertLessEqual(max(seen["print_widths"]), 720)
        self.assertTrue((pictures / "print.pdf").stat().st_size > 10000)
        for table in seen["print_tables"]:
            self.assertTrue(table["open"], table)
            counted = table["title"].rsplit("(", 1)[-1].split(" row")[0].replace(",", "")
            self.assertEqual(table["rows"], 0 if table["title"] == "sweep file" else int(counted))
        self.assertTrue(seen["tables_stay"], "closed again after printing")
        return seen

    def whole_page(self):
        """The page of the runs and what was seen of it, once for several tests."""
        if not hasattr(ReportPage, "seen_whole"):
            page = self.report("runs", self.results)
            ReportPage.seen_whole = page, self.browse(page, whole=True)
        return ReportPage.seen_whole

    def printed_pages(self, page):
        """As Chromium prints by itself, without anybody who opens tables first."""
        pdf = page.with_suffix(".pdf")
        subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                        f"--print-to-pdf={pdf}", page.as_uri()], capture_output=True, check=True)
        return len(re.findall(rb"/Type ?/Page\b", pdf.read_bytes()))

    def figures(self):
        """The folder that `--figures` writes."""
        folder = self.root / "figures"
        if not folder.exists():
            ran = warpsieve("report", self.results, "--figures", folder, "--cacti", "recorded")
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            self.assertRegex(ran.stdout, r"figures: \d+ figures, each as SVG and as CSV\n$")
        return folder

    def ratios(self, what, results=None):
        """(workload, scheme): `what(run)` over the baseline's."""
        runs = {(r["workload"], r["scheme"]): r for r in json.loads((results or self.results).read_text())["runs"]}
        return {key: what(run) / what(runs[key[0], "baseline"]) for key, run in runs.items() if key[1] != "baseline"}

    def assert_digits(self, text, expected):
        """Three significant digits."""
        self.assertAlmostEqual(value(text), expected, delta=0.0051 * abs(expected) + 5.1e-4, msg=text)

    def check_bars(self, section, changes):
        """The section has these bars, as long as their values, on both sides of one line; and their means."""
        marks = {tuple(m["label"].split(":")[0].split(", ")): m for m in section["marks"]}
        schemes = {scheme for _, scheme in changes}
        self.assertEqual({k for k in marks if len(k) == 2 and k[0] not in ("mean", "geometric mean")}, set(changes))
        self.assertFalse([k for k in marks if k[1] == "baseline"])
        expected = dict(changes)
        for scheme in schemes:
            mine = [change for (_, s), change in changes.items() if s == scheme]
            expected["mean", scheme] = sum(mine) / len(mine)
            expected["geometric mean", scheme] = 100 * (math.exp(sum(math.log(1 + c / 100) for c in mine) / len(mine)) - 1)
        longest = max(expected, key=lambda k: abs(expected[k]))
        scale = marks[longest]["height"] / abs(expected[longest])
        zero = set()
        for key, change in expected.items():
            self.assert_digits(marks[key]["label"], change)
            self.assertAlmostEqual(marks[key]["height"], scale * abs(change), delta=1.5, msg="as long as its value")
            zero.add(round(marks[key]["top"] + (marks[key]["height"] if change > 0 else 0)))
        self.assertLessEqual(max(zero) - min(zero), 1, "around one line")
        return marks

    def test_values_of_runs(self):
        page, seen = self.whole_page()
        sections = seen["views"]["light"]["sections"]
        runs = {(r["workload"], r["scheme"]): r for r in json.loads(self.results.read_text())["runs"]}
        base = {w: runs[w, "baseline"] for w, _ in runs}

        self.assertEqual(list(sections)[:3], ["headline", "ipc", "requests"], "IPC first, then traffic")
        changes = {key: 100 * (ratio - 1) for key, ratio in self.ratios(lambda r: r["ipc"]).items()}
        self.check_bars(sections["ipc"], changes)
        self.assertEqual(sections["ipc"]["captions"], ["IPC of dedup and cmd against baseline"])
        self.assertIn("↑ change of IPC (%)", sections["ipc"]["texts"][0])
        self.assertEqual(sections["ipc"]["legends"][0]["words"], ["dedup", "cmd"])
        self.assertEqual(sections["ipc"]["whiskers"], 0)

        traffic = {key: 100 * (ratio - 1) for key, ratio in self.ratios(lambda r: r["off_chip_requests"]["total"]).items()}
        self.assertEqual(sections["requests"]["captions"][0], "Off-chip requests of dedup and cmd against baseline")
        self.check_bars({"marks": [m for m in sections["requests"]["marks"] if m["label"].count(", ") == 1]}, traffic)
        kinds = 0
        for mark in sections["requests"]["marks"]:
            if mark["label"].count(", ") != 2:
                continue
            workload, scheme, kind = mark["label"].split(":")[0].split(", ")
            keys = KINDS.get(kind, ["total"])
            count = [sum(of["off_chip_requests"][k] for k in keys) for of in (runs[workload, scheme], base[workload])]
            self.assert_digits(mark["label"], 100 * (count[0] - count[1]) / base[workload]["off_chip_requests"]["total"])
            kinds += kind in KINDS
        self.assertGreaterEqual(kinds, len(changes))

        energy = json.loads(warpsieve("energy", self.results, "--json", "--cacti", "recorded").stdout)["runs"]
        table = sections["energy"]["tables"][0]["rows"]
        self.assertEqual(len(table) - 1, len(runs))
        for row in table[1:]:
            ours = next(e for e in energy if (e["workload"], e["scheme"]) == (row[0], row[1]))
            self.assert_digits(row[-2], ours["total_nj"] / 1000)
            if row[1] != "baseline":
                self.assertAlmostEqual(value(row[-1]), 100 * (ours["relative_total"] - 1), delta=0.1)

        # On paper, too.
        self.assertGreater(self.printed_pages(page), 4)

        geomean = math.exp(sum(math.log(runs[w, "cmd"]["ipc"] / base[w]["ipc"]) for w in base) / len(base))
        said = re.search(r"cmd: IPC ([^ ]+) %", sections["headline"]["text"])[1]
        self.assert_digits(said, 100 * (geomean - 1))
        self.assertIn(f"all {len(runs)} runs clean", sections["headline"]["text"])
        claims = {c["id"]: c for c in self.data(page)["claims"]}
        ours = sum(100 * (1 - runs[w, "cmd"]["off_chip_requests"]["total"] / base[w]["off_chip_requests"]["total"])
                   for w in base) / len(base)
        self.assertAlmostEqual(claims["cmd.offchip_reduction"]["ours"], ours, places=9)
        self.assertEqual(claims["cmd.offchip_reduction"]["repetitions"], 1)
        self.assertEqual(claims["cmd.offchip_reduction"]["verdict"],
                         "no effect" if abs(ours) <= 3 else "opposite" if ours < 0 else "marginal" if ours < 31.01 / 3 else "weaker")
        self.assertEqual(claims["cmd.ipc_5mb"]["verdict"], "no runs")
        self.assertIsNone(claims["cmd.fifo_8"]["ours"])
        self.assertIn("have no measured noise", sections["claims"]["text"])
        self.assertIn("Blocks", sections["blocks"]["tables"][0]["title"])
        self.assertGreaterEqual(len(sections["area"]["marks"]), 4)
        text = sections["provenance"]["text"]
        for part in ("warpsieve report", "results.json: warpsieve run --workload bfs,kmeans --scale small", "0.1.0+",
                     "cmd-quarter", "Okabe and Ito"):
            self.assertIn(part, text)

    def test_claims_of_other_papers_stay_away_and_reasons_are_said_once(self):
        page, seen = self.whole_page()
        data = self.data(page)
        self.assertEqual({c["id"].split(".")[0] for c in data["claims"] + data["findings"]}, {"cmd"})
        self.assertNotIn("rata", {b["block"] for b in data["blocks"]})
        sections = seen["views"]["light"]["sections"]
        table = next(t for t in sections["claims"]["tables"] if t["title"].startswith("Claims"))["rows"]
        self.assertNotIn("no runs", {cell for row in table for cell in row})
        reasons = [row[-1] for row in table[1:] if len(row[-1]) > 20]
        self.assertEqual(len(reasons), len(set(reasons)))
        self.assertIn("further claims of these papers: no runs", sections["claims"]["text"])
        notes = [note for section in sections.values() for note in section["notes"]]
        self.assertTrue(notes)
        self.assertEqual(len(notes), len(set(notes)))
        self.assertEqual(sum("Single runs" in note for note in notes), 1, "not under each chart")

    def test_repetitions_give_whiskers_and_pale_bars(self):
        results = self.root / "repeated.json"
        ran = warpsieve("run", "-w", "bfs,kmeans", "--scale", "small", "--set", "gpu.image_in_l2=0", "--compare", "baseline",
                        "--scheme", "cmd", "--repeat", "3", "--json", results)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        sections = self.browse(self.report("repeated", results))["views"]["light"]["sections"]
        runs = json.loads(results.read_text())["runs"]
        marks = {m["label"].split(":")[0]: m for m in sections["ipc"]["marks"]}
        for run in runs:
            if run["scheme"] == "cmd":
                repeats = run["repeats"]["ipc_change_percent"]
                self.assert_digits(marks[f"{run['workload']}, cmd"]["label"], repeats["mean"])
                self.assertEqual(marks[f"{run['workload']}, cmd"]["pale"], abs(repeats["mean"]) <= repeats["half_interval_95"])
        self.assertEqual(sections["ipc"]["whiskers"], 4)  # and of both means
        self.assertIn("95 % confidence interval", sections["ipc"]["notes"][0])

    def test_charts_are_saved_and_tables_sorted_and_filtered(self):
        _, seen = self.whole_page()
        self.assertEqual(set(seen["saved"]), {"ipc.svg", "ipc.csv"})
        picture = xml.dom.minidom.parseString(seen["saved"]["ipc.svg"]).documentElement
        words = [t.firstChild.data for t in picture.getElementsByTagName("text") if t.firstChild]
        self.assertEqual(words[0], "IPC of dedup and cmd against baseline")
        for word in ("cmd", "dedup", "kmeans", "geometric mean"):
            self.assertIn(word, words)
        self.assertNotIn("var(", seen["saved"]["ipc.svg"])
        self.assertNotIn("currentColor", seen["saved"]["ipc.svg"])
        # The program writes the same numbers without a browser.
        folder = self.figures()
        mine, theirs = (list(csv.reader(io.StringIO(text))) for text in
                        (seen["saved"]["ipc.csv"], (folder / "ipc.csv").read_text()))
        self.assertEqual(mine[0], theirs[0])
        self.assertEqual([[float(c) if i == 2 else c for i, c in enumerate(row)] for row in mine[1:]],
                         [[float(c) if i == 2 else c for i, c in enumerate(row)] for row in theirs[1:]])

        up, down = seen["sorted"]
        self.assertEqual((up["order"], down["order"]), ("ascending", "descending"))
        for order, one in ((False, up), (True, down)):
            numbers = [value(v) for v in one["values"] if v != "–"]
            self.assertEqual(len(numbers), len(self.ratios(lambda r: r["ipc"])))
            self.assertEqual(numbers, sorted(numbers, reverse=order))
            self.assertEqual(one["values"][-1], "–", "what has no change comes last")
        rows = len(seen["views"]["light"]["sections"]["ipc"]["tables"][0]["rows"]) - 1
        if "filtered" in seen:
            self.assertEqual(seen["filtered"], {"first": ["kmeans"], "said": f"1 of {rows} rows"})

    def test_tables_filter_and_say_that_they_scroll(self):
        page = self.report("many", self.variant("many", 1, lambda run: None), self.variant("more", 2, lambda run: None))
        seen = self.browse(page, whole=True)
        self.assertEqual(seen["filtered"]["first"], ["kmeans", "kmeans"])
        self.assertEqual(seen["filtered"]["said"], "2 of 12 rows")
        hints = [t["hint"] for s in seen["views"]["phone"]["sections"].values() for t in s["tables"]]
        self.assertTrue(any("more columns" in h for h in hints))

    def test_figures_without_a_browser(self):
        folder = self.figures()
        ids = [f["id"] for f in self.data(self.whole_page()[0])["figures"]]
        self.assertEqual(sorted(p.name for p in folder.iterdir()), sorted(f"{i}.{e}" for i in ids for e in ("csv", "svg")))
        for name in ids:
            picture = xml.dom.minidom.parse(str(folder / f"{name}.svg")).documentElement
            self.assertEqual(picture.tagName, "svg")
            width = float(picture.getAttribute("width"))
            for tag in ("rect", "text"):
                for node in picture.getElementsByTagName(tag):
                    if node.getAttribute("x"):
                        self.assertTrue(0 <= float(node.getAttribute("x")) <= width, node.toxml())
        changes = self.ratios(lambda r: r["ipc"])
        rows = list(csv.DictReader((folder / "ipc.csv").read_text().splitlines()))
        self.assertEqual({(r["workload"], r["scheme"]) for r in rows} & set(changes), set(changes))
        for row in rows:
            if (row["workload"], row["scheme"]) in changes:
                self.assertAlmostEqual(float(row["change of IPC (%)"]), 100 * (changes[row["workload"], row["scheme"]] - 1), places=9)
        pixels = [r for r in xml.dom.minidom.parse(str(folder / "ipc.svg")).getElementsByTagName("rect")
                  if r.getElementsByTagName("title")]
        self.assertEqual(len(pixels), len(rows))

    def test_colours_are_told_apart_by_every_kind_of_vision(self):
        page, seen = self.whole_page()
        data = self.data(page)
        hues = data["palette"][:data["hues"]]
        for vision in VISIONS:
            for one, other in itertools.combinations(hues[:4], 2):
                apart = math.dist(seen_as(one, vision), seen_as(other, vision))
                self.assertGreater(apart, 15, f"{one} and {other} in {vision}")
        lightness = [seen_as(step, "normal")[0] for step in data["steps"]]
        self.assertEqual(lightness, sorted(lightness), "maps go from dark to light")
        sections = seen["views"]
        for name in ("light", "dark"):
            background = "#" + "".join(f"{int(v):02x}" for v in re.findall(r"\d+", sections[name]["background"])[:3])
            for mark in sections[name]["sections"]["ipc"]["marks"]:
                one, other = sorted((luminance(mark["fill"]), luminance(background)))
                self.assertGreater((other + 0.05) / (one + 0.05), 2, f"{mark['fill']} on {background}")

    def test_curves_of_validate(self):
        figures = self.root / "validate.json"
        warpsieve("validate", "--quick", "--only", "volta", "--json", figures)
        whole = json.loads(figures.read_text())
        curve = next(c for c in whole["curves"] if c["name"] == "staircase")
        del whole["digest"]
        whole["curves"].append({"group": "volta", "name": "pitch", "x_unit": "bytes", "y_unit": "lines/cycle",
                                "points": [{"x": "128", "y": 13.9}, {"x": "512", "y": 8.06}, {"x": "4096", "y": 1.49}]})
        figures.write_text(json.dumps(whole))
        for name, results, others in (("stairs", [figures], False), ("stairs_beside", [self.results, figures], True)):
            sections = self.browse(self.report(name, *results))["views"]["light"]["sections"]
            self.assertEqual("ipc" in sections, others)
            curves = sections["curves"]
            self.assertEqual(curves["captions"], ["Latency of dependent loads over the footprint: volta", "Bandwidth by pitch: volta"])
            labels = [m["label"] for m in curves["marks"]]
            for point in curve["points"]:
                found = [x for x in labels if x.startswith(f"volta, {point['x']}:")]
                self.assertEqual(len(found), 1, labels)
                self.assert_digits(found[0], point["y"])
            self.assertIn("volta, L1 load to use: 28", labels)
            self.assertIn("volta, 512: 8.06", labels)
            for legend, symbols in zip(curves["legends"], curves["symbols"]):
                self.assertEqual(legend["words"], ["volta"])
                self.assertTrue(set(legend["symbols"]) & set(symbols), "the legend shows the marker of the line")
            self.assertEqual([n for n in curves["notes"] if "Crosses" in n], ["Crosses: published figures."])

    def test_footprints_and_inputs_are_named(self):
        footprints = self.root / "footprints.json"
        footprints.write_text(warpsieve("workloads", "bfs", "kmeans", "--scale", "small", "--format", "json").stdout)
        named = self.unsealed()
        named["input"] = "somewhere/NY.gr"
        file = self.root / "named.json"
        file.write_text(json.dumps(named))
        sections = self.browse(self.report("footprints", file, footprints))["views"]["light"]["sections"]
        self.assertIn("bfs (NY.gr), cmd", [m["label"].split(":")[0] for m in sections["ipc"]["marks"]])
        figure = next(i for i, c in enumerate(sections["sensitivity"]["captions"]) if "footprint" in c)
        known = {w["workload"]: w["footprint_bytes"] for w in json.loads(footprints.read_text())["workloads"]}
        rows = sections["sensitivity"]["tables"][figure]["rows"]
        self.assertEqual(rows[0][2], "footprint (MiB) ↕".removesuffix(" ↕"))
        for row in rows[1:]:
            self.assert_digits(row[2], known[row[0].split(" ")[0]] / 2**20)

    def test_page_refuses_everything_from_outside(self):
        text = self.report("policy", self.results).read_text()
        self.assertIn("default-src 'none'; script-src 'sha256-", text)
        self.assertEqual(text.count("<script"), 2)
        for word in (" src=", "<link", "@import", "url(", "<iframe"):
            head = text.split('<script type="application/json"')[0]
            self.assertNotIn(word, head)

    def unsealed(self):
        """The results without their digest, which would refuse a change."""
        results = json.loads(self.results.read_text())
        del results["digest"]
        return results

    def test_names_cannot_break_out(self):
        broken = self.unsealed()
        for run in broken["runs"]:
            run["workload"] = "</script><script>alert(1)</script><b>"
        file = self.root / "nasty.json"
        file.write_text(json.dumps(broken))
        page = self.report("nasty", file)
        self.assertEqual(page.read_text().count("<script"), 2)
        seen = self.browse(page)
        self.assertIn("</script>", seen["views"]["light"]["sections"]["ipc"]["marks"][0]["label"])

    def test_corrupt_data_is_the_headline(self):
        bad = self.unsealed()
        bad["runs"][1]["integrity"]["clean"] = False
        file = self.root / "bad.json"
        file.write_text(json.dumps(bad))
        seen = self.browse(self.report("corrupt", file))
        self.assertIn("1 run with corrupt data", seen["views"]["light"]["sections"]["headline"]["text"])

    def variant(self, name, seed, change):
        """The results with another seed, and with every run of cmd changed."""
        json_of = self.unsealed()
        json_of["seed"] = seed
        for run in json_of["runs"]:
            if run["scheme"] == "cmd":
                change(run)
        file = self.root / f"{name}.json"
        file.write_text(json.dumps(json_of))
        return file

    def test_seeds_are_averaged_in_charts_and_listed_in_tables(self):
        factors = {1: 1.0, 2: 1.1, 3: 1.3}

        def scale(run, seed):
            run["ipc"] *= factors[seed]
            for kind in run["off_chip_requests"]:
                run["off_chip_requests"][kind] *= seed
        files = [self.variant(f"seed{s}", s, lambda run, s=s: scale(run, s)) for s in factors]
        sections = self.browse(self.report("seeds", *files))["views"]["light"]["sections"]
        runs = {(r["workload"], r["scheme"]): r for r in json.loads(self.results.read_text())["runs"]}
        base, mine = runs["bfs", "baseline"], runs["bfs", "cmd"]
        bars = {m["label"].split(":")[0]: m["label"] for m in sections["ipc"]["marks"]}
        self.assert_digits(bars["bfs, cmd"], 100 * (mine["ipc"] / base["ipc"] * 3.4 / 3 - 1))
        self.assertEqual(sections["ipc"]["whiskers"], 4 * 2)
        parts = [value(m["label"]) for m in sections["requests"]["marks"]
                 if m["label"].startswith("bfs, cmd, ") and "all parts" not in m["label"]]
        ratio = mine["off_chip_requests"]["total"] / base["off_chip_requests"]["total"]
        self.assertAlmostEqual(sum(parts), 100 * (2 * ratio - 1), delta=0.01 * sum(map(abs, parts)))
        for name in ("ipc", "requests", "energy", "points"):
            rows = sections[name]["tables"][0]["rows"]
            self.assertEqual(rows[0][2], "seed")
            self.assertEqual(sorted(row[2] for row in rows[1:]), sorted(["1", "2", "3"] * len(runs)))

    def test_two_sets_of_scheme_parameters_are_two_schemes(self):
        def change(run):
            run["scheme_report"]["parameters"]["cmd.hash_units"] = 1
            run["ipc"] *= 1.5
        other = self.variant("units", 1, change)
        for name, files in (("units", (self.results, other)), ("units_first", (other, self.results))):
            sections = self.browse(self.report(name, *files))["views"]["light"]["sections"]
            bars = {m["label"].split(":")[0]: m["label"] for m in sections["ipc"]["marks"]}
            self.assertEqual(len(bars), 3 * 4)
            usual = self.ratios(lambda r: r["ipc"])["bfs", "cmd"]
            self.assert_digits(bars["bfs, cmd (cmd.hash_units=1)"], 100 * (1.5 * usual - 1))
            self.assertIn("cmd (cmd.hash_units=1): IPC", sections["headline"]["text"])
            self.assertIn("all 8 runs clean", sections["headline"]["text"])

    def sweep(self, name, workloads, seeds, fifo, hashes, schemes=("baseline", "cmd")):
        """A finished sweep without simulating: the results of one run, with cycles that follow a rule."""
        file = self.root / f"{name}.toml"
        file.write_text(f"scale = \"small\"\nschemes = {json.dumps(schemes)}\nworkloads = {json.dumps(workloads)}\n"
                        f"seeds = {seeds}\n[[axis]]\nname = \"FIFO\"\nunit = \"sectors\"\nparameter = \"cmd.fifo_entries\"\n"
                        f"values = {fifo}\n[[axis]]\nname = \"hash sets\"\nparameter = \"cmd.hash_sets\"\n"
                        f"values = {hashes}\n")
        directory = self.root / name
        # Points and ids come from the program itself: a run that is stopped at once.
        driver = subprocess.Popen([PROGRAM, "sweep", "run", file, "-o", directory, "--jobs", "1"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while driver.poll() is None and not (directory / "sweep.json").is_file():
            time.sleep(0.01)
        driver.kill()
        driver.wait()
        sweep = json.loads((directory / "sweep.json").read_text())
        runs = {r["scheme"]: r for r in json.loads(self.results.read_text())["runs"] if r["workload"] == "bfs"}
        for point in sweep["points"]:
            spec = point["spec"]
            run = copy.deepcopy(runs[spec["scheme"]])
            settings = dict(s.split("=") for s in spec["set"])
            factor = 1 + 0.01 * int(settings.get("cmd.fifo_entries", 0)) + 0.001 * int(settings.get("cmd.hash_sets", 0))
            run["workload"] = spec["workload"]
            run["ipc"] = 2.0 if spec["scheme"] == "baseline" else 2.0 * factor
            (directory / "results" / f"{point['id']}.json").write_text(json.dumps(
                {"format": "warpsieve-point-1", "id": point["id"], "version": sweep["version"], "spec": spec, "run": run}))
        return directory, len(sweep["rows"])

    def test_eight_times_the_points_open_in_less_than_eight_times_the_time(self):
        directory, rows = self.sweep("big", ["bfs", "pagerank", "kmeans", "cfd", "vecadd"], list(range(1, 11)),
                                     [1, 2, 4, 8, 16, 32, 64], [8, 16, 32, 64, 128, 256, 512, 1024])
        self.assertGreater(rows, 5000)
        database = self.root / "big.sqlite"
        self.assertEqual(warpsieve("sweep", "merge", directory, "-o", database).returncode, 0)
        page = self.report("sweep", database)
        # The directory gives the same page but for the command.
        other = self.report("sweep_directory", directory)
        data = [self.data(p) for p in (page, other)]
        for d in data:
            d.pop("provenance")
        self.assertEqual(data[0], data[1])
        few, few_rows = self.sweep("few", ["bfs", "pagerank", "kmeans", "cfd", "vecadd"], list(range(1, 11)),
                                   [1, 2, 4, 8, 16, 32, 64], [8])
        self.assertLess(few_rows * 7, rows)
        seen = self.browse(page, self.report("few", few), whole=True)
        print(f"{rows} runs, {page.stat().st_size / 1e6:.1f} MB, open after {seen['open_ms']} ms; "
              f"{few_rows} runs: {seen['other_ms']} ms")
        self.assertLess(min(seen["open_ms"]), rows / few_rows * min(seen["other_ms"]))
        sections = seen["views"]["light"]["sections"]
        # IPC over the FIFO, geometric mean over the hash sets.
        marks = {m["label"].split(":")[0]: value(m["label"]) for m in sections["sensitivity"]["marks"]
                 if m["label"].startswith("kmeans, ")}
        self.assertGreater(len(marks), 6)
        hashes = [8, 16, 32, 64, 128, 256, 512, 1024]
        expected = 100 * (math.exp(sum(math.log(1 + 0.01 * 64 + 0.001 * h) for h in hashes) / 8) - 1)
        self.assertTrue(any(abs(value(m["label"]) - expected) < 0.06 for m in sections["sensitivity"]["marks"]
                            if m["label"].startswith("kmeans, 64:")))
        # The map: one cell for each pair.
        cells = {m["label"].split(":")[0]: value(m["label"]) for m in sections["sensitivity"]["marks"]
                 if m["label"].split(", ")[0] in ("1", "2", "4", "8", "16", "32", "64")}
        self.assertEqual(len(cells), 7 * 8)
        self.assertAlmostEqual(cells["16, 512"], 16 + 51.2, delta=0.06)
        # Every value of an axis has its label, also where a log scale by itself names only some.
        self.assertIn(["1", "2", "4", "8", "16", "32", "64"], sections["sensitivity"]["ticks"])
        self.assertIn(["8", "16", "32", "64", "128", "256", "512", "1,024"], sections["sensitivity"]["ticks"])
        # A baseline without the axes' parameters is one simulation, and stands at each of their 56 places.
        self.assertIn(f"all {5 * 10 * (1 + 56):,} runs clean", sections["headline"]["text"])
        # Another place on the first axis changes the bars.
        before = {m["label"].split(":")[0]: value(m["label"]) for m in sections["ipc"]["marks"]}
        after = {m["label"].split(":")[0]: value(m["label"]) for m in seen["picked"]["sections"]["ipc"]["marks"]}
        self.assertAlmostEqual(before["bfs, cmd"] - after["bfs, cmd"], 8 - 1, delta=0.1)

    def test_a_kind_of_request_that_falls_to_zero_is_drawn_at_zero(self):
        directory, _ = self.sweep("zero", ["bfs"], [1], [1, 4, 16], [64, 128], ["cmd"])
        for file in (directory / "results").iterdir():
            point = json.loads(file.read_text())
            settings = dict(s.split("=") for s in point["spec"]["set"])
            count = {"1": 8, "4": 2, "16": 0 if settings["cmd.hash_sets"] == "64" else 8}[settings["cmd.fifo_entries"]]
            point["run"]["off_chip_requests"]["write"] = count
            file.write_text(json.dumps(point))
        section = self.browse(self.report("zero", directory))["views"]["light"]["sections"]["sensitivity"]
        table = next(t for t in section["tables"] if "write requests over FIFO" in t["title"])
        self.assertEqual([[row[0], *row[2:]] for row in table["rows"][1:]],
                         [["1", "0", "2"], ["4", "−75.0", "2"], ["16", "−100", "2"]])
        self.assertIn("bfs, 16: −100 %", [m["label"] for m in section["marks"]])

    def test_a_sweep_of_one_scheme_is_compared_with_its_first_point(self):
        directory, rows = self.sweep("alone", ["bfs", "kmeans"], [1], [1, 4, 16], [64], ["cmd"])
        self.assertEqual(rows, 6)
        seen = self.browse(self.report("alone", directory), whole=True)
        sections = seen["views"]["light"]["sections"]
        caption = "IPC of cmd against cmd at FIFO 1, hash sets 64"
        place = "; shown at FIFO 4 sectors, hash sets 64"
        self.assertIn(caption + place, sections["ipc"]["captions"])
        for name, section in sections.items():
            for said in section["captions"]:
                self.assertEqual(said.endswith(place), name in ("ipc", "requests", "energy"), said)
        # Another value was picked before printing.
        self.assertIn(caption + place.replace("FIFO 4", "FIFO 1"), seen["print_captions"])
        gain = 100 * ((1 + 0.16 + 0.064) / (1 + 0.01 + 0.064) - 1)
        self.assertIn(f"cmd at FIFO 16 sectors, hash sets 64: IPC {gain:+.1f} %", sections["headline"]["text"])
        self.assertIn("(2 runs, 2 workloads)", sections["headline"]["text"])
        lines = {m["label"].split(":")[0]: value(m["label"]) for m in sections["sensitivity"]["marks"]
                 if m["label"].startswith("bfs, ")}
        first = 1 + 0.01 * 1 + 0.001 * 64
        self.assertEqual(lines["bfs, 1"], 0)
        self.assertEqual(lines["bfs, 16"], 0)  # the chart of off-chip requests, which is the last and does not change
        self.assertTrue(any(m["label"].startswith("bfs, 16: +") and abs(value(m["label"]) - gain) < 0.06
                            for m in sections["sensitivity"]["marks"]), first)

    def test_mistakes_are_one_line(self):
        def refused(*words):
            ran = warpsieve("report", *words)
            self.assertEqual(ran.returncode, 2)
            self.assertEqual(ran.stderr.count("\n"), 1, ran.stderr)
            return ran.stderr
        out = self.root / "x.html"
        self.assertIn("no results given", refused("-o", out))
        self.assertIn("no output given", refused(self.results))
        taken = self.root / "taken"
        taken.write_text("")
        self.assertIn("taken: cannot write: expected a folder for --figures", refused(self.results, "--figures", taken))
        self.assertIn("cannot read", refused(self.root / "none.json", "-o", out))
        other = self.root / "other.json"
        other.write_text("{}")
        self.assertIn("warpsieve-run-1", refused(other, "-o", out))
        self.assertIn("no sweep is there", refused(self.root, "-o", out))
        self.assertIn("cannot write", refused(self.results, "-o", "/nonexistent/x.html"))
        self.assertIn("No space left", refused(self.results, "-o", "/dev/full"))
        self.assertFalse(out.exists())


if __name__ == "__main__":
    lacking = [name for name, found in (("chromium", CHROMIUM), ("node", shutil.which("node")),
                                        ("npm", shutil.which("npm"))) if not found]
    if lacking:
        print(f"skipped: {', '.join(lacking)} not installed (scripts/bootstrap docs)")
        sys.exit(77)
    try:
        npm.install("report", REPO / "sim_cpp" / "report" / "web")
    except flow.FlowError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    unittest.main()
