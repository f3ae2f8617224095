#include "apps/invar/physics/flow_domains.hpp"

#include <algorithm>

namespace invar {
namespace {

bool is_simplex(Shape shape) { return shape == Shape::triangle || shape == Shape::tetrahedron; }

}  // namespace

std::vector<CellBatches> fluid_domains(const FlowCase& flow, const CaseModel& model, const FluidPart& part, bool by_shape) {
  CellBatches all = CellBatches::on_cells(model.dofs, part.region, flow.degree);
  std::vector<CellBatches> domains;
  if (!by_shape) {
    domains.push_back(std::move(all));
    return domains;
  }
  std::vector<CellBatches> parts = split_by_shape(all);
  for (const bool simplex : {true, false}) {
    const auto fits = [&](const CellBatches& p) { return !p.groups.empty() && is_simplex(p.groups[0].type.shape) == simplex; };
    const auto mine = std::find_if(parts.begin(), parts.end(), fits);
    int somewhere = mine != parts.end();
    MPI_Allreduce(MPI_IN_PLACE, &somewhere, 1, MPI_INT, MPI_MAX, model.dofs->comm());
    if (somewhere) domains.push_back(mine != parts.end() ? std::move(*mine) : all.without_cells());
  }
  return domains;
}

void choose_quadrature(const Mesh& mesh, FlowCase& flow) {
  for (const CellBlock& block : mesh.cells)
    flow.degree = std::max(flow.degree, flow_degree(flow.kind, flow.discretisation,
                                                    {.law = {}, .convection = flow.convection, .turbulent = flow.turbulent}, block.type.shape));
  // The product of three velocities, times r in axisymmetric flow.
  flow.facet_degree = (flow.discretisation == FlowDiscretisation::taylor_hood ? 6 : 3) + (flow.kind == FlowKind::axisymmetric);
}

}  // namespace invar
