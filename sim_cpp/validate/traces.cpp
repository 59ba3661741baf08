#include "validate/traces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/closed_list.h"
#include "core/number.h"
#include "core/params.h"
#include "validate/python_random.h"

namespace warpsieve::validate {

namespace {

constexpr std::uint64_t kA = 0x7f0000000000, kB = 0x7f0080000000, kC = 0x7f0100000000;
constexpr unsigned kTraceLanes = 32, kTraceLine = 128;

using Addresses = std::array<std::uint64_t, kTraceLanes>;

/// Lines of one warp. An instruction is "PC mask destinations opcode sources width [addresses] immediate".
class Lines {
 public:
  Lines(std::string& out, std::uint64_t& count) : out_(out), count_(count) {}

  void plain(unsigned pc, std::string_view rest) { line("{:04x} ffffffff {}", pc, rest); }
  void load(unsigned pc, unsigned to, unsigned from, std::uint64_t at, std::uint64_t stride = 4, unsigned bytes = 4) {
    line("{:04x} ffffffff 1 R{} LDG.E{}.SYS 1 R{} {} 1 0x{:x} {} 0", pc, to, bytes == 16 ? ".128" : "", from, bytes,
         at, stride);
  }
  void load_one(unsigned pc, unsigned to, unsigned from, std::uint64_t at) {
    line("{:04x} 00000001 1 R{} LDG.E.SYS 1 R{} 4 0 0x{:x} 0", pc, to, from, at);
  }
  void load(unsigned pc, unsigned to, unsigned from, const Addresses& at) {
    line("{:04x} ffffffff 1 R{} LDG.E.SYS 1 R{} 4 2 {} 0", pc, to, from, differences(at));
  }
  void store(unsigned pc, unsigned address, unsigned data, std::uint64_t at, std::uint64_t stride = 4) {
    line("{:04x} ffffffff 0 STG.E.SYS 2 R{} R{} 4 1 0x{:x} {} 0", pc, address, data, at, stride);
  }
  void store(unsigned pc, unsigned address, unsigned data, const Addresses& at) {
    line("{:04x} ffffffff 0 STG.E.SYS 2 R{} R{} 4 2 {} 0", pc, address, data, differences(at));
  }

 private:
  /// Base, then what each lane is above the lane before.
  static std::string differences(const Addresses& at) {
    std::string out = fmt::format("0x{:x}", at[0]);
    for (unsigned l = 1; l < kTraceLanes; ++l)
      fmt::format_to(std::back_inserter(out), " {}", static_cast<std::int64_t>(at[l] - at[l - 1]));
    return out;
  }
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
    ++count_;
  }

  std::string& out_;
  std::uint64_t& count_;
};

/// Where an iteration of a warp is: `element` counts threads over iterations, blocks and warps.
struct Place {
  std::uint64_t iteration, warp, warps, element;
};

class TraceGenerator {
 public:
  explicit TraceGenerator(const TraceSpec& spec) : spec_(spec), random_(static_cast<std::uint32_t>(v("seed", 1))) {
    const std::string& kind = spec.kind;
    if (kind == "chase") order_ = shuffled(v("foot", 1024) * 1024 / kTraceLine);
  }

  std::string text() {
    header();
    for (std::uint32_t block = 0; block < spec_.blocks; ++block) {
      fmt::format_to(std::back_inserter(out_), "\n#BEGIN_TB\n\nthread block = {},0,0\n", block);
      for (std::uint32_t warp = 0; warp < spec_.warps; ++warp) {
        std::string body;
        std::uint64_t count = 0;
        Lines lines(body, count);
        if (with_arithmetic())
          kernel(lines, block, warp);
        else
          pattern(lines, block, warp);
        lines.plain(0x120, "0 EXIT 0 0 0");
        fmt::format_to(std::back_inserter(out_), "\nwarp = {}\ninsts = {}\n{}", warp, count, body);
      }
      out_ += "\n#END_TB\n";
    }
    return std::move(out_);
  }

