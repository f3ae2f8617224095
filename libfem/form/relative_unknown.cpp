#include "libfem/form/relative_unknown.hpp"

#include <algorithm>
#include <stdexcept>

namespace invar {
namespace {

void make_ascending(std::vector<int>& dofs) {
  std::ranges::sort(dofs);
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
}

}  // namespace

RelativeUnknown::RelativeUnknown(const CellBatches& facets, const std::string& carrier) : n_local_(facets.dofs->n_local()) {
  const Region* region = facets.dofs->mesh().find_region(carrier);
  if (!region) throw std::invalid_argument("the mesh has no region '" + carrier + "'");
  for (int c = 0; c < static_cast<int>(facets.components.size()); ++c) {
    OfComponent of;
    for (const BatchGroup& g : facets.groups)
      for (int b = 0; b < g.n_batches; ++b)
        for (int a = 0; a < g.basis[facets.basis_of(c)].n_nodes; ++a)
          for (int lane = 0; lane < g.active[b]; ++lane) of.facets.push_back(g.dofs(c, b).at(a, lane));
    for (const int node : region->nodes)
      if (const int dof = facets.dofs->dof(node, facets.components[c]); dof >= 0) of.carrier.push_back(dof);
    make_ascending(of.facets), make_ascending(of.carrier);
    components_.push_back(std::move(of));
  }
}

std::vector<double> RelativeUnknown::of(const double* u) const {
  if (!u) return {};
  std::vector<double> w(u, u + n_local_);
  const std::vector<double> means = mean(u);
  for (std::size_t c = 0; c < components_.size(); ++c)
    for (const int dof : components_[c].facets) w[dof] -= means[c];
  return w;
}

std::vector<double> RelativeUnknown::mean(const double* u) const {
  std::vector<double> means;
  for (const OfComponent& c : components_) {
    double& mean = means.emplace_back(0.0);
    for (const int dof : c.carrier) mean += u[dof] / static_cast<double>(c.carrier.size());
  }
  return means;
}

void RelativeUnknown::add_transposed(const std::vector<double>& w_bar, double* out) const {
  for (const OfComponent& c : components_) {
    double sum = 0;
    for (const int dof : c.facets) out[dof] += w_bar[dof], sum += w_bar[dof];
    for (const int dof : c.carrier) out[dof] -= sum / static_cast<double>(c.carrier.size());
  }
}

}  // namespace invar
