#include "cosim/waveform.h"

#include <fmt/format.h>
#include <gtkwave/fstapi.h>
#include <verilated_fst_c.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "cosim/fst_file.h"

namespace warpsieve {

namespace {

constexpr std::uint64_t kCyclePs = 1'000'000;

thread_local WaveformWindows* current_windows = nullptr;

}  // namespace

/// A file whose times are ps, and which is looked at when it is closed.
class FstFile {
 public:
  /// Verilator takes the unit from the model that the thread built before; ours has not been built yet.
  FstFile() {
    fst_.set_time_unit("1ps");
    fst_.set_time_resolution("1ps");
  }
  VerilatedFstC& trace() { return fst_; }
  bool is_open() const { return fst_.isOpen(); }
  /// False: it cannot be made, and errno says why.
  bool open(const std::string& path) {
    path_ = path;
    errno = 0;
    fst_.open(path.c_str());
    return fst_.isOpen();
  }
  void dump(std::uint64_t time) { fst_.dump(end_ = time); }
  /// What is wrong with the file; empty: nothing.
  std::string close() {
    errno = 0;
    fst_.close();
    const int error = errno;  // the writer reports nothing, but what it does on a full disk fails to the last
    if (error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO) return cannot_write(error);
    const std::string cut = what_is_cut(path_, end_);
    return cut.empty() ? "" : fmt::format("cannot write: {}: {}?", cut, std::strerror(ENOSPC));
  }
  static std::string cannot_write(int error) {
    return fmt::format("cannot write: {}", std::strerror(error ? error : ENOSPC));
  }

 private:
  std::string path_;
  VerilatedFstC fst_;
  std::uint64_t end_ = 0;
};

namespace {

struct ReaderCloser {
  void operator()(void* reader) const { fstReaderClose(reader); }
};
using Reader = std::unique_ptr<void, ReaderCloser>;

}  // namespace

/// Everything, from the first edge on.
class WholeWaveform final : public Waveform {
 public:
  explicit WholeWaveform(std::string path) : path_(std::move(path)), owner_(current_windows) {}
  ~WholeWaveform() override {
    if (fst_.is_open()) problem_ = fst_.close();
    if (problem_.empty()) return;
    if (owner_) {
      owner_->written_.push_back({WrittenWaveform::kWhole, path_, 0, 0, 0, problem_});
    } else {
      fmt::print(stderr, "{}: {}\n", path_, problem_);
    }
  }
  VerilatedFstC& trace() override { return fst_.trace(); }
  void attached() override {
    if (!fst_.open(path_)) problem_ = FstFile::cannot_write(errno);
  }
  void rose() override { fst_.dump(time_++); }
  void fell() override { fst_.dump(time_++); }

