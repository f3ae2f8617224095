#pragma once
#include <array>
#include <concepts>
#include <type_traits>
#include <utility>

#include "libfem/form/slot.hpp"
#include "libfem/math/dual.hpp"
#include "libfem/math/simd.hpp"
#include "libfem/math/tensor.hpp"

namespace invar {

/// Geometry at a quadrature point. T is a lane type or a dual over it.
template <class T, int Dim, int RefDim>
struct PointGeometry {
  Matrix<T, Dim, RefDim> A;  // ∂X/∂ξ
  Vector<T, Dim> x;          // X, m (only if the q-function asks for it)
  T measure;                 // det A on cells, area (length) element on facets
};

/// Result type of arithmetic between the arguments.
template <class... T>
using PromotedOf = std::remove_cvref_t<decltype((std::declval<T>() + ...))>;

/// Lane types: Pack on the host, Lane on a device, or Dual<…, 1> of these to carry one direction of differentiation.
template <class B>
inline constexpr bool carries_tangent = dual_depth_v<B> > 0;

/// A q-function is a plain struct with
///   dim, ref_dim          dimension of space, of the reference cell (dim − 1 on facets)
///   n_components          of the unknown
///   basis                 array: scalar basis (0 or 1) of each component
///   slots                 array of Slot: what it reads, and the test quantities that its flux multiplies
///   symmetric             ∂flux/∂z is symmetric (always so for densities), so that half of it is computed
///   uses_position         needs PointGeometry::x
///   n_coefficients()      number of coefficients
/// and one or both of
///   density(z, g, p)      scalar W·measure; its flux is derived from it by dual numbers
///   flux(z, g, p)         array of n_slots, measure included
/// and optionally
///   has_symmetric_tangent()  ∂flux/∂z is symmetric for these members, if `symmetric` is false because others are not
///   couples(i, j)         static: false if rows of component i depend on component j at no state; rows without any j have no flux
///   kinks                 true: second derivatives jump between formulas, e.g. of a model with branches
///   saddle_point          true: a density without a minimum where its flux vanishes, e.g. of a mixed formulation
///   tangent(z, g, p, D)   D = ∂flux/∂z, if it is available anyway; for symmetric forms D[s][t], s ≤ t
///   admissibility(z, g)   a number that must stay positive, e.g. det F
///   n_memory(), update_memory(z, g, p, h)
///                         history variables: their number, and h[k], their values after a step that ends here;
///                         p is then followed by the values of the previous step and the step length
/// z: slot values; g: PointGeometry; p: coefficients. Their scalar types may differ; results have the promoted type.
template <class Q>
inline constexpr int slot_count = static_cast<int>(Q::slots.size());

/// Whether rows of component i may depend on component j.
template <class Q>
constexpr bool couples(int i, int j) {
  if constexpr (requires { Q::couples(i, j); }) return Q::couples(i, j);
  else return true;
}
/// Whether component i has rows.
template <class Q>
constexpr bool has_rows(int i) {
  for (int j = 0; j < Q::n_components; ++j)
    if (couples<Q>(i, j)) return true;
  return false;
}

/// Position of a level among those that Q's slots read: the number of these before it.
template <class Q>
constexpr int level_position(Level level) {
  int position = 0;
  for (Level l : all_levels) {
    if (l == level) return position;
    for (const Slot& s : Q::slots)
      if (s.level == l) {
        ++position;
        break;
      }
  }
  return position;
}
template <class Q>
constexpr bool reads_level(Level level) {
  for (const Slot& s : Q::slots)
    if (s.level == level) return true;
  return false;
}

/// Number of nodal values that Q reads: the unknown's components at each level, one level after the other.
template <class Q>
constexpr int count_trial_numbers() {
  int levels = 0;
  for (Level l : all_levels) levels += reads_level<Q>(l);
  return Q::n_components * (levels > 0 ? levels : 1);
}
template <class Q>
inline constexpr int trial_count = count_trial_numbers<Q>();

/// Position of a slot among N nodal values: of all levels (trial), or one per component (test).
template <class Q, int N>
constexpr int place_of(const Slot& slot) {
  return slot.component + (N == Q::n_components ? 0 : Q::n_components * level_position<Q>(slot.level));
}

template <class Q, class T>
using SlotArray = std::array<T, slot_count<Q>>;

template <class Q, class B = Pack>
using SlotMatrix = std::array<SlotArray<Q, B>, slot_count<Q>>;

template <class Q>
concept HasFlux = requires(const Q& q, const SlotArray<Q, Pack>& z,
                           const PointGeometry<Pack, Q::dim, Q::ref_dim>& g, const Pack* p) {
  q.flux(z, g, p);
};
template <class Q>
concept HasDensity = requires(const Q& q, const SlotArray<Q, Pack>& z,
                              const PointGeometry<Pack, Q::dim, Q::ref_dim>& g, const Pack* p) {
  q.density(z, g, p);
};
template <class Q>
concept HasTangent = requires(const Q& q, const SlotArray<Q, Pack>& z,
                              const PointGeometry<Pack, Q::dim, Q::ref_dim>& g, const Pack* p, SlotMatrix<Q>& D) {
  q.tangent(z, g, p, D);
};
template <class Q>
concept HasAdmissibility = requires(const Q& q, const SlotArray<Q, Pack>& z,
                                    const PointGeometry<Pack, Q::dim, Q::ref_dim>& g) {
  q.admissibility(z, g);
};

/// Forms of preconditioners declare `never_differentiated = true`: only their values and matrices exist.
template <class Q>
concept NeverDifferentiated = requires { requires Q::never_differentiated; };
/// Densities for objectives only declare `functional = true`: their integral and its derivatives exist, but no residual.
template <class Q>
concept Functional = HasDensity<Q> && requires { requires Q::functional; };

template <class Q>
concept HasMemory = requires(const Q& q) { q.n_memory(); };
template <class Q>
int memory_per_point(const Q& q) {
  if constexpr (HasMemory<Q>) return q.n_memory();
  else return 0;
}
inline constexpr int max_memory = 80;  // per point

/// Number of simultaneous directions, of n, for duals over the lane type B: limited by registers and compile time.
template <class B>
constexpr int directions_at_once(int n) {
  const int scalars = detail::scalar_count<B>, most = scalars == 1 ? 4 : scalars == 2 ? 2 : 1, turns = (n + most - 1) / most;
  return (n + turns - 1) / turns;
}

/// The independent variable number `index`, if those from number `first` on are differentiated.
template <class D, class B>
INVAR_HD D seeded(const B& value, int index, int first) {
  D r;
  r.value = value;
  int k = first;
  for (auto& derivative : r.grad) derivative = B(index == k++ ? 1.0 : 0.0);
  return r;
}

/// flux(z): the q-function's own, or the gradient of its density.
template <class Q, class Tz, class Tg, class Tp>
INVAR_HD auto point_flux(const Q& q, const SlotArray<Q, Tz>& z,
                const PointGeometry<Tg, Q::dim, Q::ref_dim>& g, const Tp* p) {
  if constexpr (HasFlux<Q>) {
    return q.flux(z, g, p);
  } else {
    using R = PromotedOf<Tz, Tg, Tp>;
    constexpr int n = slot_count<Q>, width = directions_at_once<R>(n);
    using D = Dual<R, width>;
    SlotArray<Q, R> out;
    for (int first = 0; first < n; first += width) {
      SlotArray<Q, D> zd;
      for (int s = 0; s < n; ++s) zd[s] = seeded<D>(R(z[s]), s, first);
      const D w = q.density(zd, g, p);
      for (int k = 0; k < width && first + k < n; ++k) out[first + k] = w.grad[k];
    }
    return out;
  }
}

/// Virtual work Σ_s flux_s(z) y_s.
template <class Q, class Tz, class Ty, class Tg, class Tp>
INVAR_HD auto point_work(const Q& q, const SlotArray<Q, Tz>& z, const SlotArray<Q, Ty>& y,
                         const PointGeometry<Tg, Q::dim, Q::ref_dim>& g, const Tp* p) {
  constexpr int n = slot_count<Q>;
  using R = PromotedOf<Tz, Ty, Tg, Tp>;
  if constexpr (HasFlux<Q>) {
    const auto f = q.flux(z, g, p);
    R sum(0.0);
    for (int s = 0; s < n; ++s) sum += f[s] * y[s];
    return sum;
  } else {  // directional derivative of the density
    using D = Dual<R, 1>;
    SlotArray<Q, D> zd;
    for (int s = 0; s < n; ++s) {
      zd[s].value = R(z[s]);
      zd[s].grad[0] = R(y[s]);
    }
    const D w = q.density(zd, g, p);
    return w.grad[0];
  }
}

/// The scalars that forms differentiate: the density, the virtual work on y, or Σ_k m[k] h[k] over the history variables.
enum class PointScalar { density, work, memory };

template <PointScalar S, class Q, class Tz, class Ty, class Tg, class Tp>
INVAR_HD auto point_scalar(const Q& q, const SlotArray<Q, Tz>& z, const SlotArray<Q, Ty>& y,
                           const PointGeometry<Tg, Q::dim, Q::ref_dim>& g, const Tp* p,
                           const scalar_of_t<Tg>* m = nullptr) {
  if constexpr (S == PointScalar::work) {
    return point_work<Q, Tz, Ty, Tg, Tp>(q, z, y, g, p);
  } else if constexpr (S == PointScalar::density) {
    return q.density(z, g, p);
  } else {
    using R = PromotedOf<Tz, Tg, Tp>;
    R h[max_memory];
    q.update_memory(z, g, p, h);
    R sum(0.0);
    for (int k = 0; k < q.n_memory(); ++k) sum += m[k] * h[k];
    return sum;
  }
}

/// D = ∂flux/∂z: the q-function's own (symmetric: only s ≤ t), or by duals; then the first `n` rows and columns alone.
template <int n, class Q, class B>
INVAR_HD void first_point_tangent(const Q& q, const SlotArray<Q, B>& z, const PointGeometry<B, Q::dim, Q::ref_dim>& g, const B* p,
                            SlotMatrix<Q, B>& D) {
  if constexpr (requires { q.tangent(z, g, p, D); }) {
    q.tangent(z, g, p, D);
  } else {
    constexpr int width = directions_at_once<B>(n);
    using D1 = Dual<B, width>;
    for (int first = 0; first < n; first += width) {
      SlotArray<Q, D1> zd;
      for (int s = 0; s < slot_count<Q>; ++s) zd[s] = s < n ? seeded<D1>(z[s], s, first) : D1(z[s]);
      const auto f = point_flux<Q, D1, B, B>(q, zd, g, p);
      for (int s = 0; s < n; ++s)
        for (int k = 0; k < width && first + k < n; ++k) D[s][first + k] = f[s].grad[k];
    }
  }
}
template <class Q, class B>
INVAR_HD void point_tangent(const Q& q, const SlotArray<Q, B>& z, const PointGeometry<B, Q::dim, Q::ref_dim>& g, const B* p,
                            SlotMatrix<Q, B>& D) {
  first_point_tangent<slot_count<Q>>(q, z, g, p, D);
}

}  // namespace invar
