// Components on a part of the mesh; forms with some of a space's components that contribute to some of its rows.
#include "tests/unit/gradient/sub_domain_problem.hpp"

#include "libadjoint/static_case.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"

namespace invar::gradient_test {
namespace {

using Kind = TimeScheme::Kind;

std::shared_ptr<LinearSolver> direct_solver(MPI_Comm comm) {
  LinearSolverOptions linear;
  linear.method = "mumps";
  linear.rtol = 1e-14;
  return std::make_shared<LinearSolver>(comm, linear);
}

std::shared_ptr<StaticCase> steady_case(const TransientProblem& p) {
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-13;
  return std::make_shared<StaticCase>(p.name, p.residual, direct_solver(p.dofs->comm()), p.times, 0.0, stepping);
}

TEST(SubDomain, ComponentsLiveOnTheirRegion) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    const Mesh serial = halved_mesh(2, shape, false);
    const auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
    const DofMap dofs(mesh, {{"b", 1, "half"}, {"a", 2}, {"c", 1}}, PETSC_COMM_WORLD);
    // 9 × 5 nodes; of 5 × 3 vertices 3 × 3 lie in the half.
    EXPECT_EQ(dofs.n_global(), 45 + 15 + 9);
    EXPECT_EQ(dofs.components()[0].name, "a");  // higher orders first
    int at_places = 0;
    for (int n = 0; n < mesh->node_total(); ++n) {
      const double x = mesh->coordinates[2 * n], y = mesh->coordinates[2 * n + 1];
      const bool vertex = std::abs(2 * x - std::round(2 * x)) < 1e-9 && std::abs(2 * y - std::round(2 * y)) < 1e-9;
      EXPECT_GE(dofs.dof(n, 0), 0);
      EXPECT_EQ(dofs.dof(n, 1) >= 0, vertex && x < 1 + 1e-9) << x << " " << y;
      EXPECT_EQ(dofs.dof(n, 2) >= 0, vertex);
      for (int k = 0; k < dofs.dof_count(n); ++k) at_places += dofs.dof(n, dofs.component_at(n, k)) == dofs.first_dof(n) + k;
    }
    EXPECT_EQ(at_places, dofs.n_local());
    EXPECT_EQ(dofs.block_size(), 1);
  }
}

TEST(SubDomain, MistakesAreNamed) {
  const auto mesh = std::make_shared<const Mesh>(halved_mesh(2, Shape::triangle, false));
  EXPECT_THROW(DofMap(mesh, {{"b", 1, "nowhere"}}, PETSC_COMM_SELF), std::invalid_argument);
  const auto dofs =
      std::make_shared<const DofMap>(mesh, std::vector<Component>{{"a", 2}, {"b", 1, "half"}}, PETSC_COMM_SELF);
  try {
    CellBatches::on_cells(dofs, "", 2, {0, 1});
    FAIL() << "b does not live on all cells";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "component 'b' does not live on all of the mesh");
  }
  EXPECT_THROW(CellBatches::on_facets(dofs, "right", 2, {1}), std::invalid_argument);
  EXPECT_EQ(CellBatches::on_cells(dofs, "", 2).components, std::vector{0});
  EXPECT_EQ(CellBatches::on_cells(dofs, "half", 2).components, (std::vector{0, 1}));
  EXPECT_THROW(make_form(Exchange{}, CellBatches::on_cells(dofs, "half", 2, {0})), std::invalid_argument);
  EXPECT_THROW(select_rows(*dofs, {.regions = {"nowhere"}}), std::invalid_argument);
}

