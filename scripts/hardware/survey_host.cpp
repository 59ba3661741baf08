// The duplication survey on the host: the same kernels, inputs and counts without a GPU. What it prints is compared
// with what the GPU's survey prints.
#include <cstdio>

#include "survey/survey.h"

int main(int argc, char** argv) {
  using namespace warpsieve::hardware;
  try {
    std::vector<std::string> words{"--runs", "1"};
    words.insert(words.end(), argv + 1, argv + argc);
    JsonWriter w;
    w.object().key("program").value("survey_host");
    write_survey(w, parse_options(words, true));
    w.end();
    std::printf("%s\n", w.text().c_str());
    return std::fflush(stdout) == 0 ? 0 : kBadInput;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "survey_host: error: %s\n", e.what());
    return kBadInput;
  }
}
