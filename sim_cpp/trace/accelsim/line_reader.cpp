#include "trace/accelsim/line_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "trace/format.h"

namespace warpsieve::trace::accelsim {
namespace {

constexpr std::size_t kPiece = 1 << 16;
constexpr std::size_t kBuffer = 2 * kPiece;                    ///< grows up to the longest line
constexpr std::uint64_t kXzMemory = std::uint64_t{256} << 20;  ///< for the dictionary; xz -9 needs 65 MiB
constexpr std::string_view kGzipMagic = "\x1f\x8b", kXzMagic(
                                                        "\xfd"
                                                        "7zXZ\0",
                                                        6);

/// A file without a name, so that nothing is left of it.
std::FILE* unnamed_file(const std::string& folder) {
  const std::string place = folder.empty() ? "." : folder;
  int file = open(place.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) {  // not every file system can
    std::string path = place + "/.warpsieve-XXXXXX";
    file = mkostemp(path.data(), O_CLOEXEC);
    if (file >= 0) unlink(path.c_str());
  }
  std::FILE* out = file < 0 ? nullptr : fdopen(file, "w+b");
  if (!out) throw TraceError(fmt::format("{}: cannot write a temporary file: {}", place, std::strerror(errno)));
  return out;
}

}  // namespace

/// Bytes of the file as they are after decompression.
class LineReader::Source {
 public:
  /// With `plain` the first bytes tell nothing.
  Source(std::FILE* file, std::string_view memory, bool plain = false)
      : file_(file, std::fclose), whole_(memory), memory_(memory) {
    stored_.resize(kPiece);
    fetch();
    if (plain) return;
    const std::string_view head(reinterpret_cast<const char*>(stored_.data()), std::min<std::size_t>(left_, 6));
    if (head.starts_with(kGzipMagic)) {
      kind_ = Kind::gzip;
      if (inflateInit2(&gzip_, 15 + 16) != Z_OK) throw std::bad_alloc();
    } else if (head.starts_with(kXzMagic)) {
      kind_ = Kind::xz;
      if (lzma_stream_decoder(&xz_, kXzMemory, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
    }
  }
  ~Source() {
    if (kind_ == Kind::gzip) inflateEnd(&gzip_);
    if (kind_ == Kind::xz) lzma_end(&xz_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  bool plain() const { return kind_ == Kind::plain; }
  /// Goes on there; plain text only.
  void seek(std::uint64_t offset) {
    at_ = left_ = 0;
    memory_ = whole_.substr(std::min<std::size_t>(offset, whole_.size()));
    if (file_) failed_ |= fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) != 0;
  }

  /// Fills part of `out`; 0 at the end. `error` says what is wrong with the file.
  std::size_t read(std::span<char> out, std::string& error) {
    if (kind_ == Kind::plain) return copy(out, error);
    const std::size_t n = kind_ == Kind::gzip ? inflate_some(out, error) : decode_some(out, error);
    if (failed_) error = "cannot be read";
    return n;
  }

 private:
  enum class Kind : std::uint8_t { plain, gzip, xz };

  void fetch() {
    if (file_) {
      left_ = std::fread(stored_.data(), 1, stored_.size(), file_.get());
      failed_ |= std::ferror(file_.get()) != 0;
    } else {
      left_ = std::min(stored_.size(), memory_.size());
      std::copy_n(memory_.begin(), left_, stored_.begin());  // of no bytes, too: there may be no memory then
      memory_.remove_prefix(left_);
    }
    at_ = 0;
  }
  /// False at the end of the file.
  bool more() {
    if (left_ == 0) fetch();
    return left_ != 0;
  }
  void use(std::size_t n) {
    at_ += n;
    left_ -= n;
  }

  std::size_t copy(std::span<char> out, std::string& error) {
    more();
    if (failed_) error = "cannot be read";
    const std::size_t n = std::min(left_, out.size());
    std::memcpy(out.data(), stored_.data() + at_, n);
    use(n);
    return n;
  }

  std::size_t inflate_some(std::span<char> out, std::string& error) {
    gzip_.next_out = reinterpret_cast<Bytef*>(out.data());
    gzip_.avail_out = static_cast<uInt>(out.size());
    while (gzip_.avail_out == out.size()) {
      if (!more()) {
        if (!between_) error = "the compressed data end too early";
        break;
      }
      // A file may be several gzip members in a row; zeros behind the last one are padding.
      if (between_ && stored_[at_] == 0) {
        use(1);
        continue;
      }
      between_ = false;
      gzip_.next_in = stored_.data() + at_;
      gzip_.avail_in = static_cast<uInt>(left_);
      const int code = inflate(&gzip_, Z_NO_FLUSH);
      use(left_ - gzip_.avail_in);
      if (code == Z_STREAM_END) {
        between_ = true;
        inflateReset(&gzip_);
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        error = fmt::format("damaged gzip data{}{}", gzip_.msg ? ": " : "", gzip_.msg ? gzip_.msg : "");
        break;
      }
    }
    return out.size() - gzip_.avail_out;
  }

  std::size_t decode_some(std::span<char> out, std::string& error) {
    xz_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    xz_.avail_out = out.size();
    while (!between_ && xz_.avail_out == out.size()) {
      const bool last = !more();
      xz_.next_in = stored_.data() + at_;
      xz_.avail_in = left_;
      const lzma_ret code = lzma_code(&xz_, last ? LZMA_FINISH : LZMA_RUN);
      use(left_ - xz_.avail_in);
      if (code == LZMA_STREAM_END) {
        between_ = true;
      } else if (code == LZMA_BUF_ERROR) {
        error = "the compressed data end too early";
        break;
      } else if (code != LZMA_OK) {
        error = code == LZMA_MEMLIMIT_ERROR ? "xz data that need too much memory" : "damaged xz data";
        break;
      }
    }
    return out.size() - xz_.avail_out;
  }

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::string_view whole_, memory_;  ///< memory_: what is not read yet
  std::vector<std::uint8_t> stored_;
  std::size_t at_ = 0, left_ = 0;
  bool failed_ = false;
  bool between_ = false;  ///< gzip: behind a member; xz: behind the last stream
  Kind kind_ = Kind::plain;
  z_stream gzip_ = {};
  lzma_stream xz_ = LZMA_STREAM_INIT;
};

std::string quoted(std::string_view text) {
  if (text.empty()) return "nothing";
  std::string out = "'";
  for (const char c : text.substr(0, 40)) {
    if (c >= ' ' && c <= '~')
      out += c;
    else
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return out + (text.size() > 40 ? "...'" : "'");
}

LineReader::LineReader(std::string path) : name_(std::move(path)), buffer_(kBuffer) {
  line_ = 1;  // where a file that cannot be opened is wrong
  struct stat status = {};
  if (stat(name_.c_str(), &status) != 0) fail("a file", std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail("a file", "a directory");
  std::FILE* file = std::fopen(name_.c_str(), "rb");
  if (!file) fail("a readable file", std::strerror(errno));
  source_ = std::make_unique<Source>(file, std::string_view());
  line_ = 0;
}

LineReader::LineReader(std::string name, std::string_view bytes)
    : name_(std::move(name)), source_(std::make_unique<Source>(nullptr, bytes)), buffer_(kBuffer) {}

LineReader::~LineReader() = default;

void LineReader::fail(std::string_view expected, std::string_view found) const {
  throw TraceError(fmt::format("{}:{}: expected {}, found {}", name_, line_, expected, found));
}

bool LineReader::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(std::min(2 * buffer_.size(), kMaxLine + kPiece));
  const std::size_t n = read(std::span(buffer_).subspan(end_));
  end_ += n;
  return n != 0;
}

/// Some bytes of the text; 0 at its end.
std::size_t LineReader::read(std::span<char> out) {
  std::string error;
  const std::size_t n = source_->read(out, error);
  if (!error.empty() && n == 0) {
    ++line_;
    fail("readable data", error);
  }
  return n;
}

void LineReader::seek(std::uint64_t offset, std::uint64_t line) {
  if (offset >= position_ && offset - position_ <= end_ - begin_) {
    begin_ += static_cast<std::size_t>(offset - position_);
  } else {
    begin_ = end_ = 0;
    source_->seek(offset);
  }
  position_ = offset;
  line_ = line - 1;
}

void LineReader::restart_plain(const std::string& folder) {
  begin_ = end_ = 0;
  if (!source_->plain()) {
    std::FILE* const packed = std::fopen(name_.c_str(), "rb");
    if (!packed) fail("a readable file", std::strerror(errno));
    source_ = std::make_unique<Source>(packed, std::string_view());
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> text(unnamed_file(folder), std::fclose);
    while (const std::size_t n = read(buffer_))
      if (std::fwrite(buffer_.data(), 1, n, text.get()) != n)
        throw TraceError(fmt::format("{}: cannot write a temporary file: {}", folder, std::strerror(errno)));
    if (std::fflush(text.get()) != 0)
      throw TraceError(fmt::format("{}: cannot write a temporary file: {}", folder, std::strerror(errno)));
    std::rewind(text.get());
    source_ = std::make_unique<Source>(text.release(), std::string_view(), true);
  }
  source_->seek(0);
  position_ = line_ = 0;
}

bool LineReader::next(std::string_view& line) {
  for (std::size_t seen = 0;;) {
    const std::string_view rest(buffer_.data() + begin_, end_ - begin_);
    const std::size_t stop = rest.find('\n', seen);
    const bool found = stop != rest.npos;
    if (!found && rest.size() <= kMaxLine) {
      seen = rest.size();
      if (refill()) continue;
      if (rest.empty()) return false;
    }
    ++line_;
    start_ = position_;
    line = std::string_view(buffer_.data() + begin_, found ? stop : end_ - begin_);
    if (line.size() > kMaxLine) fail(fmt::format("a line of at most {} characters", kMaxLine), "a longer one");
    begin_ += line.size() + found;
    position_ += line.size() + found;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }
}

}  // namespace warpsieve::trace::accelsim
