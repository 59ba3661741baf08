"""A sweep of 200 points on a real Slurm of two nodes while a task, a node's slurmd and the merge are killed: the SQLite
content and the bytes of every point must be those of a local run.

WARPSIEVE_BUILD names the build folder. Skipped (exit code 77) without slurm-wlm (scripts/bootstrap slurm) and, as it
takes a minute, unless WARPSIEVE_LONG is set (make slurm, make regress), or WARPSIEVE_SLURM (CI): then it is also skipped
where Slurm's daemons cannot run, with what they say.
"""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import slurm_cluster
from support import REPO

PROGRAM = Path(os.environ.get("WARPSIEVE_BUILD", REPO / "build")) / "warpsieve"
SWEEP = """
profile = "cmd-quarter"
scale = "quarter"  # a tenth of a second each: there must be work left when a task and a node are killed
schemes = ["baseline", "cmd"]
workloads = ["bfs", "gather"]
seeds = [{seeds}]
[size.bfs]
vertices = 16384
arcs = 98304
[size.gather]
threads = 512
[[axis]]
parameter = "cmd.fifo_entries"
values = [1, 4, 16]
""".format(seeds=", ".join(str(s) for s in range(1, 26)))
POINTS = 2 * 25 * (1 + 3)


def content(path):
    """Every table's rows in order."""
    with sqlite3.connect(path) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {t: sorted(db.execute(f"SELECT * FROM {t}").fetchall(), key=repr) for t in tables}


