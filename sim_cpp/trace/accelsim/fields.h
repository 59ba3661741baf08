// One line, field by field; errors say file and line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/accelsim/line_reader.h"

namespace warpsieve::trace::accelsim {

class Fields {
 public:
  Fields(const LineReader& in, std::string_view line) : in_(in), rest_(line) {}

  /// Takes `prefix` if the rest starts with it.
  bool starts(std::string_view prefix);
  void literal(std::string_view text);
  std::string_view word(std::string_view what);
  /// Decimal; what follows it in the same word is the next field.
  std::uint64_t number(std::string_view what, std::uint64_t min, std::uint64_t max);
  std::int64_t signed_number(std::string_view what);
  /// The same, and the line ends behind it.
  std::uint64_t last(std::string_view what, std::uint64_t min, std::uint64_t max);
  /// Hexadecimal, with or without 0x.
  std::uint64_t hex(std::string_view what);
  /// "R12" with prefix R.
  std::uint64_t number_after(std::string_view prefix, std::string_view what, std::uint64_t max);
  /// Signed or unsigned decimal of 64 bits, or hexadecimal with 0x.
  std::int64_t immediate();
  bool at_end();
  void end();
  /// What is left, without blanks around it.
  std::string rest();

 private:
  void skip();
  [[noreturn]] void fail(std::string_view expected);
  template <class T>
  bool take(T& v, int base = 10);

  const LineReader& in_;
  std::string_view rest_;
};

}  // namespace warpsieve::trace::accelsim
