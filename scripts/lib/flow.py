"""What the flow scripts share: points, file lists, subprocesses with a time limit, hashes."""

import ctypes
import difflib
import errno
import hashlib
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(os.environ.get("WARPSIEVE_ROOT", Path(__file__).resolve().parents[2])).resolve()
BUILD = Path(os.environ.get("WARPSIEVE_BUILD", ROOT / "build")).resolve()


class FlowError(Exception):
    """A mistake in the input (a file, a line, an option): one line for the user, exit code 2, whatever it quotes."""

    def __init__(self, text):
        text = re.sub(r"[\x00-\x1f\x7f]", lambda m: "\\n" if m[0] == "\n" else f"\\x{ord(m[0]):02x}", str(text))
        super().__init__(text.encode(errors="backslashreplace").decode())


RUNNING = set()  # process groups of tools at work
SPAWNING = threading.RLock()  # no tool is started and not yet in RUNNING
spawner = interrupted = None  # the thread that is at it; the signal that came to it there


def stop(number, _frame):
    """Interrupted: the tools have process groups of their own and must not outlive the script."""
    global interrupted
    if spawner == threading.get_ident():
        interrupted = number
        return
    with SPAWNING:
        for group in list(RUNNING):
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                pass
        os._exit(128 + number)


def spawn(command, **options):
    """A Popen in its own process group, which a signal to the script ends; RUNNING.discard(pid) when it has ended."""
    global spawner
    with SPAWNING:
        spawner = threading.get_ident()
        try:
            process = subprocess.Popen([str(c) for c in command], start_new_session=True, **options)
            RUNNING.add(process.pid)
        finally:
            spawner = None
    if interrupted:
        stop(interrupted, None)
    return process


def main_guard(main):
    """Runs main(); a FlowError becomes one line and exit code 2."""
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGHUP, stop)
    try:
        code = main()
    except FlowError as error:
        print(f"{Path(sys.argv[0]).name}: error: {error}", file=sys.stderr)
        code = 2
    except BrokenPipeError:
        code = 1
    except UnicodeDecodeError as error:
        print(f"{Path(sys.argv[0]).name}: error: expected UTF-8 text: byte {error.start} is "
              f"{error.object[error.start]:#04x}", file=sys.stderr)
        code = 2
    except OSError as error:
        name = str(error.filename or "")
        if isinstance(error, FileNotFoundError) and name and "/" not in name:
            error = not_installed(name)
        elif error.errno in (errno.EISDIR, errno.ENOENT):
            error = f"{shown(name)}: {error.strerror}"
        elif error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES, errno.EPERM, errno.EROFS,
                             errno.ENOTDIR):
            error = f"{shown(name) + ': ' if name else ''}cannot write: {error.strerror}"
        else:
            raise
        print(f"{Path(sys.argv[0]).name}: error: {error}", file=sys.stderr)
        code = 2
    sys.exit(code)


def shown(path):
    """The path as a user would type it."""
    try:
        return str(Path(path).relative_to(ROOT))
    except ValueError:
        return str(path)


def tracked(suffixes):
    """The files git tracks that end so; in a copy without git, all but build folders."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True)
        if listed.returncode:
            raise FlowError(listed.stderr.decode(errors="replace").strip())
        paths = [ROOT / p for p in listed.stdout.decode().split("\0") if p]
    else:
        paths = [p for p in ROOT.rglob("*") if "build" not in p.relative_to(ROOT).parts[0]]
    return sorted(p for p in paths if p.is_file() and p.suffix in suffixes)


def blocks():
    """Every folder of rtl/ that has points.txt."""
    return sorted(p.parent.name for p in (ROOT / "rtl").glob("*/points.txt"))


class Point:
    """One line of points.txt: a module at one set of parameters. Columns: scripts/cmake/points.cmake."""

    def __init__(self, block, name, module, latency, rate, params):
        self.block, self.name, self.module, self.params = block, name, module, params
        self.latency, self.rate = latency, rate

    def __str__(self):
        return f"{self.block}/{self.module}@{self.name}"


def parse_params(words, where):
    params = {}
    for word in words:
        match = re.fullmatch(r"([A-Z]\w*)=([0-9]+|[0-9]*'[bdh][0-9a-fA-F_]+)", word)
        if not match:
            raise FlowError(f"{where}: expected Name=number, found '{word}'")
        params[match[1]] = match[2]
    return params


def word_lines(path, fewest, expected):
    """(file:line, words) of each line that holds any, without comments."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split("#")[0].split()
        where = f"{shown(path)}:{number}"
        if words and len(words) < fewest:
            raise FlowError(f"{where}: expected '{expected}', found '{line.strip()}'")
        if words:
            yield where, words


