#pragma once
#include <numbers>

#include "libfem/form/q_form.hpp"

namespace invar {

/// ∫ w(z; c) over cells, of one component and one coefficient; over the full circle where axisymmetric. W has
/// `slots<Dim>`, what z holds, and w as `value`, a template of its scalar; it may have members.
template <class W, int Dim, bool Axisymmetric>
struct ScalarDensity {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = W::template slots<Dim>();
  static constexpr bool symmetric = true, uses_position = Axisymmetric;
  W w{};

  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  auto density(const std::array<Tz, slots.size()>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* c) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const R density = w.template value<R>(z, c[0]);
    if constexpr (Axisymmetric) return R(density * ((2 * std::numbers::pi) * g.x[0] * g.measure));
    else return R(density * g.measure);
  }
};

/// The form of that density. dim: of space.
template <class W>
std::unique_ptr<WeakForm> make_scalar_density(int dim, bool axisymmetric, CellBatches cells, const W& w = {}) {
  if (dim == 3) return make_form(ScalarDensity<W, 3, false>{w}, std::move(cells));
  return axisymmetric ? make_form(ScalarDensity<W, 2, true>{w}, std::move(cells))
                      : make_form(ScalarDensity<W, 2, false>{w}, std::move(cells));
}

}  // namespace invar
