#pragma once
#include <numbers>

#include "libfem/form/q_form.hpp"

namespace invar {

/// ∫ w(z; c) over cells, of one component and one coefficient; over the full circle where axisymmetric. W has `slots<Dim>`, what z holds,
/// and w as `value`, a template of its scalar.
template <class W, int Dim, bool Axisymmetric>
struct ScalarDensity {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = W::template slots<Dim>();
  static constexpr bool symmetric = true, uses_position = Axisymmetric;
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  auto density(const std::array<Tz, slots.size()>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* c) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const R w = W::template value<R>(z, c[0]);
    if constexpr (Axisymmetric) return R(w * ((2 * std::numbers::pi) * g.x[0] * g.measure));
    else return R(w * g.measure);
  }
};

/// The form of that density. dim: of space.
template <class W>
std::unique_ptr<WeakForm> make_scalar_density(int dim, bool axisymmetric, CellBatches cells) {
  if (dim == 3) return make_form(ScalarDensity<W, 3, false>{}, std::move(cells));
  return axisymmetric ? make_form(ScalarDensity<W, 2, true>{}, std::move(cells))
                      : make_form(ScalarDensity<W, 2, false>{}, std::move(cells));
}

}  // namespace invar
