#pragma once
#include <algorithm>
#include <array>

#include "libfem/contact/closest_point.hpp"
#include "libfem/form/q_function.hpp"

namespace invar {

/// A law between the two closest points of a pair as a q-function of the pair. Its inputs are the relative positions of the pair's
/// vertices, X_i + u_i − (X_0 + u_0), i ≥ 1, and their rates if the law has `reads_rate`; the measure is the pair's weight. The
/// force F on the first point is distributed to the vertices with the coefficients of the closest points, the opposite force to
/// those of the other side: with frozen coefficients the power of F on the slip is that of the vertices' forces. Forces of two
/// edges are multiplied by `edge_edge_factor`, for which the last slots contain the directions at rest, a_1 − a_0 and b_1 − b_0;
/// their flux there is zero; their d̂ is the part `reach` of the law's.
///
/// Law has `reads_rate`, `functional`, `n_coefficients()` and `density(point, p)`, the value per weight; unless it is a functional
/// also `force(point, p)`, which is −∂density/∂(first point) if there is a density.
template <class Law, int Dim, PairKind Kind>
struct PairPoint {
  static constexpr int dim = Dim, ref_dim = Dim - 1, n_relative = vertex_count(Kind) - 1, n = n_relative * Dim, n_components = n;
  static constexpr std::array<int, n> basis{};
  static constexpr bool edges = Kind == PairKind::edge_edge;
  static constexpr int first_rest = Law::reads_rate ? 2 * n : n;  // slot
  static constexpr auto slots = [] {
    constexpr auto rest = at_level(Level::predicted, value_slots<edges ? 6 : 0>());
    if constexpr (Law::reads_rate) return join(join(value_slots<n>(), at_level(Level::rate, value_slots<n>())), rest);
    else return join(value_slots<n>(), rest);
  }();
  static constexpr bool functional = Law::functional, symmetric = !functional && !Law::reads_rate && !edges, uses_position = false;
  static constexpr std::size_t ns = slots.size();

  Law law;
  Pack reach = Pack(1.0);  // ContactSurface::edge_reach

  int n_coefficients() const { return law.n_coefficients(); }

  template <class Tz, class Tg, class Tp>
  auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, Dim, Dim - 1>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    Tz proportions[n_relative];
    const auto w = law.density(point_of(z, proportions), within_reach(p).data());
    if constexpr (edges) return R(w * factor_of(z) * g.measure);
    else return R(w * g.measure);
  }

  template <class Tz, class Tg, class Tp>
    requires(!Law::functional)
  auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, Dim, Dim - 1>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    Tz proportions[n_relative];
    const ContactPoint<Tz, Dim> point = point_of(z, proportions);
    const auto coefficients = within_reach(p);
    const auto force = law.force(point, coefficients.data());
    std::array<R, ns> f;
    for (std::size_t s = n; s < ns; ++s) f[s] = R(0.0);
    for (int k = 0; k < n_relative; ++k)
      for (int i = 0; i < Dim; ++i) f[k * Dim + i] = R(-(force[i] * proportions[k] * g.measure));
    if constexpr (edges) {
      const auto energy = law.density(point, coefficients.data());
      Tz slope[n];
      const Tz factor = factor_gradient(z, slope);
      for (int s = 0; s < n; ++s) f[s] = R(f[s] * factor + energy * slope[s] * g.measure);
    }
    return f;
  }

 private:
  static constexpr int most_coefficients = 4;
  /// The law's coefficients with the pair's d̂, the second one.
  template <class Tp>
  std::array<Tp, most_coefficients> within_reach(const Tp* p) const {
    std::array<Tp, most_coefficients> own{};
    std::copy_n(p, n_coefficients(), own.begin());
    if constexpr (edges) own[1] = own[1] * reach;
    return own;
  }
  /// Connecting vector and directions of two edges, present and at rest.
  template <class T>
  struct Edges {
    Vector<T, 3> r, e, f, E, F;
  };
  template <class T>
  static Edges<T> edges_of(const std::array<T, ns>& z) {
    Edges<T> x;
    for (int i = 0; i < 3; ++i) {
      x.r[i] = z[i], x.e[i] = z[6 + i] - z[i], x.f[i] = z[3 + i];
      x.E[i] = z[first_rest + i], x.F[i] = z[first_rest + 3 + i];
    }
    return x;
  }
  template <class T>
  static T factor_of(const std::array<T, ns>& z) {
    const Edges<T> x = edges_of(z);
    return edge_edge_factor(x.r, x.e, x.f, x.E, x.F);
  }
  /// The factor and its derivatives by the relative positions.
  template <class T>
  static T factor_gradient(const std::array<T, ns>& z, T* slope) {
    const Edges<T> x = edges_of(z);
    Vector<T, 3> by_r, by_e, by_f;
    const T factor = edge_edge_factor_gradient(x.r, x.e, x.f, x.E, x.F, by_r, by_e, by_f);
    for (int i = 0; i < 3; ++i) slope[i] = by_r[i] - by_e[i], slope[3 + i] = by_f[i], slope[6 + i] = by_e[i];
    return factor;
  }
  template <class T>
  static ContactPoint<T, Dim> point_of(const std::array<T, ns>& z, T* proportions) {
    ContactPoint<T, Dim> c;
    closest_points<Kind>(z.data(), c.distance, c.normal, proportions);
    for (int i = 0; i < Dim; ++i) {
      c.velocity[i] = T(0.0);
      if constexpr (Law::reads_rate)
        for (int k = 0; k < n_relative; ++k) c.velocity[i] += proportions[k] * z[n + k * Dim + i];
    }
    return c;
  }
};

}  // namespace invar
