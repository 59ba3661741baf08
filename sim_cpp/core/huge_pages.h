// Huge pages for the heap. A run looks up tens of megabytes at random: lines of caches and of DRAM, and the golden
// memory. With pages of 4 KB the host spends much of its time on address translation, and a prefetch
// (core/prefetch.h) whose translation is missing gains nothing.
#pragma once

#include <cstddef>

namespace warpsieve {

/// First thing in the program: what the heap grows by from now on, up to `bytes`, is asked of the host in huge pages.
/// Only address space is taken. Nothing happens where the host has none to give, or not this C library.
void use_huge_pages(std::size_t bytes);

}  // namespace warpsieve
