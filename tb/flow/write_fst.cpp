// write_fst FILE MODULE < text: a waveform as our RTL blocks leave it, from text, for tests of scripts/energy.
//
//   param NAME VALUE | in NAME WIDTH | out NAME WIDTH
//   cycle VALUE...    inputs in their order before the rising edge, then outputs after it, in binary
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#define FST_CONFIG_INCLUDE "fst_config.h"
#include "gtkwave/fastlz.c"
#include "gtkwave/fstapi.c"
#include "gtkwave/lz4.c"
#pragma GCC diagnostic pop

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  void* file = fstWriterCreate(argv[1], 1);
  fstWriterSetScope(file, FST_ST_VCD_MODULE, "top", nullptr);
  fstWriterSetScope(file, FST_ST_VCD_MODULE, argv[2], nullptr);
  const fstHandle clock = fstWriterCreateVar(file, FST_VT_VCD_WIRE, FST_VD_INPUT, 1, "clk_i", 0);
  std::vector<fstHandle> inputs, outputs, parameters;
  std::vector<std::string> values;
  std::uint64_t time = 0;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string kind, name;
    unsigned number = 0;
    words >> kind;
    if (kind == "param") {
      words >> name >> number;
      parameters.push_back(fstWriterCreateVar(file, FST_VT_VCD_PARAMETER, FST_VD_IMPLICIT, 32, name.c_str(), 0));
      values.emplace_back();
      for (int b = 31; b >= 0; --b) values.back() += number >> b & 1 ? '1' : '0';
    } else if (kind == "in" || kind == "out") {
      words >> name >> number;
      (kind == "in" ? inputs : outputs)
          .push_back(fstWriterCreateVar(file, FST_VT_VCD_WIRE, FST_VD_INPUT, number, name.c_str(), 0));
    } else if (kind == "cycle") {
      const auto put = [&](const std::vector<fstHandle>& handles) {
        for (const fstHandle h : handles) {
          std::string value;
          if (!(words >> value)) std::exit(3);
          fstWriterEmitValueChange(file, h, value.c_str());
        }
      };
      fstWriterEmitTimeChange(file, time++);
      for (std::size_t i = 0; time == 1 && i < parameters.size(); ++i)
        fstWriterEmitValueChange(file, parameters[i], values[i].c_str());
      fstWriterEmitValueChange(file, clock, "0");
      fstWriterEmitTimeChange(file, time++);
      fstWriterEmitValueChange(file, clock, "1");
      put(inputs);
      put(outputs);
    } else {
      return 3;
    }
  }
  fstWriterClose(file);
}
