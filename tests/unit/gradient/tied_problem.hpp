#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/static_case.hpp"
#include "libadjoint/time/transient_case.hpp"
#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/tied_equation.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"

namespace invar::gradient_test {

/// An equation whose nodes follow the unknowns of a mechanism. All numbers are designed.
class TiedProblem {
 public:
  std::shared_ptr<StaticCase> at_rest() const {
    LoadSteppingOptions stepping;
    stepping.newton.rtol = 1e-13;
    auto c = std::make_shared<StaticCase>("tied", tied_->equation(), solver(), std::vector<double>{0.5, 1.0}, 0.0, stepping);
    observe(*c, {0, 1}, false);
    return c;
  }
  /// In equal steps, four or a multiple of it. slots: states for which there is memory; 0: for all.
  std::shared_ptr<TransientCase> in_time(TimeScheme::Kind kind, int steps = 4, int slots = 0) const {
    MarchOptions march;
    march.newton.rtol = 1e-13;
    march.newton.min_iterations = 1;
    const TimeScheme scheme(kind, time_order_);
    if (slots > 0) {
      PetscInt here = 0, most = 0;
      check(VecGetLocalSize(tied_->equation()->create_vector(), &here));
      MPI_Allreduce(&here, &most, 1, MPIU_INT, MPI_MAX, comm());
      march.storage.ram_bytes = std::size_t(slots) * ((scheme.history_size() + (scheme.stages() > 1)) * most + 1) * sizeof(double);
    }
    std::vector<double> times;
    for (int k = 0; k <= steps; ++k) times.push_back(0.8 * k / steps);
    auto c = std::make_shared<TransientCase>("tied", tied_->equation(), solver(), scheme, times, march);
    observe(*c, {steps / 4, steps / 2, 3 * steps / 4, steps}, true);
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

 protected:
  TiedProblem(const Mesh& serial, std::vector<Component> components, int time_order, MPI_Comm comm) : time_order_(time_order) {
    dofs_ = std::make_shared<const DofMap>(std::make_shared<const Mesh>(distribute(serial, comm)), std::move(components), comm);
    nodal_ = std::make_shared<FormResidual>(dofs_);
  }
  /// After the boundary conditions.
  void begin() {
    nodal_->finish();
    mechanism_ = std::make_shared<Mechanism>(nodal_);
  }
  /// After all unknowns that constraints name.
  void tie(const std::vector<LinearConstraint>& constraints) {
    tied_ = std::make_shared<TiedEquation>(nodal_, mechanism_);
    solved_ = tied_->solve(constraints);
    EXPECT_TRUE(solved_.contradicted.empty());
  }

  int number(const std::string& name, double v) {
    designed_.push_back(nodal_->add_control({name + "." + std::to_string(designed_.size()), "", ControlLayout::number, -INFINITY, INFINITY}, {v}));
    return designed_.back();
  }
  PetscInt first() const { return dofs_->n_global(); }
  /// Of the supports of `supported_`, along a direction.
  std::shared_ptr<Observable> support_force(std::vector<double> direction) const {
    direction.resize(dofs_->mesh().dim);
    std::shared_ptr<Reaction> force = Reaction::force(nodal_, supported_, direction);
    std::vector<VecHandle> supports;
    supports.push_back(force->motion(1));
    return tied_->observed(std::move(force), supports);
  }

  std::shared_ptr<const DofMap> dofs_;
  std::shared_ptr<FormResidual> nodal_;
  std::shared_ptr<Mechanism> mechanism_;
  std::shared_ptr<TiedEquation> tied_;
  Elimination solved_;
  std::map<std::string, int> names_;  // unknowns of the mechanism that are observed
  std::set<int> multipliers_;         // they have no rate
  std::string supported_;             // region of which the force of supports is observed; empty: none

 private:
  std::shared_ptr<LinearSolver> solver() const {
    LinearSolverOptions linear;
    linear.method = "mumps";
    linear.rtol = 1e-14;
    return std::make_shared<LinearSolver>(comm(), linear);
  }
  /// Every number of the mechanism, the force that holds it where one does, that of supports, and the displacement of a point, against data
  /// that are a little off.
  template <class C>
  void observe(C& c, const std::vector<int>& steps, bool moves) const {
    std::vector<std::shared_ptr<Observable>> all;
    for (const auto& [name, u] : names_) {
      all.push_back(tied_->value_of(u, moves && !multipliers_.contains(u) ? Level::rate : Level::value));
      if (auto force = multipliers_.contains(u) ? nullptr : tied_->force_of(u)) all.push_back(std::move(force));
    }
    if (!supported_.empty()) all.push_back(support_force({1, 0.5, 0.7}));
    std::vector<double> distance;
    std::vector<double> place{0.7, 0.6, 0.4};
    place.resize(dofs_->mesh().dim);
    all.push_back(tied_->observed(make_point_samples(dofs_, {{place, 0}, {place, 1}}, distance)));
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

  int time_order_;
  std::vector<int> designed_;
};

/// A body of rubber, stiffer on one side.
class TiedSolid : public TiedProblem {
 protected:
  TiedSolid(const Mesh& serial, bool moves, MPI_Comm comm) : TiedProblem(serial, displacements(serial), 2, comm) {
    supported_ = "bottom";
    const SolidKind kind = serial.dim == 3 ? SolidKind::spatial : SolidKind::plane_strain;
    const auto cells = [&] { return CellBatches::on_cells(dofs_, "", 4); };
    const ControlledValue young{number("young", 2), [](const double* x, double) { return 1 + 0.8 * x[0] + 0.3 * x[1] * x[0]; }, true, false};
    nodal_->add_form(make_displacement_form(kind, make_material({.name = "neo_hookean"}), cells()), {young, {number("poisson", 0.3), {}}});
    if (moves) nodal_->add_form(make_inertia(kind, cells()), {{number("density", 0.02), {}}});
  }

 private:
  static std::vector<Component> displacements(const Mesh& mesh) {
    std::vector<Component> components;
    for (int i = 0; i < mesh.dim; ++i) components.push_back({std::string("u_") + "xyz"[i], mesh.cells[0].type.order});
    return components;
  }
};

template <class C>
CaseFunctional functional_of(const TiedProblem& body, const std::shared_ptr<C>& c) {
  return CaseFunctional({c}, {std::make_shared<NumberDesign>(body.design())}, body.comm());
}

/// The same problem on all ranks and on each alone: value and derivatives by numbers.
inline void expect_ranks_agree(CaseFunctional together, CaseFunctional alone, const char* what) {
  DesignVector here, there;
  const Evaluation a = together.gradient(together.start(), here), b = alone.gradient(alone.start(), there);
  ASSERT_TRUE(a.ok && b.ok) << a.reason << b.reason;
  EXPECT_NEAR(a.value, b.value, 1e-10 * std::abs(b.value));
  expect_near(here.shared, there.shared, what);
}

}  // namespace invar::gradient_test
