// mars_pvr (Mars page view rank): orders pages by how often they were seen. The map step copies two ints per page
// to the keys and values; a bitonic sort of 16-byte descriptors gathers the 4-byte keys they point to.
#include <algorithm>
#include <numeric>

#include "workloads/common.h"
#include "workloads/mars.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kMaxViews = 1 << 30;

/// Views and number of each page.
std::vector<Int2> make_pages(int count, std::uint64_t seed) {
  inputs::Random random(seed);
  std::vector<Int2> pages;
  for (int i = 0; i < count; ++i) {
    const double skew = random.real() * random.real();
    pages.push_back({1 + static_cast<int>(skew * skew * 10000), i});
  }
  return pages;
}

/// Lines "page TAB views", as mars_pvc finds them; a page is its line number from 0.
std::vector<Int2> read_pages(const std::string& path) {
  const std::string text = inputs::read_file(path);
  inputs::TextReader reader(path, text);
  std::vector<Int2> pages;
  while (!reader.at_end()) {
    if (reader.word().empty() || reader.line_ended()) reader.fail_here("a page and how often it was seen");
    pages.push_back({static_cast<int>(reader.integer_here("how often the page was seen", 0, kMaxViews)),
                     static_cast<int>(pages.size())});
    reader.expect_line_end("the next page on a line of its own");
  }
  if (pages.empty()) reader.fail("a page and how often it was seen", "no line with one");
  return pages;
}

class PageViewRank final : public Mars {
 public:
  explicit PageViewRank(const Settings& s)
      : Mars("mars_pvr"), pages_(s.input().empty() ? make_pages(s.count("pages"), s.seed()) : read_pages(s.input())) {
    while (capacity_ < pages_.size()) capacity_ *= 2;
  }

 private:
  void build() override {
    input_ = memory_.allocate("pages", pages_);
    sizes_ = make_scan("sizes", pages_.size());
    keys_ = memory_.allocate<int>("keys", capacity_);
    values_ = memory_.allocate<int>("values", capacity_);
    index_ = memory_.allocate<Int4>("index", capacity_);
    ranked_ = memory_.allocate<int>("ranked", pages_.size());
  }

  HostCode host() override {
    co_yield each("mars_pvr_count", pages_.size(),
                  [sizes = sizes_.in](Warp& w, const Vec<int>& i) { w.store(sizes, i, Vec<int>(1)); });
    for (int step = 0; step < kScanSteps; ++step) co_yield scan(sizes_, step);
    co_yield map();
    for (const auto& [k, j] : sort_steps(capacity_))
      co_yield sort_step(
          "mars_pvr_sort", index_, k, j, [keys = keys_](Warp& w, const Vec<Int4>& a, const Vec<Int4>& b) {
            const Vec<int> x = w.load(keys, member(a, &Int4::x) >> 2), y = w.load(keys, member(b, &Int4::x) >> 2);
            return (x > y) | ((x == y) & (member(a, &Int4::x) < member(b, &Int4::x)));
          });
    co_yield each("mars_pvr_rank", pages_.size(),
                  [values = values_, index = index_, ranked = ranked_](Warp& w, const Vec<int>& i) {
                    w.store(ranked, i, w.load(values, member(w.load(index, i), &Int4::z) >> 2));
                  });
  }

  /// Descriptors {key's first byte, 4, value's first byte, 4}; those that fill the array up point to keys of -1.
  std::unique_ptr<KernelLaunch> map() {
    return each("mars_pvr_map", capacity_,
                [=, this, n = static_cast<int>(pages_.size())](Warp& w, const Vec<int>& i) {
                  Vec<int> to = i, views = -1, page = -1;
                  w.if_(i < n, [&] {
                    const Vec<Int2> its = w.load(input_, i);
                    to = w.load(sizes_.out, i);
                    views = member(its, &Int2::x);
                    page = member(its, &Int2::y);
                  });
                  w.store(keys_, to, views);
                  w.store(values_, to, page);
                  w.store(index_, to, quad(to << 2, Vec<int>(4), to << 2, Vec<int>(4)));
                });
  }

  std::string verify() override {
    std::vector<int> want(pages_.size());
    std::iota(want.begin(), want.end(), 0);
    std::stable_sort(want.begin(), want.end(), [&](int a, int b) {
      return pages_[static_cast<std::size_t>(a)].x > pages_[static_cast<std::size_t>(b)].x;
    });
    return mismatch("page of rank", memory_.read(ranked_), want);
  }

  std::vector<Int2> pages_;
  std::uint64_t capacity_ = 2;  ///< pages, rounded up to a power of 2
  Buffer<Int2> input_;
  Buffer<int> keys_, values_, ranked_;
  Buffer<Int4> index_;
  Scan sizes_;
};

}  // namespace

WorkloadEntry mars_pvr_entry() {
  return entry_of<PageViewRank>(
      {"mars_pvr",
       "Mars",
       "page view rank: a bitonic sort of 16-byte descriptors that gathers its 4-byte keys",
       "lines of a page and how often it was seen",
       {integer_parameter("pages", 16384, 4096, 512, 2, 1 << 17, "pages", "how many to rank")},
       "16 k records; copies two ints, then sorts"},
      {"1,000,000 log lines; 131,072 here for time", {{"pages", "131072"}}});
}

}  // namespace warpsieve::workloads
