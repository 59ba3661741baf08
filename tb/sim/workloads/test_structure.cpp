// What each workload must show: instruction counts per warp, access patterns and duplicate lines.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "inputs/mesh.h"
#include "sim/workloads/support.h"
#include "support/shared_inputs.h"

namespace warpsieve::workloads::test {
namespace {

using simt::Op;

std::unique_ptr<simt::Workload> ready(const std::string& name, WorkloadOptions options) {
  auto w = make_workload(name, options);
  w->setup();
  return w;
}

std::size_t lines(const WarpTrace& t, const WarpInstr& i, unsigned bytes) {
  std::set<simt::Addr> s;
  for (int l = 0; l < std::popcount(i.mask); ++l) s.insert(t.address(i, static_cast<unsigned>(l)) / bytes);
  return s.size();
}

TEST(Kmeans, TransposeHas68AndAssignHas171MemoryInstructionsPerWarp) {
  const auto w = ready("kmeans", {.set = {{"passes", "1"}}, .scale = Scale::small});
  std::map<std::string, std::set<std::uint64_t>> counts;
  run_warps(*w, [&](const simt::LaunchShape& s, std::uint64_t, const WarpTrace& t) {
    counts[s.kernel].insert(memory_instructions(t));
  });
  EXPECT_EQ(counts["kmeans_transpose"], (std::set<std::uint64_t>{68}));
  EXPECT_EQ(counts["kmeans_assign"], (std::set<std::uint64_t>{171}));
}

TEST(Kmeans, TransposeReadsALineAndASectorPerLaneAssignReadsOneLine) {
  const auto w = ready("kmeans", {.scale = Scale::small});
  run_warps(*w, [&](const simt::LaunchShape& s, std::uint64_t, const WarpTrace& t) {
    for (const WarpInstr& i : t.instrs) {
      if (i.op == Op::load) {
        ASSERT_EQ(lines(t, i, 32), s.kernel == "kmeans_transpose" ? 32u : 4u);
      }
      if (i.op == Op::store) {
        ASSERT_EQ(lines(t, i, 128), 1u);
      }
    }
  });
}

TEST(Kmeans, PointMajorLayoutReadsASectorPerLane) {
  const auto w = ready("kmeans", {.set = {{"layout", "point-major"}}, .scale = Scale::small});
  run_warps(*w, [&](const simt::LaunchShape& s, std::uint64_t, const WarpTrace& t) {
    EXPECT_EQ(s.kernel, "kmeans_assign");
    for (const WarpInstr& i : t.instrs)
      if (i.op == Op::load) {
        ASSERT_EQ(lines(t, i, 32), 32u);
      }
  });
  EXPECT_EQ(w->verify(), "");
}

TEST(Kmeans, MostLinesOfThePlanesAreConstant) {
  const auto w = ready("kmeans", {.scale = Scale::small});
  const StoredLines s = stored_lines(*w, "kmeans_transpose").at(0);
  EXPECT_EQ(s.lines, 34u * 1024 / 32);
  EXPECT_NEAR(s.share(), 0.85, 0.1);
}

/// Per kernel of one cfd run: memory instructions of each warp.
using Counts = std::map<std::string, std::vector<std::uint64_t>>;
Counts cfd_counts(const WorkloadOptions& options) {
  Counts c;
  const auto w = ready("cfd", options);
  run_warps(*w, [&](const simt::LaunchShape& s, std::uint64_t, const WarpTrace& t) {
    c[s.kernel].push_back(memory_instructions(t));
  });
  EXPECT_EQ(w->verify(), "");
  return c;
}

TEST(Cfd, Has203MemoryInstructionsPerWarpAndIteration) {
  const int cubes = 8;
  const Counts c = cfd_counts({.set = {{"cubes", std::to_string(cubes)}, {"iterations", "2"}}});
  const std::uint64_t padded = (6 * cubes * cubes * cubes + 191) / 192 * 192, warps = padded / 32;
  const auto sum = [&](const char* kernel) {
    std::uint64_t n = 0;
    for (const std::uint64_t v : c.at(kernel)) n += v;
    return n;
  };
  EXPECT_EQ(sum("cfd_init"), 15 * warps);
  EXPECT_EQ(sum("cfd_copy"), 2 * 10 * warps);
  EXPECT_EQ(sum("cfd_step_factor"), 2 * 7 * warps);
  EXPECT_EQ(sum("cfd_time_step"), 6 * 16 * warps);
  // Flux: 46, less 5 gathers for each face number at which no lane of the warp has a neighbour.
  const inputs::Mesh m = inputs::box_mesh(cubes, cubes, cubes);
  std::uint64_t want = 0, complete = 0;
  for (std::uint64_t first = 0; first < padded; first += 32) {
    std::uint64_t n = 26;
    for (std::size_t face = 0; face < 4; ++face) {
      bool any = false;
      for (std::uint64_t e = first; e < first + 32; ++e)
        any |= m.neighbour[4 * std::min<std::size_t>(e, static_cast<std::size_t>(m.elements) - 1) + face] >= 0;
      n += any ? 5 : 0;
    }
    want += n;
    complete += n == 46;
  }
  EXPECT_EQ(sum("cfd_flux"), 6 * want);
  EXPECT_GE(complete, warps - 6);  // all but padding
  EXPECT_EQ(10 + 7 + 3 * (46 + 16), 203);
}

TEST(Cfd, VariablesAreMostlyIntraDuplicateInAFreeStreamAndFluxesNever) {
  const WorkloadOptions o{.set = {{"cubes", "8"}, {"iterations", "4"}}};
  const auto w = ready("cfd", o), v = ready("cfd", o);
  for (const StoredLines& s : stored_lines(*w, "cfd_time_step")) {
    EXPECT_EQ(s.lines, 5u * 96);
    EXPECT_NEAR(s.share(), 0.60, 0.03);  // density and momentum y, z stay as they are
  }
  for (const StoredLines& s : stored_lines(*v, "cfd_flux")) EXPECT_EQ(s.intra, 0u);
}

TEST(Cfd, WallsMakeTheVariablesLessDuplicateFromIterationToIteration) {
  const auto w = ready("cfd", {.set = {{"cubes", "8"}, {"iterations", "4"}, {"boundary", "wall"}}});
  const auto s = stored_lines(*w, "cfd_time_step");
  ASSERT_EQ(s.size(), 12u);
  EXPECT_LT(s.front().share(), 0.5);
  EXPECT_LT(s.back().share(), s.front().share());
  EXPECT_EQ(w->verify(), "");
}

TEST(Cfd, BunnyMeshIsRightAndItsNumberingMatters) {
  SHARED_INPUT(path, "inputs/mesh/bunny.mesh");
  std::map<std::string, std::uint64_t> sectors;
  for (const char* order : {"none", "morton"}) {
    const auto w = ready("cfd", {.input = path, .set = {{"iterations", "1"}, {"renumber", order}}});
    sectors[order] = simt::run_launches(*w).requests;
    EXPECT_EQ(w->verify(), "");
  }
  EXPECT_LT(static_cast<double>(sectors["morton"]), 0.75 * static_cast<double>(sectors["none"]));
}

TEST(Bfs, FlagLoadsAreOneSectorAndTheHostResetsTheFlagPerLevel) {
  const auto w = ready("bfs", {.scale = Scale::small});
  EXPECT_TRUE(w->take_host_writes().empty());
  int levels = 0;
  while (const auto l = w->next_launch()) {
    const auto writes = w->take_host_writes();
    const bool expand = l->shape().kernel == "bfs_expand";
    EXPECT_EQ(l->shape().threads, 256u);
    EXPECT_EQ(writes.size(), expand ? 1u : 0u);
    if (expand) {
      ++levels;
      EXPECT_EQ(writes[0].bytes, std::vector<std::uint8_t>{0});
    }
    for (std::uint32_t b = 0; b < l->shape().blocks; ++b)
      for (const WarpTrace& t : l->run_block(b).warps) {
        const auto first = std::find_if(t.instrs.begin(), t.instrs.end(), is_memory);
        ASSERT_NE(first, t.instrs.end());
        EXPECT_EQ(first->bytes, 1u);
        EXPECT_EQ(lines(t, *first, 32), 1u);
      }
  }
  EXPECT_GE(levels, 4);
  EXPECT_EQ(w->verify(), "");
  EXPECT_TRUE(w->order_dependent().empty());
}

TEST(Bfs, ReadsAnEightByteNodePerFrontierVertexOnce) {
  const auto w = ready("bfs", {.scale = Scale::small});
  std::uint64_t nodes = 0, updates = 0;
  run_warps(*w, [&](const simt::LaunchShape& s, std::uint64_t, const WarpTrace& t) {
    for (const WarpInstr& i : t.instrs) {
      if (i.op == Op::load && i.bytes == 8) nodes += static_cast<std::uint64_t>(std::popcount(i.mask));
      if (s.kernel == "bfs_advance" && i.op == Op::store)
        updates += static_cast<std::uint64_t>(std::popcount(i.mask));
    }
  });
  // Every reached vertex is in the frontier once; all but the source got there by four stores.
  EXPECT_EQ(updates, 4 * (nodes - 1));
  EXPECT_GT(nodes, 1000u);
}

TEST(Bfs, GridWithManyLevelsAndAnotherSource) {
  const auto w = ready("bfs", {.set = {{"graph", "grid"}, {"source", "77"}}, .scale = Scale::small});
  simt::run_launches(*w);
  EXPECT_EQ(w->verify(), "");
}

/// A directed graph as a netlist gives it: vertex 0 drives nothing, one vertex drives itself.
TEST(DirectedGraphs, BfsStartsAtTheFirstVertexWithAnArcAndPagerankToleratesDeadEnds) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("netlist_" + std::to_string(::getpid()) + ".mtx")).string();
  std::ofstream(path) << "%%MatrixMarket matrix coordinate pattern general\n5 5 6\n2 3\n3 3\n3 4\n4 1\n2 1\n2 1\n";
  for (const char* name : {"bfs", "pagerank"}) {
    const auto w = ready(name, {.input = path});
    EXPECT_GT(simt::run_launches(*w).launches, 5u);
    EXPECT_EQ(w->verify(), "") << name;
  }
  std::filesystem::remove(path);
}

