"""scripts/bootstrap with stand-ins for dpkg-query, apt-get, apt-cache, id and sudo: nothing is installed."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import REPO

BOOTSTRAP = REPO / "scripts" / "bootstrap"


class Bootstrap(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="warpsieve-bootstrap-")
        self.bin = Path(self.folder.name)
        self.calls = self.bin / "calls"
        self.core = subprocess.run([BOOTSTRAP, "--list"], capture_output=True, text=True, check=True).stdout.split()
        for tool in ("bash", "env", "sed", "awk", "grep", "tail", "mktemp", "rm", "cat"):
            path = next(Path(d) / tool for d in ("/usr/bin", "/bin") if (Path(d) / tool).exists())
            (self.bin / tool).symlink_to(path)
        self.tool("id", "echo 0")
        self.tool("apt-get", f'echo "apt-get $DEBIAN_FRONTEND $*" >> {self.calls}')
        self.tool("apt-cache", "exit 0")
        self.installed(self.core)

    def tearDown(self):
        self.folder.cleanup()

    def tool(self, name, body):
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/bash\n{body}\n")
        path.chmod(0o755)

    def installed(self, packages):
        lines = "\n".join(f"{p}:amd64 installed" for p in packages)
        self.tool("dpkg-query", f"cat <<'END'\n{lines}\nleft-over config-files\nEND")

    def run_it(self, *groups):
        result = subprocess.run(["/bin/bash", BOOTSTRAP, *groups], capture_output=True, text=True, check=False,
                                env={"PATH": str(self.bin), "HOME": os.environ.get("HOME", "/")})
        calls = self.calls.read_text().splitlines() if self.calls.exists() else []
        return result.returncode, result.stdout, result.stderr, calls

    def test_core_holds_what_the_build_looks_for(self):
        for package in ("g++", "cmake", "ninja-build", "make", "verilator", "yosys", "z3", "cvc5", "opensta", "berkeley-abc",
                        "qflow-tech-osu018", "librapidcheck-dev", "libcli11-dev", "zlib1g-dev", "libssl-dev"):
            self.assertIn(package, self.core)

    def test_nothing_missing_prints_one_line_and_calls_nothing(self):
        code, out, err, calls = self.run_it()
        self.assertEqual((code, len(out.splitlines()), err, calls), (0, 1, "", []))
        self.assertIn("nothing to install", out)

    def test_only_what_is_missing_is_installed(self):
        self.installed([p for p in self.core if p not in ("z3", "g++")])
        code, out, err, calls = self.run_it("core")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(len(calls), 2)
        self.assertRegex(calls[0], "^apt-get noninteractive .*update")
        self.assertRegex(calls[1], r"^apt-get noninteractive .*install .*--no-install-recommends .*g\+\+ z3$")
        self.assertIn("installing 2 of", out)

    def test_removed_package_with_left_over_configuration_is_missing(self):
        self.installed([p for p in self.core if p != "z3"])
        self.tool("dpkg-query", (self.bin / "dpkg-query").read_text().split("\n", 1)[1].replace("left-over", "z3"))
        self.assertIn("install", self.run_it()[3][-1])

    def test_npm_of_another_nodejs_is_enough(self):
        self.installed(["nodejs"])
        self.assertRegex(self.run_it("docs")[3][-1], "npm chromium mkdocs doxygen man-db$")
        self.tool("npm", "exit 0")
        self.assertRegex(self.run_it("docs")[3][-1], "--no-install-recommends chromium mkdocs doxygen man-db$")

    def test_groups_add_up(self):
        _, out, _, calls = self.run_it("core", "dev")
        self.assertIn("gtkwave", calls[-1])
        self.assertNotIn("verilator", calls[-1])

    def test_not_root_uses_sudo(self):
        self.tool("id", "echo 1000")
        self.tool("sudo", f'echo sudo >> {self.calls}; exec "$@"')
        self.installed(self.core[1:])
        _, _, _, calls = self.run_it()
        self.assertEqual([c.split()[0] for c in calls], ["sudo", "apt-get"] * 2)

    def test_not_root_without_sudo_says_what_to_do(self):
        self.tool("id", "echo 1000")
        self.installed(self.core[1:])
        code, _, err, calls = self.run_it()
        self.assertEqual((code, calls), (2, []))
        self.assertIn(f"apt-get install {self.core[0]}", err)

    def test_failing_update_and_install(self):
        self.installed(self.core[1:])
        self.tool("apt-get", 'echo "E: cannot resolve"; exit 100')
        code, _, err, _ = self.run_it()
        self.assertEqual(code, 2)
        self.assertIn("E: cannot resolve", err)
        self.assertIn("apt-get update failed", err)
        self.tool("apt-get", 'case "$*" in *update*) ;; *) echo "E: no space"; exit 100 ;; esac')
        code, _, err, _ = self.run_it()
        self.assertEqual(code, 2)
        self.assertIn("apt-get install failed", err)

    def test_package_that_is_not_offered_is_named(self):
        self.installed([p for p in self.core if p != "opensta"])
        self.tool("apt-cache", "exit 100")
        code, _, err, calls = self.run_it()
        self.assertEqual((code, len(calls)), (2, 1))
        self.assertIn("do not offer: opensta", err)

    def test_system_without_apt(self):
        (self.bin / "apt-get").unlink()
        code, _, err, _ = self.run_it()
        self.assertEqual(code, 2)
        self.assertIn("needs apt", err)

    def test_unknown_group(self):
        code, _, err, _ = self.run_it("everything")
        self.assertEqual(code, 2)
        self.assertIn("'everything'", err)


if __name__ == "__main__":
    unittest.main()
