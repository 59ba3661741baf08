// Mesh and point readers, the box generator, renumbering.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "inputs/mesh.h"
#include "sim/inputs/support.h"
#include "support/property.h"

namespace warpsieve::inputs::test {
namespace {

/// Two tetrahedra that share the face 2 3 4 (numbers of the file).
const std::string kTwo =
    "MeshVersionFormatted 1\nDimension 3\n# comment\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n"
    "Triangles\n1\n1 2 3 0\nTetrahedra\n2\n1 2 3 4 0\n5 2 3 4 0\nEnd\n";

/// Every face normal is the neighbour's negated, and those of an element add up to zero.
void check_geometry(const Mesh& m) {
  for (std::size_t e = 0; e < static_cast<std::size_t>(m.elements); ++e) {
    ASSERT_GT(m.area[e], 0.0f);
    for (std::size_t d = 0; d < 3; ++d) {
      float sum = 0, size = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        sum += m.normal[12 * e + 3 * k + d];
        size += std::fabs(m.normal[12 * e + 3 * k + d]);
      }
      ASSERT_NEAR(sum, 0, 1e-5f * size);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const int nb = m.neighbour[4 * e + k];
      ASSERT_LT(nb, m.elements);
      if (nb < 0) continue;
      const auto n = static_cast<std::size_t>(nb);
      int back = 0;
      for (std::size_t j = 0; j < 4; ++j) {
        if (m.neighbour[4 * n + j] != static_cast<int>(e)) continue;
        ++back;
        for (std::size_t d = 0; d < 3; ++d)
          ASSERT_NEAR(m.normal[12 * e + 3 * k + d], -m.normal[12 * n + 3 * j + d],
                      1e-5f + 1e-5f * std::fabs(m.normal[12 * e + 3 * k + d]));
      }
      ASSERT_EQ(back, 1);
    }
  }
}

int boundary_faces(const Mesh& m, int kind) {
  return static_cast<int>(std::count(m.neighbour.begin(), m.neighbour.end(), kind));
}

const std::string kSu2 =
    "% a comment\nNDIME= 3\nNELEM= 2\n10 0 1 2 3 0\n10 4 1 2 3 1\nNPOIN= 5 5\n0 0 0 0\n1 0 0 1\n0 1 0 2\n0 0 1 3\n"
    "1 1 1 4\nNMARK= 1\nMARKER_TAG= wall\nMARKER_ELEMS= 1\n5 0 1 2\n";

const std::string kGambit =
    "        CONTROL INFO 2.4.6\n** GAMBIT NEUTRAL FILE\ntwo\nPROGRAM: Gambit VERSION: 2.4.6\nMay 2006\n"
    "     NUMNP     NELEM     NGRPS    NBSETS     NDFCD     NDFVL\n 5 2 0 0 3 3\nENDOFSECTION\n"
    "   NODAL COORDINATES 2.4.6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\nENDOFSECTION\n"
    "      ELEMENTS/CELLS 2.4.6\n1 6 4 1 2 3 4\n2 6 4 5 2 3 4\nENDOFSECTION\n";

TEST(Medit, TwoTetrahedraCountFromOneAndShareAFace) {
  const Mesh m = parse_mesh("two.mesh", kTwo, kWall);
  ASSERT_EQ(m.elements, 2);
  EXPECT_EQ(m.neighbour, (std::vector<int>{1, -1, -1, -1, 0, -1, -1, -1}));
  check_geometry(m);
  // The face opposite to the corner at 0 0 0 points along 1 1 1 and has the area sqrt(3) / 2.
  for (std::size_t d = 0; d < 3; ++d) EXPECT_FLOAT_EQ(m.normal[d], 0.5f);
  const float mean = (3 * 0.5f + std::sqrt(3.0f) / 2) / 4;
  EXPECT_NEAR(m.area[0], mean * mean, 1e-6f);
  EXPECT_EQ(boundary_faces(parse_mesh("two.mesh", kTwo), kFarField), 6);
}

TEST(RodiniaMesh, NeighboursCountFromOneZeroIsWallNegativeIsFarField) {
  const Mesh m = parse_mesh(
      "two.txt", "2\n0.5 2 1 0 0 0 0 1 0 -1 0 0 1 -3 -1 -1 -1\n0.25 1 -1 0 0 -1 0 1 0 -1 0 0 1 0 1 -1 -1\n");
  EXPECT_EQ(m.elements, 2);
  EXPECT_EQ(m.area, (std::vector<float>{0.5f, 0.25f}));
  EXPECT_EQ(m.neighbour, (std::vector<int>{1, kWall, kFarField, kFarField, 0, kFarField, kFarField, kWall}));
  EXPECT_EQ(m.normal[0], 1.0f);
  EXPECT_EQ(m.normal[23], -1.0f);
}

TEST(Box, HasSixElementsPerCubeAndClosesItsSurface) {
  const Mesh m = box_mesh(3, 4, 2);
  EXPECT_EQ(m.elements, 6 * 24);
  EXPECT_EQ(boundary_faces(m, kFarField), 2 * 2 * (3 * 4 + 4 * 2 + 3 * 2));
  check_geometry(m);
  EXPECT_EQ(boundary_faces(box_mesh(3, 4, 2, kWall), kWall), 2 * 2 * (3 * 4 + 4 * 2 + 3 * 2));
}

TEST(Renumbering, KeepsTheGeometryAndBringsNeighboursNear) {
  const Mesh box = box_mesh(8, 8, 8);
  Mesh shuffled = renumber(box, Renumber::bfs);
  check_geometry(shuffled);
  check_geometry(renumber(shuffled, Renumber::morton));
  EXPECT_LE(median_neighbour_distance(box), 16);
  auto sorted = [](std::vector<float> v) {
    std::sort(v.begin(), v.end());
    return v;
  };
  EXPECT_EQ(sorted(shuffled.area), sorted(box.area));
  EXPECT_EQ(boundary_faces(shuffled, kFarField), boundary_faces(box, kFarField));
}

TEST(MeshErrors, SayWhereWhatWasExpectedAndWhatStoodThere) {
  const auto with = [](const std::string& from, const std::string& into) {
    std::string t = kTwo;
    t.replace(t.find(from), from.size(), into);
    return t;
  };
  const std::pair<std::string, std::string> cases[] = {
      {with("1 2 3 4 0", "1 2 3 6 0"), "m.mesh:16: expected a vertex number from 1 to 5, found '6'"},
      {with("1 2 3 4 0", "1 2 3 0 0"), "m.mesh:16: expected a vertex number from 1 to 5, found '0'"},
      {with("1 2 3 4 0", "1 2 3 3 0"), "m.mesh:16: expected four different vertices, found one of them twice"},
      {with("Vertices\n5", "Vertices\n5000000"), "m.mesh:5: expected at most"},
      {with("Tetrahedra\n2", "Tetrahedra\n-2"), "m.mesh:15: expected a number of tetrahedra from 1"},
      {with("Dimension 3", "Dimension 2"), "m.mesh:2: expected the dimension from 3 to 3, found '2'"},
      {with("Triangles", "Nonsense"), "m.mesh:11: expected a section name of a MEDIT mesh"},
      {with("0 0 1 0", "0 0 x 0"), "m.mesh:9: expected a coordinate (a finite number), found 'x'"},
      {with("1 1 1 0", "1 1e39 1 0"), "m.mesh:10: expected a coordinate (a finite number), found '1e39'"},
      {with("0 0 1 0", "1 1 0 0"), "expected elements with a volume, found element 1"},
      {with("1 2 3 4 0\n", "\n\n\n\n\n\n"), "m.mesh:23: expected a vertex number from 1 to 5, found 'End'"},
      {"MeshVersionFormatted 1\nDimension 3\nEnd\n", "expected a Tetrahedra section, found none"},
      {"PNG\x01", "m.mesh:1: expected 'MeshVersionFormatted' at the start"},
  };
  for (const auto& [text, message] : cases) {
    const std::string got = error_of([&, &text = text] { parse_mesh("m.mesh", text); });
    EXPECT_NE(got.find(message), got.npos) << got << "\nexpected: " << message;
  }
  EXPECT_NE(error_of([] {
              parse_mesh("m", "1\n0.5 2 1 0 0 0 0 1 0 -1 0 0 1 -1 -1 -1 -1\n");
            }).find("m:2: expected a neighbour from -2147483648 to 1, found '2'"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              parse_mesh("m", "1\n-0.5 1 1 0 0 0 0 1 0 -1 0 0 1 -1 -1 -1 -1\n");
            }).find("expected a positive area"),
            std::string::npos);
}

