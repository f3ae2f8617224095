#include "libfluid/flow/flow_forms.hpp"

#include <stdexcept>
#include <utility>

#include "libfem/mesh/simplex.hpp"
#include "libfluid/flow/navier_stokes_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"

namespace invar {
namespace {

template <class K>
std::unique_ptr<WeakForm> make(FlowDiscretisation discretisation, const FlowModel& m, CellBatches cells) {
  if (discretisation == FlowDiscretisation::taylor_hood)
    return make_navier_stokes_form(NavierStokes<K, false>{m.law, m.convection, m.stress_form, {}, m.grad_div}, std::move(cells));
  const ReferenceMetric metric = shared_metric(cells);
  if (m.turbulent)
    return make_navier_stokes_form(NavierStokes<K, true, true>{m.law, true, true, metric, 0}, std::move(cells));
  return make_navier_stokes_form(NavierStokes<K, true>{m.law, m.convection, m.stress_form, metric, 0}, std::move(cells));
}

}  // namespace

void check_flow_model(FlowDiscretisation discretisation, const FlowModel& m) {
  if (!(m.grad_div >= 0)) throw std::invalid_argument("the grad-div parameter of a flow must not be negative");
  if (m.turbulent && (discretisation != FlowDiscretisation::equal_order || !m.convection || !m.stress_form))
    throw std::invalid_argument("turbulent flow needs convection, the stress form and equal order");
  if (m.grad_div > 0 && discretisation == FlowDiscretisation::equal_order) throw std::invalid_argument("stabilised flow already has a grad-div term");
}

std::unique_ptr<WeakForm> make_navier_stokes(FlowKind kind, FlowDiscretisation discretisation, const FlowModel& model,
                                             CellBatches cells) {
  check_flow_model(discretisation, model);
  return with_flow_kind(kind, [&]<class K>(K) { return make<K>(discretisation, model, std::move(cells)); });
}

int flow_degree(FlowKind kind, FlowDiscretisation discretisation, const FlowModel& model, Shape shape) {
  const int ring = kind == FlowKind::axisymmetric && is_simplex(shape) ? 1 : 0;  // of the factor r
  if (discretisation == FlowDiscretisation::equal_order) return (model.turbulent ? 4 : 2) + ring;
  return (model.convection ? 5 : 4) + ring;
}

ReferenceMetric shared_metric(const CellBatches& cells) {
  if (cells.groups.empty()) return {};
  const Shape first = cells.groups.front().type.shape;
  for (const BatchGroup& g : cells.groups)
    if (is_simplex(g.type.shape) != is_simplex(first))
      throw std::invalid_argument("a stabilised flow form needs either simplices or other cells: split the cells by shape");
  return ReferenceMetric::of(first);
}

CellBatches cells_of_shape(const CellBatches& cells, bool simplices) {
  CellBatches part = cells.without_cells();
  for (const BatchGroup& g : cells.groups)
    if (is_simplex(g.type.shape) == simplices) part.groups.push_back(g);
  return part;
}

std::vector<CellBatches> split_by_shape(const CellBatches& cells) {
  std::vector<CellBatches> parts;
  for (const bool simplices : {true, false})
    if (CellBatches part = cells_of_shape(cells, simplices); !part.groups.empty()) parts.push_back(std::move(part));
  return parts;
}

}  // namespace invar
