// replay: feeds recorded waveforms of one block into its gate-level netlist and counts what every net does.
//
//   replay NETLIST FILE.fst...     JSON on standard output (scripts/lib/activity.py writes the netlist and reads
//   this)
//
// NETLIST is text, nets are numbers, 0 and 1 the constants; truth tables have the first input as lowest bit of the
// index:
//   module NAME | param NAME VALUE | nets COUNT
//   in NAME NET... | out NAME CONTROL VALID NET...      lowest bit first; VALID: net that offers this payload, or 1;
//                                                       COUNT as an output's net: this bit is not in the netlist
//   gate TABLE OUTPUT INPUT... | flop INVERTED DATA OUTPUT [ENABLE] | event TABLE INPUT...
//   ram WIDTH DEPTH ADDRESS_BITS LANES WE RE WADDR... RADDR... WMASK... WDATA... RDATA...    0: no net
//
// The waveforms are those that WARPSIEVE_FST leaves behind. Only files that hold the module at the netlist's own
// parameters count. Per cycle: the inputs of the waveform are applied, all nets settle, toggles and events are
// counted (not during reset), the clock rises, and the outputs are compared with the waveform's. A net counts one
// toggle when it differs from the cycle before: no glitches.
//
// What reset does not clear starts anywhere, in the RTL as here. Three copies run side by side from a random state,
// its inverse and another one; a bit on which they disagree is undefined and is not compared.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "waves.h"

namespace {

/// One bit of a net for each copy.
using Copies = std::uint8_t;
constexpr unsigned kCopies = 3;
constexpr Copies kAll = (1 << kCopies) - 1;
Copies all(bool value) { return value ? kAll : 0; }

struct Port {
  std::string name;
  bool control = false;
  unsigned valid = 1;
  std::vector<unsigned> nets;
};
struct Gate {
  std::uint64_t table = 0;
  unsigned output = 0;
  std::vector<unsigned> inputs;
};
struct Flop {
  bool inverted;
  unsigned data, output, enable;  // enable: a net, low where the clock is gated
};
struct Ram {
  unsigned width, depth, we, re;
  std::vector<unsigned> waddr, raddr, wmask, wdata, rdata;  // wmask: a bit per lane, lanes are equally wide
  std::vector<Copies> bits;
};

struct Netlist {
  std::string module;
  std::map<std::string, std::uint64_t> parameters;
  std::size_t nets = 2;
  std::vector<Port> inputs, outputs;
  std::vector<Gate> gates, events;
  std::vector<Flop> flops;
  std::vector<Ram> rams;

  explicit Netlist(const char* path);
  void order();
};

std::vector<unsigned> rest(std::istringstream& words, std::size_t limit = SIZE_MAX) {
  std::vector<unsigned> list;
  for (unsigned n; list.size() < limit && words >> n;) list.push_back(n);
  return list;
}

Netlist::Netlist(const char* path) {
  std::ifstream file(path);
  if (!file) fail(std::string(path) + ": cannot be read");
  std::string line;
  for (unsigned number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line);
    std::string kind, name;
    words >> kind;
    if (kind == "module") {
      words >> module;
    } else if (kind == "param") {
      words >> name;
      words >> parameters[name];
    } else if (kind == "nets") {
      words >> nets;
    } else if (kind == "in") {
      Port port;
      words >> port.name;
      port.nets = rest(words);
      inputs.push_back(port);
    } else if (kind == "out") {
      Port port;
      words >> port.name >> port.control >> port.valid;
      port.nets = rest(words);
      outputs.push_back(port);
    } else if (kind == "gate") {
      Gate gate;
      words >> gate.table >> gate.output;
      gate.inputs = rest(words);
      gates.push_back(gate);
    } else if (kind == "event") {
      Gate gate;
      words >> gate.table;
      gate.inputs = rest(words);
      events.push_back(gate);
    } else if (kind == "flop") {
      Flop flop{};
      words >> flop.inverted >> flop.data >> flop.output;
      if (!(words >> flop.enable)) flop.enable = 1;
      flops.push_back(flop);
    } else if (kind == "ram") {
      Ram ram{};
      unsigned address = 0, lanes = 0;
      words >> ram.width >> ram.depth >> address >> lanes >> ram.we >> ram.re;
      ram.waddr = rest(words, address);
      ram.raddr = rest(words, address);
      ram.wmask = rest(words, lanes);
      ram.wdata = rest(words, ram.width);
      ram.rdata = rest(words, ram.width);
      if (ram.rdata.size() != ram.width || lanes == 0)
        fail(std::string(path) + ":" + std::to_string(number) + ": a ram is cut short");
      rams.push_back(ram);
    } else {
      fail(std::string(path) + ":" + std::to_string(number) + ": unknown line '" + kind + "'");
    }
  }
  order();
}

