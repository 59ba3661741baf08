// `run --fst`: the waveform of a block in a window of cycles, read back and compared with what the run reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <gtkwave/fstapi.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <tuple>

#include "cosim/fst_file.h"
#include "program.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t kCycle = 1'000'000;  ///< ps

/// One handshake of a victim FIFO. `op` is 3 for a response.
using Event = std::tuple<std::uint64_t, unsigned, std::string>;  // cycle, op, {sectors, address or data}

/// The signals of one FST file: names with ranges, and values at every rising edge of clk_i.
class Wave {
 public:
  explicit Wave(const std::string& path) : reader_(fstReaderOpen(path.c_str())) {
    if (!reader_) throw std::runtime_error(path + ": not an FST file");
    std::vector<std::string> scopes;
    while (const fstHier* hier = fstReaderIterateHier(reader_)) {
      if (hier->htyp == FST_HT_SCOPE) scopes.emplace_back(hier->u.scope.name);
      if (hier->htyp == FST_HT_UPSCOPE) scopes.pop_back();
      if (hier->htyp != FST_HT_VAR) continue;
      std::string name = hier->u.var.name, path_of;
      for (const std::string& scope : scopes) path_of += scope + ".";
      name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
      names.push_back(path_of + name);
      if (scopes.size() == 1) handles_[name.substr(0, name.find('['))] = hier->u.var.handle;
    }
    EXPECT_EQ(fstReaderGetTimescale(reader_), -12) << path << ": times are ps";
    first = fstReaderGetStartTime(reader_);
    last = fstReaderGetEndTime(reader_);
    fstReaderSetFacProcessMaskAll(reader_);
    fstReaderIterBlocks(reader_, &Wave::change, this, nullptr);
  }
  ~Wave() { fstReaderClose(reader_); }
  Wave(const Wave&) = delete;
  Wave& operator=(const Wave&) = delete;

  /// Calls `at(cycle)` for every rising edge; value() then gives what the edge takes.
  template <class F>
  void edges(F&& at) {
    for (const auto& [time, changes] : changes_) {
      for (const auto& [handle, value] : changes)
        if (handle == handles_.at("clk_i") && value == "1" && values_[handle] == "0")
          at((time - kCycle / 2) / kCycle);
      for (const auto& [handle, value] : changes) values_[handle] = value;
    }
  }
  const std::string& value(const std::string& port) const { return values_.at(handles_.at(port)); }

  std::vector<std::string> names;
  std::uint64_t first = 0, last = 0;

 private:
  static void change(void* self, std::uint64_t time, fstHandle handle, const unsigned char* value) {
    static_cast<Wave*>(self)->changes_[time].emplace_back(handle, reinterpret_cast<const char*>(value));
  }
  void* reader_;
  std::map<std::string, fstHandle> handles_;
  std::map<std::uint64_t, std::vector<std::pair<fstHandle, std::string>>> changes_;
  std::map<fstHandle, std::string> values_;
};

std::vector<Event> events(const std::string& path) {
  std::vector<Event> out;
  Wave wave(path);
  wave.edges([&](std::uint64_t cycle) {
    if (wave.value("rst_ni") == "0") return;
    if (wave.value("req_valid_i") == "1" && wave.value("req_ready_o") == "1")
      out.emplace_back(cycle, std::stoi(wave.value("req_op_i"), nullptr, 2),
                       wave.value("req_sectors_i") + wave.value("req_addr_i"));
    if (wave.value("rsp_valid_o") == "1" && wave.value("rsp_ready_i") == "1")
      out.emplace_back(cycle, 3, wave.value("rsp_sectors_o") + wave.value("rsp_data_o"));
  });
  return out;
}

constexpr unsigned kInsert = 0, kLookup = 1, kResponse = 3;

std::size_t count(const std::vector<Event>& all, unsigned op) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [op](const Event& e) { return std::get<1>(e) == op; }));
}

/// Sectors of the line that the event names, of four.
std::size_t sectors(const Event& event) {
  const std::string& value = std::get<2>(event);
  return static_cast<std::size_t>(std::count(value.begin(), value.begin() + 4, '1'));
}

Ran run_bfs(std::vector<std::string> more) {
  more.insert(more.begin(), {"-p", "plain", "--set", "gpu.sms=20", "--set", "gpu.controllers=2", "--set", "l2.sets=4",
                             "--set", "l2.ways=4"});
  return run_small(more);
}

