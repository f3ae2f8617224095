#pragma once
#include <functional>
#include <optional>

#include "libadjoint/reduced_functional.hpp"

namespace invar::toy {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
constexpr double infinity = std::numeric_limits<double>::infinity();

inline Vector to_eigen(const std::vector<double>& x) {
  return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size()));
}
inline std::vector<double> to_std(const Vector& x) { return {x.data(), x.data() + x.size()}; }
inline DesignVector shared(std::vector<double> x) { return {std::move(x), {}}; }

/// A function of a few shared variables by hand-written value, gradient and Hessian. `fails` says
/// where it cannot be evaluated. Derivatives at the point that was evaluated last are not counted.
struct Function : ReducedFunctional {
  std::vector<double> x0, lo, up;
  std::function<double(const Vector&)> f;
  std::function<Vector(const Vector&)> g;
  std::function<Matrix(const Vector&)> h;
  std::function<bool(const Vector&)> fails = [](const Vector&) { return false; };
  int calls = 0;
  std::vector<double> last{};

  explicit Function(std::vector<double> start)
      : x0(std::move(start)), lo(x0.size(), -infinity), up(x0.size(), infinity) {}

  MPI_Comm comm() const override { return MPI_COMM_WORLD; }
  DesignVector start() const override { return shared(x0); }
  DesignVector lower() const override { return shared(lo); }
  DesignVector upper() const override { return shared(up); }
  std::vector<std::string> names() const override {
    std::vector<std::string> n;
    for (std::size_t i = 0; i < x0.size(); ++i) n.push_back("x" + std::to_string(i));
    return n;
  }
  Evaluation value(const DesignVector& t) override {
    if (last != t.shared) ++calls, last = t.shared;
    const Vector x = to_eigen(t.shared);
    return fails(x) ? Evaluation::failure("x is in the bad region") : Evaluation::success(f(x));
  }
  Evaluation gradient(const DesignVector& t, DesignVector& out) override {
    const Evaluation e = value(t);
    if (e.ok) out = shared(to_std(g(to_eigen(t.shared))));
    return e;
  }
  Evaluation directional(const DesignVector& t, const DesignVector& v, double& d) override {
    const Evaluation e = value(t);
    if (e.ok) d = g(to_eigen(t.shared)).dot(to_eigen(v.shared));
    return e;
  }
  Evaluation hessian_action(const DesignVector& t, const DesignVector& v,
                            DesignVector& out) override {
    const Evaluation e = value(t);
    if (e.ok) out = shared(to_std(h(to_eigen(t.shared)) * to_eigen(v.shared)));
    return e;
  }
};

/// Rosenbrock's banana, 100 (y − x²)² + (1 − x)²; minimum 0 at (1, 1).
inline Function rosenbrock(std::vector<double> start = {-1.2, 1.0}) {
  Function r(std::move(start));
  r.f = [](const Vector& x) {
    return 100 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1 - x[0], 2);
  };
  r.g = [](const Vector& x) -> Vector {
    const double a = x[1] - x[0] * x[0];
    return Eigen::Vector2d(-400 * x[0] * a - 2 * (1 - x[0]), 200 * a);
  };
  r.h = [](const Vector& x) -> Matrix {
    Matrix m(2, 2);
    m << 1200 * x[0] * x[0] - 400 * x[1] + 2, -400 * x[0], -400 * x[0], 200;
    return m;
  };
  return r;
}

/// ½‖ρ(x)‖² by hand-written residuals and Jacobian. Counts forward solves: the Jacobian reuses
/// the state of a residual evaluation at the same point directly before it.
struct Fit : LeastSquaresFunctional {
  std::vector<double> x0, lo, up;
  std::vector<double> steps{};  // largest ones; empty: anything
  int m;
  std::function<Vector(const Vector&)> rho;
  std::function<Matrix(const Vector&)> drho;
  std::function<bool(const Vector&)> fails = [](const Vector&) { return false; };
  std::optional<std::vector<double>> state;
  std::vector<std::vector<double>> solves;

