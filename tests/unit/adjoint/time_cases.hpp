#pragma once
#include <gtest/gtest.h>

#include "libadjoint/time/transient_case.hpp"
#include "tests/unit/adjoint/time_reference.hpp"

namespace invar::toy {

struct SchemeCase {
  std::string name;
  TimeScheme::Kind kind;
  int order;
  double rho = 0.5;
  TimeScheme scheme() const { return {kind, order, rho}; }
};

inline bool serial() {
  int ranks;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  return ranks == 1;
}

/// Every scheme there is for equations of this order in time; on several ranks one of those that differ in ρ∞ alone.
inline std::vector<SchemeCase> schemes(int order) {
  using Kind = TimeScheme::Kind;
  std::vector<SchemeCase> out{{"backward_euler", Kind::backward_euler, order}, {"bdf2", Kind::bdf2, order},
                              {"midpoint", Kind::midpoint, order}, {"sdirk2", Kind::sdirk2, order}};
  for (const double rho : serial() ? std::vector{0.0, 0.5, 0.9} : std::vector{0.5})
    out.push_back({"generalised_alpha " + std::to_string(rho).substr(0, 3), Kind::generalised_alpha, order, rho});
  if (order == 2) out.push_back({"newmark", Kind::newmark, order});
  if (order == 2) out.push_back({"central_differences", Kind::central_differences, order});
  return out;
}

/// Those whose steps read the state that they lead to: what refuses that state fails within the step.
inline std::vector<SchemeCase> implicit_schemes(int order) {
  std::vector<SchemeCase> out = schemes(order);
  std::erase_if(out, [](const SchemeCase& s) { return s.scheme().is_explicit(); });
  return out;
}

/// States to round-off, so that differences between neighbouring ones are smooth.
inline MarchOptions tight() {
  MarchOptions o;
  o.newton.rtol = 1e-12;
  o.newton.min_iterations = 1;
  return o;
}

inline std::shared_ptr<LinearSolver> tight_solver() {
  LinearSolverOptions o;
  o.rtol = 1e-14;
#ifdef INVAR_SUITESPARSE
  o.method = serial() ? "umfpack" : "redundant";  // the quickest for matrices as small
#endif
  return std::make_shared<LinearSolver>(PETSC_COMM_WORLD, o);
}

inline std::vector<double> uniform(double end, int steps) {
  std::vector<double> t(steps + 1);
  for (int i = 0; i <= steps; ++i) t[i] = end * i / steps;
  return t;
}

inline std::unique_ptr<TransientCase> march(std::shared_ptr<Residual> residual, const TimeScheme& scheme,
                                            std::vector<double> times, MarchOptions options = tight()) {
  return std::make_unique<TransientCase>("march", std::move(residual), tight_solver(), scheme, std::move(times), std::move(options));
}

inline Controls zeros(const Controls& d) {
  Controls z;
  for (const auto& e : d) z.emplace_back(e.size(), 0.0);
  return z;
}

}  // namespace invar::toy
