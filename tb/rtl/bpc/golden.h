// The BPC format as decision D10 says it, written to be obviously right: strings of '0' and '1', one symbol after
// another, every code looked up by trying them in order. Nothing shared with the model.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "blocks/bpc/bpc.h"

namespace warpsieve::bpc::golden {

/// Lowest bit first.
inline std::string number(std::uint64_t value, unsigned bits) {
  std::string out;
  for (unsigned i = 0; i < bits; ++i, value /= 2) out += value % 2 ? '1' : '0';
  return out;
}

inline unsigned place_bits(const BpcParams& params) {
  unsigned bits = 0;
  while ((1u << bits) < params.words - 1) ++bits;
  return bits;
}

/// Planes 32 down to 0 as strings of bits, difference 0 first.
inline std::vector<std::string> planes_of(const BpcParams& params, const Words& words) {
  std::vector<std::string> planes(33);
  for (unsigned i = 0; i + 1 < params.words; ++i) {
    const std::int64_t difference = std::int64_t{words[i + 1]} - std::int64_t{words[i]};
    const std::string bits = number(static_cast<std::uint64_t>(difference), 33);
    for (unsigned j = 0; j < 33; ++j) planes[32 - j] += bits[j];
  }
  return planes;
}

inline std::string base_code(std::uint32_t word) {
  const auto value = static_cast<std::int32_t>(word);
  if (value == 0) return "000";
  if (value >= -8 && value < 8) return "001" + number(word, 4);
  if (value >= -128 && value < 128) return "010" + number(word, 8);
  if (value >= -32768 && value < 32768) return "011" + number(word, 16);
  return "1" + number(word, 32);
}

inline std::string plane_code(const BpcParams& params, const std::string& dbx, const std::string& dbp) {
  const auto ones = std::count(dbx.begin(), dbx.end(), '1');
  const std::size_t place = dbx.find('1');
  if (static_cast<std::size_t>(ones) == dbx.size()) return "00011";
  if (dbp.find('1') == std::string::npos) return "00010";
  if (ones == 1) return "00000" + number(place, place_bits(params));
  if (ones == 2 && dbx[place + 1] == '1') return "00001" + number(place, place_bits(params));
  return "1" + dbx;
}

inline std::string encode(const BpcParams& params, const EncodeReq& req) {
  std::string codes = base_code(req.words[0]);
  std::string above(params.words - 1, '0');
  unsigned zeros = 0;
  const auto flush = [&] {
    if (zeros == 1) codes += "001";
    if (zeros >= 2) codes += "01" + number(zeros - 2, 5);
    zeros = 0;
  };
  for (const std::string& dbp : planes_of(params, req.words)) {
    std::string dbx;
    for (std::size_t i = 0; i < dbp.size(); ++i) dbx += dbp[i] == above[i] ? '0' : '1';
    above = dbp;
    if (dbx.find('1') == std::string::npos) {
      ++zeros;
    } else {
      flush();
      codes += plane_code(params, dbx, dbp);
    }
  }
  flush();
  if (codes.size() < 32 * params.words) return "1" + codes;
  std::string raw = "0";
  for (unsigned i = 0; i < params.words; ++i) raw += number(req.words[i], 32);
  return raw;
}

inline Encoded packed(const std::string& bits) {
  Encoded out;
  out.length = static_cast<unsigned>(bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] == '1') out.bits.at(i / 8) = static_cast<std::uint8_t>(out.bits.at(i / 8) + (1u << (i % 8)));
  }
  return out;
}

}  // namespace warpsieve::bpc::golden
