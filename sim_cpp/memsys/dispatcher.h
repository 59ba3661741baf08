// Dispatcher: hands the blocks of a launch to SMs, in block order, SMs in turn.
//
//   throughput   one block per SM and cycle
//   when         in a cycle in which an SM finished a block, and in the next as long as one was started
//   ahead        blocks may be executed before there is room for them (execute_ahead()); it changes no result,
//   because
//                the functional execution knows no time
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "memsys/context.h"
#include "memsys/sm/sm.h"
#include "simt/shared_streams.h"
#include "simt/warp_trace.h"

namespace warpsieve::memsys {

class Dispatcher {
 public:
  using Sms = std::vector<std::unique_ptr<Sm>>;
  /// `sms` may grow before the first call.
  Dispatcher(Context& context, Sms& sms) : context_(context), sms_(sms) {}

  /// The blocks of a launch of this shape, from the first on.
  void start(simt::Launch& launch, const simt::LaunchShape& shape);
  /// Executes the first block that has not been: occupancy depends on its registers. Throws std::invalid_argument
  /// when it does not fit into an SM.
  void prepare();
  void end() { launch_ = nullptr; }
  bool active() const { return launch_ != nullptr; }

  const simt::LaunchShape& shape() const { return shape_; }
  std::uint32_t blocks_done() const { return blocks_done_; }
  bool done() const { return blocks_done_ >= shape_.blocks; }
  /// Blocks that have not been started.
  bool blocks_left() const { return launch_ && next_block_ < shape_.blocks; }

  /// An SM has finished blocks.
  void finished(std::uint32_t blocks) {
    blocks_done_ += blocks;
    room_ = next_block_ < shape_.blocks;
  }
  /// The first cycle, if it is not over, in which dispatch() may start a block; kNever: when an SM has finished one.
  Cycle due() const { return room_ && launch_ ? from_ : kNever; }
  /// In SMs that have come to this cycle, and have room.
  void dispatch(Cycle now);

  /// How many blocks execute_ahead() would execute.
  std::uint32_t ahead() const;
  /// Executes some of the next blocks. May run beside everything but the other functions.
  void execute_ahead();

 private:
  /// A block that has been executed, or what that threw.
  struct Executed {
    simt::BlockTrace trace;
    std::exception_ptr error;
  };
  static constexpr std::uint32_t kAtOnce = 4;

  simt::BlockTrace next();
  simt::BlockTrace execute();

  Context& context_;
  Sms& sms_;
  simt::Launch* launch_ = nullptr;
  simt::LaunchShape shape_;  ///< as the spill model leaves it
  simt::SharedStreams streams_;
  std::deque<Executed> executed_;
  std::uint32_t execute_next_ = 0;           ///< the first block that is not
  std::optional<simt::BlockTrace> pending_;  ///< block next_block_, whose registers are in shape_
  std::uint32_t next_block_ = 0, blocks_done_ = 0, turn_ = 0;
  bool room_ = false;
  Cycle from_ = 0;  ///< after the last dispatch()
};

}  // namespace warpsieve::memsys
