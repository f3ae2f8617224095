#pragma once
#include <string>
#include <vector>

#include "apps/invar/problem/case_model.hpp"
#include "libfem/io/vtk_field.hpp"

namespace invar {

/// What is written of a state: fields at nodes and in cells, by the case's physics.
std::vector<VtkField> state_fields(const CaseModel& model, const EvaluationPoint& state);
/// Volume of each cell of the rank as the physics counts it; zero in cells that belong to nothing.
std::vector<double> cell_volumes(const CaseModel& model, const EvaluationPoint& state);

std::vector<VtkField> solid_fields(const CaseModel& model, const EvaluationPoint& state);
std::vector<VtkField> flow_fields(const CaseModel& model, const EvaluationPoint& state);
std::vector<double> solid_cell_volumes(const CaseModel& model, const EvaluationPoint& state);
std::vector<double> flow_cell_volumes(const CaseModel& model, const EvaluationPoint& state);

/// A constant of a material where that material is.
struct RegionConstant {
  std::string key, region;  // region empty: everywhere
  int control;
};
/// Adds fields "material_KEY" with the constants' values; not a number where no material has one.
void add_material_fields(const CaseModel& model, const Controls& controls, const std::vector<RegionConstant>& constants, std::vector<VtkField>& fields);

}  // namespace invar
