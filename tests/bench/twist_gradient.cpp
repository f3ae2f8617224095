// Case S1, a twisted neo-Hookean cube (or beam) of second-order tetrahedra: equilibrium and the gradient of a mean displacement to the moduli of all cells,
// on the host or with the equation on a device. Prints seconds, iterations, bytes in device memory, and numbers to compare runs by.
#include <cmath>
#include <cstdio>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/device/p_multigrid.hpp"
#include "libfem/solid/solid_device.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/on_device.hpp"
#include "tests/bench/twisted_cube.hpp"

using namespace invar;

namespace {

void run(const char* path, const char* method, const std::string& device_word, double poisson, int length) {
  const double start = now();
  TwistedCube cube(path, 2, 4, poisson, true, PETSC_COMM_WORLD, length);
  const auto device = device_of(device_word);
  const double meshed = now();
  FormResidual& r = *cube.residual;
  if (device) {
    move_to_device(r, solid_device_forms(), device);
    if (std::string(method) == "cg_p_multigrid") use_p_multigrid(r, device);
  }
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-8;
  const auto solver = std::make_shared<LinearSolver>(PETSC_COMM_WORLD, LinearSolverOptions{.method = method});
  StaticCase problem("twist", cube.residual, solver, {1.0}, 0.0, stepping);
  const double ready = now();
  const ProcessReport report = problem.run(r.control_values());
  const double solved = now();
  if (!report.ok) {
    std::printf("%s %s, device %s: %s\n", path, method, device_word.c_str(), report.reason.c_str());
    return;
  }
  const VecHandle u_bar = r.create_vector();
  check(VecSet(u_bar, 1.0 / double(cube.dofs->n_global())));
  Controls gradient;
  for (const auto& values : r.control_values()) gradient.emplace_back(values.size(), 0.0);
  const SolveReport adjoint = problem.state_vjp(0, u_bar, gradient);
  const double differentiated = now();
  double mean = 0, size = 0;
  check(VecDot(u_bar, problem.state(0), &mean));
  for (const double g : gradient[cube.young]) size += g * g;
  const double n = double(cube.dofs->n_global());
  std::printf("%s %s, device %s, nu %g, length %d: %.0f unknowns, mesh and forms %.2f s, to the device %.2f s, solve %.2f s, gradient %.2f s (%d Newton, %d Krylov, "
              "%d set-ups; adjoint %d Krylov, residual %.1e%s)\n", path, method, device_word.c_str(), poisson, length, n, meshed - start, ready - meshed, solved - ready,
              differentiated - solved, report.newton_iterations, report.linear_iterations, solver->factorisations(), adjoint.iterations,
              adjoint.residual, adjoint.converged ? "" : ", not converged");
  std::printf("  mean displacement %.14e, gradient %.14e, %.0f MB of the host\n", mean, std::sqrt(size), peak_megabytes());
  if (!device) return;
  const DeviceTraffic& t = device->traffic();
  std::printf("  %s: at most %.0f bytes per unknown, %lld kernels, %lld MB up, %lld MB down, %ld vectors that the host asked for\n",
              device->description().c_str(), double(t.most_held) / n, t.kernels, t.bytes_up >> 20, t.bytes_down >> 20, device->host_accesses());
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  if (argc < 3) {
    std::printf("usage: bench_twist_gradient N METHOD [--device none|emulation|cuda] [--poisson NUMBER] [--length L]\n");
    return 2;
  }
  std::string device = "none";
  double poisson = 0.3;
  int length = 1;
  for (int i = 3; i + 1 < argc; ++i) {
    if (std::string(argv[i]) == "--device") device = argv[i + 1];
    if (std::string(argv[i]) == "--poisson") poisson = std::atof(argv[i + 1]);
    if (std::string(argv[i]) == "--length") length = std::atoi(argv[i + 1]);
  }
  run(argv[1], argv[2], device, poisson, length);
  check(PetscFinalize());
}
