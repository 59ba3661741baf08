// What the kernels must show, as the workload document states it: memory instructions per warp and
// block, lanes, lines and sectors per access; real input files; variants and bad inputs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "inputs/text_reader.h"
#include "sim/workloads/support.h"
#include "support/shared_inputs.h"
#include "workloads/darknet_layers.h"
#include "workloads/tango_networks.h"

namespace warpsieve::workloads::test {
namespace {

using simt::Op;

/// Of one kernel: memory instructions per warp, and per block; lines and sectors per global access.
struct Seen {
  std::set<std::uint64_t> per_warp, per_block;
  std::set<std::size_t> load_lines, store_lines, load_sectors, lanes;
  std::uint64_t launches = 0, total = 0;
};

std::size_t pieces(const WarpTrace& t, const WarpInstr& i, unsigned bytes) {
  std::set<simt::Addr> s;
  for (int l = 0; l < std::popcount(i.mask); ++l) s.insert(t.address(i, static_cast<unsigned>(l)) / bytes);
  return s.size();
}

/// Runs a workload and looks at every kernel; the result must be right.
std::map<std::string, Seen> kernels(const std::string& name,
                                    const WorkloadOptions& options = {.scale = Scale::small}) {
  const auto w = make_workload(name, options);
  w->setup();
  std::map<std::string, Seen> found;
  while (const auto l = w->next_launch()) {
    Seen& k = found[l->shape().kernel];
    ++k.launches;
    for (std::uint32_t b = 0; b < l->shape().blocks; ++b) {
      std::uint64_t block = 0;
      for (const WarpTrace& t : l->run_block(b).warps) {
        const std::uint64_t n = memory_instructions(t);
        block += n;
        k.per_warp.insert(n);
        for (const WarpInstr& i : t.instrs) {
          if (!is_memory(i)) continue;
          k.lanes.insert(static_cast<std::size_t>(std::popcount(i.mask)));
          (i.op == Op::load ? k.load_lines : k.store_lines).insert(pieces(t, i, 128));
          if (i.op == Op::load) k.load_sectors.insert(pieces(t, i, 32));
        }
      }
      k.per_block.insert(block);
      k.total += block;
    }
  }
  EXPECT_EQ(w->verify(), "") << name;
  return found;
}

using Set = std::set<std::uint64_t>;
using Sizes = std::set<std::size_t>;

TEST(Lud, DiagonalHas31PerimeterHas79AndInternalFourPerWarp) {
  auto k = kernels("lud");
  EXPECT_EQ(k["lud_diagonal"].per_block, (Set{31}));
  EXPECT_EQ(k["lud_perimeter"].per_block, (Set{79}));
  EXPECT_EQ(k["lud_perimeter"].lanes, (Sizes{16}));  // divergent halves
  EXPECT_EQ(k["lud_internal"].per_warp, (Set{4}));
  EXPECT_EQ(k["lud_internal"].load_sectors, (Sizes{4}));  // two rows of 64 bytes
  EXPECT_EQ(k["lud_internal"].load_lines, (Sizes{2}));
}

TEST(Nw, EachBlockOfHalfAWarpHas35) {
  auto k = kernels("nw");
  for (const char* name : {"nw_upper", "nw_lower"}) {
    EXPECT_EQ(k[name].per_block, (Set{35}));
    EXPECT_EQ(k[name].lanes, (Sizes{1, 16}));
    EXPECT_TRUE(k[name].load_sectors.contains(16));  // the column to the left
  }
  EXPECT_EQ(k["nw_upper"].launches + k["nw_lower"].launches, 2u * 128 / 16 - 1);
}

TEST(Backprop, FourAndSixPerWarpOnRowsOf68Bytes) {
  auto k = kernels("backprop");
  EXPECT_EQ(k["backprop_forward"].per_warp, (Set{4}));
  EXPECT_EQ(k["backprop_adjust"].per_warp, (Set{6, 11}));  // the first block also adjusts the bias row
  EXPECT_EQ(k["backprop_forward"].lanes, (Sizes{2, 32}));
  EXPECT_TRUE(k["backprop_forward"].load_sectors.contains(5));  // 33 words, one of them left out
}

TEST(Backprop, TheBenchmarksWeightsSaturateTheHiddenUnitsAndCentredOnesDoNot) {
  for (const auto& [weights, still] : {std::pair{"positive", true}, std::pair{"centred", false}}) {
    const auto w = make_workload("backprop", {.set = {{"weights", weights}}, .scale = Scale::small});
    w->setup();
    bool zero = true;
    run_warps(*w, [&](const simt::LaunchShape& s, std::uint64_t, const WarpTrace& t) {
      std::uint64_t stores = 0;
      for (const WarpInstr& i : t.instrs)
        if (s.kernel == "backprop_adjust" && i.op == Op::store && ++stores % 2 == 0)  // the momentum
          zero &= std::all_of(t.data.begin() + i.values, t.data.begin() + i.values + 4 * std::popcount(i.mask),
                              [](std::uint8_t b) { return b == 0; });
    });
    EXPECT_EQ(zero, still) << weights;
    EXPECT_EQ(w->verify(), "");
  }
}

TEST(Hotspot, ThreePerWarpAndOverlappingTiles) {
  auto k = kernels("hotspot", {.set = {{"pyramid", "3"}}, .scale = Scale::small});
  EXPECT_LE(*k["hotspot"].per_warp.rbegin(), 3u);
  for (const char* pyramid : {"1", "7"}) kernels("hotspot", {.set = {{"pyramid", pyramid}}, .scale = Scale::small});
}

TEST(Srad, FourteenThenElevenPerWarp) {
  auto k = kernels("srad");
  EXPECT_EQ(k["srad_prepare"].per_warp, (Set{3}));
  EXPECT_EQ(k["srad_coefficient"].per_warp, (Set{14}));
  EXPECT_EQ(k["srad_update"].per_warp, (Set{11}));
}

/// AVC's 32-wide versions (workload document, 5.5): every row of a block is a warp, with the same results.
TEST(WideBlocks, RowsAreWarps) {
  auto backprop = kernels("backprop", {.set = {{"block", "32"}}, .scale = Scale::small});
  EXPECT_EQ(backprop["backprop_forward"].lanes, (Sizes{1, 32}));  // one lane fetches the row's input
  EXPECT_EQ(backprop["backprop_adjust"].lanes, (Sizes{32}));
  kernels("backprop", {.set = {{"block", "32"}, {"weights", "centred"}}, .scale = Scale::small});
  for (const char* pyramid : {"1", "2", "7"}) {
    auto hotspot = kernels("hotspot", {.set = {{"block", "32"}, {"pyramid", pyramid}}, .scale = Scale::small});
    EXPECT_LE(*hotspot["hotspot"].load_lines.rbegin(), 2u) << pyramid;  // of one row, wherever it begins
  }
  for (const auto& [rows, columns] : {std::pair{"64", "48"}, {"33", "31"}, {"2", "65"}}) {
    auto srad =
        kernels("srad", {.set = {{"block", "32"}, {"rows", rows}, {"columns", columns}}, .scale = Scale::small});
    EXPECT_EQ(*srad["srad_coefficient"].per_warp.rbegin(), 14u) << rows;  // 0 where all of a warp is outside
  }
}

TEST(WideBlocks, TheDefaultIsTheBenchmarks) {
  for (const auto& [name, kernel, threads] : {std::tuple{"backprop", "backprop_adjust", 256u},
                                              {"hotspot", "hotspot", 256u},
                                              {"srad", "srad_update", 512u}}) {
    for (const bool wide : {false, true}) {
      WorkloadOptions options{.scale = Scale::small};
      if (wide) options.set["block"] = "32";
      const auto w = make_workload(name, options);
      w->setup();
      bool seen = false;
      run_warps(*w, [&](const simt::LaunchShape& s, std::uint64_t, const WarpTrace&) {
        if (s.kernel != kernel) return;
        seen = true;
        EXPECT_EQ(s.threads, wide ? 1024u : threads);
      });
      EXPECT_TRUE(seen) << name;
    }
  }
}

TEST(Gaussian, FourRowsOf16BytesPerAccess) {
  auto k = kernels("gaussian");
  EXPECT_EQ(*k["gaussian_fan2"].load_lines.rbegin(), 4u);
  EXPECT_LE(*k["gaussian_fan2"].load_sectors.rbegin(), 8u);
  EXPECT_LE(*k["gaussian_fan2"].lanes.rbegin(), 16u);
}

TEST(Covar, TheAccumulatorIs32SectorsAStepAndTheDataCoalesced) {
  auto k = kernels("covar");
  EXPECT_EQ(*k["covar_products"].load_lines.rbegin(), 32u);
  EXPECT_EQ(*k["covar_products"].store_lines.rbegin(), 32u);
}

TEST(Polybench, StepsOfTheInnerLoops) {
  auto k = kernels("fdtd2d");
  EXPECT_TRUE(k["fdtd2d_hz"].per_warp == (Set{6}));
  EXPECT_TRUE(k["fdtd2d_ex"].per_warp == (Set{4}));
  EXPECT_EQ(*kernels("2dconv")["2dconv"].per_warp.rbegin(), 10u);
  EXPECT_EQ(kernels("gemm")["gemm"].per_warp, (Set{2 + 32 * 4}));
  EXPECT_EQ(kernels("syr2k")["syr2k"].per_warp, (Set{2 + 32 * 6}));
  EXPECT_EQ(kernels("atax")["atax_ax"].per_warp, (Set{0, 128 * 4}));  // 128 of 256 threads
}

TEST(Tango, ALoadTouchesALinePerFewRowsAndAWeightOneSector) {
  auto alex = kernels("alexnet_conv"), res = kernels("resnet_conv");
  EXPECT_TRUE(alex["alexnet_conv"].load_lines.contains(6));  // lane pitch 52 bytes
  EXPECT_EQ(res["resnet_conv"].per_warp, (Set{32 * 2 + 2}));
  EXPECT_EQ(*alex["alexnet_conv"].per_warp.rbegin(), 8u * 9 * 2 + 2);
  EXPECT_TRUE(res["resnet_conv"].load_sectors.contains(1));
}

TEST(Tango, EveryLayerOfBothNetworksIsRight) {
  EXPECT_EQ(kernels("alexnet_conv", {.set = {{"layer", "all"}}, .scale = Scale::small})["alexnet_conv"].launches,
            4u + 2 + 1 + 2 + 2);  // conv1 in four tiles, three layers in two groups
  const auto res = kernels("resnet_conv", {.set = {{"layer", "all"}}, .scale = Scale::small});
  EXPECT_EQ(res.at("resnet_conv").launches, 53u);
  const auto shapes = kernels("resnet_conv", {.set = {{"layer", "shapes"}, {"outputs", "2"}}, .scale = Scale::small});
  EXPECT_LT(shapes.at("resnet_conv").launches, 53u);
}

TEST(Tango, ShapesOfThePublishedNetworks) {
  std::uint64_t products = 0, shapes = 0;
  for (const tango::ConvLayer& l : tango::alexnet()) {
    EXPECT_EQ((l.in_side + 2 * l.pad - l.kernel) / l.stride + 1, l.out_side) << l.name;
    products +=
        static_cast<std::uint64_t>(l.groups * l.out_maps * l.in_maps * l.kernel * l.kernel * l.out_side * l.out_side);
  }
  EXPECT_NEAR(static_cast<double>(products), 666e6, 1e6);
  products = 0;
  for (const tango::ConvLayer& l : tango::resnet50()) {
    EXPECT_EQ((l.in_side + 2 * l.pad - l.kernel) / l.stride + 1, l.out_side) << l.name;
    products += static_cast<std::uint64_t>(l.out_maps * l.in_maps * l.kernel * l.kernel * l.out_side) *
                static_cast<std::uint64_t>(l.out_side);
    ++shapes;
  }
  EXPECT_EQ(shapes, 53u);
  EXPECT_NEAR(static_cast<double>(products), 3.86e9, 0.01e9);  // strides on the first 1 x 1 convolutions
}

TEST(Darknet, NetworksAreThePublishedOnes) {
  // Convolutions; and multiplications of one picture, half of the operations that the networks are published with.
  const std::map<std::string, std::tuple<int, int, double>> known = {{"darknet", {8, 224, 0.0}},
                                                                     {"tiny", {16, 224, 0.49e9}},
                                                                     {"yolo2", {23, 416, 14.7e9}},
                                                                     {"yolo3", {75, 416, 32.9e9}}};
  for (const auto& [name, figures] : known) {
    const auto& [convolutions, side, products] = figures;
    const std::vector<darknet::LayerSpec> specs = darknet::network(name);
    EXPECT_EQ(
        std::count_if(specs.begin(), specs.end(), [](const auto& l) { return l.kind == darknet::Kind::convolution; }),
        convolutions);
    if (products == 0) continue;
    // Shapes from a network of a thirteenth of the side, whose pixels are 169 times fewer.
    const int shrink = side / 32;
    double sum = 0;
    for (const darknet::Layer& l : darknet::make_layers(name.c_str(), static_cast<int>(specs.size()), 1, 32, 0, 1, 1))
      if (l.spec.kind == darknet::Kind::convolution)
        sum += static_cast<double>(l.filters) * l.fan_in() * l.pixels() * shrink * shrink;
    EXPECT_NEAR(sum / products, 1, 0.03) << name;
  }
}

TEST(Darknet, NetworkLayersStopAtAnyLayer) {
  for (const char* name : {"darknet_conv", "darknet_tiny", "darknet_yolo2", "darknet_yolo3"})
    for (const int layers : {1, 3, 5})
      kernels(name, {.set = {{"layers", std::to_string(layers)}, {"thin", "4"}}, .scale = Scale::small});
}

TEST(Darknet, RoutesShortcutsAndUpsamplingRun) {
  auto k = kernels("darknet_yolo3");
  EXPECT_EQ(k["darknet_sgemm"].launches, 75u);
  EXPECT_EQ(k["darknet_shortcut"].launches, 23u);
  EXPECT_EQ(k["darknet_upsample"].launches, 2u);
  // 72 normalised outputs, 23 inputs of shortcuts, two routes of one layer and two of two.
  EXPECT_EQ(k["darknet_copy"].launches, 72u + 23 + 2 + 4);
  EXPECT_EQ(kernels("darknet_yolo2")["darknet_reorg"].launches, 1u);
}

TEST(Darknet, NineStoresPerIm2colWarpAndTheWorkOfASgemmBlock) {
  auto k = kernels("darknet_conv", {.set = {{"side", "64"}}});
  EXPECT_EQ(k["darknet_im2col"].per_warp, (Set{15, 18}));  // the first and last row lack three loads
  EXPECT_EQ(k["darknet_maxpool"].per_warp, (Set{6}));
  // 128 filters, K = 576, in tiles of 32 x 32 by two warps: 36 steps of 8 loads; results are added to the output.
  EXPECT_TRUE(k["darknet_sgemm"].per_block.contains(36 * 8 + 2 * 2 * 4));
  // 16 filters, K = 27, in tiles of 64 x 64 by eight warps: two of them load filters, eight and six pixels.
  auto first = kernels("darknet_conv", {.set = {{"side", "128"}, {"layers", "1"}}});
  EXPECT_TRUE(first["darknet_sgemm"].per_block.contains((2 + 8) + (2 + 6) + 2 * 2 * 4));
}

TEST(Dwt2d, ColumnsOfAStripAndItsThreeBoundaryColumns) {
  auto k = kernels("dwt2d", {.scale = Scale::quarter});
  EXPECT_EQ(*k["dwt2d_split"].per_warp.rbegin(), 1u + 3);
  EXPECT_EQ(k["dwt2d_forward"].launches, 9u);
  EXPECT_TRUE(k["dwt2d_forward"].lanes.contains(3));
}

TEST(Heartwall, FindsThePointsWhereTheTissueWent) {
  const auto w = make_workload("heartwall", {.scale = Scale::quarter});
  w->setup();
  std::vector<std::int32_t> rows, columns;
  run_warps(*w, [&](const simt::LaunchShape&, std::uint64_t, const WarpTrace& t) {
    for (const WarpInstr& i : t.instrs) {
      if (i.op != Op::store || i.bytes != 8) continue;
      std::int32_t found[2];
      std::memcpy(found, t.data.data() + i.values, 8);
      rows.push_back(found[0]);
      columns.push_back(found[1]);
    }
  });
  EXPECT_EQ(w->verify(), "");
  ASSERT_EQ(rows.size(), 16u);
  EXPECT_GE(std::count(rows.begin(), rows.end(), 2), 14);
  EXPECT_GE(std::count(columns.begin(), columns.end(), 1), 14);
}

TEST(Mars, OneByteAndOneLinePerLane) {
  auto k = kernels("mars_sm");
  EXPECT_EQ(*k["mars_sm_count"].load_lines.rbegin(), 32u);
  EXPECT_TRUE(kernels("mars_pvc")["pvc_sort"].load_lines.contains(8));  // 32 descriptors of 16 bytes, two runs
}

TEST(CudaSdk, StreamsTilesAndWindows) {
  EXPECT_EQ(
      *kernels("blackscholes", {.set = {{"options", "61440"}, {"repeats", "1"}}})["blackscholes"].per_warp.rbegin(),
      5u);
  EXPECT_EQ(kernels("fast_walsh")["fwt_global"].per_warp, (Set{8}));
  // The document's 4,557 counts two loads and stores that are one access here.
  auto k = kernels("binomial", {.set = {{"options", "1"}}});
  EXPECT_NEAR(static_cast<double>(k["binomial"].total), 4557, 10);
  EXPECT_EQ(*kernels("fdtd3d")["fdtd3d"].per_warp.begin(), 4u + 4 + 8 * 4);
}

TEST(Graphs, ColoursOfBothVariantsAndStopsAtTheCap) {
  kernels("color", {.set = {{"variant", "maxmin"}}, .scale = Scale::small});
  for (const char* cap : {"1", "3", "100000"}) kernels("sssp", {.set = {{"iterations", cap}}, .scale = Scale::small});
  for (const char* graph : {"rmat", "uniform", "grid"})
    for (const char* name : {"mis", "color", "sssp", "ccl", "apsp"})
      kernels(name, {.set = {{"graph", graph}}, .scale = Scale::small});
}

/// Loops, arcs in one direction and twice the same arc: cleaned for sets and colours, kept for paths.
TEST(Graphs, DirectedInputWithLoopsAndDuplicates) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("directed_{}.mtx", ::getpid())).string();
  std::ofstream(path) << "%%MatrixMarket matrix coordinate pattern general\n5 5 6\n2 3\n3 3\n3 4\n4 1\n2 1\n2 1\n";
  for (const char* name : {"mis", "color", "sssp", "ccl", "apsp"}) kernels(name, {.input = path});
  std::filesystem::remove(path);
}

