#pragma once
#include <Eigen/Dense>
#include <array>
#include <utility>
#include <vector>

#include "libadjoint/time/time_scheme.hpp"
#include "tests/support/dense.hpp"
#include "tests/unit/adjoint/time_models.hpp"

namespace invar::toy {

/// The schemes by their textbook formulas, in complex numbers: derivatives by the complex step. Shares nothing
/// with the tables: rates, accelerations or slopes are solved for where textbooks do.
template <class Model>
class Reference {
 public:
  using C = std::complex<double>;
  using D = Dual<C>;
  using Kind = TimeScheme::Kind;
  Reference(const Model& model, Kind kind, int order, double rho, Column<C> d)
      : m_(model), kind_(kind), order_(order), rho_(rho), d_(std::move(d)) {}

  /// What is observed at the beginning and after each step.
  std::vector<Levels<C>> march(double t, const std::vector<double>& lengths) {
    u_ = start(Level::value), v_ = order_ == 2 ? start(Level::rate) : zeros();
    u1_ = u_, v1_ = v_, a_ = zeros();
    u0_ = u_, v0_ = v_, a0_ = start(Level::acceleration), t0_ = t;
    past_.clear();
    std::vector<Levels<C>> seen;
    if (order_ == 2 && (kind_ == Kind::newmark || kind_ == Kind::generalised_alpha)) {
      a_ = solve(t, t, true, [&](const Column<D>& z) { return Point{z, {of(u_), of(v_), z, of(u_)}}; }).y[2];
    }
    Column<C> p0 = u_;
    for (std::size_t i = 0; i < m_.algebraic.size(); ++i)
      if (m_.algebraic[i]) p0[i] = 0;
    seen.push_back({p0, v_, a_, zeros()});
    if (order_ == 1) seen.back()[1] = zeros();
    double before = 0;
    for (const double h : lengths) {
      seen.push_back(step(t, h, before));
      if (past_.empty()) {
        observe_start(seen.front());
        Column<C> earlier = u_;
        for (int i : m_.constrained) earlier[i] = motion(i, u_[i], t + h, t - h)[0];
        past_ = {{t - h, earlier}, {t, u0_}};
      }
      t += h;
      past_.push_back({t, u_});
      before = h;
    }
    return seen;
  }

 private:
  struct Point { Column<D> x; Levels<D> y; };
  struct Solved { Column<C> x; Levels<C> y; };

  Column<C> zeros() const { return Column<C>(m_.n, C(0)); }
  static Column<D> of(const Column<C>& x) { return {x.begin(), x.end()}; }
  static Column<C> values(const Column<D>& x) {
    Column<C> out;
    for (const D& e : x) out.push_back(e.v);
    return out;
  }
  Column<C> start(Level level) const { return values(m_.template initial<D>(level, of(d_))); }
  template <class F>
  Column<D> each(F&& f) const {
    Column<D> out(m_.n);
    for (int i = 0; i < m_.n; ++i) out[i] = f(i);
    return out;
  }

  /// What the initial state does not contain is observed from the first solve.
  void observe_start(Levels<C>& seen) const {
    if (order_ == 2 && (kind_ == Kind::newmark || kind_ == Kind::generalised_alpha)) return;
    seen[order_] = first_[order_];
    if (differences_motion())
      for (int i : m_.constrained) seen[2][i] = a0_[i];
    for (std::size_t i = 0; i < m_.algebraic.size(); ++i)
      if (m_.algebraic[i]) seen[0][i] = first_[0][i], seen[1][i] = seen[2][i] = 0;
  }

