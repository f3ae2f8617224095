#pragma once
#include <vector>

#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/problem/case_model.hpp"
#include "libfem/form/cell_batches.hpp"

namespace invar {

/// The cells of a fluid; by_shape: split by shape as the stabilisation needs, with the same number of parts on every rank. Collective.
std::vector<CellBatches> fluid_domains(const FlowCase& flow, const CaseModel& model, const FluidPart& part, bool by_shape);

/// Degrees of quadrature.
void choose_quadrature(const Mesh& mesh, FlowCase& flow);

}  // namespace invar
