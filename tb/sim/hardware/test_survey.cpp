// The kernels of the duplication survey (scripts/hardware), run on the host, against the simulator's workloads: the
// same launches in the same order, and after each of them the same bytes of device memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "../../../scripts/hardware/survey/survey.h"
#include "simt/program.h"
#include "workloads/registry.h"
#include "support/tree.h"

namespace warpsieve::hardware {
namespace {

/// Name of the array that holds the byte.
std::string array_at(const std::vector<Region>& regions, std::size_t byte) {
  for (const Region& r : regions)
    if (byte >= r.offset && byte < r.offset + r.bytes)
      return r.name + " + " + std::to_string(byte - r.offset) + " of " + std::to_string(r.bytes);
  return "padding at " + std::to_string(byte);
}

/// Runs both, launch by launch.
void compare(const std::string& name, const Setup& setup, const workloads::WorkloadOptions& options) {
  const std::unique_ptr<simt::Workload> want = workloads::make_workload(name, options);
  want->setup();
  std::uint64_t launches = 0;
  program_entry(name).make(setup)->run([&](const std::string& kernel, Memory& memory) {
    const std::unique_ptr<simt::Launch> launch = want->next_launch();
    ASSERT_NE(launch, nullptr) << "a launch of " << kernel << " too many";
    EXPECT_EQ(kernel, launch->shape().kernel) << "launch " << launches;
    for (std::uint32_t b = 0; b < launch->shape().blocks; ++b) launch->run_block(b);
    const std::vector<std::uint8_t>& image = memory.fetch();
    ASSERT_EQ(image.size(), want->image().size());
    const auto [ours, theirs] = std::mismatch(image.begin(), image.end(), want->image().begin());
    EXPECT_TRUE(ours == image.end()) << kernel << ", launch " << launches << ": "
                                     << array_at(memory.regions(), static_cast<std::size_t>(ours - image.begin()));
    ++launches;
  });
  EXPECT_EQ(want->next_launch(), nullptr) << "only " << launches << " launches";
  EXPECT_EQ(want->verify(), "");
  EXPECT_GT(launches, 0u);
}

class SurveyPrograms : public ::testing::TestWithParam<ProgramEntry> {};
INSTANTIATE_TEST_SUITE_P(Survey, SurveyPrograms, ::testing::ValuesIn(kPrograms),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(SurveyPrograms, LeaveTheMemoryOfTheSimulatorsWorkloads) {
  for (const std::uint64_t seed : {1u, 7u})
    compare(GetParam().name, {.scale = Scale::small, .seed = seed}, {.scale = workloads::Scale::small, .seed = seed});
}

/// Where a program takes a file its workload does; hotspot, nn and nw read theirs in the simulator alone.
TEST_P(SurveyPrograms, TakeFilesOnlyWhereTheWorkloadsDo) {
  if (GetParam().takes_input) {
    EXPECT_FALSE(workloads::workload_info(GetParam().name).input.empty());
  }
}

/// A file that exists for the time of a test.
struct InputFile {
  InputFile(const std::string& name, const std::string& text)
      : path((std::filesystem::path(::testing::TempDir()) / name).string()) {
    std::ofstream(path) << text;
  }
  ~InputFile() { std::filesystem::remove(path); }
  std::string path;
};

void compare_on(const std::string& name, const std::string& file) {
  compare(name, {.scale = Scale::small, .input = file}, {.input = file, .scale = workloads::Scale::small});
}

TEST(SurveyInputs, AreReadFromFiles) {
  compare_on("bfs", tb::in_sources("sim_cpp/inputs/data/md5_netlist.mtx"));
  const InputFile matrix("survey_matrix.txt", "3\n4 1 2\n1 5 1\n2 1 6\n1 2 3\n");
  compare_on("gaussian", matrix.path);
  const InputFile points("survey_points.txt", "1 0 0\n2 1 1\n3 9 9\n4 8 9\n5 4 4\n6 5 5\n7 0 9\n");
  compare_on("kmeans", points.path);
  std::string pixels = "P2\n64 96\n255\n";
  for (int i = 0; i < 64 * 96; ++i) pixels += std::to_string(i * 7 % 251) + "\n";
  const InputFile picture("survey_picture.pgm", pixels);
  compare_on("dwt2d", picture.path);
}

/// The generated mesh is in a uniform flow. Walls disturb it, so that the order of the arithmetic shows.
TEST(SurveyInputs, AMeshBetweenWalls) {
  const inputs::Mesh mesh = inputs::box_mesh(4, 3, 3, inputs::kWall, 5);
  std::string text = std::to_string(mesh.elements) + "\n";
  for (std::size_t e = 0; e < mesh.area.size(); ++e) {
    text += fmt::format("{}", mesh.area[e]);
    for (std::size_t face = 0; face < 4; ++face) {
      const int neighbour = mesh.neighbour[4 * e + face];
      const bool far = neighbour < 0 && (e + face) % 5 == 0;
      text += fmt::format(" {}", far ? -1 : neighbour < 0 ? 0 : neighbour + 1);
      for (std::size_t d = 0; d < 3; ++d) text += fmt::format(" {}", mesh.normal[12 * e + 3 * face + d]);
    }
    text += "\n";
  }
  const InputFile file("survey_mesh.txt", text);
  compare_on("cfd", file.path);
}

TEST(SurveyInputs, RefuseWhatTheKernelsCannotTake) {
  const InputFile small("survey_small.pgm", "P2\n2 2\n255\n1 2 3 4\n");
  EXPECT_THROW(program_entry("dwt2d").make({.input = small.path}), std::invalid_argument);
  const InputFile points("survey_few.txt", "1 0 0\n2 1 1\n");
  EXPECT_THROW(program_entry("kmeans").make({.input = points.path}), std::invalid_argument);
  EXPECT_THROW(program_entry("kmean"), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::hardware
