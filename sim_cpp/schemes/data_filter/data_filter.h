// Compression and data filtering of replies (DPC thesis):
//
//   dpc          each read reply is a whole line in dual pattern compression (3.4.1.2)
//   df_trunc     only the sub-blocks that the SM asked for, compressed (DF-TRUNC, decision D4)
//   df_man       the line, or the line with the rest set to zero, whichever is smaller (DF-MAN, decision D5)
//   df_trunc+rc, df_man+rc   ... and a request controller that asks for whole lines where parts do not pay (4.1)
//
//   SM    request_analyzer ─▶ critical_data_tracker ─▶ L1      requests carry the mask of sub-blocks (32 B each)
//                       ▲ windows_manager (rc)
//         dpc_decoder ◀── reply network ◀── dpc_encoder x 2 ◀── packet_filter (256-entry table)      controller
//
// Lines are read whole from the L2 and the DRAM (decision X1); requests keep their size (D16); writes are neither
// filtered nor compressed. Blocks: packet_filter and dpc_encoder per controller (mc0), the others per SM (sm0); dpc
// has only encoder and decoder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "blocks/dpc/dpc.h"
#include "schemes/scheme.h"

namespace warpsieve::schemes {

/// RTL exists for the defaults of table, window, thresholds and append, and for an L1 of 128 lines and 32 MSHRs.
struct DataFilterParams {
  std::uint32_t table_sets = 0, table_ways = 0;
  std::uint32_t window = 0, ica_percent = 0, fdr_percent = 0, window_need = 0, append = 0;
  std::uint32_t encode_cycles = 0, decode_cycles = 0, filter_cycles = 0;
  DataFilterParams();
  void declare(ParamSet& set);
};

enum class Reduction : std::uint8_t { compress, truncate, manipulate };

struct DataFilterVariant {
  std::string name, doc;
  Reduction reduction = Reduction::compress;
  bool control = false;
  const dpc::Transform* transform = nullptr;  ///< of encoder and decoder: the published DPC would set it (D1)
  const char* area_note = "";                 ///< SchemeInfo::area_note
  bool filters() const { return reduction != Reduction::compress; }
};

std::unique_ptr<memsys::ReplyPort> make_reply_filter(const DataFilterVariant& variant, const DataFilterParams& params,
                                                     const BackendPlan& backends, unsigned controller,
                                                     const memsys::Profile& profile, Stats& stats);
std::unique_ptr<memsys::ReplyDecoder> make_dpc_reply_decoder(const DataFilterVariant& variant,
                                                             const DataFilterParams& params,
                                                             const BackendPlan& backends, unsigned sm);
std::unique_ptr<memsys::L1Port> make_critical_port(const DataFilterVariant& variant, const DataFilterParams& params,
                                                   const BackendPlan& backends, unsigned sm,
                                                   memsys::L1PortOwner& host, Stats& stats);

}  // namespace warpsieve::schemes
