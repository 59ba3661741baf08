"""What the documents say exists, does: every command in a README, its options, every link; generated parts are fresh.

WARPSIEVE_BUILD names a build folder with the program.
"""

import functools
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import REPO

BUILD = Path(os.environ.get("WARPSIEVE_BUILD", REPO / "build"))
PROGRAM = BUILD / "warpsieve"


def documents():
    """The Markdown files of the tree, those of build folders and packages left out."""
    found = [p for p in REPO.rglob("*.md") if not re.match(r"(build|\.)|.*node_modules", str(p.relative_to(REPO)))]
    assert len(found) > 15, found
    return sorted(found)


def commands(text):
    """Lines of fenced blocks and code spans, with continued lines joined and comments and prompts cut off."""
    text = re.sub(r"\\\n\s*", " ", text)
    fences = re.findall(r"(?m)^```\w*\n(.*?)^```$", text, flags=re.S)
    rest = re.sub(r"(?m)^```\w*\n.*?^```$", "", text, flags=re.S)
    spans = re.findall(r"`([^`]+)`", rest)
    for line in [line for fence in fences for line in fence.splitlines()] + [" ".join(span.split()) for span in spans]:
        yield re.sub(r"(^\s*\$ )|(\s+#.*$)|^    ", "", line).strip()


