// Data of several numbers: comparison with markers and fields, and errors by row.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/image_data.hpp"
#include "libfem/objective/quantity_entry.hpp"

namespace invar {
namespace {

/// The rectangle 2 m × 1 m with u = (2x + 3y, x − y) on linear elements, which represent it exactly.
struct LinearField {
  QuantityCase c;
  VecHandle u;

  LinearField() {
    auto mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 2, 1, 4, 3, Shape::quadrilateral, 1), PETSC_COMM_WORLD));
    c.dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}}, PETSC_COMM_WORLD);
    c.residual = std::make_shared<FormResidual>(c.dofs);
    u = c.residual->create_vector();
    double* values = nullptr;
    check(VecGetArray(u, &values));
    for (int node = 0; node < mesh->n_owned_nodes; ++node) {
      const double x = mesh->coordinates[2 * node], y = mesh->coordinates[2 * node + 1];
      values[c.dofs->dof(node, 0)] = 2 * x + 3 * y;
      values[c.dofs->dof(node, 1)] = x - y;
    }
    check(VecRestoreArray(u, &values));
  }
  std::vector<double> observed(const MeasuredSet& set) const {
    std::vector<double> y(set.observable->size());
    set.observable->evaluate({u, c.residual->given()}, y.data());
    return y;
  }
};

EntryValues of_table(DataTable table) {
  EntryValues v;
  v.set_table("file", std::move(table));
  return v;
}

TEST(MeasuredData, MarkersAreSetsByTime) {
  const LinearField f;
  const EntryValues v = of_table({{"t", "x", "y", "u_y", "u_x", "noise"},
                                  {{2, 1, 2}, {0.3, 1.7, 1}, {0.2, 0.9, 0.5}, {10, 11, 12}, {20, 21, 22}, {0.1, 0.2, 0.3}}});
  EXPECT_EQ(markers_data().times(v), (std::vector<double>{2, 1, 2}));
  EntryMistakes mistakes;
  const std::vector<MeasuredSet> sets = markers_data().make(f.c, v, mistakes);
  ASSERT_FALSE(mistakes.any());
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[0].times, std::vector{1.0});
  EXPECT_EQ(sets[0].rows, std::vector{1});
  EXPECT_EQ(sets[0].targets, (std::vector<double>{21, 11}));
  EXPECT_EQ(sets[1].times, std::vector{2.0});
  EXPECT_EQ(sets[1].rows, std::vector{0});
  EXPECT_EQ(sets[1].targets, (std::vector<double>{20, 10, 22, 12}));
  EXPECT_EQ(sets[1].deviations, (std::vector<double>{0.1, 0.1, 0.3, 0.3}));
  const std::vector<double> early = f.observed(sets[0]), late = f.observed(sets[1]);
  EXPECT_NEAR(early[0], 2 * 1.7 + 3 * 0.9, 1e-13);
  EXPECT_NEAR(early[1], 1.7 - 0.9, 1e-13);
  EXPECT_NEAR(late[2], 2 * 1 + 3 * 0.5, 1e-13);
}

TEST(MeasuredData, MarkersWithoutATimeAreOneSet) {
  const LinearField f;
  const EntryValues v = of_table({{"x", "y", "u_x"}, {{0.3, 1.7}, {0.2, 0.9}, {1, 2}}});
  EXPECT_TRUE(markers_data().times(v).empty());
  EntryMistakes mistakes;
  const std::vector<MeasuredSet> sets = markers_data().make(f.c, v, mistakes);
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_TRUE(sets[0].times.empty());
  EXPECT_TRUE(sets[0].deviations.empty());
}

