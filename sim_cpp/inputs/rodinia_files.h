// Files of Rodinia's own that only one workload reads.
//
// nn: records of hurricanes in fixed columns, one per line (latitude in columns 29 to 33, longitude in 34 to 38,
// counted from 1), or a list of the names of such files, one per line. Names are searched beside the list, whatever
// folder they stand with, as the suite's lists name folders of its own. hotspot: one value per cell, row by row, of a
// square chip; temperatures in temp_N, powers in power_N beside it. nw: two sequences of amino acids in FASTA, each
// behind a line that starts with '>'.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsieve::inputs {

struct Position {
  float latitude = 0, longitude = 0;
};
std::vector<Position> read_positions(const std::string& path);
std::vector<Position> parse_positions(const std::string& name, std::string_view text);

/// Values of a square map.
struct Map {
  int side = 0;
  std::vector<float> values;
};
Map read_map(const std::string& path);
Map parse_map(const std::string& name, std::string_view text);
/// The name of the other map of hotspot: power_512 beside temp_512 and the other way round. Throws InputError if the
/// name has neither word.
std::string other_map(const std::string& path);

/// Sequences without their titles, upper case.
std::vector<std::string> read_proteins(const std::string& path);
std::vector<std::string> parse_proteins(const std::string& name, std::string_view text);

/// Every file that `path` names for this workload, itself first: their contents are the input.
std::vector<std::string> input_files(std::string_view workload, const std::string& path);

}  // namespace warpsieve::inputs
