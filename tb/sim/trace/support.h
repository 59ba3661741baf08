// Made-up traces: launches, thread blocks, host writes and memory from a seed, and what a reader makes of a file.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "sim/cli/program.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace warpsieve::tb {

inline constexpr simt::Addr kTraceBase = 0x10000000;

inline std::size_t files_in(const Scratch& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder.path("")), std::filesystem::directory_iterator{}));
}
inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);  // some file systems write a file out when it is overwritten
  std::ofstream(path, std::ios::binary) << bytes;
}

struct TraceContent {
  struct Kernel {
    std::vector<simt::HostWrite> before;
    simt::LaunchShape shape;
    std::vector<simt::BlockTrace> blocks;
  };
  trace::ProgramInfo info;
  std::vector<std::uint8_t> first, last;  ///< device memory
  std::vector<Kernel> kernels;
  std::vector<simt::HostWrite> after;
};

class TraceMaker {
 public:
  TraceMaker(std::uint64_t seed, std::uint64_t bytes) : random_(seed), bytes_(bytes) {}

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(random_()); }

  simt::WarpTrace warp(std::size_t records) {
    simt::WarpTrace w;
    for (std::size_t r = 0; r < records; ++r) {
      simt::WarpInstr i;
      i.op = static_cast<simt::Op>(below(8));
      i.mask = below(3) ? static_cast<std::uint32_t>(random_()) | 1u << below(32) : ~0u;
      i.count = static_cast<std::uint16_t>(below(4) ? 1 : 1 + below(64));
      for (unsigned s = 0, n = static_cast<unsigned>(below(4)); s < n && r > 0; ++s)
        i.source[i.sources++] = static_cast<std::uint32_t>(r - 1 - below(std::min<std::size_t>(r, 5000)));
      if (i.op == simt::Op::shared || i.op == simt::Op::constant) i.bytes = 4;
      if (details) detail(i);
      if (trace::is_memory(i.op)) memory(w, i);
      w.instrs.push_back(i);
    }
    return w;
  }

  TraceContent content(unsigned kernels, unsigned blocks, unsigned warps, std::size_t records) {
    TraceContent c;
    c.info = {"made up", "test", "seed", "recorded", kTraceBase, bytes_, {{kTraceBase + 16, 32}}};
    for (std::uint64_t i = 0; i < bytes_; ++i) c.first.push_back(byte());
    c.last = c.first;
    for (std::uint64_t i = below(bytes_); i < bytes_; i += 1 + below(200)) c.last[i] = byte();
    for (unsigned k = 0; k < kernels; ++k) {
      TraceContent::Kernel& kernel = c.kernels.emplace_back();
      kernel.before = writes();
      const auto n = static_cast<std::uint32_t>(1 + below(blocks)), w = static_cast<std::uint32_t>(1 + below(warps));
      kernel.shape = {"kernel \"" + std::to_string(k) + "\"", n, w * 32 - static_cast<std::uint32_t>(below(32)),
                      static_cast<std::uint32_t>(below(49152)), static_cast<std::uint32_t>(below(256))};
      for (std::uint32_t b = 0; b < n; ++b) {
        simt::BlockTrace& block = kernel.blocks.emplace_back();
        block.block = b;
        for (std::uint32_t i = 0; i < w; ++i) block.warps.push_back(warp(records ? below(records) : 0));
      }
    }
    c.after = writes();
    return c;
  }

  /// Instructions say which units they need, and the passes of shared memory.
  bool details = true;
  /// Largest host write; above 2^20 it takes several blocks.
  std::uint64_t host_write_bytes = 300;

 private:
  std::vector<simt::HostWrite> writes() {
    std::vector<simt::HostWrite> out(below(4));
    for (simt::HostWrite& w : out) {
      w.bytes.resize(1 + below(std::min(host_write_bytes, bytes_)));
      for (std::uint8_t& b : w.bytes) b = byte();
      w.address = kTraceBase + below(bytes_ - w.bytes.size() + 1);
    }
    return out;
  }

  void detail(simt::WarpInstr& i) {
    if (i.op == simt::Op::alu) {
      i.detail[0] = static_cast<std::uint8_t>(below(i.count + 1u));
      i.detail[1] = static_cast<std::uint8_t>(below(i.count - i.detail[0] + 1u));
    } else if (i.op == simt::Op::sfu) {
      i.detail[0] = static_cast<std::uint8_t>(2 * below(3));
    } else if (i.op == simt::Op::shared) {
      i.detail[0] = static_cast<std::uint8_t>(below(32));
    }
  }

  void memory(simt::WarpTrace& w, simt::WarpInstr& i) {
    static constexpr std::uint8_t kSizes[] = {1, 4, 8, 16};
    i.bytes = i.op == simt::Op::atomic ? std::uint8_t{4} : kSizes[below(4)];
    if (i.op == simt::Op::atomic) i.atomic = static_cast<simt::AtomicOp>(below(6));
    i.payload = static_cast<std::uint32_t>(w.addresses.size());
    if (i.op != simt::Op::load) i.values = static_cast<std::uint32_t>(w.data.size());
    const std::uint64_t places = bytes_ / i.bytes;
    const std::uint64_t way = below(4), start = below(places / 2), step = below(places / 64 + 1);
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      if (!(i.mask >> lane & 1)) continue;
      std::uint64_t place = below(places);             // scattered
      if (way == 0) place = start + lane * step;       // upwards
      if (way == 1) place = places - 1 - lane * step;  // downwards
      if (way == 2) place = start;                     // all the same
      w.addresses.push_back(kTraceBase + place * i.bytes);
      for (unsigned b = 0; i.op != simt::Op::load && b < i.bytes; ++b) w.data.push_back(byte());
    }
    w.pack(simt::count_lanes(i.mask));  // as a reader does
  }

  std::mt19937_64 random_;
  std::uint64_t bytes_;
};