/// Every gate after those that drive it.
void Netlist::order() {
  std::vector<int> driver(nets, -1);
  for (std::size_t i = 0; i < gates.size(); ++i) driver[gates[i].output] = static_cast<int>(i);
  std::vector<std::uint8_t> state(gates.size());  // 0 new, 1 open, 2 done
  std::vector<Gate> sorted;
  std::vector<std::pair<std::size_t, std::size_t>> open;  // gate, next input
  for (std::size_t start = 0; start < gates.size(); ++start) {
    if (state[start]) continue;
    open.push_back({start, 0});
    state[start] = 1;
    while (!open.empty()) {
      auto& [gate, next] = open.back();
      if (next == gates[gate].inputs.size()) {
        state[gate] = 2;
        sorted.push_back(gates[gate]);
        open.pop_back();
        continue;
      }
      const int before = driver[gates[gate].inputs[next++]];
      if (before < 0 || state[static_cast<std::size_t>(before)] == 2) continue;
      if (state[static_cast<std::size_t>(before)] == 1) fail("the netlist has a loop of gates");
      state[static_cast<std::size_t>(before)] = 1;
      open.push_back({static_cast<std::size_t>(before), 0});
    }
  }
  gates = std::move(sorted);
}

class Replay final : public Waves {
 public:
  explicit Replay(Netlist netlist)
      : n_(std::move(netlist)), value_(n_.nets), previous_(n_.nets), toggles_(n_.nets), counts_(n_.events.size()) {
    std::mt19937 random(1);
    const auto start = [&] {
      const unsigned bits = random();
      return static_cast<Copies>((bits & 1) | (~bits & 1) << 1 | (bits >> 1 & 1) << 2);
    };
    for (Copies& v : value_) v = start();
    value_[0] = 0, value_[1] = kAll;
    for (Ram& ram : n_.rams) {
      ram.bits.resize(std::size_t{ram.width} * ram.depth);
      for (Copies& v : ram.bits) v = start();
    }
  }

  void file(const char* path) {
    Wanted wanted{n_.module, n_.parameters, {}, {}};
    for (const Port& p : n_.inputs) wanted.inputs.push_back(p.name);
    for (const Port& p : n_.outputs) wanted.outputs.push_back(p.name);
    ++(follow(path, wanted) ? files_ : skipped_);
    warm_ = was_reset_ = false;  // the next file starts from a state of its own
  }

  void print() const {
    std::printf("{\"files\": %u, \"skipped\": %u, \"cycles\": %" PRIu64 ", \"control_differences\": %" PRIu64
                ", \"payload_differences\": %" PRIu64 ", \"payload_compared\": %" PRIu64
                ", \"first_difference\": \"%s\",\n",
                files_, skipped_, cycles_, control_, payload_, compared_, first_.c_str());
    list("events", counts_);
    std::printf(",\n");
    list("toggles", toggles_);
    std::printf("}\n");
  }

 private:
  static void list(const char* name, const std::vector<std::uint64_t>& values) {
    std::printf("\"%s\": [", name);
    for (std::size_t i = 0; i < values.size(); ++i) std::printf("%s%" PRIu64, i ? ", " : "", values[i]);
    std::printf("]");
  }

  static bool bit(const std::string& bits, std::size_t i) {
    return i < bits.size() && bits[bits.size() - 1 - i] == '1';
  }

  void cycle() override {
    bool reset = false;
    for (std::size_t i = 0; i < n_.inputs.size(); ++i) {
      const Port& port = n_.inputs[i];
      const std::string& bits = *input(i);
      for (std::size_t b = 0; b < port.nets.size(); ++b) value_[port.nets[b]] = all(bit(bits, b));
      if (port.name == "rst_ni") reset = bits != "1";
    }
    settle();
    if (!reset) count();
    was_reset_ |= reset;
    rise();
    settle();
    if (!reset && was_reset_) compare();
  }

