// DFG 2D-1, the steady flow past a cylinder at Re 20 (case F1 of the peers' table): what the solution and
// the gradient of the drag by all node positions cost.
#include <cmath>
#include <cstdio>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/read_gmsh.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfluid/flow/flow_device.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/solve/linear_start.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/on_device.hpp"

using namespace invar;

namespace {

// FeatFlow: c_D, c_L and the pressure drop.
constexpr double drag = 5.57953523384, lift = 0.010618948146, drop = 0.11752016697;

struct Equations {
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual;
  ControlledValue viscosity;
  int coordinates;
};

/// Taylor-Hood elements, or linear ones (order 1).
Equations equations(std::shared_ptr<const Mesh> mesh, int order) {
  auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", order}, {"u_y", order}, {"p", 1}},
                                             PETSC_COMM_WORLD);
  auto r = std::make_shared<FormResidual>(dofs);
  const auto number = [&](const char* name, double v) { return ControlledValue{r->add_control({name, ""}, {v}), {}}; };
  const ControlledValue zero = number("zero", 0), viscosity = number("viscosity", 1e-3);
  r->add_form(make_navier_stokes(FlowKind::planar, order == 2 ? FlowDiscretisation::taylor_hood : FlowDiscretisation::equal_order,
                                 FlowModel(), CellBatches::on_cells(dofs, "", order == 2 ? 5 : 3)),
              {number("density", 1), viscosity, zero, zero, zero});
  for (const char* wall : {"walls", "cylinder"})
    for (int i = 0; i < 2; ++i) r->add_dirichlet({wall, i, zero});
  const int inflow = r->add_control({"inflow", "m/s"}, {0.3});
  r->add_dirichlet({"inlet", 0, {inflow, [](const double* x, double) { return 4 * x[1] * (0.41 - x[1]) / (0.41 * 0.41); }, true}});
  r->add_dirichlet({"inlet", 1, zero});
  const int coordinates = r->add_coordinates();
  r->finish();
  return {dofs, r, viscosity, coordinates};
}

void run(const std::string& file, const std::string& method, bool keep, bool from_linear, const std::string& device) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  auto mesh = std::make_shared<const Mesh>(distribute(read_gmsh(file), comm));
  const double begin = now();
  const auto [dofs, r, viscosity, coordinates] = equations(mesh, 2);
  use_device(*r, flow_device_forms(), device, method);
  LinearSolverOptions linear;
  linear.method = method;
  linear.keep_factors = keep;
  LoadSteppingOptions stepping;
  stepping.newton.atol = 1e-12;
  stepping.newton.rtol = 1e-14;
  auto solver = std::make_shared<LinearSolver>(comm, linear);
  StaticCase flow("cylinder", r, solver, {1.0}, 0.0, stepping);
  if (from_linear) flow.guess = LinearStart(equations(mesh, 1).residual, dofs, 0.0);
  // c = 2 F / (ρ ū² D), ū = 0.2, D = 0.1; the fluid's force on the body is minus the support's.
  flow.terms().push_back({"drag", Reaction::force(r, "cylinder", {-2 / (0.04 * 0.1), 0}), {0}, 1.0});
  std::shared_ptr<Observable> c_lift = Reaction::force(r, "cylinder", {0, -2 / (0.04 * 0.1)});
  std::vector<double> distance;
  std::shared_ptr<Observable> pressures = make_point_samples(dofs, {{{0.15, 0.2}, 2}, {{0.25, 0.2}, 2}}, distance);
  NewtonReport newton;
  flow.on_step = [&](int, const NewtonReport& report) { newton = report; };

  const double start = now();
  const ProcessReport report = flow.run(r->control_values());
  const double solved = now();
  if (!report.ok) {
    std::printf("not solved: %s; residuals", report.reason.c_str());
    for (double v : newton.residuals) std::printf(" %.1e", v);
    std::printf("\n");
    return;
  }
  double memory[2] = {peak_megabytes(), 0};
  const int factorisations = solver->factorisations();
  Controls d_bar(r->controls().size());
  d_bar[coordinates].assign(mesh->coordinates.size(), 0.0);
  d_bar[viscosity.control].assign(1, 0.0);
  const double before_gradient = now();
  const SolveReport adjoint = flow.gradient(d_bar);
  const double end = now();
  memory[1] = peak_megabytes();
  MPI_Allreduce(MPI_IN_PLACE, memory, 2, MPI_DOUBLE, MPI_SUM, comm);
  double c[2] = {0, 0}, p[2] = {0, 0};
  const EvaluationPoint u{flow.state(0), flow.setting(0)};
  flow.terms()[0].observable->evaluate(u, &c[0]);
  c_lift->evaluate(u, &c[1]);
  pressures->evaluate(u, p);
  const double a = now();
  for (int k = 0; k < 3; ++k) r->jacobian(u);
  const double assembly = (now() - a) / 3;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank != 0) return;
  std::printf("%lld unknowns, %s%s: set-up %.2f s, forward %.2f s (%d Newton, %d Krylov, %d factorisations; %.3f s per "
              "Jacobian)\n",
              dofs->n_global(), std::string(solver->method()).c_str(), keep ? " kept" : "", start - begin, solved - start,
              report.newton_iterations, report.linear_iterations,
              factorisations, assembly);
  std::printf("  residuals");
  for (double v : newton.residuals) std::printf(" %.1e", v);
  std::printf("\n  c_D %.10f (relative error %.1e), c_L %.9f (relative error %.1e), drop %.9f (%.1e)\n", c[0], c[0] / drag - 1, c[1],
              c[1] / lift - 1, p[0] - p[1], (p[0] - p[1]) / drop - 1);
  std::printf("  gradient to all nodes %.3f s (%s, %d Krylov, %d factorisations): %.3f of the forward solve (goal 0.05)\n",
              end - before_gradient, adjoint.converged ? "ok" : adjoint.reason.c_str(), adjoint.iterations,
              solver->factorisations() - factorisations, (end - before_gradient) / (solved - start));
  std::printf("  peak memory %.0f MB forward, %.0f MB with the adjoint (goal 470)\n", memory[0], memory[1]);
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  const std::string device = device_argument(argc, argv);
  if (argc < 3) {
    std::printf("usage: bench_cylinder MESH METHOD [1: keep factors [1: begin with linear elements]] [--device none|emulation|cuda]\n");
    return 2;
  }
  const auto asked = [&](int k) { return argc > k && argv[k][0] == '1'; };
  run(argv[1], argv[2], asked(3), asked(4), device);
  check(PetscFinalize());
}
