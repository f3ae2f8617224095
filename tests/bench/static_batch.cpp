// Equilibria and gradients of many neo-Hookean bodies at rest with different numbers: each alone, then all together (`StaticBatch`), in the
// same process.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "libadjoint/sampling/static_batch.hpp"
#include "libadjoint/solve/blas_settings.hpp"
#include "libfem/design/field/copied_equation.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/solid/solid_device.hpp"
#include "tests/bench/measure.hpp"
#include "tests/support/copied_body.hpp"

using namespace invar;

namespace {

struct Clock {
  double wall = now(), processor = processor_seconds();
};

void print(const char* what, const Clock& begin, int bodies) {
  const double seconds = now() - begin.wall, work = processor_seconds() - begin.processor;
  std::printf("  %s %.3f s (%.3f of a processor), %.3g ms a body\n", what, seconds, work, 1e3 * seconds / bodies);
}

void run(int bodies, int cells, int order, const std::string& where, const std::string& method) {
  const Mesh one = make_box({0, 0, 0}, {1, 1, 1}, {cells, cells, cells}, order == 1 ? Shape::hexahedron : Shape::tetrahedron, order);
  const std::vector<double> times = {0.5, 1.0};
  const std::shared_ptr<Device> device = where == "none" ? nullptr : make_device(where == "cuda" ? Device::Kind::cuda : Device::Kind::emulation);
  const auto place = [&](FormResidual& r) {
    if (device) move_to_device(r, solid_device_forms(), device);
  };
  const auto body = [&](const Mesh& mesh) { return std::make_unique<test::CopiedBody>(mesh, 0, false, times, PETSC_COMM_WORLD, test::CopiedBody::Options{.place = place}); };
  std::vector<std::unique_ptr<test::CopiedBody>> all;
  std::vector<DesignVector> numbers, alone(static_cast<std::size_t>(bodies)), together(alone);
  for (int k = 0; k < bodies; ++k) {
    all.push_back(body(one));
    numbers.push_back(all.back()->functional->start());
    for (std::size_t i = 0; i < numbers.back().shared.size(); ++i) numbers.back().shared[i] *= 1 + 0.2 * std::sin(2.0 * k + static_cast<double>(i));
  }
  std::printf("%d bodies of %d unknowns, 2 load steps%s%s\n", bodies, all[0]->dofs->n_local(), device ? ", " : "", device ? device->description().c_str() : "");
  const auto gradient = [&](int k, std::vector<DesignVector>& g) {
    const auto at = static_cast<std::size_t>(k);
    all[at]->functional->forget();
    if (const Evaluation e = all[at]->functional->gradient(numbers[at], g[at]); !e.ok) std::printf("  body %d failed: %s\n", k, e.reason.c_str());
  };
  gradient(0, alone);  // libraries are loaded
  const Clock begin;
  for (int k = 0; k < bodies; ++k) gradient(k, alone);
  print("alone", begin, bodies);
  const double seconds = now() - begin.wall, work = processor_seconds() - begin.processor;

  const Clock set_up;
  const MeshCopies copies(one, bodies);
  const auto common = body(copies.mesh());
  const std::vector<ControlInfo> controls = common->residual->controls();
  for (std::size_t c = 0; c < controls.size(); ++c)
    if (std::ranges::find(common->names, controls[c].name) != common->names.end()) common->residual->spread_control(static_cast<int>(c));
  LinearSolverOptions linear;
  linear.method = method;
  std::vector<std::shared_ptr<StaticCase>> cases;
  for (const auto& b : all) cases.push_back(std::dynamic_pointer_cast<StaticCase>(b->process));
  StaticBatch batch(common->residual, std::make_shared<LinearSolver>(PETSC_COMM_WORLD, linear),
                    std::make_shared<CopiedEquation>(*all[0]->residual, *common->residual, copies), std::move(cases));
  print("set-up of the common equation", set_up, bodies);
  const Clock shared;
  batch.run([&](int k) { gradient(k, together); });
  print("together", shared, bodies);
  std::printf("  ratio alone : together %.2f of wall clock, %.2f of processors\n", seconds / (now() - shared.wall), work / (processor_seconds() - shared.processor));
  double worst = 0;
  for (std::size_t k = 0; k < alone.size(); ++k)
    for (std::size_t i = 0; i < alone[k].shared.size(); ++i)
      worst = std::max(worst, std::abs(together[k].shared[i] - alone[k].shared[i]) / std::abs(alone[k].shared[i]));
  const StaticBatch::Counts counts = batch.counts();
  std::printf("  largest difference of gradients %.1e; %ld equilibria and %ld adjoints together, %ld requests refused; %ld Newton steps, %d factorisations; peak %.0f MB\n",
              worst, counts.equilibria, counts.adjoints, counts.refused, counts.newton_steps, counts.factorisations, peak_megabytes());
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  std::string where = "none", method = "auto";
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--device") && i + 1 < argc) where = argv[++i];
    else if (!std::strcmp(argv[i], "--linear") && i + 1 < argc) method = argv[++i];
    else sizes.push_back(std::atoi(argv[i]));
  }
  sizes.resize(3, 0);
  const auto given = [](int n, int otherwise) { return n > 0 ? n : otherwise; };
  run(given(sizes[0], 32), given(sizes[1], 2), given(sizes[2], 2), where, method);
  PetscFinalize();
}
