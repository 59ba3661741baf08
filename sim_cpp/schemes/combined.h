// combined: several schemes in one machine, "rata+cmd": each plugs into other ports.
//
//   factories   the first part that makes the object is asked; the memory path is the baseline's when none does
//   amend       of every part; the registry refuses parts for which the order would matter
//   report      of every part, under its name
#pragma once

#include <memory>
#include <vector>

#include "schemes/scheme.h"

namespace warpsieve::schemes {

/// `parts`: at least one; a single part keeps its name and its report.
std::unique_ptr<Scheme> make_combined(std::vector<std::unique_ptr<Scheme>> parts);

}  // namespace warpsieve::schemes
