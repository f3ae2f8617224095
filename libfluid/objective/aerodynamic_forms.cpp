#include "libfem/form/q_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/objective/aerodynamic_densities.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {
namespace {

template <bool EqualOrder>
std::unique_ptr<WeakForm> pressure_work(FlowKind kind, const std::array<double, 3>& constant,
                                        const std::array<std::array<double, 3>, 3>& slope, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) {
    PressureWork<K, EqualOrder> work;
    work.constant = constant;
    work.slope = slope;
    return make_form(work, std::move(facets));
  });
}

}  // namespace

std::unique_ptr<WeakForm> make_pressure_force(FlowKind kind, FlowDiscretisation discretisation, const std::array<double, 3>& direction,
                                              CellBatches facets) {
  return discretisation == FlowDiscretisation::equal_order ? pressure_work<true>(kind, direction, {}, std::move(facets))
                                                           : pressure_work<false>(kind, direction, {}, std::move(facets));
}

// w = a × (x − x_0)
std::unique_ptr<WeakForm> make_pressure_moment(FlowKind kind, FlowDiscretisation discretisation, const std::array<double, 3>& point,
                                               const std::array<double, 3>& axis, CellBatches facets) {
  const std::array<double, 3> a = kind == FlowKind::spatial ? axis : std::array<double, 3>{0, 0, 1};
  const std::array<std::array<double, 3>, 3> slope{{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}};
  std::array<double, 3> constant{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < (kind == FlowKind::spatial ? 3 : 2); ++j) constant[i] -= slope[i][j] * point[j];
  return discretisation == FlowDiscretisation::equal_order ? pressure_work<true>(kind, constant, slope, std::move(facets))
                                                           : pressure_work<false>(kind, constant, slope, std::move(facets));
}

std::unique_ptr<WeakForm> make_transposed_shear_work(FlowKind kind, const RigidVelocity& w, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) {
    TransposedShearWork<K> work;
    work.w = w;
    return make_form(work, std::move(facets));
  });
}

std::unique_ptr<WeakForm> make_total_pressure_flux(FlowKind kind, FlowDiscretisation discretisation, CellBatches facets) {
  return with_flow_kind(kind, [&]<class K>(K) {
    return discretisation == FlowDiscretisation::equal_order ? make_form(TotalPressureFlux<K, true>{}, std::move(facets))
                                                             : make_form(TotalPressureFlux<K, false>{}, std::move(facets));
  });
}

}  // namespace invar
