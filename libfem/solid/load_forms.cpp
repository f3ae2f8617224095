#include "libfem/solid/load_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {
namespace {

/// Calls make.operator()<Dim, Axisymmetric>() for the kind of solid.
template <class Make>
std::unique_ptr<WeakForm> dispatch(SolidKind kind, Make make) {
  if (kind == SolidKind::spatial) return make.template operator()<3, false>();
  return kind == SolidKind::axisymmetric ? make.template operator()<2, true>() : make.template operator()<2, false>();
}

}  // namespace

std::unique_ptr<WeakForm> make_body_force(SolidKind kind, CellBatches cells) {
  return dispatch(kind, [&]<int D, bool A> { return make_form(LoadOrFoundation<D, D, A>{.foundation = false}, std::move(cells)); });
}

std::unique_ptr<WeakForm> make_traction(SolidKind kind, CellBatches facets) {
  return dispatch(kind, [&]<int D, bool A> { return make_form(LoadOrFoundation<D, D - 1, A>{.foundation = false}, std::move(facets)); });
}

std::unique_ptr<WeakForm> make_follower_pressure(SolidKind kind, CellBatches facets) {
  return dispatch(kind, [&]<int D, bool A> { return make_form(FollowerPressure<D, A>{}, std::move(facets)); });
}

std::unique_ptr<WeakForm> make_elastic_foundation(SolidKind kind, CellBatches facets) {
  return dispatch(kind, [&]<int D, bool A> { return make_form(LoadOrFoundation<D, D - 1, A>{.foundation = true}, std::move(facets)); });
}

std::unique_ptr<WeakForm> make_point_force(SolidKind kind, CellBatches points) {
  return dispatch(kind, [&]<int D, bool A> { return make_form(LoadOrFoundation<D, 0, false>{.foundation = false}, std::move(points)); });
}

std::unique_ptr<WeakForm> make_point_spring(SolidKind kind, CellBatches points) {
  return dispatch(kind, [&]<int D, bool A> { return make_form(LoadOrFoundation<D, 0, false>{.foundation = true}, std::move(points)); });
}

}  // namespace invar
