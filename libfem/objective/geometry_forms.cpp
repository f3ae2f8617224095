#include "libfem/objective/geometry_forms.hpp"

#include <numbers>

#include "libfem/form/q_form.hpp"

namespace invar {
namespace {

/// Common part of densities of the mesh geometry. The slot with the first component's value is not used.
template <int Dim, int RefDim, bool Axisymmetric, bool AtPosition>
struct MeshDensity {
  static constexpr int dim = Dim, ref_dim = RefDim, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = value_slots<1>();
  static constexpr bool functional = true, symmetric = true, uses_position = Axisymmetric || AtPosition;
  int n_coefficients() const { return 0; }

  /// 2πr or 1
  template <class T>
  INVAR_HD static T ring(const PointGeometry<T, Dim, RefDim>& g) {
    if constexpr (Axisymmetric) return (2 * std::numbers::pi) * g.x[0];
    else return T(1.0);
  }
};

template <int Dim, int RefDim, bool Axisymmetric>
struct Measure : MeshDensity<Dim, RefDim, Axisymmetric, false> {
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>&, const PointGeometry<Tg, Dim, RefDim>& g, const Tp*) const {
    return PromotedOf<Tz, Tg, Tp>(g.measure * this->ring(g));
  }
};

template <int Dim, bool Axisymmetric>
struct VolumeMoment : MeshDensity<Dim, Dim, Axisymmetric, true> {
  int component;

  explicit VolumeMoment(int component) : component(component) {}
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>&, const PointGeometry<Tg, Dim, Dim>& g, const Tp*) const {
    return PromotedOf<Tz, Tg, Tp>(g.x[component] * (g.measure * this->ring(g)));
  }
};

/// Volume, or its moment along a component (−1: the volume).
template <int Dim, bool Axisymmetric>
struct Enclosed : MeshDensity<Dim, Dim - 1, Axisymmetric, true> {
  VolumeAxis axis;
  int component;

  Enclosed(VolumeAxis axis, int component) : axis(axis), component(component) {}
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>&, const PointGeometry<Tg, Dim, Dim - 1>& g, const Tp*) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const Tg flux = axis.template field<Axisymmetric>(g.x) * area_vector(g.A)[axis.component];
    if (component < 0) return R(-flux);
    if (component == axis.component) return R(-0.5 * ((g.x[component] + axis.origin) * flux));
    return R(-(g.x[component] * flux));
  }
};

/// make<Dim, Axisymmetric>(domain) for the mesh of the domain.
template <class Make>
std::unique_ptr<WeakForm> on_mesh(bool axisymmetric, CellBatches domain, Make make) {
  if (domain.dofs->mesh().dim == 3) return make.template operator()<3, false>(std::move(domain));
  return axisymmetric ? make.template operator()<2, true>(std::move(domain)) : make.template operator()<2, false>(std::move(domain));
}

std::unique_ptr<WeakForm> make_enclosed(bool axisymmetric, VolumeAxis axis, int component, CellBatches facets) {
  return on_mesh(axisymmetric, std::move(facets), [axis, component]<int Dim, bool Axisymmetric>(CellBatches on) {
    return make_form(Enclosed<Dim, Axisymmetric>(axis, component), std::move(on));
  });
}

}  // namespace

std::unique_ptr<WeakForm> make_volume(bool axisymmetric, CellBatches cells) {
  return on_mesh(axisymmetric, std::move(cells), []<int Dim, bool Axisymmetric>(CellBatches on) {
    return make_form(Measure<Dim, Dim, Axisymmetric>{}, std::move(on));
  });
}
std::unique_ptr<WeakForm> make_area(bool axisymmetric, CellBatches facets) {
  return on_mesh(axisymmetric, std::move(facets), []<int Dim, bool Axisymmetric>(CellBatches on) {
    return make_form(Measure<Dim, Dim - 1, Axisymmetric>{}, std::move(on));
  });
}
std::unique_ptr<WeakForm> make_volume_moment(bool axisymmetric, int component, CellBatches cells) {
  return on_mesh(axisymmetric, std::move(cells), [component]<int Dim, bool Axisymmetric>(CellBatches on) {
    return make_form(VolumeMoment<Dim, Axisymmetric>(component), std::move(on));
  });
}
std::unique_ptr<WeakForm> make_enclosed_volume(bool axisymmetric, VolumeAxis axis, CellBatches facets) {
  return make_enclosed(axisymmetric, axis, -1, std::move(facets));
}
std::unique_ptr<WeakForm> make_enclosed_moment(bool axisymmetric, int component, VolumeAxis axis, CellBatches facets) {
  return make_enclosed(axisymmetric, axis, component, std::move(facets));
}

}  // namespace invar
