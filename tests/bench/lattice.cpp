// A clamped box of hexahedra, loaded along an edge, by conjugate gradients with geometric multigrid and no matrix: seconds, iterations and
// memory, on the host or with the equation on a device. Arguments: cells along y and z (twice as many along x), and what differs between cells:
// nothing (`uniform`), a lattice of stiff struts in cells 1e9 times as soft (`struts`), or random densities, penalised, under a traction at the free end
// (`density`, the problem of `tests/gpu/torch_fem.py density`).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/device/device_lattice.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/cell_centres.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_device.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/bench/measure.hpp"

using namespace invar;

namespace {

/// Young's moduli at these places, [3 × cell]: struts of a tenth of the box along all axes, four in each direction; of random densities; or
/// the same everywhere.
std::vector<double> moduli_at(const std::vector<double>& centres, const std::string& kind) {
  std::mt19937 random(1);
  std::normal_distribution<double> density(0.5, 0.3);
  std::vector<double> moduli;
  for (std::size_t c = 0; c < centres.size(); c += 3) {
    int near = 0;
    for (int k = 0; k < 3; ++k) near += std::abs(std::remainder(centres[c + k] - 0.125, 0.25)) < 0.05;
    if (kind == "struts") moduli.push_back(near >= 2 ? 1 : 1e-9);
    else if (kind == "density") moduli.push_back(7e4 * (1e-3 + (1 - 1e-3) * std::pow(std::clamp(density(random), 0.05, 0.95), 3)));
    else moduli.push_back(1.728e-3);
  }
  return moduli;
}

/// The box as an equation, with its control of moduli, a field of cells.
struct Box {
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<FormResidual> residual;
  int young = 0;

  Box(int n, const std::string& kind, const std::shared_ptr<Device>& device) {
    const MPI_Comm comm = PETSC_COMM_WORLD;
    mesh = std::make_shared<const Mesh>(distribute(make_box({0, 0, 0}, {2, 1, 1}, {2 * n, n, n}, Shape::hexahedron), comm));
    const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 1}, {"u_y", 1}, {"u_z", 1}}, comm);
    residual = std::make_shared<FormResidual>(dofs);
    FormResidual& r = *residual;
    const auto number = [&](const char* name, double v) { return ControlledValue{r.add_control({name, ""}, {v}), {}}; };
    young = r.add_control({"young", "Pa", ControlLayout::cells}, moduli_at(cell_centres(*mesh), kind));
    r.add_form(make_displacement_form(SolidKind::spatial, make_material({"linear_elastic"}), CellBatches::on_cells(dofs, "", 2)),
               {ControlledValue{young, {}}, number("poisson", 0.3)});
    if (kind == "density")
      r.add_form(make_traction(SolidKind::spatial, CellBatches::on_facets(dofs, "right", 2)), {number("x", 0), number("y", 0), number("z", -1)});
    else
      r.add_form(make_point_force(SolidKind::spatial, CellBatches::on_points(dofs, "right_back")), {number("x", 0), number("y", 0), number("z", -1e-3)});
    const ControlledValue zero = number("clamp", 0);
    for (int i = 0; i < 3; ++i) r.add_dirichlet({"left", i, zero});
    r.finish();
    if (device) move_to_device(r, solid_device_forms(), device);
    if (device) use_device_lattice(r, device);
    else r.use_cell_matrix();
  }
};

void print_use_of(const std::shared_ptr<Device>& device, double unknowns) {
  if (!device) return;
  const DeviceTraffic& t = device->traffic();
  std::printf("  %s: at most %.0f bytes per unknown, %lld kernels, %lld MB up, %lld MB down\n", device->description().c_str(), double(t.most_held) / unknowns,
              t.kernels, t.bytes_up >> 20, t.bytes_down >> 20);
}

