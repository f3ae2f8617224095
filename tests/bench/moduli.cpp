// Case S2: a linear-elastic cube whose every cell has a Young's modulus of its own. Prints the cost of
// the state, and of the gradient of a misfit to a measured face displacement with respect to all moduli.
#include <cmath>
#include <cstdio>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/cell_centres.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/rigid_body_modes.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/bench/measure.hpp"

using namespace invar;

namespace {

/// A clamped unit cube of 6 n³ tetrahedra, pulled down on the opposite face.
void run(int n, const std::string& method, double rtol, bool keep, double contrast, double newton_rtol) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  auto mesh = std::make_shared<const Mesh>(
      distribute(make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, Shape::tetrahedron), comm));
  auto dofs =
      std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}, {"u_z", 1}}, comm);
  const std::shared_ptr<const Material> material = make_material({"linear_elastic"});
  auto r = std::make_shared<FormResidual>(dofs);
  std::vector<double> moduli;
  for (const CellBlock& block : mesh->cells) moduli.resize(moduli.size() + block.count());
  const std::vector<double> centres = cell_centres(*mesh);
  for (std::size_t c = 0; c < moduli.size(); ++c) {
    int near = 0;  // struts of a tenth of the cube along all axes, four in each direction
    for (int k = 0; k < 3; ++k) near += std::abs(std::remainder(centres[3 * c + k] - 0.125, 0.25)) < 0.05;
    moduli[c] = contrast > 1 ? 10 / (near >= 2 ? 1 : contrast) : 10 + 2 * std::sin(0.01 * double(c));
  }
  const int young = r->add_control({"young", "Pa", ControlLayout::cells}, moduli);
  const auto number = [&](const char* name, double v) { return ControlledValue{r->add_control({name, ""}, {v}), {}}; };
  r->add_form(make_displacement_form(SolidKind::spatial, material, CellBatches::on_cells(dofs, "", 1)),
              {ControlledValue{young, {}}, number("poisson", 0.3)});
  r->add_form(make_traction(SolidKind::spatial, CellBatches::on_facets(dofs, "right", 2)),
              {number("tx", 0), number("ty", -0.1), number("tz", 0.02)});
  const ControlledValue zero{number("clamp", 0)};
  for (int i = 0; i < 3; ++i) r->add_dirichlet({"left", i, zero});
  r->finish();
  r->set_near_null_space(rigid_body_modes(*dofs));

  LinearSolverOptions linear;
  linear.method = method;
  linear.rtol = rtol;
  linear.keep_factors = keep;  // the operator is the same in the forward and the adjoint solve
  LoadSteppingOptions stepping;
  stepping.newton.rtol = newton_rtol;
  auto solver = std::make_shared<LinearSolver>(comm, linear);
  StaticCase problem("moduli", r, solver, {1.0}, 0.0, stepping);
  DataSet set;
  set.name = "face";
  set.observable = make_field_samples(dofs, "right", 2, 2, {0, 1, 2},
                                      [](int c, const double* x) { return c == 1 ? -0.03 * x[0] : 0.01 * x[2]; }, set.target);
  set.steps = {0};
  set.noise.assign(set.target.size(), 1.0);
  problem.data().push_back(std::move(set));

  const double start = now();
  VecHandle u = r->create_vector();
  r->jacobian({u, r->given()});
  const double assembled = now();
  const double processor = processor_seconds();
  const ProcessReport report = problem.run(r->control_values());
  const double solved = now(), processor_solved = processor_seconds();
  const double forward_memory = peak_megabytes();
  Controls d_bar(r->controls().size());
  d_bar[young].assign(moduli.size(), 0.0);
  const SolveReport adjoint = problem.gradient(d_bar);
  const double end = now();
  const double misfit = problem.value();
  double memory[2] = {forward_memory, peak_megabytes()}, norm = 0;
  for (double g : d_bar[young]) norm += g * g;
  MPI_Allreduce(MPI_IN_PLACE, memory, 2, MPI_DOUBLE, MPI_SUM, comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank != 0) return;
  std::printf("cube%d P1 %lld unknowns, %zu moduli, %s: assembly %.3f s, forward %.2f s (%.2f s of processor time; %s; %d Newton, %d Krylov, %d "
              "factorisations), adjoint and gradient %.2f s (%s; %d Krylov), %.0f MB forward, %.0f MB with the adjoint\n",
              n, dofs->n_global(), moduli.size(), std::string(solver->method()).c_str(), assembled - start,
              solved - assembled, processor_solved - processor, report.ok ? "ok" : report.reason.c_str(), report.newton_iterations,
              report.linear_iterations, solver->factorisations(), end - solved,
              adjoint.converged ? "ok" : adjoint.reason.c_str(), adjoint.iterations, memory[0], memory[1]);
  std::printf("  misfit %.12e, norm of the gradient on rank 0 %.9e\n", misfit, std::sqrt(norm));
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  if (argc < 3) {
    std::printf("usage: bench_moduli CELLS_PER_EDGE METHOD [RTOL] [0: set up again for the adjoint] [CONTRAST, 1: none] [RTOL of Newton's method]\n");
    return 2;
  }
  run(std::atoi(argv[1]), argv[2], argc > 3 ? std::atof(argv[3]) : 1e-10, argc < 5 || argv[4][0] != '0', argc > 5 ? std::atof(argv[5]) : 1,
      argc > 6 ? std::atof(argv[6]) : 1e-8);
  check(PetscFinalize());
}