TEST(Waveforms, HandshakesOfTheWholeRunAreWhatTheRunCounted) {
  const Scratch scratch;
  std::vector<std::string> arguments = {"--fst-dir", scratch.path(""), "--json", scratch.path("a.json")};
  const std::vector<std::string> slices = {"mc0.slice0", "mc0.slice1", "mc1.slice0", "mc1.slice1"};
  for (const std::string& slice : slices) {
    arguments.emplace_back("--fst");
    arguments.push_back("victim_fifo@" + slice + ":0-999999999");
  }
  const Ran ran = run_bfs(arguments);
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::size_t inserted = 0, lookups = 0, hits = 0;
  for (const std::string& slice : slices) {
    const std::string file = scratch.path("bfs.cmd." + slice + ".victim_fifo.0-999999999.fst");
    EXPECT_THAT(ran.out, HasSubstr("waveform: " + file + ": "));
    const std::vector<Event> all = events(file);
    inserted += count(all, kInsert);
    EXPECT_EQ(count(all, kLookup), count(all, kResponse));
    // A response brings one sector. If more are present, the next look-up asks for the rest: these are not counted
    // again.
    for (const Event& event : all) {
      if (std::get<1>(event) == kLookup) lookups += sectors(event);
      if (std::get<1>(event) != kResponse || sectors(event) == 0) continue;
      ++hits;
      lookups -= sectors(event) - 1;
    }
  }
  const json counters = json::parse(read_file(scratch.path("a.json")))["runs"][0]["counters"];
  EXPECT_GT(hits, 0u);
  // The counters stand still while the whole memory is read back; the FIFO goes on.
  EXPECT_GE(inserted, counters.at("victim_fifo.inserted").get<std::size_t>());
  // A victim that still waits to enter the FIFO answers in its place: no operation of the block.
  const std::size_t elsewhere = counters.at("victim_fifo.waiting_hits").get<std::size_t>();
  EXPECT_EQ(lookups + elsewhere, counters.at("victim_fifo.lookups").get<std::size_t>());
  EXPECT_EQ(hits + elsewhere, counters.at("victim_fifo.hits").get<std::size_t>());
}