TEST(RealFiles, GiveRightResults) {
  SHARED_INPUT(folder, "inputs/");
  for (const char* graph : {"graphs/PGPgiantcompo.graph", "graphs/rome99.gr"})
    for (const char* name : {"mis", "sssp", "ccl"}) kernels(name, {.input = folder + graph});
  for (const char* name : {"srad", "dwt2d", "darknet_conv", "heartwall"})
    kernels(name, {.input = folder + "image/dwt2d_192.bmp", .scale = Scale::small});
}

TEST(RealFiles, OfRodiniaArePackedAndRead) {
  SHARED_INPUT(folder, "inputs_real/");
  kernels("hotspot", {.input = folder + "temp_512.xz", .set = {{"launches", "2"}}});
  kernels("hotspot", {.input = folder + "power_512.xz", .set = {{"launches", "2"}}});
  kernels("dwt2d", {.input = folder + "dwt2d_rgb_1024.bmp.xz"});
  kernels("srad", {.input = folder + "flower.ppm.xz", .set = {{"iterations", "1"}}});
  kernels("bfs", {.input = folder + "NY.gr.xz"});
}

TEST(Inputs, MapsRecordsSequencesAndOddPictures) {
  const Folder folder;
  std::string heat, power;
  for (int i = 0; i < 400; ++i) {
    heat += fmt::format("{}\n", 320 + i % 7);
    power += fmt::format("{}\n", 0.001 * (i % 5));
  }
  const std::string temp = folder.write("temp_20", heat);
  folder.write("power_20", power);
  kernels("hotspot", {.input = temp, .set = {{"launches", "2"}}});
  folder.write("power_20", "1 2 3 4\n");
  EXPECT_THROW(make_workload("hotspot", {.input = temp}), inputs::InputError);

  std::string records;
  for (int i = 0; i < 300; ++i)
    records += fmt::format("1950  1  1  0  1 {:9} {:5.1f} {:5.1f}   35    0\n", "ABLE", i % 60 + 0.5, i % 350 + 0.25);
  kernels("nn", {.input = folder.write("cane.db", records)});

  std::string down, across;
  for (int i = 0; i < 70; ++i) {
    down += "ARNDCQEGHILKMFPSTWYV"[i * 7 % 20];
    across += "ARNDCQEGHILKMFPSTWYV"[i * i % 20];
  }
  kernels("nw", {.input = folder.write("two.fa", ">a\n" + down + "\n>b\n" + across.substr(0, 50) + "\n")});
  EXPECT_THROW(make_workload("nw", {.input = folder.write("short.fa", ">a\nARN\n>b\nARN\n")}), WorkloadError);

  std::string picture = "P5\n45 37\n255\n";
  for (int i = 0; i < 45 * 37; ++i) picture += static_cast<char>(i * 31 % 251);
  const std::string odd = folder.write("odd.pgm", picture);
  for (const char* name : {"dwt2d", "heartwall", "srad", "graphcut", "darknet_conv"})
    kernels(name, {.input = odd, .scale = Scale::small});
}