 private:
  std::uint64_t v(const char* key, std::uint64_t fallback) const { return spec_.value(key, fallback); }
  bool with_arithmetic() const { return spec_.kind == "vecadd" || spec_.kind == "gather"; }
  std::uint64_t random_word(std::uint64_t mebibytes) {
    return kA + 4 * std::uint64_t{random_.below(static_cast<std::uint32_t>(mebibytes << 18))};
  }
  std::vector<std::uint32_t> shuffled(std::uint64_t n) {
    std::vector<std::uint32_t> out(n);
    std::iota(out.begin(), out.end(), 0u);
    random_.shuffle(out);
    return out;
  }

  void header() {
    out_ = fmt::format(
        "-kernel name = _Z{}\n-kernel id = 1\n-grid dim = ({},1,1)\n-block dim = ({},1,1)\n-shmem = 0\n-nregs = {}\n"
        "-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007efff0000000\n"
        "-local mem base_addr = 0x00007efff2000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 4\n"
        "-enable lineinfo = 0\n\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
        "mem_width [adrrescompress?] [mem_addresses] immediate\n\n",
        spec_.kind, spec_.blocks, spec_.warps * kTraceLanes, v("regs", 16));
  }

  Place place(std::uint64_t iteration, std::uint32_t block, std::uint32_t warp) const {
    return {iteration, std::uint64_t{block} * spec_.warps + warp, std::uint64_t{spec_.blocks} * spec_.warps,
            ((iteration * spec_.blocks + block) * spec_.warps + warp) * kTraceLanes};
  }

  void pattern(Lines& lines, std::uint32_t block, std::uint32_t warp) {
    lines.plain(0x00, "1 R1 MOV 0 0 0");
    lines.plain(0x10, "1 R0 S2R 0 0 0");
    lines.plain(0x30, "1 R2 IMAD 2 R0 R1 0 0");
    if (spec_.kind == "l2chase") {
      chase_behind(lines, block);
      return;
    }
    for (std::uint64_t i = 0; i < spec_.iterations; ++i) iteration(lines, place(i, block, warp));
  }

  void chase_behind(Lines& lines, std::uint32_t block) {
    const std::uint64_t count = v("foot", 16) * 8;
    const std::vector<std::uint32_t> order = shuffled(count);  // of every warp, used or not
    if (block == 0) {
      for (unsigned k = 0; k < count; ++k) lines.load(0x80 + 16 * (k % 8), 10 + k % 8, 2, kA + k * kTraceLine);
      return;
    }
    for (std::uint64_t k = 0; k < v("delay", 3000); ++k) lines.plain(0x40, "1 R3 FADD 1 R3 0 0");
    lines.plain(0x50, "1 R2 IMAD 2 R3 R1 0 0");
    for (const std::uint32_t k : order) lines.load_one(0x80, 2, 2, kA + std::uint64_t{k} * kTraceLine);
  }

  void use(Lines& lines, unsigned pc, unsigned loaded) {
    lines.plain(pc, fmt::format("1 R9 FADD 2 R{} R9 0 0", loaded));
  }

