// Files of every kind that workloads read: packed, with a byte-order mark and CRLF, refused, of odd sizes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "inputs/file_error.h"
#include "inputs/image.h"
#include "inputs/random.h"
#include "sim/trace/packed.h"
#include "sim/workloads/support.h"
#include "support/shared_inputs.h"
#include "workloads/input_kinds.h"

namespace warpsieve::workloads::test {
namespace {

using inputs::Random;
using ::testing::HasSubstr;
using SizeMap = std::map<std::string, std::string>;

/// A hash of every value that the kernels store, the result checked.
std::uint64_t result_of(const std::string& workload, const std::string& file, const SizeMap& set = {}) {
  const auto w = make_workload(workload, {.input = file, .set = set, .scale = Scale::small});
  w->setup();
  std::uint64_t hash = 14695981039346656037u;
  run_warps(*w, [&](const simt::LaunchShape&, std::uint64_t, const WarpTrace& t) {
    for (const auto byte : t.data) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 1099511628211u;
  });
  EXPECT_EQ(w->verify(), "") << workload << " " << file;
  return hash;
}

/// Rodinia's lud/tools/gen_input: A = L U in floats with L[i][i] = 1 and other entries of both random in [0, 1), six
/// decimals, the order in the first line.
std::string rodinia_lud(int n, std::uint64_t seed) {
  Random random(seed);
  const auto size = static_cast<std::size_t>(n);
  std::vector<float> l(size * size), u(size * size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) {
      const auto r = static_cast<float>(random.real());
      l[i * size + j] = i == j ? 1.0f : i > j ? r : 0.0f;
      u[i * size + j] = i <= j ? r : 0.0f;
    }
  std::string text = fmt::format("{}\n", n);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < size; ++k) sum += l[i * size + k] * u[k * size + j];
      text += fmt::format("{:.6f} ", sum);
    }
    text += '\n';
  }
  return text;
}

/// As Rodinia's gaussian/matrix4.txt: the order, entries of one decimal from -0.9 to 0.9, the right-hand side of a
/// solution of one decimal, the solution; blank lines between them, tabs between values.
std::string rodinia_gaussian(int n, std::uint64_t seed) {
  Random random(seed);
  const auto tenth = [&] { return 0.1 * (static_cast<int>(random.below(19)) - 9); };
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> a(size * size), x(size);
  for (double& v : a) v = tenth();
  for (double& v : x) v = tenth();
  a[0] = -0.6;
  std::string text = fmt::format("{}\n\n", n), right, solution;
  for (std::size_t i = 0; i < size; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < size; ++j) {
      sum += a[i * size + j] * x[j];
      text += fmt::format("{:.1f}\t", a[i * size + j]);
    }
    text += '\n';
    right += fmt::format("{:.2f}\t", sum);
    solution += fmt::format("{:.1f}\t", x[i]);
  }
  return text + "\n" + right + "\n\n" + solution + "\n";
}

std::string big_endian(std::uint32_t v) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((v >> shift) & 0xff);
  return out;
}
std::string little_endian(std::uint32_t v, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((v >> (8 * i)) & 0xff);
  return out;
}

/// Grey, 8 bits, one piece of data, no filter.
std::string png(int width, int height) {
  std::string rows;
  for (int y = 0; y < height; ++y) {
    rows += '\0';
    for (int x = 0; x < width; ++x) rows += static_cast<char>((x * 7 + y * 29) % 251);
  }
  std::string packed(compressBound(rows.size()), '\0');
  uLongf size = packed.size();
  EXPECT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
                     rows.size()),
            Z_OK);
  packed.resize(size);
  const auto chunk = [](const std::string& kind, const std::string& data) {
    const std::string body = kind + data;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return big_endian(static_cast<std::uint32_t>(data.size())) + body + big_endian(static_cast<std::uint32_t>(crc));
  };
  const std::string header = big_endian(static_cast<std::uint32_t>(width)) +
                             big_endian(static_cast<std::uint32_t>(height)) + std::string("\x08\0\0\0\0", 5);
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", packed) + chunk("IEND", "");
}