  std::size_t index(const std::vector<unsigned>& nets, unsigned copy = 0) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < nets.size(); ++i) at |= std::size_t{value_[nets[i]] >> copy & 1u} << i;
    return at;
  }
  bool agreed(const std::vector<unsigned>& nets) const {
    return std::all_of(nets.begin(), nets.end(), [&](unsigned n) { return value_[n] == 0 || value_[n] == kAll; });
  }
  void settle() {
    for (const Gate& gate : n_.gates) {
      if (agreed(gate.inputs)) {
        value_[gate.output] = all(gate.table >> index(gate.inputs) & 1);
        continue;
      }
      Copies out = 0;
      for (unsigned c = 0; c < kCopies; ++c) out |= (gate.table >> index(gate.inputs, c) & 1) << c;
      value_[gate.output] = out;
    }
  }
  /// All state at once, from the nets as they are.
  void rise() {
    next_.clear();
    for (const Flop& flop : n_.flops) {
      const Copies on = value_[flop.enable], data = value_[flop.data] ^ all(flop.inverted);
      next_.push_back(static_cast<Copies>((data & on) | (value_[flop.output] & ~on)));
    }
    for (Ram& ram : n_.rams) clock_ram(ram);
    for (std::size_t i = 0; i < n_.flops.size(); ++i) value_[n_.flops[i].output] = next_[i];
    for (const auto& [net, v] : later_) value_[net] = v;
    later_.clear();
  }
  void clock_ram(Ram& ram) {
    later_at_.assign(ram.width, 0);
    for (unsigned b = 0; b < ram.width; ++b) later_at_[b] = value_[ram.rdata[b]];
    for (unsigned c = 0; c < kCopies; ++c) {
      const auto set = [&](Copies& to, Copies from) { to = static_cast<Copies>((to & ~(1 << c)) | (from & 1 << c)); };
      const std::size_t from = index(ram.raddr, c), to = index(ram.waddr, c);
      if (value_[ram.re] >> c & 1 && from < ram.depth)
        for (unsigned b = 0; b < ram.width; ++b) set(later_at_[b], ram.bits[from * ram.width + b]);
      if (value_[ram.we] >> c & 1 && to < ram.depth)
        for (unsigned b = 0; b < ram.width; ++b)
          if (value_[ram.wmask[b * ram.wmask.size() / ram.width]] >> c & 1)
            set(ram.bits[to * ram.width + b], value_[ram.wdata[b]]);
    }
    for (unsigned b = 0; b < ram.width; ++b)
      if (ram.rdata[b] > 1) later_.push_back({ram.rdata[b], later_at_[b]});
  }

  void count() {
    if (warm_)
      for (std::size_t i = 0; i < value_.size(); ++i) toggles_[i] += (value_[i] ^ previous_[i]) & 1;
    previous_ = value_;
    warm_ = true;
    ++cycles_;
    for (std::size_t e = 0; e < n_.events.size(); ++e)
      counts_[e] += n_.events[e].table >> index(n_.events[e].inputs) & 1;
  }

  /// Handshakes in every cycle; payload while it is offered.
  void compare() {
    for (std::size_t i = 0; i < n_.outputs.size(); ++i) {
      const Port& port = n_.outputs[i];
      if (!output(i) || !(value_[port.valid] & 1)) continue;
      const std::string& bits = *output(i);
      bool equal = true;
      for (std::size_t b = 0; b < port.nets.size(); ++b) {
        if (port.nets[b] == n_.nets) continue;
        const Copies v = value_[port.nets[b]];
        equal &= (v != 0 && v != kAll) || v == all(bit(bits, b));
      }
      if (!port.control) ++compared_;
      if (equal) continue;
      ++(port.control ? control_ : payload_);
      if (first_.empty() || (port.control && control_ == 1))
        first_ = port.name + " at time " + std::to_string(time());
    }
  }

  Netlist n_;
  std::vector<Copies> value_, previous_, next_, later_at_;
  std::vector<std::pair<unsigned, Copies>> later_;
  std::vector<std::uint64_t> toggles_, counts_;
  bool warm_ = false, was_reset_ = false;
  std::uint64_t cycles_ = 0, control_ = 0, payload_ = 0, compared_ = 0;
  unsigned files_ = 0, skipped_ = 0;
  std::string first_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) fail("usage: replay NETLIST FILE.fst...");
  Replay replay{Netlist(argv[1])};
  for (int i = 2; i < argc; ++i) replay.file(argv[i]);
  replay.print();
}
