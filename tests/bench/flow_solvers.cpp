// Solvers for the saddle-point systems of flow: Krylov iterations, time and memory of every Newton step and
// of an adjoint. Cases: DFG 2D-1 at several Reynolds numbers (by the viscosity), a channel with a cube, and a
// cube with a sliding lid.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/linearization.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/read_gmsh.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/solve/flow_preconditioner.hpp"
#include "tests/bench/measure.hpp"

using namespace invar;

namespace {

constexpr double rtol = 1e-8;  // of every linear solve

/// Processor time of this process, s.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + 1e-6 * usage.ru_utime.tv_usec;
}

/// The channel 4 × 1 × 1 m, of 4n × n × n cells of six tetrahedra, without those of a cube of 1/4 m
/// standing on its floor at x = 1. Its surface is the region `obstacle`.
Mesh channel_with_cube(int n) {
  Mesh mesh = make_box({0, 0, 0}, {4, 1, 1}, {4 * n, n, n}, Shape::tetrahedron, 2);
  const auto inside = [](const double* x) {
    constexpr double e = 1e-9;
    return x[0] > 1 - e && x[0] < 1.25 + e && x[1] < 0.25 + e && x[2] > 0.375 - e && x[2] < 0.625 + e;
  };
  CellBlock& block = mesh.cells[0];
  const int per_cell = node_count(block.type);
  std::vector<int> kept;
  std::vector<char> used(mesh.node_total(), 0), removed(mesh.node_total(), 0);
  for (int c = 0; c < block.count(); ++c) {
    const int* nodes = &block.nodes[std::size_t(c) * per_cell];
    const bool solid = std::all_of(nodes, nodes + per_cell, [&](int k) { return inside(&mesh.coordinates[3 * k]); });
    for (int k = 0; k < per_cell; ++k) (solid ? removed : used)[nodes[k]] = 1;
    if (!solid) kept.insert(kept.end(), nodes, nodes + per_cell);
  }
  std::vector<int> number(mesh.node_total(), -1);
  std::vector<double> coordinates;
  Region obstacle{.name = "obstacle", .dim = 0, .members = {}, .nodes = {}};
  for (int k = 0; k < mesh.node_total(); ++k)
    if (used[k]) {
      number[k] = int(coordinates.size()) / 3;
      if (removed[k]) obstacle.nodes.push_back(number[k]);
      for (int i = 0; i < 3; ++i) coordinates.push_back(mesh.coordinates[3 * k + i]);
    }
  for (int& k : kept) k = number[k];
  Mesh out;
  out.dim = 3;
  out.coordinates = std::move(coordinates);
  out.cells.push_back({block.type, std::move(kept), 0});
  out.regions.push_back(std::move(obstacle));
  for (const char* name : {"inlet", "walls"}) {  // by nodes: conditions need no facets
    Region region{.name = name, .dim = 0, .members = {}, .nodes = {}};
    for (int k = 0; k < out.node_total(); ++k) {
      const double* x = &out.coordinates[3 * k];
      const auto end = [](double v) { return std::abs(v) < 1e-9 || std::abs(v - 1) < 1e-9; };
      if (region.name == "inlet" ? x[0] < 1e-9 : end(x[1]) || end(x[2])) region.nodes.push_back(k);
    }
    out.regions.push_back(std::move(region));
  }
  complete_serial(out);
  return out;
}

/// A flow with walls at rest and an inlet (or lid) where u_x is given, its viscosity to be chosen.
struct Flow {
  std::shared_ptr<FormResidual> residual;
  int viscosity = 0;  // control

  Flow(const Mesh& serial, const std::vector<std::string>& walls, std::function<double(const double*)> inflow,
       const std::string& inlet = "inlet", const std::string& zero_pressure = "") {
    const int dim = serial.dim;
    auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
    std::vector<Component> components(dim, {"u", 2});
    components.push_back({"p", 1});
    auto dofs = std::make_shared<const DofMap>(mesh, components, PETSC_COMM_WORLD);
    residual = std::make_shared<FormResidual>(dofs);
    const auto number = [&](const char* name, double v) {
      return ControlledValue{residual->add_control({name, ""}, {v}), {}};
    };
    const ControlledValue zero = number("zero", 0), one = number("one", 1), mu = number("viscosity", 1);
    viscosity = mu.control;
    std::vector<ControlledValue> values{one, mu};
    values.insert(values.end(), dim + 1, zero);
    const FlowKind kind = dim == 2 ? FlowKind::planar : FlowKind::spatial;
    const int form = residual->add_form(make_navier_stokes(kind, FlowDiscretisation::taylor_hood, FlowModel{},
                                                           CellBatches::on_cells(dofs, "", 5)), values);
    residual->add_dirichlet({inlet, 0, {one.control, [=](const double* x, double) { return inflow(x); }, true}});
    for (int i = 1; i < dim; ++i) residual->add_dirichlet({inlet, i, zero});
    for (const std::string& wall : walls)
      for (int i = 0; i < dim; ++i) residual->add_dirichlet({wall, i, zero});
    if (!zero_pressure.empty()) residual->add_dirichlet({zero_pressure, dim, zero});
    residual->finish();
    residual->set_saddle_point(std::make_shared<FlowPreconditioner>(*residual, form, kind, ViscosityLaw{}));
  }
};

