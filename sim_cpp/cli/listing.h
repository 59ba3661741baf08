// What `warpsieve run --list` shows: names, sizes, parameters, as tables and as JSON. The JSON also has every command
// with its options: completion, man page and tests of documents read it and no help text.
//
//   {"format": "warpsieve-list-1", "version", "workloads": [{"name", "suite", "doc", "input", "formats", "uses_seed",
//    "parameters": [{"name", "unit", "doc", "paper", "full", "quarter", "small", "min", "max" or "choices"}]}],
//    "schemes": [{"name", "doc", "paper", "profile", "reads_values", "blocks"}],
//    "blocks": [{"name", "schemes", "instances"}], "suites": [{"name", "doc", "runs": [{"workload", "set"}]}],
//    "profiles": [{"name", "parameters"}], "scheme_parameters" and "machine_parameters": [{"name", "unit", "default",
//    "min", "max", "doc", "source"}], "measurements" of bench, "groups" of validate, "command": {"name", "doc",
//    "footer", "positionals", "options": [{"names", "value", "takes_value", "choices",
//                "doc"}], "subcommands": [like "command"]}}
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace warpsieve::cli {

/// Prints the tables; with the name of a workload its description, input files and parameters alone.
void print_listing(const std::string& workload);
/// Writes the JSON to `file`, or to standard output where the name is empty. Instances of blocks are those in the
/// default profile. With the name of a workload: that workload alone.
void write_listing(const CLI::App& program, const std::string& workload, const std::string& file);

}  // namespace warpsieve::cli
