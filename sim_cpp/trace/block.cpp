#include "trace/block.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/output_file.h"

namespace warpsieve::trace {
namespace {

constexpr int kLevel = 3;  ///< zstd: higher ones write slower and gain little on planes
constexpr std::uint8_t kRaw = 0, kZstd = 1;

template <class T>
void store(std::uint8_t* at, T v) {
  for (unsigned k = 0; k < sizeof(T); ++k) at[k] = static_cast<std::uint8_t>(v >> (8 * k));
}

template <class T>
T fetch(const std::uint8_t* at) {
  T v = 0;
  for (unsigned k = 0; k < sizeof(T); ++k) v = static_cast<T>(v | static_cast<T>(static_cast<T>(at[k]) << (8 * k)));
  return v;
}

std::uint64_t hash(std::span<const std::uint8_t> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

void add_hash(std::vector<std::uint8_t>& head) {
  const std::uint64_t h = hash(head);
  head.resize(head.size() + kHashBytes);
  store(head.data() + head.size() - kHashBytes, h);
}

bool hash_matches(std::span<const std::uint8_t> head) {
  const auto body = head.first(head.size() - kHashBytes);
  return hash(body) == fetch<std::uint64_t>(head.data() + body.size());
}

}  // namespace

std::string_view name(Section s) {
  switch (s) {
    case Section::program: return "program";
    case Section::image: return "image";
    case Section::launch: return "launch";
    case Section::records: return "records";
    case Section::host_write: return "host write";
    case Section::change: return "change";
    case Section::end: return "end";
  }
  return "unknown";
}

Column ColumnBuilder::take() {
  Column out;
  out.width = width_;
  if (width_ == 1) {
    out.planes = std::move(bytes_);
  } else {
    const std::size_t n = bytes_.size() / width_;
    out.planes.resize(bytes_.size());
    for (std::size_t i = 0; i < n; ++i)
      for (unsigned k = 0; k < width_; ++k) out.planes[k * n + i] = bytes_[i * width_ + k];
  }
  bytes_.clear();
  return out;
}

void check_read_twice(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
    throw TraceError(fmt::format("{}: expected a regular file, found a pipe or device: it is read twice", path));
}

struct BlockWriter::Packer {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  std::vector<std::vector<std::uint8_t>> packed;
  ~Packer() { ZSTD_freeCCtx(context); }
};

BlockWriter::BlockWriter(std::string path) : path_(std::move(path)), packer_(std::make_unique<Packer>()) {
  const OutputTarget target = output_target(path_);
  target_ = target.path;
  if (target.direct) {
    if (const int descriptor = open_direct(target); descriptor >= 0) file_ = fdopen(descriptor, "wb");
  } else {
    partial_ = fmt::format("{}.partial-{}", target_, getpid());
    file_ = std::fopen(partial_.c_str(), "wb");
  }
  if (!file_) {
    partial_.clear();
    fail(errno);
  }
  std::vector<std::uint8_t> head(kFileHeadBytes - kHashBytes);
  std::memcpy(head.data(), kMagic.data(), kMagic.size());
  store(head.data() + 8, kVersion);
  store(head.data() + 12, kRecordsPerBlock);
  add_hash(head);
  put(head);
}

BlockWriter::~BlockWriter() {
  if (file_) std::fclose(file_);
  if (!partial_.empty()) std::remove(partial_.c_str());
}

void BlockWriter::fail(int error) const {
  throw TraceError(fmt::format("{}: cannot write: {}", path_, std::strerror(error)));
}

void BlockWriter::put(std::span<const std::uint8_t> bytes) {
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail(errno);
  written_ += bytes.size();
}

void BlockWriter::write(Section section, const std::vector<Column>& columns) {
  std::vector<std::uint8_t> head(kBlockHeadBytes + columns.size() * kColumnHeadBytes);
  std::memcpy(head.data(), kBlockMagic.data(), kBlockMagic.size());
  store(head.data() + 4, number_++);
  head[8] = static_cast<std::uint8_t>(section);
  head[9] = static_cast<std::uint8_t>(columns.size());
  packer_->packed.resize(columns.size());
  std::vector<std::span<const std::uint8_t>> out;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::vector<std::uint8_t>& planes = columns[c].planes;
    if (planes.size() > kMaxColumnBytes)
      throw std::logic_error(fmt::format("trace: column {} of {} bytes", c, planes.size()));
    std::vector<std::uint8_t>& packed = packer_->packed[c];
    packed.resize(ZSTD_compressBound(planes.size()));
    const std::size_t n =
        ZSTD_compressCCtx(packer_->context, packed.data(), packed.size(), planes.data(), planes.size(), kLevel);
    if (ZSTD_isError(n)) throw std::runtime_error(fmt::format("trace: zstd: {}", ZSTD_getErrorName(n)));
    const bool smaller = n < planes.size();
    out.push_back(smaller ? std::span<const std::uint8_t>(packed).first(n) : std::span<const std::uint8_t>(planes));
    std::uint8_t* at = head.data() + kBlockHeadBytes + c * kColumnHeadBytes;
    at[0] = static_cast<std::uint8_t>(columns[c].width);
    at[1] = smaller ? kZstd : kRaw;
    store(at + 8, static_cast<std::uint32_t>(planes.size()));
    store(at + 12, static_cast<std::uint32_t>(out.back().size()));
    store(at + 16, hash(out.back()));
  }
  add_hash(head);
  put(head);
  for (const auto& bytes : out) put(bytes);
}

void BlockWriter::finish() {
  const int closed = std::fclose(file_);
  file_ = nullptr;
  if (closed != 0) fail(errno);
  if (!partial_.empty() && std::rename(partial_.c_str(), target_.c_str()) != 0) fail(errno);
  partial_.clear();
}

struct BlockReader::Unpacker {
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ~Unpacker() { ZSTD_freeDCtx(context); }
};

BlockReader::BlockReader(std::string path)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "rb"), std::fclose),
      unpacker_(std::make_unique<Unpacker>()) {
  if (!file_) throw TraceError(fmt::format("{}: cannot read: {}", path_, std::strerror(errno)));
  std::uint8_t head[kFileHeadBytes];
  std::string why;
  const bool whole = get(head);
  const std::size_t there = std::min<std::size_t>(position_, kMagic.size());
  if (position_ == 0)
    why = "empty: expected a Warpsieve trace";
  else if (std::memcmp(head, kMagic.data(), there) != 0)
    why = "not a Warpsieve trace: expected it to start with WSTRACE";
  else if (!whole)
    why = fmt::format("truncated in the file head, at byte {} of {}", position_, kFileHeadBytes);
  else if (!hash_matches(head))
    why = "damaged file head: its XXH3 does not match";
  else if (fetch<std::uint32_t>(head + 8) != kVersion)
    why = fmt::format("trace format version {}: this program reads version {}", fetch<std::uint32_t>(head + 8),
                      kVersion);
  else if (fetch<std::uint32_t>(head + 12) != kRecordsPerBlock)
    why = fmt::format("{} records per block: expected {}", fetch<std::uint32_t>(head + 12), kRecordsPerBlock);
  if (!why.empty()) throw TraceError(fmt::format("{}: {}", path_, why));
}

