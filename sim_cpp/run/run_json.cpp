#include "run/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/params.h"
#include "memsys/ports.h"
#include "run/atomic_file.h"
#include "run/content_hash.h"

namespace warpsieve::run {

namespace {

using Json = nlohmann::ordered_json;

struct Type {
  const char* name;
  bool (*has)(const Json&);
};
constexpr Type kText{"a string", [](const Json& v) { return v.is_string(); }};
constexpr Type kWhole{"a whole number", [](const Json& v) { return v.is_number_unsigned(); }};
constexpr Type kNumber{"a number", [](const Json& v) { return v.is_number(); }};
constexpr Type kFlag{"true or false", [](const Json& v) { return v.is_boolean(); }};
constexpr Type kObject{"an object", [](const Json& v) { return v.is_object(); }};
constexpr Type kList{"a list", [](const Json& v) { return v.is_array(); }};

/// As it is written in the file, but short and in one line.
std::string quoted(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() > 40 ? text.substr(0, 40) + "..." : text;
}

bool has_format(const Json& json, std::string_view format) {
  return json.is_object() && json.contains("format") && json["format"] == std::string(format);
}

void expect(const Json& value, const std::string& where, const std::string& name, const Type& type) {
  if (!type.has(value))
    throw ConfigError(fmt::format("{}: '{}': expected {}, found {}", where, name, type.name, quoted(value)));
}

/// One place in a run's JSON: messages name it with all that it is in.
class Place {
 public:
  Place(const Json& value, const std::string& where, std::string name)
      : value_(value), where_(where), name_(std::move(name)) {
    if (!value.is_object()) throw ConfigError(fmt::format("{}: {} is no object", where, owner()));
  }
  bool has(const char* key) const { return value_.contains(key); }
  const Json& field(const char* key, const Type& type) const {
    const auto found = value_.find(key);
    if (found == value_.end()) throw ConfigError(fmt::format("{}: {} without '{}'", where_, owner(), key));
    expect(*found, where_, path(key), type);
    return *found;
  }
  Place object(const char* key) const { return {field(key, kObject), where_, path(key)}; }
  /// Objects of a list.
  template <class F>
  void each_object(const char* key, F&& look) const {
    std::size_t number = 0;
    for (const Json& item : field(key, kList)) look(Place(item, where_, fmt::format("{} {}", path(key), ++number)));
  }
  void all(const Type& type) const {
    for (const auto& [key, value] : value_.items()) expect(value, where_, path(key), type);
  }

