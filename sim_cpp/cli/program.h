// The program `warpsieve` as a function: subcommands, and one place that turns errors into a line and an exit code.
//
// A user's own program registers its schemes and workloads, then calls it, and has every command for them:
//
//   int main(int argc, char** argv) {
//     warpsieve::schemes::register_family(my_family);
//     warpsieve::workloads::register_workload(my_entry());
//     return warpsieve::program_main(argc, argv);
//   }
#pragma once

namespace warpsieve {

/// `argc`, `argv` as of main(). Returns the exit code: 0 all clean; 1 corrupt data, wrong result, deadlock or a model
/// that disagrees with its RTL; 2 bad input; 128 + signal when interrupted. Call it once.
int program_main(int argc, char** argv);

}  // namespace warpsieve
