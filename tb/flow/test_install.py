"""What `make install` installs, used as a stranger would: the program with man page and completion, the models from a
CMake project of its own, the RTL from an RTL project by file list and by FuseSoC cores.

WARPSIEVE_BUILD names a build folder in which the target `installable` is built.
"""

import concurrent.futures
import json
import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import REPO

BUILD = Path(os.environ.get("WARPSIEVE_BUILD", REPO / "build"))

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(stranger CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(warpsieve 0.1 REQUIRED)
if(NOT EXISTS ${WARPSIEVE_RTL_DIR}/fifo.f)
  message(FATAL_ERROR "no RTL in ${WARPSIEVE_RTL_DIR}")
endif()
add_executable(block block.cpp)
target_link_libraries(block PRIVATE warpsieve::block_victim_fifo)
add_executable(machine machine.cpp)
target_link_libraries(machine PRIVATE warpsieve::schemes warpsieve::workloads)
add_executable(stranger stranger.cpp)
target_link_libraries(stranger PRIVATE warpsieve::program)
"""
BLOCK = """#include <cstdio>
#include "blocks/victim_fifo/victim_fifo.h"
using namespace warpsieve;
int main() {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    const auto fifo = victim_fifo::make_victim_fifo({}, backend);
    fifo->reset();
    victim_fifo::Request insert{victim_fifo::Op::insert, 42, 1, {}}, lookup{victim_fifo::Op::lookup, 42, 1, {}};
    insert.data[3] = 7;
    int cycles = 0;
    for (const auto& request : {insert, lookup})
      for (bool taken = false; !taken; ++cycles) { taken = fifo->push(request); fifo->tick(); }
    while (!fifo->front()) { fifo->tick(); ++cycles; }
    std::printf("%d %d %d\\n", fifo->front()->sectors, fifo->front()->data[3], cycles);
  }
}
"""
MACHINE = """#include <cstdio>
#include "memsys/gpu.h"
#include "schemes/registry.h"
#include "workloads/registry.h"
using namespace warpsieve;
int main() {
  const auto profile = memsys::load_profile("cmd-quarter");
  const auto scheme = schemes::make_scheme("cmd", {});
  const auto program = workloads::make_workload("vecadd", {.scale = workloads::Scale::small});
  memsys::Gpu gpu(profile, *scheme, *program);
  const auto result = gpu.run();
  std::printf("%d %llu\\n", result.clean, static_cast<unsigned long long>(result.cycles));
}
"""
# A scheme with a parameter, counters and a port of its own, and a workload, outside the tree.
STRANGER = """#include <warpsieve/cli/program.h>
#include <warpsieve/inputs/random.h>
#include <warpsieve/schemes/registry.h>
#include <warpsieve/simt/program.h>
#include <warpsieve/workloads/registry.h>

#include <algorithm>
#include <unordered_set>

namespace {
using namespace warpsieve;

class ZeroPort final : public memsys::L2VictimPort {
 public:
  ZeroPort(std::uint32_t limit, Stats& stats)
      : limit_(limit), hits_(stats.add("zeros.hits", "sectors", "L2 read misses answered with zeros")) {}
  void offer(Cycle, memsys::LocalLine line, unsigned sector, const std::uint8_t* data, bool) override {
    const bool zero = std::all_of(data, data + memsys::kSectorBytes, [](std::uint8_t b) { return b == 0; });
    if (zero && known_.size() < limit_) known_.insert(key(line, sector));
  }
  Taken take(Cycle, memsys::LocalLine line, memsys::SectorMask wanted, memsys::LineData& data) override {
    Taken taken{.sectors = 0, .cycles = 1};
    for (unsigned s = 0; s < memsys::kSectors; ++s) {
      if (!(wanted >> s & 1) || !known_.contains(key(line, s))) continue;
      std::fill_n(data.sector(s), memsys::kSectorBytes, std::uint8_t{0});
      taken.sectors |= static_cast<memsys::SectorMask>(1u << s);
      ++hits_;
    }
    return taken;
  }
  unsigned invalidate(Cycle, memsys::LocalLine line, memsys::SectorMask sectors) override {
    for (unsigned s = 0; s < memsys::kSectors; ++s)
      if (sectors >> s & 1) known_.erase(key(line, s));
    return 1;
  }

