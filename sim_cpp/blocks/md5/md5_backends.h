// The implementations behind make_line_hasher(), make_md5_core() and make_md5_pipeline().
#pragma once

#include "blocks/md5/line_hasher.h"
#include "blocks/md5/md5_core.h"
#include "blocks/md5/md5_pipeline.h"

namespace warpsieve::md5 {

std::unique_ptr<LineHasher> make_line_hasher_model(const LineHasherParams& params);
std::unique_ptr<LineHasher> make_line_hasher_rtl(const LineHasherParams& params, const std::string& name);
std::unique_ptr<Md5Core> make_md5_core_model(const Md5CoreParams& params);
std::unique_ptr<Md5Core> make_md5_core_rtl(const Md5CoreParams& params, const std::string& name);
std::unique_ptr<Md5Pipeline> make_md5_pipeline_model(const Md5PipelineParams& params);
std::unique_ptr<Md5Pipeline> make_md5_pipeline_rtl(const Md5PipelineParams& params, const std::string& name);

}  // namespace warpsieve::md5
