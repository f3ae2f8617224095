// Data of more than one number: what markers and fields are compared with, and what is wrong with them by row.
#include <gtest/gtest.h>

#include <cmath>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
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

}  // namespace
}  // namespace invar
