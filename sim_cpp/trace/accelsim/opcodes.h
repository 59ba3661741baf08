// What the machine opcodes (SASS) of an Accel-Sim trace are to the simulator.
#pragma once

#include <cstdint>
#include <string_view>

#include "simt/warp_trace.h"

namespace warpsieve::trace::accelsim {

/// Classes, and the latency of the result (profile parameter). README.md lists them.
enum class OpClass : std::uint8_t {
  alu,            ///< single and half precision, integers, moves, predicates, control: by Opcode::unit
  sfu,            ///< special functions, double precision, matrix units: by Opcode::unit
  shared,         ///< sm.shared_latency: shared memory; textures and surfaces, whose addresses no trace holds
  constant,       ///< sm.constant_latency
  barrier,        ///< waits for all warps of the thread block
  global_load,    ///< through the L1
  global_store,   ///< through the L1
  global_atomic,  ///< performed at the L2
  local_load,     ///< private memory of a thread, through the L1
  local_store,    ///< the same
  generic_load,   ///< the address decides: global, shared or local
  generic_store,  ///< the same
  generic_atomic,
  copy_to_shared,  ///< global load whose result goes to shared memory (LDGSTS)
  close_copies,    ///< ends a group of such copies (LDGDEPBAR)
  wait_copies,     ///< waits until at most `immediate` groups are under way (DEPBAR)
  unknown,
};
constexpr bool has_addresses(OpClass c) { return c >= OpClass::global_load && c <= OpClass::copy_to_shared; }

struct Opcode {
  OpClass kind = OpClass::unknown;
  simt::Unit unit = {};           ///< of alu and sfu
  unsigned bytes = 4;             ///< per lane, of a memory operation
  unsigned result_registers = 1;  ///< 32-bit registers that the result takes
  unsigned source_registers = 1;  ///< the same of each source that is no address
  bool wide_address = false;      ///< the address (first source) takes two
};

/// "LDG.E.128.SYS": the name, then modifiers.
Opcode decode_opcode(std::string_view text);

}  // namespace warpsieve::trace::accelsim