inline void write_trace(const std::string& path, const TraceContent& c) {
  trace::TraceWriter out(path, c.info);
  out.image(c.first);
  for (const TraceContent::Kernel& k : c.kernels) {
    out.host_writes(k.before);
    out.launch(k.shape);
    for (const simt::BlockTrace& b : k.blocks) out.thread_block(b);
  }
  out.host_writes(c.after);
  out.finish(c.last);
}

/// All that a file holds.
inline TraceContent read_trace(const std::string& path) {
  trace::TraceReader in(path);
  TraceContent c;
  c.info = in.program();
  c.first.resize(c.info.bytes);
  for (trace::Section s; (s = in.next()) != trace::Section::end;) {
    if (s == trace::Section::image || s == trace::Section::change) {
      if (s == trace::Section::change && c.last.empty()) c.last = c.first;
      for (std::size_t i = 0; i < in.bytes().size(); ++i)
        (s == trace::Section::image ? c.first : c.last)[in.offset() + i] ^= in.bytes()[i];
    }
    if (s == trace::Section::host_write) in.append_host_writes(c.after);
    if (s == trace::Section::launch) c.kernels.push_back({std::exchange(c.after, {}), in.launch(), {}});
    while (in.has_thread_block()) c.kernels.back().blocks.push_back(in.take_thread_block());
  }
  if (c.last.empty()) c.last = c.first;
  return c;
}

/// Where two traces differ; empty when they are equal in all they say.
inline std::string difference(const TraceContent& a, const TraceContent& b) {
  const auto writes = [](const std::vector<simt::HostWrite>& x, const std::vector<simt::HostWrite>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const auto& l, const auto& r) { return l.address == r.address && l.bytes == r.bytes; });
  };
  if (a.info.workload != b.info.workload || a.info.tool != b.info.tool || a.info.made_with != b.info.made_with ||
      a.info.base != b.info.base || a.info.bytes != b.info.bytes || a.info.order_dependent != b.info.order_dependent)
    return "program";
  if (a.first != b.first) return "image";
  if (a.last != b.last) return "last image";
  if (!writes(a.after, b.after)) return "host writes at the end";
  if (a.kernels.size() != b.kernels.size()) return "launches";
  for (std::size_t k = 0; k < a.kernels.size(); ++k) {
    const auto &x = a.kernels[k], &y = b.kernels[k];
    if (!writes(x.before, y.before)) return "host writes";
    if (x.shape.kernel != y.shape.kernel || x.shape.blocks != y.shape.blocks || x.shape.threads != y.shape.threads ||
        x.shape.shared_bytes != y.shape.shared_bytes || x.shape.registers != y.shape.registers)
      return "shape";
    if (x.blocks.size() != y.blocks.size()) return "thread blocks";
    for (std::size_t i = 0; i < x.blocks.size(); ++i) {
      if (x.blocks[i].block != y.blocks[i].block || x.blocks[i].warps.size() != y.blocks[i].warps.size())
        return "warps";
      for (std::size_t w = 0; w < x.blocks[i].warps.size(); ++w) {
        const simt::WarpTrace &p = x.blocks[i].warps[w], &q = y.blocks[i].warps[w];
        if (p.addresses != q.addresses) return "addresses";
        if (p.data != q.data) return "data";
        if (p.instrs.size() != q.instrs.size()) return "instructions";
        for (std::size_t n = 0; n < p.instrs.size(); ++n) {
          const simt::WarpInstr &l = p.instrs[n], &r = q.instrs[n];
          if (l.op != r.op || l.atomic != r.atomic || l.bytes != r.bytes || l.sources != r.sources ||
              l.count != r.count || !std::equal(l.detail, l.detail + 2, r.detail) || l.mask != r.mask ||
              !std::equal(l.source, l.source + l.sources, r.source) || l.payload != r.payload || l.values != r.values)
            return "instruction";
        }
      }
    }
  }
  return "";
}

}  // namespace warpsieve::tb