TEST(MeasuredData, WhatIsWrongWithMarkersIsSaidOfTheirRow) {
  LinearField f;
  f.c.absent = {"p"};
  const auto mistakes_of = [&](DataTable table) {
    EntryMistakes mistakes;
    markers_data().make(f.c, of_table(std::move(table)), mistakes);
    return mistakes.all();
  };
  const auto outside = mistakes_of({{"x", "y", "u_x", "u_y"}, {{0.3, 2.5, 1}, {0.2, 0.9, 1.25}, {1, 2, 3}, {1, 2, 3}}});
  ASSERT_EQ(outside.size(), 2u);  // one for each row
  EXPECT_EQ(outside[0].row, 1);
  EXPECT_EQ(outside[0].what, "this marker lies outside the mesh, by 0.5 m");
  EXPECT_EQ(outside[1].row, 2);
  EXPECT_EQ(outside[1].what, "this marker lies outside the mesh, by 0.25 m");

  const auto noise = mistakes_of({{"x", "y", "u_x", "noise"}, {{0.3, 1}, {0.2, 0.9}, {1, 2}, {1, 0}}});
  ASSERT_EQ(noise.size(), 1u);
  EXPECT_EQ(noise[0].row, 1);

  const auto pressure = mistakes_of({{"x", "y", "u_x", "p"}, {{0.3}, {0.2}, {1}, {1}}});
  ASSERT_EQ(pressure.size(), 1u);
  EXPECT_EQ(pressure[0].what, "the case has no 'p' that a column p could be compared with");

  for (const DataTable& table : {DataTable{{"x", "y", "ux"}, {{0.3}, {0.2}, {1}}}, DataTable{{"x", "u_x"}, {{0.3}, {1}}}}) {
    const auto missing = mistakes_of(table);
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_EQ(missing[0].row, -1);
    EXPECT_NE(missing[0].what.find("at least one of u_x, u_y named in its first line"), std::string::npos);
  }
}

// The sum of squares is the mean square over the region: u − û = (1, 2 y − t) with t = 0.5.
TEST(MeasuredData, FieldsAreComparedInTheMeanSquare) {
  LinearField f;
  f.c.time = 0.5;
  const DataEntry<QuantityCase> entry = field_data("displacement_field", "");
  const auto mean_square = [&](const char* region) {
    EntryValues v;
    v.set_text("region", region);
    v.set_text("u_x", "2*x + 3*y - 1");
    v.set_text("u_y", "x - 3*y + t");
    EntryMistakes mistakes;
    const std::vector<MeasuredSet> sets = entry.make(f.c, v, mistakes);
    EXPECT_EQ(sets.size(), 1u);
    double sum = 0;
    const std::vector<double> y = f.observed(sets[0]);
    for (std::size_t i = 0; i < y.size(); ++i) sum += std::pow(y[i] - sets[0].targets[i], 2);
    return sum;
  };
  EXPECT_NEAR(mean_square("all"), 1 + (4.0 / 3 - 2 * 0.5 + 0.25), 1e-12);  // ∫ (2y − t)² over 0 ≤ y ≤ 1
  EXPECT_NEAR(mean_square("top"), 1 + 1.5 * 1.5, 1e-12);
  EXPECT_NEAR(mean_square("bottom"), 1 + 0.25, 1e-12);
}

/// A file in pixels of 0.1 m with y downwards, its origin at pixel (10, 50), columns named as a camera's program names them; two frames.
EntryValues camera(const std::vector<std::vector<double>>& columns, const char* rigid_motion) {
  EntryValues v = EntryValues::defaults(image_data().parameters);
  v.set_table("file", {{"image", "X", "Y", "U", "V", "sigma"}, columns});
  v.set_table("frames", {{"image", "load"}, {{7, 8}, {0.5, 1}}});
  for (const auto& [key, name] : {std::pair{"frame", "image"}, {"t", "load"}, {"x", "X"}, {"y", "Y"}, {"u_x", "U"}, {"u_y", "V"}, {"noise", "sigma"}})
    v.set_text(std::string("columns.") + key, name);
  v.set_text("rigid_motion", rigid_motion);
  v.set("scale", {0.1});
  v.set("origin", {10, 50});
  v.set("downward", {1});
  return v;
}

TEST(ImageData, AreReadInTheMeshsAxesByFrame) {
  const LinearField f;
  const double none = std::nan("");
  // Places (0.3, 0.2), (1.7, 0.9), outside, a missing component, behind the mask.
  const EntryValues v = [&] {
    EntryValues all = camera({{8, 7, 7, 7, 8}, {13, 27, 40, 15, 29}, {48, 41, 48, 47, 48}, {12, 61, 1, none, 1}, {-1, -8, 1, 2, 1}, {0.1, 0.2, 0.1, 0.3, 0.1}}, "none");
    all.set_text("mask", "1.8 - x + 10 * max(0, x - 2.5)");
    return all;
  }();
  EXPECT_EQ(image_data().times(v), (std::vector<double>{0.5, 1}));
  EntryMistakes mistakes;
  const std::vector<MeasuredSet> sets = image_data().make(f.c, v, mistakes);
  ASSERT_FALSE(mistakes.any()) << mistakes.all()[0].what;
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[0].times, std::vector{0.5});
  EXPECT_EQ(sets[0].sample_rows, (std::vector<int>{1, 1, 3}));
  const std::vector<double> targets{6.1, 0.8, -0.2}, deviations{0.02, 0.02, 0.03}, early = f.observed(sets[0]), late = f.observed(sets[1]);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(sets[0].targets[i], targets[i], 1e-13);
    EXPECT_NEAR(sets[0].deviations[i], deviations[i], 1e-13);
  }
  EXPECT_NEAR(early[0], 2 * 1.7 + 3 * 0.9, 1e-13);
  EXPECT_NEAR(early[2], 0.5 - 0.3, 1e-13);
  EXPECT_NEAR(late[0], 2 * 0.3 + 3 * 0.2, 1e-13);
  EXPECT_NEAR(sets[1].targets[1], 0.1, 1e-13);
  ASSERT_EQ(sets[0].notes.size(), 3u);
  EXPECT_EQ(sets[0].notes[0], "1 points lie where the mask is not positive, and are left out");
  EXPECT_EQ(sets[0].notes[1], "1 displacements are missing or have a negative status, and are left out");
  EXPECT_EQ(sets[0].notes[2], "1 points lie outside the mesh, and are left out: row 3 by 1 m");
}

