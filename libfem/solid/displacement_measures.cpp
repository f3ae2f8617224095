#include "libfem/solid/displacement_measures.hpp"

#include "libfem/form/q_form.hpp"
#include "libfem/solid/load_geometry.hpp"

namespace invar {
namespace {

/// Enclosed volume by Gauss's theorem on the deformed surface. The oriented area element is that of FollowerPressure, so the
/// pressure is work-conjugate to the volume.
template <int Dim, bool Axisymmetric>
struct DeformedVolume {
  static constexpr int dim = Dim, ref_dim = Dim - 1, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = join(value_slots<Dim>(), gradient_slots<Dim, Dim - 1>());
  static constexpr bool functional = true, symmetric = true, uses_position = true;
  static constexpr std::size_t ns = Dim + Dim * (Dim - 1);

  VolumeAxis axis = {};
  int n_coefficients() const { return 0; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, Dim, Dim - 1>& g, const Tp*) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    Matrix<PromotedOf<Tz, Tg>, Dim, Dim - 1> tangents;
    for (int i = 0; i < Dim; ++i)
      for (int m = 0; m < Dim - 1; ++m) tangents(i, m) = g.A(i, m) + z[Dim + i * (Dim - 1) + m];
    Vector<PromotedOf<Tz, Tg>, Dim> x;
    for (int i = 0; i < Dim; ++i) x[i] = g.x[i] + z[i];
    return R(-(axis.template field<Axisymmetric>(x) * area_vector(tangents)[axis.component]));
  }
};

template <int Dim, bool Axisymmetric>
struct SquaredDisplacement {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = value_slots<Dim>();
  static constexpr bool functional = true, symmetric = true, uses_position = Axisymmetric;
  int n_coefficients() const { return 0; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim>& u, const PointGeometry<Tg, Dim, Dim>& g, const Tp*) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    R square(0.0);
    for (int i = 0; i < Dim; ++i) square += u[i] * u[i];
    return R(square * (g.measure * LoadGeometry<Dim, Axisymmetric>::ring(g)));
  }
};

}  // namespace

std::unique_ptr<WeakForm> make_deformed_volume(SolidKind kind, VolumeAxis axis, CellBatches facets) {
  if (kind == SolidKind::spatial) return make_form(DeformedVolume<3, false>{axis}, std::move(facets));
  if (kind == SolidKind::axisymmetric) return make_form(DeformedVolume<2, true>{axis}, std::move(facets));
  return make_form(DeformedVolume<2, false>{axis}, std::move(facets));
}

std::unique_ptr<WeakForm> make_squared_displacement(SolidKind kind, CellBatches cells) {
  if (kind == SolidKind::spatial) return make_form(SquaredDisplacement<3, false>{}, std::move(cells));
  if (kind == SolidKind::axisymmetric) return make_form(SquaredDisplacement<2, true>{}, std::move(cells));
  return make_form(SquaredDisplacement<2, false>{}, std::move(cells));
}

}  // namespace invar