 private:
  static std::uint64_t key(memsys::LocalLine line, unsigned sector) {
    return std::uint64_t{line} * memsys::kSectors + sector;
  }
  std::uint32_t limit_;
  std::unordered_set<std::uint64_t> known_;
  Counter hits_;
};

class Zeros final : public memsys::Scheme {
 public:
  explicit Zeros(std::uint32_t limit) : limit_(limit) {}
  std::string name() const override { return "zeros"; }
  std::unique_ptr<memsys::L2VictimPort> make_victim_port(unsigned, unsigned, Stats& stats) override {
    return std::make_unique<ZeroPort>(limit_, stats);
  }

 private:
  std::uint32_t limit_;
};

class ZerosFamily final : public schemes::SchemeFamily {
 public:
  std::vector<schemes::SchemeInfo> schemes() const override {
    return {{.name = "zeros", .doc = "zeros of the L2 are kept", .ports = {schemes::kL2Victims}}};
  }
  void declare(ParamSet& set) override {
    set.declare(limit_, "zeros.limit", "sectors", 1 << 20, 1, 1 << 24, "sectors kept per slice", "the stranger");
  }
  std::unique_ptr<memsys::Scheme> make(std::string_view, const BackendPlan&) const override {
    return std::make_unique<Zeros>(limit_);
  }

 private:
  std::uint32_t limit_ = 0;
};

std::unique_ptr<schemes::SchemeFamily> zeros_family() { return std::make_unique<ZerosFamily>(); }

/// Reads an array of zeros twice.
class Blank final : public simt::Program {
 public:
  explicit Blank(const workloads::Settings& s) : Program("blank"), n_(s.count("elements")) {}

 private:
  void build() override {
    in_ = memory_.allocate("in", std::vector<float>(static_cast<std::size_t>(n_)));
    out_ = memory_.allocate<float>("out", static_cast<std::size_t>(n_));
  }
  simt::HostCode host() override {
    for (int r = 0; r < 2; ++r)
      co_yield launch("copy", simt::blocks_for(in_.count, 256), 256, [in = in_, out = out_, n = n_](simt::Warp& w) {
        const simt::Vec<int> i = w.global_thread();
        w.exit_if(i >= n);
        w.store(out, i, w.load(in, i) + 1.0f);
      });
  }
  std::string verify() override {
    for (std::uint64_t i = 0; i < out_.count; ++i)
      if (memory_.read(out_, i) != 1.0f) return "wrong";
    return "";
  }
  int n_;
  simt::Buffer<float> in_, out_;
};

workloads::WorkloadEntry blank_entry() {
  return {{"blank", "mine", "reads zeros", "", {workloads::integer_parameter("elements", 1 << 20, 1 << 18, 1 << 15, 1,
           1 << 24, "floats", "length")}},
          [](const workloads::Settings& s) -> std::unique_ptr<simt::Workload> { return std::make_unique<Blank>(s); }};
}
}  // namespace

