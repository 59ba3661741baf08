// jemalloc's options for the program: its heap on huge pages, where the kernel allows them (`madvise` or `always` in
// /sys/kernel/mm/transparent_hugepage/enabled). Memory is read at random, and the host's TLB covers more of it so.
extern "C" {
const char* malloc_conf = "thp:always,metadata_thp:auto";
}
