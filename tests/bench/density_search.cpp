// What an iteration of a topology search costs beside the solves: filter and projection of a density, their transposes, and a step of a
// constrained method, on a box of hexahedra. The equation is replaced by a sum over cells, w_c/E_c, of negligible cost.
#include <cmath>
#include <cstdio>
#include <string>

#include "libadjoint/optimize/optimizer.hpp"
#include "libadjoint/solve/blas_settings.hpp"
#include "libfem/design/field/cone_filter.hpp"
#include "libfem/design/field/density_design.hpp"
#include "libfem/design/field/helmholtz_filter.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/cell_centres.hpp"
#include "libfem/mesh/distribute.hpp"
#include "tests/bench/measure.hpp"

using namespace invar;

namespace {

/// Least Σ w_c V_c/E_c with a limit on the volume of material; seconds in maps, of all calls.
class SumOverCells final : public ReducedFunctional {
 public:
  SumOverCells(std::shared_ptr<CellFilter> filter, DensityDesign design) : filter_(std::move(filter)), design_(std::move(design)) {
    const std::vector<double> x = cell_centres(filter_->mesh());
    for (int c = 0; c < filter_->cell_count(); ++c) weights_.push_back(1.1 + std::sin(7 * x[3 * c]) * std::cos(5 * x[3 * c + 1] + x[3 * c + 2]));
  }
  double seconds = 0;

  MPI_Comm comm() const override { return filter_->mesh().comm; }
  DesignVector start() const override { return design_.start(); }
  DesignVector lower() const override { return design_.lower(); }
  DesignVector upper() const override { return design_.upper(); }
  std::vector<std::string> names() const override { return {}; }
  std::vector<ConstraintInfo> constraints() const override { return {{.name = "volume", .upper = 0.3}}; }
  Evaluation hessian_action(const DesignVector&, const DesignVector&, DesignVector&) override { return Evaluation::failure("not here"); }
  Evaluation directional(const DesignVector&, const DesignVector&, double&) override { return Evaluation::failure("not here"); }

  Evaluation value(const DesignVector& theta) override {
    if (Evaluation e = apply(theta); !e.ok) return e;
    return Evaluation::success(sum([&](int c) { return weights_[c] / d_[0][1][c]; }));
  }
  Evaluation constraint_values(const DesignVector&, std::vector<double>& c) override {
    c = {sum([&](int k) { return d_[0][0][k]; })};
    return Evaluation::success(0);
  }
  Evaluation gradients(const DesignVector& theta, DesignVector& g, std::vector<double>& c, std::vector<DesignVector>& of_c) override {
    const Evaluation e = value(theta);
    if (!e.ok) return e;
    constraint_values(theta, c);
    const auto pulled = [&](int control, auto slope, DesignVector& bar) {
      std::vector<Controls> d_bar{Controls(2)};
      for (int k = 0; k < filter_->cell_count(); ++k) d_bar[0][control].push_back(filter_->volumes()[k] * slope(k));
      const double begin = processor_seconds();
      bar = DesignVector::zeros_like(theta);
      const Evaluation done = design_.vjp(theta, d_bar, bar);
      seconds += processor_seconds() - begin;
      return done;
    };
    of_c.resize(1);
    if (Evaluation done = pulled(1, [&](int k) { return -weights_[k] / (d_[0][1][k] * d_[0][1][k]); }, g); !done.ok) return done;
    if (Evaluation done = pulled(0, [](int) { return 1.0; }, of_c[0]); !done.ok) return done;
    return e;
  }
  Evaluation gradient(const DesignVector& theta, DesignVector& g) override {
    std::vector<double> c;
    std::vector<DesignVector> of_c;
    return gradients(theta, g, c, of_c);
  }

 private:
  Evaluation apply(const DesignVector& theta) {
    if (theta == at_) return Evaluation::success(0);
    const double begin = processor_seconds();
    const Evaluation e = design_.apply(theta, d_);
    seconds += processor_seconds() - begin;
    at_ = theta;
    return e;
  }
  template <class F>
  double sum(const F& f) const {
    double all = 0;
    for (int c = 0; c < filter_->cell_count(); ++c)
      if (filter_->owned()[c]) all += filter_->volumes()[c] * f(c);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, comm());
    return all;
  }

  std::shared_ptr<CellFilter> filter_;
  DensityDesign design_;
  std::vector<double> weights_;
  std::vector<Controls> d_{Controls(2)};
  DesignVector at_;
};

void run(int n, const std::string& method, bool cone) {
  const auto mesh = std::make_shared<const Mesh>(distribute(make_box({0, 0, 0}, {1, 1, 1}, {n, n, n}, Shape::hexahedron), PETSC_COMM_WORLD));
  const double begin = processor_seconds();
  std::shared_ptr<CellFilter> filter;
  if (cone) filter = std::make_shared<ConeFilter>(mesh, 3.0 / n, false);
  else filter = std::make_shared<HelmholtzFilter>(mesh, 3.0 / n, false);
  SumOverCells f(filter, DensityDesign(filter, "", {{.steepness = 2, .law = DensityStage::Law::simp, .void_share = 1e-3}}, {0.3}, {{0, 0, 1}}));
  const double made = processor_seconds();
  OptimizerOptions options;
  options.max_iterations = 10;
  options.conservative = false;
  double first = 0, maps = 0;
  options.on_iteration = [&](const IterationReport& r, const DesignVector&) {
    if (r.iteration == 1) first = processor_seconds(), maps = f.seconds;
    return true;
  };
  const OptimizerResult r = make_optimizer(method, options)->minimize(f, f.start());
  const double each = (processor_seconds() - first) / (r.iterations - 1), of_maps = (f.seconds - maps) / (r.iterations - 1);
  double memory = peak_megabytes();
  MPI_Allreduce(MPI_IN_PLACE, &memory, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0)
    std::printf("%d densities, filter by %s, %s: set-up of the filter %.2f s; an iteration %.3f s of processor time (goal 0.5), of which filter, projection and their transposes %.3f s, the method "
                "%.3f s; %d iterations, sum %.9e, %.0f MB\n",
                n * n * n, cone ? "cones" : "Helmholtz' equation", method.c_str(), made - begin, each, of_maps, each - of_maps, r.iterations, r.value, memory);
}

}  // namespace

int main(int argc, char** argv) {
  choose_suitable_blas();
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  if (argc < 3) {
    std::printf("usage: bench_density_search CELLS_PER_EDGE mma|interior_point [cone]\n");
    return 2;
  }
  run(std::atoi(argv[1]), argv[2], argc > 3 && argv[3] == std::string("cone"));
  check(PetscFinalize());
}
