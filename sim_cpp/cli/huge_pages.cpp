// The program's heap on huge pages (jemalloc's option `thp`), where the system gives them to those that ask by
// madvise. The simulator reads golden memory, DRAM and caches at random: with pages of 4 KB the host's TLB misses on
// most reads.
extern "C" {
const char* malloc_conf = "thp:always,metadata_thp:auto";
}
