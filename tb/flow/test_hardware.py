"""Programs of scripts/hardware: line counts, statistics and JSON against references, the survey on the host, `measure`
with a stand-in for nvcc, the tables; with the argument `build`: everything compiled by nvcc, and runs without a GPU.

`build` is skipped (exit code 77) where nvcc is not installed. No test needs a GPU.
"""

import collections
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import REPO

HARDWARE = REPO / "scripts" / "hardware"
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
PROGRAMS = sorted(p.stem for p in HARDWARE.glob("*.cu"))
CURVES = {  # what the stand-in programs print: curves that the tables use
    "latency": {"l1_cached": [16384], "l2_only": [1 << 20, 256 << 20], "spread_l2": [50, 99],
                "spread_dram": [50, 99]},
    "bandwidth": {"read": [1 << 28, 1 << 30], "write": [1 << 30], "copy": [1 << 30], "read_again": [1 << 20, 1 << 24],
                  "random_sectors": [1 << 30]},
    "pitch": {"power_of_two": [128, 4096, 65536], "plus_128": [4224], "fetch_32": [4096]},
    "atomics": {"red_packed": [1, 1 << 18], "red_lines": [1 << 18], "red_one_per_warp": [8448], "atom_packed": [1]},
    "shared": {"dependent": [1, 32], "independent": [32], "all_warps": [32]},
    "stores": {"coalesced": [1 << 30], "own_lines": [1 << 30], "own_lines_open": [33792], "scattered": [1 << 30], "partial": [4]},
    "in_flight": {"loads_1": [1, 32], "loads_8": [256]},
}


def run(command, text=None, **env):
    return subprocess.run([str(c) for c in command], input=text, capture_output=True, text=True, check=False,
                          env=dict(os.environ, **env))


