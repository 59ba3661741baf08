// Built into the Verilator runtime with VL_USER_STOP: a failing assertion in the RTL becomes an exception,
// so GoogleTest or the command line can report it instead of aborting.
#include "cosim/verilated.h"

namespace warpsieve {
#ifdef WARPSIEVE_CLOCK_GATE  // of the build's verilated models, too
const bool kInputsSettleFirst = true;
#else
const bool kInputsSettleFirst = false;
#endif
}  // namespace warpsieve

void vl_stop(const char* file, int line, const char* hierarchy) {
  throw warpsieve::RtlAssertion(std::string("RTL assertion failed at ") + file + ":" + std::to_string(line) + " in " +
                                hierarchy);
}
