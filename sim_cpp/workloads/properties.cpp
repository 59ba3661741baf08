#include "workloads/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr std::size_t kLine = 128, kSector = 32;

bool is_global(const WarpInstr& i) { return i.op == Op::load || i.op == Op::store || i.op == Op::atomic; }

std::uint32_t word_at(const std::uint8_t* bytes) {
  std::uint32_t v;
  std::memcpy(&v, bytes, 4);
  return v;
}

std::uint32_t performed(AtomicOp op, std::uint32_t old, std::uint32_t x) {
  switch (op) {
    case AtomicOp::add_u32: return old + x;
    case AtomicOp::add_f32: return std::bit_cast<std::uint32_t>(std::bit_cast<float>(old) + std::bit_cast<float>(x));
    case AtomicOp::min_u32: return std::min(old, x);
    case AtomicOp::max_u32: return std::max(old, x);
    case AtomicOp::exch_u32: return x;
    case AtomicOp::cas_u32: break;
  }
  throw std::logic_error("workload properties: the streams carry no operand to compare with");
}

/// base + lane * stride in all active lanes, with a whole stride.
bool is_affine(std::uint32_t mask, const std::array<std::uint32_t, kLanes>& value) {
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  const auto second = static_cast<unsigned>(std::countr_zero(mask & (mask - 1)));
  const auto rise = static_cast<std::int64_t>(static_cast<std::int32_t>(value[second] - value[first]));
  const auto run = static_cast<std::int64_t>(second - first);
  if (rise % run != 0) return false;
  const auto stride = static_cast<std::uint32_t>(rise / run);
  for (std::uint32_t m = mask; m; m &= m - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(m));
    if (value[lane] != value[first] + (lane - first) * stride) return false;
  }
  return true;
}

class Observer {
 public:
  Observer(const Workload& w, unsigned sms)
      : base_(w.base()), sms_(sms), memory_(w.image().begin(), w.image().end()),
        lines_((memory_.size() + kLine - 1) / kLine) {
    memory_.resize(lines_.size() * kLine, 0);
  }

  void host_writes(const std::vector<HostWrite>& writes) {
    for (const HostWrite& h : writes) std::copy(h.bytes.begin(), h.bytes.end(), memory_.data() + (h.address - base_));
  }

