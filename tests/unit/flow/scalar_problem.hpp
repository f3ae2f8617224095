#pragma once
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "libadjoint/static_case.hpp"
#include "libadjoint/time/transient_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/objective/mixing_norm.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/passive_scalar_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar::test {

/// Taylor–Hood flow of density 1 that carries a scalar, put together in a few lines.
class ScalarProblem {
 public:
  using Datum = std::function<double(const double* x, double t)>;

  ScalarProblem(const Mesh& serial, FlowKind kind, ScalarTransport transport, double viscosity, double diffusivity,
                double source = 0)
      : kind_(kind), mesh_(std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD))) {
    std::vector<Component> components(dim(), {"u", 2});
    components.insert(components.end(), {{"p", 1}, {"c", 1}});
    dofs_ = std::make_shared<const DofMap>(mesh_, components, PETSC_COMM_WORLD);
    residual_ = std::make_shared<FormResidual>(dofs_);
    const bool linearised = transport == ScalarTransport::linearised, steady = transport == ScalarTransport::steady;
    const FlowModel model{make_viscosity_law("newtonian"), !linearised, false};
    const ControlledValue density = number(1), zero = number(0);
    std::vector<ControlledValue> values{density, number(viscosity)};
    values.resize(values.size() + dim() + 1, zero);
    residual_->add_form(make_navier_stokes(kind, FlowDiscretisation::taylor_hood, model, cells()), values);
    if (!steady) residual_->add_form(make_flow_inertia(kind, cells()), {density});
    if (linearised) residual_->add_form(make_linearised_convection(kind, cells()), {density});
    residual_->add_form(make_passive_scalar(kind, transport, cells()), {number(diffusivity), number(source)});
    residual_->set_algebraic({dim()});
  }

  void hold(const std::string& region, int component, const Datum& value = [](const double*, double) { return 0.0; }) {
    residual_->add_dirichlet({region, component, datum(value)});
  }
  void begin(int component, const Datum& value) { residual_->add_initial({Level::value, "", component, datum(value)}); }

  /// The steady state. Throws where the solve fails.
  Vec solve() {
    residual_->finish();
    LoadSteppingOptions options;
    options.newton.rtol = 1e-13;
    case_ = std::make_shared<StaticCase>("scalar", residual_, solver(), std::vector{1.0}, 0.0, options);
    run();
    return static_cast<StaticCase&>(*case_).state(0);
  }
  /// Through time; `visit` sees the state at the end of every step, the initial one included.
  void march(TimeScheme::Kind scheme, double end, int steps, const std::function<void(int step, const State&)>& visit) {
    residual_->finish();
    std::vector<double> times;
    for (int k = 0; k <= steps; ++k) times.push_back(end * k / steps);
    MarchOptions options;
    options.newton.rtol = 1e-12;
    options.newton.min_iterations = 1;
    case_ = std::make_shared<TransientCase>("scalar", residual_, solver(), TimeScheme(scheme, 1), times, options);
    run();
    for (int k = 0; k <= steps; ++k) case_->with_state(k, [&](const State& u) { visit(k, u); });
  }

  /// Root of the mean square over the mesh of c − exact.
  double error(Vec u, const std::function<double(const double*)>& exact) const {
    std::vector<double> target;
    const auto samples = make_field_samples(dofs_, "", dim(), 7, {scalar()},
                                            [&](int, const double* x) { return exact(x); }, target);
    std::vector<double> y(target.size());
    samples->evaluate(at_full_load(*residual_, u), y.data());
    double squares = 0;
    for (std::size_t i = 0; i < y.size(); ++i) squares += (y[i] - target[i]) * (y[i] - target[i]);
    return std::sqrt(squares);  // every rank has all the samples
  }
  double integral(WeakForm& form, const State& u) const {
    const LocalArray local(u);
    double value = form.value({local.data(), mesh_->coordinates.data()});
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, dofs_->comm());
    return value;
  }
  double mixing_norm(double length, const State& u) const {
    MixingNorm norm(residual_, scalar(), "", length, kind_ == FlowKind::axisymmetric);
    double y = 0;
    norm.evaluate(test::at_full_load(*residual_, u), &y);
    return y;
  }
  /// c at the vertices of this rank.
  void visit_scalar(Vec u, const std::function<void(const double* x, double c)>& visit) const {
    const LocalArray local(u);
    for (int n = 0; n < mesh_->n_owned_nodes; ++n)
      if (const int dof = dofs_->dof(n, scalar()); dof >= 0)
        visit(&mesh_->coordinates[std::size_t(n) * dim()], local.data()[dof]);
  }

  CellBatches cells() const { return CellBatches::on_cells(dofs_, "", 6); }
  CellBatches facets(const std::string& region) const { return CellBatches::on_facets(dofs_, region, 8); }
  int dim() const { return mesh_->dim; }
  int scalar() const { return dim() + 1; }
  const std::shared_ptr<FormResidual>& residual() const { return residual_; }
  const DofMap& dofs() const { return *dofs_; }

 private:
  ControlledValue number(double v) { return {residual_->add_control({"", ""}, {v}), {}}; }
  ControlledValue datum(const Datum& f) { return {residual_->add_control({"", ""}, {1.0}), f, true, true}; }
  std::shared_ptr<LinearSolver> solver() const {
    return std::make_shared<LinearSolver>(dofs_->comm(), LinearSolverOptions{.rtol = 1e-14, .umfpack_up_to = 100'000});
  }
  void run() {
    const ProcessReport report = case_->run(residual_->control_values());
    if (!report.ok) throw std::runtime_error(report.reason);
  }

  FlowKind kind_;
  std::shared_ptr<const Mesh> mesh_;
  std::shared_ptr<const DofMap> dofs_;
  std::shared_ptr<FormResidual> residual_;
  std::shared_ptr<Case> case_;
};

}  // namespace invar::test
