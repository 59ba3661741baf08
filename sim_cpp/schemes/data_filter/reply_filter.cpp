// The controller's and the SM's end of a reply: packet_filter and two dpc_encoders, dpc_decoder.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <vector>

#include "blocks/dpc/dpc.h"
#include "blocks/packet_filter/packet_filter.h"
#include "cosim/ask.h"
#include "memsys/noc/flits.h"
#include "memsys/profile.h"
#include "schemes/data_filter/data_filter.h"

namespace warpsieve::schemes {

using namespace memsys;

namespace {

namespace pf = packet_filter;

dpc::DpcParams codec(const DataFilterVariant& variant) {
  return {.truncate = variant.reduction == Reduction::truncate, .transform = variant.transform};
}

struct ReplyCounters {
  ReplyCounters(Stats& s, const Flits& format)
      : replies(s.add("dpc.replies", "packets", "read replies sent")),
        bytes(s.add("dpc.reply_bytes", "bytes", "of these packets, headers included")),
        whole_bytes(s.add("dpc.whole_bytes", "bytes", "what they would have had as plain whole lines")),
        flits_saved(s.add("dpc.flits_saved", "flits",
                          fmt::format("of {} per plain whole line", format.of(kHeaderBytes + kLineBytes)))),
        sent_bits(s.add("dpc.sent_bits", "bits", "payload sent")),
        line_bits(s.add("dpc.line_bits", "bits", "payload of the same lines compressed whole")),
        incompressible(s.add("dpc.incompressible", "packets", "payloads sent raw because the code is no shorter")),
        asked(s.add("dpc.asked_sub_blocks", "sub-blocks", "asked for by the requests answered")),
        brought(s.add("dpc.brought_sub_blocks", "sub-blocks", "valid at the SM after the reply")) {
    for (unsigned f = 1; f <= format.of(kHeaderBytes + kLineBytes); ++f)
      flits.push_back(s.add(fmt::format("dpc.replies_{}_flit", f), "packets", "read replies by size"));
  }
  Counter replies, bytes, whole_bytes, flits_saved, sent_bits, line_bits, incompressible, asked, brought;
  std::vector<Counter> flits;
};

struct FilterCounters {
  explicit FilterCounters(Stats& s)
      : registered(s.add("packet_filter.registered", "requests", "partial requests entered in the table")),
        merged(s.add("packet_filter.merged", "requests", "answered by the reply to an earlier request")),
        full(s.add("packet_filter.full", "requests", "for all sub-blocks")),
        no_room(s.add("packet_filter.no_room", "requests", "partial, served in full: no place in the table")),
        written(s.add("packet_filter.written", "requests",
                      "served in full: their line was written since an earlier one was registered")) {
    static constexpr std::array<const char*, 4> names{"whole", "truncated", "zero_filled", "raw"};
    for (unsigned f = 0; f < forms.size(); ++f)
      forms[f] = s.add(fmt::format("packet_filter.sent_{}", names[f]), "packets", "read replies by form");
  }
  Counter registered, merged, full, no_room, written;
  std::array<Counter, 4> forms;
};

class ReplyFilter final : public ReplyPort {
 public:
  ReplyFilter(const DataFilterVariant& variant, const DataFilterParams& params, const BackendPlan& backends,
              unsigned controller, const Profile& profile, Stats& stats)
      : variant_(variant), cycles_(params.encode_cycles), flits_(profile.noc), counters_(stats, flits_),
        filter_counters_(stats) {
    const std::string instance = fmt::format("mc{}", controller);
    const Backend encoder = backends.of("dpc_encoder", instance);
    whole_ = dpc::make_dpc_encoder(codec(variant), encoder, instance + ".dpc_encoder");
    whole_->reset();
    if (!variant.filters()) return;
    part_ = dpc::make_dpc_encoder(codec(variant), encoder, instance + ".dpc_encoder_part");
    part_->reset();
    pf::FilterParams filter;
    filter.table.sets = params.table_sets;
    filter.table.ways = params.table_ways;
    filter.table.sm_bits = std::max(filter.table.sm_bits, static_cast<unsigned>(std::bit_width(profile.sms - 1)));
    filter_ = pf::make_packet_filter(filter, backends.of("packet_filter", instance), instance + ".packet_filter");
    filter_->reset();
    filter_->set_mode(variant.reduction == Reduction::truncate ? pf::Mode::df_trunc : pf::Mode::df_man);
    open_.resize(std::size_t{std::bit_ceil(params.table_ways)} * params.table_sets);
    cycles_ += params.filter_cycles;
  }

