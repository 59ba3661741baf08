#include "inputs/unpack.h"

#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

#include "inputs/file_error.h"

namespace warpsieve::inputs {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kPiece = 1 << 20;
constexpr int kLogWindow = 28;                                        ///< of zstd, in bytes
constexpr std::uint64_t kXzMemory = (std::uint64_t{256} + 16) << 20;  ///< for a dictionary of 256 MiB
constexpr std::string_view kGzip = "\x1f\x8b"sv, kXz = "\xfd\x37zXZ\0"sv, kZstd = "\x28\xb5\x2f\xfd"sv;

/// One archive: `in` is what is left of it, `out` grows.
class Unpacking {
 public:
  Unpacking(const std::string& name, std::string_view format, std::string_view bytes, std::uint64_t most)
      : name_(name), format_(format), whole_(bytes.size()), in_(bytes), most_(most) {}

  /// Calls `step(in, out)` until the input is used up. It moves `in`, shortens `out` to what is free, and returns
  /// true at the end of a stream.
  template <class Step>
  std::string run(Step step) {
    bool between = false;
    for (std::size_t made = 0;;) {
      if (out_.size() - made < kPiece / 2)
        out_.resize(std::max(out_.size() + kPiece, std::min<std::size_t>(2 * out_.size(), out_.size() + (64 << 20))));
      char* free = out_.data() + made;
      std::size_t room = out_.size() - made;
      const std::size_t had = in_.size(), space = room;
      between = step(in_, free, room);
      made += space - room;
      if (made > most_) fail(fmt::format("at most {} bytes after decompression", most_), "more");
      if (between) {
        // Zeros behind a stream are padding.
        while (!in_.empty() && in_.front() == '\0') in_.remove_prefix(1);
        if (in_.empty()) {
          out_.resize(made);
          return std::move(out_);
        }
      } else if (in_.size() == had && room == space) {
        fail(fmt::format("{} data to their end", format_), "the end of the file");
      }
    }
  }

  [[noreturn]] void fail(std::string_view expected, std::string_view found) const {
    throw FileError(fmt::format("{}: byte {}: expected {}, found {}", name_, whole_ - in_.size(), expected, found));
  }
  [[noreturn]] void damaged(const char* why) const {
    fail(fmt::format("intact {} data", format_), why && *why ? fmt::format("damage ({})", why) : "damage");
  }

 private:
  const std::string& name_;
  std::string_view format_;
  std::size_t whole_;
  std::string_view in_;
  std::uint64_t most_;
  std::string out_;
};

std::string from_gzip(Unpacking& u) {
  struct Stream : z_stream {
    Stream() : z_stream{} {
      if (inflateInit2(this, 15 + 16) != Z_OK) throw std::bad_alloc();
    }
    Stream(const Stream&) = delete;
    ~Stream() { inflateEnd(this); }
  } z;
  bool fresh = true;
  return u.run([&](std::string_view& in, char* out, std::size_t& room) {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    const std::size_t offered = std::min(in.size(), kMost), free = std::min(room, kMost);
    if (!fresh) inflateReset(&z);
    fresh = true;
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    z.avail_in = static_cast<uInt>(offered);
    z.next_out = reinterpret_cast<Bytef*>(out);
    z.avail_out = static_cast<uInt>(free);
    const int code = inflate(&z, Z_NO_FLUSH);
    in.remove_prefix(offered - z.avail_in);
    room -= free - z.avail_out;
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) u.damaged(z.msg);
    fresh = code != Z_STREAM_END;
    return code == Z_STREAM_END;
  });
}

std::string from_xz(Unpacking& u) {
  struct Stream {
    lzma_stream s = LZMA_STREAM_INIT;
    Stream() = default;
    Stream(const Stream&) = delete;
    ~Stream() { lzma_end(&s); }
  } xz;
  bool started = false;
  return u.run([&](std::string_view& in, char* out, std::size_t& room) {
    if (!started && lzma_stream_decoder(&xz.s, kXzMemory, 0) != LZMA_OK) throw std::bad_alloc();
    started = true;
    xz.s.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    xz.s.avail_in = in.size();
    xz.s.next_out = reinterpret_cast<std::uint8_t*>(out);
    xz.s.avail_out = room;
    const lzma_ret code = lzma_code(&xz.s, LZMA_RUN);
    in.remove_prefix(in.size() - xz.s.avail_in);
    room = xz.s.avail_out;
    if (code == LZMA_STREAM_END) started = false;
    if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (code == LZMA_MEMLIMIT_ERROR) u.fail("a dictionary of at most 256 MiB", "a larger one");
    if (code != LZMA_OK && code != LZMA_STREAM_END && code != LZMA_BUF_ERROR) u.damaged(nullptr);
    return code == LZMA_STREAM_END;
  });
}

std::string from_zstd(Unpacking& u) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> z(ZSTD_createDStream(), ZSTD_freeDStream);
  if (!z || ZSTD_isError(ZSTD_DCtx_setParameter(z.get(), ZSTD_d_windowLogMax, kLogWindow))) throw std::bad_alloc();
  return u.run([&](std::string_view& in, char* out, std::size_t& room) {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out, room, 0};
    const std::size_t code = ZSTD_decompressStream(z.get(), &to, &from);
    in.remove_prefix(from.pos);
    room -= to.pos;
    if (ZSTD_isError(code)) u.damaged(ZSTD_getErrorName(code));
    return code == 0;
  });
}

}  // namespace

bool is_packed(std::string_view bytes) {
  return bytes.starts_with(kGzip) || bytes.starts_with(kXz) || bytes.starts_with(kZstd);
}

std::string unpacked(const std::string& name, std::string bytes, std::uint64_t most) {
  const auto with = [&](std::string_view format, std::string (*from)(Unpacking&)) {
    Unpacking u(name, format, bytes, most);
    std::string out = from(u);
    if (out.empty()) throw FileError(fmt::format("{}:1: expected data, found none in the {} file", name, format));
    return out;
  };
  if (bytes.starts_with(kGzip)) return with("gzip", from_gzip);
  if (bytes.starts_with(kXz)) return with("xz", from_xz);
  if (bytes.starts_with(kZstd)) return with("zstd", from_zstd);
  return bytes;
}

}  // namespace warpsieve::inputs
