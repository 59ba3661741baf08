// Waveform: what is dumped of one verilated model, and when, as FST (for GTKWave).
//
//   WARPSIEVE_FST=<stem>  every model built while it is set, whole, as <stem>.<model>.<n>.fst; 2n ps is just after
//                         the model's n-th rising clock edge, 2n + 1 ps after the falling one
//   WaveformWindows       chosen models in chosen cycles of a simulation. 1 us is one simulated cycle: at c + 0.5 us
//                         the clock is low and the inputs of cycle c are there, at c + 1 us is the edge that takes
//                         them. A cycle that the simulator skips, because the block is idle, has no edge; a block
//                         that is clocked more than once in a cycle has its further edges 1 ps apart.
// A window also leaves a GTKWave save file beside it: clock, one group per stream, registers of the top module.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

class VerilatedFstC;

namespace warpsieve {

/// Called by RtlClock around every clock edge of a model that is dumped.
class Waveform {
 public:
  virtual ~Waveform() = default;
  /// The waveform of a new model of this name; nullptr: none is asked for.
  static std::unique_ptr<Waveform> of(const std::string& model);

  virtual VerilatedFstC& trace() = 0;
  /// The model's signals have been declared in trace().
  virtual void attached() {}
  /// The inputs of a cycle are set. True: settle the model and call settled() before the edge.
  virtual bool wants_inputs() { return false; }
  virtual void settled() {}
  virtual void rose() = 0;
  virtual void fell() {}
};

/// Cycles `first` to `last` of the model `model` and of those named `model`_<more> (some blocks are built twice).
struct WaveformWindow {
  std::string model;
  std::uint64_t first = 0, last = 0;
  /// The file of model m is prefix + m + ".<first>-<last>.fst".
  std::string prefix;
};

struct WrittenWaveform {
  static constexpr std::size_t kWhole = ~std::size_t{0};  ///< of WARPSIEVE_FST, and only where there is a problem
  std::size_t window = 0;                                 ///< index
  std::string path;
  std::uint64_t first = 0, last = 0;  ///< simulated cycles of the first and the last clock edge
  std::uint64_t edges = 0;
  std::string problem;  ///< why the file is not whole; empty: it is
};

/// Windows of the models that this thread builds during the object's life; at most one object per thread. It must
/// outlive the models. Windows of one model must not overlap.
class WaveformWindows {
 public:
  explicit WaveformWindows(std::vector<WaveformWindow> windows);
  ~WaveformWindows();
  WaveformWindows(const WaveformWindows&) = delete;
  WaveformWindows& operator=(const WaveformWindows&) = delete;
  /// Where the simulated cycle stands. Nothing is dumped before (what a machine does while it is built), nor after
  /// follow(nullptr).
  void follow(const std::uint64_t* cycle) { cycle_ = cycle; }
  /// Files that are finished; of all models that are gone.
  const std::vector<WrittenWaveform>& written() const { return written_; }

 private:
  friend class Waveform;
  friend class WholeWaveform;
  friend class WindowWaveform;
  std::vector<WaveformWindow> windows_;
  const std::uint64_t* cycle_ = nullptr;
  std::vector<WrittenWaveform> written_;
};

/// Writes the save file of a finished FST beside it (.gtkw for .fst). Returns why it could not; empty: done.
std::string write_gtkwave_save(const std::string& fst);

}  // namespace warpsieve
