// Spalart–Allmaras turbulence against manufactured solutions, and the start that its pseudo-time gives.
#include <gtest/gtest.h>

#include "libadjoint/time/transient_case.hpp"
#include "libfem/space/cell_reciprocal.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"
#include "libfluid/turbulence/turbulence_forms.hpp"
#include "tests/unit/flow/flow_problem.hpp"
#include "tests/unit/flow/manufactured_turbulence.hpp"

namespace invar {
namespace {

using test::ManufacturedTurbulence;

/// [0.3, 1.3] × [0, 1] (× [0, 1]) with cells bent inside.
Mesh warped_block(Shape shape, int n) {
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
/// In time it changes, see ManufacturedTurbulence::at.
class TurbulentProblem {
 public:
  TurbulentProblem(const Mesh& serial, const ManufacturedTurbulence& exact, double capturing, bool in_time = false)
      : exact_(exact), in_time_(in_time), mesh_(std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD))), dim_(mesh_->dim) {
    dofs_ = std::make_shared<const DofMap>(mesh_, std::vector<Component>(dim_ + 2, {"u", 1}), PETSC_COMM_WORLD);
    residual_ = std::make_shared<FormResidual>(dofs_);
    const FlowModel model{.law = make_viscosity_law("newtonian"), .stress_form = true, .turbulent = true};
    const ControlledValue density = number(exact.density), viscosity = number(exact.viscosity);
    std::vector<ControlledValue> momentum{density, viscosity}, constants;
    for (int i = 0; i < dim_; ++i) momentum.push_back(field([=](const ManufacturedTurbulence& m, const double* x) { return m.force(i, x); }));
    momentum.push_back(number(exact.resistance));
    for (const ParamSpec& p : SpalartAllmarasConstants::parameters) constants.push_back(number(*p.default_value));
    momentum.push_back(constants[SpalartAllmarasConstants::cv1]);
    const int degree = flow_degree(exact.kind, FlowDiscretisation::equal_order, model, mesh_->cells[0].type.shape) + 2;
    residual_->add_form(make_navier_stokes(exact.kind, FlowDiscretisation::equal_order, model, CellBatches::on_cells(dofs_, "", degree)), momentum);
    std::vector<ControlledValue> transport{density, viscosity, field([](const ManufacturedTurbulence& m, const double* x) { return m.distance(x); }), proximity(), number(1)};
    transport.insert(transport.end(), constants.begin(), constants.end());
    transport.push_back(field([](const ManufacturedTurbulence& m, const double* x) { return m.source(x); }));
    residual_->add_form(make_spalart_allmaras(exact.kind, capturing, in_time, CellBatches::on_cells(dofs_, "", degree)), transport);
    if (in_time) {
      residual_->add_form(make_stabilised_inertia(exact.kind, model, CellBatches::on_cells(dofs_, "", degree)),
                          {density, viscosity, momentum[2 + dim_], momentum.back()});
      residual_->set_algebraic({dim_});
      for (int c = 0; c < dim_ + 2; ++c)
        if (c != dim_) residual_->add_initial({Level::value, "", c, field([=](const ManufacturedTurbulence& m, const double* x) { return m.value(c, x); })});
    }
    std::vector<ControlledValue> traction;
    for (int i = 0; i < dim_; ++i) traction.push_back(field([=](const ManufacturedTurbulence& m, const double* x) { return m.traction(i, x); }));
    residual_->add_form(make_flow_traction(exact.kind, CellBatches::on_facets(dofs_, "right", 6)), traction);
    for (const std::string& side : test::sides(dim_))
      for (int c = 0; c < dim_ + 2; ++c)
        if (c != dim_ && (side != "right" || c > dim_))
          residual_->add_dirichlet({side, c, field([=](const ManufacturedTurbulence& m, const double* x) { return m.value(c, x); })});
    residual_->finish();
  }

  using Errors = std::array<double, 5>;
  /// ‖u − u_h‖, ‖p − p_h‖, ‖χ − χ_h‖, that of p over the points farther than a quarter from all sides, and the share of
  /// the volume in which χ_h is negative
  Errors errors() {
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
    return errors_of(process.state(0), exact_);
  }
  /// The same at the end of a march of equal steps to t = 0.5.
  Errors errors(TimeScheme::Kind scheme, int steps) {
    std::vector<double> times;
    for (int k = 0; k <= steps; ++k) times.push_back(0.5 * k / steps);
    TransientCase process("turbulent", residual_, std::make_shared<LinearSolver>(dofs_->comm()), TimeScheme(scheme, 1), times, {});
    const ProcessReport report = process.run(residual_->control_values());
    if (!report.ok) throw std::runtime_error(report.reason);
    Errors e{};
    process.with_state(steps, [&](const EvaluationPoint& u) { e = errors_of(u, exact_.at(0.5)); });
    return e;
  }