def points(block):
    path = ROOT / "rtl" / block / "points.txt"
    if not path.is_file():
        known = ", ".join(blocks()) or "none"
        raise FlowError(f"no {shown(path)}{did_you_mean(block, blocks())}; blocks: {known}")
    found = []
    for where, (name, module, latency, rate, *params) in word_lines(path, 4, "point module latency rate Name=value..."):
        if not re.fullmatch(r"-|[0-9]+", latency) or not re.fullmatch(r"-|1|[1-9][0-9]*/[1-9][0-9]*", rate):
            raise FlowError(f"{where}: expected a latency (5 or -) and a rate (1, 1/3 or -), found '{latency} {rate}'")
        found.append(Point(block, name, module, latency, rate, parse_params(params, where)))
    return found


HEADLINE = ("paper", "full", "address", "s1")  # the point that stands for a module, by the names points.txt uses


def chosen(candidates, point="", module=""):
    """The points of that name and of that module; what is not there is named with what is."""
    left = candidates
    for kind, given, name in (("module", module, lambda p: p.module), ("point", point, lambda p: p.name)):
        known = list(dict.fromkeys(map(name, left)))
        left = [p for p in left if not given or name(p) == given]
        if given and not left:
            where = f" of {module}" if module and kind == "point" else ""
            raise FlowError(f"no {kind} named '{given}'{where}{did_you_mean(given, known)}; {kind}s: {', '.join(known) or 'none'}")
    return left


def headline(all_points):
    """One point per module: the first of HEADLINE that it has, else its first."""
    chosen = {}
    rank = lambda p: HEADLINE.index(p.name) if p.name in HEADLINE else len(HEADLINE)  # noqa: E731
    for point in all_points:
        key = (point.block, point.module)
        if key not in chosen or rank(point) < rank(chosen[key]):
            chosen[key] = point
    return list(chosen.values())


def sources(block, module):
    """The files of rtl/<block>/<module>.f, or of formal/<block>/<module>.f for a proof's own top.

    A block may prove something of another block's module, too. Paths are relative to rtl/; a path that starts with
    formal/ is relative to the repository.
    """
    own = [ROOT / folder / block / f"{module}.f" for folder in ("rtl", "formal")]
    listing = next((path for path in own + sorted((ROOT / "rtl").glob(f"*/{module}.f")) if path.is_file()), None)
    if listing is None:
        raise FlowError(f"no rtl/{block}/{module}.f lists the sources of {module}")
    files = []
    for line in listing.read_text().splitlines():
        name = line.split("#")[0].strip()
        if not name or name.startswith("//"):
            continue
        path = ROOT / name if name.startswith("formal/") else ROOT / "rtl" / name
        if not path.is_file():
            raise FlowError(f"{shown(listing)}: no such file: {name}")
        files.append(path)
    if not files:
        raise FlowError(f"{shown(listing)}: lists no files")
    return files


ASYNC_RESET, CLOCK_GATE = "WARPSIEVE_ASYNC_RESET", "WARPSIEVE_CLOCK_GATE"  # macros of the RTL (rtl/README.md)
MEMORIES = ("ram_1r1w", "ram_1rw")  # the wrappers of rtl/common around every memory


def with_stand_ins(files, own=""):
    """These files relative to the repository, those of memories replaced by the ones that synthesis reads (synth/), but for
    the module `own`."""
    stand_in = {ROOT / "rtl" / "common" / f"{name}.sv": f"synth/{name}.v" for name in MEMORIES if name != own}
    return [stand_in.get(f, f.relative_to(ROOT)) for f in files]


def logic(block):
    """Digest of the block's RTL as it is synthesized."""
    return logic_of(sorted((ROOT / "rtl" / block).glob("*.sv")))


def logic_of(paths):
    """Digest of RTL as it is synthesized: without comments, assertions, proofs and planted bugs."""
    text = []
    for path in paths:
        kept = []  # of the open conditions, the outer ones first: is this branch the one that counts?
        for line in path.read_text().splitlines():
            words = line.split("//")[0].split()
            if words and words[0] in ("`ifdef", "`ifndef"):
                kept.append((words[1] == "SYNTHESIS") == (words[0] == "`ifdef"))
            elif words and words[0] in ("`else", "`elsif"):
                kept[-1] = words[0] == "`else" and not kept[-1]  # of two macros at most one is defined: none is
            elif words and words[0] == "`endif":
                kept.pop()
            elif words and all(kept):
                text += words
    return digest(" ".join(text))[:16]


def elaborate(module, params):
    """Yosys commands: the module at these parameters becomes the top.

    `chparam`, because `hierarchy -chparam` of 0.23 dies in an internal check when a submodule's parameter
    is computed from the top's; `rename`, because the top may come out as `$paramod...`.
    """
    sets = " ".join(f"-set {name} {value}" for name, value in params.items())
    return ([f"chparam {sets} {module}"] if sets else []) + [f"hierarchy -check -top {module}", f"rename -top {module}"]


