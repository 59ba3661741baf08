// Compressed files: gzip (.gz), xz (.xz) and Zstandard (.zst), found by their first bytes, whatever the file's name.
//
// Several streams in a row count as one. The result is at most kMaxFileBytes; xz and zst dictionaries are at most
// 256 MiB (xz -9 needs 65 MiB, zstd --ultra 128 MiB). Compressed data inside of compressed data stay as they are.
#pragma once

#include <cstdint>
#include <string>

namespace warpsieve::inputs {

/// True if the bytes start as one of the compressed formats does.
bool is_packed(std::string_view bytes);
/// `bytes` as they were before compression, or unchanged if they are not compressed. Throws InputError, which names
/// the file, the byte and what is wrong, for damaged data, data that end too early, and more than `most` bytes.
std::string unpacked(const std::string& name, std::string bytes, std::uint64_t most);

}  // namespace warpsieve::inputs
