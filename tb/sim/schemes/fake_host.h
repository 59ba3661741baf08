// A partition of test: drives one ControllerPath with random reads and writes under random back-pressure and
// compares every byte with a golden map. DRAM answers late and in any order, except that the order of requests to
// one sector is kept; both queues refuse at random; the L2 holds nothing.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "memsys/ports.h"

namespace warpsieve::tb {

struct HostOptions {
  std::uint32_t lines = 256;
  unsigned seed = 1;
  unsigned refuse = 30;       ///< percent of DRAM requests refused
  unsigned latency = 60;      ///< cycles, at most
  bool flip_a_bit = false;    ///< plant: one bit of one DRAM read of a data line is wrong
  bool lose_a_write = false;  ///< plant: one DRAM write of a data line does not happen
};

class FakeHost final : public memsys::PathOwner {
 public:
  using Sector = std::array<std::uint8_t, memsys::kSectorBytes>;

  FakeHost(memsys::Scheme& scheme, const HostOptions& options) : options_(options), random_(options.seed) {
    for (memsys::LocalLine line; line < options.lines; ++line)
      for (unsigned s = 0; s < memsys::kSectors; ++s) {
        Sector content;
        for (unsigned b = 0; b < content.size(); ++b)
          content[b] = static_cast<std::uint8_t>(line * 31 + s * 17 + b * (line % 3));
        dram_[address(line, s)] = content;
        versions_[{line, s}] = {content};
      }
    path_ = scheme.make_path(0, *this, stats);
  }

  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::mt19937& random() { return random_; }

  /// Offers the read until it is taken.
  void read(std::uint32_t number, memsys::SectorMask mask) {
    const memsys::LocalLine line{number};
    const std::uint32_t tag = next_tag_++;
    until([&] {
      if (line == written_line_) return false;
      const bool refuses = path_->refuses_reads();
      const bool taken = path_->push_read(now_, line % 2, {line, mask, tag});
      EXPECT_FALSE(refuses && taken) << "it said that it would not take it";
      return taken;
    });
    Waiting waiting{line, mask, {}};
    for (unsigned s = 0; s < memsys::kSectors; ++s) waiting.from[s] = versions_[{line, s}].size() - 1;
    open_[tag] = waiting;
  }
  /// Sectors of this line may be written in part.
  bool takes_partial_sectors(std::uint32_t line) {
    return path_->takes_partial_sectors() && !path_->wants_whole_sectors(memsys::LocalLine{line});
  }
  /// `bytes`: of the sectors in `mask`.
  void write(std::uint32_t number, memsys::SectorMask mask, const memsys::LineData& data,
             const memsys::ByteMask& bytes = memsys::kFullLine) {
    const memsys::LocalLine line{number};
    until([&] { return path_->push_write(now_, line % 2, {line, mask, bytes, data}); });
    written_line_ = line;
    for (unsigned s = 0; s < memsys::kSectors; ++s) {
      if (!(mask >> s & 1)) continue;
      Sector content = versions_[{line, s}].back();
      memsys::merge_sector(content.data(), data.sector(s), bytes[s]);
      versions_[{line, s}].push_back(content);
      written_back_[{line, s}] = true;
    }
  }
  void step() {
    ++now_;
    written_line_ = kNoLine;
    for (std::size_t i = 0; i < flying_.size();) {
      if (flying_[i].due > now_) {
        ++i;
        continue;
      }
      const Flying done = flying_[i];
      flying_.erase(flying_.begin() + static_cast<std::ptrdiff_t>(i));
      path_->on_dram_read(now_, done.cookie, done.data.data());
    }
    if (room_ <= now_) {
      room_ = kNever;
      path_->on_room();
      wake_path(now_);
    }
    if (wake_ > now_) return;
    wake_ = kNever;
    const Cycle next = path_->tick(now_);
    wake_ = std::min(wake_, next);
    ASSERT_GT(wake_, now_) << "woken for a cycle that is over";
  }
  /// Until all is answered and the path is idle.
  void settle() {
    until([&] { return open_.empty() && path_->idle() && flying_.empty(); });
  }
  void read_all() {
    for (memsys::LocalLine line; line < options_.lines; ++line) read(line, memsys::kAllSectors);
    settle();
  }

  Stats stats;
  std::vector<std::uint64_t> requests = std::vector<std::uint64_t>(memsys::request_kinds());
  std::string first_wrong;
  std::uint64_t wrong = 0, checked = 0, old_checked = 0, planted = 0;

