// mars_ss (Mars similarity score): the cosine of every pair of documents, sorted. The map step reads two
// rows with 16 bytes per lane and makes three dot products; a bitonic sort of 16-byte descriptors follows.
#include <limits>

#include "workloads/common.h"
#include "workloads/mars.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kScoreLast = std::numeric_limits<int>::max();  ///< score of the entries that fill the array up

class SimilarityScore final : public Mars {
 public:
  explicit SimilarityScore(const Settings& s)
      : Mars("mars_ss"), documents_(s.count("documents")), features_(s.count("features")) {
    if (features_ % 4 != 0)
      throw WorkloadError(fmt::format("mars_ss.features = '{}': a multiple of 4 is expected", features_));
    values_ = uniform_floats(static_cast<std::size_t>(documents_) * static_cast<std::size_t>(features_), s.seed());
    for (int i = 0; i < documents_; ++i)
      for (int j = i + 1; j < documents_; ++j) pairs_.push_back({i, j});
    while (capacity_ < pairs_.size()) capacity_ *= 2;
  }

 private:
  void build() override {
    const Buffer<float> rows = memory_.allocate("documents", values_);
    document_ = {rows.base, rows.count / 4, rows.name};
    pair_ = memory_.allocate("records", pairs_);
    index_ = memory_.allocate<Int4>("index", capacity_);
  }

  HostCode host() override {
    co_yield map();
    for (const auto& [k, j] : sort_steps(capacity_))
      co_yield sort_step("mars_ss_sort", index_, k, j, [](Warp&, const Vec<Int4>& a, const Vec<Int4>& b) {
        const Vec<int> x = member(a, &Int4::x), y = member(b, &Int4::x);
        return (x < y) | ((x == y) & (member(a, &Int4::y) < member(b, &Int4::y)));
      });
  }

  /// Descriptors {score, pair, first document, second document}; scores are positive floats, which
  /// sort as the integers of the same bits.
  std::unique_ptr<KernelLaunch> map() {
    return launch(
        "mars_ss_map", blocks_for(capacity_, 256), 256,
        per_item(capacity_,
                 [quads = features_ / 4, n = static_cast<int>(pairs_.size()), document = document_, pair = pair_,
                  index = index_](Warp& w, const Vec<int>& i) {
                   w.if_else_(
                       i < n,
                       [&] {
                         const Vec<Int2> its = w.load(pair, i);
                         const Vec<int> a = member(its, &Int2::x), b = member(its, &Int2::y);
                         Vec<float> ab = 0.0f, aa = 0.0f, bb = 0.0f;
                         for (const int k : w.range(0, quads)) {
                           const Vec<Float4> x = w.load(document, a * quads + k), y = w.load(document, b * quads + k);
                           for (const auto m : {&Float4::x, &Float4::y, &Float4::z, &Float4::w}) {
                             const Vec<float> u = member(x, m), v = member(y, m);
                             ab = mad(u, v, ab);
                             aa = mad(u, u, aa);
                             bb = mad(v, v, bb);
                           }
                         }
                         const Vec<float> score = ab / sqrt(aa * bb);
                         std::array<int, kLanes> bits;
                         for (unsigned l = 0; l < kLanes; ++l) bits[l] = std::bit_cast<int>(score[l]);
                         w.store(index, i, quad(Vec<int>(bits, score.producer()), i, a, b));
                       },
                       [&] { w.store(index, i, quad(Vec<int>(kScoreLast), i, Vec<int>(-1), Vec<int>(-1))); });
                 }),
        28);
  }

  std::string verify() override {
    const auto row = [this](int d) { return values_.data() + static_cast<std::ptrdiff_t>(d) * features_; };
    const std::vector<Int4> index = memory_.read(index_);
    std::vector<bool> seen(pairs_.size(), false);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Int4& e = index[i];
      const auto p = static_cast<std::size_t>(e.y);
      if (e.y < 0 || p >= pairs_.size() || seen[p] || pairs_[p] != Int2{e.z, e.w})
        return fmt::format("place {} holds no pair, or one that came before", i);
      seen[p] = true;
      if (i > 0 && index[i - 1].x > e.x) return fmt::format("place {} is smaller than the one before", i);
      double ab = 0, aa = 0, bb = 0;
      for (int f = 0; f < features_; ++f) {
        const double u = row(e.z)[f], v = row(e.w)[f];
        ab += u * v, aa += u * u, bb += v * v;
      }
      const double got = std::bit_cast<float>(e.x), want = ab / std::sqrt(aa * bb);
      if (!(std::fabs(got - want) <= 1e-5)) return fmt::format("score of pair {} is {}, expected {}", e.y, got, want);
    }
    return "";
  }

  int documents_, features_;
  std::size_t capacity_ = 2;  ///< pairs, rounded up to a power of 2
  std::vector<float> values_;
  std::vector<Int2> pairs_;
  Buffer<Float4> document_;
  Buffer<Int2> pair_;
  Buffer<Int4> index_;
};

}  // namespace

WorkloadEntry mars_ss_entry() {
  return entry_of<SimilarityScore>(
      {"mars_ss",
       "Mars",
       "cosine of every pair of documents: 16-byte loads, then a bitonic sort",
       "",
       {integer_parameter("documents", 256, 128, 32, 2, 1024, "documents", "documents (1024 in the original)"),
        integer_parameter("features", 128, 128, 32, 4, 4096, "features", "of a document, a multiple of 4")},
       "0.32 M WMI"},
      {"1,024 documents of 256 features; 512 here for time", {{"documents", "512"}, {"features", "256"}}});
}

}  // namespace warpsieve::workloads
