// Unknowns that are tied to each other and to numbers of a mechanism: derivatives of what is solved in the place of the
// equation at nodes, at rest over load steps and in time.
#include <array>
#include <map>
#include <numbers>

#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/static_case.hpp"
#include "libadjoint/time/transient_case.hpp"
#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/region_ties.hpp"
#include "libfem/mechanism/tied_equation.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"

namespace invar::gradient_test {
namespace {

/// A body of rubber, stiffer on one side, in the plane.
class TiedBody {
 public:
  /// plate: its lower side is held, its upper one stays plane and moves as a number says, a mean of its right side is given.
  /// Else a periodic cell with mean strains that are given and free.
  TiedBody(bool plate, CellType cell, bool moves, MPI_Comm comm) {
    Mesh serial = make_rectangle(0, 0, 1.2, 1, 3, 3, cell.shape, cell.order);
    if (plate)  // bent cells
      for (std::size_t n = 0; n < serial.coordinates.size(); n += 2)
        serial.coordinates[n + 1] += 0.03 * std::sin(std::numbers::pi * serial.coordinates[n] / 0.6) * serial.coordinates[n + 1] * (1 - serial.coordinates[n + 1]);
    const auto mesh = std::make_shared<const Mesh>(distribute(serial, comm));
    dofs_ = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", cell.order}, {"u_y", cell.order}}, comm);
    nodal_ = std::make_shared<FormResidual>(dofs_);
    material_ = make_material({.name = "neo_hookean"});
    const auto cells = [&] { return CellBatches::on_cells(dofs_, "", 4); };
    const auto varies = [](double (*f)(const double*)) { return [f](const double* x, double) { return f(x); }; };
    const ControlledValue young{number("young", 2), varies([](const double* x) { return 1 + 0.8 * x[0] + 0.3 * x[1] * x[0]; }), true, false};
    nodal_->add_form(make_displacement_form(SolidKind::plane_strain, material_, cells()), {young, {number("poisson", 0.3), {}}});
    if (moves) nodal_->add_form(make_inertia(SolidKind::plane_strain, cells()), {{number("density", 0.02), {}}});
    if (plate)
      for (int i = 0; i < 2; ++i) nodal_->add_dirichlet({"bottom", i, {number("bottom", 0.02), [i](const double* x, double t) { return t * (0.3 + i) * x[0]; }, true, true}});
    const std::array<double, 4> values = plate ? std::array{0.08, 0.05, 0.0, 0.0} : std::array{0.12, 0.05, -0.03, 0.02};
    for (int k = 0; k < (plate ? 2 : 4); ++k) given_[k] = number("given", values[k]);
    nodal_->finish();
    mechanism_ = std::make_shared<Mechanism>(nodal_);
    std::vector<LinearConstraint> constraints;
    plate ? add_plate(constraints) : add_cell(constraints);
    tied_ = std::make_shared<TiedEquation>(nodal_, mechanism_);
    const Elimination& solved = tied_->solve(constraints);
    EXPECT_TRUE(solved.contradicted.empty());
    tied_->finish();
  }

  std::shared_ptr<StaticCase> at_rest() const {
    LoadSteppingOptions stepping;
    stepping.newton.rtol = 1e-13;
    auto c = std::make_shared<StaticCase>("tied", tied_->equation(), solver(), std::vector<double>{0.5, 1.0}, 0.0, stepping);
    observe(*c, {0, 1}, false);
    return c;
  }
  std::shared_ptr<TransientCase> in_time(TimeScheme::Kind kind) const {
    MarchOptions march;
    march.newton.rtol = 1e-13;
    march.newton.min_iterations = 1;
    auto c = std::make_shared<TransientCase>("tied", tied_->equation(), solver(), TimeScheme(kind, 2), std::vector<double>{0, 0.2, 0.4, 0.6, 0.8}, march);
    observe(*c, {1, 2, 3, 4}, true);
    return c;
  }
  std::vector<DesignEntry> design() const {
    std::vector<DesignEntry> entries;
    for (const int c : designed_) {
      const ControlInfo& info = nodal_->controls()[c];
      const double v = nodal_->control_values()[c][0];
      entries.push_back({{info.name, VariableTransform(VariableTransform::Kind::linear, 0.8 * std::abs(v)), v, info.lower, info.upper}, {{0, c}}});
    }
    return entries;
  }
  MPI_Comm comm() const { return dofs_->comm(); }

