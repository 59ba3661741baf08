// Kinds of DRAM requests: what a request is for. Requests are counted by kind, in 32-byte requests, when the DRAM
// queue accepts them. Every machine has three kinds; a scheme registers those that it adds:
//
//   inline const memsys::RequestKind kMyRead = memsys::register_request_kind("my_read");    // beside the scheme
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpsieve::memsys {

/// The kinds of every machine; registered ones have the numbers behind them.
enum class RequestKind : std::uint8_t {
  write,
  data_read,  ///< of a sector that was written back before in this run
  read_only,  ///< of another sector
};

/// Returns the kind of this name, a new one if there is none. Before the first machine is built.
RequestKind register_request_kind(const std::string& name);
std::size_t request_kinds();
const std::string& name(RequestKind kind);

}  // namespace warpsieve::memsys