TEST(MeshErrors, FaceOfThreeElementsIsNamed) {
  const std::string three =
      "MeshVersionFormatted 1\nDimension 3\nVertices\n6\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n2 2 3 0\n"
      "Tetrahedra\n3\n1 2 3 4 0\n5 2 3 4 0\n6 2 3 4 0\n";
  EXPECT_NE(error_of([&] {
              parse_mesh("m.mesh", three);
            }).find("expected at most two elements at a face, found elements 1, 2 and 3"),
            std::string::npos);
}

TEST(MeshFuzz, DamagedFilesAreReadOrRefusedInOneLine) {
  for (const std::string& text :
       {kTwo, kSu2, kGambit,
        std::string("2\n0.5 2 1 0 0 0 0 1 0 -1 0 0 1 -2 -1 -1 -1\n0.25 1 -1 0 0 -1 0 1 0 -1 0 0 1 0 1 -1 -1\n")})
    damage(text, [](const std::string& bad) {
      const Mesh m = parse_mesh("fuzz", bad);
      ASSERT_EQ(m.neighbour.size(), 4 * static_cast<std::size_t>(m.elements));
      for (const int nb : m.neighbour) ASSERT_TRUE(nb >= kFarField && nb < m.elements);
    });
}

TEST(Su2AndGambit, GiveTheSameMeshAsMedit) {
  const Mesh medit = parse_mesh("two.mesh", kTwo);
  for (const std::string& text : {kSu2, kGambit}) {
    const Mesh m = parse_mesh("x", text);
    EXPECT_EQ(m.elements, 2);
    EXPECT_EQ(m.neighbour, medit.neighbour);
    EXPECT_EQ(m.normal, medit.normal);
    EXPECT_EQ(m.area, medit.area);
  }
}

