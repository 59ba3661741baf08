// mummergpu (Rodinia): for every position of every read, the longest piece of the reference that matches there. One
// read per thread walks the reference's suffix tree: a node is two 16-byte records (edge, depth and suffix link;
// children), which lanes gather from all over the tree, next to byte loads of the read and of the reference. From one
// position to the next the walk follows the suffix link and skips what is known to match.
#include <algorithm>
#include <numeric>

#include "inputs/fasta.h"
#include "workloads/common.h"
#include "workloads/records.h"
#include "workloads/suffix_tree.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;
using Byte = std::uint8_t;

/// Bases in any order, with a tenth of the sequence made of copies of earlier pieces, as genomes have them.
std::string made_up_genome(int bases, std::uint64_t seed) {
  inputs::Random random(seed);
  std::string text;
  while (static_cast<int>(text.size()) < bases) {
    if (text.size() > 1000 && random.below(3000) == 0) {
      const std::size_t length = 50 + random.below(500);
      text += text.substr(random.below(static_cast<std::uint32_t>(text.size() - length)), length);
    } else {
      text += "ACGT"[random.below(4)];
    }
  }
  text.resize(static_cast<std::size_t>(bases));
  return text;
}

class MummerGpu final : public Program {
 public:
  explicit MummerGpu(const Settings& s)
      : Program("mummergpu"), reads_(s.count("reads")), length_(s.count("length")),
        reference_(s.input().empty() ? made_up_genome(s.count("bases"), s.seed()) : inputs::read_fasta(s.input())) {
    std::replace(reference_.begin(), reference_.end(), 'N', 'A');  // the tree has four children per node
    if (static_cast<int>(reference_.size()) <= length_)
      throw WorkloadError(fmt::format("mummergpu: a reference of {} bases: more than the {} of a read are expected",
                                      reference_.size(), length_));
    // Reads are pieces of the reference in which one base in 25 is wrong and one in 500 not known.
    inputs::Random random(s.seed() + 1);
    for (int r = 0; r < reads_; ++r) {
      std::string read = reference_.substr(
          random.below(static_cast<std::uint32_t>(reference_.size()) - static_cast<std::uint32_t>(length_)),
          static_cast<std::size_t>(length_));
      for (char& base : read) {
        if (random.below(25) == 0) base = "ACGT"[random.below(4)];
        if (random.below(500) == 0) base = 'N';
      }
      queries_ += read;
    }
  }

 private:
  void build() override {
    const SuffixTree tree(reference_);
    std::vector<Int4> edges, children;
    for (const SuffixTree::Node& node : tree.nodes) {
      edges.push_back({node.start, node.end - node.start, node.depth, node.link});
      children.push_back({node.child[0], node.child[1], node.child[2], node.child[3]});
    }
    edges_ = memory_.allocate("edges", edges);
    children_ = memory_.allocate("children", children);
    text_ = memory_.allocate("reference", std::vector<Byte>(reference_.begin(), reference_.end()));
    query_ = memory_.allocate("reads", std::vector<Byte>(queries_.begin(), queries_.end()));
    matches_ = memory_.allocate<Int2>("matches", queries_.size());
  }

  HostCode host() override {
    co_yield launch(
        "mummergpu_match", blocks_for(static_cast<std::uint64_t>(reads_), 256), 256,
        per_item(static_cast<std::uint64_t>(reads_), [this](Warp& w, const Vec<int>& read) { match_read(w, read); }),
        32);
  }

