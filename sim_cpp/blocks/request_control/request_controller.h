// request_controller: whether a read miss asks for its sub-blocks only or for the whole line (DPC thesis 4.1, figure
// 4.5; decisions D11, D12). Combinational; the tracker holds one.
//
// In this order: all needed -> whole; FDR window over -> whole; subsequent miss -> whole; ICA window of max(64 B,
// need) over -> whole; else what is needed. Of that, only what the fetch has not asked for before is sent.
// RTL: rtl/request_control/request_controller.sv.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "blocks/request_control/windows_manager.h"

namespace warpsieve::request_control {

enum class Reason : std::uint8_t { partial, demanded, fdr, again, ica };
std::string_view to_string(Reason reason);

struct ControllerQuery {
  bool enable = true;  ///< false: chapter 3 of the thesis alone, never widen
  Verdicts verdicts{};
  bool again = false;      ///< subsequent miss
  std::uint8_t need = 1;   ///< sub-blocks, at least one
  std::uint8_t asked = 0;  ///< sub-blocks of this fetch asked for before
};

struct ControllerAnswer {
  std::uint8_t want = 0;
  std::uint8_t send = 0;  ///< want without asked
  Reason reason = Reason::partial;
  bool operator==(const ControllerAnswer&) const = default;
};
std::string describe(const ControllerAnswer& answer);

ControllerAnswer decide(const ControllerQuery& query);

/// The RTL, for comparison with decide().
class RequestControllerRtl {
 public:
  virtual ~RequestControllerRtl() = default;
  virtual ControllerAnswer eval(const ControllerQuery& query) = 0;
};
std::unique_ptr<RequestControllerRtl> make_request_controller_rtl(const std::string& name = "request_controller");

}  // namespace warpsieve::request_control
