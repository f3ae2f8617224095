#pragma once
#include <algorithm>

#include "libfem/form/q_function.hpp"

namespace invar {

/// The equation of a solid as one of first order in time, with its velocity v [m/s] among the unknowns: what Q says of the
/// displacement is tested with v. The first components are those of Q, then as many of v. With v continuous between a
/// solid and a fluid, their tractions balance because they share test functions: Hron, Turek, in Fluid-Structure
/// Interaction, LNCSE 53 (2006). What Q reads at the level of rates are rates of the displacement.
template <class Q>
struct FirstOrder : Q {
  static constexpr int n_own = slot_count<Q>, n_components = 2 * Q::n_components;
  static constexpr std::array<int, n_components> basis{};
  static constexpr auto slots = [] {
    auto tested = at_level(Level::value, Q::slots);
    for (Slot& s : tested) s.component += Q::n_components;
    return join(Q::slots, tested);
  }();
  static constexpr std::size_t ns = slots.size();
  static constexpr bool symmetric = false;

  template <class Tz, class Tg, class Tp>
  auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, Q::dim, Q::ref_dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto own = Q::flux(first(z), g, p);
    std::array<R, ns> f;
    for (int s = 0; s < n_own; ++s) f[s] = R(0.0), f[n_own + s] = own[s];
    return f;
  }

  void tangent(const std::array<Pack, ns>& z, const PointGeometry<Pack, Q::dim, Q::ref_dim>& g, const Pack* p,
               std::array<std::array<Pack, ns>, ns>& D) const
    requires(HasTangent<Q> && Q::symmetric)
  {
    SlotMatrix<Q> own;
    Q::tangent(first(z), g, p, own);
    for (auto& row : D) row.fill(Pack(0.0));
    for (int s = 0; s < n_own; ++s)
      for (int t = 0; t < n_own; ++t) D[n_own + s][t] = own[std::min(s, t)][std::max(s, t)];
  }

  template <class T>
  T admissibility(const std::array<T, ns>& z, const PointGeometry<T, Q::dim, Q::ref_dim>& g) const
    requires HasAdmissibility<Q>
  {
    return Q::admissibility(first(z), g);
  }

 private:
  template <class T>
  static SlotArray<Q, T> first(const std::array<T, ns>& z) {
    SlotArray<Q, T> own;
    std::copy_n(z.begin(), n_own, own.begin());
    return own;
  }
};

}  // namespace invar
