#include "cli/mistakes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "core/errors.h"
#include "core/name_lookup.h"
#include "schemes/registry.h"
#include "workloads/registry.h"

namespace warpsieve::cli {

namespace {

using Words = std::vector<std::string>;

bool among(const Words& names, const std::string& word) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

Words commands_of(const CLI::App& app) {
  Words names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); }))
    names.push_back(command->get_name());
  return names;
}

template <class List>
Words listed_names(const List& list) {
  Words names;
  for (const auto& info : list) names.push_back(info.name);
  return names;
}

/// ", did you mean --list?" for --lst and -list, ", did you mean -V?" for -v.
std::string nearest_option(const std::string& word, const Words& known, const Words& letters) {
  if (word.size() == 2) {
    for (const std::string& letter : letters)
      if (std::tolower(static_cast<unsigned char>(letter[1])) == std::tolower(static_cast<unsigned char>(word[1])))
        return fmt::format(", did you mean {}?", letter);
    return "";
  }
  return did_you_mean(word[1] == '-' ? word : "-" + word, known);
}

/// "unknown option --lst of 'run', did you mean --list?" for the first word that looks like an option and is none of
/// the command's; else empty.
std::string unknown_option(const CLI::App& command, const std::string& path, const Words& words) {
  Words known, letters;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& name : option->get_snames()) letters.push_back("-" + name);
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string word = words[i].substr(0, words[i].find('='));
    if (word.size() < 2 || word[0] != '-' || std::isdigit(static_cast<unsigned char>(word[1]))) continue;
    std::string near;
    if (word[1] != '-') {
      near = nearest_option(word, known, letters);
      word.resize(2);  // its value may follow at once
    }
    if (among(known, word) || among(letters, word)) continue;
    if (near.empty()) near = nearest_option(word, known, letters);
    return fmt::format("unknown option {}{}{}", near.find("--") != near.npos && words[i][1] != '-' ? words[i] : word,
                       path.empty() ? "" : " of" + path, near);
  }
  return "";
}

/// "run: 'bfs' is a workload, type: warpsieve run --workload bfs" for words that stand without an option.
std::string without_option(const CLI::App& command, const std::string& name, const Words& extras) {
  const auto takes = [&](const char* option) { return command.get_option_no_throw(option) != nullptr; };
  const Words all_workloads = listed_names(workloads::workload_list()),
              all_schemes = listed_names(schemes::scheme_list());
  Words workloads, schemes, rest;
  for (const std::string& word : extras) {
    if (word.starts_with('-')) continue;
    (takes("--workload") && among(all_workloads, word) ? workloads
     : takes("--scheme") && among(all_schemes, word)   ? schemes
                                                       : rest)
        .push_back(word);
  }
  if (workloads.empty() && schemes.empty()) {
    if (rest.empty()) return "";
    std::string says = fmt::format("{}: unexpected '{}'", name, rest.front());
    if (!takes("--workload")) return says + fmt::format(", see warpsieve {} --help", name);
    return says + fmt::format("{} Workloads go behind --workload, see run --list",
                              did_you_mean(rest.front(), all_workloads));
  }
  std::string type = "warpsieve " + name;
  if (!workloads.empty()) type += fmt::format(" --workload {}", fmt::join(workloads, ","));
  if (!schemes.empty()) type += fmt::format(" --scheme {}", schemes.front());
  const bool workload = !workloads.empty();
  return fmt::format("{}: '{}' is a {}, type: {}", name, workload ? workloads.front() : schemes.front(),
                     workload ? "workload" : "scheme", type);
}

/// "sweep run: no file given: Sweep file (TOML)" for what the command cannot do without; else empty.
std::string missing(const CLI::App& command, const std::string& name) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    const std::string what = option->nonpositional() ? option->get_name() : option->get_name(true);
    return fmt::format("{}: no {} given: {}", name, what, option->get_description());
  }
  return "";
}

}  // namespace

Words as_options(Words words) {
  if (words.size() < 2) return words;
  if (words[1] == "help") {
    words.erase(words.begin() + 1);
    words.push_back("--help");
  } else if (words[1] == "version" && words.size() == 2) {
    words[1] = "--version";
  } else if (words[1] == "run") {
    for (std::string& word : words) {
      const std::string name = word.substr(0, word.find('='));
      if (name == "--graph" || name == "--mesh" || name == "--points") word.replace(0, name.size(), "--input");
    }
  }
  return words;
}

std::string describe_unknown_command(const CLI::App& app, const Words& words) {
  const CLI::App* at = &app;
  for (std::size_t i = 1; i < words.size() && !words[i].starts_with('-'); ++i) {
    const Words names = commands_of(*at);
    if (names.empty()) break;
    if (!among(names, words[i])) {
      const std::string type = at != &app && words[i].ends_with(".toml") && among(names, "run")
                                   ? fmt::format(", type: warpsieve {} run {}", at->get_name(), words[i])
                                   : did_you_mean(words[i], names);
      return fmt::format("unknown subcommand '{}'{} (there is: {})", words[i], type, fmt::join(names, ", "));
    }
    at = at->get_subcommand(words[i]);
  }
  return "";
}

std::string describe_mistake(const CLI::App& app, const Words& words, const CLI::ParseError& error) {
  if (std::string unknown = describe_unknown_command(app, words); !unknown.empty()) return unknown;
  // CLI11 only says that a subcommand is required.
  const CLI::App* at = &app;
  std::string path, name;
  for (std::size_t i = 1;; ++i) {
    const Words names = commands_of(*at);
    if (names.empty()) break;
    if (i >= words.size())
      return fmt::format("no subcommand given{} (there is: {}), see --help", path.empty() ? "" : " after" + path,
                         fmt::join(names, ", "));
    if (words[i].starts_with('-')) break;
    at = at->get_subcommand(words[i]);
    path += fmt::format(" '{}'", words[i]);
    name += (name.empty() ? "" : " ") + words[i];
  }
  std::string says;
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr,
             required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (extras || required) says = unknown_option(*at, path, words);
  if (says.empty() && extras) says = without_option(*at, name, at->remaining());
  if (says.empty() && required) says = missing(*at, name);
  return says.empty() ? error.what() : says;
}

}  // namespace warpsieve::cli
