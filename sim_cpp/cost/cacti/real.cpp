#include "cost/cacti/real.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "core/number.h"
#include "cost/embedded.h"

namespace warpsieve::cost {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kOutputLimit = 16u << 20;
constexpr const char* kConfig = "memory.cfg";

bool executable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

class RunDirectory {
 public:
  RunDirectory() {
    std::string name = (fs::temp_directory_path() / "warpsieve-cacti-XXXXXX").string();
    if (!mkdtemp(name.data())) throw CactiError(fmt::format("CACTI: {}: {}", name, std::strerror(errno)));
    path = name;
  }
  ~RunDirectory() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;
  fs::path path;
};

struct Ended {
  int status = 0;
  bool timed_out = false;
};

/// Runs the binary in `directory`, output into stdout.txt and stderr.txt there.
Ended run(const std::string& binary, const fs::path& directory, std::chrono::milliseconds timeout) {
  const std::string out = directory / "stdout.txt", err = directory / "stderr.txt", where = directory;
  const pid_t child = fork();
  if (child < 0) throw CactiError(fmt::format("CACTI: cannot start {}: {}", binary, std::strerror(errno)));
  if (child == 0) {
    setpgid(0, 0);
    const rlimit limit{kOutputLimit, kOutputLimit}, no_core{0, 0};
    setrlimit(RLIMIT_FSIZE, &limit);
    setrlimit(RLIMIT_CORE, &no_core);
    unsetenv("MALLOC_PERTURB_");  // the tool relies on fresh memory being zero
    const int in = open("/dev/null", O_RDONLY), to_out = open(out.c_str(), O_WRONLY | O_CREAT, 0600),
              to_err = open(err.c_str(), O_WRONLY | O_CREAT, 0600);
    if (chdir(where.c_str()) != 0 || in < 0 || to_out < 0 || to_err < 0) _exit(126);
    dup2(in, 0), dup2(to_out, 1), dup2(to_err, 2);
    execl(binary.c_str(), binary.c_str(), "-infile", kConfig, static_cast<char*>(nullptr));
    _exit(127);
  }
  setpgid(child, child);  // also here: whoever comes first
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  Ended ended;
  for (auto pause = std::chrono::milliseconds(1);; pause = std::min(pause * 2, std::chrono::milliseconds(20))) {
    const pid_t got = waitpid(child, &ended.status, WNOHANG);
    if (got == child) break;
    if (got < 0 && errno != EINTR) throw CactiError(fmt::format("CACTI: {}: {}", binary, std::strerror(errno)));
    if (std::chrono::steady_clock::now() >= deadline) {
      ended.timed_out = true;
      kill(-child, SIGKILL);
      waitpid(child, &ended.status, 0);
      break;
    }
    std::this_thread::sleep_for(pause);
  }
  if (!ended.timed_out) kill(-child, SIGKILL);  // children that it left behind
  return ended;
}

/// The last line with something on it; of the lines after the tool's echo of its input, where there is one.
std::string last_line(const std::string& text) {
  std::istringstream lines(text);
  std::string line, last;
  while (std::getline(lines, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  }
  return last.substr(0, 200);
}

/// The tool's own words on why there is no result.
std::string complaint(const std::string& out, const std::string& err) {
  std::istringstream lines(err);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) return line.substr(0, 200);
  }
  for (const char* mark : {"ERROR: ", "Invalid ", " is missing!"}) {
    const auto at = out.find(mark);
    if (at == std::string::npos) continue;
    const auto from = out.rfind('\n', at) == std::string::npos ? 0 : out.rfind('\n', at) + 1;
    return out.substr(from, std::min<std::size_t>(out.find('\n', at) - from, 200));
  }
  return "";
}

double number(const std::string& text, const std::string& what, const Query& query) {
  const auto from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t\r");
  const std::string trimmed = from == std::string::npos ? "" : text.substr(from, to - from + 1);
  const auto value = to_number<double>(trimmed);
  if (!value || !std::isfinite(*value))
    throw CactiError(fmt::format("CACTI: {}: {}: expected a number, got '{}'", query.describe(), what, trimmed));
  return *value;
}

