// What CMD, its variants and the compression beside it are built of, for area and energy (cost/).
#pragma once

#include <string>
#include <vector>

#include "schemes/cmd/cmd.h"

namespace warpsieve::schemes {

std::vector<HardwareBlock> cmd_hardware(const CmdVariant& variant);
std::vector<MetadataBits> cmd_dram_bits(const CmdVariant& variant);
std::string cmd_area_note(const CmdVariant& variant);
/// Encoder, decoder and the cache of line sizes.
std::vector<HardwareBlock> bpc_hardware();
std::vector<MetadataBits> bpc_dram_bits();

}  // namespace warpsieve::schemes