/// nx x ny x nz cubes whose vertices have shuffled numbers, cut into the given shapes.
std::string su2_box(int nx, int ny, int nz, int kind, std::uint64_t seed) {
  std::vector<int> name(static_cast<std::size_t>((nx + 1) * (ny + 1) * (nz + 1)));
  std::iota(name.begin(), name.end(), 0);
  Random random(seed);
  for (std::size_t i = name.size(); i > 1; --i)
    std::swap(name[i - 1], name[random.below(static_cast<std::uint32_t>(i))]);
  std::vector<std::string> places(name.size());
  for (int z = 0, i = 0; z <= nz; ++z)
    for (int y = 0; y <= ny; ++y)
      for (int x = 0; x <= nx; ++x, ++i)
        places[static_cast<std::size_t>(name[static_cast<std::size_t>(i)])] = fmt::format("{} {} {}\n", x, y, z);
  std::string cells;
  int count = 0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const auto at = [&](int dx, int dy, int dz) {
          return name[static_cast<std::size_t>(((z + dz) * (ny + 1) + y + dy) * (nx + 1) + x + dx)];
        };
        const int c[8] = {at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0),
                          at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)};
        if (kind == 0) {
          cells += fmt::format("12 {} {}\n", fmt::join(c, " "), count++);
        } else {
          cells += fmt::format("13 {} {} {} {} {} {} {}\n", c[0], c[1], c[2], c[4], c[5], c[6], count++);
          cells += fmt::format("13 {} {} {} {} {} {} {}\n", c[0], c[2], c[3], c[4], c[6], c[7], count++);
        }
      }
  return fmt::format("NDIME= 3\nNELEM= {}\n{}NPOIN= {}\n{}", count, cells, places.size(), fmt::join(places, ""));
}

