#include "cosim/fst_file.h"

#include <fmt/format.h>
#include <gtkwave/fstapi.h>
#include <gtkwave/lz4.h>
#include <zlib.h>

#include <fstream>
#include <optional>
#include <string_view>

namespace warpsieve {

namespace {

// A file is a chain of blocks: type, 8 bytes of length (big-endian, of what follows the type), content.
constexpr std::uint64_t kHeaderBytes = 329;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  ///< of a hierarchy or a geometry, in memory

std::uint64_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < 8; ++i) out = out << 8 | static_cast<unsigned char>(bytes[at + i]);
  return out;
}

/// `packed` becomes exactly so many bytes.
std::optional<std::string> unpack_lz4(std::string_view packed, std::uint64_t bytes) {
  if (bytes > kMostBytes) return std::nullopt;
  std::string out(bytes, '\0');
  const auto n = static_cast<int>(bytes);
  if (LZ4_decompress_safe_partial(packed.data(), out.data(), static_cast<int>(packed.size()), n, n) != n)
    return std::nullopt;
  return out;
}

/// It ends with the end of a scope. LZ4 has no checksum: zeros in place of the last text unpack to as many bytes.
bool closes_its_scopes(const std::optional<std::string>& hierarchy) {
  return hierarchy && !hierarchy->empty() && static_cast<unsigned char>(hierarchy->back()) == FST_ST_VCD_UPSCOPE;
}

/// Content: unpacked bytes, packed hierarchy. A large one is packed twice, with the bytes of the first packing in
/// front.
bool whole_hierarchy(int type, std::string_view content) {
  if (content.size() < 8) return false;
  const std::uint64_t bytes = big_endian(content, 0);
  content.remove_prefix(8);
  if (type == FST_BL_HIER_LZ4) return closes_its_scopes(unpack_lz4(content, bytes));
  std::uint64_t packed = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    if (content.empty()) return false;
    const auto byte = static_cast<unsigned char>(content.front());
    content.remove_prefix(1);
    packed |= std::uint64_t{byte & 0x7fu} << shift;
    if (!(byte & 0x80u)) break;
  }
  const auto once = unpack_lz4(content, packed);
  return once && closes_its_scopes(unpack_lz4(*once, bytes));
}

/// Content: unpacked bytes, number of signals, lengths of the signals (as they are where packing gains nothing).
bool whole_geometry(std::string_view content) {
  if (content.size() < 16) return false;
  const std::uint64_t bytes = big_endian(content, 0);
  content.remove_prefix(16);
  if (bytes == content.size()) return true;
  if (bytes > kMostBytes) return false;
  std::string out(bytes, '\0');
  uLongf n = bytes;
  return uncompress(reinterpret_cast<Bytef*>(out.data()), &n, reinterpret_cast<const Bytef*>(content.data()),
                    content.size()) == Z_OK &&
         n == bytes;
}

/// The last 24 bytes of a block of values: bytes of its times, the same packed, number of times.
bool whole_values(std::string_view tail, std::uint64_t content) {
  const std::uint64_t bytes = big_endian(tail, 0), packed = big_endian(tail, 8), times = big_endian(tail, 16);
  return packed > 0 && packed <= content && times > 0 && times <= bytes && packed <= bytes;
}

}  // namespace

std::string what_is_cut(const std::string& path, std::uint64_t end) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const auto size = in ? static_cast<std::uint64_t>(in.tellg()) : 0;
  const auto read = [&in](std::uint64_t at, std::uint64_t bytes) {
    std::string out(bytes, '\0');
    in.seekg(static_cast<std::streamoff>(at));
    in.read(out.data(), static_cast<std::streamsize>(bytes));
    return out;
  };
  if (size < 1 + kHeaderBytes) return "no header";
  const std::string header = read(0, 1 + kHeaderBytes);
  if (header[0] != FST_BL_HDR || big_endian(header, 1) != kHeaderBytes || big_endian(header, 17) != end ||
      big_endian(header, 49) == 0)
    return "no header";
  std::uint64_t values = 0;
  bool hierarchy = false, geometry = false;
  for (std::uint64_t at = 1 + kHeaderBytes; at < size;) {
    const std::string cut = fmt::format("cut in the block at byte {}", at);
    if (size - at < 9) return cut;
    const std::string start = read(at, 9);
    const auto type = static_cast<unsigned char>(start[0]);
    const std::uint64_t length = big_endian(start, 1);
    if (length < 8 || length > size - at - 1) return cut;
    const std::uint64_t from = at + 9, content = length - 8;
    bool whole = false;
    if (type == FST_BL_HIER_LZ4 || type == FST_BL_HIER_LZ4DUO) {
      whole = hierarchy = content <= kMostBytes && whole_hierarchy(type, read(from, content));
    } else if (type == FST_BL_GEOM) {
      whole = geometry = content <= kMostBytes && whole_geometry(read(from, content));
    } else if (type == FST_BL_VCDATA || type == FST_BL_VCDATA_DYN_ALIAS || type == FST_BL_VCDATA_DYN_ALIAS2) {
      whole = content > 24 && whole_values(read(from + content - 24, 24), content - 24);
      ++values;
    }
    if (!whole || !in) return cut;
    at += 1 + length;
  }
  if (values == 0 || values != big_endian(header, 65)) return "values are missing";
  return !geometry ? "no geometry" : !hierarchy ? "no hierarchy" : "";
}

}  // namespace warpsieve
