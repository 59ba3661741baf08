// Schemes by name. The interface is memsys/ports.h (Scheme, ControllerPath, L2VictimPort); a scheme is one
// or more files here and registers in registry.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "memsys/ports.h"

namespace warpsieve::schemes {

using memsys::ControllerHost;
using memsys::ControllerPath;
using memsys::Scheme;

/// L2 and DRAM directly connected: every sector read or written is one DRAM request.
std::unique_ptr<Scheme> make_baseline();

}  // namespace warpsieve::schemes
