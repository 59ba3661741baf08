// Latency and rate in rtl/*/points.txt are what the cycle-exact models take; lock-step tests compare these with the
// RTL.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "blocks/affine/affine.h"
#include "blocks/affine_cache/affine_cache.h"
#include "blocks/axi_stream/axi_stream.h"
#include "blocks/bloom_predictor/bloom_predictor.h"
#include "blocks/bloom_predictor/counting_bloom.h"
#include "blocks/bpc/bpc.h"
#include "blocks/common/fifo.h"
#include "blocks/common/stream_skid.h"
#include "blocks/dpc/dpc.h"
#include "blocks/dup_detect/dup_detect.h"
#include "blocks/hash_store/hash_store.h"
#include "blocks/md5/line_hasher.h"
#include "blocks/md5/md5_core.h"
#include "blocks/md5/md5_pipeline.h"
#include "blocks/metadata_cache/metadata_cache.h"
#include "blocks/packet_filter/packet_filter.h"
#include "blocks/rata/rata.h"
#include "blocks/request_control/critical_data_tracker.h"
#include "blocks/request_control/request_analyzer.h"
#include "blocks/request_control/windows_manager.h"
#include "blocks/siphash/line_hasher.h"
#include "blocks/siphash/line_hashers.h"
#include "blocks/siphash/siphash_core.h"
#include "blocks/victim_fifo/victim_fifo.h"
#include "cosim/ask.h"
#include "rtl_points/affine/affine_decoder.h"
#include "rtl_points/affine/affine_encoder.h"
#include "rtl_points/affine_cache/affine_cache.h"
#include "rtl_points/axi_stream/axis_bpc_decoder.h"
#include "rtl_points/axi_stream/axis_bpc_encoder.h"
#include "rtl_points/axi_stream/axis_dpc_decoder.h"
#include "rtl_points/axi_stream/axis_dpc_encoder.h"
#include "rtl_points/axi_stream/axis_from_line.h"
#include "rtl_points/axi_stream/axis_line_hasher.h"
#include "rtl_points/axi_stream/axis_to_line.h"
#include "rtl_points/bloom_predictor/bloom_predictor.h"
#include "rtl_points/bloom_predictor/counting_bloom.h"
#include "rtl_points/bpc/bpc_decoder.h"
#include "rtl_points/bpc/bpc_encoder.h"
#include "rtl_points/common/fifo.h"
#include "rtl_points/common/stream_skid.h"
#include "rtl_points/dpc/dpc_decoder.h"
#include "rtl_points/dpc/dpc_encoder.h"
#include "rtl_points/dup_detect/dup_detect.h"
#include "rtl_points/hash_store/hash_store.h"
#include "rtl_points/md5/line_hasher.h"
#include "rtl_points/md5/md5_core.h"
#include "rtl_points/md5/md5_pipeline.h"
#include "rtl_points/metadata_cache/metadata_cache.h"
#include "rtl_points/packet_filter/packet_filter.h"
#include "rtl_points/packet_filter/pdr_table.h"
#include "rtl_points/rata/rata.h"
#include "rtl_points/request_control/critical_data_tracker.h"
#include "rtl_points/request_control/request_analyzer.h"
#include "rtl_points/request_control/windows_manager.h"
#include "rtl_points/siphash/siphash_core.h"
#include "rtl_points/siphash/siphash_line_hasher.h"
#include "rtl_points/siphash/siphash_line_hashers.h"
#include "rtl_points/victim_fifo/victim_fifo.h"