TEST(Su2Property, BricksAndPrismsOfAnyNumberingCutTheirFacesAlike) {
  tb::check_property("inputs/su2", 60, [] {
    const int nx = *rc::gen::inRange(1, 4), ny = *rc::gen::inRange(1, 4), nz = *rc::gen::inRange(1, 4),
              kind = *rc::gen::inRange(0, 2);
    const Mesh m = parse_mesh("box.su2", su2_box(nx, ny, nz, kind, *rc::gen::arbitrary<std::uint64_t>()));
    // Two triangles on each square of the surface: where neighbours cut a face differently there would be more.
    RC_ASSERT(boundary_faces(m, kFarField) == 4 * (nx * ny + ny * nz + nz * nx));
    check_geometry(m);
  });
}

TEST(Su2, PyramidsAndPlaneMeshes) {
  const Mesh pyramid =
      parse_mesh("p.su2", "NDIME= 3\nNELEM= 1\n14 0 1 2 3 4 0\nNPOIN= 5\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 0.5 1\n");
  EXPECT_EQ(pyramid.elements, 2);
  EXPECT_EQ(boundary_faces(pyramid, kFarField), 6);
  const Mesh plane = parse_mesh(
      "q.su2", "NDIME= 2\nNELEM= 2\n9 0 1 2 3 0\n5 1 4 2 1\nNPOIN= 5\n0 0 0\n1 0 1\n1 1 2\n0 1 3\n2 0 4\n");
  check_geometry(plane);
  EXPECT_EQ(boundary_faces(plane, kFarField), 2 * 6 + 4 - 2 + 2);
}

TEST(Gambit, BricksOfBothOrders) {
  const auto brick = [](const char* corners) {
    return std::string(
               "CONTROL INFO 2\n** GAMBIT NEUTRAL FILE\n\n\n\nNUMNP NELEM NGRPS NBSETS NDFCD NDFVL\n8 1 0 0 3 3\n"
               "ENDOFSECTION\nNODAL COORDINATES 2\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n5 0 0 1\n6 1 0 1\n"
               "7 0 1 1\n8 1 1 1\nENDOFSECTION\nELEMENTS/CELLS 2\n1 4 8 ") +
           corners + "\nENDOFSECTION\n";
  };
  // The last vertex stands on a line of its own, as Gambit writes it.
  for (const char* corners : {"1 2 3 4 5 6 7\n      8", "1 2 4 3 5 6 8 7"}) {
    const Mesh m = parse_mesh("b.neu", brick(corners));
    EXPECT_EQ(boundary_faces(m, kFarField), 12) << corners;
    check_geometry(m);
  }
}

