#include "schemes/data_filter/data_filter.h"

#include "memsys/profile.h"
#include "schemes/power_of_two.h"

namespace warpsieve::schemes {

using namespace memsys;

DataFilterParams::DataFilterParams() {
  ParamSet set;
  declare(set);
}

void DataFilterParams::declare(ParamSet& set) {
  set.declare(table_sets, "dpc.table_sets", "rows", 32, 1, 4096,
              "rows of the partial-request table, power of two; 256 entries with table_ways",
              "thesis table 5.1, D14");
  set.declare(table_ways, "dpc.table_ways", "ways", 8, 1, 64, "ways of that table", "this project");
  set.declare(window, "dpc.window", "events", 16, 1, 1024, "length of the ICA and FDR windows", "thesis table 5.1");
  set.declare(ica_percent, "dpc.ica_percent", "%", 50, 0, 100,
              "whole lines are fetched while more of a size's accesses are inconsistent", "thesis table 5.1, D12");
  set.declare(fdr_percent, "dpc.fdr_percent", "%", 90, 0, 100, "... or while more of the lines were needed in full",
              "thesis table 5.1, D12");
  set.declare(window_need, "dpc.window_need", "switch", 0, 0, 1,
              "windows record of each line 0: the sub-blocks asked for, 1: those that loads needed",
              "D13; 1: this project");
  set.declare(append, "dpc.append", "switch", 0, 0, 1,
              "1: what is fetched after a hit-but-invalid adds to the line, 0: replaces it", "thesis 4, D8");
  set.declare(encode_cycles, "dpc.encode_cycles", "cycles", 2, 0, 100, "compression, pipelined", "D15");
  set.declare(decode_cycles, "dpc.decode_cycles", "cycles", 1, 0, 100, "decompression", "D15");
  set.declare(filter_cycles, "dpc.filter_cycles", "cycles", 3, 0, 100,
              "packet filter before the encoder (df_*): look-up and choice", "rtl/packet_filter");
}

namespace {

const std::vector<DataFilterVariant>& variants() {
  static const std::vector<DataFilterVariant> list = {
      {"dpc", "DPC thesis: replies in dual pattern compression", Reduction::compress, false, nullptr,
       "replies in dual pattern compression"},
      {"df_trunc", "... cut to the sub-blocks that were asked for", Reduction::truncate, false, nullptr,
       "replies cut to the sub-blocks asked for, compressed"},
      {"df_man", "... with the rest zero where that is smaller", Reduction::manipulate, false, nullptr,
       "replies with the rest set to zero where that is smaller, compressed"},
      {"df_trunc+rc", "df_trunc, whole lines where the request controller expects more accesses", Reduction::truncate,
       true, nullptr, "df_trunc with the request controller"},
      {"df_man+rc", "df_man, whole lines where the request controller expects more accesses", Reduction::manipulate,
       true, nullptr, "df_man with the request controller"},
  };
  return list;
}

/// The SM side first: what decides and decompresses, then what compresses beside the L2.
std::vector<HardwareBlock> hardware(const DataFilterVariant& v) {
  const HardwareBlock decoder = {.block = "dpc",
                                 .module = "dpc_decoder",
                                 .point = "line",
                                 .what = "decompressor of whole lines",
                                 .place = Place::sm};
  const HardwareBlock encoder = {
      .block = "dpc", .module = "dpc_encoder", .point = "line", .what = "compressor of whole lines"};
  if (!v.filters()) return {decoder, encoder};
  std::vector<HardwareBlock> out = {{.block = "request_control",
                                     .module = "request_analyzer",
                                     .point = "paper",
                                     .what = "which sub-blocks a warp needs (3.1)",
                                     .place = Place::sm}};
  if (v.control)
    out.push_back({.block = "request_control",
                   .module = "windows_manager",
                   .point = "paper",
                   .what = "ICA and FDR windows (4.1)",
                   .place = Place::sm,
                   .sizes = {{"dpc.window", 16}}});
  out.push_back({.block = "request_control",
                 .module = "critical_data_tracker",
                 .point = "paper",
                 .what = "maps of L1 lines and MSHRs (3.2)",
                 .place = Place::sm,
                 .memories = {{"maps for reads", 4, 128}, {"maps for fills", 5, 128}}});
  const bool truncates = v.reduction == Reduction::truncate;
  out.push_back(decoder);
  if (truncates) {
    out.back().point = "paper";
    out.back().what = "decompressor";
  }
  out.push_back({.block = "packet_filter",
                 .module = "packet_filter",
                 .point = "paper",
                 .what = "256-entry table of partial reads, choice of form (3.4)",
                 .memories = {{"table", 30, 32, 8}, {"masks", 4, 256}},
                 .sizes = {{"dpc.table_sets", 32}, {"dpc.table_ways", 8}}});
  out.push_back(encoder);
  out.back().count = 2;
  out.back().what = "compressors of the line and of the line with the rest zero";
  if (truncates) {
    out.back().point = "paper";
    out.back().what = "compressors of the line and of what was asked";
  }
  return out;
}

class DataFilter final : public Scheme {
 public:
  DataFilter(const DataFilterVariant& variant, const DataFilterParams& params, const BackendPlan& backends)
      : variant_(variant), params_(params), backends_(backends) {}
  std::string name() const override { return variant_.name; }
  /// Lines are read whole (decision X1); with filtering the port decides what is asked for.
  void amend(Profile& profile) const override { profile.l1.line_fill = 1; }
  std::unique_ptr<L1Port> make_l1_port(unsigned sm, L1PortOwner& host, Stats& stats) override {
    return variant_.filters() ? make_critical_port(variant_, params_, backends_, sm, host, stats) : nullptr;
  }
  std::unique_ptr<ReplyPort> make_reply_port(unsigned controller, const Profile& profile, Stats& stats) override {
    stats_ = &stats;
    return make_reply_filter(variant_, params_, backends_, controller, profile, stats);
  }
  std::unique_ptr<ReplyDecoder> make_reply_decoder(unsigned sm, const Profile&, Stats&) override {
    return make_dpc_reply_decoder(variant_, params_, backends_, sm);
  }

