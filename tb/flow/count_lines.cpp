// Host parts of scripts/hardware on numbers from standard input, for test_hardware.py: "spread N values..." or
// "lines N_REGIONS {name offset bytes}... N_BYTES bytes...". Prints JSON; the machine's name is the first argument.
#include <cstdio>
#include <iostream>

#include "duplicates.h"
#include "report.h"

using namespace warpsieve::hardware;

int main(int argc, char** argv) {
  std::string what;
  std::size_t count = 0;
  std::cin >> what >> count;
  JsonWriter w;
  Machine machine;
  machine.name = argc > 1 ? argv[1] : "";
  write_head(w, "count_lines", machine, 86400, 5);
  try {
    if (what == "spread") {
      std::vector<double> samples(count);
      for (double& s : samples) std::cin >> s;
      Curve curve{"c", "x", "B", "GB/s", {}};
      curve.add(4096, samples);
      write_curves(w, {curve});
    } else {
      std::vector<Region> regions(count);
      for (Region& r : regions) std::cin >> r.name >> r.offset >> r.bytes;
      std::cin >> count;
      std::vector<std::uint8_t> image(count);
      for (std::uint8_t& byte : image) {
        unsigned v = 0;
        std::cin >> v;
        byte = static_cast<std::uint8_t>(v);
      }
      w.key("counts").array();
      for (const LineCounts& c : count_duplicates(image, regions))
        w.array().value(c.lines).value(c.intra).value(c.inter).end();
      w.end();
    }
  } catch (const std::invalid_argument& e) {
    std::fprintf(stderr, "count_lines: error: %s\n", e.what());
    return 2;
  }
  std::puts(w.end().text().c_str());
}
