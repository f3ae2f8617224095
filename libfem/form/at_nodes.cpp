#include "libfem/form/at_nodes.hpp"

#include <stdexcept>
#include <utility>

#include "libfem/form/tabulate.hpp"

namespace invar {
namespace {

/// Tabulates the domain anew at the points of the rule of each group, made from its cell type and element.
template <class RuleOf>
CellBatches retabulated(CellBatches domain, RuleOf rule_of) {
  if (domain.orders.size() > 1) throw std::invalid_argument("components of several orders have no common nodes");
  int points = 0;
  for (BatchGroup& g : domain.groups) {
    const CellType element{g.type.shape, domain.orders.front()};
    const Quadrature rule = rule_of(g, element);
    g.weights = rule.weights;
    g.geometry = tabulate(g.type, rule);
    g.basis[0] = tabulate(element, rule);
    g.first_point = points;
    points += g.n_batches * g.n_points();
  }
  return domain;
}

}  // namespace

CellBatches at_nodes(CellBatches domain) {
  return retabulated(std::move(domain), [](const BatchGroup&, CellType element) { return nodal_quadrature(element); });
}

CellBatches with_nodes(CellBatches domain, double share) {
  return retabulated(std::move(domain), [share](const BatchGroup& g, CellType element) {
    Quadrature all = quadrature(g.type.shape, g.degree), nodes = nodal_quadrature(element);
    for (double& w : all.weights) w *= 1 - share;
    for (double& w : nodes.weights) w *= share;
    all.points.insert(all.points.end(), nodes.points.begin(), nodes.points.end());
    all.weights.insert(all.weights.end(), nodes.weights.begin(), nodes.weights.end());
    return all;
  });
}

}  // namespace invar