  /// Whether the slopes of what is prescribed are those of the motion, not the scheme's.
  bool differences_motion() const {
    return order_ == 2 && (kind_ == Kind::newmark || kind_ == Kind::generalised_alpha || kind_ == Kind::sdirk2);
  }
  /// At time t of the cubic through x at time `end` and the three values before, or the initial value and its two
  /// derivatives: value, rate and acceleration, by Newton's divided differences.
  template <class T>
  std::array<T, 3> motion(int i, const T& x, double end, double t) const {
    std::vector<double> at{t0_, t0_, t0_, end};
    std::vector<T> f{T(u0_[i]), T(v0_[i]), T(0.5 * a0_[i]), T(0)};
    if (past_.empty()) {
      const double e = end - t0_;
      f[3] = (((x - f[0]) / e - f[1]) / e - f[2]) / e;
    } else {
      const std::size_t n = past_.size();
      for (int j = 0; j < 3; ++j) at[j] = past_[n - 3 + j].first, f[j] = T(past_[n - 3 + j].second[i]);
      f[3] = x;
      for (int order = 1; order < 4; ++order)
        for (int j = 3; j >= order; --j) f[j] = (f[j] - f[j - 1]) / (at[j] - at[j - order]);
    }
    const double a = t - at[0], b = t - at[1], c = t - at[2];
    return {f[0] + a * f[1] + a * b * f[2] + a * b * c * f[3], f[1] + (a + b) * f[2] + (a * b + b * c + c * a) * f[3],
            2.0 * f[2] + 2.0 * (a + b + c) * f[3]};
  }

  template <class Map>
  Solved solve(double t, double t_constraints, bool starts, const Map& map) {
    Column<C> z = zeros();
    const auto at = [&](int seed) {
      Column<D> zd = of(z);
      if (seed >= 0) zd[seed].e = 1;
      Point p = map(zd);
      for (std::size_t i = 0; i < m_.algebraic.size(); ++i)
        if (m_.algebraic[i]) p.x[i] = p.y[0][i] = zd[i], p.y[1][i] = p.y[2][i] = p.y[3][i] = D(0);
      if (differences_motion() && !starts)
        for (int i : m_.constrained) {
          const auto slopes = motion(i, p.x[i], t_constraints, t);
          p.y[1][i] = slopes[1], p.y[2][i] = slopes[2], p.y[3][i] = p.x[i];
        }
      return p;
    };
    const auto equation = [&](const Point& p) {
      Column<D> r = m_.residual(p.y, of(d_), t);
      for (int i : m_.constrained) r[i] = p.x[i] - (starts ? D(a0_[i]) : m_.constraint(i, of(d_), t_constraints));
      return r;
    };
    for (int iteration = 0, last = 40; iteration < last; ++iteration) {
      Eigen::MatrixXcd K(m_.n, m_.n);
      Eigen::VectorXcd r(m_.n);
      for (int j = 0; j < m_.n; ++j) {
        const Column<D> column = equation(at(j));
        for (int i = 0; i < m_.n; ++i) K(i, j) = column[i].e, r[i] = column[i].v;
      }
      const Eigen::VectorXcd dz = test::dense_solve(K, r);
      double size = 1;
      for (int i = 0; i < m_.n; ++i) z[i] -= dz[i], size = std::max(size, std::abs(z[i]));
      if (dz.norm() < 1e-13 * size) last = std::min(last, iteration + 3);
    }
    const Point p = at(-1);
    if (first_.empty() && !starts) first_ = {values(p.y[0]), values(p.y[1]), values(p.y[2])};
    return {values(p.x), {values(p.y[0]), values(p.y[1]), values(p.y[2]), values(p.y[3])}};
  }

