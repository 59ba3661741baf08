// The two implementations behind make_victim_fifo(); others use blocks/victim_fifo/victim_fifo.h.
#pragma once

#include "blocks/victim_fifo/victim_fifo.h"

namespace warpsieve::victim_fifo {

std::unique_ptr<VictimFifo> make_victim_fifo_model(const VictimFifoParams& params);
std::unique_ptr<VictimFifo> make_victim_fifo_rtl(const VictimFifoParams& params, const std::string& name);

}  // namespace warpsieve::victim_fifo
