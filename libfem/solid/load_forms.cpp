#include "libfem/solid/load_forms.hpp"

#include "libfem/form/q_form.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {
namespace {

/// Calls make.operator()<Dim, NC, Axisymmetric>() for the kind of solid.
template <class Make>
std::unique_ptr<WeakForm> dispatch(SolidKind kind, bool mixed, Make make) {
  if (kind == SolidKind::spatial)
    return mixed ? make.template operator()<3, 4, false>() : make.template operator()<3, 3, false>();
  if (kind == SolidKind::axisymmetric)
    return mixed ? make.template operator()<2, 3, true>() : make.template operator()<2, 2, true>();
  return mixed ? make.template operator()<2, 3, false>() : make.template operator()<2, 2, false>();
}

template <class Q>
std::unique_ptr<WeakForm> form(CellBatches& domain) {
  return std::make_unique<QForm<Q>>(Q{}, std::move(domain));
}

}  // namespace

std::unique_ptr<WeakForm> make_body_force(SolidKind kind, bool mixed, CellBatches cells) {
  return dispatch(kind, mixed, [&]<int D, int NC, bool A> { return form<DeadLoad<D, D, NC, A>>(cells); });
}

std::unique_ptr<WeakForm> make_traction(SolidKind kind, bool mixed, CellBatches facets) {
  return dispatch(kind, mixed, [&]<int D, int NC, bool A> { return form<DeadLoad<D, D - 1, NC, A>>(facets); });
}

std::unique_ptr<WeakForm> make_follower_pressure(SolidKind kind, bool mixed, CellBatches facets) {
  return dispatch(kind, mixed, [&]<int D, int NC, bool A> { return form<FollowerPressure<D, NC, A>>(facets); });
}

std::unique_ptr<WeakForm> make_elastic_foundation(SolidKind kind, bool mixed, CellBatches facets) {
  return dispatch(kind, mixed, [&]<int D, int NC, bool A> { return form<ElasticFoundation<D, NC, A>>(facets); });
}

}  // namespace invar