namespace warpsieve {
namespace {

constexpr Backend kModel = Backend::model;

struct Timing {
  int latency = 0;
  unsigned cycles = 0;  ///< of kAnswers answers in a row
};
constexpr unsigned kAnswers = 24;

/// `request` again and again, as fast as the block takes it; answers are taken at once. The block is empty.
template <class Req, class Rsp>
Timing measured(Clocked& block, InPort<Req>& in, OutPort<Rsp>& out, const Req& request) {
  for (unsigned wait = 0; !in.ready(); ++wait) {  // some are cleared after the reset
    if (wait == 100000) throw std::runtime_error("never ready");
    block.tick();
  }
  Timing timing;
  EXPECT_TRUE(in.push(request));
  do {
    block.tick();
    ++timing.latency;
  } while (!out.front() && timing.latency < 1000);
  unsigned answers = 0;
  for (unsigned cycle = 0; answers < 2 * kAnswers && cycle < 100000; ++cycle) {  // the first half fills the pipeline
    if (out.front()) {
      out.pop();
      ++answers;
    }
    if (in.ready()) in.push(request);
    block.tick();
    timing.cycles += answers >= kAnswers && answers < 2 * kAnswers;
  }
  return timing;
}
template <class Req, class Rsp>
Timing measured(Block<Req, Rsp>& block, const Req& request) {
  block.reset();
  return measured<Req, Rsp>(block, block, block, request);
}

/// The same for a block that works on the request while it is on offer: the offer stands in every cycle.
template <class Req, class Rsp>
Timing measured_held(Block<Req, Rsp>& block, const Req& request) {
  block.reset();
  Timing timing;
  unsigned answers = 0;
  for (int cycle = 0; answers < 2 * kAnswers && cycle < 100000; ++cycle) {
    if (block.front()) {
      if (answers == 0) timing.latency = cycle;
      block.pop();
      ++answers;
    }
    block.push(request);
    block.tick();
    timing.cycles += answers >= kAnswers && answers < 2 * kAnswers;
  }
  return timing;
}

/// The same where a request is a packet of several beats, and `ends` says which answer is the last of its item.
/// Latency counts from the last beat that is taken.
template <class Req, class Rsp>
Timing measured_packets(Block<Req, Rsp>& block, const std::vector<Req>& packet, auto ends) {
  block.reset();
  Timing timing{-1};
  std::size_t next = 0;
  int taken = -1;
  unsigned answers = 0;
  for (int cycle = 0; answers < 2 * kAnswers && cycle < 100000; ++cycle) {
    if (const Rsp* rsp = block.front()) {
      if (timing.latency < 0) timing.latency = cycle - taken;
      answers += ends(*rsp);
      block.pop();
    }
    if (block.push(packet[next])) {
      next = (next + 1) % packet.size();
      if (next == 0 && taken < 0) taken = cycle;
    }
    block.tick();
    timing.cycles += answers >= kAnswers && answers < 2 * kAnswers;
  }
  return timing;
}

/// Latency from the offer, where the block reads a request before it takes it.
template <class Req, class Rsp>
Timing from_offer(Timing timing, Block<Req, Rsp>& block, const Req& request) {
  block.reset();
  for (timing.latency = 0; !block.front() && timing.latency < 1000; ++timing.latency) {
    block.push(request);
    block.tick();
  }
  return timing;
}

/// The parameters of a point by name.
template <class Module>
struct Values {
  const decltype(Module::points[0])& point;
  unsigned operator[](std::string_view name) const {
    for (std::size_t i = 0; i < Module::parameters.size(); ++i)
      if (Module::parameters[i] == name) return static_cast<unsigned>(point.values[i]);
    throw std::logic_error("no parameter " + std::string(name));
  }
};

/// time(Values) is what the model at a point takes.
template <class Module>
void expect_columns(auto&& time) {
  for (const auto& point : Module::points) {
    SCOPED_TRACE(std::string(Module::source) + ": " + std::string(Module::name) + "@" + std::string(point.name));
    const Timing timing = time(Values<Module>{point});
    EXPECT_EQ(timing.latency, point.latency);
    EXPECT_EQ(timing.cycles * point.rate.items, kAnswers * point.rate.cycles);
  }
}

TEST(PointsTiming, Streams) {
  expect_columns<rtl_points::fifo>([](auto p) {
    return measured(*common::make_fifo({p["Width"], p["Depth"]}, kModel), {1});
  });
  expect_columns<rtl_points::stream_skid>(
      [](auto p) { return measured(*common::make_stream_skid({p["Width"]}, kModel), {1}); });
}

TEST(PointsTiming, Codecs) {
  const auto affine_at = [](auto p) { return affine::AffineParams{p["Lanes"], p["Width"], p["StrideBits"]}; };
  expect_columns<rtl_points::affine_encoder>([&](auto p) {
    return measured(*affine::make_affine_encoder(affine_at(p), kModel), {{}, 1});
  });
  expect_columns<rtl_points::affine_decoder>(
      [&](auto p) { return measured(*affine::make_affine_decoder(affine_at(p), kModel), {}); });
  expect_columns<rtl_points::bpc_encoder>(
      [](auto p) { return measured_held(*bpc::make_bpc_encoder({p["Words"]}, kModel), {}); });
  expect_columns<rtl_points::bpc_decoder>([](auto p) {  // of a compressed line
    const auto encoder = bpc::make_bpc_encoder({p["Words"]}, kModel);
    encoder->reset();
    const bpc::Encoded zeros = ask_held(*encoder, bpc::EncodeReq{}, "bpc_encoder", 100);
    EXPECT_TRUE(zeros.compressed());
    return measured_held(*bpc::make_bpc_decoder({p["Words"]}, kModel), {zeros.bits});
  });
  const auto dpc_at = [](auto p) {
    return dpc::DpcParams{.sub_words = p["SubWords"],
                          .planes = p["Planes"],
                          .truncate = p["Truncate"] != 0,
                          .planes_per_cycle = p["PlanesPerCycle"],
                          .flit_bits = p["FlitBits"]};
  };
  const auto last = [](const dpc::Flit& flit) { return flit.last; };
  expect_columns<rtl_points::dpc_encoder>([&](auto p) {
    const auto block = dpc::make_dpc_encoder(dpc_at(p), kModel);
    const dpc::EncodeReq zeros{{}, 0xf};
    return from_offer(measured_packets<dpc::EncodeReq, dpc::Flit>(*block, {zeros}, last), *block, zeros);
  });
  expect_columns<rtl_points::dpc_decoder>([&](auto p) {
    const auto params = dpc_at(p);
    std::vector<dpc::StreamFlit> zeros;
    for (const auto& flit : to_flits(params, encode(params, {{}, 0xf}), 0xf)) zeros.push_back(to_decoder(flit));
    const auto all = [](const auto&) { return true; };
    return measured_packets<dpc::StreamFlit, dpc::DecodedLine>(*dpc::make_dpc_decoder(params, kModel), zeros, all);
  });
  expect_columns<rtl_points::dup_detect>([](auto p) {
    return measured(*dup_detect::make_dup_detect({p["Sectors"], p["SectorBits"], p["WordBits"]}, kModel), {0, 1, {}});
  });
}

TEST(PointsTiming, Packets) {
  using namespace axi_stream;
  const auto all = [](const auto&) { return true; };
  const auto last = [](const Beat& beat) { return beat.last; };
  const auto zeros = [](unsigned data_bytes, unsigned bits, std::uint32_t user = 0) {
    const LineShape shape{data_bytes, bits};
    return to_beats(shape, {{std::vector<std::uint8_t>(shape.line_bytes()), user}, bits});
  };
  const auto shape_at = [](auto p) { return LineShape{p["DataBytes"], p["LineBits"], p["UserBits"]}; };
  expect_columns<rtl_points::axis_to_line>([&](auto p) {
    const auto block = make_axis_to_line(shape_at(p), p["Exact"] != 0, kModel);
    return measured_packets<Beat, Line>(*block, zeros(p["DataBytes"], p["LineBits"]), all);
  });
  expect_columns<rtl_points::axis_from_line>([&](auto p) {
    const LineShape shape = shape_at(p);
    const std::vector<SendReq> line{{{std::vector<std::uint8_t>(shape.line_bytes()), 0}, shape.line_bits}};
    return measured_packets<SendReq, Beat>(*make_axis_from_line(shape, kModel), line, last);
  });
  expect_columns<rtl_points::axis_line_hasher>([&](auto p) {
    const auto block = make_axis_line_hasher({p["DataBytes"], p["Keyed"] != 0}, kModel);
    return measured_packets<Beat, Beat>(*block, zeros(p["DataBytes"], 1024), last);
  });
  const auto dpc_at = [](auto p) { return AxisDpcParams{p["DataBytes"], {p["SubWords"], p["Planes"]}}; };
  expect_columns<rtl_points::axis_dpc_encoder>([&](auto p) {
    const auto params = dpc_at(p);
    const auto line = zeros(params.data_bytes, params.codec.max_bits() - 1, 0xf);
    return measured_packets<Beat, Beat>(*make_axis_dpc_encoder(params, kModel), line, last);
  });
  expect_columns<rtl_points::axis_dpc_decoder>([&](auto p) {
    const auto params = dpc_at(p);
    const dpc::Encoded stream = encode(params.codec, {{}, 0xf});
    const LineShape shape{params.data_bytes, stream.length};
    const auto beats =
        to_beats(shape, {{{stream.bits.begin(), stream.bits.begin() + shape.line_bytes()}, 0xf}, stream.length});
    return measured_packets<Beat, Beat>(*make_axis_dpc_decoder(params, kModel), beats, last);
  });
  const auto bpc_at = [](auto p) { return AxisBpcParams{p["DataBytes"], {p["Words"]}}; };
  expect_columns<rtl_points::axis_bpc_encoder>([&](auto p) {
    const auto params = bpc_at(p);
    return measured_packets<Beat, Beat>(*make_axis_bpc_encoder(params, kModel),
                                        zeros(params.data_bytes, params.codec.raw_bits()), last);
  });
  expect_columns<rtl_points::axis_bpc_decoder>([&](auto p) {  // of a compressed line
    const auto params = bpc_at(p);
    auto stream = zeros(params.data_bytes, 8);
    stream[0].data[0] = 1;  // the flag; the rest reads as zero
    return measured_packets<Beat, Beat>(*make_axis_bpc_decoder(params, kModel), stream, last);
  });
}

TEST(PointsTiming, Hashes) {
  expect_columns<rtl_points::md5_core>([](auto p) {
    return measured(*md5::make_md5_core({p["StepsPerCycle"], p["FoldInSteps"] != 0}, kModel), {});
  });
  expect_columns<rtl_points::line_hasher>(
      [](auto p) { return measured(*md5::make_line_hasher({p["StepsPerCycle"]}, kModel), {}); });
  expect_columns<rtl_points::md5_pipeline>(
      [](auto p) { return measured(*md5::make_md5_pipeline({p["StepsPerStage"]}, kModel), {}); });
  expect_columns<rtl_points::siphash_core>([](auto p) {  // the empty message, of one word
    return measured(*siphash::make_siphash_core({p["HalfRoundsPerCycle"], {}}, kModel), {});
  });
  expect_columns<rtl_points::siphash_line_hasher>([](auto p) {
    return measured(*siphash::make_line_hasher({p["HalfRoundsPerCycle"], {}}, kModel), {});
  });
  expect_columns<rtl_points::siphash_line_hashers>([](auto p) {
    return measured(*siphash::make_line_hashers({p["Units"], {p["HalfRoundsPerCycle"], {}}}, kModel), {});
  });
}

TEST(PointsTiming, Tables) {
  expect_columns<rtl_points::hash_store>([](auto p) {
    const unsigned bits = p["HashBits"];
    const hash_store::HashStoreParams params{p["Sets"],    p["Ways"],      std::min(bits, 128u),
                                             p["RefBits"], p["CountBits"], bits > 128 ? bits - 128 : 0,
                                             p["RefSets"], p["RefWays"],   p["Secded"] != 0};
    return measured(*hash_store::make_hash_store(params, kModel), {});
  });
  expect_columns<rtl_points::victim_fifo>([](auto p) {
    return measured(*victim_fifo::make_victim_fifo({p["Entries"], p["TagBits"], p["Sectors"], p["DataBits"]}, kModel),
                    {.sectors = 1});
  });
  expect_columns<rtl_points::affine_cache>([](auto p) {
    const affine_cache::AffineCacheParams params{
        {p["Lanes"], p["Width"], p["StrideBits"]}, p["Slots"], p["Sets"], p["Ways"], p["LineBits"]};
    return measured(*affine_cache::make_affine_cache(params, kModel), {.mask = 1});
  });
  expect_columns<rtl_points::counting_bloom>([](auto p) {
    const auto block =
        bloom_predictor::make_counting_bloom({p["Counters"], p["CounterBits"], p["KeyBits"], p["Seed"]}, kModel);
    block->reset();
    return measured(*block, block->lookup(), block->rsp(), {1});
  });
  expect_columns<rtl_points::bloom_predictor>([](auto p) {
    const auto block = bloom_predictor::make_bloom_predictor(
        {p["Counters"], p["CounterBits"], p["Lanes"], p["LineBits"], p["Threshold"], p["Period"], p["Seed"]}, kModel);
    block->reset();
    return measured(*block, block->req(), block->rsp(), {1, 1});
  });
  expect_columns<rtl_points::rata>([](auto p) {
    const auto block = rata::make_rata({p["Sets"], p["Ways"], p["TagBits"], p["SmBits"]}, kModel);
    block->reset();
    return measured(*block, block->lookup(), block->rsp(), {});
  });
  expect_columns<rtl_points::metadata_cache>([](auto p) {  // hits
    const auto block =
        metadata_cache::make_metadata_cache({p["EntryBits"], p["IndexBits"], p["Sets"], p["Ways"], p["LineBytes"],
                                             p["SectorBytes"], p["Parks"], p["IdBits"]},
                                            kModel);
    block->reset();
    offer(block->req(), {}, "metadata_cache");
    const auto fetch = take_answer(*block, block->mem_req(), "metadata_cache", 20);
    offer(block->mem_rsp(), {fetch.sector, {}}, "metadata_cache");
    take_answer(*block, block->rsp(), "metadata_cache", 20);
    return measured(*block, block->req(), block->rsp(), {});
  });
}

TEST(PointsTiming, RequestsAndReplies) {
  const auto filter = [](auto&& block) {
    block->reset();
    const Timing reply = measured(*block, block->take(), block->mask(), {false, 0xf});
    block->reset();
    const Timing request = measured(*block, block->req(), block->fwd(), {0, 0, 0xf});
    EXPECT_EQ(reply.latency, request.latency);
    return std::pair(request, reply);
  };
  const auto table_at = [](auto p) {
    return packet_filter::TableParams{p["Sets"], p["Ways"], p["SmBits"], p["LineBits"]};
  };
  expect_columns<rtl_points::pdr_table>([&](auto p) {
    const auto [request, reply] = filter(packet_filter::make_pdr_table(table_at(p), kModel));
    EXPECT_EQ(reply.cycles, request.cycles);
    return request;
  });
  expect_columns<rtl_points::packet_filter>([&](auto p) {  // replies wait for the sizes of their encoders
    return filter(packet_filter::make_packet_filter({table_at(p), p["InFlight"]}, kModel)).first;
  });
  expect_columns<rtl_points::request_analyzer>([](auto p) {
    return measured(*request_control::make_request_analyzer({p["Lanes"], p["LineBytes"], p["SubBlocks"]}, kModel),
                    {1, 0, {}});
  });
  expect_columns<rtl_points::critical_data_tracker>([](auto p) {
    const auto block =
        request_control::make_critical_data_tracker({p["Lines"], p["Mshrs"], p["Append"] != 0}, kModel);
    block->reset();
    return measured(*block, block->req(), block->rsp(), {});
  });
  expect_columns<rtl_points::windows_manager>([](auto p) {  // of the last event that a verdict needs
    const unsigned window = p["Window"], percent = p["FdrPercent"], needed = window * percent / 100 + 1;
    const auto block = request_control::make_windows_manager({window, p["IcaPercent"], percent}, kModel);
    block->reset();
    for (unsigned event = 0; event < needed; ++event) {
      EXPECT_FALSE(block->verdicts().fdr_over);
      offer(block->reply(), {0xf, false}, "windows_manager");
      block->tick();
    }
    return Timing{block->verdicts().fdr_over ? 1 : 0, kAnswers};
  });
}

}  // namespace
}  // namespace warpsieve
