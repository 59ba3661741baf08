#include "core/output_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/params.h"

namespace warpsieve {

void check_not_input(const std::string& output, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_regular_file(output, error)) return;  // a terminal may be both
  for (const std::string& input : inputs)
    if (fs::equivalent(output, input, error) && !error)
      throw ConfigError(fmt::format("{}: cannot write: it is the input {}", output, input));
}

}  // namespace warpsieve
