// prefetch: loads a cache line of the simulating machine ahead of its use. Pays only for memory that is read at
// random and is larger than the caches.
#pragma once

namespace warpsieve {

inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  // Without this GCC takes a function that only prefetches for one without effect, and removes the calls of it.
  asm volatile("" : : "r"(address));
}

}  // namespace warpsieve
