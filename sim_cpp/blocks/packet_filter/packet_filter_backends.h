// The implementations behind the make_* functions; everybody else uses the modules' headers.
#pragma once

#include "blocks/packet_filter/packet_filter.h"

namespace warpsieve::packet_filter {

std::unique_ptr<PdrTable> make_pdr_table_model(const TableParams& params);
std::unique_ptr<PdrTable> make_pdr_table_rtl(const TableParams& params, const std::string& name);
std::unique_ptr<PacketFilter> make_packet_filter_model(const FilterParams& params);
std::unique_ptr<PacketFilter> make_packet_filter_rtl(const FilterParams& params, const std::string& name);
void check(const TableParams& params);

}  // namespace warpsieve::packet_filter