 private:
  std::string owner() const { return name_.empty() ? "a run" : fmt::format("'{}'", name_); }
  std::string path(const std::string& key) const { return name_.empty() ? key : name_ + "." + key; }
  const Json& value_;
  const std::string& where_;
  std::string name_;
};

}  // namespace

namespace {

/// With sorted fields; what is no UTF-8 replaced, as in the file.
std::string digest_of(const Json& rest) {
  return content_hash(nlohmann::json(rest).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

void add_digest(Json& results) { results["digest"] = digest_of(results); }

void check_digest(const Json& results, const std::string& where) {
  const auto digest = results.find("digest");
  if (digest == results.end()) return;
  Json rest = results;
  rest.erase("digest");
  const std::string found = digest_of(rest);
  if (!digest->is_string() || digest->get<std::string>() != found)
    throw ConfigError(
        fmt::format("{}: changed since it was written: expected content of digest {}, found content of digest {}",
                    where, quoted(*digest), found));
}

std::string incomplete_warning(const Json& results, const std::string& path) {
  const auto complete = results.find("complete");
  if (complete == results.end() || *complete == true) return "";
  return fmt::format("{}: incomplete: its command was interrupted or failed, further runs are missing", path);
}

Json read_json(const std::string& path, std::string_view format) {
  Json json = Json::parse(read_text(path), nullptr, false);
  if (!has_format(json, format)) throw ConfigError(fmt::format("{}: expected JSON of format {}", path, format));
  return json;
}

std::string text_field(const Json& of, const std::string& where, const char* key, std::string_view otherwise) {
  const auto found = of.find(key);
  if (found == of.end()) return std::string(otherwise);
  expect(*found, where, key, kText);
  return found->get<std::string>();
}

std::uint64_t whole_field(const Json& of, const std::string& where, const char* key, std::uint64_t otherwise) {
  const auto found = of.find(key);
  if (found == of.end()) return otherwise;
  expect(*found, where, key, kWhole);
  return found->get<std::uint64_t>();
}

void check_run(const Json& json, const std::string& where) {
  const Place run(json, where, "");
  for (const char* key : {"workload", "scheme", "profile", "verify"}) run.field(key, kText);
  run.field("cycles", kWhole);
  for (const char* key : {"ipc", "thread_ipc"}) run.field(key, kNumber);
  const Place requests = run.object("off_chip_requests");
  for (std::size_t k = 0; k < memsys::request_kinds(); ++k)
    requests.field(memsys::name(static_cast<memsys::RequestKind>(k)).c_str(), kWhole);
  requests.field("total", kWhole);
  requests.all(kWhole);
  run.object("counters").all(kWhole);
  run.object("parameters").field("sm.shared_bytes", kWhole);
  run.each_object("kernels", [](const Place& kernel) {
    kernel.field("kernel", kText);
    for (const char* key : {"blocks", "cycles", "warp_instructions", "spare_shared_bytes"}) kernel.field(key, kWhole);
    for (const char* key : {"private_accesses", "private_transactions"})
      if (kernel.has(key)) kernel.field(key, kWhole);
  });
  const Place integrity = run.object("integrity");
  integrity.field("clean", kFlag);
  integrity.object("checked_sectors").all(kWhole);
  if (const Place report = run.object("scheme_report"); report.has("parameters")) report.object("parameters");
  if (run.has("experiment")) run.field("experiment", kText);
  if (run.has("private_memory"))
    run.object("private_memory").each_object("kernels", [](const Place& kernel) {
      kernel.field("kernel", kText);
      for (const char* key : {"r_base", "registers", "variables", "spilled", "slots", "loads", "stores"})
        kernel.field(key, kWhole);
    });
}

Json parse_runs(std::string_view text, const std::string& path, std::string_view or_else) {
  const std::string expected = fmt::format("expected what `warpsieve run --json` writes{}", or_else);
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw ConfigError(fmt::format("{}: byte {}: not JSON: {}", path, error.byte, expected));
  } catch (const Json::out_of_range& error) {  // "[...] number overflow parsing '1e999'"
    const std::string_view why = error.what();
    throw ConfigError(fmt::format("{}: {}: {}", path, why.substr(why.find("] ") + 2), expected));
  }
  if (!has_format(json, "warpsieve-run-1") || !json.contains("runs") || !json["runs"].is_array())
    throw ConfigError(fmt::format("{}: not of format warpsieve-run-1: {}", path, expected));
  std::size_t number = 0;
  for (const Json& run : json["runs"]) check_run(run, fmt::format("{}: run {}", path, ++number));
  check_digest(json, path);
  return json;
}

Json read_runs(const std::string& path) { return parse_runs(read_text(path), path); }

void tell_apart(const std::vector<Json*>& runs) {
  std::map<std::string, std::vector<std::string>> known;
  for (Json* run : runs) {
    const auto workload = (*run)["workload"].get<std::string>();
    auto& experiments = known[fmt::format("{} {}", workload, (*run)["profile"].get<std::string>())];
    const std::string mine = text_field(*run, workload, "experiment");  // missing from versions before it
    const auto found = std::find(experiments.begin(), experiments.end(), mine);
    if (const auto number = found - experiments.begin() + 1; number > 1)
      (*run)["workload"] = fmt::format("{} #{}", workload, number);
    if (found == experiments.end()) experiments.push_back(mine);
  }
}

}  // namespace warpsieve::run
