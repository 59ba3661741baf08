// The implementations behind the make functions of blocks/axi_stream/axi_stream.h.
#pragma once

#include "blocks/axi_stream/axi_stream.h"

namespace warpsieve::axi_stream {

std::unique_ptr<AxisToLine> make_to_line_model(const LineShape& shape, bool exact);
std::unique_ptr<AxisFromLine> make_from_line_model(const LineShape& shape);
std::unique_ptr<AxisCodec> make_line_hasher_model(const AxisHasherParams& params);
std::unique_ptr<AxisCodec> make_dpc_encoder_model(const AxisDpcParams& params);
std::unique_ptr<AxisCodec> make_dpc_decoder_model(const AxisDpcParams& params);
std::unique_ptr<AxisCodec> make_bpc_encoder_model(const AxisBpcParams& params);
std::unique_ptr<AxisCodec> make_bpc_decoder_model(const AxisBpcParams& params);

std::unique_ptr<AxisToLine> make_to_line_rtl(const LineShape& shape, bool exact, const std::string& name);
std::unique_ptr<AxisFromLine> make_from_line_rtl(const LineShape& shape, const std::string& name);
std::unique_ptr<AxisCodec> make_line_hasher_rtl(const AxisHasherParams& params, const std::string& name);
std::unique_ptr<AxisCodec> make_dpc_encoder_rtl(const AxisDpcParams& params, const std::string& name);
std::unique_ptr<AxisCodec> make_dpc_decoder_rtl(const AxisDpcParams& params, const std::string& name);
std::unique_ptr<AxisCodec> make_bpc_encoder_rtl(const AxisBpcParams& params, const std::string& name);
std::unique_ptr<AxisCodec> make_bpc_decoder_rtl(const AxisBpcParams& params, const std::string& name);

}  // namespace warpsieve::axi_stream