  /// The warps of a block run in order, each up to its next barrier.
  void block(const BlockTrace& b) {
    found_.counts.add(b);
    const auto sm = static_cast<std::int32_t>(b.block % sms_);
    std::vector<std::size_t> next(b.warps.size(), 0);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t w = 0; w < b.warps.size(); ++w) {
        const WarpTrace& t = b.warps[w];
        while (next[w] < t.instrs.size()) {
          const WarpInstr& i = t.instrs[next[w]++];
          if (i.op == Op::barrier) break;
          if (is_global(i)) access(t, i, sm);
        }
        more |= next[w] < t.instrs.size();
      }
    }
  }

  void end_launch() {
    for (std::size_t l = 0; l < lines_.size(); ++l) {
      Line& line = lines_[l];
      found_.loaded_lines += line.loads > 0;
      found_.load_requests += line.loads;
      if (line.many) {
        ++found_.shared_lines;
        found_.shared_requests += line.loads;
      }
      line.loads = 0;
      line.loader = -1;
      line.many = false;
      if (line.written) settle(l);
      line.written = false;
    }
  }

  Properties finish(Workload& w) {
    for (const Line& line : lines_) found_.footprint += line.touched ? kLine : 0;
    if (!std::equal(w.image().begin(), w.image().end(), memory_.begin()))
      throw std::logic_error(fmt::format("workload {}: its streams do not give its memory", w.name()));
    found_.wrong = w.verify();
    return found_;
  }

 private:
  struct Line {
    std::size_t content = 0;   ///< hash of the content noted last
    std::int32_t loader = -1;  ///< SM that loaded it last in this launch
    std::uint32_t loads = 0;   ///< line requests of this launch
    bool many = false, written = false, touched = false, noted = false;
  };

  void access(const WarpTrace& t, const WarpInstr& i, std::int32_t sm) {
    const auto lanes = static_cast<unsigned>(std::popcount(i.mask));
    simt::LaneAddresses room;
    const Addr* address = t.list(i, room);
    lines_touched(address, lanes, i.op, sm);
    if (i.bytes == 4 && lanes >= 2 && i.op == Op::load) {
      ++found_.load_vectors;
      found_.affine_loads +=
          is_affine(i.mask, gathered(i.mask, [&](unsigned k) { return &memory_[address[k] - base_]; }));
    }
    if (i.op == Op::load) return;
    const std::uint8_t* data = t.data.data() + i.values;
    if (i.bytes == 4 && lanes >= 2 && i.op == Op::store) {
      ++found_.store_vectors;
      found_.affine_stores += is_affine(i.mask, gathered(i.mask, [&](unsigned k) { return data + 4 * k; }));
    }
    for (unsigned k = 0; k < lanes; ++k) {
      std::uint8_t* at = &memory_[address[k] - base_];
      if (i.op == Op::store) {
        std::memcpy(at, data + k * i.bytes, i.bytes);
      } else {
        const std::uint32_t fresh = performed(i.atomic, word_at(at), word_at(data + 4 * k));
        std::memcpy(at, &fresh, 4);
      }
    }
  }

  template <class F>
  static std::array<std::uint32_t, kLanes> gathered(std::uint32_t mask, F&& where) {
    std::array<std::uint32_t, kLanes> v{};
    unsigned k = 0;
    for (std::uint32_t m = mask; m; m &= m - 1) v[static_cast<unsigned>(std::countr_zero(m))] = word_at(where(k++));
    return v;
  }

  /// Lines of one instruction with the sectors it touches in each.
  void lines_touched(const Addr* address, unsigned lanes, Op op, std::int32_t sm) {
    std::array<std::size_t, kLanes> number;
    std::array<unsigned, kLanes> sectors{};
    unsigned count = 0;
    for (unsigned k = 0; k < lanes; ++k) {
      const std::size_t offset = address[k] - base_, line = offset / kLine;
      unsigned at = count;
      while (at > 0 && number[at - 1] != line) --at;
      if (at == 0) {
        number[count] = line;
        at = ++count;
      }
      sectors[at - 1] |= 1u << (offset % kLine / kSector);
    }
    found_.line_requests += count;
    for (unsigned k = 0; k < count; ++k) {
      found_.one_sector += std::has_single_bit(sectors[k]);
      Line& line = lines_[number[k]];
      line.touched = true;
      if (op != Op::load) line.written = true;
      if (op != Op::load) continue;
      line.many |= line.loader >= 0 && line.loader != sm;
      line.loader = sm;
      ++line.loads;
    }
  }

  /// A written line at the end of its launch: the older content is forgotten, the new one compared.
  void settle(std::size_t l) {
    Line& line = lines_[l];
    if (line.noted && --contents_[line.content] == 0) contents_.erase(line.content);
    line.noted = false;
    ++found_.written_lines;
    const std::uint8_t* bytes = &memory_[l * kLine];
    if (std::equal(bytes + 4, bytes + kLine, bytes)) {
      ++found_.intra;
      return;
    }
    line.content = std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes), kLine});
    found_.inter += contents_[line.content]++ > 0;
    line.noted = true;
  }

  Addr base_;
  unsigned sms_;
  std::vector<std::uint8_t> memory_;
  std::vector<Line> lines_;
  std::unordered_map<std::size_t, std::uint32_t> contents_;  ///< written lines with this content
  Properties found_;
};

}  // namespace

Properties measure(simt::Workload& workload, unsigned sms, const std::function<void()>& pause) {
  workload.setup();
  Observer observer(workload, sms);
  std::uint64_t launches = 0;
  while (const auto l = workload.next_launch()) {
    ++launches;
    observer.host_writes(workload.take_host_writes());
    for (std::uint32_t b = 0; b < l->shape().blocks; ++b) {
      if (pause) pause();
      observer.block(l->run_block(b));
    }
    observer.end_launch();
  }
  observer.host_writes(workload.take_host_writes());
  Properties found = observer.finish(workload);
  found.counts.launches = launches;
  return found;
}

}  // namespace warpsieve::workloads