TEST(Pagerank, OneAtomicPerArcAndItsAccumulatorIsRewrittenWithZeros) {
  const auto w = ready("pagerank", {.set = {{"iterations", "3"}}, .scale = Scale::small});
  std::uint64_t atomics = 0, pushes = 0, zero_stores = 0;
  std::set<std::uint64_t> launches;
  run_warps(*w, [&](const simt::LaunchShape& s, std::uint64_t launch, const WarpTrace& t) {
    EXPECT_EQ(s.threads, 256u);
    if (s.kernel == "pagerank_push") launches.insert(launch);
    for (const WarpInstr& i : t.instrs) {
      if (i.op == Op::atomic) {
        EXPECT_EQ(i.atomic, simt::AtomicOp::add_f32);
        atomics += static_cast<std::uint64_t>(std::popcount(i.mask));
        ++pushes;
      }
      if (s.kernel == "pagerank_update" && i.op == Op::store) zero_stores += equal_words(t, i);
    }
  });
  EXPECT_EQ(launches.size(), 3u);
  EXPECT_EQ(atomics, 3u * 16384);
  EXPECT_LT(pushes, atomics);
  EXPECT_GE(zero_stores, 3u * 2048 / 32);
  ASSERT_EQ(w->order_dependent().size(), 2u);
  EXPECT_EQ(w->order_dependent()[0].second, 2048u * 4);
  EXPECT_EQ(w->verify(), "");
}

