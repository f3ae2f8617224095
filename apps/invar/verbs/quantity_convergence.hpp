#pragma once
#include <nlohmann/json.hpp>

#include "apps/invar/verbs/session.hpp"

namespace invar {

/// Solves a problem without design again in the settings that `verify.refine` lists, and compares objective, quantities and probes: observed
/// order, extrapolated value and grid convergence index (`grid_convergence`). Fields of each setting are written to verify/KIND.
class QuantityConvergence {
 public:
  /// After the problem's solve; `results`: of the run.
  QuantityConvergence(Session& session, const nlohmann::ordered_json& results);

  /// `convergence` of results.json: by setting, `objective`, `quantities` and `probes` by name, each with values (the run's first), change, order,
  /// extrapolated, gci, gci_of_run; a `reason` where a setting could not be solved. Null if the run is interrupted. Collective.
  nlohmann::ordered_json find();
  /// Whether every setting was solved.
  bool complete() const { return complete_; }

 private:
  nlohmann::ordered_json in_setting(const std::string& kind);
  void show(const std::string& kind, const nlohmann::ordered_json& found);

  Session& session_;
  const nlohmann::ordered_json& results_;
  bool complete_ = true;
};

}  // namespace invar
