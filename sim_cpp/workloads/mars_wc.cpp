// mars_wc (Mars word count): how often each word of more than 6 letters occurs. Records of about 2 KB, one byte per
// lane and step, a 0 written behind every word; then a sort of 16-byte descriptors in which most comparisons are
// between equal words, and sums over the runs.
#include <map>

#include "workloads/common.h"
#include "workloads/mars_grouped.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kWordRecord = 2048, kShort = 6;  ///< bytes; words of at most so many letters are not counted

/// Words of a vocabulary, the first ones more often, as in any language.
std::string made_up_prose(int kilobytes, int vocabulary, std::uint64_t seed) {
  inputs::Random random(seed);
  std::vector<std::string> words(static_cast<std::size_t>(vocabulary));
  for (std::string& word : words)
    for (std::uint32_t k = 2 + random.below(11); k > 0; --k) word += static_cast<char>('a' + random.below(26));
  std::string text;
  while (text.size() < static_cast<std::size_t>(kilobytes) * 1024) {
    const double skew = random.real() * random.real();
    text += words[static_cast<std::size_t>(skew * vocabulary)];
    text += random.below(12) == 0 ? '\n' : ' ';
  }
  return text;
}

std::string read_or_make_text(const Settings& s) {
  std::string text = s.input().empty() ? made_up_prose(s.count("kilobytes"), s.count("vocabulary"), s.seed())
                                       : inputs::read_file(s.input());
  if (!is_blank(text.back())) text += '\n';
  return text;
}

class WordCount final : public MarsGrouped {
 public:
  explicit WordCount(const Settings& s) : WordCount(s.input(), read_or_make_text(s)) {}

 private:
  WordCount(const std::string& file, const std::string& text)
      : MarsGrouped("mars_wc", file, text, cut_records(text, kWordRecord, is_blank)) {}

  void step(Warp& w, Walk& walk, const Vec<Byte>& c) const override {
    const Mask blank = (c == Byte{' '}) | (c == Byte{'\n'}) | (c == Byte{'\t'}) | (c == Byte{'\r'});
    w.if_else_(
        blank,
        [&] {
          w.if_(walk.at > walk.start, [&] {
            terminate(w, walk);
            w.if_(walk.at - walk.start > kShort, [&] { found(w, walk); });
          });
          walk.start = walk.at + 1;
          walk.hash = 0;
        },
        [&] { walk.hash = hashed(walk.hash, c); });
  }
  Vec<int> value(const Walk&) const override { return 1; }

  std::unique_ptr<KernelLaunch> reduce(const std::string& kernel) override {
    return each_run(kernel, flags_, pairs(),
                    [=, this, values = values_as_ints()](Warp& w, const Vec<int>& run, const Vec<int>& first,
                                                         const Vec<int>& end) {
                      Vec<int> sum = 0, i = first;
                      w.while_([&] { return i < end; },
                               [&] {
                                 sum += w.load(values, member(w.load(index_, i), &Int4::w));
                                 i += 1;
                               });
                      const Key word(w.load(index_, first));
                      w.store(result_, run, quad(word.at, word.size, sum, Vec<int>(0)));
                    });
  }

  std::vector<std::string> keys_in(std::string_view record) const override {
    std::vector<std::string> words(1);
    for (const char c : record)
      if (is_blank(c))
        words.emplace_back();
      else
        words.back() += c;
    std::erase_if(words, [](const std::string& word) { return word.size() <= kShort; });
    return words;
  }

  std::string verify() override {
    std::map<std::string, int> want;
    for (const auto& [word, record] : expected_) ++want[word];
    return check_groups(want, [](int times, const Int4& r) {
      return r.z == times ? "" : fmt::format("was counted {} times, expected {}", r.z, times);
    });
  }
};

}  // namespace

WorkloadEntry mars_wc_entry() {
  return entry_of<WordCount>(
      {"mars_wc",
       "Mars",
       "word count: one byte per lane, terminators written into the text, a sort full of equal keys",
       "any text",
       {size_parameter("kilobytes", 512, 128, 16, 1 << 16, "KB", "size of the generated text"),
        size_parameter("vocabulary", 4000, 2000, 200, 1 << 20, "words", "different words in the generated text")},
       "records of about 2 KB; sorted"},
      {"88 KB of text", {}});
}

}  // namespace warpsieve::workloads
