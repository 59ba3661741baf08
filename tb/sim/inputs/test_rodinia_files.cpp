// Rodinia's own files: hurricane records, chip maps, proteins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inputs/rodinia_files.h"
#include "sim/inputs/support.h"
#include "sim/trace/packed.h"

namespace warpsieve::inputs::test {
namespace {

using ::testing::HasSubstr;

const std::string kRecords =
    "1950  1  1  0  1 ABLE       17.0  55.5   35    0\n"
    "1950  1  1  0  1 ABLE       -7.5 355.0   35    0\n";

TEST(Records, LatitudeAndLongitudeStandInFixedColumns) {
  for (const std::string& text : {kRecords, "\xef\xbb\xbf" + kRecords}) {
    const std::vector<Position> places = parse_positions("a.db", text);
    ASSERT_EQ(places.size(), 2u);
    EXPECT_EQ(places[0].latitude, 17.0f);
    EXPECT_EQ(places[0].longitude, 55.5f);
    EXPECT_EQ(places[1].latitude, -7.5f);
    EXPECT_EQ(places[1].longitude, 355.0f);
  }
}

TEST(Records, AListNamesFilesBesideIt) {
  const TemporaryFile a("a.db", kRecords), b("b.db", tb::gzipped(kRecords));
  const auto file = [](const TemporaryFile& f) { return std::filesystem::path(f.path()).filename().string(); };
  const TemporaryFile list("list.txt", "../../data/nn/" + file(a) + "\r\n" + file(b) + "\n\n");
  EXPECT_EQ(read_positions(list.path()).size(), 4u);
  EXPECT_EQ(read_positions(b.path()).size(), 2u);
  EXPECT_EQ(input_files("nn", list.path()), (std::vector<std::string>{list.path(), a.path(), b.path()}));
  EXPECT_EQ(input_files("nn", a.path()), std::vector<std::string>{a.path()});
  const TemporaryFile bad("bad.txt", "no_such_file.db\n");
  EXPECT_THAT(error_of([&] { read_positions(bad.path()); }), HasSubstr("no_such_file.db:1: expected a file"));
}

TEST(Records, ErrorsNameTheLineAndTheColumns) {
  EXPECT_EQ(error_of([] { parse_positions("a.db", "1950  1  1\n"); }),
            "a.db:1: expected a record of at least 38 columns, found 10");
  std::string bad = kRecords;
  bad.replace(bad.find("355.0"), 5, "3x5.0");
  EXPECT_EQ(error_of([&] { parse_positions("a.db", bad); }),
            "a.db:2: expected a longitude in columns 34 to 38, found '3x5.0'");
  damage(kRecords, [](const std::string& text) { parse_positions("x", text); });
}

TEST(Maps, AreSquareAndKnowTheOther) {
  std::string text;
  for (int i = 0; i < 256; ++i) text += std::to_string(i) + "\r\n";
  const Map map = parse_map("temp_16", text);
  EXPECT_EQ(map.side, 16);
  EXPECT_EQ(map.values[255], 255.0f);
  EXPECT_EQ(error_of([&] { parse_map("temp_16", text + "1\n"); }),
            "temp_16:258: expected the values of a square of 16 to 8192 cells a side, found 257 values");
  EXPECT_EQ(error_of([&] { parse_map("temp_16", "1\nx\n"); }),
            "temp_16:2: expected a value of the map (a finite number), found 'x'");
  EXPECT_EQ(other_map("/a/temp_512.xz"), "/a/power_512.xz");
  EXPECT_EQ(other_map("/temp/power_512"), "/temp/temp_512");
  EXPECT_THAT(error_of([] { other_map("/temp/x"); }), HasSubstr("/temp/x:1: expected a file whose name has 'temp'"));
  EXPECT_EQ(input_files("hotspot", "temp_64"), (std::vector<std::string>{"temp_64", "power_64"}));
}

TEST(Proteins, TwoSequencesOfKnownLetters) {
  EXPECT_EQ(parse_proteins("p.fa", ">a\r\nARN\r\nd\r\n>b\r\nWYV\r\n"), (std::vector<std::string>{"ARND", "WYV"}));
  EXPECT_EQ(error_of([] { parse_proteins("p.fa", ">a\nARND\n"); }), "p.fa:3: expected two sequences, found 1");
  EXPECT_EQ(error_of([] { parse_proteins("p.fa", ">a\nAR1\n"); }),
            "p.fa:2: expected letters of amino acids, found '1'");
  EXPECT_EQ(error_of([] { parse_proteins("p.fa", "ARN\n"); }),
            "p.fa:1: expected a title that starts with '>' before the letters, found 'ARN'");
  damage(">a\nARNDCQEGHILKMFPSTWYV\n>b\nARNDCQEGHILK\n", [](const std::string& text) { parse_proteins("x", text); });
}

}  // namespace
}  // namespace warpsieve::inputs::test