BlockReader::~BlockReader() = default;

bool BlockReader::get(std::span<std::uint8_t> bytes) {
  const std::size_t n = std::fread(bytes.data(), 1, bytes.size(), file_.get());
  position_ += n;
  if (n != bytes.size() && std::ferror(file_.get()))
    throw TraceError(fmt::format("{}: cannot read: {}", path_, std::strerror(errno)));
  return n == bytes.size();
}

void BlockReader::fail(const std::string& why) const {
  throw TraceError(fmt::format("{}: block {}: {}", path_, in_head_ ? number_ : number_ - 1, why));
}

void BlockReader::next(Block& block) {
  in_head_ = true;
  const std::uint64_t start = position_;
  std::vector<std::uint8_t> head(kBlockHeadBytes);
  if (!get(head)) {
    if (position_ == start) fail(fmt::format("truncated: the file ends at byte {}, before the end block", position_));
    fail(fmt::format("truncated in its head: the file ends at byte {}", position_));
  }
  if (std::memcmp(head.data(), kBlockMagic.data(), kBlockMagic.size()) != 0)
    fail(fmt::format("damaged head at byte {}: expected WSBK", start));
  const std::size_t columns = head[9];
  if (columns > kMaxColumns) fail(fmt::format("damaged head: {} columns, expected at most {}", columns, kMaxColumns));
  head.resize(kBlockHeadBytes + columns * kColumnHeadBytes + kHashBytes);
  if (!get(std::span(head).subspan(kBlockHeadBytes)))
    fail(fmt::format("truncated in its head: the file ends at byte {}", position_));
  if (!hash_matches(head)) fail("damaged head: its XXH3 does not match");
  if (fetch<std::uint32_t>(head.data() + 4) != number_)
    fail(fmt::format("it is numbered {}: a block is missing or twice", fetch<std::uint32_t>(head.data() + 4)));
  if (head[8] < 1 || head[8] > static_cast<std::uint8_t>(Section::end))
    fail(fmt::format("section {}: expected 1 to {}", head[8], static_cast<unsigned>(Section::end)));
  block.section = static_cast<Section>(head[8]);
  block.number = number_;
  block.columns.resize(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    const std::uint8_t* at = head.data() + kBlockHeadBytes + c * kColumnHeadBytes;
    const std::size_t size = fetch<std::uint32_t>(at + 8), stored = fetch<std::uint32_t>(at + 12);
    Column& column = block.columns[c];
    column.width = at[0];
    if (column.width < 1 || column.width > 8 || size > kMaxColumnBytes || size % column.width != 0 || at[1] > kZstd ||
        (at[1] == kRaw ? stored != size : stored >= size))
      fail(fmt::format("column {}: width {}, encoding {}, {} bytes in {}: cannot be", c, at[0], at[1], size, stored));
    column.planes.resize(size);
    stored_.resize(stored);
    const std::span<std::uint8_t> target = at[1] == kRaw ? std::span(column.planes) : std::span(stored_);
    if (!get(target)) fail(fmt::format("truncated in column {}: the file ends at byte {}", c, position_));
    if (hash(target) != fetch<std::uint64_t>(at + 16))
      fail(fmt::format("damaged column {}: its XXH3 does not match", c));
    if (at[1] == kRaw) continue;
    const std::size_t n = ZSTD_decompressDCtx(unpacker_->context, column.planes.data(), size, target.data(), stored);
    if (ZSTD_isError(n) || n != size)
      fail(fmt::format("column {}: zstd: {}", c, ZSTD_isError(n) ? ZSTD_getErrorName(n) : "wrong length"));
  }
  ++number_;
  in_head_ = false;
}

void BlockReader::expect_end() {
  std::uint8_t more = 0;
  if (get({&more, 1})) fail(fmt::format("the file goes on behind the end block, at byte {}", position_ - 1));
}

}  // namespace warpsieve::trace
