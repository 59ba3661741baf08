// Queues of a DRAM channel: reads and writes that wait for their column command, each kind in a list per bank in
// order of arrival.
//
//   depth      dram.read_queue reads, dram.write_queue writes
//   order      a write waits for older reads of its sector (Entry::blockers)
//   contents   data and byte masks of the writes. What queued writes hold of a sector is merged over what the banks
//              bring for a younger read
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/wake.h"
#include "memsys/profile.h"
#include "memsys/types.h"

namespace warpsieve::memsys {

class DramQueues {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct alignas(64) Entry {
    std::uint64_t address = 0, cookie = 0, row = 0, seq = 0, arrival = 0;
    std::uint32_t next = kNone;  ///< of its bank, or of those that are free
    std::uint32_t blockers = 0;  ///< write: older reads of the same sector
  };

  explicit DramQueues(const DramParams& params);

  bool full(bool write) const { return free_[write] == kNone; }
  std::uint32_t size(bool write) const { return queued_[write]; }
  bool empty() const { return queued_[0] + queued_[1] == 0; }
  /// Writes that wait for older reads.
  std::uint32_t blocked() const { return blocked_; }
  const Entry& operator()(bool write, std::uint32_t entry) const { return entries_[write][entry]; }
  const std::vector<Entry>& entries(bool write) const { return entries_[write]; }
  /// Command cycle from which on the request is starved.
  std::uint64_t starved_from(const Entry& e) const { return e.arrival + starvation_ + 1; }
  /// The oldest request of a bank, or kNone.
  std::uint32_t head(bool write, std::uint32_t bank) const { return lists_[write][bank].head; }

  /// Queues a request at command cycle `c`. Returns its entry, which stays valid until remove().
  std::uint32_t push_read(std::uint64_t c, std::uint64_t address, std::uint32_t bank, std::uint64_t row,
                          std::uint64_t cookie);
  std::uint32_t push_write(std::uint64_t c, std::uint64_t address, std::uint32_t bank, std::uint64_t row,
                           const std::uint8_t* sector, std::uint32_t bytes);
  /// Takes out an entry, which follows `before` in the list of its bank. Its contents stay until the next push.
  void remove(bool write, std::uint32_t bank, std::uint32_t before, std::uint32_t entry);

  const std::uint8_t* data(std::uint32_t write) const { return written_[write].data(); }
  std::uint32_t bytes(std::uint32_t write) const { return written_bytes_[write]; }
  /// Merges what the queued writes of this sector with a seq below `before` hold over `sector`; returns which bytes.
  std::uint32_t merge(std::uint32_t bank, std::uint64_t address, std::uint64_t before, std::uint8_t* sector) const;
  /// Some queued write holds a part of its sector only.
  bool has_partial() const { return partial_ != 0; }
  /// A read of the sector has been served: writes behind it have a blocker less.
  void unblock(std::uint32_t bank, const Entry& read);

 private:
  using Sector = std::array<std::uint8_t, kSectorBytes>;
  struct List {
    std::uint32_t head = kNone, tail = kNone;
  };
  std::uint32_t push(bool write, std::uint64_t c, std::uint64_t address, std::uint32_t bank, std::uint64_t row);

  std::uint32_t starvation_;
  // Reads and writes apart:
  std::vector<Entry> entries_[2];
  std::vector<List> lists_[2];              ///< by bank
  std::uint32_t free_[2] = {kNone, kNone};  ///< first of the list of free entries
  std::uint32_t queued_[2] = {0, 0};
  std::vector<Sector> written_;               ///< data of each write
  std::vector<std::uint32_t> written_bytes_;  ///< and which of its bytes are written
  std::uint32_t partial_ = 0, blocked_ = 0;
  std::uint64_t seq_ = 0;
};

}  // namespace warpsieve::memsys