@functools.cache
def listing():
    """What the program says of itself."""
    ran = subprocess.run([PROGRAM, "run", "--list", "--json"], capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


@functools.cache
def help_of(*subcommand):
    """(subcommands, options) of a call of the program."""
    command = listing()["command"]
    for word in subcommand:
        command, = [below for below in command["subcommands"] if below["name"] == word]
    return [below["name"] for below in command["subcommands"]], {o for option in command["options"] for o in option["names"]}


@functools.cache
def names():
    """Every name of a workload, scheme, profile, suite or parameter."""
    kinds = ("workloads", "schemes", "profiles", "suites", "scheme_parameters", "machine_parameters")
    return {entry["name"] for kind in kinds for entry in listing()[kind]}


def is_known(name):
    """A name, or several joined by '+'."""
    return name in names() or any(name[:p.start()] in names() and is_known(name[p.end():])
                                  for p in re.finditer(r"[+]", name))


def name_problem(words):
    """A workload, scheme, profile, suite or parameter that is none; capitals and dots stand for the reader's own."""
    for option, value in zip(words, words[1:]):
        if option not in ("-w", "--workload", "-s", "--scheme", "--compare", "-p", "--profile", "--suite", "--set"):
            continue
        for name in value.split("=")[0].split(","):
            if not is_known(name) and not re.search(r"[A-Z/]|\.toml$", name):
                return f"no {option} {name}"
    return ""


def options_in(words):
    return [re.match(r"--?[a-z][\w-]*", w)[0] for w in words if re.match(r"--?[a-z]", w)]


def program_problem(words):
    """What is wrong with the words behind `warpsieve`; empty when nothing is."""
    path = []
    while words:
        names, options = help_of(*path)
        if not names:
            break
        if words[0].startswith("-"):
            return "" if words[0] in options | {"--version"} else f"no option {words[0]}"
        chosen = words[0].split("|")  # `trace record|info` names several
        missing = [c for c in chosen if c not in names]
        if missing:
            return f"no subcommand {missing[0]}"
        path.append(chosen[0])
        words = words[1:]
    bad = [o for o in options_in(words) if o not in help_of(*path)[1]]
    return f"no option {bad[0]} of {' '.join(path)}" if bad else name_problem(words)


def script_problem(name, words):
    path = REPO / "scripts" / name
    if not path.exists():
        return "no such script"
    if path.is_dir() or path.suffix:
        return ""
    text = path.read_text() + "".join(p.read_text() for p in (REPO / "scripts" / "lib").glob("*.py"))
    bad = [o for o in options_in(words) if not re.search(rf"{re.escape(o)}(?![\w-])", text)]
    return f"no option {bad[0]}" if bad else ""


def make_problem(words):
    text = (REPO / "Makefile").read_text()
    for word in words:
        if "=" in word:
            name = word.split("=")[0]
            if name != "DESTDIR" and not re.search(rf"(?m)^{name}\s*\?=", text):
                return f"no variable {name}"
        elif re.fullmatch(r"[a-z][a-z-]*", word) and not re.search(rf"(?m)^{word}:", text):
            return f"no target {word}"
    return ""


def problem(command):
    command = re.split(r"\s+(?:&&|\|\||[|>])\s", command)[0]
    command = re.sub(r"[\[\]…]|\.\.\.", " ", command)  # `[--block NAME]...`
    words = command.split()
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words = words[1:]
    if not words:
        return ""
    if words[0] in ("warpsieve", "build/warpsieve"):
        return program_problem(words[1:])
    script = re.fullmatch(r"(?:\./)?scripts/([\w./-]+)", words[0])
    if script:
        return script_problem(script[1], words[1:])
    if words[0] == "make":
        return make_problem(words[1:])
    return ""


class Documents(unittest.TestCase):
    def test_the_checks_see_what_is_wrong(self):
        for good in ("warpsieve run --list", "build/warpsieve sweep run FILE --jobs 2 # x", "make test BLOCK=fifo",
                     "scripts/lint [--block NAME]...", "warpsieve trace record|info", "warpsieve --version", "ls -l",
                     "warpsieve run -w bfs,cfd -s rata+cmd+siphash -p rata-quarter --set l2.sets=4",
                     "make install DESTDIR=/tmp PREFIX=/usr", "WARPSIEVE_LONG=1 make test"):
            for command in commands(f"`{good}`"):
                self.assertEqual(problem(command), "", good)
        for bad in ("warpsieve rum", "warpsieve run --lst", "warpsieve sweep rnu FILE", "warpsieve trace record|inf",
                    "scripts/lnit", "warpsieve run -w bfz",
                    "warpsieve run -w bfs,cdf", "warpsieve run -s cmd+bpx", "warpsieve run -p cdm",
                    "warpsieve run --set cmd.fifo_entires=8", "scripts/lint --blok x",
                    "make tset", "make test BLOK=fifo", "warpsieve --lst"):
            for command in commands(f"text\n```\n$ {bad}\n```\n"):
                self.assertNotEqual(problem(command), "", bad)

    def test_every_command_exists_with_its_options(self):
        seen = 0
        for path in documents():
            for command in commands(path.read_text()):
                seen += bool(re.match(r"(build/)?warpsieve |scripts/|make ", command))
                with self.subTest(document=str(path.relative_to(REPO)), command=command):
                    # The tutorial's own scheme does not exist here; its commands have a test of their own.
                    self.assertEqual(problem(command.replace(" zero_victims", " cmd")), "")
        self.assertGreater(seen, 80)

    def test_every_link_leads_somewhere(self):
        for path in documents():
            text = path.read_text()
            for target in re.findall(r"\]\(([^)#\s]*)(?:#[^)]*)?\)", text):
                if target and "://" not in target:
                    with self.subTest(document=str(path.relative_to(REPO)), target=target):
                        self.assertTrue((path.parent / target).exists())
            anchors = {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in re.findall(r"(?m)^#+ (.*)$", text)}
            for anchor in re.findall(r"\]\(#([^)]*)\)", text):
                with self.subTest(document=str(path.relative_to(REPO)), anchor=anchor):
                    self.assertIn(anchor, anchors)

    def test_the_five_walks(self):
        text = (REPO / "scripts" / "tutorial" / "walks.md").read_text()
        steps = re.findall(r"(?ms)^```sh\n(.*?)^```\n\nLook for `([^`]+)`", text)
        self.assertEqual(len(steps), text.count("```sh"))
        self.assertGreaterEqual(len(steps), 5)
        with tempfile.TemporaryDirectory() as folder:
            for command, word in steps:
                with self.subTest(command=command):
                    ran = subprocess.run(["bash", "-ec", command.replace("build/warpsieve", str(PROGRAM))], cwd=REPO,
                                         env=dict(os.environ, TMPDIR=folder), capture_output=True, text=True, check=False)
                    self.assertEqual((ran.returncode, ran.stderr), (0, ""), command)
                    self.assertIn(word, ran.stdout)

    def test_the_list_gives_titles_of_decisions(self):
        printed = subprocess.run([PROGRAM, "run", "--list"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(re.findall(r"\b[XCRJDA]\d{1,2}[a-z]?\b", printed), [])
        titles = re.findall(r'decision "([^"]*)"', printed)
        self.assertGreater(len(titles), 20)
        entries = (REPO / "sim_cpp" / "schemes" / "DECISIONS.md").read_text().replace('"', "'")
        for title in titles:
            self.assertIn(f"\n**{title}", entries)
        parameters = listing()["scheme_parameters"] + listing()["machine_parameters"]
        said = " ".join(parameter[key] for parameter in parameters for key in ("doc", "source"))
        self.assertIn('decision "', said)
        self.assertEqual(re.findall(r"\b[XCRJDA]\d{1,2}[a-z]?\b", said), [])

    def test_every_folder_of_the_simulator_has_a_readme_of_a_page(self):
        for folder in sorted(path.parent for path in (REPO / "sim_cpp").glob("*/CMakeLists.txt")):
            with self.subTest(folder=folder.name):
                self.assertTrue((folder / "README.md").is_file())

    def test_first_screen(self):
        first = (REPO / "README.md").read_text().split("## Papers")[0]
        for part in ("](scripts/picture.svg)", "headline: begin", "blocks: begin", "](rtl/README.md)",
                     "`scripts/bootstrap && make run`", "`scripts/bootstrap && make test`", "Not modelled",
                     "](scripts/tutorial/README.md)"):
            self.assertIn(part, first)

    def test_generated_parts_are_fresh(self):
        for command in (["picture", "--check"], ["table", "--check", "--build", BUILD], ["headline", "--check", "--build", BUILD]):
            ran = subprocess.run([REPO / "scripts" / command[0], *command[1:]], capture_output=True, text=True, check=False)
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "", ""), command[0])

    def test_a_stale_picture_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            shutil.copytree(REPO / "rtl", root / "rtl")
            shutil.copytree(REPO / "synth" / "baseline", root / "synth" / "baseline")
            (root / "scripts").mkdir()
            shutil.copy(REPO / "scripts" / "picture.svg", root / "scripts")

            def check():
                return subprocess.run([REPO / "scripts" / "picture", "--check"], capture_output=True, text=True,
                                      env=dict(os.environ, WARPSIEVE_ROOT=folder), check=False)
            self.assertEqual(check().returncode, 0)
            path = root / "synth" / "baseline" / "rata.json"
            figures = json.loads(path.read_text())
            figures["rata@paper"]["ge"] += 1000
            path.write_text(json.dumps(figures))
            self.assertEqual(check().returncode, 1)
            self.assertIn("run scripts/picture", check().stdout)


if __name__ == "__main__":
    unittest.main()
