// Opcodes that the table (opcodes.cpp) does not hold: what they count as, and where they were met.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace/accelsim/line_reader.h"
#include "trace/accelsim/opcodes.h"

namespace warpsieve::trace::accelsim {

struct UnknownOpcode {
  std::string name;            ///< without modifiers
  std::string_view counts_as;  ///< class, as README.md calls it
  std::uint64_t count = 0;     ///< instructions
  std::uint64_t accesses = 0;  ///< of them with addresses: these accesses are not simulated
  std::string file;            ///< of the first one
  std::uint64_t line = 0;
};

class UnknownOpcodes {
 public:
  /// "UQMMA.64": counts it, and gives what stands for it in a simulation, by the family that its name tells:
  ///   ...MMA, MUFU...                         sfu
  ///   LDS... STS... ATOMS... TEX... TLD... SULD... SUST... SUATOM... SURED...   shared
  ///   LDC... ULDC...                          constant
  ///   any other, also with addresses          alu
  /// The instruction stands in the line that `in` read last.
  Opcode add(std::string_view opcode, const LineReader& in);
  /// The instruction added last has addresses. Shared and constant memory are simulated without any.
  void add_access();
  /// By name.
  std::vector<UnknownOpcode> list() const;
  std::uint64_t instructions() const { return instructions_; }

 private:
  std::map<std::string, UnknownOpcode, std::less<>> found_;
  UnknownOpcode* last_ = nullptr;
  std::uint64_t instructions_ = 0;
};

/// Whether the word can be an opcode: a name of capitals, digits and _, then modifiers.
bool is_opcode(std::string_view text);

}  // namespace warpsieve::trace::accelsim
