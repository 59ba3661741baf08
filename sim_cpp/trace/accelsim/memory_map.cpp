#include "trace/accelsim/memory_map.h"

#include <algorithm>
#include <stdexcept>

namespace warpsieve::trace::accelsim {

bool MemoryMap::use(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0) return true;
  const std::uint64_t first = address >> kPageShift, end = address + (bytes - 1);
  if (end < address) return false;
  for (std::uint64_t page = first; page <= end >> kPageShift; ++page) {
    if (page == last_) continue;
    pages_.insert(page);
    last_ = page;
    if ((static_cast<std::uint64_t>(pages_.size()) << kPageShift) + local_bytes_ > kMaxBytes) return false;
  }
  return true;
}

bool MemoryMap::use_local(std::uint64_t bytes) {
  local_bytes_ = std::max(local_bytes_, (bytes + 255) / 256 * 256);
  return (static_cast<std::uint64_t>(pages_.size()) << kPageShift) + local_bytes_ <= kMaxBytes;
}

void MemoryMap::settle() { sorted_.assign(pages_.begin(), pages_.end()); }

std::size_t MemoryMap::place(std::uint64_t page) const {
  if (found_ < sorted_.size() && sorted_[found_] == page) return found_;
  const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), page);
  if (at == sorted_.end() || *at != page) throw std::logic_error("trace import: a page that was not used");
  return found_ = static_cast<std::size_t>(at - sorted_.begin());
}

simt::Addr MemoryMap::device(std::uint64_t address) const {
  const std::uint64_t offset = address & ((std::uint64_t{1} << kPageShift) - 1);
  return kBase + (static_cast<simt::Addr>(place(address >> kPageShift)) << kPageShift) + offset;
}

}  // namespace warpsieve::trace::accelsim
