// Coverage of verilated models, summed over all models of a program and written at its end to the file
// that WARPSIEVE_COVERAGE names. A model's counters live and die with its context, and a property test
// makes thousands of models: hence the sum in memory. Lines are those of Verilator's own format,
// `C '<point>' <count>`; scripts/coverage reads them.
#include <verilated.h>
#include <verilated_cov.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unordered_map>

namespace {

class CoverageSum {
 public:
  ~CoverageSum() {
    if (path_.empty()) return;
    std::ofstream out(path_);
    for (const auto& [point, count] : counts_) out << point << ' ' << count << '\n';
  }
  void add(VerilatedContext& context) {
    if (path_.empty()) return;
    const std::string part = path_ + ".part";
    context.coveragep()->write(part.c_str());
    std::ifstream in(part);
    for (std::string line; std::getline(in, line);) {
      const std::size_t end = line.rfind(' ');
      if (line.rfind("C '", 0) != 0 || end == std::string::npos) continue;
      counts_[line.substr(0, end)] += std::strtoull(line.c_str() + end, nullptr, 10);
    }
    std::filesystem::remove(part);
  }

 private:
  static std::string target() {
    const char* path = std::getenv("WARPSIEVE_COVERAGE");
    return path ? path : "";
  }
  const std::string path_ = target();
  std::unordered_map<std::string, std::uint64_t> counts_;
};

}  // namespace

/// Called by a `final` block that CMake binds into every model; RtlClock has made the model's context current.
extern "C" void warpsieve_coverage() {
  static CoverageSum sum;
  sum.add(*Verilated::threadContextp());
}
