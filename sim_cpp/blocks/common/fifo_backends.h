// The two implementations behind make_fifo(); tests and simulator use blocks/common/fifo.h.
#pragma once

#include "blocks/common/fifo.h"

namespace warpsieve::common {

std::unique_ptr<Fifo> make_fifo_model(const FifoParams& params);
std::unique_ptr<Fifo> make_fifo_rtl(const FifoParams& params, const std::string& name);

}  // namespace warpsieve::common
