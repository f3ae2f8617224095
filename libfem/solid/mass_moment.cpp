#include "libfem/solid/mass_moment.hpp"

#include <stdexcept>

#include "libfem/form/q_form.hpp"
#include "libfem/solid/load_geometry.hpp"

namespace invar {
namespace {

template <int Dim, int RefDim, bool Axisymmetric>
struct MassMoment {
  static constexpr int dim = Dim, ref_dim = RefDim, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = value_slots<Dim>();
  static constexpr bool functional = true, symmetric = true, uses_position = true;

  int component = -1;
  int n_coefficients() const { return 2; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim>& u, const PointGeometry<Tg, Dim, RefDim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const R mass(p[0] * p[1] * (g.measure * LoadGeometry<Dim, Axisymmetric>::ring(g)));
    return component < 0 ? mass : R(mass * (g.x[component] + u[component]));
  }
};

}  // namespace

std::unique_ptr<WeakForm> make_mass_moment(int component, int ref_dim, bool axisymmetric, CellBatches domain) {
  const int dim = domain.dofs->mesh().dim;
  if (component >= dim || (ref_dim != dim && ref_dim != dim - 1))
    throw std::invalid_argument("a moment of mass needs an axis, and cells or facets");
  const bool cells = ref_dim == dim;
  const auto form = [&](auto q) { return make_form(q, std::move(domain)); };
  if (dim == 3) return cells ? form(MassMoment<3, 3, false>{component}) : form(MassMoment<3, 2, false>{component});
  if (axisymmetric) return cells ? form(MassMoment<2, 2, true>{component}) : form(MassMoment<2, 1, true>{component});
  return cells ? form(MassMoment<2, 2, false>{component}) : form(MassMoment<2, 1, false>{component});
}

}  // namespace invar
