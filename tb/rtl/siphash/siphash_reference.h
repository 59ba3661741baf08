// The independent reference: OpenSSL's SipHash with a 16-byte tag; and the published vectors of the authors.
#pragma once

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "blocks/siphash/line_hasher.h"
#include "blocks/siphash/siphash_core.h"

namespace warpsieve::siphash::reference {

using Bytes = std::vector<std::uint8_t>;

inline Tag openssl_tag(const Key& key, std::span<const std::uint8_t> message) {
  static const std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> mac(EVP_MAC_fetch(nullptr, "SIPHASH", nullptr),
                                                                     &EVP_MAC_free);
  if (!mac) throw std::runtime_error("OpenSSL has no SIPHASH");
  const std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context(EVP_MAC_CTX_new(mac.get()),
                                                                          &EVP_MAC_CTX_free);
  Tag tag;
  unsigned size = tag.size();
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_uint(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_construct_end()};
  std::size_t written = 0;
  if (EVP_MAC_init(context.get(), key.data(), key.size(), params) != 1 ||
      EVP_MAC_update(context.get(), message.data(), message.size()) != 1 ||
      EVP_MAC_final(context.get(), tag.data(), &written, tag.size()) != 1 || written != tag.size()) {
    throw std::runtime_error("OpenSSL refuses SIPHASH with 16 bytes");
  }
  return tag;
}

/// The fingerprint of a line as decision C7 defines it.
inline Tag line_tag(const Key& key, std::uint8_t mask, const std::array<std::uint8_t, kLineBytes>& line) {
  Bytes message;
  for (unsigned i = 0; i < kLineBytes; ++i) {
    if (mask >> (i / kSectorBytes) & 1) message.push_back(line[i]);
  }
  message.push_back(mask);
  return openssl_tag(key, message);
}

/// Key 00 01 .. 0f of the reference's vectors.
inline Key counting_key() {
  Key key;
  for (unsigned i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  return key;
}
inline Bytes counting_bytes(std::size_t length) {
  Bytes bytes(length);
  for (std::size_t i = 0; i < length; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  return bytes;
}

struct Published {
  std::size_t length;  ///< message 00 01 02 ... of so many bytes under counting_key()
  Tag tag;
};
/// First entries of vectors_sip128 in the authors' reference code (github.com/veorq/SipHash, vectors.h).
inline std::vector<Published> published() {
  return {{0, {0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6, 0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02, 0x93}},
          {1, {0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44, 0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc, 0x45}}};
}

}  // namespace warpsieve::siphash::reference
