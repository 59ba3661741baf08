#include "core/huge_pages.h"

#include <cstdint>
#include <cstdlib>
#include <limits>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace warpsieve {

void use_huge_pages(std::size_t bytes) {
#ifdef __GLIBC__
  constexpr std::size_t kUsualPad = 128 << 10, kPage = 2 << 20;
  // All in one range: large pieces are not mapped one by one, and what is freed stays in it.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  const auto begin = reinterpret_cast<std::uintptr_t>(sbrk(0));
  mallopt(M_TOP_PAD, static_cast<int>(bytes));
  void* volatile more = std::malloc(kPage);  // than there is: the range grows by the pad, too
  std::free(more);
  mallopt(M_TOP_PAD, kUsualPad);
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage;
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // refused: as before
#else
  (void)bytes;
#endif
}

}  // namespace warpsieve
