// A clamped box of hexahedra, loaded along an edge, by conjugate gradients with geometric multigrid and no matrix: seconds, iterations and
// memory. Arguments: cells along y and z (twice as many along x), and `uniform` or `struts`, a lattice of stiff struts in cells 1e9 times as
// soft.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/cell_centres.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/bench/measure.hpp"

using namespace invar;

namespace {

/// Young's modulus at a place: struts of a tenth of the box along all axes, four in each direction, or the same everywhere.
double modulus(const double* x, bool struts) {
  if (!struts) return 1.728e-3;
  int near = 0;
  for (int k = 0; k < 3; ++k) near += std::abs(std::remainder(x[k] - 0.125, 0.25)) < 0.05;
  return near >= 2 ? 1 : 1e-9;
}

void run(int n, bool struts) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  auto mesh = std::make_shared<const Mesh>(distribute(make_box({0, 0, 0}, {2, 1, 1}, {2 * n, n, n}, Shape::hexahedron), comm));
  auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}, {"u_z", 1}}, comm);
  FormResidual r(dofs);
  std::vector<double> moduli;
  const std::vector<double> centres = cell_centres(*mesh);
  for (std::size_t c = 0; c < centres.size() / 3; ++c) moduli.push_back(modulus(&centres[3 * c], struts));
  const auto number = [&](const char* name, double v) { return ControlledValue{r.add_control({name, ""}, {v}), {}}; };
  const int young = r.add_control({"young", "Pa", ControlLayout::cells}, moduli);
  r.add_form(make_displacement_form(SolidKind::spatial, make_material({"linear_elastic"}), CellBatches::on_cells(dofs, "", 2)),
             {ControlledValue{young, {}}, number("poisson", 0.3)});
  r.add_form(make_point_force(SolidKind::spatial, CellBatches::on_points(dofs, "right_back")),
             {number("x", 0), number("y", 0), number("z", -1e-3)});
  const ControlledValue zero = number("clamp", 0);
  for (int i = 0; i < 3; ++i) r.add_dirichlet({"left", i, zero});
  r.finish();

  const double begin = now(), memory = peak_megabytes();
  r.use_cell_matrix();
  const double built = now();
  VecHandle u = r.create_vector(), f = r.create_vector();
  r.jacobian({u, r.given()});
  r.residual({u, r.given()}, f);
  const double evaluated = now();
  VecHandle b, x;
  check(MatCreateVecs(r.matrix(), b.out(), x.out()));
  check(VecCopy(f, b));
  constexpr int products = 10;
  for (int k = 0; k < products; ++k) check(MatMult(r.matrix(), b, x));
  const double multiplied = now();
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0)
    std::printf("%d x %d x %d cells, %lld unknowns, %s: peak %.0f MB before, levels %.2f s, element matrices %.2f s, a product %.3f s\n", 2 * n, n, n, dofs->n_global(),
                struts ? "struts of contrast 1e9" : "uniform", memory, built - begin, evaluated - built, (multiplied - evaluated) / products);
  LinearSolver solver(comm, {});
  solver.set_levels(r.matrix_hints().levels);
  solver.set_operator(r.matrix(), true);
  for (const double rtol : {0.5, 1e-5, 1e-10}) {  // the first one makes the coarse matrices
    const double start = now(), processor = processor_seconds();
    const SolveReport report = solver.solve(b, x, rtol);
    if (rank == 0)
      std::printf("  to %.0e by %s: %d iterations%s, %.2f s (%.2f s of processor time on rank 0), peak %.0f MB there; %s\n", rtol,
                  std::string(solver.method()).c_str(), report.iterations, report.factored ? " and the set-up" : "", now() - start,
                  processor_seconds() - processor, peak_megabytes(), report.reason.c_str());
  }
  PetscScalar work;
  check(VecDot(f, x, &work));
  if (rank == 0) std::printf("  compliance of the line load %.9e\n", work);
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  if (argc < 3) {
    std::printf("usage: bench_lattice CELLS uniform|struts\n");
    return 2;
  }
  run(std::atoi(argv[1]), argv[2] == std::string("struts"));
  check(PetscFinalize());
}