/// Nine points of a LinearField as `camera` shows them in frame 8; see: the displacement that it shows of a point (x, y) displaced by (u, v).
std::vector<std::vector<double>> shown(const std::function<std::array<double, 2>(double x, double y, double u, double v)>& see) {
  std::vector<std::vector<double>> columns(6);
  for (int k = 0; k < 9; ++k) {
    const double x = 0.1 + 0.2 * k, y = 0.5 + 0.4 * std::sin(2.0 * k);
    const auto [u, v] = see(x, y, 2 * x + 3 * y, x - y);
    const double values[] = {8, 10 + 10 * x, 50 - 10 * y, 10 * u, -10 * v, 0.1 + 0.05 * (k % 3)};
    for (int c = 0; c < 6; ++c) columns[c].push_back(values[c]);
  }
  return columns;
}

/// How many differences there are between that field and data, in standard deviations, and the sum of their squares.
std::pair<std::size_t, double> difference(const std::vector<std::vector<double>>& data, const char* motion, std::vector<double>* at_points = nullptr) {
  const LinearField f;
  EntryMistakes mistakes;
  const std::vector<MeasuredSet> sets = image_data().make(f.c, camera(data, motion), mistakes);
  EXPECT_FALSE(mistakes.any());
  std::vector<double> y = f.observed(sets.at(0));
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = (y[i] - sets[0].targets[i]) / sets[0].deviations[i], sum += y[i] * y[i];
  if (at_points) *at_points = sets[0].at_samples(y);
  return {y.size(), sum};
}

// u = (2x + 3y, x − y) is a symmetric strain and a turn. A motion w = s + θ × (X + w) of what the camera shows changes nothing of what is
// left, which is the misfit of a least-squares fit of the motion.
TEST(ImageData, AFittedRigidMotionIsLeftOut) {
  std::vector<std::vector<double>> columns = shown([](double x, double y, double u, double v) {
    const double turn = 0.3, a = u + 0.7 - turn * y, b = v - 0.2 + turn * x;
    return std::array{(a - turn * b) / (1 + turn * turn), (b + turn * a) / (1 + turn * turn)};
  });
  EXPECT_GT(difference(columns, "none").second, 1);
  const auto [size, sum] = difference(columns, "fitted");
  EXPECT_EQ(size, 15u);  // 18 less a shift and a turn
  EXPECT_NEAR(sum, 0, 1e-20);
  // One displacement that is off by ten deviations stands out at its point.
  columns[3][4] += 10 * columns[5][4];
  std::vector<double> at_points;
  const auto [same, off] = difference(columns, "fitted", &at_points);
  EXPECT_LT(off, 100);
  EXPECT_GT(off, 50);
  ASSERT_EQ(at_points.size(), 18u);
  for (int i = 0; i < 18; ++i) EXPECT_EQ(std::abs(at_points[i]) > 5, i == 8) << i << " " << at_points[i];
}

