// mars_ii (Mars inverted index): which pieces of a collection of web pages hold each link. A state machine goes
// through pieces of about 1 KB, one byte per lane and step, ends each link with a 0 and hashes it; a sort brings
// equal links together, and the last kernel writes their lists.
#include <algorithm>
#include <map>

#include "inputs/plain_text.h"
#include "workloads/common.h"
#include "workloads/mars_grouped.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kPiece = 1024;
constexpr std::string_view kLinkStart = "<a href=\"";  ///< its first byte does not come again in it
constexpr int kInLink = static_cast<int>(kLinkStart.size());

/// Lines of words, tags and links to 512 pages, some of which are linked more often.
std::string made_up_pages(int kilobytes, std::uint64_t seed) {
  inputs::Random random(seed);
  std::string text;
  while (text.size() < static_cast<std::size_t>(kilobytes) * 1024) {
    const std::uint32_t kind = random.below(24);
    if (kind == 0) {
      const double skew = random.real() * random.real();
      text += fmt::format("<a href=\"http://www.site{}.com/{}.html\">", random.below(8), static_cast<int>(skew * 64));
    } else if (kind < 3) {
      text += kind == 1 ? "<b>" : "<a name=\"x\">";
    }
    for (std::uint32_t k = 2 + random.below(9); k > 0; --k) text += static_cast<char>('a' + random.below(26));
    text += random.below(12) == 0 ? '\n' : ' ';
  }
  return text;
}

std::string read_or_make_pages(const Settings& s) {
  std::string text =
      s.input().empty() ? made_up_pages(s.count("kilobytes"), s.seed()) : inputs::read_plain_text(s.input());
  if (text.back() != '\n') text += '\n';
  return text;
}

class InvertedIndex final : public MarsGrouped {
 public:
  explicit InvertedIndex(const Settings& s) : InvertedIndex(s.input(), read_or_make_pages(s)) {}

 private:
  InvertedIndex(const std::string& file, const std::string& text)
      : MarsGrouped("mars_ii", file, text, cut_records(text, kPiece, [](char c) { return c == '\n'; })) {}

  void build() override {
    MarsGrouped::build();
    lists_ = memory_.allocate<int>("lists", expected_.size());
  }

  /// The state is how much of the start of a link has been seen; a table in constant memory says what comes next.
  void step(Warp& w, Walk& walk, const Vec<Byte>& byte) const override {
    const Vec<int> c = to<int>(byte);
    w.if_else_(
        walk.state == kInLink,
        [&] {
          w.if_else_(
              c == '"',
              [&] {
                terminate(w, walk);
                found(w, walk);
                walk.state = 0;
              },
              [&] { walk.hash = hashed(walk.hash, byte); });
        },
        [&] {
          const Vec<int> next = Vec<int>::map(Op::constant, 1, walk.state, walk.state, [](int state, int) {
            return state < kInLink ? int{kLinkStart[static_cast<std::size_t>(state)]} : 0;
          });
          walk.state = select(c == next, walk.state + 1, select(c == '<', Vec<int>(1), Vec<int>(0)));
          walk.start = walk.at + 1;
          walk.hash = 0;
        });
  }
  Vec<int> value(const Walk& walk) const override { return walk.record; }

  /// A descriptor per link, and its pieces side by side.
  std::unique_ptr<KernelLaunch> reduce(const std::string& kernel) override {
    return each_run(kernel, flags_, pairs(),
                    [=, this, values = values_as_ints()](Warp& w, const Vec<int>& run, const Vec<int>& first,
                                                         const Vec<int>& end) {
                      Vec<int> i = first;
                      w.while_([&] { return i < end; },
                               [&] {
                                 w.store(lists_, i, w.load(values, member(w.load(index_, i), &Int4::w)));
                                 i += 1;
                               });
                      const Key link(w.load(index_, first));
                      w.store(result_, run, quad(link.at, link.size, first, end - first));
                    });
  }

  std::vector<std::string> keys_in(std::string_view piece) const override {
    std::vector<std::string> links;
    for (std::size_t at = piece.find(kLinkStart); at != std::string_view::npos;) {
      const std::size_t start = at + kLinkStart.size(), end = piece.find('"', start);
      if (end == std::string_view::npos) break;
      links.emplace_back(piece.substr(start, end - start));
      at = piece.find(kLinkStart, end);
    }
    return links;
  }

  std::string verify() override {
    std::map<std::string, std::vector<int>> want;
    for (const auto& [link, piece] : expected_) want[link].push_back(piece);
    const std::vector<int> lists = memory_.read(lists_);
    return check_groups(want, [&](const std::vector<int>& pieces, const Int4& r) -> std::string {
      if (r.z < 0 || r.w < 0 || static_cast<std::size_t>(r.z) + static_cast<std::size_t>(r.w) > lists.size())
        return "has no list";
      std::vector<int> got(lists.begin() + r.z, lists.begin() + r.z + r.w);
      std::sort(got.begin(), got.end());
      return mismatch("has a list whose entry", got, pieces);
    });
  }

  Buffer<int> lists_;
};

}  // namespace

WorkloadEntry mars_ii_entry() {
  return entry_of<InvertedIndex>(
      {"mars_ii",
       "Mars",
       "inverted index: a byte-wise state machine over pieces of web pages, links hashed and sorted",
       "any text with HTML links",
       {size_parameter("kilobytes", 1024, 256, 32, 1 << 16, "KB", "size of the generated pages")},
       "pieces of about 1 KB; sorted"},
      {"28 MB of HTML; 8 MB here for time", {{"kilobytes", "8192"}}});
}

}  // namespace warpsieve::workloads