def processes(*words):
    """Ids of processes whose command line has all the words."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
        except OSError:
            continue
        if entry.name.isdigit() and all(w in line for w in words):
            found.append(int(entry.name))
    return sorted(found)


class SlurmSweep(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="warpsieve-slurm-")
        self.addCleanup(self.scratch.cleanup)
        self.folder = Path(self.scratch.name)
        self.file = self.folder / "s.toml"
        self.file.write_text(SWEEP)

    def sweep(self, *words, env=None):
        return subprocess.run([PROGRAM, "sweep", *words], capture_output=True, text=True, env=env, check=False)

    def done(self, directory):
        return len(list((directory / "results").glob("[0-9a-f]*.json")))

    def until(self, condition, what, process, seconds=180):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            self.assertIsNone(process.poll(), f"the sweep ended before {what}")
            time.sleep(0.02)

    def test_killed_task_node_and_merge_change_nothing(self):
        local, remote = self.folder / "local", self.folder / "remote"
        start = time.monotonic()
        ran = self.sweep("run", self.file, "-o", local, "--jobs", "2")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        print(f"local run: {POINTS} points, {time.monotonic() - start:.1f} s")
        start = time.monotonic()
        with slurm_cluster.Cluster(self.folder / "cluster") as cluster:
            log = open(self.folder / "log", "w+")
            self.addCleanup(log.close)
            driver = subprocess.Popen([PROGRAM, "sweep", "run", self.file, "-o", remote, "--slurm", "--chunk-seconds",
                                       "1", "--poll-seconds", "0.5"], env=cluster.env, stdout=log, stderr=log)
            try:
                # A task of the array proper, not of the first look.
                self.until(lambda: "tasks" in (self.folder / "log").read_text().split("in 1 tasks")[-1],
                           "the array is submitted", driver)
                self.until(lambda: processes("sweep task", str(remote), "/2.json"), "a task runs", driver)
                before = self.done(remote)
                task = processes("sweep task", str(remote), "/2.json")[0]
                os.kill(task, signal.SIGKILL)
                print(f"killed a task (process {task}) at {before} of {POINTS} points")
                self.until(lambda: self.done(remote) > before + 10, "work goes on after the task", driver)
                before = self.done(remote)
                cluster.kill("n1")
                print(f"killed slurmd of n1 at {before} of {POINTS} points")
                self.until(lambda: self.done(remote) == POINTS or driver.poll() is not None, "the rest", driver, 300)
                code = driver.wait(120)
            finally:
                driver.kill()
            log.seek(0)
            text = log.read()
            self.assertEqual(code, 0, text)
            self.assertIn(f"{POINTS} of {POINTS} points done, 0 failed", text)
            arrays = [line for line in text.splitlines() if "points in" in line]
            print("\n".join(arrays))
            self.assertGreaterEqual(len(arrays), 3, "a first look, the array, and what the killed task left")
        print(f"on Slurm: {time.monotonic() - start:.1f} s")

        # The merge, killed at growing times until one of them ends by itself.
        database = remote / "sweep.sqlite"
        kills = part = 0
        for delay in range(5, 2000, 25):
            merge = subprocess.Popen([PROGRAM, "sweep", "merge", remote], stdout=subprocess.DEVNULL)
            try:
                merge.wait(delay / 1000)
                break
            except subprocess.TimeoutExpired:
                merge.kill()
                merge.wait()
                kills += 1
                part += database.is_file()
        print(f"killed the merge {kills} times, {part} with a database begun")
        self.assertGreater(part, 0)
        self.assertEqual(self.sweep("merge", remote).returncode, 0)
        self.assertEqual(self.sweep("merge", local).returncode, 0)
        for file in sorted((local / "results").glob("*.json")):
            self.assertEqual((remote / "results" / file.name).read_bytes(), file.read_bytes(), file.name)
        ours, theirs = content(database), content(local / "sweep.sqlite")
        self.assertEqual(ours.keys(), theirs.keys())
        for table in ours:
            self.assertEqual(ours[table], theirs[table], table)
        self.assertEqual(len(ours["point"]), POINTS)
        print(f"same bytes of {POINTS} points, same rows of {len(ours)} tables")

    def test_claims_on_slurm_are_those_of_a_local_run(self):
        """Built-in sweeps, several of a paper, at another scale and repeated."""
        def claims(where, *words, env=None):
            saved = self.folder / f"{where}.json"
            ran = subprocess.run([PROGRAM, "claims", "--paper", "rata", "--run", self.folder / where, "--scale", "small",
                                  "--repeat", "2", "--cacti", "recorded", "--save", saved, *words],
                                 capture_output=True, text=True, env=env, check=False)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            untimed = re.sub(r'"seconds":[0-9.e-]+|"digest": .*', "", saved.read_text())
            return untimed, ran.stdout, ran.stderr

        local, table, _ = claims("local", "--jobs", "2")
        with slurm_cluster.Cluster(self.folder / "cluster") as cluster:
            remote, same_table, log = claims("remote", "--slurm", "--chunk-seconds", "2", "--poll-seconds", "0.2",
                                             env=cluster.env)
        self.assertRegex(log, "job [0-9]+: [0-9]+ points in [0-9]+ tasks")
        self.assertEqual(remote, local)
        self.assertEqual(same_table, table)

    def test_without_slurm_the_package_is_named(self):
        ran = self.sweep("run", self.file, "-o", self.folder / "x", "--slurm", env={"PATH": "/nonexistent"})
        self.assertEqual(ran.returncode, 2)
        self.assertIn("slurm-wlm", ran.stderr)
        ran = subprocess.run([PROGRAM, "claims", "--paper", "avc", "--run", self.folder / "y", "--slurm"],
                             capture_output=True, text=True, env={"PATH": "/nonexistent"}, check=False)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("slurm-wlm", ran.stderr)

    def test_ctrl_c_cancels_the_array_and_a_local_run_finishes(self):
        remote = self.folder / "remote"
        with slurm_cluster.Cluster(self.folder / "cluster") as cluster:
            driver = subprocess.Popen([PROGRAM, "sweep", "run", self.file, "-o", remote, "--slurm", "--chunk-seconds",
                                       "60", "--poll-seconds", "0.2"], env=cluster.env, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True)
            self.until(lambda: (remote / "results").is_dir() and self.done(remote) > 3, "some points", driver)
            driver.send_signal(signal.SIGINT)
            self.assertEqual(driver.wait(30), 130)
            self.assertIn("interrupted", driver.stderr.read())
            driver.stderr.close()
            cluster.wait_for(lambda: not cluster.call("squeue", "--noheader").stdout.strip(), "an empty queue", 30)
            kept = self.done(remote)
            self.assertGreater(kept, 3)
            self.assertLess(kept, POINTS)
        ran = self.sweep("run", self.file, "-o", remote, "--jobs", "2")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(self.done(remote), POINTS)


if __name__ == "__main__":
    lacking = slurm_cluster.missing()
    if lacking:
        print(f"skipped: {', '.join(lacking)} not installed (scripts/bootstrap slurm)")
        sys.exit(77)
    if not os.environ.get("WARPSIEVE_LONG"):
        if not os.environ.get("WARPSIEVE_SLURM"):
            print("skipped: a long test, set WARPSIEVE_LONG=1 (make slurm)")
            sys.exit(77)
        if why := slurm_cluster.cannot_run():
            print(f"skipped: Slurm does not run here: {why}")
            sys.exit(77)
    unittest.main()