class Result:
    """`cpu`: processor seconds of the command and of the children it waited for."""

    def __init__(self, code, output, seconds, timed_out, cpu=0.0):
        self.code, self.output, self.seconds, self.timed_out, self.cpu = code, output, seconds, timed_out, cpu


def collect_group(group):
    """Processor seconds of what a command left behind in its process group; nothing of it goes on."""
    spent = 0.0
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass
    while True:
        try:
            _, _, used = os.wait4(-group, 0)
        except ChildProcessError:
            return spent
        spent += used.ru_utime + used.ru_stime


def run(command, limit=600, cwd=None, env=None, log=None, cpu_limit=None):
    """Runs one command in its own process group; everything it started dies at the limit (seconds).

    With cpu_limit each of its processes may also use that many processor seconds, whatever else the machine does.
    """
    start = time.monotonic()
    if cpu_limit is not None:
        # Children whose parent died become ours: a solver that hits its limit takes the program that waits for it along.
        if not shutil.which(str(command[0])):
            raise not_installed(command[0])
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
        command = ["prlimit", f"--cpu={max(math.ceil(cpu_limit), 1)}", *command]
    try:
        process = spawn(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        if not cwd or Path(cwd).is_dir():
            raise not_installed(command[0]) from None
        raise
    output = []
    reader = threading.Thread(target=lambda: output.append(process.stdout.read()), daemon=True)
    reader.start()
    timed_out, pause = False, 0.001
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() - start >= max(limit, 0.1):
            timed_out = True
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            _, status, used = os.wait4(process.pid, 0)
            break
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    RUNNING.discard(process.pid)
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu = used.ru_utime + used.ru_stime
    if cpu_limit is not None:
        cpu += collect_group(process.pid)
        # The kernel counts whole ticks for the limit, on a busy machine far more than what it reports.
        killed = process.returncode in (-signal.SIGKILL, -signal.SIGXCPU, 128 + signal.SIGKILL, 128 + signal.SIGXCPU)
        timed_out = timed_out or (process.returncode != 0 and cpu >= (0.4 if killed else 0.7) * cpu_limit)
    reader.join()
    process.stdout.close()
    text = output[0].decode(errors="replace")
    if log:
        Path(log).parent.mkdir(parents=True, exist_ok=True)
        Path(log).write_text(text)
    return Result(process.returncode, text, time.monotonic() - start, timed_out, cpu)


def digest(*parts):
    """SHA-256 over files (Path) and text, as a content-addressed cache key."""
    h = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, Path) else str(part).encode()
        h.update(len(data).to_bytes(8, "little"))
        h.update(data)
    return h.hexdigest()


def write_changed(path, text):
    """As write_text(), but a file that has the text already keeps its time: what is built from it stays built."""
    if not path.is_file() or path.read_text() != text:
        write_text(path, text)


def write_text(path, text):
    """Replaces the file in one step, so that a reader never sees half of it and a full disk leaves the old one.

    What is no regular file (a pipe, /dev/stdout) is written as it is; of a link the file that it names is replaced.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        path.write_text(text)
        return
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text)
        if path.is_file():
            shutil.copymode(path, part)
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def write_json(path, value):
    write_text(path, json.dumps(value, indent=1, sort_keys=True) + "\n")


def read_json(path, default=None):
    try:
        return json.loads(Path(path).read_text())
    except FileNotFoundError:
        return default
    except (ValueError, RecursionError) as error:  # the latter: brackets within brackets within ...
        raise FlowError(f"{shown(path)}: not JSON: {error}")


# Debian's package of each program that a script calls, where its name is another.
PACKAGES = {"sta": "opensta", "yosys-smtbmc": "yosys", "yosys-abc": "yosys", "abc": "berkeley-abc", "ninja": "ninja-build",
            "gcov": "g++", "node": "nodejs", "c++": "g++", "git": "git"}


def did_you_mean(given, known):
    near = difflib.get_close_matches(given, known, 1)
    return f", did you mean {near[0]}?" if near else ""


def not_installed(program):
    name = Path(program).name
    return FlowError(f"{name} is not installed: apt-get install {PACKAGES.get(name, name)} (or scripts/bootstrap)")


def no_blank(what, path):
    """Verilator 5.006 and Yosys split the names of files at blanks, whatever quotes they are given in."""
    if re.search(r"\s", str(path)):
        raise FlowError(f"the path of the {what} has a blank: Verilator and Yosys cannot read it; move it: {path}")


def need(*programs):
    """One error for a missing program, before the work instead of once per point; and for files that it could not read."""
    no_blank("checkout", ROOT)
    for program in programs:
        if not shutil.which(program):
            raise not_installed(program)


def last_error(text):
    """The line of a tool's output that says what went wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if re.search(r"\bERROR\b|%Error|^Error", line):
            return line
    return lines[-1] if lines else "no output"