/// Compliance and its gradient to all moduli for two designs, the second one 10 % stiffer: what it costs to build the equation is not repeated. Compliance is
/// homogeneous of degree −1 in the moduli.
void run_design(int n, const std::string& kind, const std::shared_ptr<Device>& device) {
  const double begin = now();
  Box box(n, kind, device);
  FormResidual& r = *box.residual;
  const auto solver = std::make_shared<LinearSolver>(PETSC_COMM_WORLD, LinearSolverOptions{});
  StaticCase problem("box", box.residual, solver, {1.0}, 0.0, {.newton = {.rtol = 1e-8}});
  const double built = now();
  const double unknowns = double(r.dofs().n_global());
  std::printf("%.0f unknowns, %s: mesh, forms and levels %.2f s\n", unknowns, kind.c_str(), built - begin);
  for (int design = 0; design < 2; ++design) {
    Controls values = r.control_values();
    for (double& modulus : values[box.young]) modulus *= 1 + 0.1 * design;
    const long long down = device ? device->traffic().downloads : 0;
    const long accesses = device ? device->host_accesses() : 0;
    const double start = now();
    const ProcessReport report = problem.run(values);
    const double solved = now();
    if (!report.ok) return void(std::printf("  failed: %s\n", report.reason.c_str()));
    const VecHandle load = r.create_vector();
    const Setting given = problem.setting(0);
    r.residual({zeros_like(load), given}, load);
    check(VecScale(load, -1));
    double compliance = 0, size = 0, along = 0;
    check(VecDot(load, problem.state(0), &compliance));
    Controls gradient;
    for (const auto& v : values) gradient.emplace_back(v.size(), 0.0);
    const SolveReport adjoint = problem.state_vjp(0, load, gradient);
    const double differentiated = now();
    for (std::size_t c = 0; c < gradient[box.young].size(); ++c) size += std::pow(gradient[box.young][c], 2), along += gradient[box.young][c] * values[box.young][c];
    std::printf("  design %d by %s: forward %.3f s (%d Newton, %d Krylov), gradient %.3f s (%d Krylov); compliance %.12e, gradient %.12e, times moduli / compliance %.10f\n", design,
                std::string(solver->method()).c_str(), solved - start, report.newton_iterations, report.linear_iterations, differentiated - solved,
                adjoint.iterations, compliance, std::sqrt(size), along / compliance);
    if (device) std::printf("    %lld downloads, %ld vectors that the host asked for\n", device->traffic().downloads - down, device->host_accesses() - accesses);
  }
  std::printf("  %.0f MB of the host\n", peak_megabytes());
  print_use_of(device, unknowns);
}

/// Seconds of the parts of a solve.
void run(int n, const std::string& kind, const std::shared_ptr<Device>& device) {
  const double memory = peak_megabytes(), begin = now();
  Box box(n, kind, device);
  FormResidual& r = *box.residual;
  const double built = now();
  const VecHandle u = r.create_vector(), f = r.create_vector();
  r.jacobian({u, r.given()});
  r.residual({u, r.given()}, f);
  const double evaluated = now();
  VecHandle b, x;
  check(MatCreateVecs(r.matrix(), b.out(), x.out()));
  check(VecCopy(f, b));
  constexpr int products = 10;
  for (int k = 0; k < products; ++k) check(MatMult(r.matrix(), b, x));
  double sum = 0;
  check(VecSum(x, &sum));  // waits for a device
  const double multiplied = now();
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0)
    std::printf("%d x %d x %d cells, %lld unknowns, %s: peak %.0f MB before, mesh, forms and levels %.2f s, element matrices %.2f s, a product %.3f s\n", 2 * n, n, n, r.dofs().n_global(),
                kind.c_str(), memory, built - begin, evaluated - built, (multiplied - evaluated) / products);
  LinearSolver solver(PETSC_COMM_WORLD, {});
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
  if (rank == 0) std::printf("  compliance %.9e\n", work);
  print_use_of(device, double(r.dofs().n_global()));
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  if (argc < 3) {
    std::printf("usage: bench_lattice CELLS uniform|struts|density [--device none|emulation|cuda] [--parts]\n");
    return 2;
  }
  std::shared_ptr<Device> device;
  bool parts = false;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "emulation" || word == "cuda") device = make_device(word == "cuda" ? Device::Kind::cuda : Device::Kind::emulation);
    parts |= word == "--parts";
  }
  (parts ? run : run_design)(std::atoi(argv[1]), argv[2], device);
  device.reset();
  check(PetscFinalize());
}