 private:
  int number(const std::string& name, double v) {
    designed_.push_back(nodal_->add_control({name + "." + std::to_string(designed_.size()), "", ControlLayout::number, -INFINITY, INFINITY}, {v}));
    return designed_.back();
  }
  PetscInt unknown(const std::string& name) { return dofs_->n_global() + (names_[name] = mechanism_->add_unknown(name)); }
  /// Held at a number times t.
  PetscInt held(const std::string& name, int control) {
    const PetscInt u = unknown(name);
    mechanism_->hold(names_[name], {control, [](double t) { return t; }});
    return u;
  }
  void add_plate(std::vector<LinearConstraint>& out) {
    const RegionNodes top = gather_region(*dofs_, "top"), right = gather_region(*dofs_, "right");
    tie_motion(top, {1, unknown("lift"), {unknown("slope")}}, 0, out);
    tie_motion(top, {0, held("shift", given_[0]), {}}, 1, out);
    tie_mean(right, 1, held("mean", given_[1]), 2, out);
  }
  void add_cell(std::vector<LinearConstraint>& out) {
    std::vector<MeanGradient> gradients{{0, {held("xx", given_[0]), held("xy", given_[1])}}, {1, {held("yx", given_[2]), unknown("yy")}}};
    tie_periodic(gather_region(*dofs_, "left"), gather_region(*dofs_, "right"), gradients, 0, out);
    tie_periodic(gather_region(*dofs_, "bottom"), gather_region(*dofs_, "top"), gradients, 0, out);
    for (int i = 0; i < 2; ++i) tie_mean(gather_region(*dofs_, "bottom"), i, held("still." + std::to_string(i), given_[3]), 1 + i, out);
  }
  std::shared_ptr<LinearSolver> solver() const {
    LinearSolverOptions linear;
    linear.method = "mumps";
    linear.rtol = 1e-14;
    return std::make_shared<LinearSolver>(comm(), linear);
  }
  /// Every number of the mechanism, the force that holds it where one does, and the displacement of a point, against data that
  /// are a little off.
  template <class C>
  void observe(C& c, const std::vector<int>& steps, bool moves) const {
    std::vector<std::shared_ptr<Observable>> all;
    for (const auto& [name, u] : names_) {
      all.push_back(tied_->value_of(u, moves ? Level::rate : Level::value));
      if (auto force = tied_->force_of(u)) all.push_back(std::move(force));
    }
    std::vector<double> distance;
    all.push_back(tied_->observed(make_point_samples(dofs_, {{{0.7, 0.6}, 0}, {{0.7, 0.6}, 1}}, distance)));
    for (std::size_t k = 0; k < all.size(); ++k) {
      DataSet set;
      set.name = "y" + std::to_string(k);
      set.observable = all[k];
      set.steps = steps;
      for (std::size_t i = 0; i < steps.size() * all[k]->size(); ++i) set.target.push_back(0.05 + 0.01 * double(i)), set.noise.push_back(0.4);
      c.terms().push_back({set.name, set.observable, set.steps, 0.3});
      c.data().push_back(std::move(set));
    }
  }

  std::shared_ptr<const DofMap> dofs_;
  std::shared_ptr<FormResidual> nodal_;
  std::shared_ptr<const Material> material_;
  std::shared_ptr<Mechanism> mechanism_;
  std::shared_ptr<TiedEquation> tied_;
  std::vector<int> designed_;
  std::array<int, 4> given_{};  // numbers that ties read
  std::map<std::string, int> names_;
};

template <class C>
CaseFunctional functional_of(const TiedBody& body, const std::shared_ptr<C>& c) {
  return CaseFunctional({c}, {std::make_shared<NumberDesign>(body.design())}, body.comm());
}

constexpr CellType tied_quads{Shape::quadrilateral, 2}, tied_triangles{Shape::triangle, 2};

// Adjoint against tangent, Taylor orders, Hessian, and the whole way by differences. On several ranks every kind of tie and of cell
// once.
TEST(Tied, IsExactOverLoadSteps) {
  for (const bool plate : {true, false})
    for (const CellType cell : {tied_quads, tied_triangles}) {
      if (rank_count() > 1 && (cell.shape == Shape::triangle) == plate) continue;
      const TiedBody body(plate, cell, false, PETSC_COMM_WORLD);
      CaseFunctional f = functional_of(body, body.at_rest());
      const DesignVector theta = probed(f);
      check_adjoint_against_tangent(f, theta);
      check_taylor(f, theta);
      check_hessian(f, theta);
      if (rank_count() == 1) check_differences(f, theta);
    }
}

TEST(Tied, IsExactInTime) {
  for (const bool plate : {true, false})
    for (const auto kind : {TimeScheme::Kind::bdf2, TimeScheme::Kind::generalised_alpha}) {
      if (rank_count() > 1 && (kind == TimeScheme::Kind::bdf2) == plate) continue;
      const TiedBody body(plate, tied_quads, true, PETSC_COMM_WORLD);
      CaseFunctional f = functional_of(body, body.in_time(kind));
      const DesignVector theta = probed(f);
      check_adjoint_against_tangent(f, theta);
      check_taylor(f, theta, 0.01);
    }
}

TEST(Tied, RanksAgree) {
  if (rank_count() == 1) GTEST_SKIP() << "on several ranks";
  for (const bool plate : {true, false}) {
    const TiedBody together(plate, tied_triangles, false, PETSC_COMM_WORLD), alone(plate, tied_triangles, false, PETSC_COMM_SELF);
    CaseFunctional f = functional_of(together, together.at_rest()), g = functional_of(alone, alone.at_rest());
    DesignVector here, there;
    const Evaluation a = f.gradient(f.start(), here), b = g.gradient(g.start(), there);
    ASSERT_TRUE(a.ok && b.ok) << a.reason << b.reason;
    EXPECT_NEAR(a.value, b.value, 1e-10 * std::abs(b.value));
    expect_near(here.shared, there.shared, plate ? "plate" : "cell");
  }
}

}  // namespace
}  // namespace invar::gradient_test
