// Digests by OpenSSL and the small arithmetic shared by model and tests.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "blocks/md5/md5_core.h"

namespace warpsieve::md5 {

namespace {

unsigned checked_steps(unsigned steps) {
  if (steps != 1 && steps != 2 && steps != 4) {
    throw std::invalid_argument(fmt::format("md5: {} steps per cycle: expected 1, 2 or 4", steps));
  }
  return steps;
}

/// One context per thread: EVP_Digest would allocate one for every line. The algorithm is looked up once, under a
/// lock of the library; after that EVP_DigestInit_ex() is called without it. nullptr: the library has no MD5.
EVP_MD_CTX* context() {
  struct Owner {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    bool ready = EVP_DigestInit_ex(context, EVP_md5(), nullptr) == 1;
    ~Owner() { EVP_MD_CTX_free(context); }
  };
  thread_local Owner owner;
  return owner.ready ? owner.context : nullptr;
}

}  // namespace

Digest md5_digest(std::span<const std::uint8_t> message) {
  Digest digest;
  EVP_MD_CTX* const ctx = context();
  if (!ctx || EVP_DigestInit_ex(ctx, nullptr, nullptr) != 1 ||
      EVP_DigestUpdate(ctx, message.data(), message.size()) != 1 ||
      EVP_DigestFinal_ex(ctx, digest.data(), nullptr) != 1) {
    throw std::runtime_error("md5: OpenSSL refuses MD5");
  }
  return digest;
}

Digest line_digest(std::uint8_t mask, const std::array<std::uint8_t, kLineBytes>& data) {
  std::array<std::uint8_t, kLineBytes + 1> message;
  std::size_t length = 0;
  for (unsigned sector = 0; sector < kSectors; ++sector) {
    if (mask >> sector & 1) {
      std::copy_n(data.begin() + sector * kSectorBytes, kSectorBytes, message.begin() + length);
      length += kSectorBytes;
    }
  }
  message[length++] = mask & 0xf;
  return md5_digest({message.data(), length});
}

unsigned line_chunks(std::uint8_t mask) {
  // 1 byte of mask, 1 of padding, 8 of length: 10 bytes behind the sectors.
  return (static_cast<unsigned>(std::popcount(static_cast<unsigned>(mask & 0xf))) * kSectorBytes + 10 + 63) / 64;
}

unsigned md5_block_cycles(const Md5CoreParams& params) {
  const unsigned steps = checked_steps(params.steps_per_cycle);
  if (params.fold_in_steps && steps != 1) {
    throw std::invalid_argument(fmt::format("md5: fold_in_steps needs 1 step per cycle, not {}", steps));
  }
  return 64 / steps + (params.fold_in_steps ? 0 : 1);
}

unsigned md5_last_block_latency(const Md5CoreParams& params) {
  // First words, all steps; then the digest is complete, or its last addition is passed on as it is made.
  return md5_block_cycles(params) + (params.fold_in_steps ? 1 : 0);
}

unsigned line_hash_latency(const LineHasherParams& params, std::uint8_t mask) {
  const Md5CoreParams core{params.steps_per_cycle, params.steps_per_cycle == 1};
  return 1 + (line_chunks(mask) - 1) * md5_block_cycles(core) + md5_last_block_latency(core);
}

std::vector<Md5Block> md5_blocks(std::span<const std::uint8_t> message) {
  std::vector<std::uint8_t> bytes(message.begin(), message.end());
  bytes.push_back(0x80);
  while (bytes.size() % 64 != 56) bytes.push_back(0);
  for (unsigned i = 0; i < 8; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(std::uint64_t{message.size()} * 8 >> (8 * i)));
  }
  std::vector<Md5Block> blocks(bytes.size() / 64);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(64 * i), 64, blocks[i].bytes.begin());
    blocks[i].more = i + 1 < blocks.size();
  }
  return blocks;
}

std::string describe(const LineHashReq& req) {
  return fmt::format("mask {:#x} data {:02x}", req.mask, fmt::join(req.data, ""));
}
std::string describe(const LineHashRsp& rsp) { return fmt::format("{:02x}", fmt::join(rsp.digest, "")); }
std::string describe(const Md5Block& block) {
  return fmt::format("more {} bytes {:02x}", block.more, fmt::join(block.bytes, ""));
}

}  // namespace warpsieve::md5