// Two images of one load: each has its own motion.
TEST(ImageData, ImagesOfOneTimeMoveApart) {
  const auto seen = [](double shift, double turn) {
    return shown([=](double x, double y, double u, double v) {
      const double a = u + shift - turn * y, b = v - shift + turn * x;
      return std::array{(a - turn * b) / (1 + turn * turn), (b + turn * a) / (1 + turn * turn)};
    });
  };
  std::vector<std::vector<double>> both = seen(0.7, 0.3);
  const std::vector<std::vector<double>> second = seen(-0.4, -0.1);
  for (std::size_t c = 0; c < both.size(); ++c) both[c].insert(both[c].end(), second[c].begin(), second[c].end());
  for (int k = 9; k < 18; ++k) both[0][k] = 7;
  EntryValues v = camera(both, "fitted");
  v.set_table("frames", {{"image", "load"}, {{7, 8}, {1, 1}}});
  const LinearField f;
  EntryMistakes mistakes;
  const std::vector<MeasuredSet> sets = image_data().make(f.c, v, mistakes);
  ASSERT_FALSE(mistakes.any());
  ASSERT_EQ(sets.size(), 2u);
  for (const MeasuredSet& set : sets) {
    EXPECT_EQ(set.times, std::vector{1.0});
    const std::vector<double> y = f.observed(set);
    ASSERT_EQ(y.size(), 15u);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], set.targets[i], 1e-9);
  }
}

// A camera that turns about a point of its own: what is left is of second order in the angle, though strains are large.
TEST(ImageData, WhatATurnOfTheCameraLeavesIsOfSecondOrder) {
  const auto left_by = [](double turn) {
    return std::sqrt(difference(shown([&](double x, double y, double u, double v) {
                                  const double X = x + u - 0.4, Y = y + v + 0.2;
                                  return std::array{std::cos(turn) * X - std::sin(turn) * Y + 0.4 - x, std::sin(turn) * X + std::cos(turn) * Y - 0.2 - y};
                                }), "fitted").second);
  };
  EXPECT_NEAR(left_by(2e-3) / left_by(1e-3), 4, 0.02);
}

// A point of which one component is missing is nowhere, so that its turn is unknown: its other component is left out, too.
TEST(ImageData, OfARigidMotionRowsAreWholeOrLeftOut) {
  std::vector<std::vector<double>> columns = shown([](double, double, double u, double v) { return std::array{u, v}; });
  columns[4][2] = std::nan("");
  EXPECT_EQ(difference(columns, "none").first, 17u);
  EXPECT_EQ(difference(columns, "fitted").first, 13u);  // 16 less a shift and a turn
}

TEST(ImageData, WhatIsWrongWithThemIsSaid) {
  const LinearField f;
  const auto mistakes_of = [&](const std::function<void(EntryValues&)>& spoil, std::vector<std::vector<double>> columns) {
    EntryValues v = camera(columns, "fitted");
    spoil(v);
    EntryMistakes mistakes;
    EXPECT_TRUE(image_data().make(f.c, v, mistakes).empty() || mistakes.any());
    return mistakes.all();
  };
  const std::vector<std::vector<double>> one{{8}, {13}, {48}, {1}, {1}, {0.1}};
  const auto says = [&](const std::vector<EntryMistakes::Mistake>& all, const char* what) {
    ASSERT_EQ(all.size(), 1u) << what << ": " << (all.empty() ? "" : all.back().what);
    EXPECT_NE(all[0].what.find(what), std::string::npos) << all[0].what;
  };
  says(mistakes_of([](EntryValues&) {}, one), "too few points to separate a rigid motion");
  says(mistakes_of([](EntryValues&) {}, {{8}, {13}, {48}, {1}, {1}, {0}}), "a standard deviation must be > 0");
  says(mistakes_of([](EntryValues&) {}, {{9}, {13}, {48}, {1}, {1}, {0.1}}), "the frame of this row has no load parameter or time");
  says(mistakes_of([](EntryValues&) {}, {{8}, {90}, {48}, {1}, {1}, {0.1}}), "no point of the file lies in the mesh");
  says(mistakes_of([](EntryValues& v) { v.set_text("columns.x", "xs"); }, one), "the file under 'file' has no column 'xs'");
  says(mistakes_of([](EntryValues& v) { v.set("deviations", {1, 1}); }, one), "the file has a column of standard deviations");
  says(mistakes_of([](EntryValues& v) { v.set_text("mask", "x +"); }, one), "x +");
  // Frames without time.
  EntryValues v = EntryValues::defaults(image_data().parameters);
  v.set_table("file", {{"frame", "x", "y", "u_x"}, {{1}, {0.3}, {0.2}, {1}}});
  v.set_text("rigid_motion", "none");
  EntryMistakes mistakes;
  EXPECT_TRUE(image_data().make(f.c, v, mistakes).empty());
  says(mistakes.all(), "their load parameters or times are not given");
}

}  // namespace
}  // namespace invar
