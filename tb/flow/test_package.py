"""Completion of zsh and fish; with WARPSIEVE_LONG=1 the Debian package, installed and used in a bare Debian 12.

WARPSIEVE_BUILD names a build folder in which the target `installable` is built. The bare system needs root, debootstrap
and the package registry.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import REPO

BUILD = Path(os.environ.get("WARPSIEVE_BUILD", REPO / "build"))
PAGES = BUILD / "help"
# Types each line and a tab in an interactive zsh, then prints what the line has become.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
read_all() { sleep 0.5; local part; while zpty -r -t shell part; do seen+=$part; sleep 0.1; done }
zpty -w shell "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; LISTMAX=1000; PS1="
sleep 3; read_all
for line in ${@:2}; do
  seen=
  zpty -w -n shell "$line"$'\t'
  sleep 1; read_all
  print -r -- "$seen"
  zpty -w -n shell $'\x15'
  read_all
done
zpty -d shell
"""


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)


class Completion(unittest.TestCase):
    @unittest.skipUnless(shutil.which("fish"), "no fish: scripts/bootstrap package")
    def test_fish(self):
        for line, offered in (("warpsieve swe", "sweep"), ("warpsieve sweep ", "merge"), ("warpsieve run --wor", "--workload"),
                              ("warpsieve run --workload bfs,km", "bfs,kmeans"), ("warpsieve run --scheme=si", "--scheme=sieve"),
                              ("warpsieve run -p rtx30", "rtx3070"), ("warpsieve run --backend sh", "shadow")):
            with self.subTest(line):
                done = run("fish", "-c", f"source '{PAGES / 'warpsieve.fish'}'; complete -C '{line}'")
                words = [entry.split("\t")[0] for entry in done.stdout.splitlines()]
                self.assertIn(offered, words, done.stdout + done.stderr)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh: scripts/bootstrap package")
    def test_zsh(self):
        lines = {"warpsieve swe": "sweep", "warpsieve run --workload bfs,kme": "bfs,kmeans", "warpsieve run --scheme=sie": "sieve",
                 "warpsieve run -p rtx30": "rtx3070"}
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder, "types.zsh")
            script.write_text(ZSH)
            done = run("zsh", "-f", script, PAGES, *lines, timeout=120)
        for offered in lines.values():
            self.assertIn(offered, done.stdout, done.stderr)


@unittest.skipUnless(os.environ.get("WARPSIEVE_LONG"), "builds a bare Debian: WARPSIEVE_LONG=1")
@unittest.skipUnless(os.geteuid() == 0 and shutil.which("debootstrap"), "needs root and debootstrap")
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = run("cpack", "--config", "CPackConfig.cmake", cwd=BUILD)
        assert made.returncode == 0, made.stdout + made.stderr
        (cls.package,) = BUILD.glob("warpsieve_*.deb")
        folder = tempfile.TemporaryDirectory(prefix="warpsieve-package-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        made = run("debootstrap", "--variant=minbase", "bookworm", cls.root)
        assert made.returncode == 0, made.stdout[-2000:] + made.stderr
        for part in Path("/etc/apt/apt.conf.d").iterdir():  # how this machine reaches the registry
            shutil.copy(part, cls.root / "etc/apt/apt.conf.d" / part.name)
        shutil.copy(cls.package, cls.root / "tmp/warpsieve.deb")
        made = cls.inside("apt-get", "install", "-y", "-q", "/tmp/warpsieve.deb", "python3")
        assert made.returncode == 0, made.stdout[-2000:] + made.stderr

    @classmethod
    def inside(cls, *words):
        return run("chroot", cls.root, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", *words)

    def test_the_program_runs(self):
        done = self.inside("warpsieve", "run", "-w", "bfs", "--scale", "quarter", "-s", "sieve", "--compare", "baseline", "--json",
                           "/tmp/out.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sum(line.endswith(" clean") for line in done.stdout.splitlines()), 2, done.stdout)
        self.assertTrue(json.loads((self.root / "tmp/out.json").read_text())["complete"])

    def test_everything_is_in_it(self):
        listed = run("dpkg-deb", "--contents", self.package).stdout
        for name in ("bin/warpsieve", "share/man/man1/warpsieve.1", "share/bash-completion/completions/warpsieve",
                     "share/zsh/vendor-completions/_warpsieve", "share/fish/vendor_completions.d/warpsieve.fish",
                     "lib/python3/dist-packages/warpsieve/__init__.py", "share/warpsieve/rtl/md5_core.f",
                     "include/warpsieve/blocks/md5/", "cmake/warpsieve/warpsieveConfig.cmake", "libblock_md5.a"):
            self.assertIn(name, listed)

    def test_the_python_package_reads_a_result(self):
        self.inside("warpsieve", "run", "-w", "vecadd", "--scale", "small", "--json", "/tmp/v.json")
        done = self.inside("python3", "-c", "import warpsieve; print(warpsieve.__doc__ is not None)")
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "True"), done.stderr)

    def test_it_can_be_removed(self):
        done = self.inside("apt-get", "purge", "-s", "warpsieve")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