/// The number behind the first "label", nothing when the label is not there.
std::optional<double> labelled(const std::string& out, const std::string& label, const Query& query) {
  const auto at = out.find(label);
  if (at == std::string::npos) return {};
  const auto from = at + label.size();
  return number(out.substr(from, out.find('\n', from) - from), label, query);
}

/// What the tool says it understood; it skips lines that it does not, and reads 16K as 16.
void check_echo(const std::string& out, const Query& query) {
  const auto expect = [&](const char* label, double asked) {
    const auto at = out.find(label);
    if (at == std::string::npos) return;
    const auto colon = out.find(':', at);
    const double used = number(out.substr(colon + 1, out.find('\n', colon) - colon - 1), label, query);
    if (std::abs(used - asked) > 1e-6 * std::abs(asked))
      throw CactiError(fmt::format("CACTI: {}: it used {} {} instead of {}", query.describe(), label, used, asked));
  };
  expect("Cache size ", static_cast<double>(query.bytes));
  expect("Block size ", query.line());
  expect("Technology ", query.node_nm / 1000.0);
  expect("Temperature ", query.temperature_k);
  if (query.kind == Kind::cam) {
    expect("Tag size ", query.word_bits);
  } else if (query.tag_bits) {
    expect("Tag size ", query.tag_bits);
  }
}

Result parse(const std::string& row, const std::string& out, const Query& query) {
  std::vector<std::string> fields;
  std::istringstream cells(row);
  std::string cell;
  while (std::getline(cells, cell, ',')) fields.push_back(cell);
  if (fields.size() < 19) {
    throw CactiError(fmt::format("CACTI: {}: the result line has {} fields, expected at least 19: '{}'",
                                 query.describe(), fields.size(), row.substr(0, 120)));
  }
  const auto field = [&](std::size_t i, const char* what) {
    return number(fields[i], fmt::format("result field {} ({})", i + 1, what), query);
  };
  if (static_cast<std::uint64_t>(field(1, "bytes")) != query.bytes) {
    throw CactiError(
        fmt::format("CACTI: {}: the result is for {} B", query.describe(), static_cast<std::uint64_t>(field(1, ""))));
  }
  check_echo(out, query);
  Result r;
  r.access_ns = field(5, "access time");
  r.cycle_ns = field(6, "cycle time");
  if (query.searched()) r.search_nj = field(7, "search energy");
  r.read_nj = field(8, "read energy");
  r.write_nj = field(9, "write energy");
  r.leakage_mw = field(10, "leakage");
  r.box_mm2 = field(11, "area");
  const auto data = labelled(out, "  Data array: Area (mm2):", query);
  const auto tag = labelled(out, "  Tag array: Area (mm2):", query);
  if (query.searched()) {
    r.data_mm2 = r.box_mm2;  // one array, its own box
  } else if (!data || (query.kind == Kind::cache && !tag)) {
    throw CactiError(
        fmt::format("CACTI: {}: no '{} array: Area (mm2):' in its output", query.describe(), data ? "Tag" : "Data"));
  } else {
    r.data_mm2 = *data;
    r.tag_mm2 = query.kind == Kind::cache ? *tag : 0;
  }
  if (query.kind == Kind::cam) {
    const auto match = labelled(out, "CAM search delay (ns):", query);
    if (match && *match > *r.access_ns) r.access_ns = match;
  }
  return r;
}

}  // namespace

RealCacti::RealCacti(std::string binary, std::chrono::milliseconds timeout)
    : binary_(std::move(binary)), timeout_(timeout) {
  if (!executable(binary_)) throw CactiError(fmt::format("CACTI: {}: not an executable file", binary_));
  binary_ = fs::absolute(binary_);
  const fs::path beside = fs::canonical(binary_).parent_path() / "tech_params";
  if (fs::is_directory(beside)) tech_params_ = beside;
}

std::optional<std::string> RealCacti::find() {
  if (const char* set = std::getenv("CACTI"); set && *set) {
    if (!executable(set)) throw CactiError(fmt::format("CACTI={}: not an executable file", set));
    return set;
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / "cacti";
    if (executable(candidate)) return candidate.string();
  }
  return {};
}