std::string bmp(int width, int height) {
  std::string rows;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < 3 * width; ++x) rows += static_cast<char>((x * 5 + y * 31) % 253);
    rows.append(static_cast<std::size_t>((4 - 3 * width % 4) % 4), '\0');
  }
  return "BM" + little_endian(static_cast<std::uint32_t>(54 + rows.size()), 4) + little_endian(0, 4) +
         little_endian(54, 4) + little_endian(40, 4) + little_endian(static_cast<std::uint32_t>(width), 4) +
         little_endian(static_cast<std::uint32_t>(height), 4) + little_endian(1, 2) + little_endian(24, 2) +
         std::string(24, '\0') + rows;
}

struct Sample {
  std::string workload, name, content;
  bool text = true;  ///< may have a mark and CRLF
  SizeMap set = {};
  std::string beside = {}, beside_content = {};  ///< a second file that the reader finds by its name
};
void PrintTo(const Sample& s, std::ostream* out) { *out << s.workload << " " << s.name; }

/// One of every format.
std::vector<Sample> samples() {
  const std::string gr = "c road\np sp 4 5\na 1 2 7\na 2 3 5\na 3 1 6\na 3 4 1\na 4 1 2\n";
  std::string egr;
  for (const int word : {3, 2, 0, 1, 2, 2, 1, 2, 7, 9})
    for (int i = 0; i < 4; ++i) egr += static_cast<char>((word >> (8 * i)) & 0xff);
  const std::string medit =
      "MeshVersionFormatted 1\nDimension 3\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n"
      "Tetrahedra\n2\n1 2 3 4 0\n5 2 3 4 0\nEnd\n";
  const std::string su2 =
      "NDIME= 3\nNELEM= 2\n10 0 1 2 3 0\n10 4 1 2 3 1\nNPOIN= 5\n0 0 0 0\n1 0 0 1\n0 1 0 2\n0 0 1 3\n1 1 1 4\n"
      "NMARK= 0\n";
  const std::string gambit =
      "        CONTROL INFO 2.4.6\n** GAMBIT NEUTRAL FILE\ntwo\nPROGRAM: Gambit VERSION: 2.4.6\nMay 2006\n"
      "     NUMNP     NELEM     NGRPS    NBSETS     NDFCD     NDFVL\n 5 2 0 0 3 3\nENDOFSECTION\n"
      "   NODAL COORDINATES 2.4.6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\nENDOFSECTION\n"
      "      ELEMENTS/CELLS 2.4.6\n1 6 4 1 2 3 4\n2 6 4 5 2 3 4\nENDOFSECTION\n";
  std::string pgm = "P2\n# a comment\n40 33\n255\n", ppm = "P6\n40 33\n255\n", points, maps, powers, records, words,
              numbers;
  for (int i = 0; i < 40 * 33; ++i) pgm += fmt::format("{}\n", i * 31 % 251);
  for (int i = 0; i < 3 * 40 * 33; ++i) ppm += static_cast<char>(i * 37 % 253);
  for (int i = 0; i < 40; ++i) points += fmt::format("{} {} {} {}\n", i, i % 7, i * 0.25, -i);
  for (int i = 0; i < 400; ++i) {
    maps += fmt::format("{}\n", 320 + i % 7);
    numbers += fmt::format("{}{}", i * 37 % 101 * 0.25, i % 8 == 7 ? "\n" : " ");
    powers += fmt::format("{}\n", 0.001 * (i % 5));
    records += fmt::format("1950  1  1  0  1 {:9} {:5.1f} {:5.1f}   35    0\n", "ABLE", i % 60 + 0.5, i % 350 + 0.25);
    words += fmt::format("{}ord memory remembering\n", static_cast<char>('a' + i % 17));
  }
  const std::string bases = "ACGTTGCAACGGTTAACCGGTATCGATTACAGGCATTACG";
  const SizeMap passes = {{"passes", "1"}};
  return {{"bfs", "a.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 2 1.5\n2 3 1\n3 4 2\n4 1 1\n"},
          {"bfs", "a.graph", "% comment\n4 3\n2\n1 3\n2 4\n3\n"},
          {"sssp", "a.gr", gr},
          {"bfs", "a.col", "c a graph\np edge 4 3\ne 1 2\ne 2 3\ne 3 4\n"},
          {"bfs", "pace.gr", "c PACE\np tw 4 3\n1 2\n2 3\n3 4\n"},
          {"bfs", "snap.txt", "# Directed graph\n# FromNodeId\tToNodeId\n10\t20\n20\t35\n35\t10\n"},
          {"sssp", "a.csv", "source,target,weight\n1,2,7\n2,3,9\n3,1,4\n"},
          {"bfs", "a.tsv", "1\t2\n2\t3\n3\t1\n"},
          {"sssp", "a.egr", egr, false},
          {"bfs", "rodinia.txt", "3\n0 2\n2 1\n3 0\n\n0\n\n3\n1 9\n2 8\n0 7\n"},
          {"cfd", "a.mesh", medit, true, {{"iterations", "1"}}},
          {"cfd", "a.su2", su2, true, {{"iterations", "1"}}},
          {"cfd", "a.neu", gambit, true, {{"iterations", "1"}}},
          {"cfd",
           "fvcorr.txt",
           "2\n0.5 2 1 0 0 0 0 1 0 -1 0 0 1 -3 -1 -1 -1\n0.25 1 -1 0 0 -1 0 1 0 -1 0 0 1 0 1 -1 -1\n",
           true,
           {{"iterations", "1"}}},
          {"kmeans", "points", points, true, {{"passes", "1"}, {"centres", "3"}}},
          {"lud", "64.dat", rodinia_lud(64, 1)},
          {"gaussian", "matrix16.txt", rodinia_gaussian(16, 2)},
          {"srad", "a.pgm", pgm, true, {{"iterations", "1"}}},
          {"dwt2d", "a.ppm", ppm, false},
          {"graphcut", "a.png", png(41, 30), false},
          {"darknet_conv", "a.bmp", bmp(37, 29), false},
          {"darknet_tiny", "a.bmp", bmp(37, 29), false},
          {"copy", "any.pgm", pgm},
          {"hotspot", "temp_20", maps, true, {{"launches", "2"}}, "power_20", powers},
          {"nn", "cane.db", records},
          {"nw", "two.fa", ">a\nARNDCQEGHILKMFPSTWYV\n>b\nARNDCQEGHILKMFPSTWYV\n"},
          {"mummergpu", "ref.fa", ">chromosome\n" + bases + "\n" + bases + "\n"},
          {"hybridsort", "numbers", numbers},
          {"mars_pvc", "log", "/a\t10.0.0.1\t7\n/b\t10.0.0.2\t3\n/a\t10.0.0.1\t7\n"},
          {"mars_pvr", "pages", "/a 7\n/b 3\n/c 12\n"},
          {"mars_sm", "words", words},
          {"mars_wc", "prose", words},
          {"mars_ii", "page", "text <a href=\"http://a.com/x.html\"> more\n<a href=\"http://b.com\"> end\n"}};
}

