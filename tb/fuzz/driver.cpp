// fuzz_<reader> CORPUS... [--mutations N]: a fuzz target without libFuzzer. Feeds it every file of the corpora, then
// N inputs made from them by seeded changes, the same ones every time. Ends with the signal or the exception of a
// finding, after saying which input it was.
#include <algorithm>
#include <csignal>
#include <vector>

#include "inputs/random.h"
#include "target.h"

namespace {

std::string current;  // for the handler: which input is under way
std::vector<std::string> seeds;

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void feed(const std::string& bytes) {
  // A copy of its own length, so that a sanitizer sees what is read behind it.
  std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  exact.shrink_to_fit();
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

/// One to four changes: bytes, digits, pieces removed, doubled, or taken from another input.
std::string mutated(warpsieve::inputs::Random& random) {
  const auto pick = [&](std::size_t n) {
    return random.below(static_cast<std::uint32_t>(std::max<std::size_t>(n, 1)));
  };
  std::string out = seeds[pick(seeds.size())];
  for (std::uint32_t changes = 1 + random.below(4); changes > 0; --changes) {
    const std::size_t at = pick(out.size());
    const std::string& other = seeds[pick(seeds.size())];
    switch (random.below(7)) {
      case 0: out.insert(at, 1, static_cast<char>(random.below(256))); break;
      case 1: out.erase(at, 1 + random.below(16)); break;
      case 2: out.insert(at, out.substr(pick(out.size()), 1 + random.below(64))); break;
      case 3: out.insert(at, other.substr(pick(other.size()), 1 + random.below(64))); break;
      case 4: out.resize(at); break;
      case 5:
        if (!out.empty()) out[at] = static_cast<char>('0' + random.below(10));
        break;
      default:
        if (!out.empty()) out[at] = static_cast<char>(out[at] ^ (1 << random.below(8)));
    }
  }
  return out;
}

/// Leaves the input behind, as libFuzzer does.
void report() {
  std::ofstream("fuzz-finding", std::ios::binary) << current;
  std::fprintf(stderr, "finding: the input is in the file fuzz-finding (%zu bytes)\n", current.size());
}

}  // namespace

int main(int argc, char** argv) {
  unsigned long mutations = 2000;
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--mutations" && i + 1 < argc) {
      mutations = std::stoul(argv[++i]);
      continue;
    }
    if (std::filesystem::is_directory(argv[i]))
      for (const auto& entry : std::filesystem::directory_iterator(argv[i])) files.push_back(entry.path());
    else
      files.emplace_back(argv[i]);
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) seeds.push_back(read(file));
  if (seeds.empty()) {
    std::fprintf(stderr, "fuzz: expected a corpus with at least one file\n");
    return 2;
  }
  std::signal(SIGABRT, [](int) {
    report();
    std::_Exit(1);
  });
  std::size_t fed = 0;
  const auto attempt = [&](const std::string& bytes) {
    current = bytes;
    try {
      feed(bytes);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "not a refusal: %s\n", error.what());
      std::abort();
    }
    ++fed;
  };
  attempt("");
  for (const std::string& seed : std::vector<std::string>(seeds)) attempt(seed);
  warpsieve::inputs::Random random(20260726);
  for (unsigned long n = 0; n < mutations; ++n) attempt(mutated(random));
  std::printf("%zu inputs, %zu of them from the corpus\n", fed, seeds.size());
  return 0;
}
