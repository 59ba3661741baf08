#include "inputs/rodinia_files.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "inputs/shown.h"
#include "inputs/text_reader.h"

namespace warpsieve::inputs {
namespace {

constexpr std::size_t kLatitude = 28, kField = 5;
constexpr int kMaxSide = 8192;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

bool is_record(std::string_view line) {
  return line.size() >= kLatitude + 2 * kField && std::isdigit(static_cast<unsigned char>(line[0])) &&
         line.find(' ') < 5;
}

/// The names of a list of files; empty if the text has records.
std::vector<std::string> listed(const std::string& path, std::string_view text) {
  std::vector<std::string> names;
  TextReader in(path, text);
  for (; in.bytes_left() > 0; in.next_line()) {
    const std::string_view line = trimmed(in.rest_of_line());
    if (line.empty()) continue;
    if (names.empty() && is_record(line)) return {};
    if (line.find(' ') != line.npos) in.fail("the name of a file of records", shown(line));
    const std::filesystem::path name(line);
    names.push_back((std::filesystem::path(path).parent_path() / name.filename()).string());
  }
  return names;
}

std::filesystem::path folder_and(const std::string& path, const std::string& file) {
  return std::filesystem::path(path).parent_path() / file;
}

}  // namespace

std::vector<Position> parse_positions(const std::string& name, std::string_view text) {
  std::vector<Position> places;
  TextReader in(name, text);
  for (; in.bytes_left() > 0; in.next_line()) {
    const std::string_view line = in.rest_of_line();
    if (trimmed(line).empty()) continue;
    if (line.size() < kLatitude + 2 * kField)
      in.fail(fmt::format("a record of at least {} columns", kLatitude + 2 * kField), std::to_string(line.size()));
    const auto field = [&](std::size_t at, const char* what) {
      const std::string_view word = trimmed(line.substr(at, kField));
      float v = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), v);
      if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(v))
        in.fail(fmt::format("{} in columns {} to {}", what, at + 1, at + kField),
                (word.empty() ? "blanks" : shown(word)));
      return v;
    };
    places.push_back({field(kLatitude, "a latitude"), field(kLatitude + kField, "a longitude")});
  }
  if (places.empty()) in.fail("records, one per line", "none");
  return places;
}

std::vector<Position> read_positions(const std::string& path) {
  const std::string text = read_file(path);
  const std::vector<std::string> names = listed(path, text);
  if (names.empty()) return parse_positions(path, text);
  std::vector<Position> places;
  for (const std::string& name : names) {
    const std::vector<Position> more = parse_positions(name, read_file(name));
    places.insert(places.end(), more.begin(), more.end());
  }
  return places;
}

Map parse_map(const std::string& name, std::string_view text) {
  Map map;
  TextReader in(name, text);
  while (!in.at_end()) map.values.push_back(static_cast<float>(in.real("a value of the map")));
  map.side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(map.values.size()))));
  if (static_cast<std::size_t>(map.side) * static_cast<std::size_t>(map.side) != map.values.size() || map.side < 16 ||
      map.side > kMaxSide)
    in.fail(fmt::format("the values of a square of 16 to {} cells a side", kMaxSide),
            fmt::format("{} values", map.values.size()));
  return map;
}

Map read_map(const std::string& path) { return parse_map(path, read_file(path)); }

std::string other_map(const std::string& path) {
  std::string file = std::filesystem::path(path).filename().string();
  for (const auto& [word, other] : {std::pair("temp", "power"), std::pair("power", "temp")})
    if (const std::size_t at = file.find(word); at != file.npos)
      return folder_and(path, file.replace(at, std::string_view(word).size(), other)).string();
  throw InputError(
      fmt::format("{}:1: expected a file whose name has 'temp' or 'power', with the other one beside it", path));
}

std::vector<std::string> parse_proteins(const std::string& name, std::string_view text) {
  std::vector<std::string> sequences;
  TextReader in(name, text);
  for (; in.bytes_left() > 0; in.next_line()) {
    const std::string_view line = in.rest_of_line();
    if (line.starts_with('>')) {
      sequences.emplace_back();
      continue;
    }
    for (const char c : line) {
      if (std::isspace(static_cast<unsigned char>(c))) continue;
      if (sequences.empty()) in.fail("a title that starts with '>' before the letters", shown(line));
      const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      if (std::string_view("ARNDCQEGHILKMFPSTWYVBZX*").find(letter) == std::string_view::npos)
        in.fail("letters of amino acids",
                std::isprint(static_cast<unsigned char>(c)) ? fmt::format("'{}'", c) : "another byte");
      sequences.back() += letter;
    }
  }
  std::erase_if(sequences, [](const std::string& s) { return s.empty(); });
  if (sequences.size() < 2) in.fail("two sequences", std::to_string(sequences.size()));
  return sequences;
}

std::vector<std::string> read_proteins(const std::string& path) { return parse_proteins(path, read_file(path)); }

std::vector<std::string> input_files(std::string_view workload, const std::string& path) {
  std::vector<std::string> files = {path};
  if (workload == "hotspot") files.push_back(other_map(path));
  if (workload == "nn")
    for (std::string& name : listed(path, read_file(path))) files.push_back(std::move(name));
  return files;
}

}  // namespace warpsieve::inputs
