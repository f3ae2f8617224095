#pragma once
#include <string>
#include <vector>

#include "apps/invar/problem/case_model.hpp"
#include "libfem/objective/error_norm.hpp"

namespace invar {

/// An error that `output.errors` asks for.
struct CaseError {
  std::string name;  // "velocity_l2", "displacement_l2", "pressure_l2", "scalar_l2"
  int case_index = 0;
  ErrorNorm norm;
};

/// Checks that a record gives formulas only for components of the unknown; others are recorded as mistakes.
bool check_components(const CaseModel& model, const spec::Value& record, Diagnostics& diagnostics);

/// What `output.errors` asks for in one case.
std::vector<CaseError> build_errors(const spec::Value& errors, const CaseModel& model, int case_index,
                                    Diagnostics& diagnostics);

}  // namespace invar