int main(int argc, char** argv) {
  schemes::register_family(zeros_family);
  workloads::register_workload(blank_entry());
  return program_main(argc, argv);
}
"""
TOP = """`default_nettype none
module stranger_top (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        valid_i,
  output logic             ready_o,
  input  wire logic [15:0] data_i,
  output logic             valid_o,
  input  wire logic        ready_i,
  output logic [15:0]      data_o
);
  stream_skid #(.Width(16)) i_skid (
    .clk_i, .rst_ni, .in_valid_i(valid_i), .in_ready_o(ready_o), .in_data_i(data_i),
    .out_valid_o(valid_o), .out_ready_i(ready_i), .out_data_o(data_o)
  );
endmodule
`default_nettype wire
"""


def run(*words, **options):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, **options)


def read_core(path):
    """(files, depends, targets) of a core as scripts/cores writes it."""
    files, depends, targets, place = [], [], [], ""
    lines = path.read_text().splitlines()
    assert lines[0] == "CAPI=2:", path
    for line in lines[1:]:
        if re.match(r"\s*(files|depend|targets):$", line):
            place = line.strip(" :")
        item = re.match(r"      - (\S+)$", line)
        if item:
            (files if place == "files" else depends).append(item[1])
        target = re.match(r"    toplevel: (\S+)$", line)
        if target:
            targets.append(target[1])
    return files, [d.split(":")[2] for d in depends], targets


def flatten(rtl, block, done=None):
    """Sources of a block's core, those of its dependencies first."""
    done = [] if done is None else done
    files, depends, _ = read_core(rtl / block / f"{block}.core")
    for other in depends:
        flatten(rtl, other, done)
    done += [p for p in (rtl / block / f for f in files) if p not in done]
    return done


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpsieve-install-")
        cls.root = Path(cls.folder.name)
        cls.prefix = cls.root / "prefix"
        ran = run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        assert ran.returncode == 0, ran.stderr
        cls.rtl = cls.prefix / "share" / "warpsieve" / "rtl"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_program_runs_from_its_new_place(self):
        ran = run(self.prefix / "bin" / "warpsieve", "run", "-w", "vecadd", "--scale", "small", cwd=self.root)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("clean", ran.stdout)

    def test_man_page_names_every_command(self):
        page = self.prefix / "share" / "man" / "man1" / "warpsieve.1"
        text = page.read_text()
        for command in ("run", "sweep run", "sweep status", "sweep merge", "report", "area", "claims", "energy", "dram"):
            self.assertIn(f".SS warpsieve {command}", text)
        self.assertIn("\\fB130\\fR", text)
        if shutil.which("groff"):
            ran = run("groff", "-man", "-ww", "-z", "-Tutf8", page)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def complete(self, *words, breaks=":=@", options=False):
        """What bash would be offered behind these words; like bash, cuts them at the characters of `breaks`. With
        `options` what the completion asks bash for, such as `default`: names of files."""
        script = self.prefix / "share" / "bash-completion" / "completions" / "warpsieve"
        line = " ".join(("warpsieve", *words))
        cut = re.escape(breaks)
        pieces = [p for word in line.split(" ") for p in (breaks and re.findall(f"[{cut}]+|[^{cut}]+", word) or [word])]
        ran = run("bash", "-c", 'source "$1"; COMP_LINE=$2; COMP_POINT=${#COMP_LINE}; COMP_WORDBREAKS=$3; asked=; shift 3; '
                                'compopt() { asked=${*: -1}; }; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _warpsieve; '
                                'printf "%s\\n" "${COMPREPLY[@]}"; echo "$asked" >&2',
                  "bash", script, line, breaks, *pieces, cwd=self.root)
        self.assertEqual((ran.returncode, ran.stderr.count("\n")), (0, 1), ran.stderr)
        return (ran.stdout.split(), ran.stderr.strip()) if options else ran.stdout.split()

    def test_completion(self):
        self.assertEqual(self.complete("rep"), ["report"])
        self.assertEqual(self.complete("sweep", "st"), ["status"])
        self.assertEqual(self.complete("sweep", "run", "--sl"), ["--slurm"])
        self.assertEqual(self.complete("run", "--workload", "pagera"), ["pagerank"])
        self.assertEqual(self.complete("run", "-w", "bfs,pagera"), ["bfs,pagerank"])
        self.assertEqual(self.complete("run", "--profile", "cmd-q"), ["cmd-quarter"])
        self.assertEqual(self.complete("run", "--set", "cmd.fifo_e"), ["cmd.fifo_entries="])
        self.assertIn("cmd", self.complete("run", "--scheme", "c"))
        self.assertEqual(self.complete("run", "--scheme", "hash_st"), [])
        self.assertEqual(self.complete("sweep", "run", "--js"), [])
        self.assertEqual(self.complete("sweep", "run", "--jobs", ""), [])

    def test_completion_behind_an_equals_sign(self):
        """The whole word where bash does not cut there, what follows the sign where it does."""
        for words, expected in ((("run", "--scale=q"), "quarter"), (("run", "--workload=pagera"), "pagerank"),
                                (("area", "--profile=cmd-q"), "cmd-quarter"), (("energy", "--clock=ga"), "gated")):
            self.assertEqual(self.complete(*words), [expected])
            option = words[-1].split("=")[0]
            self.assertEqual(self.complete(*words, breaks="@:"), [f"{option}={expected}"])
        self.assertIn("cmd", self.complete("run", "--scheme=cm"))
        self.assertIn("quarter", self.complete("run", "--scale="))
        self.assertEqual(self.complete("run", "--workload=bfs,pagera"), ["bfs,pagerank"])
        self.assertEqual(self.complete("run", "--fst=hash_store@mc0"), ["@mc0:"])
        self.assertEqual(self.complete("run", "--set=cmd.fifo_e"), ["cmd.fifo_entries="])

    def test_completion_of_blocks(self):
        """Every block of `run --list` and no scheme; instances; values behind both."""
        blocks = self.complete("run", "--block", "")
        listed = json.loads(run(self.prefix / "bin" / "warpsieve", "run", "--list", "--json").stdout)
        known = [block["name"] for block in listed["blocks"]]
        self.assertEqual(sorted(blocks), sorted(name + end for name in known for end in "=@"))
        self.assertIn("dedup=", blocks)
        self.assertEqual(self.complete("run", "--block", "rata"), ["rata=", "rata@"])
        self.assertEqual(self.complete("run", "--block", "hash_store@"), ["@mc0=", "@mc1="])
        self.assertEqual(self.complete("run", "--block", "hash_store=s"), ["shadow"])
        self.assertEqual(self.complete("run", "--block", "hash_store@mc0="), ["model", "rtl", "shadow"])
        self.assertEqual(self.complete("run", "--block=hash_store@mc0=r"), ["rtl"])
        self.assertEqual(self.complete("run", "--block=hash_store@mc0=r", breaks=""), ["--block=hash_store@mc0=rtl"])

    def test_completion_of_closed_lists(self):
        for words, expected in ((("run", "--latency"), ["paper", "measured"]), (("energy", "--clock"), ["always", "gated"]),
                                (("trace", "import", "--values"), ["none", "zero", "random", "address"]),
                                (("claims", "--paper"), ["cmd", "rata", "justit", "dpc", "avc"]),
                                (("run", "--suite"), ["avc", "cmd", "dpc", "justit", "rata", "all"]),
                                (("workloads", "--format"), ["text", "json", "md"])):
            self.assertEqual(self.complete(*words, ""), expected)
        self.assertEqual(self.complete("bench", "--only", "dram_i"), ["dram_idle"])
        self.assertEqual(self.complete("validate", "--only", "volta,qv"), ["volta,qv100"])
        self.assertEqual(self.complete("run", "-w", "gather", "--size", "thr"), ["threads="])
        self.assertNotIn("vertices=", self.complete("run", "-w", "gather", "--size", ""))
        self.assertIn("vertices=", self.complete("run", "--size", ""))
        self.assertTrue(all(p.startswith("dram.") for p in self.complete("dram", "--set", "")))

    def test_completion_of_files(self):
        """bash's own, where a name of a list does not fit; ours, where bash would take more than the file for its name."""
        for words in (("run", "--profile", "./m"), ("run", "--profile=./m"), ("run", "--suite", "./m"), ("run", "--json", ""),
                      ("run", "--json=m"), ("run", "-w", "trace:bf"), ("run", "--workload=trace:bf"), ("report", "m"),
                      ("area", "--cacti", "./m"), ("trace", "info", "m")):
            self.assertEqual(self.complete(*words, options=True), ([], "default"), words)
        self.assertEqual(self.complete("run", "-w", "tra", options=True), (["trace:"], "nospace"))
        (self.root / "mine.wst").write_text("")
        self.assertEqual(self.complete("run", "-w", "trace:min", breaks="@="), ["trace:mine.wst"])
        self.assertEqual(self.complete("run", "-w", "bfs,trace:min", breaks=""), ["bfs,trace:mine.wst"])
        self.assertEqual(self.complete("run", "--json=min", breaks="@"), ["--json=mine.wst"])
        (self.root / "bfs.toml").write_text("")
        self.assertEqual(self.complete("trace", "record", "bf", options=True), (["bfs"], ""))
        self.assertEqual(self.complete("workloads", "bf", options=True), (["bfs"], ""))
        self.assertEqual(self.complete("workloads", "bfs", "kmea"), ["kmeans"])

    def test_completion_of_waveforms(self):
        """Blocks, then their instances; bash replaces only what begins with the '@'."""
        self.assertEqual(self.complete("run", "--fst", "hash_st"), ["hash_store@"])
        instances = self.complete("run", "--fst", "hash_store@")
        self.assertEqual(instances[:2], ["@mc0:", "@mc1:"])
        self.assertEqual(self.complete("run", "--fst", "hash_store" + instances[-1][:-1]), [instances[-1]])
        self.assertIn("@mc0.slice1:", self.complete("run", "-w", "bfs", "--fst", "victim_fifo@mc0.sl"))
        self.assertEqual(self.complete("run", "--fst", "nosuch@"), [])

    def test_completion_in_a_real_shell(self):
        """A tabulator key in an interactive bash."""
        script = self.prefix / "share" / "bash-completion" / "completions" / "warpsieve"
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminals here (no devpts mounted): {error}")
        shell = subprocess.Popen(["bash", "--norc", "--noprofile", "-i"], stdin=slave, stdout=slave, stderr=slave,
                                 env=dict(os.environ, TERM="dumb", PS1="$ ", INPUTRC="/dev/null"), start_new_session=True)
        os.close(slave)
        try:
            os.write(master, f"source {script}; warpsieve() {{ echo \"called: $*.\"; }}; echo re''ady\n".encode())
            self.read_until(master, "ready\r\n")
            os.write(master, b"warpsieve run --fst hash_store@mc0\t12-34\n")
            self.assertIn("called: run --fst hash_store@mc0:12-34.", self.read_until(master, ".\r\n"))
            (self.root / "recorded.wst").write_text("")
            os.write(master, f"cd {self.root}\n".encode())
            for typed, called in (("--scale=q\t", "--scale=quarter"), ("-w trace:recor\t", "-w trace:recorded.wst"),
                                  ("--block=hash_store@mc0=sh\t", "--block=hash_store@mc0=shadow"),
                                  ("--block hash_store@mc0=sh\t", "--block hash_store@mc0=shadow"),
                                  ("--json=recor\t", "--json=recorded.wst"), ("--profile ./recor\t", "--profile ./recorded.wst"),
                                  ("-w bfs,pagera\t", "-w bfs,pagerank")):
                os.write(master, f"warpsieve run {typed}\n".encode())
                self.assertRegex(self.read_until(master, ".\r\n", "called: "), re.escape(f"called: run {called}") + r" ?\.")
        finally:
            shell.kill()
            shell.wait()
            os.close(master)

    def read_until(self, master, text, after=""):
        seen = ""
        while text not in seen.partition(after)[2] if after else text not in seen:
            ready, _, _ = select.select([master], [], [], 30)
            self.assertTrue(ready, f"no '{text}' in: {seen}")
            seen += os.read(master, 4096).decode(errors="replace")
        return seen

    def test_documents_that_the_help_names(self):
        documents = self.prefix / "share" / "doc" / "warpsieve"
        listed = json.loads(run(self.prefix / "bin" / "warpsieve", "run", "--list", "--json").stdout)["command"]
        sweep, = [c for c in listed["subcommands"] if c["name"] == "sweep"]
        described = json.dumps([c for c in sweep["subcommands"] if c["name"] == "run"])
        page = (self.prefix / "share" / "man" / "man1" / "warpsieve.1").read_text().replace("\\-", "-")
        for text in (described, page):
            named = re.findall(r"see (\w+/README\.md) in the sources' sim_cpp or in share/doc/warpsieve", text)
            self.assertEqual(named, ["sweep/README.md"])
        for part in ("sweep", "trace", "report"):
            self.assertEqual((documents / part / "README.md").read_text(), (REPO / "sim_cpp" / part / "README.md").read_text())

    def test_every_header_compiles_alone(self):
        """With what the package asks for, and nothing that is not installed."""
        include = self.prefix / "include" / "warpsieve"
        headers = sorted(str(p.relative_to(include)) for p in include.rglob("*.h"))
        self.assertIn("memsys/gpu.h", headers)
        self.assertFalse([h for h in headers if re.match(r"(cli|claims|cost|sweep|report|trace)/", h) and h != "cli/program.h"])
        verilator = run("verilator", "--getenv", "VERILATOR_ROOT").stdout.strip()
        flags = ["-std=c++20", "-fsyntax-only", "-I", include, "-I", f"{verilator}/include", "-x", "c++"]

        def compiled(header):
            return header, run("g++", *flags, "-", input=f'#include "{header}"\n', cwd=self.root)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for header, ran in pool.map(compiled, headers):
                self.assertEqual(ran.returncode, 0, f"{header}: {ran.stderr[:2000]}")
                self.assertNotIn("<toml++", (include / header).read_text())

    def test_models_from_another_cmake_project(self):
        project = self.root / "stranger"
        project.mkdir()
        for name, text in (("CMakeLists.txt", PROJECT), ("block.cpp", BLOCK), ("machine.cpp", MACHINE), ("stranger.cpp", STRANGER)):
            (project / name).write_text(text)
        build = project / "build"
        ran = run("cmake", "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        ran = run("cmake", "--build", build)
        self.assertEqual(ran.returncode, 0, ran.stdout[-3000:])
        ran = run(build / "block")
        lines = ran.stdout.splitlines()
        self.assertEqual(len(lines), 2, ran.stderr)
        self.assertEqual(lines[0], lines[1], "the model and the RTL")
        self.assertEqual(lines[0].split()[:2], ["1", "7"])
        clean, cycles = run(build / "machine").stdout.split()
        ours = run(self.prefix / "bin" / "warpsieve", "run", "-w", "vecadd", "--scale", "small")
        self.assertEqual(clean, "1")
        self.assertIn(f" {cycles} ", ours.stdout)
        self.stranger(build / "stranger")
        self.assertFalse([line for line in (self.prefix / "lib").rglob("*.cmake")
                          if str(REPO) in line.read_text() or str(BUILD) in line.read_text()],
                         "the package must not point into the sources")

    def stranger(self, program):
        """Commands of the program know a scheme and a workload from outside the tree."""
        listed = run(program, "run", "--list").stdout
        for word in ("zeros", "zeros.limit", "blank"):
            self.assertRegex(listed, rf"(?m)^{word} ")
        small = ("run", "-w", "blank", "--scale", "small", "--set", "l2.sets=4", "--set", "l2.ways=4", "--set", "gpu.image_in_l2=0")

        def result(*words):
            ran = run(program, *small, *words, "--json", self.root / "result.json")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            return json.loads((self.root / "result.json").read_text())["runs"]

        few, many = (result("-s", "zeros", "--set", f"zeros.limit={n}")[0]["counters"]["zeros.hits"] for n in (1, 1 << 20))
        self.assertGreater(few, 0)
        self.assertLess(few, many)
        both = run(program, *small, "-s", "zeros+rata", "-p", "rata-quarter")
        self.assertEqual(both.returncode, 0, both.stderr)
        self.assertIn("clean", both.stdout)
        wrong = run(program, "run", "-w", "blank", "-s", "zeross")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("did you mean zeros?", wrong.stderr)
        points = self.root / "points.toml"
        points.write_text('name = "strange"\ndoc = "of a stranger"\nworkloads = ["blank"]\n'
                          'schemes = ["baseline", "zeros"]\nscale = "small"\n')
        ran = run(program, "sweep", "run", points, "-o", self.root / "points", cwd=self.root)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        # The same program takes its points again; a stranger's program that changed does not.
        again = run(program, "sweep", "run", points, "-o", self.root / "points", cwd=self.root)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("2 points, 2 done", again.stderr)
        changed = program.with_name("changed")
        changed.write_bytes(program.read_bytes() + b"1")
        changed.chmod(0o755)
        versions = [run(p, "--version").stdout for p in (program, changed)]
        self.assertNotEqual(*versions)
        resumed = run(changed, "sweep", "run", points, "-o", self.root / "points", cwd=self.root)
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertNotIn("done", resumed.stderr)
        ran = run(program, "report", self.root / "points", "-o", self.root / "points.html", cwd=self.root)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("zeros", (self.root / "points.html").read_text())
        ran = run(program, "area", "-s", "zeros")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_rtl_by_file_list(self):
        (self.root / "stranger_top.sv").write_text(TOP)
        for module in ("stream_skid", "affine_encoder", "hash_store", "dedup"):
            top = ["--top-module", "stranger_top", self.root / "stranger_top.sv"] if module == "stream_skid" else \
                ["--top-module", module]
            ran = run("verilator", "--lint-only", "-Wall", "-F", self.rtl / f"{module}.f", *top, cwd=self.root)
            self.assertEqual(ran.returncode, 0, f"{module}: {ran.stderr}")
        self.assertGreater(len(list(self.rtl.glob("*.f"))), 40)

    def test_rtl_by_cores(self):
        self.assertEqual(run(REPO / "scripts" / "cores", "--check").returncode, 0)
        blocks = sorted(p.stem for p in self.rtl.glob("*/*.core"))
        self.assertEqual(blocks, sorted(p.parent.name for p in (REPO / "rtl").glob("*/points.txt")))
        for block in blocks:
            sources = flatten(self.rtl, block)
            self.assertTrue(all(p.is_file() for p in sources))
            self.assertTrue(read_core(self.rtl / block / f"{block}.core")[2])
        for block, module in (("dedup", "dedup_unit"), ("affine_cache", "affine_cache")):
            self.assertIn(module, read_core(self.rtl / block / f"{block}.core")[2])
            ran = run("verilator", "--lint-only", "-Wall", "-Wno-DECLFILENAME", "--top-module", module,
                      *flatten(self.rtl, block))
            self.assertEqual(ran.returncode, 0, ran.stderr)


if __name__ == "__main__":
    unittest.main()
