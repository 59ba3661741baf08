// mars_pvc (Mars page view count): counts the distinct log lines of every page. Map: hash each line and
// copy it; sort 16-byte descriptors by hash and then by the bytes they point to; drop repeated lines;
// map again with the page as the key; sort; count the runs. Bitonic sorts of whole descriptors use full
// lines, the comparisons gather single bytes.
#include <map>
#include <set>

#include "inputs/plain_text.h"
#include "workloads/common.h"
#include "workloads/mars_keys.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

std::string made_up_log(int lines, std::uint64_t seed) {
  inputs::Random random(seed);
  std::string text;
  for (int i = 0; i < lines; ++i)
    text += fmt::format("http://www.abcdefg.com/{}.html\t{}.{}.{}.{}\t{}\n", random.below(1024), random.below(256),
                        random.below(256), random.below(256), random.below(256), random.below(1000));
  return text;
}

class PageViewCount final : public MarsKeys {
 public:
  explicit PageViewCount(const Settings& s)
      : MarsKeys("mars_pvc"),
        text_(s.input().empty() ? made_up_log(s.count("lines"), s.seed()) : inputs::read_plain_text(s.input())) {
    std::size_t line = 1;
    for (std::size_t at = 0; at < text_.size(); ++line) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      if (text_.substr(at, end - at).find('\t') == std::string::npos)
        throw inputs::InputError(
            fmt::format("{}:{}: expected fields separated by tabs, found none", s.input(), line));
      records_.push_back({0, 0, static_cast<int>(at), static_cast<int>(end - at)});
      at = end + 1;
    }
  }

 private:
  void build() override {
    const auto n = records_.size();
    data_ = memory_.allocate("text", std::vector<Byte>(text_.begin(), text_.end()));
    input_ = memory_.allocate("records", records_);
    sizes_ = make_scan("sizes", n);
    flags_ = make_scan("flags", n);
    keys_ = memory_.allocate<Byte>("keys", text_.size());
    for (auto& index : index_) index = memory_.allocate<Int4>("index", power_of_2(n));
    result_ = memory_.allocate<Int4>("result", n);
  }

  HostCode host() override {
    const int n = static_cast<int>(records_.size());
    co_yield each("pvc_count", records_.size(), [input = input_, sizes = sizes_.in](Warp& w, const Vec<int>& i) {
      w.store(sizes, i, member(w.load(input, i), &Int4::w));
    });
    for (int step = 0; step < kScanSteps; ++step) co_yield scan(sizes_, step);
    co_yield map_lines(n);
    for (const auto& [k, j] : sort_steps(index_[0].count)) co_yield sort("pvc_sort", index_[0], k, j);
    co_yield mark_first("pvc_mark", index_[0], flags_.in);
    for (int step = 0; step < kScanSteps; ++step) co_yield scan(flags_, step);
    const int unique = flagged(flags_, n);
    co_yield map_pages();
    co_yield fill_up("pvc_fill", index_[1], unique);
    for (const auto& [k, j] : sort_steps(index_[1].count)) co_yield sort("pvc_sort", index_[1], k, j);
    co_yield mark_first("pvc_mark", index_[1], flags_.in);
    for (int step = 0; step < kScanSteps; ++step) co_yield scan(flags_, step);
    co_yield each_run("pvc_reduce", flags_, unique,
                      [=, this](Warp& w, const Vec<int>& run, const Vec<int>& first, const Vec<int>& end) {
                        const Key page(w.load(index_[1], first));
                        w.store(result_, run, quad(page.at, page.size, end - first, Vec<int>(0)));
                      });
    pages_ = flagged(flags_, unique);
  }

  /// Copies each line byte by byte, hashing it, and describes it.
  std::unique_ptr<KernelLaunch> map_lines(int n) {
    return each("pvc_map", index_[0].count, [=, this](Warp& w, const Vec<int>& i) {
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
                       hash = hashed(hash, c);
                       k += 1;
                     });
            w.store(index_[0], i, quad(to, size, final_hash(hash), i));
          },
          [&] { w.store(index_[0], i, quad(Vec<int>(0), Vec<int>(0), Vec<int>(kLast), i)); });
    });
  }

  /// The distinct lines, described by their first field.
  std::unique_ptr<KernelLaunch> map_pages() {
    return each("pvc_map_pages", flags_.in.count, [=, this](Warp& w, const Vec<int>& i) {
      w.if_(w.load(flags_.in, i) != 0, [&] {
        const Key line(w.load(index_[0], i));
        Vec<int> hash = 0, size = 0;
        w.loop_([&] {
          const Vec<Byte> c = w.load(keys_, line.at + size);
          w.break_if(c == Byte{'\t'});
          hash = hashed(hash, c);
          size += 1;
        });
        const Vec<int> to = w.load(flags_.out, i);
        w.store(index_[1], to, quad(line.at, size, final_hash(hash), to));
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
      const std::string page = key_of(keys, r);
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
  int pages_ = -1;
  Buffer<Byte> data_;
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
       "0.5 M WMI; full-line contrast to mars_sm"},
      {"1,000,000 log lines; 32,768 here for time", {{"lines", "32768"}}});
}

}  // namespace warpsieve::workloads
