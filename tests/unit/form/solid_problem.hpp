#pragma once
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_fields.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar::test {

using Field = std::function<double(const double* x)>;
using VectorField = std::function<double(int component, const double* x)>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct SolidOptions {
  bool mixed = false;
  MPI_Comm comm = PETSC_COMM_WORLD;
};

/// A solid put together in a few lines, on a serial mesh that is parted among the ranks. The order of
/// the space is the mesh's.
class SolidProblem {
 public:
  SolidProblem(const Mesh& serial, SolidKind kind, SolidOptions options = {})
      : kind_(kind), mixed_(options.mixed), order_(serial.cells[0].type.order),
        mesh_(std::make_shared<const Mesh>(distribute(serial, options.comm))) {
    std::vector<Component> components(dim(), {"u", order_});
    if (mixed_) components.push_back({"p", 1});
    dofs_ = std::make_shared<const DofMap>(mesh_, components, options.comm);
    residual_ = std::make_shared<FormResidual>(dofs_);
  }

  /// `parameters`: the law's, then κ where mixed.
  void material(std::string name, const std::vector<double>& parameters, const std::string& region = "") {
    MaterialChoice choice{name, mixed_ ? Formulation::isochoric : Formulation::compressible,
                          kind_ == SolidKind::plane_stress, 1};
    const std::shared_ptr<const Material> law = laws_.emplace_back(make_material(choice));
    SolidFields::Body body{region, law.get(), {}, nullptr};
    choice.plane_stress = false;
    if (kind_ == SolidKind::plane_stress) {
      laws_.push_back(make_material(choice));
      body.solid = laws_.back().get();
    }
    std::vector<ControlledValue> values;
    for (double p : parameters) {
      values.push_back(number(p));
      body.parameters.push_back(Coefficient::constant(p));
    }
    CellBatches cells = CellBatches::on_cells(dofs_, region, degree());
    residual_->add_form(mixed_ ? make_mixed_form(kind_, law, std::move(cells))
                               : make_displacement_form(kind_, law, std::move(cells)), values);
    bodies_.push_back(std::move(body));
  }
  void body_force(const VectorField& f) {
    residual_->add_form(make_body_force(kind_, CellBatches::on_cells(dofs_, "", 2 * order_)), fields(f));
  }
  void traction(const std::string& region, const VectorField& t) {
    residual_->add_form(make_traction(kind_, facets(region)), fields(t));
  }
  void traction(const std::string& region, const std::vector<double>& t) {
    residual_->add_form(make_traction(kind_, facets(region)), numbers(t));
  }
  void pressure(const std::string& region, double p) {
    residual_->add_form(make_follower_pressure(kind_, facets(region)), numbers({p}));
  }
  void foundation(const std::string& region, const std::vector<double>& k) {
    residual_->add_form(make_elastic_foundation(kind_, facets(region)), numbers(k));
  }
  void hold(const std::string& region, int component, const Field& value = [](const double*) { return 0.0; }) {
    residual_->add_dirichlet({region, component, field(value)});
  }
  void hold(const std::vector<std::string>& regions, const VectorField& u) {
    for (const std::string& region : regions)
      for (int i = 0; i < dim(); ++i) hold(region, i, [=](const double* x) { return u(i, x); });
  }
  /// Everything grows with the load parameter up to 1.
  void finish() { residual_->finish(); }

  /// Solves in `steps` steps of the prescribed displacements and space-dependent loads. Throws where
  /// that fails, on every rank.
  Vec solve(int steps = 1) {
    finish();
    LoadSteppingOptions options;
    options.newton.rtol = 1e-14;  // as far as round-off lets it
    std::vector<double> times;
    for (int k = 1; k <= steps; ++k) times.push_back(double(k) / steps);
    case_ = std::make_unique<StaticCase>("test", residual_, std::make_shared<LinearSolver>(dofs_->comm()), times, 0.0,
                                         options);
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
  SolidFields fields_of(Vec u) const {
    const LocalArray local(u);
    return SolidFields::evaluate(dofs_, local.data(), dofs_->mesh().coordinates.data(), kind_, mixed_, bodies_);
  }

  int dim() const { return mesh_->dim; }
  const Mesh& mesh() const { return *mesh_; }
  const std::shared_ptr<const DofMap>& dofs() const { return dofs_; }
  const std::shared_ptr<FormResidual>& residual() const { return residual_; }
  const double* position(int node) const { return &mesh_->coordinates[std::size_t(node) * dim()]; }

  /// What the application integrates solids with.
  int degree() const {
    bool tensor = false;
    for (const CellBlock& b : mesh_->cells)
      tensor |= b.type.shape == Shape::quadrilateral || b.type.shape == Shape::hexahedron;
    return (order_ == 2 ? 4 : tensor ? 2 : 1) + (kind_ == SolidKind::axisymmetric ? 1 : 0);
  }

 private:
  CellBatches facets(const std::string& region) const {
    return CellBatches::on_facets(dofs_, region, 2 * order_ + (kind_ == SolidKind::axisymmetric ? 1 : 0));
  }
  ControlledValue number(double v) { return {residual_->add_control({"number", ""}, {v}), {}}; }
  ControlledValue field(const Field& f) {
    return {residual_->add_control({"field", ""}, {1.0}),
            [f](const double* x, double t) { return t * f(x); }, true, true};
  }
  std::vector<ControlledValue> numbers(const std::vector<double>& v) {
    std::vector<ControlledValue> out;
    for (double x : v) {
      ControlledValue value = number(x);
      value.shape = [](const double*, double t) { return t; };
      value.varies_in_time = true;
      out.push_back(value);
    }
    return out;
  }
  std::vector<ControlledValue> fields(const VectorField& f) {
    std::vector<ControlledValue> out;
    for (int i = 0; i < dim(); ++i) out.push_back(field([f, i](const double* x) { return f(i, x); }));
    return out;
  }

  SolidKind kind_;
  bool mixed_;
  int order_;
  std::shared_ptr<const Mesh> mesh_;
  std::shared_ptr<const DofMap> dofs_;
  std::shared_ptr<FormResidual> residual_;
  std::vector<std::shared_ptr<const Material>> laws_;
  std::vector<SolidFields::Body> bodies_;
  std::unique_ptr<StaticCase> case_;
};

}  // namespace invar::test
