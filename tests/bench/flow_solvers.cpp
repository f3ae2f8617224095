// Solvers for the linear systems of flow: Krylov iterations to 1e-4, 1e-6 and 1e-8, time and memory of every Newton
// step and of an adjoint. Cases: DFG 2D-1 at several Reynolds numbers (by the viscosity), a channel with a cube, and a
// cube with a sliding lid.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/linearization.hpp"
#include "libadjoint/solve/solver_not_available.hpp"
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
Mesh channel_with_cube(int n, int order) {
  Mesh mesh = make_box({0, 0, 0}, {4, 1, 1}, {4 * n, n, n}, Shape::tetrahedron, order);
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

/// Counts the iterations that it takes to reach three tolerances.
struct Counter final : SolveMonitor {
  static constexpr std::array<double, 3> levels{1e-4, 1e-6, 1e-8};
  std::array<int, 3> reached{};

  void krylov(std::string_view, int iteration, double residual) override {
    if (iteration == 0) reached.fill(-1);
    for (std::size_t k = 0; k < levels.size(); ++k)
      if (reached[k] < 0 && residual <= levels[k]) reached[k] = iteration;
  }
  void stage(const std::string&) override {}
  void newton(int, double, double) override {}
  void changed(const std::string& why) override { PetscPrintf(PETSC_COMM_WORLD, "    %s\n", why.c_str()); }
  bool stop() const override { return false; }
  std::string text() const {
    std::string s;
    for (int n : reached) {
      if (!s.empty()) s += '/';
      s += n < 0 ? "-" : std::to_string(n);
    }
    return s;
  }
};

/// How the flow is discretised: "th", Taylor–Hood; "th:γ", with a grad-div parameter [Pa s]; "p1", equal order.
struct Element {
  FlowDiscretisation discretisation = FlowDiscretisation::taylor_hood;
  double grad_div = 0;

  explicit Element(const std::string& name) {
    if (name == "p1") discretisation = FlowDiscretisation::equal_order;
    else if (name.starts_with("th:")) grad_div = std::atof(name.c_str() + 3);
    else if (name != "th") throw std::invalid_argument("unknown element " + name + ": th, th:GAMMA or p1");
  }
  int order() const { return discretisation == FlowDiscretisation::equal_order ? 1 : 2; }
};

/// A flow with walls at rest and an inlet (or lid) where u_x is given, its viscosity to be chosen.
struct Flow {
  std::shared_ptr<FormResidual> residual;
  int viscosity = 0;  // control

  Flow(const Mesh& serial, const Element& element, const std::vector<std::string>& walls, std::function<double(const double*)> inflow,
       const std::string& inlet = "inlet", const std::string& zero_pressure = "") {
    const int dim = serial.dim;
    auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
    const bool equal = element.order() == 1;
    std::vector<Component> components(dim, {"u", element.order()});
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
    const FlowModel model{.law = {}, .grad_div = element.grad_div};
    const int degree = flow_degree(kind, element.discretisation, model, serial.cells[0].type.shape);
    const int form = residual->add_form(make_navier_stokes(kind, element.discretisation, model,
                                                           CellBatches::on_cells(dofs, "", degree)), values);
    residual->add_dirichlet({inlet, 0, {one.control, [=](const double* x, double) { return inflow(x); }, true}});
    for (int i = 1; i < dim; ++i) residual->add_dirichlet({inlet, i, zero});
    for (const std::string& wall : walls)
      for (int i = 0; i < dim; ++i) residual->add_dirichlet({wall, i, zero});
    if (!zero_pressure.empty()) residual->add_dirichlet({zero_pressure, dim, zero});
    residual->finish();
    if (equal) residual->set_node_blocks(true);
    else residual->set_saddle_point(std::make_shared<FlowPreconditioner>(*residual, form, kind, model));
  }
};

double sum_over_ranks(double v) {
  MPI_Allreduce(MPI_IN_PLACE, &v, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return v;
}

void report(const char* what, const SolveReport& s, double cpu, const std::string& counts) {
  cpu = sum_over_ranks(cpu);
  PetscPrintf(PETSC_COMM_WORLD, "    %-8s %s iterations, %6.2f s (%6.2f s of processors), residual %.1e%s%s\n", what,
              counts.c_str(), s.seconds, cpu, s.residual, s.converged ? "" : ": ", s.converged ? "" : s.reason.c_str());
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
  const auto counter = std::make_shared<Counter>();
  solver.set_monitor(counter);
  double first = 0;
  for (int k = 0; k < 15; ++k) {
    r.residual(at, load);
    PetscReal norm;
    check(VecNorm(load, NORM_2, &norm));
    if (k == 0) first = norm;
    if (norm < (show ? 1e-9 : 1e-3) * first || norm < 1e-12) break;
    Linearization linear(r, solver, at);
    const double cpu = processor_seconds();
    const SolveReport s = linear.solve_tangent(load, step);
    if (show) report("Newton", s, processor_seconds() - cpu, counter->text());
    if (!s.converged) return false;
    check(VecAXPY(u, 1.0, step));
  }
  if (!show) return true;
  Linearization linear(r, solver, at);
  check(VecSet(load, 1.0));
  const double cpu = processor_seconds();
  const SolveReport s = linear.solve_adjoint(load, step);
  report("adjoint", s, processor_seconds() - cpu, counter->text());
  const double memory = sum_over_ranks(peak_megabytes());
  PetscPrintf(PETSC_COMM_WORLD, "    peak %.0f MB, %.0f bytes per unknown\n", memory,
              memory * 1048576 / double(r.dofs().n_global()));
  return s.converged;
}

/// From u, the flow at a smaller Reynolds number or rest. On the way the viscosity is halved, quietly.
void run(Flow& flow, const std::string& method, double before, double reynolds, double length_times_speed, Vec u) {
  LinearSolver solver(PETSC_COMM_WORLD, {.method = method, .rtol = rtol, .max_iterations = 300});
  solver.set_saddle_point(flow.residual->matrix_hints().saddle_point);
  solver.set_node_blocks(flow.residual->matrix_hints().node_blocks);
  PetscPrintf(PETSC_COMM_WORLD, "  %s, Re %g, %lld unknowns\n", method.c_str(), reynolds,
              flow.residual->dofs().n_global());
  for (double easier = 2 * before; easier < reynolds; easier *= 2)
    if (!solve_at(flow, solver, length_times_speed / easier, u, false)) {
      PetscPrintf(PETSC_COMM_WORLD, "    fails on the way, at Re %g\n", easier);
      return;
    }
  solve_at(flow, solver, length_times_speed / reynolds, u, true);
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  const std::string which = argc > 5 ? argv[1] : "";
  const Element element(argc > 5 ? argv[3] : "th");
  std::optional<Flow> flow;
  double length_times_speed = 1;
  if (which == "cylinder") {
    flow.emplace(read_gmsh(argv[2]), element, std::vector<std::string>{"walls", "cylinder"},
                 [](const double* x) { return 0.3 * 4 * x[1] * (0.41 - x[1]) / (0.41 * 0.41); });
    length_times_speed = 0.2 * 0.1;
  } else if (which == "channel") {
    flow.emplace(channel_with_cube(std::atoi(argv[2]), element.order()), element, std::vector<std::string>{"walls", "obstacle"},
                 [](const double* x) { return 16 * x[1] * (1 - x[1]) * x[2] * (1 - x[2]); });
    length_times_speed = 0.25;
  } else if (which == "cavity") {
    const int n = std::atoi(argv[2]);
    flow.emplace(make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, Shape::tetrahedron, element.order()), element,
                 std::vector<std::string>{"left", "right", "bottom", "back", "front"}, [](const double*) { return 1.0; }, "top",
                 "left_bottom_back");
  } else {
    PetscPrintf(PETSC_COMM_WORLD, "usage: bench_flow_solvers cylinder MESH ELEMENT METHOD RE...\n"
                                  "       bench_flow_solvers channel N ELEMENT METHOD RE...   (N a multiple of 8)\n"
                                  "       bench_flow_solvers cavity N ELEMENT METHOD RE...\n"
                                  "ELEMENT: th, th:GAMMA (grad-div parameter, Pa s), p1\n");
  }
  VecHandle u = flow ? flow->residual->create_vector() : VecHandle();
  double before = 20;  // what Newton's method reaches from rest
  int exit_code = 0;
  try {
    for (int k = 5; flow && k < argc && argv[k][0] != '-'; ++k) {
      const double reynolds = std::atof(argv[k]);
      run(*flow, argv[4], before, reynolds, length_times_speed, u);
      before = std::max(before, reynolds);
    }
  } catch (const SolverNotAvailable& e) {
    PetscPrintf(PETSC_COMM_WORLD, "%s\n", e.what());
    exit_code = 4;  // as of the program
  }
  u.reset();
  flow.reset();
  check(PetscFinalize());
  return exit_code;
}
