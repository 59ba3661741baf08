// The implementations behind make_counting_bloom() and make_bloom_predictor().
#pragma once

#include "blocks/bloom_predictor/bloom_predictor.h"
#include "blocks/bloom_predictor/counting_bloom.h"

namespace warpsieve::bloom_predictor {

std::unique_ptr<CountingBloom> make_counting_bloom_model(const CountingBloomParams& params);
std::unique_ptr<CountingBloom> make_counting_bloom_rtl(const CountingBloomParams& params, const std::string& name);
std::unique_ptr<BloomPredictor> make_bloom_predictor_model(const PredictorParams& params);
std::unique_ptr<BloomPredictor> make_bloom_predictor_rtl(const PredictorParams& params, const std::string& name);

}  // namespace warpsieve::bloom_predictor
