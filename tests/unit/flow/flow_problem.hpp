#pragma once
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "tests/unit/form/field_error.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar::test {

using Field = std::function<double(const double* x)>;
using VectorField = std::function<double(int component, const double* x)>;

/// A fluid and how it is discretised.
struct FlowOptions {
  FlowKind kind = FlowKind::planar;
  FlowDiscretisation discretisation = FlowDiscretisation::taylor_hood;
  std::string law = "newtonian";
  std::vector<double> parameters{1, 1};  // density, then the law's
  bool convection = true;
  bool stress_form = false;
  double grad_div = 0;
  double resistance = 0;
  VectorField force = [](int, const double*) { return 0.0; };
  MPI_Comm comm = PETSC_COMM_WORLD;

  FlowModel model() const { return {make_viscosity_law(law), convection, stress_form, grad_div}; }
};

/// A flow put together in a few lines, on a serial mesh that is parted among the ranks. Boundary data
/// and the body force grow with the time up to 1.
class FlowProblem {
 public:
  FlowProblem(const Mesh& serial, const FlowOptions& o)
      : o_(o), mesh_(std::make_shared<const Mesh>(distribute(serial, o.comm))) {
    std::vector<Component> components(dim(), {"u", serial.cells[0].type.order});
    components.push_back({"p", 1});
    if (o.discretisation == FlowDiscretisation::equal_order) components.assign(dim() + 1, {"u", 1});
    dofs_ = std::make_shared<const DofMap>(mesh_, components, o.comm);
    residual_ = std::make_shared<FormResidual>(dofs_);
    std::vector<ControlledValue> values;
    for (double p : o.parameters) values.push_back(number(p));
    for (const ControlledValue& f : fields(o.force)) values.push_back(f);
    values.push_back(number(o.resistance));
    const CellBatches cells = CellBatches::on_cells(dofs_, "", degree());
    const bool stabilised = o.discretisation == FlowDiscretisation::equal_order;
    for (CellBatches& part : stabilised ? split_by_shape(cells) : std::vector<CellBatches>{cells})
      residual_->add_form(make_navier_stokes(o.kind, o.discretisation, o.model(), std::move(part)), values);
  }

  void outlet(const std::string& region, double p) {
    residual_->add_form(make_pressure_outlet(o_.kind, facets(region)), {ramped(p)});
  }
  void traction(const std::string& region, const VectorField& t) {
    residual_->add_form(make_flow_traction(o_.kind, facets(region)), fields(t));
  }
  void slip(const std::string& region, double penalty, double friction) {
    residual_->add_form(make_slip_penalty(o_.kind, facets(region)), {number(penalty), number(friction)});
  }
  void backflow(const std::string& region, double density, double beta) {
    residual_->add_form(make_backflow_stabilisation(o_.kind, facets(region)), {number(density), number(beta)});
  }
  void hold(const std::string& region, int component, const Field& value = [](const double*) { return 0.0; }) {
    residual_->add_dirichlet({region, component, field(value)});
  }
  void hold(const std::vector<std::string>& regions, const VectorField& u) {
    for (const std::string& region : regions)
      for (int i = 0; i < dim(); ++i) hold(region, i, [=](const double* x) { return u(i, x); });
  }

  /// Throws where the solve fails, on every rank.
  Vec solve(int steps = 1) {
    residual_->finish();
    LoadSteppingOptions options;
    options.newton.rtol = 1e-13;
    std::vector<double> times;
    for (int k = 1; k <= steps; ++k) times.push_back(double(k) / steps);
    auto solver = std::make_shared<LinearSolver>(dofs_->comm());
    case_ = std::make_unique<StaticCase>("test", residual_, std::move(solver), times, 0.0, options);
    const ProcessReport report = case_->run(residual_->control_values());
    if (!report.ok) throw std::runtime_error(report.reason);
    return case_->state(steps - 1);
  }


  VecHandle interpolate(const VectorField& f) const {
    VecHandle u = dofs_->create_vector();
    double* a = nullptr;
    check(VecGetArray(u, &a));
    for (int n = 0; n < mesh_->n_owned_nodes; ++n)
      for (int c = 0; c < dofs_->dof_count(n); ++c) a[dofs_->dof(n, c)] = f(c, position(n));
    check(VecRestoreArray(u, &a));
    return u;
  }
  /// Largest |u_c − f(c, x)| over all nodes of all ranks, components first … last − 1.
  double largest_error(Vec u, const VectorField& f, int first, int last) const {
    double worst = 0;
    {
      const LocalArray local(u);
      for (int n = 0; n < mesh_->n_owned_nodes; ++n)
        for (int c = first; c < last; ++c)
          if (const int dof = dofs_->dof(n, c); dof >= 0)
            worst = std::max(worst, std::abs(local.data()[dof] - f(c, position(n))));
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, dofs_->comm());
    return worst;
  }
  /// ∫ over this form's cells or facets at the state u; the form's coefficients are all constant.
  double integral(WeakForm& form, Vec u, const std::vector<double>& coefficients = {}) const {
    for (std::size_t k = 0; k < coefficients.size(); ++k)
      form.coefficients()[k] = Coefficient::constant(coefficients[k]);
    const LocalArray local(u);
    return sum_over_ranks(form.value({local.data(), mesh_->coordinates.data()}), dofs_->comm());
  }

  CellBatches cells(int degree) const { return CellBatches::on_cells(dofs_, "", degree); }
  CellBatches facets(const std::string& region) const { return CellBatches::on_facets(dofs_, region, 6); }
  int dim() const { return mesh_->dim; }
  int degree() const { return flow_degree(o_.kind, o_.discretisation, o_.model(), mesh_->cells[0].type.shape); }
  const Mesh& mesh() const { return *mesh_; }
  const std::shared_ptr<const DofMap>& dofs() const { return dofs_; }
  const std::shared_ptr<FormResidual>& residual() const { return residual_; }
  const double* position(int node) const { return &mesh_->coordinates[std::size_t(node) * dim()]; }

 private:
  ControlledValue number(double v) { return {residual_->add_control({"number", ""}, {v}), {}}; }
  ControlledValue ramped(double v) {
    ControlledValue value = number(v);
    value.shape = [](const double*, double t) { return t; };
    value.varies_in_time = true;
    return value;
  }
  ControlledValue field(const Field& f) {
    return {residual_->add_control({"field", ""}, {1.0}),
            [f](const double* x, double t) { return t * f(x); }, true, true};
  }
  std::vector<ControlledValue> fields(const VectorField& f) {
    std::vector<ControlledValue> out;
    for (int i = 0; i < dim(); ++i) out.push_back(field([f, i](const double* x) { return f(i, x); }));
    return out;
  }

  FlowOptions o_;
  std::shared_ptr<const Mesh> mesh_;
  std::shared_ptr<const DofMap> dofs_;
  std::shared_ptr<FormResidual> residual_;
  std::unique_ptr<StaticCase> case_;
};

}  // namespace invar::test
