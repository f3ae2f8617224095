#include "apps/invar/physics/flow_domains.hpp"

#include <algorithm>

namespace invar {

std::vector<bool> shapes_present(const CellBatches& cells, MPI_Comm comm) {
  std::vector<bool> present;
  for (const bool simplices : {true, false}) {
    int somewhere = !cells_of_shape(cells, simplices).groups.empty();
    MPI_Allreduce(MPI_IN_PLACE, &somewhere, 1, MPI_INT, MPI_MAX, comm);
    if (somewhere) present.push_back(simplices);
  }
  return present;
}

std::vector<CellBatches> fluid_domains(const FlowCase& flow, const CaseModel& model, const FluidPart& part, bool by_shape) {
  CellBatches all = CellBatches::on_cells(model.dofs, part.region, flow.degree);
  std::vector<CellBatches> domains;
  if (by_shape)
    for (const bool simplices : shapes_present(all, model.dofs->comm())) domains.push_back(cells_of_shape(all, simplices));
  else
    domains.push_back(std::move(all));
  return domains;
}

/// That of the product of three velocities, times r in axisymmetric flow.
int flow_facet_degree(FlowKind kind, FlowDiscretisation discretisation) {
  return (discretisation == FlowDiscretisation::taylor_hood ? 6 : 3) + (kind == FlowKind::axisymmetric);
}

void choose_quadrature(const Mesh& mesh, FlowCase& flow) {
  for (const CellBlock& block : mesh.cells)
    flow.degree = std::max(flow.degree, flow_degree(flow.kind, flow.discretisation,
                                                    {.law = {}, .convection = flow.convection, .turbulent = flow.turbulent}, block.type.shape));
  flow.facet_degree = flow_facet_degree(flow.kind, flow.discretisation);
}

}  // namespace invar
