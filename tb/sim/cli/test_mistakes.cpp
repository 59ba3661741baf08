// What a new user mistypes: each mistake is one short line that says what to type, and exit code 2.
#include <gmock/gmock.h>

#include "program.h"

namespace warpsieve::tb {
namespace {

struct Mistake {
  std::vector<std::string> words;  ///< FILE stands for a text of nonsense, DIR for an empty folder
  std::string says;
};
void PrintTo(const Mistake& m, std::ostream* out) {
  for (const std::string& word : m.words) *out << word << " ";
}

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreOneLineThatSaysWhatToType) {
  const Scratch scratch;
  const std::string file = scratch.write("x.txt", "some words\nof no format\n"), folder = scratch.path("folder");
  std::filesystem::create_directory(folder);
  std::vector<std::string> words = GetParam().words;
  for (std::string& word : words)
    for (const auto& [name, place] : {std::pair("FILE", file), std::pair("DIR", folder)})
      if (const auto at = word.find(name); at != std::string::npos) word.replace(at, std::string(name).size(), place);
  const Ran ran = warpsieve(words);
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_THAT(ran.err, ::testing::StartsWith("warpsieve: "));
  EXPECT_THAT(ran.err, ::testing::HasSubstr(GetParam().says));
  std::string shorter = ran.err;
  for (const std::string& place : {file, folder})
    for (std::size_t at; (at = shorter.find(place)) != std::string::npos;) shorter.replace(at, place.size(), "FILE");
  EXPECT_LE(shorter.size(), 260u) << shorter;
}

const std::vector<Mistake> kMistakes = {
    // Commands and options
    {{"runn"}, "unknown subcommand 'runn', did you mean run?"},
    {{"RUN", "-w", "bfs"}, "unknown subcommand 'RUN', did you mean run?"},
    {{"help", "rn"}, "unknown subcommand 'rn', did you mean run?"},
    {{"sweep"}, "no subcommand given after 'sweep' (there is: run, status, merge, list)"},
    {{"sweep", "rn"}, "unknown subcommand 'rn', did you mean run?"},
    {{"sweep", "s.toml"}, "unknown subcommand 's.toml', type: warpsieve sweep run s.toml"},
    {{"sweep", "run"}, "sweep run: no file given: Sweep file (TOML)"},
    {{"energy"}, "energy: no results given: JSON file that `warpsieve run --json` wrote"},
    {{"trace", "record"}, "trace record: no workload given: "},
    {{"dram"}, "dram: no --trace given: "},
    {{"-v"}, "unknown option -v, did you mean -V?"},
    {{"run", "-list"}, "unknown option -list of 'run', did you mean --list?"},
    {{"run", "--lsit"}, "unknown option --lsit of 'run', did you mean --list?"},
    {{"run", "--color", "red"}, "'red': expected auto, always or never"},
    {{"claims", "--area", "extra"}, "claims: unexpected 'extra', see warpsieve claims --help"},
    {{"area", "cmd"}, "area: 'cmd' is a scheme, type: warpsieve area --scheme cmd"},
    // Names without an option, or in the place of others
    {{"run"}, "no workload given: name one with --workload, or see --list"},
    {{"run", "bfs"}, "run: 'bfs' is a workload, type: warpsieve run --workload bfs"},
    {{"run", "bfs", "cmd"}, "type: warpsieve run --workload bfs --scheme cmd"},
    {{"run", "bfs", "kmeans"}, "type: warpsieve run --workload bfs,kmeans"},
    {{"run", "bfz"}, "run: unexpected 'bfz', did you mean bfs? Workloads go behind --workload"},
    {{"run", "-w", "cmd"}, "'cmd' is a scheme, not a workload: type --scheme cmd"},
    {{"run", "-w", "bfs", "-s", "kmeans"}, "'kmeans' is a workload, not a scheme: type --workload kmeans"},
    {{"run", "-w", "bfs", "--compare", "kmeans"}, "'kmeans' is a workload, not a scheme"},
    // Misspelled names
    {{"run", "-w", "bsf"}, "unknown workload 'bsf', did you mean bfs? warpsieve run --list names all"},
    {{"run", "-w", "BFS"}, "did you mean bfs?"},
    {{"run", "-w", "nosuchthing"}, "unknown workload 'nosuchthing': expected one of "},
    {{"run", "-w", "bfs", "-s", "cmdd"}, "unknown scheme 'cmdd', did you mean cmd?"},
    {{"run", "-w", "bfs", "-s", "CMD"}, "did you mean cmd?"},
    {{"run", "-w", "bfs", "--compare", "base"}, "did you mean baseline?"},
    {{"run", "-w", "bfs", "-s", "cmd+cmd"}, "'cmd' is named twice"},
    {{"run", "-w", "bfs", "-s", ""}, "'': expected the name of a scheme"},
    {{"run", "-w", "bfs", "-p", "cmd-quater"}, "unknown profile 'cmd-quater', did you mean cmd-quarter?"},
    {{"run", "--suite", "cmdd"},
     "unknown suite 'cmdd', did you mean cmd? Expected avc, cmd, dpc, justit, rata or all"},
    {{"run", "-w", "bfs", "--scale", "smal"}, "did you mean small? Expected paper, full, quarter or small"},
    {{"run", "--list", "bsf"}, "unknown workload or scheme 'bsf', did you mean bfs?"},
    {{"run", "-w", "bfs", "--set", "l2.set=4"}, "unknown parameter 'l2.set', did you mean l2.sets?"},
    {{"run", "-w", "bfs", "--set", "nosuch.thing=4"}, "unknown parameter 'nosuch.thing': expected one of "},
    {{"run", "-w", "bfs", "--size", "vertice=9"}, "unknown parameter of bfs 'vertice', did you mean vertices?"},
    {{"run", "-w", "bfs", "--block", "hashstore=rtl"}, "unknown block 'hashstore', did you mean hash_store?"},
    {{"run", "-w", "bfs", "--backend", "shadwo"}, "did you mean shadow?"},
    {{"trace", "record", "bsf", "-o", "DIR/t.wst"}, "unknown workload 'bsf', did you mean bfs?"},
    {{"workloads", "bsf"}, "unknown workload 'bsf', did you mean bfs?"},
    {{"area", "-s", "cmdd"}, "unknown scheme 'cmdd', did you mean cmd?"},
    {{"inputs", "write", "rod", "-o", "DIR/x"}, "did you mean road?"},
    {{"claims", "--paper", "rat", "--results", "DIR"}, "did you mean rata?"},
    // Values
    {{"run", "-w", "bfs", "--set", "l2.sets"}, "'l2.sets': expected name=value"},
    {{"run", "-w", "bfs", "--set", "l2.sets=0"}, "l2.sets = 0: expected 1 to 65536 sets"},
    {{"run", "-w", "bfs", "--set", "l2.sets=abc"}, "l2.sets: 'abc' is not a whole number"},
    {{"run", "-w", "bfs", "--size", "vertices=1e6"}, "an integer from 2 to 16777216 is expected"},
    {{"run", "-w", "bfs", "--threads", "0"}, "--threads: '0': expected a whole number from 1 to 256"},
    {{"run", "-w", "bfs", "--jobs", "0"}, "--jobs: '0': expected a whole number from 1 to 1024"},
    {{"run", "-w", "bfs", "--repeat", "ten"}, "--repeat: 'ten': expected a whole number from 1 to 9"},
    {{"run", "-w"}, "--workload"},
    // Files
    {{"run", "-w", "bfs", "-i", "nofile.mtx"}, "nofile.mtx:1: expected a file, found nothing of that name\n"},
    {{"run", "-w", "bfs", "-i", "DIR"}, "expected a regular file, found a folder\n"},
    {{"run", "-w", "bfs", "-i", ""}, "'': expected the name of a file, found an empty one"},
    {{"run", "-w", "vecadd", "-i", "FILE"}, "workload vecadd takes no input file"},
    {{"run", "-w", "kmeans", "-i", "FILE"}, "; kmeans reads "},
    {{"run", "-w", "lud", "-i", "FILE"}, "; lud reads n, then n x n values"},
    {{"run", "-w", "nn", "-i", "FILE"}, "; nn reads Rodinia's .db"},
    {{"run", "-w", "nw", "-i", "FILE"}, "; nw reads FASTA, two of amino acids"},
    {{"run", "-w", "bfs", "--json"}, "--json: expected the name of a file"},
    {{"run", "-w", "bfs", "--json", "DIR"}, "cannot write"},
    {{"run", "-w", "trace:nofile.wst"}, "nofile.wst"},
    {{"sweep", "run", "nofile.toml"}, "nofile.toml: cannot read: No such file or directory"},
    {{"sweep", "run", "FILE"}, "x.txt:1"},
    {{"sweep", "status", "DIR"}, "no sweep is there"},
    {{"report", "FILE"}, "no output given: -o report.html"},
    {{"report", "FILE", "-o", "DIR/r.html"}, "not JSON: expected what `warpsieve run --json` writes"},
    {{"report", "nofile.json", "-o", "DIR/r.html"}, "nofile.json: cannot read"}};

INSTANTIATE_TEST_SUITE_P(OfNewUsers, Mistakes, ::testing::ValuesIn(kMistakes));

}  // namespace
}  // namespace warpsieve::tb
