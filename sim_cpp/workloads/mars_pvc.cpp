// mars_pvc (Mars page view count): counts the distinct log lines of every page. Map: hash each line and
// copy it; sort 16-byte descriptors by hash and then by the bytes they point to; drop repeated lines;
// map again with the page as the key; sort; count the runs. Bitonic sorts of whole descriptors use full
// lines, the comparisons gather single bytes.
#include <limits>
#include <map>
#include <set>

#include "workloads/common.h"
#include "workloads/mars.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;
using Byte = std::uint8_t;

constexpr int kLast = std::numeric_limits<int>::max();  ///< hash of the entries that fill the array up

std::string made_up_log(int lines, std::uint64_t seed) {
  inputs::Random random(seed);
  std::string text;
  for (int i = 0; i < lines; ++i)
    text += fmt::format("http://www.abcdefg.com/{}.html\t{}.{}.{}.{}\t{}\n", random.below(1024), random.below(256),
                        random.below(256), random.below(256), random.below(256), random.below(1000));
  return text;
}

/// A descriptor in registers: where the key starts, its length, its hash.
struct Key {
  explicit Key(const Vec<Int4>& v) : at(member(v, &Int4::x)), size(member(v, &Int4::y)), hash(member(v, &Int4::z)) {}
  Vec<int> at, size, hash;
};