TEST(MeshErrors, OfSu2AndGambit) {
  const auto with = [](std::string t, const std::string& from, const std::string& into) {
    t.replace(t.find(from), from.size(), into);
    return t;
  };
  const std::pair<std::string, std::string> cases[] = {
      {with(kSu2, "NDIME= 3", "NDIME= 4"), "m:2: expected the dimension from 2 to 3, found '4'"},
      {with(kSu2, "10 0 1 2 3 0", "11 0 1 2 3 0"), "m:4: expected an element type (3, 5, 9, 10, 12, 13 or 14)"},
      {with(kSu2, "10 0 1 2 3 0", "9 0 1 2 3 0"), "m:4: expected an element of 3 dimensions"},
      {with(kSu2, "10 0 1 2 3 0", "10 0 1 2 2 0"), "m:4: expected different vertices"},
      {with(kSu2, "10 4 1 2 3 1", "10 7 1 2 3 1"), "expected vertex numbers from 0 to 4, found 7"},
      {with(kSu2, "1 0 0 1", "1 0"), "m:8: expected a coordinate (a finite number), found the end of the line"},
      {with(kSu2, "NELEM= 2", "NELEM= 99"), "m:3: expected at most"},
      {with(kSu2, "NPOIN", "NPOINT"), "expected an NPOIN section, found none"},
      {with(kGambit, "1 6 4 1 2 3 4", "1 6 10 1 2 3 4"), "the number of its vertices (elements of first order only)"},
      {with(kGambit, "1 6 4 1 2 3 4", "1 6 4 1 2 3 6"), "expected a vertex number from 1 to 5, found '6'"},
      {with(kGambit, "2 1 0 0\n", "1 1 0 0\n"), "expected each point once, found point 1 again"},
      {with(kGambit, "ELEMENTS/CELLS", "ELEMENTS"), "expected a section 'ELEMENTS/CELLS', found none"},
      {"hello\n", "m:1: expected a mesh: MEDIT .mesh, SU2, Gambit neutral or Rodinia cfd text"},
  };
  for (const auto& [text, message] : cases) {
    const std::string got = error_of([&, &text = text] { parse_mesh("m", text); });
    EXPECT_NE(got.find(message), got.npos) << got << "\nexpected: " << message;
  }
}

TEST(PointFile, SkipsTheIdAndTakesBlanksOrCommas) {
  const Points p = parse_points("p", "1 0.5 2\n2,3,4e1\n");
  EXPECT_EQ(p.count, 2);
  EXPECT_EQ(p.features, 2);
  EXPECT_EQ(p.values, (std::vector<float>{0.5f, 2, 3, 40}));
}

TEST(PointFile, WordsReadAsCsAtofReadsThemAndAreCounted) {
  ::testing::internal::CaptureStderr();
  const Points p = parse_points("words.txt", "1 tcp 2 0.5abc\n2 udp 4 -3\n3 nan 1e 7\n");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "warpsieve: note: words.txt: 5 of 9 values are words: read as 0, or as the number at their start\n");
  EXPECT_EQ(p.values, (std::vector<float>{0, 2, 0.5f, 0, 4, -3, 0, 1, 7}));
}

TEST(PointFile, Errors) {
  EXPECT_EQ(error_of([] { parse_points("p", "1 2 3\n2 5\n"); }),
            "p:2: expected 2 features as in the lines before, found 1");
  EXPECT_EQ(error_of([] { parse_points("p", "1 2 3\n2 5 1e39\n"); }),
            "p:2: expected a feature (a finite number), found '1e39'");
  EXPECT_EQ(error_of([] { parse_points("p", "x 2 3\n"); }),
            "p:1: expected the number of the point (a finite number), found 'x'");
  EXPECT_EQ(error_of([] { parse_points("p", "1 a b\n2 c d\n"); }), "p:3: expected points of numbers, found 4 words");
  EXPECT_EQ(error_of([] { parse_points("p", "1\n"); }),
            "p:1: expected at least one feature, found the end of the line");
  damage("1 0 0.5 3\n2 0 0.25 4\n3 0 1 5\n", [](const std::string& bad) {
    const Points p = parse_points("p", bad);
    ASSERT_EQ(p.values.size(), static_cast<std::size_t>(p.count) * static_cast<std::size_t>(p.features));
  });
}

TEST(RealMeshes, BunnyHasItsPublishedCounts) {
  SHARED_INPUT(path, "inputs/mesh/bunny.mesh");
  const Mesh m = read_mesh(path, kWall);
  EXPECT_EQ(m.elements, 34055);
  check_geometry(m);
  // As measured before: neighbours are far apart in the file; Morton order brings them near.
  EXPECT_NEAR(median_neighbour_distance(m), 4856, 50);
  EXPECT_LT(median_neighbour_distance(renumber(m, Renumber::morton)), 100);
  EXPECT_LT(median_neighbour_distance(renumber(m, Renumber::bfs)), 2000);
}

}  // namespace
}  // namespace warpsieve::inputs::test
