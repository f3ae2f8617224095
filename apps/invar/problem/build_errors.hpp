#pragma once
#include <optional>
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

/// ‖u − û‖ of the components that a record gives, u_x to u_z and c, û at time t; nothing after recording what is wrong.
std::optional<ErrorNorm> build_field_error(const spec::Value& record, const CaseModel& model, double t,
                                           Diagnostics& diagnostics);

/// What `output.errors` asks for in one case.
std::vector<CaseError> build_errors(const spec::Value& errors, const CaseModel& model, int case_index,
                                    Diagnostics& diagnostics);

}  // namespace invar
