// Rows of claims as text and as Markdown.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "claims/evaluate.h"

namespace warpsieve::cli {

/// Rows about hardware alone have a column for the difference, rows from runs those for noise, median and workloads.
void print_claims(const std::vector<claims::Row>& rows, bool colours);
void print_claims_markdown(const std::vector<claims::Row>& rows);
/// "claims: reproduced: ...": what the verdicts mean.
void print_claims_legend(bool single_runs);

}  // namespace warpsieve::cli