  bool merge(Cycle, Packet& read) override {
    read.mask = kAllSectors;
    if (!filter_) return false;
    if (written_since(read)) {
      ++filter_counters_.written;
      return false;
    }
    if (!filter_->req().push({read.sm, read.line, read.asked})) throw std::logic_error("packet filter: not ready");
    const pf::Forward forward = wait_for(filter_->fwd());
    switch (forward.action) {
      case pf::Action::full: ++filter_counters_.full; return false;
      case pf::Action::no_room: ++filter_counters_.no_room; return false;
      case pf::Action::merged: {
        ++filter_counters_.merged;
        ++open_.at(forward.token).merged;
        return true;
      }
      case pf::Action::registered: break;
    }
    ++filter_counters_.registered;
    open_.at(forward.token) = {true, false, read.sm, 0, read.line};
    ++near(read.line);
    read.ticket = forward.token;
    return false;
  }

  /// The table's rule is too weak: a reply whose data is read already must not answer a read that came after a
  /// store (our addition, decision D14 is silent). The entry stays until its reply leaves, closed for others.
  void written(Cycle, LocalLine line) override {
    if (!filter_ || !near(line)) return;
    for (Open& open : open_)
      if (open.used && open.line == line) open.closed = true;
  }

  Cycle leave(Cycle now, Packet& reply) override {
    ++counters_.replies;
    const dpc::Words words = to_words(reply.data.bytes);
    if (filter_) {
      filtered(reply, words);
    } else {
      encoded(reply, dpc::encode_with(*whole_, {words, kAllSectors}));
      counters_.line_bits += reply.wire.bits;
    }
    count(reply);
    const Cycle start = std::max(now, next_start_);
    next_start_ = start + 1;
    return start + cycles_;
  }
  Cycle cycles() const override { return cycles_; }

 private:
  struct Open {  // what the table cannot know, by its entries
    bool used = false, closed = false;
    std::uint16_t sm = 0, merged = 0;
    LocalLine line;
  };

  template <class T>
  T wait_for(OutPort<T>& port) {
    return take_answer(*filter_, port, "packet filter", 8);
  }

  /// Entries of lines that share this place: a quick no for most stores.
  std::uint16_t& near(LocalLine line) { return near_[line % near_.size()]; }
  bool written_since(const Packet& read) {
    return near(read.line) && std::any_of(open_.begin(), open_.end(), [&](const Open& o) {
             return o.used && o.closed && o.sm == read.sm && o.line == read.line;
           });
  }

  void filtered(Packet& reply, const dpc::Words& words) {
    const bool entry = reply.ticket != kNoTicket;  // of the table
    const std::uint32_t token = entry ? reply.ticket : reply.asked;
    if (!filter_->take().push({entry, token})) throw std::logic_error("packet filter: not ready");
    const pf::AskedMask asked = wait_for(filter_->mask());
    if (entry) {
      Open& open = open_[token];
      reply.merged = open.merged;
      open = {};
      --near(reply.line);
    }
    const dpc::Encoded whole = dpc::encode_with(*whole_, {words, kAllSectors});
    dpc::Encoded part = whole;
    if (!asked.full) {
      const bool truncate = variant_.reduction == Reduction::truncate;
      const dpc::Words kept = truncate ? words : to_words(dpc::zero_filled(to_line(words), asked.asked));
      part = dpc::encode_with(*part_, {kept, truncate ? asked.asked : kAllSectors});
    }
    if (!filter_->size().push({whole.payload_bits(), part.payload_bits()}))
      throw std::logic_error("packet filter: takes no size");
    const pf::PacketForm form = wait_for(filter_->out());
    ++filter_counters_.forms[static_cast<unsigned>(form.form)];
    reply.mask = form.map;
    reply.asked = form.asked;
    encoded(reply, form.form == pf::Form::whole ? whole : part);
    counters_.line_bits += whole.payload_bits();
    if (reply.wire.bits != form.bits || pf::flits(reply.wire.bits) != form.flits)
      throw std::logic_error(fmt::format("packet filter: {} but the packet has {} bits and {} of its flits",
                                         describe(form), reply.wire.bits, pf::flits(reply.wire.bits)));
  }

