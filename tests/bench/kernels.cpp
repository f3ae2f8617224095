// Element kernels of the compressible neo-Hookean solid, ns per element on one core: the tangent from
// duals against the same kernel coded by hand, in packs and in plain numbers; then residual, Jacobian
// action and products with the adjoint, as the library computes them. All variants run interleaved;
// the least processor time of many repetitions counts. The hand-coded kernel exists in the benchmarks only.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>

#include "libfem/form/q_form.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/solid/displacement_form.hpp"
#include "libfem/solid/shared_material.hpp"
#include "libfem/solid/material_library.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/scalar/hand_coded_tangent.hpp"

namespace invar {

/// Reaches the element matrices, which QForm keeps to itself.
struct ElementMatrixProbe {
  template <class Q, class Use>
  static void each_batch(const QForm<Q>& form, const FormState& at, Use&& use) {
    BatchCoefficients<Pack> coefficients(form.coefficients_, {});
    typename QForm<Q>::template Nodal<Pack> e;
    for (const BatchGroup& g : form.domain_.groups) {
      ElementMatrix<Q> Ke(g);
      for (int b = 0; b < g.n_batches; ++b) {
        form.gather_coordinates(g, b, at, {}, e);
        form.gather_state(g, b, at, {}, e);
        form.element_matrix(g, b, e, coefficients, 1.0, Ke);
        use(b, Ke);
      }
    }
  }
};

}  // namespace invar

using namespace invar;
using bench::poisson, bench::young;

namespace {

double seconds(const std::function<void()>& work) {
  const double start = processor_seconds();
  work();
  return processor_seconds() - start;
}

template <int N>
void measure(const char* name, Shape shape, int order, int cells, int degree) {
  auto mesh = std::make_shared<const Mesh>(make_box({0, 0, 0}, {1, 1, 1}, {cells, cells, cells}, shape, order));
  auto dofs = std::make_shared<const DofMap>(
      mesh, std::vector<Component>{{"u_x", order}, {"u_y", order}, {"u_z", order}}, PETSC_COMM_SELF);
  const std::shared_ptr<const Material> material = make_material({"neo_hookean"});
  using Form = QForm<DisplacementForm<SpatialKinematics, SharedMaterial>>;
  Form form({material}, CellBatches::on_cells(dofs, "", degree));
  form.coefficients() = {Coefficient::constant(young), Coefficient::constant(poisson)};
  const CellBatches batches = CellBatches::on_cells(dofs, "", degree);
  const BatchGroup& g = batches.groups[0];
  const int n_cells = mesh->cells[0].count();

  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(-0.02 / cells, 0.02 / cells);
  std::vector<double> X = mesh->coordinates, u(dofs->n_local()), l(u.size()), out(u.size());
  for (double& x : X) x += noise(random);
  for (double& v : u) v = noise(random);
  for (double& v : l) v = noise(random);
  const FormState at{u.data(), X.data()};

  static Pack K[N][N][3][3], Xe[N][3], Ue[N][3];
  const auto packs = [&](auto&& use) {
    for (int b = 0; b < g.n_batches; ++b) {
      for (int a = 0; a < N; ++a)
        for (int i = 0; i < 3; ++i) {
          Xe[a][i] = gather(X.data(), &g.node[(std::size_t(b) * N + a) * simd_width], 3, i);
          Ue[a][i] = gather(u.data(), g.dofs(i, b).first + a * simd_width, 1, i);
        }
      bench::coded_by_hand<0, Pack, N>(g, Xe, Ue, K);
      use(b);
    }
  };
  static double Ks[N][N][3][3], Xs[N][3], Us[N][3];
  volatile double sink = 0;
  const auto numbers = [&](auto&& kernel) {
    for (int c = 0; c < n_cells; ++c) {
      for (int a = 0; a < N; ++a)
        for (int i = 0; i < 3; ++i) {
          const int node = mesh->cells[0].nodes[std::size_t(c) * N + a];
          Xs[a][i] = X[3 * node + i];
          Us[a][i] = u[3 * node + i];
        }
      kernel(g, Xs, Us, Ks);
      sink = sink + Ks[0][1][0][0];
    }
  };

  // The three agree.
  double difference = 0, largest = 0;
  packs([&](int wanted) {
    if (wanted != g.n_batches / 2) return;
    ElementMatrixProbe::each_batch(form, at, [&](int b, const auto& Ke) {
      if (b != wanted) return;
      for (int a = 0; a < N; ++a)
        for (int c = a; c < N; ++c)
          for (int k = 0; k < 9; ++k)
            for (int lane = 0; lane < simd_width; ++lane) {
              const double mine = Ke.block(a, c)[k][lane], hand = K[a][c][k / 3][k % 3][lane];
              difference = std::max(difference, std::abs(mine - hand));
              largest = std::max(largest, std::abs(hand));
            }
    });
  });

  struct Row {
    const char* what;
    std::function<void()> work;
    double best = 1e30;
  };
  FormCotangent shape_bar, state_bar;
  std::vector<double> X_bar(X.size());
  shape_bar.coordinates = X_bar.data();
  state_bar.unknown = out.data();
  Row rows[] = {
      {"tangent, duals", [&] { ElementMatrixProbe::each_batch(form, at, [](int, const auto&) {}); }},
      {"tangent, SIMD by hand", [&] { packs([&](int) { sink = sink + K[0][1][0][0][0]; }); }},
      {"tangent, scalar by hand", [&] { numbers(bench::coded_in_numbers<N>); }},
      {"  the same vectorised by GCC", [&] { numbers(bench::coded_by_hand<1, double, N>); }},
      {"residual", [&] { form.residual(at, out.data()); }},
      {"Jacobian action", [&] { form.jvp(at, FormTangent{.unknown = l.data(), .coefficients = {}}, out.data()); }},
      {"vjp to the unknown", [&] { form.vjp(at, l.data(), state_bar); }},
      {"vjp to coordinates", [&] { form.vjp(at, l.data(), shape_bar); }},
      {"  its tangent, unknown", [&] { form.vjp_tangent(at, l.data(), FormTangent{.unknown = l.data()}, state_bar); }},
      {"  its tangent, coordinates", [&] { form.vjp_tangent(at, l.data(), FormTangent{.unknown = l.data()}, shape_bar); }},
  };
  for (int repetition = 0; repetition < 40; ++repetition)
    for (Row& r : rows)
      if (repetition < 10 || (&r != &rows[2] && &r != &rows[3])) r.best = std::min(r.best, seconds(r.work));
  std::printf("%s, %d points, %d cells (largest difference from the hand-coded one %.0e of %.0e)\n", name, g.n_points(),
              n_cells, difference, largest);
  for (const Row& r : rows) std::printf("  %-28s %9.1f ns per element\n", r.what, r.best / n_cells * 1e9);
  std::printf("  duals / SIMD by hand %.3f (goal 1.15), duals / scalar by hand %.3f (goal 0.20), vectorised by GCC %.3f\n",
              rows[0].best / rows[1].best, rows[0].best / rows[2].best, rows[0].best / rows[3].best);
}

}  // namespace

int main(int argc, char** argv) {
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  measure<10>("tet10", Shape::tetrahedron, 2, 8, 2);
  measure<10>("tet10", Shape::tetrahedron, 2, 8, 4);
  measure<8>("hex8", Shape::hexahedron, 1, 12, 2);
  measure<27>("hex27", Shape::hexahedron, 2, 6, 4);
  check(PetscFinalize());
}
