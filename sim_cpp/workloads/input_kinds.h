// The table of inputs: which files the workloads read, from what each workload says of its `input` option.
#pragma once

#include <string>
#include <vector>

#include "workloads/registry.h"

namespace warpsieve::workloads {

/// One kind of input file, its formats, and the workloads that read it.
struct InputKind {
  std::string what, formats;
  std::vector<std::string> workloads;
};
/// All kinds by name. A workload's text is "what: formats", or "what" where any text will do.
std::vector<InputKind> input_kinds();
/// What a refused file is told: the formats that the workload reads.
std::string formats_of(const WorkloadInfo& info);
/// The part of such a text in front of the formats.
std::string input_kind(const std::string& text);

}  // namespace warpsieve::workloads
