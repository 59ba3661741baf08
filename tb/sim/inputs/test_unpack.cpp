// Compressed files: what was packed comes back, and damaged, short or too large archives give one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "inputs/graph.h"
#include "inputs/unpack.h"
#include "sim/inputs/support.h"
#include "sim/trace/packed.h"
#include "support/property.h"

namespace warpsieve::inputs::test {
namespace {

using ::testing::HasSubstr;
using Packer = std::string (*)(const std::string&);

struct Format {
  const char* name;
  Packer pack;
};
constexpr Format kFormats[] = {{"gzip", tb::gzipped}, {"xz", tb::xzipped}, {"zstd", tb::zstd_packed}};
constexpr std::uint64_t kPlenty = 1 << 28;

TEST(Unpack, WhatIsNotCompressedStays) {
  for (const char* text : {"", "a", "1 2\n3 4\n", "\x1f", "\x28\xb5\x2f", "PK\x03\x04"}) {
    EXPECT_FALSE(is_packed(text));
    EXPECT_EQ(unpacked("f", text, kPlenty), text);
  }
}

TEST(UnpackProperty, AnyBytesComeBackFromOneOrSeveralStreams) {
  tb::check_property("inputs/unpack", 200, [] {
    const auto parts = *rc::gen::nonEmpty(
        rc::gen::container<std::vector<std::string>>(rc::gen::nonEmpty(rc::gen::string<std::string>())));
    const Format& format = kFormats[*rc::gen::inRange(0, 3)];
    std::string whole, packed;
    for (const std::string& part : parts) {
      whole += part;
      packed += format.pack(part);
    }
    RC_ASSERT(is_packed(packed));
    RC_ASSERT(unpacked("f", packed, kPlenty) == whole);
  });
}

TEST(Unpack, MoreThanAPieceComesBack) {
  Random random(3);
  std::string text(5'000'003, '\0');
  for (char& c : text) c = static_cast<char>('a' + random.below(4));
  for (const Format& format : kFormats) EXPECT_EQ(unpacked("f", format.pack(text), kPlenty), text) << format.name;
}

TEST(Unpack, EveryTruncationIsOneLineThatNamesTheByte) {
  const std::string text = "a text of a few words, a few words of a text";
  for (const Format& format : kFormats) {
    const std::string packed = format.pack(text);
    for (std::size_t n = 6; n < packed.size(); ++n) {
      const std::string got = error_of([&] { unpacked("cut.gr", packed.substr(0, n), kPlenty); });
      EXPECT_THAT(got, HasSubstr("cut.gr: byte ")) << format.name << " " << n;
      EXPECT_THAT(got, HasSubstr(format.name)) << n;
    }
    EXPECT_EQ(error_of([&] { unpacked("cut.gr", packed.substr(0, packed.size() - 1), kPlenty); }),
              "cut.gr: byte " + std::to_string(packed.size() - 1) + ": expected " + format.name +
                  " data to their end, found the end of the file");
  }
}

TEST(Unpack, DamageIsNeverADifferentText) {
  const std::string text = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16";
  for (const Format& format : {kFormats[0], kFormats[1]}) {  // their checksums cover the content
    const std::string packed = format.pack(text);
    for (std::size_t i = format.pack == tb::gzipped ? 10 : 6; i < packed.size(); ++i) {
      std::string bad = packed;
      bad[i] = static_cast<char>(bad[i] ^ 0x10);
      const std::string got = error_of([&] { unpacked("bad", bad, kPlenty); });
      EXPECT_THAT(got, HasSubstr("bad: byte ")) << format.name << " byte " << i;
      EXPECT_EQ(got.find('\n'), got.npos);
    }
  }
}

TEST(Unpack, MoreThanTheLimitIsRefused) {
  const std::string text(3000, 'x');
  for (const Format& format : kFormats) {
    EXPECT_EQ(unpacked("f", format.pack(text), 3000), text);
    EXPECT_THAT(error_of([&] { unpacked("f", format.pack(text), 2999); }),
                HasSubstr("expected at most 2999 bytes after decompression, found more"));
  }
}

TEST(Unpack, AnEmptyArchiveIsRefused) {
  for (const Format& format : kFormats)
    EXPECT_EQ(error_of([&] { unpacked("f", format.pack(""), kPlenty); }),
              std::string("f:1: expected data, found none in the ") + format.name + " file");
}

TEST(Unpack, AFileIsReadWhateverItsName) {
  for (const Format& format : kFormats)
    for (const char* name : {"g.gr", "g.gr.gz", "g"}) {
      const TemporaryFile file(name, format.pack("c road\np sp 2 1\na 1 2 5\n"));
      EXPECT_EQ(read_graph(file.path()).arcs(), 1) << format.name << " " << name;
    }
}

TEST(Text, AByteOrderMarkAndCrlfChangeNothing) {
  const std::pair<std::string, std::string> files[] = {
      {"a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1.5\n3 1 -2\n"},
      {"a.graph", "% comment\n4 2\n2 3\n1\n1\n\n"},
      {"a.gr", "c road\np sp 3 3\na 3 1 7\nc more\na 1 2 5\na 1 3 6\n"},
      {"a", "c road\np sp 3 3\na 3 1 7\nc more\na 1 2 5\na 1 3 6\n"},
      {"a.txt", "3\n0 2\n2 1\n3 0\n\n2\n\n3\n1 9\n2 8\n0 7\n"}};
  for (const auto& [name, text] : files) {
    std::string other = "\xef\xbb\xbf";
    for (const char c : text) other += c == '\n' ? std::string("\r\n") : std::string(1, c);
    const Graph plain = parse_graph(name, text), marked = parse_graph(name, other);
    EXPECT_EQ(plain.row, marked.row) << name;
    EXPECT_EQ(plain.col, marked.col) << name;
    EXPECT_EQ(plain.weight, marked.weight) << name;
  }
}

}  // namespace
}  // namespace warpsieve::inputs::test
