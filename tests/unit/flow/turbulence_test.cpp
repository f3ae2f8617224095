// Spalart–Allmaras turbulence against manufactured solutions, and the start that its pseudo-time gives.
#include <gtest/gtest.h>

#include "libfluid/turbulence/spalart_allmaras_terms.hpp"
#include "libfluid/turbulence/turbulence_forms.hpp"
#include "tests/unit/flow/flow_problem.hpp"
#include "tests/unit/flow/manufactured_turbulence.hpp"

namespace invar {
namespace {

using test::ManufacturedTurbulence;

/// [0.3, 1.3] × [0, 1] (× [0, 1]) with cells bent inside.
Mesh block(Shape shape, int n) {
  const int dim = dimension_of(shape);
  const Mesh mesh = dim == 2 ? make_rectangle(0, 0, 1, 1, n, n, shape, 1) : make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, shape, 1);
  return test::warped(mesh, [dim](double* x) {
    double bump = 1;
    for (int i = 0; i < dim; ++i) bump *= std::sin(std::numbers::pi * x[i]);
    for (int i = 0; i < dim; ++i) x[i] += (0.06 - 0.04 * i) * bump;
    x[0] += 0.3;
  });
}

/// The problem whose solution is the manufactured one: u, p, χ held on all sides but the right, where a traction acts.
class TurbulentProblem {
 public:
  TurbulentProblem(const Mesh& serial, const ManufacturedTurbulence& exact, double capturing)
      : exact_(exact), mesh_(std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD))), dim_(mesh_->dim) {
    dofs_ = std::make_shared<const DofMap>(mesh_, std::vector<Component>(dim_ + 2, {"u", 1}), PETSC_COMM_WORLD);
    residual_ = std::make_shared<FormResidual>(dofs_);
    const FlowModel model{.law = make_viscosity_law("newtonian"), .stress_form = true, .turbulent = true};
    const ControlledValue density = number(exact.density), viscosity = number(exact.viscosity);
    std::vector<ControlledValue> momentum{density, viscosity}, constants;
    for (int i = 0; i < dim_; ++i) momentum.push_back(field([=](const double* x) { return exact.force(i, x); }));
    momentum.push_back(number(exact.resistance));
    for (const ParamSpec& p : SpalartAllmarasConstants::parameters) constants.push_back(number(*p.default_value));
    momentum.push_back(constants[SpalartAllmarasConstants::cv1]);
    const int degree = flow_degree(exact.kind, FlowDiscretisation::equal_order, model, mesh_->cells[0].type.shape) + 2;
    residual_->add_form(make_navier_stokes(exact.kind, FlowDiscretisation::equal_order, model, CellBatches::on_cells(dofs_, "", degree)), momentum);
    std::vector<ControlledValue> transport{density, viscosity, field(ManufacturedTurbulence::distance), number(1)};
    transport.insert(transport.end(), constants.begin(), constants.end());
    transport.push_back(field([=](const double* x) { return exact.source(x); }));
    residual_->add_form(make_spalart_allmaras(exact.kind, capturing, CellBatches::on_cells(dofs_, "", degree)), transport);
    std::vector<ControlledValue> traction;
    for (int i = 0; i < dim_; ++i) traction.push_back(field([=](const double* x) { return exact.traction(i, x); }));
    residual_->add_form(make_flow_traction(exact.kind, CellBatches::on_facets(dofs_, "right", 6)), traction);
    for (const std::string& side : test::sides(dim_))
      for (int c = 0; c < dim_ + 2; ++c)
        if (c != dim_ && (side != "right" || c > dim_))
          residual_->add_dirichlet({side, c, field([=](const double* x) { return exact.value(c, x); })});
    residual_->finish();
  }

  /// ‖u − u_h‖, ‖p − p_h‖, ‖χ − χ_h‖
  std::array<double, 3> errors() {
    StaticCase process("turbulent", residual_, std::make_shared<LinearSolver>(dofs_->comm()), {1.0}, 0.0, {});
    // From the interpolated solution: what is tested is where Newton's method ends.
    process.guess = [&](const Controls&, double, Vec u, const std::shared_ptr<SolveMonitor>&) {
      double* a = nullptr;
      check(VecGetArray(u, &a));
      for (int n = 0; n < mesh_->n_owned_nodes; ++n)
        for (int c = 0; c < dim_ + 2; ++c) a[dofs_->dof(n, c)] = exact_.value(c, &mesh_->coordinates[std::size_t(n) * dim_]);
      check(VecRestoreArray(u, &a));
      return true;
    };
    const ProcessReport report = process.run(residual_->control_values());
    if (!report.ok) throw std::runtime_error(report.reason);
    const auto value = [&](int c, const double* x) { return exact_.value(c, x); };
    const auto norm = [&](int first, int last) {
      return test::error_norms(*dofs_, process.state(0), first, last, value, [](auto...) { return 0.0; }).l2;
    };
    return {norm(0, dim_), norm(dim_, dim_ + 1), norm(dim_ + 1, dim_ + 2)};
  }

 private:
  ControlledValue number(double v) { return {residual_->add_control({"number", ""}, {v}), {}}; }
  ControlledValue field(std::function<double(const double*)> f) {
    return {residual_->add_control({"field", ""}, {1.0}), [f](const double* x, double) { return f(x); }, true, false};
  }

  ManufacturedTurbulence exact_;
  std::shared_ptr<const Mesh> mesh_;
  int dim_;
  std::shared_ptr<const DofMap> dofs_;
  std::shared_ptr<FormResidual> residual_;
};

void expect_second_order(FlowKind kind, Shape shape, int n, double capturing = 0) {
  for (const bool both : {false, true}) {
    const ManufacturedTurbulence exact{kind, both};
    const auto coarse = TurbulentProblem(block(shape, n), exact, capturing).errors();
    const auto fine = TurbulentProblem(block(shape, 2 * n), exact, capturing).errors();
    const auto order = [&](int k) { return std::log2(coarse[k] / fine[k]); };
    SCOPED_TRACE(std::string(name_of(shape)) + (both ? ", both branches" : ", positive"));
    EXPECT_GT(order(0), 1.9);
    EXPECT_GT(order(1), 1.4);
    EXPECT_GT(order(2), 1.9);
  }
}

TEST(SpalartAllmaras, ConvergesInThePlane) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) expect_second_order(FlowKind::planar, shape, 24);
}
TEST(SpalartAllmaras, ConvergesAroundAnAxis) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) expect_second_order(FlowKind::axisymmetric, shape, 24);
}
TEST(SpalartAllmaras, ConvergesInSpace) { expect_second_order(FlowKind::spatial, Shape::hexahedron, 6); }
TEST(SpalartAllmaras, CapturingDiscontinuitiesCostsNoOrder) { expect_second_order(FlowKind::planar, Shape::triangle, 24, 0.5); }

}  // namespace
}  // namespace invar
