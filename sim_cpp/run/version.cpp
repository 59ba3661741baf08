#include "run/version.h"

#include "run/content_hash.h"
#include "schemes/registered.h"
#include "workloads/registered.h"

namespace warpsieve::run {

std::string version() {
  if (!schemes::any_registered() && !workloads::any_registered()) return source_version();
  static const std::string program = file_hash("/proc/self/exe").substr(0, 16);
  return source_version() + "." + program;
}

}  // namespace warpsieve::run
