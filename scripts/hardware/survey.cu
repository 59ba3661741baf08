// Duplication survey on the GPU: survey/survey.h says what it counts. Compile with -fmad=false: the arithmetic is
// the simulator's, which rounds after every operation.
#include "device.h"
#include "survey/survey.h"

int main(int argc, char** argv) {
  using namespace warpsieve::hardware;
  return run_program(
      "survey", argc, argv, [](Context& c, JsonWriter& w) { write_survey(w, c.options); }, true);
}