  Fit(std::vector<double> start, int residuals)
      : x0(std::move(start)), lo(x0.size(), -infinity), up(x0.size(), infinity), m(residuals) {}

  Evaluation solve(const DesignVector& t) {
    if (state != t.shared) {
      solves.push_back(t.shared);
      state = t.shared;
    }
    const Vector x = to_eigen(t.shared);
    return fails(x) ? Evaluation::failure("x is in the bad region")
                    : Evaluation::success(0.5 * rho(x).squaredNorm());
  }
  MPI_Comm comm() const override { return MPI_COMM_WORLD; }
  DesignVector start() const override { return shared(x0); }
  DesignVector lower() const override { return shared(lo); }
  DesignVector upper() const override { return shared(up); }
  std::vector<std::string> names() const override {
    std::vector<std::string> n;
    for (std::size_t i = 0; i < x0.size(); ++i) n.push_back("x" + std::to_string(i));
    return n;
  }
  int residual_count() const override { return m; }
  std::vector<double> largest_steps() const override { return steps; }
  Evaluation residuals(const DesignVector& t, Vector& out) override {
    const Evaluation e = solve(t);
    if (e.ok) out = rho(to_eigen(t.shared));
    return e;
  }
  Evaluation jacobian(const DesignVector& t, Vector& r, Matrix& j) override {
    const Evaluation e = residuals(t, r);
    if (e.ok) j = drho(to_eigen(t.shared));
    return e;
  }
  Evaluation value(const DesignVector& t) override { return solve(t); }
  Evaluation gradient(const DesignVector& t, DesignVector& out) override {
    const Evaluation e = solve(t);
    const Vector x = to_eigen(t.shared);
    if (e.ok) out = shared(to_std(drho(x).transpose() * rho(x)));
    return e;
  }
  Evaluation directional(const DesignVector& t, const DesignVector& v, double& d) override {
    const Evaluation e = solve(t);
    const Vector x = to_eigen(t.shared);
    if (e.ok) d = rho(x).dot(drho(x) * to_eigen(v.shared));
    return e;
  }
  Evaluation hessian_action(const DesignVector&, const DesignVector&, DesignVector&) override {
    return Evaluation::failure("not given");
  }
};

/// Uniaxial stress of a two-term exponential (Fung-like) rubber, P = c (λ − λ⁻²) exp(k (I₁ − 3)),
/// fitted to its own stretches 1.1 … 3.0; parameters ln c and k.
inline Fit exponential_fit(double ln_c, double k, std::vector<double> start) {
  const Vector stretch = Vector::LinSpaced(20, 1.1, 3.0);
  const auto stress = [stretch](double lnc, double kk) -> Vector {
    const auto l = stretch.array();
    return (std::exp(lnc) * (l - l.pow(-2)) * (kk * (l.square() + 2 / l - 3)).exp()).matrix();
  };
  const Vector data = stress(ln_c, k);
  Fit fit(std::move(start), 20);
  fit.rho = [=](const Vector& x) -> Vector { return (stress(x[0], x[1]) - data) / 0.1; };
  fit.drho = [=](const Vector& x) -> Matrix {
    const Vector p = stress(x[0], x[1]) / 0.1;
    Matrix j(20, 2);
    j.col(0) = p;
    j.col(1) = p.array() * (stretch.array().square() + 2 / stretch.array() - 3);
    return j;
  };
  return fit;
}

