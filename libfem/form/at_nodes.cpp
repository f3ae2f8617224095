#include "libfem/form/at_nodes.hpp"

#include <stdexcept>

#include "libfem/form/tabulate.hpp"

namespace invar {

CellBatches at_nodes(CellBatches domain) {
  if (domain.orders.size() > 1) throw std::invalid_argument("components of several orders have no common nodes");
  int points = 0;
  for (BatchGroup& g : domain.groups) {
    const CellType element{g.type.shape, domain.orders.front()};
    const Quadrature rule = nodal_quadrature(element);
    g.weights = rule.weights;
    g.geometry = tabulate(g.type, rule);
    g.basis[0] = tabulate(element, rule);
    g.first_point = points;
    points += g.n_batches * g.n_points();
  }
  return domain;
}

}  // namespace invar