class PageViewCount final : public Mars {
 public:
  explicit PageViewCount(const Settings& s)
      : Mars("mars_pvc"),
        text_(s.input().empty() ? made_up_log(s.count("lines"), s.seed()) : inputs::read_file(s.input())) {
    std::size_t line = 1;
    for (std::size_t at = 0; at < text_.size(); ++line) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      if (text_.substr(at, end - at).find('\t') == std::string::npos)
        throw inputs::InputError(
            fmt::format("{}:{}: expected fields separated by tabs, found none", s.input(), line));
      records_.push_back({0, 0, static_cast<int>(at), static_cast<int>(end - at)});
      at = end + 1;
    }
    while (capacity_ < static_cast<int>(records_.size())) capacity_ *= 2;
  }

 private:
  void build() override {
    const auto n = records_.size();
    data_ = memory_.allocate("text", std::vector<Byte>(text_.begin(), text_.end()));
    input_ = memory_.allocate("records", records_);
    sizes_ = make_scan("sizes", n);
    flags_ = make_scan("flags", n);
    keys_ = memory_.allocate<Byte>("keys", text_.size());
    for (auto& index : index_) index = memory_.allocate<Int4>("index", static_cast<std::uint64_t>(capacity_));
    result_ = memory_.allocate<Int4>("result", n);
  }

  HostCode host() override {
    const int n = static_cast<int>(records_.size());
    co_yield each("pvc_count", n, [input = input_, sizes = sizes_.in](Warp& w, const Vec<int>& i) {
      w.store(sizes, i, member(w.load(input, i), &Int4::w));
    });
    for (int step = 0; step < kScanSteps; ++step) co_yield scan(sizes_, step);
    co_yield map_lines(n);
    for (int k = 2; k <= capacity_; k *= 2)
      for (int j = k / 2; j > 0; j /= 2) co_yield sort(index_[0], k, j);
    co_yield mark_first(index_[0], n);
    for (int step = 0; step < kScanSteps; ++step) co_yield scan(flags_, step);
    const int unique = flagged(n);
    co_yield map_pages(n, unique);
    co_yield fill_up(unique);
    for (int k = 2; k <= capacity_; k *= 2)
      for (int j = k / 2; j > 0; j /= 2) co_yield sort(index_[1], k, j);
    co_yield mark_first(index_[1], n);
    for (int step = 0; step < kScanSteps; ++step) co_yield scan(flags_, step);
    co_yield count_runs(n, unique);
    pages_ = flagged(unique);
  }

  /// How many of the first `n` flags are set.
  int flagged(int n) const {
    const auto last = static_cast<std::uint64_t>(n) - 1;
    return memory_.read(flags_.out, last) + memory_.read(flags_.in, last);
  }

  template <class F>
  std::unique_ptr<KernelLaunch> each(const char* name, int count, F body, std::uint32_t registers = 20) {
    const auto n = static_cast<std::uint64_t>(count);
    return launch(name, blocks_for(n, 256), 256, per_item(n, body), registers);
  }

  /// Copies each line byte by byte, hashing it, and describes it.
  std::unique_ptr<KernelLaunch> map_lines(int n) {
    return each("pvc_map", capacity_, [=, this](Warp& w, const Vec<int>& i) {
      w.if_else_(
          i < n,
          [&] {
            const Vec<Int4> its = w.load(input_, i);
            const Vec<int> from = member(its, &Int4::z), size = member(its, &Int4::w), to = w.load(sizes_.out, i);
            Vec<int> hash = 0, k = 0;
            w.while_([&] { return k < size; },
                     [&] {
                       const Vec<Byte> c = w.load(data_, from + k);
                       w.store(keys_, to + k, c);
                       hash = hash * 31 + simt::to<int>(c);
                       k += 1;
                     });
            w.store(index_[0], i, quad(to, size, hash & 0x3fffffff, i));
          },
          [&] { w.store(index_[0], i, quad(Vec<int>(0), Vec<int>(0), Vec<int>(kLast), i)); });
    });
  }

  /// Of two descriptors, lanes where a's key comes before b's.
  Mask before(Warp& w, const Key& a, const Key& b) const {
    Vec<int> order = 0;  // of the first bytes that differ
    w.if_((a.hash == b.hash) & (a.size == b.size) & (a.at != b.at), [&] {
      Vec<int> k = 0;
      w.while_([&] { return k < a.size; },
               [&] {
                 order = simt::to<int>(w.load(keys_, a.at + k)) - simt::to<int>(w.load(keys_, b.at + k));
                 w.break_if(order != 0);
                 k += 1;
               });
    });
    const Mask same_hash = a.hash == b.hash;
    return (a.hash < b.hash) | (same_hash & (a.size < b.size)) | (same_hash & (a.size == b.size) & (order < 0));
  }
  Mask differ(Warp& w, const Key& a, const Key& b) const { return before(w, a, b) | before(w, b, a); }

  /// By hash, then length, then the bytes themselves.
  std::unique_ptr<KernelLaunch> sort(const Buffer<Int4>& index, int k, int j) {
    return sort_step("pvc_sort", index, k, j,
                     [this](Warp& w, const Vec<Int4>& a, const Vec<Int4>& b) { return before(w, Key(a), Key(b)); });
  }

  /// 1 where a key is not the one before it.
  std::unique_ptr<KernelLaunch> mark_first(const Buffer<Int4>& index, int n) {
    return each("pvc_mark", n, [=, this, flag = flags_.in](Warp& w, const Vec<int>& i) {
      const Vec<Int4> own = w.load(index, i), previous = w.load(index, max(i - 1, Vec<int>(0)));
      const Mask first = (i == 0) | differ(w, Key(previous), Key(own));
      w.store(flag, i, select(first, Vec<int>(1), Vec<int>(0)));
    });
  }

  /// The distinct lines, described by their first field.
  std::unique_ptr<KernelLaunch> map_pages(int n, int) {
    return each("pvc_map_pages", n, [=, this](Warp& w, const Vec<int>& i) {
      w.if_(w.load(flags_.in, i) != 0, [&] {
        const Key line(w.load(index_[0], i));
        Vec<int> hash = 0, size = 0;
        w.loop_([&] {
          const Vec<Byte> c = w.load(keys_, line.at + size);
          w.break_if(c == Byte{'\t'});
          hash = hash * 31 + simt::to<int>(c);
          size += 1;
        });
        const Vec<int> to = w.load(flags_.out, i);
        w.store(index_[1], to, quad(line.at, size, hash & 0x3fffffff, to));
      });
    });
  }

  std::unique_ptr<KernelLaunch> fill_up(int from) {
    return each("pvc_fill", capacity_, [=, index = index_[1]](Warp& w, const Vec<int>& i) {
      w.if_(i >= from, [&] { w.store(index, i, quad(Vec<int>(0), Vec<int>(0), Vec<int>(kLast), i)); });
    });
  }

  /// The first of each run walks to its end.
  std::unique_ptr<KernelLaunch> count_runs(int n, int unique) {
    return each("pvc_reduce", n, [=, this](Warp& w, const Vec<int>& i) {
      w.if_((i < unique) & (w.load(flags_.in, i) != 0), [&] {
        const Key page(w.load(index_[1], i));
        Vec<int> end = i + 1;
        w.while_([&] { return end < unique; },
                 [&] {
                   w.break_if(w.load(flags_.in, end) != 0);
                   end += 1;
                 });
        w.store(result_, w.load(flags_.out, i), quad(page.at, page.size, end - i, Vec<int>(0)));
      });
    });
  }

  std::string verify() override {
    std::set<std::string> lines;
    for (const Int4& r : records_)
      lines.insert(text_.substr(static_cast<std::size_t>(r.z), static_cast<std::size_t>(r.w)));
    std::map<std::string, int> want;
    for (const std::string& line : lines) ++want[line.substr(0, line.find('\t'))];
    const std::vector<Byte> keys = memory_.read(keys_);
    if (pages_ != static_cast<int>(want.size())) return fmt::format("{} pages, expected {}", pages_, want.size());
    for (int p = 0; p < pages_; ++p) {
      const Int4 r = memory_.read(result_, static_cast<std::uint64_t>(p));
      if (r.x < 0 || r.y < 0 || static_cast<std::size_t>(r.x) + static_cast<std::size_t>(r.y) > keys.size())
        return fmt::format("page {} has no key", p);
      const std::string page(keys.begin() + r.x, keys.begin() + r.x + r.y);
      const auto found = want.find(page);
      if (found == want.end()) return fmt::format("page {} is '{}', which is not in the log or came before", p, page);
      if (found->second != r.z || r.w != 0)
        return fmt::format("page '{}' was seen {} times, expected {}", page, r.z, found->second);
      want.erase(found);
    }
    return "";
  }

  std::string text_;
  std::vector<Int4> records_;
  int capacity_ = 2, pages_ = -1;  ///< capacity: records, rounded up to a power of 2
  Buffer<Byte> data_, keys_;
  Buffer<Int4> input_, result_;
  std::array<Buffer<Int4>, 2> index_;  ///< of lines, of pages
  Scan sizes_, flags_;
};

}  // namespace

WorkloadEntry mars_pvc_entry() {
  return entry_of<PageViewCount>(
      {"mars_pvc",
       "Mars",
       "page view count: hashing, bitonic sorts of 16-byte descriptors with byte-wise comparison",
       "log lines of fields separated by tabs",
       {integer_parameter("lines", 16384, 4096, 512, 2, 1 << 17, "lines", "lines of the generated log")},
       "0.5 M WMI; full-line contrast to mars_sm"});
}

}  // namespace warpsieve::workloads