def counted(image, regions):
    """Duplicate lines by comparing every line with every other one."""
    lines = [[image[at:at + 128] for at in range(offset, offset + -(-size // 128) * 128, 128)] for _, offset, size in regions]
    intra = lambda line: all(line[i:i + 4] == line[:4] for i in range(0, 128, 4))  # noqa: E731
    every = [line for array in lines for line in array]
    return [[len(array), sum(intra(line) for line in array),
             sum(not intra(line) and sum(line == other for other in every) > 1 for line in array)] for array in lines]


class Host(unittest.TestCase):
    """A folder with a program of the host parts."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpsieve-hardware-")
        cls.program = Path(cls.folder.name) / "count_lines"
        subprocess.run(["g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{HARDWARE}",
                        REPO / "tb/flow/count_lines.cpp", "-o", cls.program], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def lines(self, image, regions):
        text = f"lines {len(regions)} " + " ".join(f"{n} {o} {b}" for n, o, b in regions)
        return run([self.program], f"{text} {len(image)} {' '.join(map(str, image))}")

    def test_duplicate_lines_are_those_of_a_comparison_of_all_pairs(self):
        rng = random.Random(3)
        seen = collections.Counter()
        for _ in range(60):
            regions, image = [], bytearray()
            for index in range(rng.randint(1, 4)):
                size = rng.choice([1, 4, 127, 128, 129, 640, 1000])
                regions.append((f"r{index}", len(image), size))
                for _ in range(-(-size // 256) * 2):
                    line = bytearray(rng.choice([b"\0\0\0\0", b"\1\0\0\0", b"\0\0\0\1"]) * 32)
                    line[rng.choice([0, 3, 4, 127])] ^= rng.choice([0, 0, 1, 2])  # generic, but one of few such lines
                    image += line
            ran = self.lines(image, regions)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            found = json.loads(ran.stdout)["counts"]
            self.assertEqual(found, counted(bytes(image), regions))
            for _, intra, inter in found:
                seen.update(intra=intra, inter=inter)
        self.assertGreater(min(seen["intra"], seen["inter"]), 20)

    def test_arrays_that_are_no_whole_lines_are_refused(self):
        for regions in ([("a", 4, 128)], [("a", 0, 129)], [("a", 256, 1)], [("a", 0, 128), ("b", 1 << 60, 128)]):
            ran = self.lines(bytes(128), regions)
            self.assertEqual((ran.returncode, ran.stderr.count("\n")), (2, 1), regions)
            self.assertIn(f"array {regions[-1][0]}", ran.stderr)

    def test_the_spread_is_that_of_the_samples(self):
        rng = random.Random(5)
        for samples in ([2.5], [1.0, 1.0], [1e9, 1e9 + 1, 1e9 + 2], [rng.uniform(-5, 5) for _ in range(9)]):
            ran = run([self.program], f"spread {len(samples)} " + " ".join(map(repr, samples)))
            point, = json.loads(ran.stdout)["curves"][0]["points"]
            self.assertEqual(point["x"], 4096)
            self.assertAlmostEqual(point["mean"] / statistics.mean(samples), 1, 8)
            self.assertEqual((point["min"], point["max"]), (float(f"{min(samples):.9g}"), float(f"{max(samples):.9g}")))
            deviation = statistics.stdev(samples) if len(samples) > 1 else 0
            self.assertAlmostEqual(point["deviation"], deviation, 6)
        self.assertEqual(run([self.program], "spread 0").returncode, 2)

    def test_the_json_holds_names_as_they_are(self):
        name = 'GPU "X"\\ 80\u00a0GB\n\t\x01'
        ran = run([self.program, name], "spread 2 -1e308 1e308")
        found = json.loads(ran.stdout)
        self.assertEqual((found["device"]["name"], found["date"], found["runs"]), (name, "1970-01-02T00:00:00Z", 5))
        self.assertIsNone(found["curves"][0]["points"][0]["deviation"], "JSON has no infinity")


class Measure(unittest.TestCase):
    """scripts/hardware/measure and table in a folder of their own, with the survey on the host as the survey of a GPU."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpsieve-hardware-")
        cls.root = Path(cls.folder.name)
        (cls.root / "bin").mkdir()
        head = {"device": {"name": "Stand-in 3000", "compute": "9.9", "sms": 4, "core_mhz": 1000.5, "memory_mhz": 2000,
                           "bus_bits": 64, "l2_bytes": 1 << 21, "memory_bytes": 1 << 30, "shared_bytes_per_sm": 1 << 16},
                "driver": "13.0", "runtime": "13.0", "date": "2026-01-31T12:00:00Z", "runs": 5}
        point = lambda x: {"x": x, "mean": 10 + x % 7, "min": 9, "max": 20, "deviation": 0.5}  # noqa: E731
        for program, curves in CURVES.items():
            found = {"program": program, **head,
                     "curves": [{"name": n, "points": [point(x) for x in xs]} for n, xs in curves.items()]}
            (cls.root / f"{program}.json").write_text(json.dumps(found))
        # "Compiles" a program that prints the file of its name.
        nvcc = cls.root / "bin" / "nvcc"
        nvcc.write_text(f"""#!/bin/bash
[ "$1" = --version ] && exec echo stand-in
while [ "$1" != -o ]; do case "$1" in *.cu) name=$(basename "$1" .cu);; esac; shift; done
printf '#!/bin/bash\\n[ -z "$NO_GPU" ] || {{ echo "none: no GPU" >&2; exit 77; }}\\ncat {cls.root}/%s.json\\n' $name > "$2"
chmod +x "$2"
""")
        nvcc.chmod(0o755)
        smi = cls.root / "bin" / "nvidia-smi"
        smi.write_text("#!/bin/bash\necho 999.1\n")
        smi.chmod(0o755)
        (cls.root / "scripts" / "hardware" / "results").mkdir(parents=True)
        cls.readme = cls.root / "scripts" / "hardware" / "README.md"
        # The survey of the host, once: what a GPU that computes right prints.
        (cls.root / "survey.json").write_text(json.dumps({**head, "workloads": []}))
        ran = cls.measure("--only", "survey", "--scale", "small", "--output", "/dev/null")  # builds survey_host
        assert ran.returncode == 0, ran.stderr
        cls.survey_host, = (cls.root / "build" / "hardware").glob("*/survey_host")
        cls.survey = {**json.loads(run([cls.survey_host, "--scale", "small"]).stdout), **head}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        shutil.copy(HARDWARE / "README.md", self.readme)
        for path in (self.root / "scripts" / "hardware" / "results").glob("*"):
            path.unlink()
        (self.root / "survey.json").write_text(json.dumps(self.survey))

    @classmethod
    def measure(cls, *options, **env):
        return run([HARDWARE / "measure", *options], WARPSIEVE_BUILD=str(cls.root / "build"),
                   PATH=f"{cls.root}/bin:{os.environ['PATH']}", **env)

    def table(self, *options):
        return run([HARDWARE / "table", *options], WARPSIEVE_ROOT=str(self.root))

    def results(self):
        return self.root / "scripts" / "hardware" / "results" / "gpu.json"

    def test_a_result_file_fills_every_cell_of_the_tables(self):
        ran = self.measure("--scale", "small", "--output", self.results())
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        found = json.loads(self.results().read_text())
        self.assertEqual(found["nvidia_driver"], "999.1")
        self.assertEqual(sorted(found["programs"]), PROGRAMS)
        self.assertTrue(all(w["agrees"] for w in found["programs"]["survey"]["workloads"]))
        self.assertEqual(self.table("--check").returncode, 1, "the README has no column for it")
        self.assertEqual(self.table().returncode, 0)
        self.assertEqual(self.table("--check").returncode, 0)
        text = self.readme.read_text().split("<!-- measured: begin")[1]
        self.assertNotIn("not measured", text)
        self.assertNotIn("|  |", text)
        self.assertIn("| Stand-in 3000 | 9.9 | 4 | 1000 | 2000 | 2 | 999.1 | 13.0 | 2026-01-31 | 5 |", text)
        self.assertIn("| Streaming read | GB/s | 11 ± 0.5 |", text)  # of the largest array
        self.assertIn("| backprop | momentum | 100.0 / 0.0 |", text)

    def test_a_gpu_that_computes_something_else_is_seen(self):
        wrong = json.loads(json.dumps(self.survey))
        wrong["workloads"][2]["hash"] = "0" * 16
        wrong["workloads"][3]["clean"] = False
        (self.root / "survey.json").write_text(json.dumps(wrong))
        ran = self.measure("--scale", "small", "--only", "survey", "--output", self.results())
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        self.assertEqual([line for line in ran.stdout.splitlines() if "WRONG" in line],
                         [f"measure: WRONG: survey of {w['workload']}: the GPU's memory is not the host's"
                          for w in wrong["workloads"][2:4]])
        self.table()
        self.assertEqual(self.readme.read_text().count("(WRONG)"), sum(len(w["buffers"]) for w in wrong["workloads"][2:4]))
        self.assertIn("| Streaming read | GB/s |  |", self.readme.read_text(), "not measured in this file")

    def test_no_gpu_and_no_nvcc_are_said_in_a_line(self):
        ran = self.measure(NO_GPU="1")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (77, "", "measure: skipped: none: no GPU\n"))
        if not Path("/usr/local/cuda/bin/nvcc").exists():
            ran = run([sys.executable, HARDWARE / "measure"], PATH=str(self.root))
            self.assertEqual((ran.returncode, ran.stderr.count("\n")), (77, 1))
            self.assertIn("nvcc is not installed", ran.stderr)

    def test_what_is_no_result_is_refused(self):
        without_runs = {key: value for key, value in self.survey.items() if key != "runs"}
        for text, what in (("[", "survey did not print JSON"), ("[]", "expected what a program"),
                           (json.dumps(without_runs), "'runs'")):
            (self.root / "survey.json").write_text(text)
            ran = self.measure("--scale", "small", "--only", "survey", "--output", self.results())
            self.assertEqual((ran.returncode, ran.stderr.count("\n")), (2, 1), ran.stderr)
            self.assertIn(what, ran.stderr)
        for text in ("{", "[]", '{"device": {"name": "x"}}', '{"programs": {}}'):
            self.results().write_text(text)
            ran = self.table()
            self.assertEqual((ran.returncode, ran.stderr.count("\n")), (2, 1), ran.stderr)
            self.assertIn("gpu.json: ", ran.stderr)

    def test_without_results_the_column_is_empty(self):
        self.assertEqual(self.table().returncode, 0)
        rows = self.readme.read_text().split("<!-- measured: begin")[1].splitlines()
        self.assertIn("| Figure | Unit | not measured |", rows)
        self.assertIn("| Load-to-use latency, 1 MB, past the L1 | cycles |  |", rows)
        figures = [row for row in rows if row.startswith("| ") and "--" not in row]
        self.assertEqual({row.split("|")[-2].strip() for row in figures}, {"", "not measured", "Runs"})

    def test_the_committed_tables_are_those_of_the_committed_results(self):
        ran = run([HARDWARE / "table", "--check"])
        self.assertEqual((ran.returncode, ran.stdout + ran.stderr), (0, ""))

    def test_the_table_names_the_arrays_of_the_survey(self):
        rows = [row.split("|")[1:3] for row in (HARDWARE / "README.md").read_text().split("| Workload | Array |")[1].splitlines()[2:]
                if row.startswith("|")]
        self.assertEqual([(w.strip(), a.strip()) for w, a in rows],
                         [(w["workload"], b["name"]) for w in self.survey["workloads"] for b in w["buffers"]])

    def test_the_survey_is_the_same_every_time_and_adds_up(self):
        again = json.loads(run([self.survey_host, "--scale", "small", "--only", "bfs", "--runs", "2"]).stdout)["workloads"]
        first, = (w for w in self.survey["workloads"] if w["workload"] == "bfs")
        self.assertEqual(again, [first])
        for workload in self.survey["workloads"]:
            for buffer in workload["buffers"]:
                self.assertEqual(buffer["lines"], workload["launches"] * -(-buffer["bytes"] // 128))
                self.assertLessEqual(buffer["intra"]["mean"] + buffer["inter"]["mean"], 100)

    def test_the_survey_refuses_what_it_cannot_read(self):
        graph = self.root / "graph.mtx"
        graph.write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n")
        for options, what in ((["--only", "bfz"], "no workload 'bfz'"), (["--scale", "huge"], "'huge'"),
                              (["--runs", "0"], "--runs: expected a whole number from 1"), (["--runs"], "--runs"),
                              (["--input", "bfs"], "WORKLOAD=FILE"), (["--input", "nn=x"], "nn takes no file"),
                              (["--input", f"bfs={graph}", "--only", "bfs"], "graph.mtx:3: expected"), (["--x"], "'--x'")):
            ran = run([self.survey_host, *options])
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr.count("\n")), (2, "", 1), options)
            self.assertIn(what, ran.stderr)


class Build(unittest.TestCase):
    """Every program by the real nvcc, for one architecture."""

    def test_everything_compiles_and_says_that_there_is_no_gpu(self):
        known = run([NVCC, "--list-gpu-arch"]).stdout.split()
        arch = max(a for a in (70, 75, 80, 90) if f"compute_{a}" in known)
        with tempfile.TemporaryDirectory(prefix="warpsieve-hardware-") as folder:
            ran = run([HARDWARE / "measure", "--check-build", "--arch", arch], WARPSIEVE_BUILD=folder)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            self.assertEqual(ran.stdout.count(f"built for sm_{arch}\n"), len(PROGRAMS))
            for name in PROGRAMS:
                program, = Path(folder).glob(f"hardware/*/{name}")
                ran = run([program], CUDA_VISIBLE_DEVICES="")
                self.assertEqual((ran.returncode, ran.stdout, ran.stderr.count("\n")), (77, "", 1), ran.stderr)
                self.assertRegex(ran.stderr, f"^{name}: no GPU to measure: .")
                for options in (["--runs", "x"], ["--max-mb", "1"], ["--scales"]):
                    ran = run([program, *options], CUDA_VISIBLE_DEVICES="")
                    self.assertEqual((ran.returncode, ran.stdout, ran.stderr.count("\n")), (2, "", 1), ran.stderr)

    def test_an_architecture_that_nvcc_does_not_know_is_refused(self):
        with tempfile.TemporaryDirectory(prefix="warpsieve-hardware-") as folder:
            ran = run([HARDWARE / "measure", "--check-build", "--arch", "12"], WARPSIEVE_BUILD=folder)
        self.assertEqual((ran.returncode, ran.stderr.count("\n")), (2, 1), ran.stderr)
        self.assertIn("--arch 12: expected one of ", ran.stderr)


if __name__ == "__main__":
    if sys.argv[1:] == ["build"]:
        if not NVCC:
            print("skipped: nvcc is not installed")
            sys.exit(77)
        unittest.main(argv=[sys.argv[0], "Build"])
    unittest.main(argv=[sys.argv[0], *(sys.argv[1:] or ["Host", "Measure"])])