 private:
  std::string path_, problem_;
  WaveformWindows* owner_;  ///< nullptr: a test's
  FstFile fst_;
  std::uint64_t time_ = 0;
};

/// The windows of one model, one after the other.
class WindowWaveform final : public Waveform {
 public:
  struct Window {
    std::size_t index;
    std::uint64_t first, last;
    std::string path;
  };
  WindowWaveform(WaveformWindows& owner, std::vector<Window> windows) : owner_(owner), windows_(std::move(windows)) {
    std::sort(windows_.begin(), windows_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  ~WindowWaveform() override { close(); }
  VerilatedFstC& trace() override { return fst_.trace(); }
  bool wants_inputs() override {
    inside_ = false;
    if (!owner_.cycle_) return false;
    const std::uint64_t now = *owner_.cycle_;
    while (next_ < windows_.size() && windows_[next_].last < now) {
      close();
      ++next_;
    }
    inside_ = next_ < windows_.size() && windows_[next_].first <= now;
    if (!inside_) return false;
    if (!fst_.is_open()) {
      const Window& window = windows_[next_];
      written_ = {window.index, window.path, now, now, 0, ""};
      if (!fst_.open(window.path)) {
        written_.problem = FstFile::cannot_write(errno);
        owner_.written_.push_back(written_);
        ++next_;
        return inside_ = false;
      }
    }
    written_.last = now;
    return true;
  }
  void settled() override { dump(*owner_.cycle_ * kCyclePs + kCyclePs / 2); }
  void rose() override {
    if (!inside_) return;
    dump((*owner_.cycle_ + 1) * kCyclePs);
    ++written_.edges;
  }

 private:
  void dump(std::uint64_t time) {
    time_ = std::max(time, time_ + 1);
    fst_.dump(time_);
  }
  void close() {
    if (!fst_.is_open()) return;
    written_.problem = fst_.close();
    if (written_.problem.empty()) written_.problem = write_gtkwave_save(written_.path);
    owner_.written_.push_back(written_);
  }
  WaveformWindows& owner_;
  std::vector<Window> windows_;
  std::size_t next_ = 0;
  FstFile fst_;
  bool inside_ = false;
  std::uint64_t time_ = 0;
  WrittenWaveform written_;
};

std::unique_ptr<Waveform> Waveform::of(const std::string& model) {
  if (current_windows) {
    std::vector<WindowWaveform::Window> mine;
    for (std::size_t i = 0; i < current_windows->windows_.size(); ++i) {
      const WaveformWindow& w = current_windows->windows_[i];
      if (model == w.model || model.starts_with(w.model + "_"))
        mine.push_back({i, w.first, w.last, fmt::format("{}{}.{}-{}.fst", w.prefix, model, w.first, w.last)});
    }
    if (!mine.empty()) return std::make_unique<WindowWaveform>(*current_windows, std::move(mine));
  }
  const char* stem = std::getenv("WARPSIEVE_FST");
  if (!stem || !*stem) return nullptr;
  static std::atomic<int> count{0};
  return std::make_unique<WholeWaveform>(fmt::format("{}.{}.{}.fst", stem, model, count++));
}

WaveformWindows::WaveformWindows(std::vector<WaveformWindow> windows) : windows_(std::move(windows)) {
  current_windows = this;
}

WaveformWindows::~WaveformWindows() { current_windows = nullptr; }

namespace {

struct Signal {
  std::string path, name, range;  ///< "mc0.hash_store", "req_hash_i", "[127:0]"
  unsigned bits = 0;
  bool port = false;
};

/// Ports of the model (its outermost scope) and what its top module declares itself.
std::vector<Signal> read_signals(void* reader) {
  std::vector<Signal> out;
  std::vector<std::string> scopes;
  while (const fstHier* hier = fstReaderIterateHier(reader)) {
    if (hier->htyp == FST_HT_SCOPE) {
      scopes.emplace_back(hier->u.scope.name, hier->u.scope.name_length);
    } else if (hier->htyp == FST_HT_UPSCOPE) {
      scopes.pop_back();
    } else if (hier->htyp == FST_HT_VAR && !scopes.empty() && scopes.size() <= 2 &&
               hier->u.var.typ != FST_VT_VCD_PARAMETER) {
      const std::string_view text(hier->u.var.name, hier->u.var.name_length);
      const auto space = text.find(' ');
      Signal signal{scopes.front(), std::string(text.substr(0, space)),
                    space == std::string_view::npos ? "" : std::string(text.substr(space + 1)), hier->u.var.length,
                    scopes.size() == 1};
      if (scopes.size() == 2) signal.path += "." + scopes.back();
      out.push_back(std::move(signal));
    }
  }
  return out;
}

/// The stream whose valid signal `name` is: "req" of req_valid_i.
std::optional<std::string> stream_of_valid(const std::string& name) {
  for (const char* end : {"_valid_i", "_valid_o"})
    if (name.ends_with(end)) return name.substr(0, name.size() - std::strlen(end));
  return std::nullopt;
}

std::string gtkwave_save(const std::vector<Signal>& signals, const std::string& fst, const std::string& save,
                         std::uint64_t start) {
  std::string out = fmt::format(
      "[*] 1 us is one simulated cycle.\n[dumpfile] \"{}\"\n[savefile] \"{}\"\n[timestart] {}\n[size] 1600 900\n"
      "[pos] -1 -1\n*-12.0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n",
      fst, save, start);
  const auto title = [&out](const std::string& text) { out += "@200\n-" + text + "\n"; };
  const auto show = [&out](const Signal& s) {
    out += fmt::format("{}\n{}.{}{}\n", s.bits == 1 ? "@28" : "@22", s.path, s.name, s.range);  // binary, hexadecimal
  };
  std::vector<std::string> streams;
  for (const Signal& s : signals)
    if (const auto stream = s.port ? stream_of_valid(s.name) : std::nullopt) streams.push_back(*stream);
  // The longest prefix decides: meta_req_line_i belongs to meta_req, not to meta.
  const auto stream_of = [&streams](const Signal& s) {
    std::string best;
    for (const std::string& stream : streams)
      if (s.name.starts_with(stream + "_") && stream.size() > best.size()) best = stream;
    return best;
  };
  title("clock, reset and levels");
  for (const Signal& s : signals)
    if (s.port && stream_of(s).empty()) show(s);
  for (const std::string& stream : streams) {
    title("stream " + stream);
    for (const Signal& s : signals)
      if (s.port && stream_of(s) == stream) show(s);
  }
  title("registers of the top module");
  for (const Signal& s : signals)
    if (!s.port && s.name.ends_with("_q")) show(s);
  return out;
}

}  // namespace

std::string write_gtkwave_save(const std::string& fst) {
  const Reader reader(fstReaderOpen(fst.c_str()));
  if (!reader) return "cannot read";
  const std::vector<Signal> signals = read_signals(reader.get());
  if (signals.empty()) return FstFile::cannot_write(ENOSPC);  // the reader unpacks the names beside the file
  const std::string path = std::filesystem::absolute(fst).lexically_normal().string();
  const std::string save = path.substr(0, path.rfind('.')) + ".gtkw";
  std::ofstream file(save, std::ios::binary);
  file << gtkwave_save(signals, path, save, fstReaderGetStartTime(reader.get()));
  file.close();
  return file ? "" : fmt::format("{}: cannot write: {}", save, std::strerror(errno));
}

}  // namespace warpsieve