// The solution is known: a = 1 + 0.4 cos(πx/2) cos(πy) on (0, 2) × (0, 1) and b = 1 + 0.3 cos(πx) cos(πy) on its left
// half, where b acts on a and a on b; both have zero normal derivatives on the boundaries of their domains. On the left side b's
// equation is replaced by 1.4 b = h a + the residual of the solution.
TEST(SubDomain, TwoFieldsConvergeToAKnownSolution) {
  constexpr double pi = std::numbers::pi, k = 0.7, kappa = 0.3, exchange = 1.7, s = 0.8, h = 0.5;
  const auto a_at = [](const double* x) { return 1 + 0.4 * std::cos(pi * x[0] / 2) * std::cos(pi * x[1]); };
  const auto b_at = [](const double* x) { return 1 + 0.3 * std::cos(pi * x[0]) * std::cos(pi * x[1]); };
  const auto f_a = [&](const double* x, double) {
    const double a = a_at(x), wave = a - 1, laplacian = -1.25 * pi * pi * wave;
    const double a_x = -0.2 * pi * std::sin(pi * x[0] / 2) * std::cos(pi * x[1]);
    const double a_y = -0.4 * pi * std::cos(pi * x[0] / 2) * std::sin(pi * x[1]);
    return -k * ((1 + a * a) * laplacian + 2 * a * (a_x * a_x + a_y * a_y));
  };
  const auto from_b = [&](const double* x, double) { return s * b_at(x) * a_at(x); };
  const auto f_b = [&](const double* x, double) {
    const double b = b_at(x);
    return 2 * kappa * pi * pi * (b - 1) + b + b * b * b - exchange * a_at(x);
  };
  for (const bool attached : {false, true}) {
    std::vector<double> errors_a, errors_b;
    for (const int n : {4, 8, 16}) {
      const auto mesh = std::make_shared<const Mesh>(distribute(halved_mesh(n, Shape::quadrilateral, false), PETSC_COMM_WORLD));
      const auto dofs =
          std::make_shared<const DofMap>(mesh, std::vector<Component>{{"a", 2}, {"b", 1, "half"}}, PETSC_COMM_WORLD);
      const auto r = std::make_shared<FormResidual>(dofs);
      const auto constant = [&](double v) { return ControlledValue{r->add_control({.name = "c"}, {v}), {}}; };
      const auto formula = [&](auto f) { return ControlledValue{constant(1).control, f, true, false}; };
      const auto cells = [&](std::vector<int> components, const char* region) {
        return CellBatches::on_cells(dofs, region, 6, std::move(components));
      };
      r->add_form(make_form(NonlinearDiffusion{}, cells({0}, "")), {constant(k), formula(f_a)});
      // What b takes from a on the half is given back there: k = 0, f = s b a.
      r->add_form(make_form(NonlinearDiffusion{}, cells({0}, "half")), {constant(0), formula(from_b)});
      RowSelection of_b{.components = {1}};
      if (attached) of_b.regions = {"left"}, of_b.outside = true;
      const auto exchange_in = [&](const RowSelection& rows) {
        return std::make_unique<RowMapped>(make_form(Exchange{}, cells({0, 1}, "half")), dofs, select_rows(*dofs, rows));
      };
      const std::vector<ControlledValue> exchanged{constant(kappa), constant(exchange), constant(s), formula(f_b)};
      r->add_form(exchange_in(of_b), exchanged);
      r->add_form(exchange_in({.components = {0}}), exchanged);
      if (attached)
        r->add_form(make_form(Attachment{}, CellBatches::on_facets(dofs, "left", 6, {1, 0})),
                    {constant(1.4), constant(h), formula([&](const double* x, double) { return 1.4 * b_at(x) - h * a_at(x); })});
      const int one = constant(1).control;
      r->add_dirichlet({"right", 0, {one, [&](const double* x, double) { return a_at(x); }, true, false}});
      r->finish();
      LoadSteppingOptions stepping;
      stepping.newton.rtol = 1e-11;
      StaticCase c("known", r, direct_solver(PETSC_COMM_WORLD), {1.0}, 0.0, stepping);
      const auto error = [&](int component, auto exact) {
        DataSet set;
        set.observable = make_field_samples(dofs, "half", 2, 6, {component}, [&](int, const double* x) { return exact(x); }, set.target);
        set.steps = {0};
        const std::vector<double> y = c.observed(set);
        double sum = 0;
        for (std::size_t i = 0; i < y.size(); ++i) sum += (y[i] - set.target[i]) * (y[i] - set.target[i]);
        return std::sqrt(sum);
      };
      const ProcessReport ran = c.run(r->control_values());
      ASSERT_TRUE(ran.ok) << ran.reason;
      errors_a.push_back(error(0, a_at));
      errors_b.push_back(error(1, b_at));
    }
    for (std::size_t i = 0; i + 1 < errors_a.size(); ++i) {
      EXPECT_GT(std::log2(errors_a[i] / errors_a[i + 1]), 1.9) << errors_a[i];
      EXPECT_GT(std::log2(errors_b[i] / errors_b[i + 1]), 1.9) << errors_b[i];
    }
    EXPECT_LT(errors_b.back(), 2e-3);
  }
}

