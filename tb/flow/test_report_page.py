"""`warpsieve report` in headless Chromium: charts with the values of the input, nothing loaded, no error, any width.

WARPSIEVE_BUILD names the build folder; screenshots go to its report-pages/. Skipped (exit code 77) without Chromium, node
or npm (scripts/bootstrap docs), or when npm cannot fetch playwright-core.
"""

import copy
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

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
    """The number behind the colon of a mark's label."""
    return float(text.rsplit(": ", 1)[1].split(" ")[0].replace(",", "").replace("−", "-"))


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

    def browse(self, page, *other):
        pictures = BUILD / "report-pages" / page.stem
        pictures.mkdir(parents=True, exist_ok=True)
        folder = npm.install("report", REPO / "sim_cpp" / "report" / "web")
        shutil.copy(Path(__file__).with_name("report_browser.mjs"), folder)
        ran = subprocess.run(["node", folder / "report_browser.mjs", CHROMIUM, page, pictures, *other], capture_output=True,
                             text=True, timeout=180, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr[-2000:])
        seen = json.loads(ran.stdout)
        self.assertEqual(seen["errors"], [])
        self.assertEqual(seen["requests"], [])
        for name, view in seen["views"].items():
            self.assertLessEqual(view["width"], 400 if "phone" in name else 1100, name)
            for section in view["sections"].values():
                self.assertTrue(all(count > 0 for count in section["charts"]))
                self.assertGreaterEqual(len(section["tables"]), len(section["charts"]), "a table under each chart")
                self.assertTrue(all(m["inside"] for m in section["marks"]))
                for caption, labels in zip(section["captions"], section["labels"], strict=True):
                    self.assertEqual(set(labels), {caption}, "what a screen reader calls the chart")
        backgrounds = {name: view["background"] for name, view in seen["views"].items()}
        self.assertNotEqual(backgrounds["light"], backgrounds["dark"])
        self.assertEqual((backgrounds["light"], backgrounds["dark"]), (backgrounds["phone"], backgrounds["dark_phone"]))
        self.assertTrue(seen["print_widths"] and all(w <= 720 for w in seen["print_widths"]))
        self.assertTrue((pictures / "print.pdf").stat().st_size > 10000)
        for table in seen["print_tables"]:
            self.assertTrue(table["open"], table)
            counted = table["title"].rsplit("(", 1)[-1].split(" row")[0].replace(",", "")
            self.assertEqual(table["rows"], 0 if table["title"] == "sweep file" else int(counted))
        self.assertTrue(seen["tables_stay"], "closed again after printing")
        return seen

    def printed_pages(self, page):
        """As Chromium prints by itself, without anybody who opens tables first."""
        pdf = page.with_suffix(".pdf")
        subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                        f"--print-to-pdf={pdf}", page.as_uri()], capture_output=True, timeout=180, check=True)
        return len(re.findall(rb"/Type ?/Page\b", pdf.read_bytes()))

    def test_values_of_runs(self):
        page = self.report("runs", self.results)
        seen = self.browse(page)
        sections = seen["views"]["light"]["sections"]
        runs = {(r["workload"], r["scheme"]): r for r in json.loads(self.results.read_text())["runs"]}
        base = {w: runs[w, "baseline"] for w, _ in runs}

        ipc = {tuple(m["label"].split(":")[0].split(", ")): m for m in sections["ipc"]["marks"]}
        self.assertEqual(set(ipc), set(runs))
        scale = None
        for key, mark in ipc.items():
            expected = runs[key]["ipc"] / base[key[0]]["ipc"]
            self.assertAlmostEqual(value(mark["label"]), expected, delta=6e-4)
            scale = scale or mark["width"] / expected
            self.assertAlmostEqual(mark["width"], scale * expected, delta=1.5, msg="the bar is as long as its value")
        self.assertIn("IPC / IPC of baseline →", sections["ipc"]["axes"])

        checked = 0
        for mark in sections["requests"]["marks"]:
            workload, scheme, kind = mark["label"].split(":")[0].split(", ")
            count = sum(runs[workload, scheme]["off_chip_requests"][k] for k in KINDS[kind])
            total = base[workload]["off_chip_requests"]["total"]
            self.assertAlmostEqual(value(mark["label"]), 100 * count / total, delta=0.06)
            checked += 1
        self.assertGreaterEqual(checked, len(runs))

        energy = json.loads(warpsieve("energy", self.results, "--json", "--cacti", "recorded").stdout)["runs"]
        table = sections["energy"]["tables"][0]["rows"]
        self.assertEqual(len(table) - 1, len(runs))
        for row in table[1:]:
            ours = next(e for e in energy if (e["workload"], e["scheme"]) == (row[0], row[1]))
            self.assertAlmostEqual(float(row[-2].replace(",", "")), ours["total_nj"] / 1000,
                                   delta=0.01 * ours["total_nj"] / 1000)
            self.assertAlmostEqual(float(row[-1]), ours["relative_total"], delta=1e-3)

        # On paper, too: pages of the claims and of the blocks.
        self.assertGreater(self.printed_pages(page), 8)

        geomean = math.exp(sum(math.log(runs[w, "cmd"]["ipc"] / base[w]["ipc"]) for w in base) / len(base))
        self.assertIn(f"cmd against baseline: IPC {100 * (geomean - 1):+.1f} %", sections["headline"]["text"])
        self.assertIn(f"all {len(runs)} runs clean", sections["headline"]["text"])
        self.assertIn("Claims", sections["claims"]["tables"][0]["title"])  # long: its rows are made when opened
        claims = {c["id"]: c for c in self.data(page)["claims"]}
        ours = sum(100 * (1 - runs[w, "cmd"]["off_chip_requests"]["total"] / base[w]["off_chip_requests"]["total"])
                   for w in base) / len(base)
        self.assertAlmostEqual(claims["cmd.offchip_reduction"]["ours"], ours, places=9)
        self.assertEqual(claims["cmd.offchip_reduction"]["verdict"], "contradicts" if ours < 0 else "direction")
        self.assertEqual(claims["cmd.ipc_5mb"]["verdict"], "not in these results")
        self.assertAlmostEqual(claims["cmd.fifo_16"]["ours"], claims["cmd.read_only_reduction"]["ours"], places=9)
        self.assertIsNone(claims["cmd.fifo_8"]["ours"])
        self.assertIn("Blocks", sections["blocks"]["tables"][0]["title"])
        self.assertGreater(len(sections["area"]["marks"]), 4)
        text = sections["provenance"]["text"]
        for part in ("warpsieve report", "results.json: warpsieve run --workload bfs,kmeans --scale small", "0.1.0+", "cmd-quarter"):
            self.assertIn(part, text)

    def test_staircase_of_validate(self):
        figures = Path(self.folder.name) / "validate.json"
        warpsieve("validate", "--quick", "--only", "volta", "--json", figures)
        curve = next(c for c in json.loads(figures.read_text())["curves"] if c["name"] == "staircase")
        for name, results, others in (("stairs", [figures], False), ("stairs_beside", [self.results, figures], True)):
            sections = self.browse(self.report(name, *results))["views"]["light"]["sections"]
            self.assertEqual("ipc" in sections, others)
            labels = [m["label"] for m in sections["staircase"]["marks"]]
            for point in curve["points"]:
                found = [x for x in labels if x.startswith(f"volta, {point['x']}:")]
                self.assertEqual(len(found), 1, labels)
                self.assertAlmostEqual(value(found[0]), point["y"], delta=0.01 * point["y"])
            self.assertIn("volta, L1 load to use: 28", [x.removesuffix(".0") for x in labels])

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
        self.assertIn("IPC relative to baseline (1 = baseline), geometric mean over 3 seeds", sections["ipc"]["captions"])
        bars = {m["label"].split(":")[0]: value(m["label"]) for m in sections["ipc"]["marks"]}
        self.assertEqual(len(bars), len(runs))
        self.assertAlmostEqual(bars["bfs, cmd"], mine["ipc"] / base["ipc"] * (1.1 * 1.3) ** (1 / 3), delta=6e-4)
        parts = [value(m["label"]) for m in sections["requests"]["marks"] if m["label"].startswith("bfs, cmd, ")]
        ratio = mine["off_chip_requests"]["total"] / base["off_chip_requests"]["total"]
        self.assertAlmostEqual(sum(parts), 100 * ratio * 6 ** (1 / 3), delta=0.3)
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
            bars = {m["label"].split(":")[0]: value(m["label"]) for m in sections["ipc"]["marks"]}
            self.assertEqual(len(bars), 2 * 4)
            self.assertAlmostEqual(bars["bfs, cmd (cmd.hash_units=1)"], 1.5 * bars["bfs, cmd"], delta=2e-3)
            self.assertIn("cmd (cmd.hash_units=1) against baseline", sections["headline"]["text"])
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
        for _ in range(2000):
            if (directory / "sweep.json").is_file():
                break
            try:
                driver.wait(0.01)
            except subprocess.TimeoutExpired:
                pass
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
        seen = self.browse(page, self.report("few", few))
        print(f"{rows} runs, {page.stat().st_size / 1e6:.1f} MB, open after {seen['open_ms']} ms; "
              f"{few_rows} runs: {seen['other_ms']} ms")
        self.assertLess(min(seen["open_ms"]), rows / few_rows * min(seen["other_ms"]))
        sections = seen["views"]["light"]["sections"]
        # IPC over the FIFO, geometric mean over the hash sets.
        marks = {m["label"].split(":")[0]: value(m["label"]) for m in sections["sensitivity"]["marks"]
                 if m["label"].startswith("kmeans, ")}
        self.assertGreater(len(marks), 6)
        hashes = [8, 16, 32, 64, 128, 256, 512, 1024]
        expected = math.exp(sum(math.log(1 + 0.01 * 64 + 0.001 * h) for h in hashes) / 8)
        self.assertTrue(any(abs(value(m["label"]) - expected) < 1e-3 for m in sections["sensitivity"]["marks"]
                            if m["label"].startswith("kmeans, 64:")))
        # The map: one cell for each pair.
        cells = {m["label"].split(":")[0]: value(m["label"]) for m in sections["sensitivity"]["marks"]
                 if m["label"].split(", ")[0] in ("1", "2", "4", "8", "16", "32", "64")}
        self.assertEqual(len(cells), 7 * 8)
        self.assertAlmostEqual(cells["16, 512"], 1 + 0.16 + 0.512, delta=1e-3)
        # Every value of an axis has its label, also where a log scale by itself names only some.
        self.assertIn(["1", "2", "4", "8", "16", "32", "64"], sections["sensitivity"]["ticks"])
        self.assertIn(["8", "16", "32", "64", "128", "256", "512", "1,024"], sections["sensitivity"]["ticks"])
        # A baseline without the axes' parameters is one simulation, and stands at each of their 56 places.
        self.assertIn(f"all {5 * 10 * (1 + 56):,} runs clean", sections["headline"]["text"])
        # Another place on the first axis changes the bars.
        before = {m["label"].split(":")[0]: value(m["label"]) for m in sections["ipc"]["marks"]}
        after = {m["label"].split(":")[0]: value(m["label"]) for m in seen["picked"]["sections"]["ipc"]["marks"]}
        self.assertAlmostEqual(before["bfs, cmd"] - after["bfs, cmd"], 0.01 * (8 - 1), delta=1e-3)

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
        self.assertEqual([row[1:] for row in table["rows"][1:]], [["1", "1.000", "2"], ["4", "0.250", "2"], ["16", "0.000", "2"]])
        self.assertIn("bfs, 16: 0", [m["label"] for m in section["marks"]])

    def test_a_sweep_of_one_scheme_is_compared_with_its_first_point(self):
        directory, rows = self.sweep("alone", ["bfs", "kmeans"], [1], [1, 4, 16], [64], ["cmd"])
        self.assertEqual(rows, 6)
        seen = self.browse(self.report("alone", directory))
        sections = seen["views"]["light"]["sections"]
        caption = "IPC relative to cmd at FIFO 1, hash sets 64 (1 = cmd at FIFO 1, hash sets 64)"
        place = "; shown at FIFO 4 sectors, hash sets 64"
        self.assertIn(caption + place, sections["ipc"]["captions"])
        for name, section in sections.items():
            for said in section["captions"]:
                self.assertEqual(said.endswith(place), name in ("ipc", "requests", "energy"), said)
        # Another value was picked before printing.
        self.assertIn(caption + place.replace("FIFO 4", "FIFO 1"), seen["print_captions"])
        gain = 100 * ((1 + 0.16 + 0.064) / (1 + 0.01 + 0.064) - 1)
        self.assertIn(f"cmd at FIFO 16, hash sets 64 against cmd at FIFO 1, hash sets 64: IPC {gain:+.1f} %",
                      sections["headline"]["text"])
        self.assertIn("(geometric means of 2 runs, 2 workloads)", sections["headline"]["text"])
        lines = {m["label"].split(":")[0]: value(m["label"]) for m in sections["sensitivity"]["marks"]
                 if m["label"].startswith("bfs, ")}
        first = 1 + 0.01 * 1 + 0.001 * 64
        self.assertEqual(lines["bfs, 1"], 1)
        self.assertEqual(lines["bfs, 16"], 1)  # the chart of off-chip requests, which is the last and does not change
        self.assertIn(f"bfs, 16: {round((1 + 0.01 * 16 + 0.001 * 64) / first, 3):g}",
                      [m["label"] for m in sections["sensitivity"]["marks"]])

    def test_mistakes_are_one_line(self):
        def refused(*words):
            ran = warpsieve("report", *words)
            self.assertEqual(ran.returncode, 2)
            self.assertEqual(ran.stderr.count("\n"), 1, ran.stderr)
            return ran.stderr
        out = self.root / "x.html"
        self.assertIn("no results given", refused("-o", out))
        self.assertIn("no output file", refused(self.results))
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