  Levels<C> step(double t, double h, double before) {
    const bool first = before == 0;
    const auto u = of(u_), v = of(v_), a = of(a_), u1 = of(u1_), v1 = of(v1_);
    const auto rates = [&](const Column<D>& x, auto&& rate_of) { return each([&](int i) { return rate_of(x[i], i); }); };
    switch (kind_) {
      case Kind::backward_euler:
      case Kind::bdf2: {
        // slope at the end of the parabola through three values, by divided differences
        const auto slope = [&](const D& x, const D& now, const D& past) {
          const D chord = (x - now) / h;
          return first || kind_ == Kind::backward_euler ? chord : chord + h / (h + before) * (chord - (now - past) / before);
        };
        const Solved s = solve(t + h, t + h, false, [&](const Column<D>& z) {
          const auto rate = each([&](int i) { return slope(z[i], u[i], u1[i]); });
          const auto acceleration = each([&](int i) { return order_ == 2 ? slope(rate[i], v[i], v1[i]) : D(0); });
          const auto predicted = each([&](int i) {
            if (kind_ == Kind::bdf2 && !first) return u[i] + h * (u[i] - u1[i]) / before;
            return order_ == 2 ? u[i] + h * v[i] : u[i];
          });
          return Point{z, {z, rate, acceleration, predicted}};
        });
        u1_ = u_, v1_ = v_, u_ = s.x, v_ = s.y[1];
        return {s.y[0], s.y[1], s.y[2], zeros()};
      }
      case Kind::midpoint: {
        Column<D> end_rate;
        const Solved s = solve(t + h / 2, t + h, false, [&](const Column<D>& z) {
          end_rate = each([&](int i) { return 2.0 * (z[i] - u[i]) / h - v[i]; });
          return Point{z, {each([&](int i) { return 0.5 * (z[i] + u[i]); }), each([&](int i) { return (z[i] - u[i]) / h; }),
                           each([&](int i) { return order_ == 2 ? (end_rate[i] - v[i]) / h : D(0); }),
                           each([&](int i) { return order_ == 2 ? u[i] + 0.5 * h * v[i] : first ? u[i] : u[i] + 0.5 * h * (u[i] - u1[i]) / before; })}};
        });
        u1_ = u_, u_ = s.x;
        if (order_ == 2) v_ = values(end_rate);
        Column<C> value = s.x, rate = order_ == 2 ? v_ : s.y[1];
        for (std::size_t i = 0; i < m_.algebraic.size(); ++i)
          if (m_.algebraic[i]) v_[i] = rate[i] = 0;
        return {value, rate, s.y[2], zeros()};
      }
      case Kind::newmark:
      case Kind::generalised_alpha:
        return order_ == 2 ? alpha_second(t, h) : alpha_first(t, h, first);
      case Kind::sdirk2: return sdirk2(t, h, before);
      case Kind::central_differences: {  // v: in the middle of the step before
        Column<D> x, middle;
        const Solved s = solve(t, t + h, false, [&](const Column<D>& a_now) {
          middle = each([&](int i) { return v[i] + 0.5 * (before + h) * a_now[i]; });
          x = each([&](int i) { return u[i] + h * middle[i]; });
          return Point{x, {u, each([&](int i) { return v[i] + 0.5 * before * a_now[i]; }), a_now, u}};
        });
        u_ = s.x, v_ = values(middle);
        Column<C> rate = v_;
        for (int i = 0; i < m_.n; ++i) rate[i] += 0.5 * h * s.y[2][i];
        return {u_, rate, s.y[2], zeros()};
      }
      case Kind::pressure_correction: break;  // splits the unknowns, which a reference does not
    }
    (void)rates;
    return {};
  }

  Levels<C> alpha_second(double t, double h) {
    const bool newmark = kind_ == Kind::newmark;
    const double am = newmark ? 0 : (2 * rho_ - 1) / (rho_ + 1), af = newmark ? 0 : rho_ / (rho_ + 1);
    const double gamma = 0.5 - am + af, beta = std::pow(1 - am + af, 2) / 4;
    const auto u = of(u_), v = of(v_), a = of(a_);
    Column<D> x, rate, z_end;
    solve(t + (1 - af) * h, t + h, false, [&](const Column<D>& z) {
      z_end = z;
      x = each([&](int i) { return u[i] + h * v[i] + h * h * ((0.5 - beta) * a[i] + beta * z[i]); });
      rate = each([&](int i) { return v[i] + h * ((1 - gamma) * a[i] + gamma * z[i]); });
      return Point{x, {each([&](int i) { return (1 - af) * x[i] + af * u[i]; }), each([&](int i) { return (1 - af) * rate[i] + af * v[i]; }),
                       each([&](int i) { return (1 - am) * z[i] + am * a[i]; }), each([&](int i) { return u[i] + (1 - af) * h * v[i]; })}};
    });
    u_ = values(x), v_ = values(rate), a_ = values(z_end);
    for (int i : m_.constrained) {
      const auto slopes = motion(i, u_[i], t + h, t + h);
      v_[i] = slopes[1], a_[i] = slopes[2];
    }
    return {u_, v_, a_, zeros()};
  }

