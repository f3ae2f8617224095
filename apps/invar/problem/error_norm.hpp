#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/invar/problem/case_model.hpp"
#include "libfem/objective/linear_observable.hpp"

namespace invar {

/// ‖u − û‖ in L2 over the mesh of a case (not over the circle where axisymmetric).
struct ErrorNorm {
  std::string name;        // "velocity_l2", "displacement_l2", "pressure_l2", "scalar_l2"
  int case_index = 0;
  std::shared_ptr<LinearObservable> samples;  // √w u at quadrature points, w over the measure of the mesh
  std::vector<double> target;                 // √w û
  std::vector<double> ones;                   // √w; given where the mean of the difference is taken away
  double measure = 0;                         // of the mesh, m² or m³

  double evaluate(const EvaluationPoint& u) const;
};

/// ‖u − û‖ of the components that a record gives, u_x to u_z and c, û at time t; nothing after recording what is wrong.
std::optional<ErrorNorm> build_field_error(const spec::Value& record, const CaseModel& model, double t,
                                           Diagnostics& diagnostics);

/// What `output.errors` asks for in one case.
std::vector<ErrorNorm> build_error_norms(const spec::Value& errors, const CaseModel& model, int case_index,
                                         Diagnostics& diagnostics);

/// A length that halves when each side of every cell is halved: (measure / cells)^(1/dim) [m]. Collective.
double cell_size(const CaseModel& model, double measure);

}  // namespace invar