TEST(Inputs, MatrixAndTextFilesAreRead) {
  const std::string path = (std::filesystem::temp_directory_path() / fmt::format("w_input_{}", ::getpid())).string();
  std::string matrix = "32\n";
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j) matrix += fmt::format("{} ", i == j ? 50 : (i * 7 + j) % 5);
  std::ofstream(path) << matrix;
  for (const char* name : {"lud", "gaussian"}) kernels(name, {.input = path});
  std::ofstream(path) << "a memory of memory\nmemories\tmemory";
  kernels("mars_sm", {.input = path});
  std::ofstream(path) << "a\t1\t2\nb\t1\na\t1\t2\na\t3\n";
  kernels("mars_pvc", {.input = path});
  std::ofstream(path) << "a\t1\nno fields\n";
  try {
    make_workload("mars_pvc", {.input = path});
    ADD_FAILURE() << "no error";
  } catch (const inputs::InputError& e) {
    EXPECT_EQ(e.what(), path +
                            ":2: expected fields separated by tabs, found none; mars_pvc reads log lines of fields "
                            "separated by tabs");
  }
  std::filesystem::remove(path);
}

TEST(BadSizes, GiveOneLineThatSaysWhatIsExpected) {
  const auto error = [](const std::string& name, std::map<std::string, std::string> set) -> std::string {
    try {
      make_workload(name, {.set = std::move(set), .scale = Scale::small});
    } catch (const WorkloadError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error("lud", {{"order", "100"}}), "lud.order = '100': a multiple of 16 is expected");
  EXPECT_EQ(error("nw", {{"length", "100"}}), "nw.length = '100': a multiple of 16 is expected");
  EXPECT_EQ(error("backprop", {{"inputs", "100"}}), "backprop.inputs = '100': a multiple of 16 is expected");
  EXPECT_EQ(error("backprop", {{"inputs", "1040"}, {"block", "32"}}),
            "backprop.inputs = '1040': a multiple of 32 is expected");
  EXPECT_EQ(error("hotspot", {{"block", "24"}}), "unknown value of hotspot.block '24': expected 16 or 32");
  EXPECT_EQ(error("srad", {{"block", "16"}}), "unknown value of srad.block '16': expected 512 or 32");
  EXPECT_EQ(error("darknet_conv", {{"side", "40"}}), "darknet_conv.side = '40': a multiple of 16 is expected");
  EXPECT_EQ(error("dwt2d", {{"side", "100"}}), "dwt2d: a picture of 100 x 100 pixels: multiples of 32 are expected");
  EXPECT_EQ(error("fdtd3d", {{"width", "100"}}), "fdtd3d.width = '100': a multiple of 32 is expected");
  EXPECT_EQ(error("binomial", {{"steps", "100"}}), "binomial.steps = '100': a multiple of 32 is expected");
  EXPECT_EQ(error("fast_walsh", {{"log2", "8"}, {"filter", "9"}}),
            "fast_walsh.filter = '9': at most log2 = 8 is expected");
  EXPECT_EQ(error("sssp", {{"graph", "grid"}, {"source", "1024"}}),
            "sssp.source = '1024': a vertex below 1024 is expected");
  EXPECT_NE(error("heartwall", {{"template", "20"}}).find("template < search"), std::string::npos);
}

}  // namespace
}  // namespace warpsieve::workloads::test
