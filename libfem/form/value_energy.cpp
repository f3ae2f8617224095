#include "libfem/form/value_energy.hpp"

#include <numbers>

#include "libfem/form/q_form.hpp"

namespace invar {
namespace {

template <int Dim, bool Axisymmetric>
struct ValueEnergy {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = value_slots<1>();
  static constexpr bool symmetric = true, uses_position = Axisymmetric;
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* c) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const R w = 0.5 * (c[0] * (z[0] * z[0]));
    if constexpr (Axisymmetric) return R(w * ((2 * std::numbers::pi) * g.x[0] * g.measure));
    else return R(w * g.measure);
  }
};

}  // namespace

std::unique_ptr<WeakForm> make_value_energy(int dim, bool axisymmetric, CellBatches cells) {
  if (dim == 3) return make_form(ValueEnergy<3, false>{}, std::move(cells));
  return axisymmetric ? make_form(ValueEnergy<2, true>{}, std::move(cells))
                      : make_form(ValueEnergy<2, false>{}, std::move(cells));
}

}  // namespace invar
