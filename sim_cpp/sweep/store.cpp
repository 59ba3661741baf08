#include "sweep/store.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/output_file.h"
#include "core/params.h"
#include "run/atomic_file.h"
#include "run/run_json.h"
#include "run/version.h"

namespace warpsieve::sweep {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::array kFolders = {"results", "failed", "running", "log", "slurm"};

/// Names of files may be no UTF-8.
std::string file_text(const ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

/// Both are there and they are two; a file that was moved is still the same sweep.
bool another_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::is_regular_file(a, error) && fs::is_regular_file(b, error) && !fs::equivalent(a, b, error) && !error;
}

/// A folder of something else: no results are strewn among its files.
void refuse_other_files(const std::string& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error) || fs::exists(directory + "/sweep.json", error)) return;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".sweep.json.") && name.ends_with(".part")) continue;  // another process writes it just now
    if (std::find(kFolders.begin(), kFolders.end(), name) == kFolders.end())
      throw ConfigError(fmt::format("{}: has other files ({}): expected a new or an empty folder, or that of a sweep",
                                    directory, name));
  }
}

/// Whether what file_text() wrote with an indent is all there. Its last line alone starts with the bracket. A file in
/// another layout is read as a whole.
bool is_whole(const std::string& path) {
  constexpr std::string_view kEnd = "\n}\n";
  std::ifstream in(path, std::ios::binary);
  in.seekg(-static_cast<std::streamoff>(kEnd.size()), std::ios::end);
  std::array<char, kEnd.size()> end{};
  if (in.read(end.data(), end.size()) && std::string_view(end.data(), end.size()) == kEnd) return true;
  return ordered_json::accept(run::read_text(path));
}

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

std::string to_string(State state) {
  switch (state) {
    case State::done: return "done";
    case State::failed: return "failed";
    case State::running: return "running";
    case State::missing: break;
  }
  return "missing";
}

Claim::Claim(Claim&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

Claim::~Claim() {
  if (descriptor_ < 0) return;
  unlink(path_.c_str());  // before the lock goes: no process may lock a file that is about to vanish
  close(descriptor_);
}

void Times::add(const std::string& group, double seconds, double megabytes) {
  if (megabytes > peak_.megabytes) peak_ = {group, megabytes};
  for (Sum* sum : {&groups_[group], &all_}) {
    sum->seconds += seconds;
    ++sum->count;
  }
}

std::optional<double> Times::of(const std::string& group) const {
  if (const auto own = of_group(group)) return own;
  if (all_.count == 0) return std::nullopt;
  return all_.seconds / static_cast<double>(all_.count);
}

std::optional<double> Times::of_group(const std::string& group) const {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return std::nullopt;
  return found->second.seconds / static_cast<double>(found->second.count);
}

std::optional<Peak> Times::peak() const {
  if (peak_.megabytes == 0) return std::nullopt;
  return peak_;
}

std::string group_of(const Point& point) { return point.spec.workload + " " + point.spec.scheme; }

std::string Store::file(const char* folder, const Point& point) const {
  return fmt::format("{}/{}/{}{}", directory_, folder, point.id, folder == std::string("running") ? "" : ".json");
}

void Store::create(const Sweep& sweep) const {
  refuse_other_files(directory_);
  for (const char* folder : kFolders) {
    std::error_code error;
    fs::create_directories(path(folder), error);
    if (error) throw ConfigError(fmt::format("{}: cannot make the folder: {}", path(folder), error.message()));
  }
  ordered_json whole = to_json(sweep);
  run::add_digest(whole);
  const std::string text = file_text(whole, -1);
  const std::string name = path("sweep.json");
  std::error_code ignored;
  if (fs::is_regular_file(name, ignored)) {
    const std::string there = run::read_text(name);
    if (there == text) return;
    // The other file's results would be out of reach, and the next merge would drop them from the database.
    const ordered_json json = ordered_json::parse(there, nullptr, false);
    if (const auto other = json.is_object() ? json.find("file") : json.end();
        other != json.end() && other->is_string() && another_file(other->get<std::string>(), sweep.file))
      throw ConfigError(fmt::format("{}: has the results of {}: give another directory with -o", directory_,
                                    other->get<std::string>()));
  }
  run::write_atomically(name, text);
}

Sweep Store::load() const {
  const std::string name = path("sweep.json");
  std::error_code error;
  if (!fs::is_regular_file(name, error)) {
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
      throw ConfigError(fmt::format("{}: cannot read: {}", name, error.message()));
    throw ConfigError(
        fmt::format("{}: no sweep is there (sweep.json is missing): `warpsieve sweep run` makes it", directory_));
  }
  const ordered_json json = run::read_json(name, "warpsieve-sweep-1");
  try {
    Sweep sweep = sweep_from_json(json);
    check_rows(sweep, name);
    run::check_digest(json, name);
    return sweep;
  } catch (const nlohmann::json::exception& error) {
    throw ConfigError(fmt::format("{}: not a complete sweep: {}", name, error.what()));
  }
}

State Store::state(const Point& point) const {
  const auto none = [](const std::string& name) {  // not there; what cannot be looked at is not missing
    if (errno != ENOENT && errno != ENOTDIR)
      throw ConfigError(fmt::format("{}: cannot read: {}", name, std::strerror(errno)));
  };
  for (const auto& [folder, state] : {std::pair{"results", State::done}, std::pair{"failed", State::failed}}) {
    const std::string name = file(folder, point);
    if (access(name.c_str(), F_OK) != 0) {
      none(name);
    } else if (state != State::done || is_whole(name)) {
      return state;
    }
  }
  const std::string running = file("running", point);
  const int lock = open(running.c_str(), O_RDONLY | O_CLOEXEC);
  if (lock < 0) {
    none(running);
    return State::missing;
  }
  const bool free = flock(lock, LOCK_SH | LOCK_NB) == 0;
  close(lock);
  return free ? State::missing : State::running;
}

std::string Store::cut_result(const Point& point) const {
  const std::string name = file("results", point);
  return access(name.c_str(), F_OK) == 0 && !is_whole(name) ? name : "";
}

void Store::check_finished(const Sweep& sweep) const {
  for (const Point& point : sweep.points) {
    const State there = state(point);
    if (there == State::done) result(point);
    if (there == State::failed) failure(point);
  }
}

std::vector<State> Store::states(const Sweep& sweep) const {
  std::vector<State> out;
  for (const Point& point : sweep.points) out.push_back(state(point));
  return out;
}

std::optional<Claim> Store::claim(const Point& point) const {
  const std::string name = file("running", point);
  for (;;) {
    const int lock = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0) throw ConfigError(fmt::format("{}: cannot write: {}", name, std::strerror(errno)));
    if (flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      close(lock);
      return std::nullopt;
    }
    // A file system without locks: at worst two processes write the same bytes.
    struct stat ours {
    }, there{};
    fstat(lock, &ours);
    if (stat(name.c_str(), &there) != 0 || ours.st_ino != there.st_ino) {  // its last owner removed it meanwhile
      close(lock);
      continue;
    }
    const std::string who = fmt::format("{} {}\n", host_name(), getpid());
    if (ftruncate(lock, 0) != 0 || write(lock, who.data(), who.size()) < 0) {
      const int error = errno;
      close(lock);
      throw ConfigError(fmt::format("{}: cannot write: {}", name, std::strerror(error)));
    }
    return Claim(lock, name);
  }
}

