#pragma once
#include <vector>

#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/problem/case_model.hpp"
#include "libfem/form/cell_batches.hpp"

namespace invar {

/// The shapes of cells that occur on any rank: simplices (true), others (false). Collective.
std::vector<bool> shapes_present(const CellBatches& cells, MPI_Comm comm);

/// The cells of a fluid; by_shape: split by shape as the stabilisation needs, with the same number of parts on every rank. Collective.
std::vector<CellBatches> fluid_domains(const FlowCase& flow, const CaseModel& model, const FluidPart& part, bool by_shape);

/// Degree of quadrature on facets.
int flow_facet_degree(FlowKind kind, FlowDiscretisation discretisation);
/// Degrees of quadrature.
void choose_quadrature(const Mesh& mesh, FlowCase& flow);

}  // namespace invar
