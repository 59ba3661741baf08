// mars_sm (Mars string match): finds a keyword in text records of about 1 KB. One record per thread,
// one byte per step: lanes are a record apart, so a load touches 32 lines and every sector is visited
// 32 times. Count pass, prefix sums, then a second pass that emits each match byte by byte.
#include "inputs/plain_text.h"
#include "workloads/common.h"
#include "workloads/mars_keys.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kMatchRecord = 1024;

/// Random words of 2 to 12 letters, one in 4096 of them the keyword.
std::string made_up_text(int kilobytes, const std::string& keyword, std::uint64_t seed) {
  inputs::Random random(seed);
  std::string text;
  while (text.size() < static_cast<std::size_t>(kilobytes) * kMatchRecord) {
    if (random.below(4096) == 0)
      text += keyword;
    else
      for (std::uint32_t k = 2 + random.below(11); k > 0; --k) text += static_cast<char>('a' + random.below(26));
    text += random.below(12) == 0 ? '\n' : ' ';
  }
  return text;
}

class StringMatch final : public MarsKeys {
 public:
  explicit StringMatch(const Settings& s)
      : MarsKeys("mars_sm"), text_(s.input().empty() ? made_up_text(s.count("kilobytes"), s.text("keyword"), s.seed())
                                                     : inputs::read_plain_text(s.input())),
        keyword_(s.text("keyword")) {
    if (!is_blank(text_.back())) text_ += '\n';
    records_ = cut_records(text_, kMatchRecord, is_blank);
    for (std::size_t at = 0; at < text_.size();) {  // the host knows how much to allocate
      std::size_t end = at;
      while (!is_blank(text_[end])) ++end;
      if (text_.compare(at, end - at, keyword_) == 0) expected_.push_back(static_cast<int>(at));
      at = end + 1;
    }
    key_.assign(keyword_.begin(), keyword_.end());
  }

 private:
  void build() override {
    const std::size_t matches = std::max<std::size_t>(expected_.size(), 1);
    data_ = memory_.allocate("text", std::vector<Byte>(text_.begin(), text_.end()));
    input_ = memory_.allocate("records", records_);
    make_output(records_.size(), matches, matches * keyword_.size());
    index_ = memory_.allocate<Int4>("index", matches);
  }

  HostCode host() override {
    co_yield pass("mars_sm_count",
                  [this](Warp& w, const Vec<int>& record, const Emitted& e) { count(w, record, e); });
    for (const Scan* s : output_scans())
      for (int step = 0; step < kScanSteps; ++step) co_yield scan(*s, step);
    co_yield pass("mars_sm_map", [](Warp&, const Vec<int>&, const Emitted&) {});
  }

  /// Both passes walk the records; the second one emits.
  template <class F>
  std::unique_ptr<KernelLaunch> pass(const char* name, F finish) {
    const bool emits = std::string_view(name).ends_with("map");
    const int n = static_cast<int>(records_.size());
    return launch(
        name, blocks_for(records_.size(), 256), 256,
        [=, this](Warp& w) {
          const Vec<int> record = w.global_thread();
          w.exit_if(record >= n);
          const Vec<Int4> its = w.load(input_, record);
          const Vec<int> first = member(its, &Int4::z), end = first + member(its, &Int4::w);
          const int length = static_cast<int>(keyword_.size());
          Emitted matches;
          Vec<int> word = first, at = first;
          w.while_([&] { return at < end; },
                   [&] {
                     const Vec<Byte> c = w.load(data_, at);
                     const Mask blank = (c == Byte{' '}) | (c == Byte{'\n'}) | (c == Byte{'\t'}) | (c == Byte{'\r'});
                     w.if_(blank, [&] {
                       w.if_(at - word == length, [&] {
                         w.if_(same(w, word), [&] {
                           if (emits) {
                             const Pair p = emit(w, record, matches, data_, word, Vec<int>(length), word);
                             w.store(index_, p.number, quad(p.key_at, Vec<int>(length), p.value_at, Vec<int>(4)));
                           } else {
                             matches.pairs += 1;
                             matches.key_bytes += length;
                           }
                         });
                       });
                       word = at + 1;
                     });
                     at += 1;
                   });
          finish(w, record, matches);
        },
        20);
  }

  /// Lanes whose word of the right length is the keyword; all lanes compare in step.
  Mask same(Warp& w, const Vec<int>& word) {
    const Constant<Byte> key{key_, "keyword"};
    Vec<int> at = word;
    int k = 0;
    w.while_([&] { return at < word + static_cast<int>(key_.size()); },
             [&] {
               w.break_if(w.load(data_, at) != w.load(key, static_cast<std::size_t>(k++)));
               at += 1;
             });
    return at == word + static_cast<int>(key_.size());
  }

  std::string verify() override {
    const std::vector<Byte> keys = memory_.read(keys_), values = memory_.read(values_);
    const std::vector<Int4> index = memory_.read(index_);
    const int length = static_cast<int>(keyword_.size());
    for (std::size_t m = 0; m < expected_.size(); ++m) {
      const int number = static_cast<int>(m);
      if (index[m] != Int4{number * length, length, number * 4, 4})
        return fmt::format("match {} has a wrong index entry", m);
      if (std::string(keys.begin() + number * length, keys.begin() + (number + 1) * length) != keyword_)
        return fmt::format("match {} has a wrong key", m);
      int at = 0;
      for (std::size_t k = 4; k-- > 0;) at = at << 8 | values[4 * m + k];
      if (at != expected_[m]) return fmt::format("match {} is at byte {}, expected {}", m, at, expected_[m]);
    }
    std::vector<int> counts(records_.size(), 0);
    std::size_t record = 0;
    for (const int at : expected_) {
      while (at >= records_[record].z + records_[record].w) ++record;
      ++counts[record];
    }
    return mismatch("matches of record", memory_.read(pairs_.in), counts);
  }

  std::string text_, keyword_;
  std::vector<Byte> key_;
  std::vector<Int4> records_;
  std::vector<int> expected_;  ///< where the keyword stands in the text
  Buffer<Byte> data_;
  Buffer<Int4> input_, index_;
};

}  // namespace

WorkloadEntry mars_sm_entry() {
  return entry_of<StringMatch>(
      {"mars_sm",
       "Mars",
       "string match: one byte per lane and line, every sector visited 32 times",
       "any text",
       {size_parameter("kilobytes", 4096, 1024, 64, 1 << 18, "KB", "size of the generated text"),
        choice_parameter("keyword", "memory", {"memory", "kernel", "column", "warp"}, "what is searched for")},
       "0.28 M WMI; partial consistent accesses"},
      {"1 MB of text; 4 MB here: four times the L2 of machine dpc", {{"kilobytes", "4096"}}});
}

}  // namespace warpsieve::workloads