double sum_over_ranks(double v) {
  MPI_Allreduce(MPI_IN_PLACE, &v, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return v;
}

void report(const char* what, const SolveReport& s, double cpu) {
  cpu = sum_over_ranks(cpu);
  PetscPrintf(PETSC_COMM_WORLD, "    %-8s %3d iterations, %6.2f s (%6.2f s of processors), residual %.1e%s%s\n", what,
              s.iterations, s.seconds, cpu, s.residual, s.converged ? "" : ": ", s.converged ? "" : s.reason.c_str());
  if (!s.given_up.empty())
    PetscPrintf(PETSC_COMM_WORLD, "             before that %3d iterations of %s, then %s\n", s.given_up_iterations,
                s.given_up.c_str(), s.method.c_str());
}

/// Newton's method at one viscosity from u, then an adjoint. False: a solve failed.
bool solve_at(Flow& flow, LinearSolver& solver, double viscosity, Vec u, bool show) {
  FormResidual& r = *flow.residual;
  Controls d = r.control_values();
  d[flow.viscosity][0] = viscosity;
  const EvaluationPoint at{u, {std::make_shared<const Controls>(std::move(d))}};
  VecHandle load = r.create_vector(), step = r.create_vector();
  double first = 0;
  for (int k = 0; k < 15; ++k) {
    r.residual(at, load);
    PetscReal norm;
    check(VecNorm(load, NORM_2, &norm));
    if (k == 0) first = norm;
    if (norm < 1e-9 * first || norm < 1e-12) break;
    Linearization linear(r, solver, at);
    const double cpu = processor_seconds();
    const SolveReport s = linear.solve_tangent(load, step);
    if (show) report("Newton", s, processor_seconds() - cpu);
    if (!s.converged) return false;
    check(VecAXPY(u, 1.0, step));
  }
  if (!show) return true;
  Linearization linear(r, solver, at);
  check(VecSet(load, 1.0));
  const double cpu = processor_seconds();
  const SolveReport s = linear.solve_adjoint(load, step);
  report("adjoint", s, processor_seconds() - cpu);
  const double memory = sum_over_ranks(peak_megabytes());
  PetscPrintf(PETSC_COMM_WORLD, "    peak %.0f MB, %.0f bytes per unknown\n", memory,
              memory * 1048576 / double(r.dofs().n_global()));
  return s.converged;
}

/// On the way to a Reynolds number, viscosities are halved by a direct solver where `guide`.
void run(Flow& flow, const std::string& method, double reynolds, double length_times_speed, bool guide) {
  LinearSolver solver(PETSC_COMM_WORLD, {.method = method, .rtol = rtol, .max_iterations = 300});
  LinearSolver direct(PETSC_COMM_WORLD, {.method = "mumps", .rtol = rtol});
  solver.set_saddle_point(flow.residual->matrix_hints().saddle_point);
  PetscPrintf(PETSC_COMM_WORLD, "  %s, Re %g, %lld unknowns\n", method.c_str(), reynolds,
              flow.residual->dofs().n_global());
  VecHandle u = flow.residual->create_vector();
  for (double easier = 20; guide && easier < reynolds; easier *= 2)
    if (!solve_at(flow, direct, length_times_speed / easier, u, false)) return;
  solve_at(flow, solver, length_times_speed / reynolds, u, true);
}

}  // namespace

int main(int argc, char** argv) {
  restart_with_suitable_blas(argv);
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  const std::string which = argc > 4 ? argv[1] : "";
  if (which == "cylinder") {
    Flow flow(read_gmsh(argv[2]), {"walls", "cylinder"},
              [](const double* x) { return 0.3 * 4 * x[1] * (0.41 - x[1]) / (0.41 * 0.41); });
    for (int k = 4; k < argc && argv[k][0] != '-'; ++k) run(flow, argv[3], std::atof(argv[k]), 0.2 * 0.1, true);
  } else if (which == "channel") {
    Flow flow(channel_with_cube(std::atoi(argv[2])), {"walls", "obstacle"},
              [](const double* x) { return 16 * x[1] * (1 - x[1]) * x[2] * (1 - x[2]); });
    for (int k = 4; k < argc && argv[k][0] != '-'; ++k) run(flow, argv[3], std::atof(argv[k]), 0.25, false);
  } else if (which == "cavity") {
    const int n = std::atoi(argv[2]);
    Flow flow(make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, Shape::tetrahedron, 2),
              {"left", "right", "bottom", "back", "front"}, [](const double*) { return 1.0; }, "top",
              "left_bottom_back");
    for (int k = 4; k < argc && argv[k][0] != '-'; ++k) run(flow, argv[3], std::atof(argv[k]), 1.0, false);
  } else {
    PetscPrintf(PETSC_COMM_WORLD, "usage: bench_flow_solvers cylinder MESH METHOD RE...\n"
                                  "       bench_flow_solvers channel N METHOD RE...   (N a multiple of 8)\n"
                                  "       bench_flow_solvers cavity N METHOD RE...\n");
  }
  check(PetscFinalize());
}