  nlohmann::ordered_json report() const override {
    nlohmann::ordered_json out;
    const auto share = [&](const char* name, double part, double all) { out[name] = all > 0 ? part / all : 0; };
    const auto value = [&](const char* name) { return static_cast<double>(stats_->value(name)); };
    if (stats_) {
      const double lines = 1024 * value("dpc.replies");
      share("space_saving", lines - value("dpc.sent_bits"), lines);
      share("space_saving_of_whole_lines", lines - value("dpc.line_bits"), lines);
      share("reply_bytes_saved", value("dpc.whole_bytes") - value("dpc.reply_bytes"), value("dpc.whole_bytes"));
      share("asked_share_of_lines", value("dpc.asked_sub_blocks"), kSectors * value("dpc.replies"));
      if (variant_.filters()) {
        const double fm = value("critical.first_misses"), sm = value("critical.subsequent_misses"),
                     hi = value("critical.hit_invalid"), all = fm + sm + hi;
        share("first_miss_share", fm, all);
        share("subsequent_miss_share", sm, all);
        share("hit_invalid_share", hi, all);
      }
    }
    DataFilterParams copy;
    ParamSet set;
    copy.declare(set);
    copy = params_;
    out["parameters"] = set.values();
    return out;
  }

 private:
  DataFilterVariant variant_;
  DataFilterParams params_;
  BackendPlan backends_;
  const Stats* stats_ = nullptr;
};

class DataFilterFamily final : public SchemeFamily {
 public:
  std::vector<SchemeInfo> schemes() const override {
    std::vector<SchemeInfo> out;
    for (const DataFilterVariant& v : variants()) {
      SchemeInfo info{.name = v.name,
                      .doc = v.doc,
                      .paper = "dpc",
                      .profile = "dpc",
                      .blocks = {{"dpc_encoder", Place::controller}, {"dpc_decoder", Place::sm}},
                      .ports = {kReplies},
                      .area_note = v.area_note,
                      .hardware = hardware(v)};
      if (v.filters()) {
        info.blocks.push_back({"packet_filter", Place::controller});
        info.blocks.push_back({"request_analyzer", Place::sm});
        info.blocks.push_back({"critical_data_tracker", Place::sm});
        info.ports.emplace_back(kL1);
      }
      if (v.control) info.blocks.push_back({"windows_manager", Place::sm});
      out.push_back(std::move(info));
    }
    return out;
  }
  void declare(ParamSet& set) override { params_.declare(set); }
  std::unique_ptr<Scheme> make(std::string_view name, const BackendPlan& backends) const override {
    expect_powers_of_two({{"dpc.table_sets", params_.table_sets}});
    for (const DataFilterVariant& v : variants())
      if (v.name == name) return std::make_unique<DataFilter>(v, params_, backends);
    return nullptr;
  }

 private:
  DataFilterParams params_;
};

}  // namespace

std::unique_ptr<SchemeFamily> data_filter_family() { return std::make_unique<DataFilterFamily>(); }

}  // namespace warpsieve::schemes
