#pragma once
#include <string>
#include <vector>

#include "apps/invar/problem/case_model.hpp"
#include "libfem/io/vtk_field.hpp"

namespace invar {

/// A constant of a material where that material is.
struct RegionConstant {
  std::string key, region;  // region empty: everywhere
  int control;
};
/// Adds fields "material_KEY" with the constants' values; not a number where no material has one.
void add_material_fields(const CaseModel& model, const Controls& controls, const std::vector<RegionConstant>& constants,
                         std::vector<VtkField>& fields);

}  // namespace invar