  void iteration(Lines& lines, const Place& p) {
    const std::string& kind = spec_.kind;
    if (kind == "stream") {
      const std::uint64_t bytes = v("w", 4);
      lines.load(0x80, 5, 2, kA + p.element * bytes, bytes, static_cast<unsigned>(bytes));
      use(lines, 0x90, 5);
    } else if (kind == "burst") {
      for (unsigned k = 0; k < 8; ++k)
        lines.load(0x80 + 16 * k, 10 + k, 2, kA + ((p.iteration * 8 + k) * p.warps + p.warp) * kTraceLine);
      for (unsigned k = 0; k < 8; ++k) use(lines, 0x200 + 16 * k, 10 + k);
    } else if (kind == "stores") {
      const std::uint64_t own = v("own", 0);
      const std::uint64_t line = p.warp * spec_.iterations + p.iteration;
      const auto lines_written = static_cast<std::uint32_t>(p.warps * spec_.iterations);
      lines.store(0x80, 2, 9,
                  kC + (own == 0   ? p.element * 4
                        : own == 2 ? std::uint64_t{random_.below(lines_written)} * kTraceLine
                                   : line * kTraceLine));
    } else if (kind == "rmw") {
      lines.load(0x80, 5, 2, kA + p.element * 4);
      lines.plain(0x90, "1 R9 FADD 1 R5 0 0");
      lines.store(0xa0, 2, 9, kA + p.element * 4);
    } else if (kind == "scatter") {
      Addresses at;
      std::generate(at.begin(), at.end(), [&] { return random_word(v("foot", 64)); });
      lines.store(0x80, 2, 9, at);
    } else if (kind == "column") {
      const std::uint64_t pitch = v("pitch", 4096);
      lines.load(0x80, 5, 2, kA + p.warp * kTraceLanes * pitch + p.iteration * 4, pitch);
      use(lines, 0x90, 5);
    } else if (kind == "broad") {
      lines.load(0x80, 5, 2, kA + p.iteration * kTraceLine % (v("tab", 4) * 1024), 0);
      use(lines, 0x90, 5);
    } else if (kind == "reread") {
      const std::uint64_t at =
          p.warp * kTraceLine * 37 + p.iteration * p.warps * kTraceLine + p.iteration * kTraceLine * 11;
      lines.load(0x80, 5, 2, kA + at % (v("foot", 2048) * 1024));
      use(lines, 0x90, 5);
    } else if (kind == "trans") {
      const std::uint64_t pitch = v("pitch", 4096), row = p.warp * kTraceLanes;
      lines.load(0x80, 5, 2, kA + p.element * 4);
      lines.store(0x90, 2, 5,
                  kC + row % 1024 * pitch +
                      (row / 1024 + p.iteration * std::max<std::uint64_t>(1, p.warps * kTraceLanes / 1024)) * 4,
                  pitch);
    } else if (kind == "chase") {
      lines.load_one(0x80, 2, 2, kA + std::uint64_t{order_[p.iteration % order_.size()]} * kTraceLine);
    } else {  // indep
      for (unsigned k = 0; k < 4; ++k)
        lines.load(0x80 + 16 * k, 10 + k, 2, kA + (p.iteration * 4 + k) * kTraceLine * v("step", 1));
      lines.plain(0x100, "1 R9 FADD 3 R10 R11 R13 0 0");
    }
  }

  /// vecadd and gather: ten instructions an iteration, three of them global memory.
  void kernel(Lines& lines, std::uint32_t block, std::uint32_t warp) {
    lines.plain(0x00, "1 R1 MOV 0 0 0");
    lines.plain(0x10, "1 R0 S2R 0 0 0");
    lines.plain(0x20, "1 R3 S2R 0 0 0");
    lines.plain(0x30, "1 R0 IMAD 2 R0 R3 0 0");
    lines.plain(0x40, "0 ISETP.GE.AND 1 R0 0 0");
    for (std::uint64_t i = 0; i < spec_.iterations; ++i) {
      const std::uint64_t byte = place(i, block, warp).element * 4;
      lines.plain(0x80, "1 R2 IMAD.WIDE 2 R0 R7 0 0");
      lines.plain(0x90, "1 R4 IMAD.WIDE 2 R0 R7 0 0");
      if (spec_.kind == "vecadd") {
        lines.load(0xa0, 2, 2, kA + byte);
        lines.load(0xb0, 5, 4, kB + byte);
      } else {
        Addresses at;
        std::generate(at.begin(), at.end(), [&] { return random_word(v("foot", 256)); });
        lines.load(0xa0, 4, 2, kB + byte);
        lines.load(0xb0, 5, 4, at);
      }
      lines.plain(0xc0, "1 R6 IMAD.WIDE 2 R0 R7 0 0");
      lines.plain(0xd0, "1 R9 FADD 2 R2 R5 0 0");
      lines.store(0xe0, 6, 9, kC + byte);
      lines.plain(0xf0, "1 R0 IADD3 1 R0 0 0");
      lines.plain(0x100, "0 ISETP.GE.AND 1 R0 0 0");
      lines.plain(0x110, "0 BRA 0 0 0");
    }
  }

