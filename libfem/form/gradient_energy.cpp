#include "libfem/form/gradient_energy.hpp"

#include <numbers>

#include "libfem/form/q_form.hpp"

namespace invar {
namespace {

template <int Dim, bool Axisymmetric>
struct GradientEnergy {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = gradient_slots<1, Dim>();
  static constexpr bool symmetric = true, uses_position = Axisymmetric;
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* c) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    R w(0.0);
    for (int j = 0; j < Dim; ++j) w += 0.5 * (c[0] * (z[j] * z[j]));
    if constexpr (Axisymmetric) return R(w * ((2 * std::numbers::pi) * g.x[0] * g.measure));
    else return R(w * g.measure);
  }
};

}  // namespace

std::unique_ptr<WeakForm> make_gradient_energy(int dim, bool axisymmetric, CellBatches cells) {
  if (dim == 3) return make_form(GradientEnergy<3, false>{}, std::move(cells));
  return axisymmetric ? make_form(GradientEnergy<2, true>{}, std::move(cells))
                      : make_form(GradientEnergy<2, false>{}, std::move(cells));
}

}  // namespace invar
