#include "libfem/design/field/density_forms.hpp"

#include <numbers>

#include "libfem/form/q_form.hpp"

namespace invar {
namespace {

/// c. A form needs a slot: it is the unknown's first component, which is not looked at.
template <int Dim, bool Axisymmetric>
struct CoefficientDensity {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = value_slots<1>();
  static constexpr bool symmetric = true, uses_position = Axisymmetric;
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>&, const PointGeometry<Tg, Dim, Dim>& g, const Tp* c) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    if constexpr (Axisymmetric) return R(c[0] * ((2 * std::numbers::pi) * g.x[0] * g.measure));
    else return R(c[0] * g.measure);
  }
};

}  // namespace

std::unique_ptr<WeakForm> make_coefficient_integral(int dim, bool axisymmetric, CellBatches cells) {
  if (dim == 3) return make_form(CoefficientDensity<3, false>{}, std::move(cells));
  return axisymmetric ? make_form(CoefficientDensity<2, true>{}, std::move(cells))
                      : make_form(CoefficientDensity<2, false>{}, std::move(cells));
}

}  // namespace invar