TEST(Pagerank, PullVariantUsesNoAtomicsAndHasNothingThatDependsOnOrder) {
  const auto w = ready("pagerank", {.set = {{"variant", "spmv"}}, .scale = Scale::small});
  EXPECT_EQ(simt::run_launches(*w).atomics, 0u);
  EXPECT_TRUE(w->order_dependent().empty());
  EXPECT_EQ(w->verify(), "");
}

TEST(RealGraphs, BfsAndPagerankAreRight) {
  for (const char* graph : {"inputs/graphs/PGPgiantcompo.graph", "inputs/graphs/rome99.gr"}) {
    SHARED_INPUT(path, graph);
    for (const char* name : {"bfs", "pagerank"}) {
      const auto w = ready(name, {.input = path});
      simt::run_launches(*w);
      EXPECT_EQ(w->verify(), "") << name << " " << path;
    }
  }
}

TEST(Vecadd, ThreeCoalescedAccessesPerWarp) {
  const auto w = ready("vecadd", {.scale = Scale::small});
  run_warps(*w, [](const simt::LaunchShape&, std::uint64_t, const WarpTrace& t) {
    EXPECT_EQ(memory_instructions(t), 3u);
    for (const WarpInstr& i : t.instrs)
      if (is_memory(i)) {
        EXPECT_EQ(lines(t, i, 128), 1u);
      }
  });
}

}  // namespace
}  // namespace warpsieve::workloads::test
