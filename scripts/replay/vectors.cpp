// vectors: the ports of a module in a recorded waveform as a table for a testbench (scripts/icarus).
//
//   vectors MODULE CYCLES BITS FILES PREFIX [Name=value]... in NAME... out NAME... file FILE.fst...
//
// The first FILES waveforms that hold the module at these parameters become PREFIX0, PREFIX1, ...: one line per
// cycle, at most CYCLES and at most about BITS bits, all ports in the order of the arguments, in binary, the highest
// bit first. Standard output has a line for each: name of the waveform, number of cycles, bits of every port (0: the
// waveform does not have it).
#include "waves.h"

namespace {

class Vectors final : public Waves {
 public:
  Vectors(const Wanted& wanted, std::size_t cycles, std::size_t bits) : wanted_(wanted), most_(cycles), bits_(bits) {}

  std::string rows, widths;
  std::size_t cycles = 0;

 private:
  void cycle() override {
    if (cycles >= most_ || rows.size() > bits_) return;
    ++cycles;
    widths.clear();
    for (std::size_t i = 0; i < wanted_.inputs.size(); ++i) add(input(i));
    for (std::size_t i = 0; i < wanted_.outputs.size(); ++i) add(output(i));
    rows += '\n';
  }
  void add(const std::string* bits) {
    rows += bits ? *bits : "";
    widths += " " + std::to_string(bits ? bits->size() : 0);
  }

  const Wanted& wanted_;
  std::size_t most_, bits_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7)
    fail("usage: vectors MODULE CYCLES BITS FILES PREFIX [Name=value]... in NAME... out NAME... file FILE...");
  const auto count = [&](int i) { return std::strtoul(argv[i], nullptr, 10); };
  Wanted wanted{argv[1], {}, {}, {}};
  std::string where;
  for (int i = 6, found = 0; i < argc && found < static_cast<int>(count(4)); ++i) {
    const std::string word = argv[i];
    const std::size_t equal = word.find('=');
    if (word == "in" || word == "out" || word == "file") {
      where = word;
    } else if (where.empty() && equal != std::string::npos) {
      wanted.parameters[word.substr(0, equal)] = std::strtoull(word.c_str() + equal + 1, nullptr, 10);
    } else if (where == "in") {
      wanted.inputs.push_back(word);
    } else if (where == "out") {
      wanted.outputs.push_back(word);
    } else if (where == "file") {
      Vectors vectors(wanted, count(2), count(3));
      if (!vectors.follow(argv[i], wanted) || vectors.cycles == 0) continue;
      const std::string path = argv[5] + std::to_string(found++);
      std::FILE* const file = std::fopen(path.c_str(), "w");
      if (!file || std::fwrite(vectors.rows.data(), 1, vectors.rows.size(), file) != vectors.rows.size() ||
          std::fclose(file) != 0)
        fail(path + ": cannot be written");
      std::printf("%s %zu%s\n", argv[i], vectors.cycles, vectors.widths.c_str());
    } else {
      fail("vectors: unexpected '" + word + "'");
    }
  }
}
