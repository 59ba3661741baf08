// Results as files: JSON of a known format, and what a run in it must hold before anybody takes figures from it.
// Files get cut, edited and mixed up; every reader of results relies on these fields and their types.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warpsieve::run {

/// The object in a file whose "format" is this one. Throws ConfigError "PATH: expected JSON of format FORMAT".
nlohmann::ordered_json read_json(const std::string& path, std::string_view format);

/// A field of the type of `otherwise`, which stands for it where it is missing. Throws ConfigError "WHERE: 'KEY':
/// ...".
std::string text_field(const nlohmann::ordered_json& of, const std::string& where, const char* key,
                       std::string_view otherwise = "");
std::uint64_t whole_field(const nlohmann::ordered_json& of, const std::string& where, const char* key,
                          std::uint64_t otherwise);

/// Adds "digest": that of the rest, whatever its layout and the order of its fields (content_hash of compact JSON).
void add_digest(nlohmann::ordered_json& results);
/// Throws ConfigError "WHERE: ..." when a digest is there and is not that of the rest. Results of versions before it
/// have none.
void check_digest(const nlohmann::ordered_json& results, const std::string& where);
/// "PATH: incomplete: ..." for results that say "complete": false; else empty. Every reader shows it.
std::string incomplete_warning(const nlohmann::ordered_json& results, const std::string& path);

/// Throws ConfigError "WHERE: ..." unless the run has the fields that `warpsieve run --json` writes for every run, of
/// their types.
void check_run(const nlohmann::ordered_json& run, const std::string& where);

/// What `warpsieve run --json` wrote, every run in it checked. Throws ConfigError "PATH: ..."; `or_else` ends what it
/// says was expected.
nlohmann::ordered_json parse_runs(std::string_view text, const std::string& path, std::string_view or_else = "");
nlohmann::ordered_json read_runs(const std::string& path);

/// Runs of one workload with other sizes, input or machine parameters are other experiments: nothing of one may be
/// compared with the other. Where there are several, the workload of the second is renamed "bfs #2", and so on.
void tell_apart(const std::vector<nlohmann::ordered_json*>& runs);

}  // namespace warpsieve::run
