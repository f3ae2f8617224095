// Copies of a small neo-Hookean body in explicit dynamics with lumped mass, each with its own numbers, advanced together: time of the march
// and of the reverse sweep, which gives the gradient of every body's energy by its own numbers (that of their sum: copies do not interact).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "libadjoint/solve/blas_settings.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/solid/solid_device.hpp"
#include "tests/bench/measure.hpp"
#include "tests/support/copied_body.hpp"

using namespace invar;

namespace {

void run(int bodies, int cells, int order, int steps, const std::string& where) {
  const Mesh one = make_box({0, 0, 0}, {1, 1, 1}, {cells, cells, cells}, order == 1 ? Shape::hexahedron : Shape::tetrahedron, order);
  const double step = (order == 1 ? 0.05 : 0.015) / cells;  // below the stable one
  std::vector<double> times(steps + 1);
  for (int k = 0; k <= steps; ++k) times[k] = k * step;
  const std::shared_ptr<Device> device = where == "none" ? nullptr : make_device(where == "cuda" ? Device::Kind::cuda : Device::Kind::emulation);
  const auto place = [&](FormResidual& r) {
    if (device) move_to_device(r, solid_device_forms(), device);
  };
  test::CopiedBody batch(one, bodies, true, times, PETSC_COMM_WORLD, {.place = place, .terms_apart = false, .moves = false});
  const auto process = std::static_pointer_cast<TransientCase>(batch.process);
  std::printf("%d bodies of %d unknowns, %d steps%s%s\n", bodies, batch.dofs->n_local() / bodies, steps, device ? ", " : "",
              device ? device->description().c_str() : "");
  DesignVector theta = batch.functional->start(), g;
  for (std::size_t i = 0; i < theta.shared.size(); ++i) theta.shared[i] *= 1 + 0.1 * static_cast<double>(i % static_cast<std::size_t>(bodies)) / bodies;
  const auto accesses = [&] { return device ? device->host_accesses() : 0; };

  const double start = now();
  const long before = accesses();
  const Evaluation forward = batch.functional->solve(theta);
  const double solved = now();
  const long between = accesses();
  if (!forward.ok) {
    std::printf("  failed: %s\n", forward.reason.c_str());
    return;
  }
  const Evaluation reverse = batch.functional->gradient(theta, g);
  const double swept = now() - solved;
  const auto rate = [&](double seconds) { return static_cast<double>(bodies) * steps / seconds; };
  std::printf("  march %.3f s, %.4g body steps/s; gradient %.3f s%s, %.4g body steps/s; energy %.12g; peak %.0f MB\n", solved - start, rate(solved - start), swept,
              reverse.ok ? "" : " (failed)", rate(swept), reverse.value, peak_megabytes());
  const MarchReport& march = process->march_report();
  std::printf("  Newton steps %ld, factorisations %ld, adjoint solves %ld\n", march.newton_iterations, march.factorisations, march.adjoint_solves);
  if (device) std::printf("  host accesses: march %ld, gradient %ld; kernels %lld\n", between - before, accesses() - between, device->traffic().kernels);
}

}  // namespace

int main(int argc, char** argv) {
  restart_with_suitable_blas(argv);
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  std::string where = "none";
  if (argc > 2 && std::strcmp(argv[1], "--device") == 0) {
    where = argv[2];
    argc -= 2, argv += 2;
  }
  const auto argument = [&](int k, int otherwise) { return argc > k ? std::atoi(argv[k]) : otherwise; };
  if (argc > 1) {
    run(argument(1, 64), argument(2, 3), argument(3, 2), argument(4, 100), where);
  } else {
    std::printf("usage: bench_batch_steps [--device none|emulation|cuda] BODIES [CELLS_PER_SIDE [ORDER [STEPS]]]\n"
                "       order 1: hexahedra, order 2: tetrahedra\n");
  }
  check(PetscFinalize());
}