  /// The stream without its first bit, which rides in the header (decision D3).
  static void encoded(Packet& reply, const dpc::Encoded& stream) {
    Wire& wire = reply.wire;
    reply.wired = true;
    wire.compressed = stream.compressed();
    wire.bits = static_cast<std::uint16_t>(stream.payload_bits());
    for (unsigned i = 0; i < wire.payload.size(); ++i)
      wire.payload[i] = static_cast<std::uint8_t>(stream.bits[i] >> 1 | stream.bits[i + 1] << 7);
  }

  void count(const Packet& reply) {
    const unsigned size = reply_bytes(reply), whole = kHeaderBytes + kLineBytes;
    counters_.bytes += size;
    counters_.whole_bytes += whole;
    counters_.flits_saved += flits_.of(whole) - flits_.of(size);
    ++counters_.flits.at(flits_.of(size) - 1);
    counters_.sent_bits += reply.wire.bits;
    counters_.incompressible += !reply.wire.compressed;
    counters_.asked += count_sectors(reply.asked);
    counters_.brought += count_sectors(reply.mask);
  }

  DataFilterVariant variant_;
  Cycle cycles_, next_start_ = 0;
  Flits flits_;
  ReplyCounters counters_;
  FilterCounters filter_counters_;
  std::unique_ptr<dpc::DpcEncoder> whole_, part_;
  std::unique_ptr<pf::PacketFilter> filter_;
  std::vector<Open> open_;
  std::array<std::uint16_t, 1024> near_{};
};

class DpcReplyDecoder final : public ReplyDecoder {
 public:
  DpcReplyDecoder(const DataFilterVariant& variant, const DataFilterParams& params, const BackendPlan& backends,
                  unsigned sm)
      : truncates_(variant.reduction == Reduction::truncate), codec_(codec(variant)), cycles_(params.decode_cycles) {
    const std::string instance = fmt::format("sm{}", sm);
    decoder_ = dpc::make_dpc_decoder(codec_, backends.of("dpc_decoder", instance), instance + ".dpc_decoder");
    decoder_->reset();
  }
  void decode(Cycle, const Packet& reply, LineData& data) override {
    const Wire& wire = reply.wire;
    dpc::Encoded stream;
    stream.length = 1u + wire.bits;
    stream.bits[0] = wire.compressed;
    const unsigned bytes = (wire.bits + 7u) / 8;
    for (unsigned i = 0; i < bytes; ++i) {
      stream.bits[i] = static_cast<std::uint8_t>(stream.bits[i] | wire.payload[i] << 1);
      stream.bits[i + 1] = wire.payload[i] >> 7;
    }
    const unsigned mask = truncates_ ? reply.mask : kAllSectors;
    data.bytes = to_line(dpc::decode_with(*decoder_, codec_, stream, mask).words);
  }
  Cycle cycles() const override { return cycles_; }

 private:
  bool truncates_;
  dpc::DpcParams codec_;
  Cycle cycles_;
  std::unique_ptr<dpc::DpcDecoder> decoder_;
};

}  // namespace

std::unique_ptr<ReplyPort> make_reply_filter(const DataFilterVariant& variant, const DataFilterParams& params,
                                             const BackendPlan& backends, unsigned controller, const Profile& profile,
                                             Stats& stats) {
  return std::make_unique<ReplyFilter>(variant, params, backends, controller, profile, stats);
}

std::unique_ptr<ReplyDecoder> make_dpc_reply_decoder(const DataFilterVariant& variant, const DataFilterParams& params,
                                                     const BackendPlan& backends, unsigned sm) {
  return std::make_unique<DpcReplyDecoder>(variant, params, backends, sm);
}

}  // namespace warpsieve::schemes
