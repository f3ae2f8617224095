// Every form that time adds by itself, on bent cells and facets: derivatives in every level of the
// unknown, in coordinates and in coefficients; forward against finite differences, reverse against
// forward, second order against differences of the reverse, matrices with any weights of the levels
// against the forward.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/form_probe.hpp"
#include "tests/unit/gradient/dynamic_form_table.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/library_terms.hpp"

namespace invar::gradient_test::levels {
namespace {

using test::Array, test::dot, test::FormInputs, test::FormProbe, test::largest, test::minus;

// Differences over 2h of directions of size 0.1: truncation ~1e-11, round-off ~1e-11.
constexpr double h = 1e-5, by_differences = 2e-7;
// The same formula in another order: round-off alone.
constexpr double by_transposition = 1e-13;

/// Every level has an array of its own.
const test::ProbeSizes sizes_of_levels{.unknown = {0.03, 0.4, 1, 0.2}, .of_coefficients = 0.3};

void check_first_order(FormProbe& f, const DynamicForm& form) {
  const FormInputs bar = f.vjp(f.at);
  const Array r = f.residual(f.at);
  EXPECT_TRUE(form.may_vanish || (largest(r) > 0) == form.touches);
  const auto groups = f.parts_of_direction();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& [name, only] = groups[g];
    SCOPED_TRACE(name);
    const Array r_dot = f.jvp(only), expected = f.centred(only, h, 1, [&](const FormInputs&x) { return f.residual(x); });
    if (g < level_count) {
      const bool reads = std::ranges::find(form.levels, all_levels[g]) != form.levels.end();
      EXPECT_TRUE((reads && form.may_vanish) || (largest(expected) > 0) == (reads && form.touches));
    }
    EXPECT_LE(largest(minus(r_dot, expected)), by_differences * largest(expected) + 1e-10 * largest(r));
    const Array weighted = only.joined(), bars = bar.joined();
    double terms = 0;
    for (std::size_t i = 0; i < r_dot.size(); ++i) terms += std::abs(f.at.lambda[i] * r_dot[i]);
    for (std::size_t i = 0; i < bars.size(); ++i) terms += std::abs(bars[i] * weighted[i]);
    EXPECT_NEAR(dot(bars, weighted), dot(f.at.lambda, r_dot), by_transposition * terms);
  }
}

void check_matrix(const std::shared_ptr<const DofMap>& dofs, FormProbe& f, const DynamicForm& form) {
  AssembledMatrix K(dofs);
  std::vector<char> held(dofs->n_local(), 0);  // what the matrix leaves out
  if (!form.carrier.empty())
    for (const int node : dofs->mesh().find_region(form.carrier)->nodes)
      for (int k = 0; k < dofs->dof_count(node); ++k) held[dofs->first_dof(node) + k] = 1;
  K.constrain(held);
  const auto freed = [&](Array v) {
    for (std::size_t i = 0; i < v.size(); ++i)
      if (held[i]) v[i] = 0;
    return v;
  };
  const double random_weights[] = {0.7, -1.9, 2.3, 0.4};
  for (int alone = -1; alone < level_count; ++alone) {  // all levels, then each
    PerLevel<double> weights;
    FormInputs direction = f.zeros();
    const Array x = freed(f.d.u[0]), y = freed(f.d.lambda);
    for (int l = 0; l < level_count; ++l) {
      const double w = alone < 0 || alone == l ? random_weights[l] : 0.0;
      weights[all_levels[l]] = w;
      for (std::size_t i = 0; i < x.size(); ++i) direction.u[l][i] = w * x[i];
    }
    const Array Kx = f.product(K, weights, x), r_dot = freed(f.jvp(direction));
    EXPECT_LE(largest(minus(Kx, r_dot)), 10 * by_transposition * largest(r_dot)) << "weights " << alone;
    if (form.symmetric) {
      const double xKy = dot(x, f.product(K, weights, y)),
                   size = largest(Kx) * largest(y) * static_cast<double>(y.size());
      EXPECT_NEAR(dot(y, Kx), xKy, 10 * by_transposition * size);
    }
  }
}

void check_second_order(FormProbe& f) {
  const Array along = f.vjp_tangent(f.d).joined();
  const Array expected = f.centred(f.d, h, 1, [&](const FormInputs& x) { return f.vjp(x).joined(); });
  EXPECT_LE(largest(minus(along, expected)),
            by_differences * largest(expected) + 1e-10 * largest(f.vjp(f.at).joined()));
}

void check_density(FormProbe& f, const DynamicForm& form) {
  constexpr double seed = 1.7;
  const FormInputs bar = f.value_vjp(f.at, seed);
  if (!form.functional) {  // the residual is the gradient of the value
    Array gradient(f.at.lambda.size(), 0.0), r = f.residual(f.at);
    for (const Array& level : bar.u)
      for (std::size_t i = 0; i < level.size(); ++i) gradient[i] += level[i] / seed;
    EXPECT_LE(largest(minus(gradient, r)), 10 * by_transposition * largest(r));
  }
  const double value = f.value(f.at);
  for (const auto& [name, only] : f.parts_of_direction()) {
    SCOPED_TRACE(name);
    const double slope = f.value_jvp(only), size = std::abs(slope) + std::abs(value);
    EXPECT_NEAR(seed * slope, dot(bar.joined(), only.joined()), 100 * by_transposition * size);
    const double expected = f.centred(only, h, 1, [&](const FormInputs& x) { return Array{f.value(x)}; })[0];
    EXPECT_NEAR(slope, expected, by_differences * size);
  }
  const Array expected = f.centred(f.d, h, 1, [&](const FormInputs& x) { return f.value_vjp(x, seed).joined(); });
  EXPECT_LE(largest(minus(f.value_vjp_tangent(seed).joined(), expected)), by_differences * largest(expected));
}

// With and without a pressure beside: time adds to the first components alone.
void check_on_cells_and_facets(const DynamicForm& form) {
  for (const bool simplex : {true, false})
    for (const bool pressure : {false, true}) {
      if (form.of_flow() && !pressure) continue;
      ProblemSpec s;
      if (form.dim == 3) s.kind = SolidKind::spatial;
      s.cell.shape = form.dim == 3 ? (simplex ? Shape::tetrahedron : Shape::hexahedron)
                                   : (simplex ? Shape::triangle : Shape::quadrilateral);
      s.cell.order = (simplex || pressure) && !form.equal_order ? 2 : 1;
      if (form.dim == 3 && simplex != pressure) continue;  // ten-noded tetrahedra with a pressure, bricks without
      SCOPED_TRACE(form.name + " on " + std::string(name_of(s.cell.shape)) + (pressure ? " with a pressure" : ""));
      const auto mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), PETSC_COMM_SELF));
      std::vector<Component> components(form.dim, {"u", s.cell.order});
      if (pressure) components.push_back({"p", 1});
      if (form.scalar) components.push_back({"c", 1});
      const auto dofs = std::make_shared<const DofMap>(mesh, components, PETSC_COMM_SELF);
      const bool cells = form.region.empty();
      const auto made = form.make(form.points ? CellBatches::on_points(dofs, form.region) : cells ? CellBatches::on_cells(dofs, "", 3) : CellBatches::on_facets(dofs, form.region, 3));
      ASSERT_EQ(made->coefficients().size(), form.coefficients.size());
      FormProbe probe(dofs, *made, form.coefficients, cells ? mesh->cells[0].count() : mesh->facets[0].count(),
                      sizes_of_levels);
      if (!form.functional) {
        check_first_order(probe, form);
        check_matrix(dofs, probe, form);
        check_second_order(probe);
      }
      if (form.density) check_density(probe, form);
    }
}

TEST(DynamicForms, AreExactOnBentCellsAndFacets) {
  if (rank_count() > 1) GTEST_SKIP();
  for (const DynamicForm& form : all_dynamic_forms()) check_on_cells_and_facets(form);
}

// Whatever a library offers comes here by itself.
TEST(DynamicForms, TermsOfTheLibrariesAreExactOnBentCellsAndFacets) {
  if (rank_count() > 1) GTEST_SKIP();
  const std::vector<DynamicForm> terms = terms_of_libraries();
  EXPECT_GT(terms.size(), solid_loads().size() + flow_loads().size() + flow_integrals().size() + solid_integrals().size());
  for (const DynamicForm& form : terms) check_on_cells_and_facets(form);
}

TEST(DynamicForms, RefuseWhatTheyHaveNoFormulaFor) {
  ProblemSpec s;
  const auto mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), PETSC_COMM_SELF));
  const auto dofs = std::make_shared<const DofMap>(mesh, components_of(s), PETSC_COMM_SELF);
  EXPECT_THROW(make_kelvin_voigt(SolidKind::plane_stress, CellBatches::on_cells(dofs, "", 3)), std::invalid_argument);
}

}  // namespace
}  // namespace invar::gradient_test::levels
