#include "cosim/block.h"

#include <stdexcept>

#include "core/name_lookup.h"

namespace warpsieve {

std::string_view to_string(Backend backend) {
  switch (backend) {
    case Backend::model: return "model";
    case Backend::rtl: return "rtl";
    case Backend::shadow: return "shadow";
  }
  return "?";
}

Backend backend_from_string(std::string_view text) {
  if (text == "model") return Backend::model;
  if (text == "rtl") return Backend::rtl;
  if (text == "shadow") return Backend::shadow;
  throw std::invalid_argument("unknown backend " + expected_one_of(text, {"model", "rtl", "shadow"}));
}

}  // namespace warpsieve