/// Stress of a Maxwell element that relaxes, σ(t) = G exp(−t / τ), seen from t = 0.25 to 5 s with an error of 1 %:
/// G = 2 MPa, τ = 0.7 s; parameters ln G and ln τ. From τ = 80 s the data look like a straight line, and the linear
/// model of ln τ leaps to where nothing depends on it any more.
inline Fit relaxation_fit(double modulus, double time) {
  const Vector t = Vector::LinSpaced(20, 0.25, 5);
  const auto stress = [t](const Vector& x) -> Vector {
    return (std::exp(x[0]) * (-t / std::exp(x[1])).array().exp()).matrix();
  };
  const Vector data = stress(Eigen::Vector2d(std::log(2.0), std::log(0.7)));
  Fit fit({std::log(modulus), std::log(time)}, 20);
  fit.rho = [=](const Vector& x) -> Vector { return (stress(x) - data) / 0.02; };
  fit.drho = [=](const Vector& x) -> Matrix {
    const Vector s = stress(x) / 0.02;
    Matrix j(20, 2);
    j.col(0) = s;
    j.col(1) = s.array() * t.array() / std::exp(x[1]);
    return j;
  };
  return fit;
}

/// J = Σᵢ w_i (q_i − a² sin i)² + (a − 1)² + (b + 2)², i the global index of a field of n entries
/// spread over the ranks, a and b shared; minimum 0 at q_i = sin i, a = 1, b = −2. It fails where
/// any q_i > wall.
struct Distributed : ReducedFunctional {
  int first = 0, last = 0;  // this rank's field entries
  double field_upper = infinity, wall = infinity;

  explicit Distributed(int n) {
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = n * rank / size;
    last = n * (rank + 1) / size;
  }
  std::size_t local() const { return static_cast<std::size_t>(last - first); }
  static double weight(int i) { return 1 + i % 3; }
  MPI_Comm comm() const override { return MPI_COMM_WORLD; }
  DesignVector start() const override { return {{0.5, 0.0}, std::vector<double>(local(), 0.0)}; }
  DesignVector lower() const override {
    return {{-infinity, -infinity}, std::vector<double>(local(), -infinity)};
  }
  DesignVector upper() const override {
    return {{infinity, infinity}, std::vector<double>(local(), field_upper)};
  }
  std::vector<std::string> names() const override { return {"a", "b"}; }
  Evaluation gradient(const DesignVector& t, DesignVector& g) override {
    const double a = t.shared[0], b = t.shared[1];
    double sums[2] = {0, 0};  // misfit, its derivative by a
    int bad = 0;
    g = DesignVector::zeros_like(t);
    for (int i = first; i < last; ++i) {
      const auto k = static_cast<std::size_t>(i - first);
      const double d = t.local[k] - a * a * std::sin(i);
      sums[0] += weight(i) * d * d;
      sums[1] -= 4 * weight(i) * d * a * std::sin(i);
      g.local[k] = 2 * weight(i) * d;
      bad += t.local[k] > wall;
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    g.shared = {sums[1] + 2 * (a - 1), 2 * (b + 2)};
    // Only the rank that sees the failure reports it: the optimiser must make it known.
    if (bad) return Evaluation::failure("the field crosses the wall");
    return Evaluation::success(sums[0] + std::pow(a - 1, 2) + std::pow(b + 2, 2));
  }
  Evaluation value(const DesignVector& t) override {
    DesignVector g;
    return gradient(t, g);
  }
  Evaluation directional(const DesignVector& t, const DesignVector& v, double& d) override {
    DesignVector g;
    const Evaluation e = gradient(t, g);
    d = dot(g, v, comm());
    return e;
  }
  Evaluation hessian_action(const DesignVector& t, const DesignVector& v, DesignVector& out) override {
    const double a = t.shared[0], a_dot = v.shared[0];
    double by_a = 0;
    out = DesignVector::zeros_like(t);
    for (int i = first; i < last; ++i) {
      const auto k = static_cast<std::size_t>(i - first);
      const double s = std::sin(i), d = t.local[k] - a * a * s, d_dot = v.local[k] - 2 * a * a_dot * s;
      out.local[k] = 2 * weight(i) * d_dot;
      by_a -= 4 * weight(i) * s * (d_dot * a + d * a_dot);
    }
    MPI_Allreduce(MPI_IN_PLACE, &by_a, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    out.shared = {by_a + 2 * a_dot, 2 * v.shared[1]};
    return Evaluation::success(0);
  }
};

}  // namespace invar::toy
