// copy (own): a copy of an input's contents and a copy of the copy, 4 bytes per lane. It shows what a scheme makes of
// the contents themselves: every line is read and written once per launch, whatever a kernel would do with it.
#include <cstring>

#include "inputs/natural.h"
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

class Copy final : public Program {
 public:
  explicit Copy(const Settings& s) : Program("copy") {
    const inputs::Contents contents =
        s.input().empty() ? inputs::fitted_contents(s.text("kind"), s.seed()) : inputs::read_contents(s.input());
    const std::string bytes = inputs::sample(contents.bytes, 1024 * static_cast<std::size_t>(s.count("kilobytes")));
    words_.resize(bytes.size() / sizeof(std::uint32_t));
    std::memcpy(words_.data(), bytes.data(), words_.size() * sizeof(std::uint32_t));
    if (words_.empty()) throw WorkloadError(fmt::format("at least 4 bytes are expected, found {}", bytes.size()));
  }

 private:
  void build() override {
    from_ = memory_.allocate("contents", words_);
    first_ = memory_.allocate<std::uint32_t>("first_copy", words_.size());
    second_ = memory_.allocate<std::uint32_t>("second_copy", words_.size());
  }

  HostCode host() override {
    co_yield make_copy(memory_, first_, from_);
    co_yield make_copy(memory_, second_, first_);
  }

  std::string verify() override {
    std::string wrong = mismatch("first copy", memory_.read(first_), words_);
    return wrong.empty() ? mismatch("second copy", memory_.read(second_), words_) : wrong;
  }

  std::vector<std::uint32_t> words_;
  Buffer<std::uint32_t> from_, first_, second_;
};

}  // namespace

WorkloadEntry copy_entry() {
  return entry_of<Copy>(
      {"copy",
       "own",
       "a copy of an input's contents, and a copy of the copy: what a scheme makes of the contents",
       "any input: what inputs stat reads; of graphs the heads of the arcs",
       {choice_parameter("kind", "photograph", inputs::fitted_kinds(), "generator, fitted to a real file"),
        size_parameter("kilobytes", 4096, 1024, 64, 1 << 20, "KB", "contents at most, as 64 pieces of the input")}},
      {"no benchmark: three times an L2 of 4 MB with its copies", {{"kind", "table"}, {"kilobytes", "4096"}}});
}

}  // namespace warpsieve::workloads
