// The report: one HTML file that needs nothing else.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/figure.h"
#include "report/results.h"

namespace warpsieve::report {

struct PageOptions {
  std::string title;    ///< empty: from the results
  std::string command;  ///< that made the report
  std::string cacti = "auto";
};

/// Everything that the page shows.
struct PageData {
  nlohmann::ordered_json json;  ///< as its script reads it (format warpsieve-report-2)
  std::vector<Figure> figures;  ///< of a sweep: at the place that the page shows first
};
PageData page_data(const Results& results, const PageOptions& options);
/// The page around it.
std::string page_html(const nlohmann::ordered_json& data);
/// The licences of what the page's script contains.
std::string script_licences();

}  // namespace warpsieve::report