  const TraceSpec& spec_;
  PythonRandom random_;
  std::vector<std::uint32_t> order_;
  std::string out_;
};

struct TraceKind {
  const char* name;
  std::vector<std::string> keys;  ///< beside seed and regs
};
const std::vector<TraceKind>& kinds() {
  static const std::vector<TraceKind> all = {
      {"stream", {"w"}},     {"burst", {}},         {"stores", {"own"}}, {"rmw", {}},
      {"scatter", {"foot"}}, {"column", {"pitch"}}, {"broad", {"tab"}},  {"reread", {"foot"}},
      {"trans", {"pitch"}},  {"chase", {"foot"}},   {"indep", {"step"}}, {"l2chase", {"foot", "delay"}},
      {"vecadd", {}},        {"gather", {"foot"}}};
  return all;
}

std::uint64_t number(const std::string& arguments, std::string_view word, std::uint64_t min, std::uint64_t max) {
  const auto value = to_number<std::uint64_t>(word, 10);
  if (!value || *value < min || *value > max)
    throw ConfigError(
        fmt::format("trace '{}': '{}': expected a whole number from {} to {}", arguments, word, min, max));
  return *value;
}

}  // namespace

std::uint64_t TraceSpec::value(const char* key, std::uint64_t fallback) const {
  const auto found = values.find(key);
  return found == values.end() ? fallback : found->second;
}

TraceSpec parse_trace(const std::string& arguments) {
  std::istringstream words(arguments);
  TraceSpec out;
  std::string blocks, warps, iterations, word;
  if (!(words >> out.kind >> blocks >> warps >> iterations))
    throw ConfigError(fmt::format("trace '{}': expected KIND BLOCKS WARPS ITERATIONS [KEY=VALUE ...]", arguments));
  std::vector<std::string> names;
  for (const TraceKind& kind : kinds()) names.emplace_back(kind.name);
  const auto kind = std::find(names.begin(), names.end(), out.kind);
  if (kind == names.end())
    throw ConfigError(fmt::format("trace '{}': unknown kind {}", arguments, expected_one_of(out.kind, names)));
  std::vector<std::string> keys = kinds()[static_cast<std::size_t>(kind - names.begin())].keys;
  keys.insert(keys.end(), {"seed", "regs"});
  out.blocks = static_cast<std::uint32_t>(number(arguments, blocks, 1, 65535));
  out.warps = static_cast<std::uint32_t>(number(arguments, warps, 1, 32));
  out.iterations = static_cast<std::uint32_t>(number(arguments, iterations, 1, 1000000));
  while (words >> word) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (equals == std::string::npos || std::find(keys.begin(), keys.end(), key) == keys.end())
      throw ConfigError(
          fmt::format("trace '{}': '{}': expected KEY=VALUE with {}", arguments, word, fmt::join(keys, ", ")));
    // Footprints and pitches stay within the importer's 4 GiB; foot is in KiB or MiB.
    const bool mebibytes = out.kind == "scatter" || out.kind == "gather";
    const std::uint64_t max = key == "foot" ? (mebibytes ? 2048 : 1u << 20) : key == "seed" ? 0xffffffff : 1u << 20;
    out.values[key] =
        number(arguments, std::string_view(word).substr(equals + 1), key == "seed" || key == "own" ? 0 : 1, max);
  }
  const std::uint64_t bytes = out.value("w", 4);
  if (bytes != 4 && bytes != 16) throw ConfigError(fmt::format("trace '{}': w: expected 4 or 16", arguments));
  return out;
}

std::string traceg(const TraceSpec& spec) { return TraceGenerator(spec).text(); }

}  // namespace warpsieve::validate