 private:
  using OfSolution = std::function<double(const ManufacturedTurbulence&, const double*)>;
  ControlledValue number(double v) { return {residual_->add_control({"number", ""}, {v}), {}}; }
  /// Means of the reciprocal distance, which does not change in time.
  ControlledValue proximity() {
    std::vector<double> distance;
    for (int n = 0; n < mesh_->node_total(); ++n) distance.push_back(exact_.distance(&mesh_->coordinates[std::size_t(n) * dim_]));
    ControlInfo info{"proximity", ""};
    info.layout = ControlLayout::cells;
    return {residual_->add_control(info, CellReciprocal(mesh_).means(distance.data())), {}};
  }
  ControlledValue field(OfSolution f) {
    const auto at = [f, exact = exact_, in_time = in_time_](const double* x, double t) { return f(in_time ? exact.at(t) : exact, x); };
    return {residual_->add_control({"field", ""}, {1.0}), at, true, in_time_};
  }
  Errors errors_of(Vec u, const ManufacturedTurbulence& exact) const {
    const auto value = [&](int c, const double* x) { return exact.value(c, x); };
    const auto norm = [&](int first, int last) {
      return test::error_norms(*dofs_, u, first, last, value, [](auto...) { return 0.0; }).l2;
    };
    double inside = 0, negative = 0;
    test::for_each_point(*dofs_, u, 7, [&](const test::CellPoint& p, double w) {
      if (p.value[dim_ + 1] < 0) negative += w;
      for (int i = 0; i < dim_; ++i)
        if (std::abs(p.x[i] - (i == 0 ? 0.8 : 0.5)) > 0.25) return;
      inside += w * std::pow(p.value[dim_] - exact.value(dim_, p.x.data()), 2);
    });
    return {norm(0, dim_), norm(dim_, dim_ + 1), norm(dim_ + 1, dim_ + 2), std::sqrt(test::sum_over_ranks(inside, dofs_->comm())),
            test::sum_over_ranks(negative, dofs_->comm())};
  }

  ManufacturedTurbulence exact_;
  bool in_time_;
  std::shared_ptr<const Mesh> mesh_;
  int dim_;
  std::shared_ptr<const DofMap> dofs_;
  std::shared_ptr<FormResidual> residual_;
};

// The pressure of equal order has an error of O(h) in the cells along the boundary, where the test functions of the continuity equation are
// halved and errors of interpolation no longer cancel: order 3/2 over all (Eichel, Tobiska, Xie, Math. Comp. 80, 2011), 2 inside.
void expect_second_order(FlowKind kind, Shape shape, int n, double capturing = 0, std::initializer_list<bool> branches = {false, true}) {
  for (const bool both : branches) {
    const ManufacturedTurbulence exact{kind, both};
    const auto coarse = TurbulentProblem(warped_block(shape, n), exact, capturing).errors();
    const auto fine = TurbulentProblem(warped_block(shape, 2 * n), exact, capturing).errors();
    const auto order = [&](int k) { return std::log2(coarse[k] / fine[k]); };
    SCOPED_TRACE(std::string(name_of(shape)) + (both ? ", both branches" : ", positive"));
    EXPECT_GT(order(0), 1.9);
    EXPECT_GT(order(1), 1.4);
    EXPECT_GT(order(2), 1.9);
    EXPECT_GT(order(3), 1.9);
    if (both) EXPECT_NEAR(fine[4], 0.5, 0.2);
    else EXPECT_EQ(fine[4], 0);
    if (std::getenv("INVAR_PRINT")) std::printf("%s %d: %.2f %.2f %.2f %.2f, %.2f\n", std::string(name_of(shape)).c_str(), both, order(0), order(1), order(2), order(3), fine[4]);
  }
}

TEST(SpalartAllmaras, ConvergesInThePlane) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) expect_second_order(FlowKind::planar, shape, 24);
}
TEST(SpalartAllmaras, ConvergesAroundAnAxis) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) expect_second_order(FlowKind::axisymmetric, shape, 24);
}
TEST(SpalartAllmaras, ConvergesInSpace) { expect_second_order(FlowKind::spatial, Shape::hexahedron, 8, 0, {true}); }
TEST(SpalartAllmaras, CapturingDiscontinuitiesCostsNoOrder) { expect_second_order(FlowKind::planar, Shape::triangle, 24, 0.5); }

// Mesh and step refined together: if a rate were missing in a stabilisation residual, the order would be one.
TEST(SpalartAllmaras, ConvergesInTime) {
  using Kind = TimeScheme::Kind;
  for (const auto& [kind, scheme] : {std::pair{FlowKind::planar, Kind::bdf2}, {FlowKind::axisymmetric, Kind::sdirk2}, {FlowKind::planar, Kind::generalised_alpha}}) {
    const ManufacturedTurbulence exact{kind, true};
    const double capturing = scheme == Kind::bdf2 ? 0.5 : 0;
    const auto coarse = TurbulentProblem(warped_block(Shape::triangle, 12), exact, capturing, true).errors(scheme, 8);
    const auto fine = TurbulentProblem(warped_block(Shape::triangle, 24), exact, capturing, true).errors(scheme, 16);
    SCOPED_TRACE(static_cast<int>(scheme));
    EXPECT_GT(std::log2(coarse[0] / fine[0]), 1.8);
    EXPECT_GT(std::log2(coarse[2] / fine[2]), 1.8);
  }
}

}  // namespace
}  // namespace invar
