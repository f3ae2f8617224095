// Element kernels of the compressible neo-Hookean solid, ns per element on one core: the tangent from
// duals against the same kernel coded by hand, in packs and in plain numbers; then residual, Jacobian
// action and products with the adjoint, as the library computes them. All variants run interleaved;
// the least of many repetitions counts. The hand-coded kernels exist in this file only.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>

#include "libfem/form/q_form.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/solid/displacement_form.hpp"
#include "libfem/solid/material_library.hpp"

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
        form.gather_unknown(g, b, at.unknown, nullptr, e.U);
        form.element_matrix(g, b, e, coefficients, Ke);
        use(b, Ke);
      }
    }
  }
};

}  // namespace invar

using namespace invar;

namespace {

constexpr double young = 10, poisson = 0.3;

/// K_ab of all node pairs a ≤ b, [a][b][3][3], from nodal coordinates and displacements [N][3]. The
/// tangent of P = μ (F − F⁻ᵀ) + λ ln(J) F⁻ᵀ is written out:
///   A_iJkL = μ δ_ik δ_JL + λ G_iJ G_kL + (μ − λ ln J) G_iL G_kJ,   G = F⁻ᵀ
template <class T, int N>
void coded_by_hand(const BatchGroup& g, const T (*X)[3], const T (*U)[3], T (*K)[N][3][3]) {
  const double mu = young / (2 * (1 + poisson)), lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  const int points = g.n_points();
  constexpr int max_points = 27;
  static T grad[max_points][N][3], A[max_points][9][9], DB[max_points][9][3];
  for (int q = 0; q < points; ++q) {
    const double* dN = &g.geometry.dN[q * N * 3];
    Matrix<T, 3, 3> M{}, H{};
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i)
        for (int m = 0; m < 3; ++m) {
          M(i, m) += dN[3 * a + m] * X[a][i];
          H(i, m) += dN[3 * a + m] * U[a][i];
        }
    const Matrix<T, 3, 3> Minv = inverse(M);
    Matrix<T, 3, 3> F = H * Minv;
    for (int i = 0; i < 3; ++i) F(i, i) += 1.0;
    const T w = g.weights[q] * det(M), J = det(F), log_j = log(J);
    const Matrix<T, 3, 3> G = cofactor(F) * T(1.0 / J);
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i)
        grad[q][a][i] = dN[3 * a] * Minv(0, i) + dN[3 * a + 1] * Minv(1, i) + dN[3 * a + 2] * Minv(2, i);
    const T w_lambda = w * lambda, w_mu = w * mu, w_beta = w * (mu - lambda * log_j);
    INVAR_UNROLL
    for (int r = 0; r < 9; ++r) {
      const int i = r / 3, j = r % 3;
      const T p = w_lambda * G.entries[r];
      INVAR_UNROLL
      for (int s = r; s < 9; ++s) {
        const int k = s / 3, l = s % 3;
        T v = p * G.entries[s] + w_beta * (G(i, l) * G(k, j));
        if (r == s) v += w_mu;
        A[q][r][s] = A[q][s][r] = v;
      }
    }
  }
  for (int b = 0; b < N; ++b) {
    for (int q = 0; q < points; ++q)
      for (int j = 0; j < 3; ++j)
        for (int r = 0; r < 9; ++r)
          DB[q][r][j] = A[q][r][3 * j] * grad[q][b][0] + A[q][r][3 * j + 1] * grad[q][b][1] +
                        A[q][r][3 * j + 2] * grad[q][b][2];
    // Two rows of blocks at a time: each entry of DB that is loaded serves twice.
    const auto rows = [&]<int R>(std::integral_constant<int, R>, int a) {
      T block[R][3][3];
      for (int r = 0; r < R; ++r)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) block[r][i][j] = T(0.0);
      for (int q = 0; q < points; ++q) {
        INVAR_UNROLL
        for (int s = 0; s < 9; ++s)
          INVAR_UNROLL
          for (int j = 0; j < 3; ++j)
            INVAR_UNROLL
            for (int r = 0; r < R; ++r) block[r][s / 3][j] += grad[q][a + r][s % 3] * DB[q][s][j];
      }
      for (int r = 0; r < R; ++r)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) K[a + r][b][i][j] = block[r][i][j];
    };
    int a = 0;
    for (; a + 1 <= b; a += 2) rows(std::integral_constant<int, 2>{}, a);
    if (a <= b) rows(std::integral_constant<int, 1>{}, a);
  }
}

double seconds(const std::function<void()>& work) {
  using namespace std::chrono;
  const auto start = steady_clock::now();
  work();
  return duration<double>(steady_clock::now() - start).count();
}

template <int N>
void measure(const char* name, Shape shape, int order, int cells, int degree) {
  auto mesh = std::make_shared<const Mesh>(make_box({0, 0, 0}, {1, 1, 1}, {cells, cells, cells}, shape, order));
  auto dofs = std::make_shared<const DofMap>(
      mesh, std::vector<Component>{{"u_x", order}, {"u_y", order}, {"u_z", order}}, PETSC_COMM_SELF);
  const auto material = make_material({"neo_hookean"});
  using Form = QForm<DisplacementForm<SpatialKinematics>>;
  Form form({material.get()}, CellBatches::on_cells(dofs, "", degree));
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
          Ue[a][i] = gather(u.data(), &g.dof[(std::size_t(b) * N + a) * simd_width], 1, i);
        }
      coded_by_hand<Pack, N>(g, Xe, Ue, K);
      use(b);
    }
  };
  static double Ks[N][N][3][3], Xs[N][3], Us[N][3];
  volatile double sink = 0;
  const auto numbers = [&] {
    for (int c = 0; c < n_cells; ++c) {
      for (int a = 0; a < N; ++a)
        for (int i = 0; i < 3; ++i) {
          const int node = mesh->cells[0].nodes[std::size_t(c) * N + a];
          Xs[a][i] = X[3 * node + i];
          Us[a][i] = u[3 * node + i];
        }
      coded_by_hand<double, N>(g, Xs, Us, Ks);
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
      {"tangent, scalar by hand", numbers},
      {"residual", [&] { form.residual(at, out.data()); }},
      {"Jacobian action", [&] { form.jvp(at, FormTangent{l.data(), nullptr, nullptr, {}}, out.data()); }},
      {"vjp to the unknown", [&] { form.vjp(at, l.data(), state_bar); }},
      {"vjp to coordinates", [&] { form.vjp(at, l.data(), shape_bar); }},
  };
  for (int repetition = 0; repetition < 25; ++repetition)
    for (Row& r : rows)
      if (repetition < 5 || &r != &rows[2]) r.best = std::min(r.best, seconds(r.work));
  std::printf("%s, %d points, %d cells (largest difference from the hand-coded one %.0e of %.0e)\n", name, g.n_points(),
              n_cells, difference, largest);
  for (const Row& r : rows) std::printf("  %-26s %9.1f ns per element\n", r.what, r.best / n_cells * 1e9);
  std::printf("  duals / SIMD by hand %.3f (goal 1.15), duals / scalar by hand %.3f (goal 0.20)\n",
              rows[0].best / rows[1].best, rows[0].best / rows[2].best);
}

}  // namespace

int main(int argc, char** argv) {
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  measure<10>("tet10", Shape::tetrahedron, 2, 8, 2);
  measure<8>("hex8", Shape::hexahedron, 1, 12, 2);
  measure<27>("hex27", Shape::hexahedron, 2, 6, 4);
  check(PetscFinalize());
}
