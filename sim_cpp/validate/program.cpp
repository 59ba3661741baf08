#include "validate/program.h"

#include <bit>
#include <cstring>
#include <utility>

namespace warpsieve::validate {

namespace {

constexpr simt::Addr kBase = 0x10000000;
constexpr std::uint32_t kAll = 0xffffffff;

}  // namespace

simt::WarpInstr& WarpWriter::push(simt::Op op, std::uint32_t mask, std::uint32_t after) {
  simt::WarpInstr& i = out_.instrs.emplace_back();
  i.op = op;
  i.mask = mask;
  if (after != kNone) i.source[i.sources++] = after;
  if (op == simt::Op::load || op == simt::Op::store || op == simt::Op::atomic) {
    i.bytes = 4;
    i.payload = static_cast<std::uint32_t>(out_.addresses.size());
    i.values = static_cast<std::uint32_t>(out_.data.size());
  }
  return i;
}

std::uint32_t WarpWriter::load_one(std::uint64_t at, std::uint32_t after) {
  push(simt::Op::load, 1, after);
  out_.addresses.push_back(kBase + at);
  return last();
}

std::uint32_t WarpWriter::load(std::uint64_t at, std::uint64_t stride, std::uint32_t after) {
  push(simt::Op::load, kAll, after);
  for (unsigned l = 0; l < simt::kLanes; ++l) out_.addresses.push_back(kBase + at + l * stride);
  out_.pack(simt::kLanes);
  return last();
}

std::uint32_t WarpWriter::load(const Lanes& at, std::uint32_t after) {
  push(simt::Op::load, kAll, after);
  for (const std::uint64_t lane : at) out_.addresses.push_back(kBase + lane);
  out_.pack(simt::kLanes);
  return last();
}

std::uint32_t WarpWriter::store(std::uint64_t at, std::uint32_t after) {
  push(simt::Op::store, kAll, after);
  for (unsigned l = 0; l < simt::kLanes; ++l) {
    const auto word = static_cast<std::uint32_t>(at / 4 + l + 1);  // never what was there
    const auto bytes = std::bit_cast<std::array<std::uint8_t, 4>>(word);
    out_.addresses.push_back(kBase + at + 4 * l);
    out_.data.insert(out_.data.end(), bytes.begin(), bytes.end());
  }
  out_.pack(simt::kLanes);
  return last();
}

std::uint32_t WarpWriter::store(const Lanes& at, std::uint8_t bytes) {
  push(simt::Op::store, kAll, kNone).bytes = bytes;
  for (const std::uint64_t lane : at) {
    out_.addresses.push_back(kBase + lane);
    for (unsigned b = 0; b < bytes; ++b) out_.data.push_back(static_cast<std::uint8_t>(lane / 4 + b + 1));
  }
  out_.pack(simt::kLanes);
  return last();
}

std::uint32_t WarpWriter::add(const Lanes& at) {
  push(simt::Op::atomic, kAll, kNone).atomic = simt::AtomicOp::add_u32;
  const auto one = std::bit_cast<std::array<std::uint8_t, 4>>(std::uint32_t{1});
  for (const std::uint64_t lane : at) {
    out_.addresses.push_back(kBase + lane);
    out_.data.insert(out_.data.end(), one.begin(), one.end());
  }
  out_.pack(simt::kLanes);
  return last();
}

std::uint32_t WarpWriter::alu(std::uint32_t after) {
  push(simt::Op::alu, kAll, after);
  return last();
}

std::uint32_t WarpWriter::barrier() {
  push(simt::Op::barrier, kAll, kNone);
  return last();
}

std::uint32_t WarpWriter::shared(unsigned conflicts, std::uint32_t after) {
  simt::WarpInstr& i = push(simt::Op::shared, kAll, after);
  i.bytes = 4;
  i.detail[0] = static_cast<std::uint8_t>(conflicts - 1);  // passes behind the first
  return last();
}

class Program::OneLaunch final : public simt::Launch {
 public:
  explicit OneLaunch(Program& program) : program_(program) {}
  const simt::LaunchShape& shape() const override { return program_.shape_; }
  simt::BlockTrace run_block(std::uint32_t index) override {
    simt::BlockTrace block;
    block.block = index;
    block.warps.resize(program_.shape_.threads / simt::kLanes);
    for (std::uint32_t w = 0; w < block.warps.size(); ++w) {
      WarpWriter out(block.warps[w]);
      program_.write_(out, index, w);
      for (const simt::WarpInstr& i : block.warps[w].instrs) execute(block.warps[w], i);
    }
    return block;
  }

 private:
  void execute(const simt::WarpTrace& warp, const simt::WarpInstr& i) {
    if (i.op != simt::Op::store && i.op != simt::Op::atomic) return;
    const auto lanes = static_cast<unsigned>(std::popcount(i.mask));
    for (unsigned l = 0; l < lanes; ++l) {
      std::uint8_t* at = program_.image_.data() + (warp.address(i, l) - kBase);
      const std::uint8_t* operand = warp.data.data() + i.values + std::size_t{i.bytes} * l;
      if (i.op == simt::Op::store) {
        std::memcpy(at, operand, i.bytes);
        continue;
      }
      std::uint32_t sum = 0, added = 0;
      std::memcpy(&sum, at, 4);
      std::memcpy(&added, operand, 4);
      sum += added;
      std::memcpy(at, &sum, 4);
    }
  }

  Program& program_;
};

Program::Program(simt::LaunchShape shape, std::uint64_t bytes, WriteWarp write)
    : shape_(std::move(shape)), bytes_(bytes), write_(std::move(write)) {}

simt::Addr Program::base() const { return kBase; }

std::unique_ptr<simt::Launch> Program::next_launch() {
  if (std::exchange(launched_, true)) return nullptr;
  return std::make_unique<OneLaunch>(*this);
}

}  // namespace warpsieve::validate
