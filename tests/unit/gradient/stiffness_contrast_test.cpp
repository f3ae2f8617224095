// A body among voids of a billionth of its stiffness: the iterative solvers of topology against sparse factors, on any number of ranks.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "libfem/design/field/density_design.hpp"
#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/cell_centres.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/solid/rigid_body_modes.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/solid_problem.hpp"

namespace invar::stiffness_contrast {
namespace {

constexpr double void_share = 1e-9;

/// Of a design whose voids are crossed by two bars: the density of the cell at x, in a body of length 2 and height 1.
double crossed_bars(const double* x) {
  const double up = std::abs(x[1] - 0.5 * x[0]), down = std::abs(x[1] - 1 + 0.5 * x[0]);
  return std::min(up, down) < 0.14 || x[0] > 1.85 ? 1 : 0;
}
/// The same in the making, with grey cells. The loaded end is solid in both.
double grey_bars(const double* x) {
  if (x[0] > 1.85) return 1;
  const double up = std::abs(x[1] - 0.5 * x[0]), down = std::abs(x[1] - 1 + 0.5 * x[0]);
  return std::exp(-60 * std::pow(std::min(up, down), 2)) * (0.8 + 0.2 * std::sin(9 * x[0]));
}

struct Solution {
  double compliance = 0;
  std::map<long long, double> gradient;  // by the cell's number in the serial mesh
  std::string method;
};

/// Compliance of a cantilever pulled down at the end of its lower edge, and its gradient by the densities.
Solution solve(int dim, double (*density)(const double*), DensityStage::Law law, const std::string& method) {
  const Mesh serial = dim == 2 ? make_rectangle(0, 0, 2, 1, 32, 16, Shape::quadrilateral) : make_box({0, 0, 0}, {2, 1, 0.5}, {16, 8, 4}, Shape::hexahedron);
  const auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
  std::vector<Component> components{{"u_x", 1}, {"u_y", 1}};
  if (dim == 3) components.push_back({"u_z", 1});
  const auto dofs = std::make_shared<const DofMap>(mesh, components, mesh->comm);
  const auto residual = std::make_shared<FormResidual>(dofs);
  const auto number = [&](double v) { return ControlledValue{residual->add_control({"", ""}, {v}), {}}; };
  std::size_t cells = 0;
  for (const CellBlock& b : mesh->cells) cells += b.count();
  const int young = residual->add_control({.name = "young", .layout = ControlLayout::cells}, std::vector<double>(cells, 1.0));
  const SolidKind kind = dim == 2 ? SolidKind::plane_stress : SolidKind::spatial;
  residual->add_form(make_displacement_form(kind, make_material({.name = "linear_elastic", .plane_stress = dim == 2}), CellBatches::on_cells(dofs, "", 2)), {{young, {}}, number(0.3)});
  std::vector<ControlledValue> force{number(0), number(-1e-3)};
  if (dim == 3) force.push_back(number(0));
  residual->add_form(make_traction(kind, CellBatches::on_facets(dofs, "right", 2)), force);
  for (int i = 0; i < dim; ++i) residual->add_dirichlet({"left", i, number(0)});
  residual->finish();
  residual->set_near_null_space(rigid_body_modes(*dofs));
  if (method == "cg_lattice") {
    EXPECT_TRUE(residual->use_cell_matrix());
  }
  const LinearSolverOptions linear{.method = method};  // to the program's own tolerances
  const auto solver = std::make_shared<LinearSolver>(mesh->comm, linear);
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-9;
  const auto process = std::make_shared<StaticCase>("cantilever", residual, solver, std::vector<double>{1.0}, 0.0, stepping);
  std::vector<double> work(residual->form_count(), 0.0);
  work[1] = -1;
  process->terms().push_back({"compliance", std::make_shared<FormValue>(residual, work), {0}, 1.0});
  const DensityStage stage{.law = law, .penalty = 3, .void_share = void_share};
  const auto design = std::make_shared<DensityDesign>(std::make_shared<NoFilter>(mesh, false), "", std::vector{stage}, std::vector{0.5},
                                                      std::vector{DensityDesign::Target{.property = young, .scale = 1}});
  CaseFunctional f({process}, {design}, mesh->comm);
  DesignVector theta = f.start(), g;
  const std::vector<double> centres = cell_centres(*mesh, design->cells());
  for (std::size_t i = 0; i < theta.local.size(); ++i) theta.local[i] = density(&centres[3 * i]);
  const Evaluation e = f.gradient(theta, g);
  EXPECT_TRUE(e.ok) << method << ": " << e.reason;
  Solution s{e.value, {}, std::string(solver->method())};
  if (!e.ok) return s;
  std::vector<long long> numbers;
  for (const int c : design->cells()) numbers.push_back(mesh->original_cell[0][c]);
  const std::vector<long long> all = all_gather(numbers, MPI_LONG_LONG, mesh->comm);
  const std::vector<double> values = all_gather(g.local, MPI_DOUBLE, mesh->comm);
  for (std::size_t i = 0; i < all.size(); ++i) s.gradient[all[i]] = values[i];
  return s;
}

void compare_with_factors(int dim, double (*density)(const double*)) {
  for (const DensityStage::Law law : {DensityStage::Law::simp, DensityStage::Law::ramp}) {
    const Solution exact = solve(dim, density, law, "mumps_cholesky");
    double largest = 0;
    for (const auto& [cell, v] : exact.gradient) largest = std::max(largest, std::abs(v));
    for (const std::string method : {"cg_lattice", "cg_gamg", "cg_hypre"}) {
      SCOPED_TRACE(method + (law == DensityStage::Law::simp ? ", SIMP" : ", RAMP"));
      const Solution s = solve(dim, density, law, method);
      EXPECT_EQ(s.method, method);
      ASSERT_EQ(s.gradient.size(), exact.gradient.size());
      EXPECT_NEAR(s.compliance, exact.compliance, 1e-6 * exact.compliance);
      for (const auto& [cell, v] : exact.gradient) EXPECT_NEAR(s.gradient.at(cell), v, 1e-6 * largest) << "cell " << cell;
    }
  }
}

TEST(StiffnessContrast, OfABillionInAPlaneIsSolvedAsByFactors) { compare_with_factors(2, crossed_bars); }
TEST(StiffnessContrast, OfABillionInAGreyPlaneIsSolvedAsByFactors) { compare_with_factors(2, grey_bars); }
TEST(StiffnessContrast, OfABillionInSpaceIsSolvedAsByFactors) { compare_with_factors(3, crossed_bars); }
TEST(StiffnessContrast, OfABillionInGreySpaceIsSolvedAsByFactors) { compare_with_factors(3, grey_bars); }

}  // namespace
}  // namespace invar::stiffness_contrast
