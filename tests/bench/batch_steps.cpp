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

  struct Clock {
    double wall = now(), processor = processor_seconds();
  };
  const auto print = [&](const char* what, const Clock& begin, long accesses_before) {
    const double seconds = now() - begin.wall;
    std::printf("  %s %.3f s (%.3f of a processor), %.4g body steps/s", what, seconds, processor_seconds() - begin.processor, static_cast<double>(bodies) * steps / seconds);
    if (device) std::printf(", %ld host accesses", accesses() - accesses_before);
    std::printf("\n");
  };
  const Clock start;
  long before = accesses();
  const Evaluation forward = batch.functional->solve(theta);
  if (!forward.ok) {
    std::printf("  failed: %s\n", forward.reason.c_str());
    return;
  }
  print("march", start, before);
  const Clock solved;
  before = accesses();
  const Evaluation reverse = batch.functional->gradient(theta, g);
  print(reverse.ok ? "gradient" : "failed gradient", solved, before);
  const MarchReport& march = process->march_report();
  std::printf("  energy %.12g; Newton steps %ld, factorisations %ld, adjoint solves %ld; peak %.0f MB\n", reverse.value, march.newton_iterations, march.factorisations,
              march.adjoint_solves, peak_megabytes());
  if (device) std::printf("  %lld kernels\n", device->traffic().kernels);
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
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