class EveryReader : public ::testing::TestWithParam<Sample> {};

TEST_P(EveryReader, TakesPackedFilesMarksAndCrlfAsTheSame) {
  const Sample& s = GetParam();
  const Folder folder;
  const auto with = [&](const std::function<std::string(const std::string&)>& change) {
    if (!s.beside.empty()) folder.write(s.beside, change(s.beside_content));
    return result_of(s.workload, folder.write(s.name, change(s.content)), s.set);
  };
  const std::uint64_t plain = with([](const std::string& text) { return text; });
  EXPECT_EQ(with(tb::gzipped), plain) << "gzip";
  EXPECT_EQ(with(tb::xzipped), plain) << "xz";
  EXPECT_EQ(with(tb::zstd_packed), plain) << "zstd";
  if (!s.text) return;
  const auto of_windows = [](const std::string& text) {
    std::string out = "\xef\xbb\xbf";
    for (const char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
    return out;
  };
  EXPECT_EQ(with(of_windows), plain) << "byte-order mark and CRLF";
  EXPECT_EQ(with([&](const std::string& text) { return tb::gzipped(of_windows(text)); }), plain);
}

TEST_P(EveryReader, RefusesOtherContentWithTheFormatsItKnows) {
  const Sample& s = GetParam();
  for (const char* anything : {"copy", "mars_sm", "mars_wc", "mars_ii"})
    if (s.workload == anything) return;
  const Folder folder;
  const std::string name = s.workload == "hotspot" ? "temp_x" : "x";
  if (s.workload == "hotspot") folder.write("power_x", "1 2 3\n");
  const std::string file = folder.write(name, "\x01\x02 nothing \x7f of any kind\n");
  try {
    make_workload(s.workload, {.input = file, .scale = Scale::small});
    ADD_FAILURE() << "read";
  } catch (const inputs::InputError& error) {
    const std::string what = error.what();
    EXPECT_THAT(what, ::testing::StartsWith(file));
    EXPECT_THAT(what, HasSubstr(": expected "));
    EXPECT_THAT(what,
                ::testing::EndsWith(fmt::format("; {} reads {}", s.workload, formats_of(workload_info(s.workload)))));
    EXPECT_EQ(what.find('\n'), what.npos);
  }
  // What no format would mend names none.
  for (const std::string& path : {file + ".none", folder.write("empty", "")}) try {
      make_workload(s.workload, {.input = s.workload == "hotspot" ? path + "temp" : path, .scale = Scale::small});
      ADD_FAILURE() << "read";
    } catch (const inputs::InputError& error) {
      EXPECT_EQ(std::string(error.what()).find(" reads "), std::string::npos) << error.what();
    }
}

std::string sample_name(const ::testing::TestParamInfo<Sample>& info) {
  std::string name = info.param.workload + "_" + info.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Formats, EveryReader, ::testing::ValuesIn(samples()), sample_name);

TEST(Formats, EveryKindOfInputHasASample) {
  std::set<std::string> seen;
  for (const Sample& s : samples()) seen.insert(input_kind(workload_info(s.workload).input));
  for (const InputKind& kind : input_kinds()) EXPECT_TRUE(seen.contains(kind.what)) << kind.what;
}

TEST(RodiniaMatrices, OfItsGeneratorsAreAccepted) {
  const Folder folder;
  for (const int n : {64, 256})
    for (const std::uint64_t seed : {1u, 2u, 3u})
      result_of("lud", folder.write(fmt::format("{}.dat", n), rodinia_lud(n, seed)));
  result_of("gaussian",
            folder.write("matrix4.txt",
                         "4\n\n-0.6\t-0.5\t0.7\t0.3\t\n-0.3\t-0.9\t0.3\t0.7\t\n-0.4\t-0.5\t-0.3\t-0.8\t\n"
                         "0.0\t-0.1\t0.2\t0.9\t\n\n-0.85\t-0.68\t0.24\t-0.53\t\n\n0.7\t0.0\t-0.4\t-0.5\n"));
  result_of("gaussian", folder.write("matrix208.txt", rodinia_gaussian(208, 4)));
}

TEST(RodiniaPoints, WithWordsAreReadAndCounted) {
  SHARED_INPUT(file, "inputs_real/kmeans_kdd_cup.xz");
  testing::internal::CaptureStderr();
  const auto w = make_workload("kmeans", {.input = file});
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(w, nullptr);
  EXPECT_THAT(said, HasSubstr("3 of 16796680 values are words: read as 0, or as the number at their start\n"));
}

TEST(Pictures, OfAnySizeRunAndWhatIsMadeOfThemIsSaid) {
  const Folder folder;
  for (const auto& [width, height] : std::vector<std::pair<int, int>>{{37, 53}, {3, 5}, {130, 21}}) {
    std::string picture = fmt::format("P5\n{} {}\n255\n", width, height);
    for (int i = 0; i < width * height; ++i) picture += static_cast<char>(i * 31 % 251);
    const std::string file = folder.write(fmt::format("{}x{}.pgm", width, height), picture);
    for (const auto& [workload, set] :
         std::vector<std::pair<std::string, SizeMap>>{{"dwt2d", {}},
                                                      {"heartwall", {}},
                                                      {"graphcut", {}},
                                                      {"darknet_conv", {}},
                                                      {"srad", {{"iterations", "1"}}},
                                                      {"srad", {{"iterations", "1"}, {"block", "32"}}}}) {
      SCOPED_TRACE(workload);
      testing::internal::CaptureStderr();
      result_of(workload, file, set);
      const std::string said = testing::internal::GetCapturedStderr();
      const std::string size = fmt::format("the picture of {} x {} pixels is ", width, height);
      const std::map<std::string, std::string> becomes = {
          {"dwt2d", "padded to "}, {"graphcut", "scaled to "}, {"darknet_conv", "scaled to "}};
      if (const auto found = becomes.find(workload); found != becomes.end()) {
        EXPECT_THAT(said, HasSubstr(size + found->second));
      } else if (workload == "heartwall" && std::min(width, height) < 22) {
        EXPECT_THAT(said, HasSubstr(size + "padded to "));
      } else {
        EXPECT_EQ(said, "") << "is taken as it is";
      }
    }
  }
}

TEST(MatrixMarketWeights, OfEveryKindRunAsTheyAreOrAsOnes) {
  const Folder folder;
  const std::string head = "%%MatrixMarket matrix ";
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"coordinate pattern general", "3 3 3\n1 2\n2 3\n3 1\n"},
      {"coordinate pattern symmetric", "3 3 2\n2 1\n3 2\n"},
      {"coordinate integer general", "3 3 3\n1 2 4\n2 3 5\n3 1 6\n"},
      {"coordinate integer symmetric", "3 3 2\n2 1 4\n3 2 5\n"},
      {"coordinate real general", "3 3 3\n1 2 1.5\n2 3 2\n3 1 7\n"},
      {"coordinate real symmetric", "3 3 2\n2 1 2.5\n3 2 4\n"},
      {"coordinate complex general", "3 3 3\n1 2 3 4\n2 3 0 1\n3 1 1 0\n"},
      {"coordinate complex hermitian", "3 3 2\n2 1 3 -4\n3 2 1 1\n"},
      {"array real general", "2 2\n0\n1\n2\n0\n"},
      {"array integer symmetric", "2 2\n0\n3\n0\n"}};
  for (const auto& [kind, body] : kinds) {
    SCOPED_TRACE(kind);
    const std::string file = folder.write("a.mtx", head + kind + "\n% comment\n" + body);
    result_of("sssp", file);
    result_of("sssp", file, {{"weights", "unit"}});
    result_of("bfs", file);
  }
  // Opposite signs: no lengths, but arcs.
  for (const auto& [kind, body] : std::vector<std::pair<std::string, std::string>>{
           {"coordinate real skew-symmetric", "3 3 2\n2 1 4\n3 2 5\n"}, {"array real skew-symmetric", "2 2\n3\n"}}) {
    SCOPED_TRACE(kind);
    const std::string file = folder.write("a.mtx", head + kind + "\n" + body);
    try {
      result_of("sssp", file);
      ADD_FAILURE() << "negative lengths";
    } catch (const WorkloadError& error) {
      EXPECT_THAT(error.what(), HasSubstr("or --unit-weights"));
    }
    result_of("sssp", file, {{"weights", "unit"}});
    result_of("bfs", file);
  }
}

}  // namespace
}  // namespace warpsieve::workloads::test