TEST(Waveforms, WindowsAreThePartsOfTheWholeAndChangeNoResult) {
  const Scratch scratch;
  const std::string block = "victim_fifo@mc1.slice0:", stem = scratch.path("bfs.cmd.mc1.slice0.victim_fifo.");
  const Ran plain = run_bfs({"--json", scratch.path("plain.json")});
  ASSERT_EQ(run_bfs({"--fst-dir", scratch.path(""), "--fst", block + "0-99999"}).code, 0);
  const std::vector<Event> whole = events(stem + "0-99999.fst");
  for (const char* backend : {"model", "shadow"}) {
    SCOPED_TRACE(backend);
    const Ran ran = run_bfs({"--backend", backend, "--fst-dir", scratch.path(""), "--json", scratch.path("a.json"),
                             "--fst", block + "20000-29999", "--fst", block + "30000-34999"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(read_file(scratch.path("a.json")), read_file(scratch.path("plain.json")));
    const std::string rest = "off-chip requests in 32 bytes";  // from here on: speed and names of files
    EXPECT_EQ(ran.out.substr(0, ran.out.find(rest)), plain.out.substr(0, plain.out.find(rest)));
    for (const auto& [first, last] : {std::pair{20000u, 29999u}, std::pair{30000u, 34999u}}) {
      const std::string name = std::to_string(first) + "-" + std::to_string(last) + ".fst";
      std::vector<Event> expected;
      for (const Event& e : whole)
        if (std::get<0>(e) >= first && std::get<0>(e) <= last) expected.push_back(e);
      ASSERT_GT(expected.size(), 10u);
      EXPECT_EQ(events(stem + name), expected);
      const Wave wave(stem + name);
      EXPECT_GE(wave.first, first * kCycle);
      EXPECT_LE(wave.last, (last + 1) * kCycle + kCycle / 2);
    }
  }
}

TEST(Waveforms, WholeOnesCountPsAsWell) {
  const Scratch scratch;
  setenv("WARPSIEVE_FST", scratch.path("w").c_str(), 1);
  const Ran ran = run_small({"-b", "rtl"}, "vecadd");
  unsetenv("WARPSIEVE_FST");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_FALSE(Wave(scratch.path("w.mc0.dedup.0.fst")).names.empty());
}

TEST(Waveforms, TheSaveFileNamesSignalsThatTheWaveformHas) {
  const Scratch scratch;
  const Ran ran = run_bfs({"--fst-dir", scratch.path(""), "--fst", "dedup@mc0:0-40000"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string stem = scratch.path("bfs.cmd.mc0.dedup.0-40000");
  const Wave wave(stem + ".fst");
  std::istringstream save(read_file(stem + ".gtkw"));
  std::size_t shown = 0, titles = 0;
  std::vector<std::string> header;
  for (std::string line; std::getline(save, line);) {
    if (line.starts_with("[")) header.push_back(line);
    titles += line.starts_with("-");
    if (!line.starts_with("mc0.dedup.")) continue;
    ++shown;
    EXPECT_NE(std::find(wave.names.begin(), wave.names.end(), line), wave.names.end()) << line;
  }
  EXPECT_THAT(header, Contains("[dumpfile] \"" + stem + ".fst\""));
  EXPECT_THAT(header, Contains("[timestart] " + std::to_string(wave.first)));
  EXPECT_GT(titles, 5u);  // clock and reset, the streams, the registers
  EXPECT_GT(shown, 40u);
}

TEST(Waveforms, EveryRunHasFilesOfItsOwn) {
  const Scratch scratch;
  const std::string suite = scratch.write("s.toml",
                                          "doc = \"bfs at two sizes\"\n[[run]]\nworkload = \"bfs\"\n"
                                          "[[run]]\nworkload = \"vecadd\"\n"
                                          "[[run]]\nworkload = \"bfs\"\nvertices = 4096\n");
  const Ran ran = warpsieve({"run", "--suite", suite, "--scale", "small", "--set", "gpu.image_in_l2=0", "--set",
                             "gpu.launch_latency=0", "--compare", "baseline,dedup", "--fst-dir", scratch.path(""),
                             "--fst", "dedup@mc0:0-99999"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* name : {"bfs.dedup", "bfs.cmd", "vecadd.dedup", "vecadd.cmd", "bfs.dedup.2", "bfs.cmd.2"}) {
    const std::string stem = scratch.path(std::string(name) + ".mc0.dedup.0-99999");
    EXPECT_THAT(ran.out, HasSubstr("waveform: " + stem + ".fst: "));
    EXPECT_FALSE(Wave(stem + ".fst").names.empty());
    EXPECT_TRUE(std::filesystem::exists(stem + ".gtkw"));
  }
  EXPECT_EQ(ran.out.find(".baseline."), std::string::npos) << "it has no such block";
}

TEST(Waveforms, ABlockThatIsIdleInTheWindowHasNoFile) {
  const Scratch scratch;
  const Ran ran = run_small({"--fst-dir", scratch.path(""), "--fst", "hash_store@mc0:0-100"}, "vecadd");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("hash_store@mc0:0-100: no file, the block is idle in all of these cycles"));
}

struct BlockOf {
  const char *scheme, *profile, *workload, *block, *instance;
};

TEST(Waveforms, EveryBlockOfEverySchemeCanBeDumped) {
  std::vector<BlockOf> all = {{"cmd", "cmd-quarter", "bfs", "victim_fifo", "mc0.slice0"},
                              {"bcd", "cmd-quarter", "bfs", "translation_cache", "mc0"},
                              {"rata", "rata-quarter", "bfs", "rata", "cluster0"},
                              {"justit", "justit-quarter", "bfs", "bloom_predictor", "sm0"},
                              {"cmd", "cmd-quarter", "pagerank", "lent_cache", "mc1"},
                              {"avc", "avc", "nw", "affine_cache", "sm0"}};
  for (const char* block : {"dedup", "line_hasher", "hash_store", "type_cache", "mask_cache", "address_cache"})
    all.push_back({"cmd", "cmd-quarter", "bfs", block, "mc1"});
  for (const char* block : {"size_cache", "bpc_encoder", "bpc_decoder"})
    all.push_back({"bpc", "cmd-quarter", "bfs", block, "mc0"});
  for (const char* block : {"dpc_encoder", "packet_filter"})
    all.push_back({"df_man+rc", "dpc-quarter", "bfs", block, "mc0"});
  for (const char* block : {"dpc_decoder", "request_analyzer", "critical_data_tracker", "windows_manager"})
    all.push_back({"df_man+rc", "dpc-quarter", "bfs", block, "sm0"});
  for (const BlockOf& b : all) {
    SCOPED_TRACE(b.block);
    const Scratch scratch;
    const std::string model = std::string(b.instance) + "." + b.block;
    const Ran ran = run_small({"--set", "l2.sets=4", "-s", b.scheme, "-p", b.profile, "--fst-dir", scratch.path(""),
                               "--fst", std::string(b.block) + "@" + b.instance + ":0-999999"},
                              b.workload);
    ASSERT_EQ(ran.code, 0) << ran.err;
    Wave wave(scratch.path(std::string(b.workload) + "." + b.scheme + "." + model + ".0-999999.fst"));
    std::size_t edges = 0;
    std::uint64_t before = 0;
    wave.edges([&](std::uint64_t cycle) {
      EXPECT_GE(cycle, before);
      before = cycle;
      ++edges;
    });
    EXPECT_THAT(ran.out, HasSubstr(model + ".0-999999.fst: " + std::to_string(edges) + " clock edges in cycles "));
    EXPECT_THAT(ran.out, HasSubstr(" to " + std::to_string(before) + "\n"));
    EXPECT_GT(edges, 50u);
  }
}

void expect_refused(const std::vector<std::string>& more, const std::vector<std::string>& says) {
  const Ran ran = run_small(more);
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_EQ(ran.out, "");
  for (const std::string& s : says) EXPECT_THAT(ran.err, HasSubstr(s));
}

TEST(Waveforms, WhatIsWrongIsOneLineBeforeTheRun) {
  for (const char* text :
       {"hash_store", "hash_store@mc0", "hash_store@mc0:5", "hash_store:1-2", "hash_store@mc0:a-b",
        "hash_store@mc0:1-", "hash_store@mc0:-1-2", "hash_store@mc0:1-99999999999999999999", "1-2"})
    expect_refused({"--fst", text}, {std::string("--fst '") + text + "'", "expected block@instance:first-last"});
  expect_refused({"--fst", "hash_stor@mc0:1-2"}, {"unknown block 'hash_stor', did you mean hash_store?"});
  expect_refused({"--fst", "hash_store@mc00:1-2"}, {"no instance 'mc00' of hash_store, did you mean mc0?"});
  expect_refused({"--fst", "hash_store@mc7:1-2"}, {"no instance 'mc7' of hash_store", "mc0 to mc1"});
  expect_refused({"--fst", "hash_store@mc0:20-10"}, {"ends in cycle 10, before it begins (20)"});
  expect_refused({"--fst", "rata@cluster0:1-2"}, {"scheme cmd has no block 'rata'"});
  expect_refused({"--fst", "hash_store@mc0:1-20", "--fst", "hash_store@mc0:20-30"},
                 {"'hash_store@mc0:20-30': overlaps 'hash_store@mc0:1-20'"});
  expect_refused({"--fst", "hash_store@mc0:1-20", "--block", "hash_store=model"}, {"a waveform needs rtl or shadow"});
  expect_refused({"--fst", "hash_store@mc0:1-20", "--fst-dir", "/nonexistent"},
                 {"/nonexistent/bfs.cmd", "cannot write"});
  expect_refused({"--fst", "hash_store@mc0:1-20", "--set", "cmd.hash_sets=64"}, {"no RTL compiled"});
}

TEST(Waveforms, AWindowBehindTheEndOfTheRunIsAnError) {
  const Scratch scratch;
  const Ran ran = run_small({"--fst-dir", scratch.path(""), "--fst", "hash_store@mc0:90000000-90000001"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(std::regex_search(ran.err, std::regex("the run ended in cycle [0-9]+, before the window"))) << ran.err;
}

TEST(Waveforms, AFileThatIsCutAnywhereIsNotWhole) {
  const Scratch scratch;
  ASSERT_EQ(run_bfs({"--fst-dir", scratch.path(""), "--fst", "victim_fifo@mc0.slice0:0-99999"}).code, 0);
  const std::string file = scratch.path("bfs.cmd.mc0.slice0.victim_fifo.0-99999.fst"), bytes = read_file(file);
  const std::uint64_t end = Wave(file).last;
  EXPECT_EQ(what_is_cut(file, end), "");
  EXPECT_EQ(what_is_cut(file, end + 1), "no header") << "a time is missing";
  for (std::size_t length = 0; length < bytes.size();
       length += bytes.size() - length < 600 ? 1 : 1 + bytes.size() / 500) {
    const std::string cut = scratch.write("cut.fst", bytes.substr(0, length));
    EXPECT_NE(what_is_cut(cut, end), "") << length;
    std::filesystem::resize_file(cut, bytes.size());  // a hole, as a failed write leaves it
    if (read_file(cut) == bytes) continue;            // what it would have written were zeros
    EXPECT_NE(what_is_cut(cut, end), "") << length;
  }
}

TEST(Waveforms, AFullDiskIsNotTakenForAWaveform) {
  const Scratch scratch;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 8192;  // writes beyond fail, as on a full disk
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Ran ran = run_bfs({"--fst-dir", scratch.path(""), "--fst", "victim_fifo@mc0.slice0:0-99999"});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("cannot write"));
  EXPECT_THAT(ran.out, Not(HasSubstr("waveform:")));
}

}  // namespace
}  // namespace warpsieve::tb
