"""What a new user runs into with the scripts: a program that is not installed, a disk that is full, a folder that cannot
be written, a name that does not exist. One line that says what to do, exit code 2, no traceback."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from support import REPO, Repository


def run(script, *options, environment=None, limit=None):
    before = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit is not None else None
    return subprocess.run([sys.executable, REPO / "scripts" / script, *options], capture_output=True, text=True,
                          env=dict(os.environ, **(environment or {})), preexec_fn=before, check=False)


class Errors(Repository):
    def one_line(self, ran, *says):
        self.assertEqual(ran.returncode, 2, ran.stdout + ran.stderr)
        self.assertNotIn("Traceback", ran.stdout + ran.stderr)
        lines = ran.stderr.splitlines()
        self.assertEqual(len(lines), 1, ran.stderr)
        for text in says:
            self.assertIn(text, lines[0])

    def environment(self, **more):
        return dict(WARPSIEVE_ROOT=str(self.root), WARPSIEVE_BUILD=str(self.root / "build"), **more)

    def test_a_missing_program_is_named_with_its_package(self):
        empty = self.root / "empty"
        empty.mkdir()
        for script, says in (("lint", "verilator is not installed: apt-get install verilator"),
                             ("synth", "yosys is not installed: apt-get install yosys"),
                             ("formal", "yosys is not installed: apt-get install yosys")):
            self.one_line(run(script, "--block", "toy", environment=self.environment(PATH=str(empty))), says)
        for script in ("energy", "mutate", "coverage"):  # on this repository: they need its records
            ran = run(script, "--block", "rata", environment=dict(PATH=str(empty), WARPSIEVE_BUILD=str(self.root / "b")))
            self.assertEqual(ran.returncode, 2, ran.stderr)
            self.assertRegex(ran.stderr, r"\w is not installed: apt-get install \w")
            self.assertNotIn("Traceback", ran.stderr)
        for name in ("yosys", "verilator"):
            program = empty / name
            program.write_text("#!/bin/sh\nexit 0\n")
            program.chmod(0o755)
        environment = self.environment(PATH=str(empty))
        self.one_line(run("synth", "--block", "toy", environment=environment), "apt-get install opensta")

    def test_a_full_disk(self):
        for script in ("lint", "synth", "formal"):
            ran = run(script, "--block", "toy", environment=self.environment(), limit=0)
            self.one_line(ran, f"{script}: error: ", "cannot write: File too large")

    def test_a_full_disk_leaves_what_was_there(self):
        self.write("CMakeLists.txt", "ws_release(release ${CMAKE_CURRENT_SOURCE_DIR} 1.2.3)\n")
        core = self.write("rtl/toy/toy.core", "old\n")
        self.one_line(run("cores", environment=self.environment(), limit=10), "cores: error: cannot write: File too large")
        self.assertEqual(core.read_text(), "old\n")
        self.assertEqual(sorted(core.parent.glob("*.core*")), [core])
        link = self.root / "elsewhere.core"
        core.rename(link)
        core.symlink_to(link)
        link.chmod(0o640)
        self.assertEqual(run("cores", environment=self.environment()).returncode, 0)
        self.assertTrue(core.is_symlink())
        self.assertIn("toy", link.read_text())
        self.assertEqual(link.stat().st_mode & 0o777, 0o640)

    def test_a_build_folder_that_cannot_be(self):
        self.write("file", "")
        for script in ("lint", "synth", "formal"):
            ran = run(script, "--block", "toy",
                      environment=dict(WARPSIEVE_ROOT=str(self.root), WARPSIEVE_BUILD=str(self.root / "file" / "build")))
            self.one_line(ran, "file", "Not a directory")

    def test_names_that_do_not_exist(self):
        for script in ("lint", "synth", "formal"):
            self.one_line(run(script, "--block", "tyo", environment=self.environment()), "did you mean toy?")
        self.write("rtl/toy/points.txt", "paper counter 1 1\nmin counter 1 1/2 Width=2 Top=3\n")
        for script in ("lint", "synth", "mutate"):
            self.one_line(run(script, "--block", "toy", "--point", "minn", environment=self.environment()),
                          "no point named 'minn'", "did you mean min?; points: paper, min")
        self.one_line(run("synth", "--module", "cuonter", environment=self.environment()),
                      "no module named 'cuonter', did you mean counter?; modules: counter")

    def test_a_blank_in_the_path_of_the_checkout(self):
        """Verilator and Yosys would take the name of each file for two."""
        says = "the path of the checkout has a blank: Verilator and Yosys cannot read it; move it"
        blank = self.root / "re po"
        shutil.copytree(self.root / "rtl", blank / "rtl")
        shutil.copytree(self.root / "formal", blank / "formal")
        for script in ("lint", "synth", "formal", "mutate", "coverage"):
            environment = dict(WARPSIEVE_ROOT=str(blank), WARPSIEVE_BUILD=str(self.root / "build"))
            self.one_line(run(script, "--block", "toy", environment=environment), says, str(blank))
        shutil.copy(REPO / "CMakeLists.txt", blank)
        ran = subprocess.run(["cmake", "-S", blank, "-B", self.root / "build"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn(says, " ".join(ran.stderr.split()))
        environment = dict(WARPSIEVE_ROOT=str(self.root), WARPSIEVE_BUILD=str(blank))
        self.one_line(run("synth", "--block", "toy", environment=environment), "the path of the build folder has a blank")

    def test_make_takes_folders_with_blanks(self):
        folders = dict(BUILD=str(self.root / "bu ild"), PREFIX=str(self.root / "pre fix"))
        (self.root / "bu ild").mkdir()
        self.write("bu ild/build.ninja", "")
        words = [f"{name}={value}" for name, value in folders.items()]
        for target in ("build", "run", "install", "test", "energy", "mutate", "coverage", "regress-schemes", "slurm", "fuzz",
                       "sanitize", "clean"):
            ran = subprocess.run(["make", "-C", REPO, "-n", target, *words], capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn("bu ild", ran.stdout, target)
            for line in ran.stdout.replace('"$(', "$(").splitlines():  # quotes within are those of another command
                for place in re.finditer("|".join(folders.values()), line):
                    self.assertEqual(line[:place.start()].count('"') % 2, 1, f"{target}: not quoted: {line}")

    def test_help_of_every_script(self):
        for script in sorted(p for p in (REPO / "scripts").iterdir() if p.is_file() and os.access(p, os.X_OK)):
            ran = subprocess.run([script, "--help"], capture_output=True, text=True, check=False)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), script)
            self.assertIn(script.name, ran.stdout)
        for script in ("verilate", "simulate_main"):
            ran = subprocess.run([REPO / "scripts" / script, "one"], capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 2)
            self.assertRegex(ran.stderr, f"^usage: {script} .*\n$")

    def test_ctrl_c_ends_with_130_and_no_traceback(self):
        slow = self.write("bin/verilator", "#!/bin/sh\nsleep 60\n")
        slow.chmod(0o755)
        environment = dict(os.environ, **self.environment(PATH=f"{slow.parent}:{os.environ['PATH']}"))
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen([sys.executable, REPO / "scripts" / "lint", "--block", "toy"], stdout=output,
                                       stderr=output, env=environment)
            time.sleep(1.5)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(20), 130)
            output.seek(0)
            self.assertNotIn("Traceback", output.read())


if __name__ == "__main__":
    unittest.main()