  Levels<C> alpha_first(double t, double h, bool first) {
    const double am = first ? 1 : 0.5 * (3 - rho_) / (1 + rho_), af = first ? 1 : 1 / (1 + rho_), gamma = first ? 1 : 0.5 + am - af;
    const auto u = of(u_), v = of(v_);
    Column<D> x, rate;
    const Solved s = solve(t + af * h, t + h, false, [&](const Column<D>& z) {
      rate = z;
      x = each([&](int i) { return u[i] + h * ((1 - gamma) * v[i] + gamma * z[i]); });
      return Point{x, {each([&](int i) { return u[i] + af * (x[i] - u[i]); }), each([&](int i) { return v[i] + am * (z[i] - v[i]); }),
                       each([](int) { return D(0); }), each([&](int i) { return first ? u[i] : u[i] + af * h * v[i]; })}};
    });
    u_ = s.x, v_ = values(rate);
    for (std::size_t i = 0; i < m_.algebraic.size(); ++i)
      if (m_.algebraic[i]) v_[i] = 0;
    return {u_, v_, zeros(), zeros()};
  }

  // Slopes k of u and l of v; a_ (order 2: v_) holds the last slope of u.
  Levels<C> sdirk2(double t, double h, double before) {
    const double g = 1 - std::sqrt(0.5);
    const auto u = of(u_), v = of(v_);
    Solved s[2];
    Column<D> k[2], l[2];
    for (int stage = 0; stage < 2; ++stage) {
      const double c = stage == 0 ? g : 1;
      s[stage] = solve(t + c * h, t + c * h, false, [&](const Column<D>& z) {
        const auto sum = [&](const Column<D>& from, const Column<D>* slopes, const Column<D>& slope) {
          return each([&](int i) { return from[i] + h * (g * slope[i] + (stage == 1 ? (1 - g) * slopes[0][i] : D(0))); });
        };
        k[stage] = z;
        if (order_ == 2) l[stage] = z, k[stage] = sum(v, l, z);
        const auto x = sum(u, k, k[stage]);
        const auto last = stage == 1 ? k[0] : order_ == 2 ? v : of(a_);
        return Point{x, {x, k[stage], order_ == 2 ? z : each([](int) { return D(0); }), each([&](int i) { return u[i] + c * h * last[i]; })}};
      });
      k[stage] = of(s[stage].y[1]);
    }
    // What is read at the end, P, from P + c₂ h w, P − (1 − γ) h P' + c₁ h w and P − h P' + c₂ h₋ w.
    Levels<C> seen{s[1].y[0], s[1].y[1], s[1].y[2], zeros()};
    if (order_ == 1 && before > 0) {
      Eigen::Matrix3d M;
      M << 1, 0, -0.5 * (1 - g) * h, 1, -(1 - g) * h, 0.5 * g * h, 1, -h, -0.5 * (1 - g) * before;
      const Eigen::RowVector3d weights = M.inverse().row(0);
      for (int i = 0; i < m_.n; ++i) {
        const bool multiplier = !m_.algebraic.empty() && m_.algebraic[i];
        const int level = multiplier ? 0 : 1;
        seen[level][i] = weights[0] * s[1].y[level][i] + weights[1] * s[0].y[level][i] + weights[2] * (multiplier ? u_[i] : a_[i]);
      }
    }
    u_ = s[1].x, a_ = s[1].y[1];
    if (order_ == 2) v_ = s[1].y[1];
    return seen;
  }

  std::vector<Column<C>> first_;  // levels of the first solve
  const Model& m_;
  Kind kind_;
  int order_;
  double rho_;
  Column<C> d_, u_, v_, a_, u1_, v1_;
  Column<C> u0_, v0_, a0_;                            // of the start; of a0_ what is prescribed counts
  double t0_ = 0;
  std::vector<std::pair<double, Column<C>>> past_;  // values one step before the start, there and after each step
};

}  // namespace invar::toy