std::string RealCacti::configuration(const Query& q) {
  const auto tag = q.kind == Kind::cam ? q.word_bits : q.tag_bits;
  const std::vector<std::pair<std::string, std::string>> values = {
      {"SIZE_B", std::to_string(q.bytes)},
      {"BLOCK_B", std::to_string(q.line())},
      {"ASSOC", std::to_string(q.kind == Kind::cam ? 0 : q.ways)},
      {"RW", q.ports == Ports::rw1    ? "1"
             : q.ports == Ports::r1w1 ? "0"
                                      : "2"},
      {"RD", q.ports == Ports::r1w1 ? "1" : "0"},
      {"WR", q.ports == Ports::r1w1 ? "1" : "0"},
      {"SEARCH_PORTS", "1"},
      {"BANKS", "1"},
      {"TECH_UM", fmt::format("0.{:03}", q.node_nm)},
      {"OUT_BITS", std::to_string(q.word_bits)},
      {"TEMP_K", std::to_string(q.temperature_k)},
      {"TYPE", std::string(to_string(q.kind))},
      {"TAG", tag ? std::to_string(tag) : "\"default\""},  // the word is quoted, a number must not be
      {"ACCESS_MODE", std::string(to_string(q.access))},
      {"CELL", q.device},
      {"WEIGHTS", "0:0:0:100:0"},
      {"DEVIATE", "20:100000:100000:100000:100000"},
      {"ED", "ED^2"},
      {"WIRE", "Global_30"},
      {"ECC", "false"},
  };
  std::istringstream lines{std::string(embedded("sim_cpp/cost/data/cacti_template.cfg.in"))};
  std::string text, line;
  while (std::getline(lines, line)) {
    if (line.starts_with("-search port") && !q.searched()) continue;
    for (std::size_t at; (at = line.find('@')) != std::string::npos;) {
      const std::string field = line.substr(at + 1, line.find('@', at + 1) - at - 1);
      const auto value = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == field; });
      if (value == values.end()) throw std::logic_error("cacti_template.cfg.in: unknown field @" + field + "@");
      line.replace(at, field.size() + 2, value->second);
    }
    text += line + '\n';
  }
  return text;
}

Result RealCacti::at(const Query& query) {
  const std::string configuration = RealCacti::configuration(query);
  if (const auto known = answers_.find(configuration); known != answers_.end()) return known->second;
  const RunDirectory directory;
  std::ofstream(directory.path / kConfig) << configuration;
  if (!tech_params_.empty()) fs::create_directory_symlink(tech_params_, directory.path / "tech_params");
  const Ended ended = run(binary_, directory.path, timeout_);

  const auto fail = [&](const std::string& why) -> void {
    throw CactiError(fmt::format("CACTI: {}: {}", query.describe(), why));
  };
  if (ended.timed_out) fail(fmt::format("no end after {} s, stopped", static_cast<double>(timeout_.count()) / 1000));
  const std::string out = read_file(directory.path / "stdout.txt"), err = read_file(directory.path / "stderr.txt");
  const std::string row = last_line(read_file(directory.path / (std::string(kConfig) + ".out")));
  const bool has_row = !row.empty() && row.find_first_not_of(" ") != std::string::npos && std::isdigit(row[0]);
  if (WIFSIGNALED(ended.status)) {
    if (WTERMSIG(ended.status) == SIGXFSZ) fail("more than 16 MB of output, stopped");
    fail(fmt::format("crashed with signal {}{}{}", WTERMSIG(ended.status), has_row ? " after its result" : "",
                     tech_params_.empty() ? fmt::format(" (no tech_params/ beside {})", binary_) : ""));
  }
  if (WEXITSTATUS(ended.status) == 127 && out.empty() && err.empty()) fail(binary_ + " cannot be executed");
  const std::string said = complaint(out, err);
  if (!has_row || WEXITSTATUS(ended.status) != 0) {
    if (!said.empty()) fail("refused: " + said);
    fail(fmt::format("exit code {} and {}", WEXITSTATUS(ended.status),
                     has_row ? "a result" : "no result line in " + std::string(kConfig) + ".out"));
  }
  Result r = parse(row, out, query);
  r.source = binary_;
  return answers_.emplace(configuration, r).first->second;
}

}  // namespace warpsieve::cost