void Store::write_result(const Point& point, const memsys::Result& result) const {
  ordered_json json = {{"format", "warpsieve-point-1"},
                       {"id", point.id},
                       {"version", run::version()},
                       {"spec", to_json(point.spec)},
                       {"run", result.stats}};
  run::add_digest(json);
  run::write_atomically(file("results", point), file_text(json, 1));
}

void Store::write_failure(const Point& point, const Failure& failure) const {
  ordered_json json = {{"format", "warpsieve-failure-1"}, {"id", point.id},         {"version", run::version()},
                       {"spec", to_json(point.spec)},     {"error", failure.error}, {"detail", failure.detail}};
  run::add_digest(json);
  run::write_atomically(file("failed", point), file_text(json, 1));
}

std::string Store::result_text(const Point& point) const { return run::read_text(file("results", point)); }

ordered_json Store::result(const Point& point) const {
  const std::string name = file("results", point);
  ordered_json json = run::read_json(name, "warpsieve-point-1");
  run::check_run(json["run"], name);
  run::check_digest(json, name);
  if (const std::string id = run::text_field(json, name, "id"); id != point.id)
    throw ConfigError(fmt::format("{}: the result of another point: expected id {}, found {}", name, point.id, id));
  return std::move(json["run"]);
}

Failure Store::failure(const Point& point) const {
  const std::string name = file("failed", point);
  const ordered_json json = run::read_json(name, "warpsieve-failure-1");
  const Failure failure{run::text_field(json, name, "error"), run::text_field(json, name, "detail")};
  run::check_digest(json, name);
  return failure;
}

void Store::check_not_own(const std::string& output) const {
  std::error_code error;
  if (!fs::exists(path("sweep.json"), error)) return;
  const fs::path file = output_target(output).path, folder = file.has_parent_path() ? file.parent_path() : ".";
  bool own = (file.filename() == "sweep.json" || file.filename() == "sweep.sqlite") &&
             fs::equivalent(folder, directory_, error);
  for (const char* name : kFolders) own = own || fs::equivalent(folder, path(name), error);
  if (own) throw ConfigError(fmt::format("{}: cannot write: it belongs to the sweep {}", output, directory_));
}

void Store::forget_failure(const Point& point) const { unlink(file("failed", point).c_str()); }

std::string Store::runner(const Point& point) const {
  std::ifstream in(file("running", point));
  std::string line;
  std::getline(in, line);
  return line;
}

void Store::log(const std::string& line) const {
  // Logs are for people and estimates: one that cannot be written stops nothing.
  std::ofstream out(path(fmt::format("log/{}-{}.log", host_name(), getppid())), std::ios::app);
  out << fmt::format("{:%FT%T}Z {}\n", fmt::gmtime(std::time(nullptr)), line);
}

void Store::log_finished(const Point& point, double seconds, double megabytes) const {
  log(fmt::format("done {} {:.3f} s {:.0f} MB {}", point.id, seconds, megabytes, point.label()));
}

void Store::log_failed(const Point& point, const std::string& error) const {
  log(fmt::format("failed {} {}: {}", point.id, point.label(), error));
}

Times Store::times() const {
  Times times;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path("log"), ignored)) {
    std::ifstream in(entry.path());
    std::string line;
    while (std::getline(in, line)) {
      std::istringstream words(line);
      std::string when, what, id, second, megabyte, workload, scheme;
      double seconds = 0, megabytes = 0;
      if (words >> when >> what >> id >> seconds >> second >> megabytes >> megabyte >> workload >> scheme &&
          what == "done")
        times.add(workload + " " + scheme, seconds, megabytes);
    }
  }
  return times;
}

}  // namespace warpsieve::sweep
