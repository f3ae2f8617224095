#pragma once
#include <algorithm>

#include "libfem/form/point_kernel.hpp"

namespace invar {

/// The arbitrary Lagrangian–Eulerian form of Q: Donea, Huerta, Ponthot, Rodríguez-Ferran, Encyclopedia of Computational Mechanics (2004).
/// The mesh moves by a displacement d [m] of its nodes, which is part of the unknown. With F = 1 + ∂d/∂X, Q is evaluated at the position
/// x = X + d with the map A' = F A, its measure, and gradients ∂u/∂x = ∂u/∂X F⁻¹; its fluxes are pulled back to the undeformed mesh. On
/// facets, whose derivatives are along the facet, A' = A + ∂d/∂ξ. Rates that Q reads are those at nodes, which move with w = ∂d/∂t (zero at
/// rest): a form with convection declares `convects = true` and has flux(z, g, p, w), in which u − w carries the flow. Rows of d are zero.
/// d has the components First, …, First + dim − 1: those of Q if it has that many, else components after those of Q.
template <class Q, int First = Q::n_components>
struct Moving {
  static constexpr int dim = Q::dim, ref_dim = Q::ref_dim, n_components = std::max(Q::n_components, First + Q::dim);
  static_assert(First == Q::n_components || First + dim <= Q::n_components);
  static constexpr std::array<int, n_components> basis = [] {
    std::array<int, n_components> b{};
    std::copy(Q::basis.begin(), Q::basis.end(), b.begin());
    return b;
  }();
  static constexpr int n_own = slot_count<Q>;
  static constexpr bool convects = requires { requires Q::convects; };
  static constexpr int position = n_own + dim * ref_dim, mesh_velocity = position + (Q::uses_position ? dim : 0);  // first slots
  static constexpr auto slots = [] {
    auto gradient = gradient_slots<dim, ref_dim>();
    for (Slot& s : gradient) s.component += First;
    const auto motion = join(Q::slots, gradient);
    const auto placed = [&] {
      if constexpr (Q::uses_position) return join(motion, value_slots<dim, First>());
      else return motion;
    }();
    if constexpr (convects) return join(placed, at_level(Level::rate, value_slots<dim, First>()));
    else return placed;
  }();
  static constexpr std::size_t ns = slots.size();
  static constexpr bool symmetric = false, uses_position = Q::uses_position, functional = Functional<Q>, never_differentiated = NeverDifferentiated<Q>;
  static constexpr bool kinks = requires { requires Q::kinks; };
  static constexpr bool couples(int i, int j) { return i < Q::n_components && has_rows<Q>(i) && ((j >= First && j < First + dim) || invar::couples<Q>(i, j)); }

  Q q;
  int n_coefficients() const { return q.n_coefficients(); }

  template <class Tz, class Tg, class Tp>
    requires(!Functional<Q>)
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, ref_dim>& g, const Tp* p) const {
    using T = PromotedOf<Tz, Tg>;
    using R = PromotedOf<Tz, Tg, Tp>;
    const Place<T> at(z, g);
    const auto own = [&] {
      if constexpr (convects) {
        Vector<T, dim> w;
        for (int i = 0; i < dim; ++i) w[i] = T(z[mesh_velocity + i]);
        return q.flux(at.z, at.geometry, p, w);
      } else {
        return point_flux<Q, T, T, Tp>(q, at.z, at.geometry, p);
      }
    }();
    std::array<R, ns> f;
    for (R& entry : f) entry = R(0.0);
    static_for<n_own>([&](auto s) {
      if constexpr (is_gradient(s)) {
        for (int j = 0; j < dim; ++j) f[beside(s, j)] += own[s] * at.Finv(j, Q::slots[s].derivative);
      } else {
        f[s] += own[s];
      }
    });
    return f;
  }

  template <class Tz, class Tg, class Tp>
    requires Functional<Q>
  INVAR_HD auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, ref_dim>& g, const Tp* p) const {
    const Place<PromotedOf<Tz, Tg>> at(z, g);
    return q.density(at.z, at.geometry, p);
  }

  int n_memory() const
    requires HasMemory<Q>
  {
    return q.n_memory();
  }
  template <class Tz, class Tg, class Tp, class R>
    requires HasMemory<Q>
  INVAR_HD void update_memory(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, ref_dim>& g, const Tp* p, R* h) const {
    const Place<PromotedOf<Tz, Tg>> at(z, g);
    q.update_memory(at.z, at.geometry, p, h);
  }

 private:
  static constexpr bool is_gradient(int s) { return dim == ref_dim && Q::slots[s].derivative >= 0; }
  /// The slot of Q with the same component at the same level, and the derivative along axis j.
  static constexpr int beside(int s, int j) {
    for (int t = 0; t < n_own; ++t)
      if (Q::slots[t].component == Q::slots[s].component && Q::slots[t].level == Q::slots[s].level && Q::slots[t].derivative == j) return t;
    return -1;
  }
  static_assert([] {
    for (int s = 0; s < n_own; ++s)
      for (int j = 0; j < dim; ++j)
        if (is_gradient(s) && beside(s, j) < 0) return false;
    return true;
  }(), "a gradient has all its components");

  /// Input of Q at a point.
  template <class T>
  struct Place {
    PointGeometry<T, dim, ref_dim> geometry;
    Matrix<T, dim, dim> Finv;  // on cells
    SlotArray<Q, T> z;

    template <class Tz, class Tg>
    INVAR_HD Place(const std::array<Tz, ns>& given, const PointGeometry<Tg, dim, ref_dim>& g) {
      const auto motion = [&](int i, int j) { return given[n_own + i * ref_dim + j]; };
      if constexpr (dim == ref_dim) {
        Matrix<T, dim, dim> F;
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j) F(i, j) = T((i == j ? 1.0 : 0.0) + motion(i, j));
        geometry.A = matmul(F, g.A);
        geometry.measure = det(F) * g.measure;
        Finv = inverse(F);
      } else {
        for (int i = 0; i < dim; ++i)
          for (int m = 0; m < ref_dim; ++m) geometry.A(i, m) = T(g.A(i, m) + motion(i, m));
        geometry.measure = measure_of(geometry.A);
      }
      if constexpr (uses_position)
        for (int i = 0; i < dim; ++i) geometry.x[i] = T(g.x[i] + given[position + i]);
      static_for<n_own>([&](auto s) {
        if constexpr (is_gradient(s)) {
          z[s] = T(0.0);
          for (int j = 0; j < dim; ++j) z[s] += given[beside(s, j)] * Finv(j, Q::slots[s].derivative);
        } else {
          z[s] = T(given[s]);
        }
      });
    }
  };
};

}  // namespace invar