// ∂r/∂u as a matrix against its product, and its transpose against the reverse product, without constraints in between.
TEST(SubDomain, MatrixIsTheDerivative) {
  for (const bool attached : {false, true}) {
    const TransientProblem p = TwoFields::make({Shape::triangle, attached, TimeScheme(Kind::bdf2, 1)}, PETSC_COMM_WORLD);
    FormResidual& r = *p.residual;
    const auto random = [&](int seed) {
      VecHandle v = r.create_vector();
      double* x = nullptr;
      check(VecGetArray(v, &x));
      for (int i = 0; i < p.dofs->n_owned(); ++i) x[i] = std::sin(1.0 + seed + 1.7 * (static_cast<double>(p.dofs->global_offset()) + i));
      check(VecRestoreArray(v, &x));
      return v;
    };
    const VecHandle u = random(1), rate = random(2), v = random(3), Kv = r.create_vector(), jvp = r.create_vector(),
                    scaled = random(3), vjp_u = r.create_vector(), vjp_rate = r.create_vector();
    EvaluationPoint at{u, r.given()};
    at.levels[Level::rate] = rate;
    at.given.time = at.given.constraint_time = 0.3;
    PerLevel<double> weights{};
    weights[Level::value] = 1, weights[Level::rate] = 4.5;
    r.jacobian(at, weights);
    for (const int row : r.constrained_rows()) {  // their columns are left out, too
      const PetscInt i = row + static_cast<PetscInt>(p.dofs->global_offset());
      check(VecSetValue(v, i, 0, INSERT_VALUES));
      check(VecSetValue(scaled, i, 0, INSERT_VALUES));
    }
    for (Vec x : {Vec(v), Vec(scaled)}) check(VecAssemblyBegin(x)), check(VecAssemblyEnd(x));
    check(VecScale(scaled, weights[Level::rate]));
    check(MatMult(r.matrix(), v, Kv));
    State along{v};
    along.levels[Level::rate] = scaled;
    r.jvp(at, along, nullptr, jvp);
    double size = 0, off = 0;
    check(VecNorm(jvp, NORM_INFINITY, &size));
    check(VecAXPY(Kv, -1, jvp));
    check(VecNorm(Kv, NORM_INFINITY, &off));
    EXPECT_LT(off, 1e-13 * size) << attached;
    // λᵀ (K v) = (Kᵀ λ)ᵀ v
    const VecHandle lambda = random(5);
    State bar{vjp_u};
    bar.levels[Level::rate] = vjp_rate;
    r.vjp(at, lambda, bar, nullptr);
    double forward = 0, reverse = 0, reverse_rate = 0;
    check(VecDot(lambda, jvp, &forward));
    check(VecDot(vjp_u, v, &reverse));
    check(VecDot(vjp_rate, scaled, &reverse_rate));
    EXPECT_NEAR(forward, reverse + reverse_rate, 1e-12 * (std::abs(forward) + size)) << attached;
  }
}

struct Entry {
  std::string name;
  TwoFields::Options options;
};
void PrintTo(const Entry& e, std::ostream* out) { *out << e.name; }

class SubDomainGradient : public testing::TestWithParam<Entry> {};

// Every number, nodal field and coordinate, for quantities of either field and data along the way.
TEST_P(SubDomainGradient, IsExact) {
  const auto functional = [&](const TransientProblem& p) {
    return GetParam().options.scheme ? make_transient_functional(p) : make_functional_of(p, steady_case(p));
  };
  const TransientProblem p = TwoFields::make(GetParam().options, PETSC_COMM_WORLD);
  const auto f = functional(p);
  const DesignVector theta = moved(f->start(), 0.02, Directions(*f, f->start()).random(31));
  DesignVector g;
  const Evaluation there = f->gradient(theta, g);
  ASSERT_TRUE(there.ok) << there.reason;
  for (std::size_t i = 0; i < g.shared.size(); ++i) EXPECT_GT(std::abs(g.shared[i]), 1e-9) << f->names()[i];
  check_adjoint_against_tangent(*f, theta);
  check_constraints(*f, theta);
  check_hessian(*f, theta);
  if (rank_count() == 1) {
    check_taylor(*f, theta, 0.01);
    check_differences(*f, theta);
    return;
  }
  const TransientProblem alone = TwoFields::make(GetParam().options, PETSC_COMM_SELF);
  const auto one = functional(alone);
  DesignVector here;
  const DesignVector start = f->start();
  const Evaluation together = f->gradient(start, g), by_itself = one->gradient(one->start(), here);
  ASSERT_TRUE(together.ok && by_itself.ok) << together.reason << by_itself.reason;
  EXPECT_NEAR(together.value, by_itself.value, 1e-10 * std::abs(by_itself.value));
  for (std::size_t i = 0; i < here.shared.size(); ++i)
    EXPECT_NEAR(g.shared[i], here.shared[i], 1e-9 * norm(here, PETSC_COMM_SELF)) << f->names()[i];
}

INSTANTIATE_TEST_SUITE_P(
    TwoFields, SubDomainGradient,
    testing::Values(Entry{"steady_triangles", {Shape::triangle, false, {}}},
                    Entry{"steady_quadrilaterals_attached", {Shape::quadrilateral, true, {}}},
                    Entry{"bdf2_triangles_attached", {Shape::triangle, true, TimeScheme(Kind::bdf2, 1)}},
                    Entry{"sdirk2_quadrilaterals", {Shape::quadrilateral, false, TimeScheme(Kind::sdirk2, 1)}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace invar::gradient_test