  bool dram_read(Cycle now, std::uint64_t at, memsys::RequestKind kind, std::uint64_t cookie) override {
    if (refuse(now)) return false;
    ++requests[static_cast<unsigned>(kind)];
    Flying f{now + 1 + pick(options_.latency), cookie, dram_[at]};
    if (options_.flip_a_bit && !planted && at < data_bytes() && pick(40) == 0) {
      f.data[pick(32)] ^= 0x10;
      ++planted;
    }
    flying_.push_back(f);
    return true;
  }
  bool dram_write(Cycle now, std::uint64_t at, memsys::RequestKind kind, const std::uint8_t* sector,
                  std::uint32_t bytes) override {
    if (refuse(now)) return false;
    ++requests[static_cast<unsigned>(kind)];
    if (options_.lose_a_write && !planted && at < data_bytes() && pick(40) == 0 &&
        !std::equal(dram_[at].begin(), dram_[at].end(), sector)) {
      ++planted;
      return true;
    }
    memsys::merge_sector(dram_[at].data(), sector, bytes);
    return true;
  }
  void reply(Cycle, const memsys::ReadReply& reply) override {
    const auto found = open_.find(reply.tag);
    ASSERT_NE(found, open_.end()) << "a reply that nobody waits for";
    Waiting& waiting = found->second;
    ASSERT_EQ(waiting.line, reply.line);
    ASSERT_EQ(reply.mask & ~waiting.missing, 0) << "sectors that were not asked for, or twice";
    for (unsigned s = 0; s < memsys::kSectors; ++s) {
      if (!(reply.mask >> s & 1)) continue;
      // What was there when the read was taken, or something written since.
      const auto& all = versions_[{reply.line, s}];
      bool right = false;
      for (std::size_t v = waiting.from[s]; v < all.size(); ++v)
        right = right || std::equal(all[v].begin(), all[v].end(), reply.data.sector(s));
      ++checked;
      if (!right)
        note(reply.line, s, fmt::format("reply from {}", memsys::name(reply.source)), reply.data, all.back());
    }
    waiting.missing &= static_cast<memsys::SectorMask>(~reply.mask);
    if (!waiting.missing) open_.erase(found);
  }
  memsys::SectorMask probe(Cycle, memsys::LocalLine, memsys::SectorMask, memsys::LineData&) override { return 0; }
  memsys::RequestKind read_kind(memsys::LocalLine line, unsigned sector) const override {
    return written_back_.contains({line, sector}) ? memsys::RequestKind::data_read : memsys::RequestKind::read_only;
  }
  void check(Cycle, memsys::LocalLine line, memsys::SectorMask mask, const memsys::LineData& data,
             memsys::Source) override {
    for (unsigned s = 0; s < memsys::kSectors; ++s) {
      if (!(mask >> s & 1)) continue;
      const Sector& newest = versions_[{line, s}].back();
      ++old_checked;
      if (!std::equal(newest.begin(), newest.end(), data.sector(s))) note(line, s, "old content", data, newest);
    }
  }
  void wake_path(Cycle at) override { wake_ = std::min(wake_, at); }
  void wake_slices(Cycle) override {}
  std::uint32_t data_lines() const override { return options_.lines; }

 private:
  void note(memsys::LocalLine line, unsigned s, const std::string& what, const memsys::LineData& got,
            const Sector& want) {
    ++wrong;
    if (!first_wrong.empty()) return;
    first_wrong =
        fmt::format("cycle {} line {} sector {}, {}: {:02x} instead of {:02x}", now_, line, s, what,
                    fmt::join(got.sector(s), got.sector(s) + 8, ""), fmt::join(want.begin(), want.begin() + 8, ""));
  }
  struct Waiting {
    memsys::LocalLine line;
    memsys::SectorMask missing = 0;
    std::array<std::size_t, memsys::kSectors> from{};
  };
  struct Flying {
    Cycle due;
    std::uint64_t cookie;
    Sector data;
  };
  template <class Done>
  void until(Done&& done) {
    for (unsigned quiet = 0; !done(); ++quiet) {
      if (quiet == kPatience)
        throw std::runtime_error(fmt::format("nothing happens: {}; {} reads open, {} sectors under way, next wake {}",
                                             path_->describe(), open_.size(), flying_.size(),
                                             wake_ == kNever ? 0 : wake_ - now_));
      step();
    }
  }
  static constexpr unsigned kPatience = 50000;
  static std::uint64_t address(memsys::LocalLine line, unsigned sector) {
    return std::uint64_t{line} * memsys::kLineBytes + sector * memsys::kSectorBytes;
  }
  bool refuse(Cycle now) {
    if (pick(100) >= options_.refuse) return false;
    room_ = std::min(room_, now + 1 + pick(10));
    return true;
  }

  HostOptions options_;
  std::mt19937 random_;
  std::map<std::uint64_t, Sector> dram_;
  std::map<std::pair<memsys::LocalLine, unsigned>, std::vector<Sector>> versions_;  ///< oldest first
  std::map<std::pair<memsys::LocalLine, unsigned>, bool> written_back_;
  std::map<std::uint32_t, Waiting> open_;
  std::deque<Flying> flying_;
  std::unique_ptr<memsys::ControllerPath> path_;
  Cycle now_ = 0, wake_ = kNever;
  Cycle room_ = kNever;  ///< when a refused request can be offered again
  static constexpr memsys::LocalLine kNoLine{~0u};
  memsys::LocalLine written_line_ = kNoLine;
  std::uint32_t next_tag_ = 0;
};

}  // namespace warpsieve::tb
