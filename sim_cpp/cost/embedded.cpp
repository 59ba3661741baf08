#include "cost/embedded.h"

#include <stdexcept>
#include <string>

namespace warpsieve::cost {

std::string_view embedded(std::string_view name) {
  for (unsigned i = 0; i < kEmbeddedCount; ++i) {
    if (kEmbedded[i].name == name) return kEmbedded[i].text;
  }
  throw std::logic_error("not embedded: " + std::string(name));
}

}  // namespace warpsieve::cost