  /// Stores {where in the reference, how many bases} for each position, position by position for all reads.
  void match_read(Warp& w, const Vec<int>& read) const {
    Vec<int> node = 0, depth = 0;    // the walk is at this node, `depth` bases below the root
    Vec<int> length = 0, place = 0;  // bases known to match, and where they are in the reference
    const Vec<int> first = read * length_;
    for (const int i : w.range(0, length_)) {
      w.loop_([&] {
        w.break_if(depth >= length_ - i);
        const Vec<Byte> base = w.load(query_, first + i + depth);
        const Vec<Int4> children = w.load(children_, node);
        const Vec<int> child =
            select(base == Byte{'A'}, member(children, &Int4::x),
                   select(base == Byte{'C'}, member(children, &Int4::y),
                          select(base == Byte{'G'}, member(children, &Int4::z),
                                 select(base == Byte{'T'}, member(children, &Int4::w), Vec<int>(0)))));
        w.break_if(child == 0);
        const Vec<Int4> edge = w.load(edges_, child);
        const Vec<int> start = member(edge, &Int4::x), bases = member(edge, &Int4::y);
        Vec<int> same = min(max(length - depth, Vec<int>(1)), bases);
        w.while_([&] { return (same < bases) & (depth + same < length_ - i); },
                 [&] {
                   w.break_if(w.load(text_, start + same) != w.load(query_, first + i + depth + same));
                   same += 1;
                 });
        place = start - depth;
        length = max(length, depth + same);
        w.break_if((same < bases) | (member(edge, &Int4::w) < 0));  // inside of an edge, or at a leaf
        node = child;
        depth = member(edge, &Int4::z);
      });
      w.store(matches_, read + i * reads_, packed<Int2>(place, length));
      place += 1;
      length = max(length - 1, Vec<int>(0));
      node = member(w.load(edges_, node), &Int4::w);
      depth = max(depth - 1, Vec<int>(0));
    }
  }

  /// The longest match of a piece is with one of its neighbours in the order of all suffixes.
  std::string verify() override {
    const std::string_view text = reference_;
    std::vector<int> suffixes(text.size());
    std::iota(suffixes.begin(), suffixes.end(), 0);
    const auto from = [&](int at) { return text.substr(static_cast<std::size_t>(at)); };
    std::sort(suffixes.begin(), suffixes.end(), [&](int a, int b) { return from(a) < from(b); });
    const auto common = [](std::string_view a, std::string_view b) {
      return static_cast<int>(
          std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin())
              .first -
          a.begin());
    };
    const std::vector<Int2> matches = memory_.read(matches_);
    for (int r = 0; r < reads_; ++r)
      for (int i = 0; i < length_; ++i) {
        const std::string_view piece = std::string_view(queries_).substr(static_cast<std::size_t>(r * length_ + i),
                                                                         static_cast<std::size_t>(length_ - i));
        const auto next = std::lower_bound(suffixes.begin(), suffixes.end(), piece,
                                           [&](int at, std::string_view p) { return from(at) < p; });
        int longest = 0;
        if (next != suffixes.end()) longest = common(piece, from(*next));
        if (next != suffixes.begin()) longest = std::max(longest, common(piece, from(*std::prev(next))));
        const Int2 got = matches[static_cast<std::size_t>(i * reads_ + r)];
        if (got.y != longest)
          return fmt::format("read {}, position {}: {} bases match, expected {}", r, i, got.y, longest);
        if (longest > 0 &&
            (got.x < 0 || got.x >= static_cast<int>(text.size()) || common(piece, from(got.x)) < longest))
          return fmt::format("read {}, position {}: no match of {} bases at {}", r, i, longest, got.x);
      }
    return "";
  }

  int reads_, length_;
  std::string reference_, queries_;
  Buffer<Int4> edges_, children_;
  Buffer<Byte> text_, query_;
  Buffer<Int2> matches_;
};

}  // namespace

WorkloadEntry mummergpu_entry() {
  return entry_of<MummerGpu>(
      {"mummergpu",
       "Rodinia",
       "matching of reads with a suffix tree: 16-byte gathers of nodes, byte loads of reads and reference",
       "reference: FASTA",
       {size_parameter("bases", 65536, 16384, 2048, 1 << 22, "bases", "of the generated reference"),
        size_parameter("reads", 8192, 4096, 256, 1 << 18, "reads", "pieces of the reference with errors"),
        integer_parameter("length", 50, 25, 20, 2, 1000, "bases", "of a read")},
       "suffix-tree walk, 16-byte node gathers, byte queries"},
      {"NC_003997: 5.2 M bases, 50,000 reads; 524,288 bases here for memory",
       {{"bases", "524288"}, {"reads", "50000"}}});
}

}  // namespace warpsieve::workloads
